"""Comparing there and back, with itself, and with mapped addresses."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.audit.rules.h1 import MISSING as H1_MISSING
from gossamer.audit.rules.page_titles import MISSING as TITLE_MISSING
from gossamer.comparison.project_comparison import ComparisonOptions
from gossamer.model.comparison_results import FilterCounts
from gossamer.model.outcome import Outcome
from gossamer.urls.url_mapping import UrlMapping
from tests.fakes.compared import Difference, compared, counts
from tests.fakes.crawled import SITE, Crawled

_PATHS: Final = ("/", "/a", "/A", "/a/", "/b/c", "/%C3%BC", "/ü?x=1")
_page = st.fixed_dictionaries(
    {},
    optional={
        "title": st.sampled_from(["", "A", "B"]),
        "word_count": st.integers(0, 3),
        "sketch": st.sampled_from([bytes(126) + b"\1\0", bytes(range(126)) + b"\2\0", None]),
        "issues": st.lists(st.sampled_from([H1_MISSING.number, TITLE_MISSING.number]), unique=True),
    },
)
_answer = st.one_of(_page, st.sampled_from(["redirect", "error", "known", "waiting"]))
_site = st.dictionaries(st.sampled_from(_PATHS), _answer, max_size=len(_PATHS))
_Site = Mapping[str, Any]
_TURNED: Final = {"New": "Missing", "Missing": "New", "Changed": "Changed"}


def crawl(folder: Path, name: str, site: _Site) -> Path:
    with Crawled(folder / f"{name}.gossamer") as crawled:
        for path, answer in site.items():
            if answer == "redirect":
                crawled.redirect(path, "/b/c")
            elif answer == "error":
                crawled.failed(path, Outcome.CLIENT_ERROR, status=404)
            elif answer == "known":
                crawled.known(path, Outcome.TOO_DEEP)
            elif answer == "waiting":
                crawled.known(path, Outcome.PENDING)
            else:
                crawled.page(path, **answer)
        return crawled.path


def turned(differences: set[Difference]) -> set[Difference]:
    """The same the other way round; percentages of texts are values of neither side."""
    return {
        (path, _TURNED[change], field, after, before)
        if field != "Content Similarity"
        else (path, change, field, before, after)
        for path, change, field, before, after in differences
    }


def turned_counts(each: FilterCounts) -> FilterCounts:
    *moves, unknown, unknown_before = each.moves
    assert not unknown
    assert not unknown_before
    half = len(moves) // 2
    return FilterCounts(
        each.section, each.value, each.after, each.before, *moves[half:], *moves[:half]
    )


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(_site, _site)
def test_comparing_back_mirrors_comparing(one: _Site, other: _Site) -> None:
    with tempfile.TemporaryDirectory() as name:
        before, after = crawl(Path(name), "a", one), crawl(Path(name), "b", other)
        there = compared(before, after)
        counted = counts(after.with_suffix(".comparison"))
        back = compared(after, before)
        counted_back = counts(before.with_suffix(".comparison"))
        assert back == turned(there)
        assert {key: turned_counts(each) for key, each in counted.items()} == counted_back
        for each in counted.values():
            gained, lost = each.gained, each.lost
            assert each.after - each.before == gained - lost
        # Mapping addresses to themselves changes nothing.
        same = ComparisonOptions(UrlMapping.parsed([f"{SITE}/={SITE}/"]))
        assert compared(before, after, same) == there
        assert compared(before, before) == set()
