"""Which shard may fetch how many pages, and when that is told to whom."""

from gossamer.model.messages.shard_messages import GrantPages, PageShare
from gossamer.shards.page_budget import PageBudget


def test_what_a_shard_does_not_need_goes_to_another_when_it_has_heard_of_that() -> None:
    budget = PageBudget(11, [1, 0])
    assert [budget.limit_of(0), budget.limit_of(1)] == [6, 5]
    assert budget.report(0, PageShare(6, spare=4)) == []
    assert budget.report(1, PageShare(5, wants_more=True)) == [(0, GrantPages(2, 1))]
    assert not budget.is_settled
    # It had begun another page meanwhile, and keeps that.
    assert budget.report(0, PageShare(3, order=1)) == [(1, GrantPages(8, 1))]
    assert not budget.is_settled
    assert budget.report(1, PageShare(8, order=1, wants_more=True)) == []
    assert budget.is_settled


def test_of_a_shard_that_dies_only_that_is_given_away_which_it_has_said() -> None:
    budget = PageBudget(10, [0, 0])
    budget.report(0, PageShare(5, spare=5))
    assert budget.report(1, PageShare(5, wants_more=True)) == [(0, GrantPages(0, 1))]
    budget.lost(0)
    assert budget.limit_of(0) + budget.limit_of(1) == 10
    assert budget.report(0, PageShare(5, spare=1)) == [(0, GrantPages(4, 1))]
    assert budget.report(0, PageShare(4, order=1)) == [(1, GrantPages(6, 1))]
    budget.lost(1)
    assert budget.limit_of(0) + budget.limit_of(1) == 10
