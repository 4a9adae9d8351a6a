"""Where each URL is, and where it may go from there."""

from itertools import product

import pytest

from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.url_tracker import MOVES, FrontierEntry, UrlStage, UrlTracker
from gossamer.model.errors import BugError
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import VisitRow
from gossamer.model.visit import Visit
from tests.cases import each_case
from tests.fakes.engine import entry_of

ROUTES = {
    UrlStage.WAITING: (),
    UrlStage.IN_FLIGHT: (UrlStage.IN_FLIGHT,),
    UrlStage.POSTPONED: (UrlStage.IN_FLIGHT, UrlStage.POSTPONED),
    UrlStage.FETCHED: (UrlStage.IN_FLIGHT, UrlStage.FETCHED),
}
"""How an entry that was added comes to each stage in memory."""


def tracked(stage: UrlStage) -> tuple[UrlTracker, FrontierEntry]:
    """An entry that stands at this stage."""
    tracker, entry = UrlTracker(PendingBatch()), entry_of(7, "/a")
    tracker.add(entry)
    for step in ROUTES[stage]:
        tracker.move(entry, step)
    return tracker, entry


@each_case(("old", "new"), list(product(ROUTES, UrlStage)), ids=lambda each: each.name)
def test_an_entry_goes_where_the_table_allows_and_nowhere_else(
    old: UrlStage, new: UrlStage
) -> None:
    tracker, entry = tracked(old)
    if new in MOVES[old]:
        tracker.move(entry, new)
        assert entry.stage is new
    else:
        with pytest.raises(BugError, match=f"from {old.name} to {new.name}"):
            tracker.move(entry, new)
        assert tracker.stage(7) is old, "nothing has changed"


def test_every_stage_has_its_moves() -> None:
    assert set(MOVES) == set(UrlStage)


def test_a_url_that_memory_does_not_know_is_on_file() -> None:
    tracker = UrlTracker(PendingBatch())
    assert tracker.stage(7) is UrlStage.ON_FILE
    assert tracker.entry(7) is None


@pytest.mark.parametrize("stage", ROUTES)
def test_what_leaves_memory_undecided_is_on_file(stage: UrlStage) -> None:
    tracker, entry = tracked(stage)
    if UrlStage.ON_FILE in MOVES[stage]:
        tracker.move(entry, UrlStage.ON_FILE)
        assert tracker.stage(7) is UrlStage.ON_FILE


@pytest.mark.parametrize("stage", ROUTES)
def test_a_decision_about_a_url_in_memory_leaves_it_there(stage: UrlStage) -> None:
    tracker, _ = tracked(stage)
    tracker.decide(7, Outcome.PENDING, None)
    assert tracker.stage(7) is stage


def test_what_was_decided_is_on_file_once_it_is_taken_for_a_commit() -> None:
    batch = PendingBatch()
    tracker = UrlTracker(batch)
    tracker.decide(7, Outcome.EXCLUDED, None)
    assert tracker.stage(7) is UrlStage.DECIDED
    assert not tracker.is_on_file(7)
    batch.take()
    assert tracker.is_on_file(7)


def test_what_was_decided_may_be_decided_otherwise_or_queued() -> None:
    tracker = UrlTracker(PendingBatch())
    tracker.decide(7, Outcome.EXCLUDED, None)
    tracker.decide(7, Outcome.PENDING, None)
    tracker.add(entry_of(7, "/a"))
    assert tracker.stage(7) is UrlStage.WAITING


def test_what_was_visited_in_this_batch_cannot_be_decided_or_queued() -> None:
    batch = PendingBatch()
    tracker = UrlTracker(batch)
    batch.add_visit(VisitRow(7, Visit(Outcome.PAGE), Outcome.PAGE, 1))
    assert tracker.stage(7) is UrlStage.VISITED
    with pytest.raises(BugError):
        tracker.decide(7, Outcome.EXCLUDED, None)
    with pytest.raises(BugError):
        tracker.add(entry_of(7, "/a"))


def test_a_visit_that_is_taken_back_leaves_the_url_as_the_file_has_it() -> None:
    batch = PendingBatch()
    tracker = UrlTracker(batch)
    batch.add_visit(VisitRow(7, Visit(Outcome.PAGE), Outcome.PAGE, 1))
    assert batch.remove_visit(7)
    assert tracker.is_on_file(7)
    assert not batch.remove_visit(7)


def test_a_url_in_memory_is_not_added_again() -> None:
    tracker, _ = tracked(UrlStage.IN_FLIGHT)
    with pytest.raises(BugError):
        tracker.add(entry_of(7, "/a"))


def test_active_are_those_that_were_taken_and_not_admitted() -> None:
    tracker, entry = tracked(UrlStage.WAITING)
    counts = []
    for stage in (UrlStage.IN_FLIGHT, UrlStage.FETCHED, UrlStage.VISITED):
        tracker.move(entry, stage)
        counts.append(tracker.active)
    assert counts == [1, 1, 0]


@pytest.mark.parametrize(
    ("stage", "may_be_queued"),
    [
        (UrlStage.WAITING, True),
        (UrlStage.POSTPONED, True),
        (UrlStage.IN_FLIGHT, False),
        (UrlStage.FETCHED, False),
    ],
)
def test_what_was_taken_from_the_queue_is_not_queued_whatever_the_file_says(
    stage: UrlStage, *, may_be_queued: bool
) -> None:
    tracker, _ = tracked(stage)
    assert tracker.may_be_queued(7) is may_be_queued
