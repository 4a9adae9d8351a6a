"""Whether a crawl shows its site: from the first root that has answered, or from its pages."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.project_queries import TreeNode
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_failure import crawl_failure, failure_of, read_roots, reason_of
from tests.fakes.crawled import SITE, Crawled

_ROOTS = 1_000
_AT_ONCE = 200


class ListOfRoots:
    """A project with so many roots that nobody keeps them all; the first ones have no answer."""

    def __init__(self, in_vain: int) -> None:
        self._in_vain = in_vain
        self.records_read = 0

    def children(self, parent: int | None, after: int = 0) -> list[TreeNode]:
        assert parent is None
        ids = range(after + 1, min(after + _AT_ONCE, _ROOTS) + 1)
        return [TreeNode(each, f"https://a.example/{each}", None, Outcome.PAGE) for each in ids]

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        self.records_read += len(ids)
        return [self._root(each) for each in ids]

    def _root(self, number: int) -> UrlRecord:
        outcome = Outcome.DNS_FAILURE if number <= self._in_vain else Outcome.PAGE
        return UrlRecord(
            id=number,
            url=f"https://a.example/{number}",
            outcome=outcome,
            state=outcome.state,
            depth=0,
            hops=0,
            parent=None,
        )


@pytest.mark.parametrize(("in_vain", "read"), [(0, 1), (1, 1), (_AT_ONCE, 2)])
def test_of_a_million_roots_no_more_are_read_than_tell(in_vain: int, read: int) -> None:
    roots = ListOfRoots(in_vain)
    assert failure_of(read_roots(roots)) is None
    assert roots.records_read == read * _AT_ONCE


def test_it_failed_if_none_has_answered_and_the_first_root_says_why() -> None:
    assert "https://a.example/1:" in str(failure_of(read_roots(ListOfRoots(_ROOTS))))
    assert failure_of([]) is None


def test_why_a_root_has_not_answered_is_told_with_its_detail() -> None:
    (root,) = ListOfRoots(_ROOTS).records([1])
    assert str(reason_of(root)) == Outcome.DNS_FAILURE.sentence
    detailed = replace(
        root,
        outcome=Outcome.CLIENT_ERROR,
        status=407,
        detail=DetailCode.PROXY_SCHEMES(schemes="Digest"),
    )
    assert str(reason_of(detailed)) == (
        "The proxy requires authentication."
        " (it accepts only Digest authentication; for proxies, Gossamer knows Basic)"
    )
    refused = replace(detailed, outcome=Outcome.EXCLUDED, state=Outcome.EXCLUDED.state)
    assert "accepts only Digest" in str(failure_of([refused]))


@pytest.mark.parametrize(
    ("list_only", "listed_pages", "has_failed"),
    [(False, 0, True), (True, 0, False), (False, 1, False)],
    ids=["moved", "list", "sitemap"],
)
def test_a_site_has_moved_if_all_roots_redirect_away_and_no_page_is_left(
    tmp_path: Path, *, list_only: bool, listed_pages: int, has_failed: bool
) -> None:
    path = tmp_path / "p.gossamer"
    with Crawled(path, CrawlSettings(roots=(SITE,), list_only=list_only)) as crawled:
        crawled.redirect("/", "https://b.example/", outcome=Outcome.REDIRECT_OUT_OF_SCOPE)
        for number in range(listed_pages):
            crawled.listed(f"/{number}")
            crawled.page(f"/{number}")
    failure = crawl_failure(path)
    assert (failure is not None) is has_failed
    assert failure is None or "redirects to https://b.example/" in str(failure)
