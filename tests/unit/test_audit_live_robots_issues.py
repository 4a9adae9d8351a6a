"""Rules that an outcome decides without a visit. Planted sites compare them with the stage."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from gossamer.audit.live_robots_issues import BlockedUrlRules
from gossamer.audit.rule_catalogue import RULES
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS
from gossamer.model.visit import Link
from gossamer.store.reading.reader import Reader
from tests.fakes.crawled import Crawled
from tests.fakes.recount import miscounts

_BLOCKED: Final = "Response Codes: Internal Blocked by Robots.txt"
_RESOURCE: Final = "Response Codes: Internal Blocked Resource"
_EXTERNAL: Final = "Response Codes: External Blocked by Robots.txt"


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer", rules_for=BlockedUrlRules) as crawled:
        yield crawled


def counts(path: Path) -> dict[str, int]:
    """How many URLs each rule lists, by its full name."""
    with Reader(path) as reader:
        assert miscounts(path) == []
        return {RULES[rule].full_name(DEFAULTS): n for rule, n in reader.issue_counts().items()}


def test_a_url_is_listed_as_long_as_robots_txt_keeps_it_from_being_requested(
    crawled: Crawled,
) -> None:
    crawled.known("/a", Outcome.BLOCKED_BY_ROBOTS)
    crawled.page("/", "/a", "/b", "https://other.example/")
    crawled.decided("/b", Outcome.ROBOTS_UNAVAILABLE)
    crawled.decided("https://other.example/", Outcome.BLOCKED_BY_ROBOTS)
    assert counts(crawled.path) == {_BLOCKED: 2, _EXTERNAL: 1}
    crawled.decided("/a", Outcome.PENDING)
    assert counts(crawled.path) == {_BLOCKED: 1, _EXTERNAL: 1}
    crawled.page("/b")
    assert counts(crawled.path) == {_EXTERNAL: 1}
    crawled.failed("/b", Outcome.BLOCKED_BY_ROBOTS)
    assert counts(crawled.path) == {_BLOCKED: 1, _EXTERNAL: 1}


def test_a_file_is_a_blocked_resource_if_the_page_it_was_found_on_uses_it(
    crawled: Crawled,
) -> None:
    crawled.page("/", ("/a.js", Link(0, LinkKind.SCRIPT)), ("/feed", Link(0, LinkKind.ALTERNATE)))
    crawled.decided("/a.js", Outcome.BLOCKED_BY_ROBOTS)
    crawled.decided("/feed", Outcome.BLOCKED_BY_ROBOTS)
    assert counts(crawled.path) == {_BLOCKED: 2, _RESOURCE: 1}


def test_nothing_is_noted_where_only_the_audit_decides(tmp_path: Path) -> None:
    with Crawled(tmp_path / "b.gossamer") as crawled:
        crawled.known("/a", Outcome.BLOCKED_BY_ROBOTS)
        assert counts(crawled.path) == {}
