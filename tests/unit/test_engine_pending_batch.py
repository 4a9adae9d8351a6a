"""What is gathered for the next commit, and how much of it there may be."""

from gossamer.engine.pending_batch import PendingBatch
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import LinkRows, RobotsRow, UrlRow, VisitRow
from gossamer.model.visit import Visit

WHY = DetailCode.EXCLUDE_PATTERN(pattern="/private/")


def visit_row(url_id: int, links: int = 0) -> VisitRow:
    return VisitRow(url_id, Visit(Outcome.PAGE), Outcome.PAGE, 1, LinkRows([1] * links))


def test_an_empty_batch_has_nothing_to_commit() -> None:
    assert not PendingBatch()
    assert not PendingBatch().take()


def test_all_that_was_added_is_taken_once() -> None:
    batch = PendingBatch(last_id=4)
    batch.add_url(UrlRow(5, "http://a.test/", Rank(0), Outcome.PENDING))
    batch.decide(3, Outcome.EXCLUDED, WHY)
    batch.add_visit(visit_row(2))
    batch.improve(2, Rank(1))
    batch.owe(2)
    batch.add_robots(RobotsRow("http://a.test", 200, "", None, 0.0))
    batch.set_state(CrawlState.RUNNING)
    batch.set_settings(CrawlSettings(roots=("http://a.test/",)))
    rows = batch.take()
    assert [row.id for row in rows.new] == [5]
    assert rows.decided == [(3, Outcome.EXCLUDED, WHY)]
    assert [row.id for row in rows.visits] == [2]
    assert (rows.improved, rows.owed) == ([(2, Rank(1))], [2])
    assert rows.robots
    assert rows.state is CrawlState.RUNNING
    assert rows.settings is not None
    assert not batch
    assert batch.last_id == 5, "ids are given on"
    assert batch.decision(3) is None
    assert batch.visit_of(2) is None


def test_visits_keep_the_order_in_which_they_were_admitted() -> None:
    batch = PendingBatch()
    for url_id in (9, 2, 5):
        batch.add_visit(visit_row(url_id))
    batch.add_visit(visit_row(2, links=1))
    assert [(row.id, len(row.links)) for row in batch.take().visits] == [(9, 0), (2, 1), (5, 0)]


def test_there_is_room_until_visits_pending_and_waiting_reach_the_limit() -> None:
    batch = PendingBatch(max_visits=3)
    batch.add_visit(visit_row(1))
    assert batch.has_room(1)
    assert not batch.has_room(2)


def test_there_is_room_until_links_reach_the_limit() -> None:
    batch = PendingBatch(max_links=10)
    batch.add_visit(visit_row(1, links=9))
    assert batch.has_room(0)
    batch.add_visit(visit_row(1, links=10))
    assert not batch.has_room(0), "a visit that takes the place of another counts once"
    batch.remove_visit(1)
    assert batch.has_room(0)


def test_half_of_what_may_be_pending_is_committed_at_once() -> None:
    by_visits = PendingBatch(max_visits=2)
    fullness = [by_visits.is_half_full]
    by_visits.add_visit(visit_row(1))
    assert [*fullness, by_visits.is_half_full] == [False, True]
    by_links = PendingBatch(max_links=10)
    by_links.add_visit(visit_row(1, links=5))
    fullness = [by_links.is_half_full]
    by_links.take()
    assert [*fullness, by_links.is_half_full] == [True, False]
