"""When the guard says that going on helps nobody, and when it does not."""

import pytest

from gossamer.engine.failures.failure_guard import FEWEST, WINDOW, FailureGuard
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit

FINE = Visit(Outcome.PAGE, status=200)
TIMEOUT = Visit(Outcome.TIMEOUT)
REFUSED = Visit(Outcome.CLIENT_ERROR, status=403)


def sentences(*visits: Visit) -> list[str]:
    """What the guard says, answer by answer."""
    guard = FailureGuard()
    return [str(sentence) for visit in visits if (sentence := guard.note(visit))]


def test_too_few_answers_conclude_nothing() -> None:
    assert sentences(*[TIMEOUT] * (FEWEST - 1)) == []


def test_nearly_all_failing_alike_is_said_with_how_many() -> None:
    [sentence] = sentences(*[TIMEOUT] * FEWEST)
    assert f"{FEWEST} of the last {FEWEST} requests failed" in sentence


def test_refusals_are_said_with_their_status() -> None:
    [sentence] = sentences(*[REFUSED] * FEWEST)
    assert "status 403" in sentence


def test_after_a_sentence_it_begins_anew() -> None:
    assert len(sentences(*[TIMEOUT] * (2 * FEWEST - 1))) == 1
    assert len(sentences(*[TIMEOUT] * (2 * FEWEST))) == 2


def test_one_fine_answer_in_ten_is_enough_to_go_on() -> None:
    assert sentences(*([FINE] + [TIMEOUT] * 9) * 50) == []


def test_only_the_latest_answers_count() -> None:
    assert len(sentences(*[FINE] * 10_000, *[TIMEOUT] * WINDOW)) == 1


def test_failures_of_many_kinds_are_a_bad_site_not_an_outage() -> None:
    kinds = [TIMEOUT, REFUSED, Visit(Outcome.CONNECTION_LOST)]
    assert sentences(*kinds * FEWEST) == []


@pytest.mark.parametrize(
    "visit",
    [
        Visit(Outcome.CLIENT_ERROR, status=404),
        Visit(Outcome.FILE, status=200),
        Visit(Outcome.REDIRECT, status=301),
        Visit(Outcome.PAGE_INCOMPLETE, status=200),
    ],
    ids=lambda visit: visit.outcome.name,
)
def test_dead_links_and_all_that_could_be_read_are_no_failures(visit: Visit) -> None:
    assert sentences(*[visit] * 10_000) == []


def test_hosts_that_do_not_exist_are_failures() -> None:
    assert len(sentences(*[Visit(Outcome.DNS_FAILURE)] * FEWEST)) == 1
