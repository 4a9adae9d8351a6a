"""How often, and when, a URL is tried again after a failure."""

import pytest

from gossamer.engine.failures.url_retries import (
    EXTERNAL_TRIES,
    RETRY_AFTER_CAP_S,
    back_off_s,
    max_tries,
    retry_delay_s,
)
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from tests.fakes.engine import entry_of, settings_of
from tests.fakes.web import LOST

ELSEWHERE = "http://other.test/"


def test_what_may_pass_is_tried_again_later_each_time() -> None:
    settings, entry = settings_of(max_tries=4), entry_of(2, "/a")
    delays = []
    for entry.tries in range(1, 5):
        delays.append(retry_delay_s(settings, LOST, entry, jitter=0.5))
    assert delays == [0.4, 0.8, 1.6, None]


def test_what_will_not_pass_is_not_tried_again() -> None:
    entry = entry_of(2, "/a")
    entry.tries = 1
    gone = Visit(Outcome.CLIENT_ERROR, status=404)
    assert retry_delay_s(settings_of(max_tries=5), gone, entry, jitter=0.5) is None


def test_jitter_spreads_a_delay_over_half_to_one_and_a_half() -> None:
    settings, entry = settings_of(max_tries=3), entry_of(2, "/a")
    entry.tries = 1
    assert retry_delay_s(settings, LOST, entry, jitter=0.0) == pytest.approx(0.2)
    assert retry_delay_s(settings, LOST, entry, jitter=1.0) == pytest.approx(0.6)


def test_the_server_says_how_long_to_wait_at_least() -> None:
    busy = Visit(Outcome.SERVER_ERROR, status=503, transient=True, retry_after_s=60.0)
    entry = entry_of(2, "/a")
    entry.tries = 1
    assert retry_delay_s(settings_of(max_tries=3), busy, entry, jitter=0.5) == 60.0
    assert back_off_s(busy) == 60.0


def test_a_server_that_wants_longer_than_anyone_waits_is_not_asked_again() -> None:
    years = Visit(
        Outcome.SERVER_ERROR, status=503, transient=True, retry_after_s=RETRY_AFTER_CAP_S + 1
    )
    entry = entry_of(2, "/a")
    entry.tries = 1
    assert retry_delay_s(settings_of(max_tries=3), years, entry, jitter=0.5) is None
    assert back_off_s(years) < RETRY_AFTER_CAP_S, "its other URLs need not wait for years"


def test_other_peoples_servers_are_tried_less_often() -> None:
    entry = entry_of(2, ELSEWHERE)
    assert max_tries(settings_of(max_tries=5), entry) == 5
    entry.external = True
    assert max_tries(settings_of(max_tries=5), entry) == EXTERNAL_TRIES
