"""Links of random sites are compared as sets would be."""

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gossamer.comparison.project_comparison import ComparisonOptions, compare
from gossamer.model.comparison_results import ComparisonFilter
from gossamer.model.outcome import Outcome
from gossamer.store.comparing.comparison_reader import ComparisonReader
from tests.fakes.crawled import SITE, Crawled

_PATHS: Final = ("/", "/a", "/b", "/c", "/d")
_links = st.lists(st.sampled_from(_PATHS), max_size=5)
_Site = Mapping[str, list[str] | None]
"""The links of each page by path; None for an error."""
_site = st.dictionaries(st.sampled_from(_PATHS), st.one_of(st.none(), _links))
_Links = set[tuple[str, str]]


def crawl(path: Path, site: _Site) -> Path:
    with Crawled(path) as crawled:
        for each in sorted({link for links in site.values() for link in links or ()} - site.keys()):
            crawled.known(each, Outcome.TOO_DEEP)
        for each, links in site.items():
            if links is None:
                crawled.failed(each, Outcome.CLIENT_ERROR, status=404)
            else:
                crawled.page(each, *links)
    return path


def broken(site: _Site) -> _Links:
    pairs = {(page, link) for page, links in site.items() for link in links or ()}
    return {(page, link) for page, link in pairs if link in site and site[link] is None}


def expected_moves(before: _Site, after: _Site) -> dict[tuple[str, str], str]:
    was, now = broken(before), broken(after)
    came = {pair: "Added" if pair[0] in before else "New" for pair in now - was}
    gone = {pair: "Removed" if pair[0] in after else "Missing" for pair in was - now}
    return came | gone


def expected_outlinks(before: _Site, after: _Site) -> dict[str, tuple[set[str], set[str]]]:
    found = {}
    for page in before.keys() & after.keys():
        was, now = before[page], after[page]
        if was is not None and now is not None and set(was) != set(now):
            found[page] = (set(was) - set(now), set(now) - set(was))
    return found


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(_site, _site)
def test_links_are_compared_as_sets_are(before: _Site, after: _Site) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        paths = crawl(folder / "a.gossamer", before), crawl(folder / "b.gossamer", after)
        result = folder / "result"
        compare(*paths, result, ComparisonOptions(fields=("outlinks",)))
        with ComparisonReader(result) as reader:
            moves = {
                (each.source.removeprefix(SITE), each.target.removeprefix(SITE)): each.move.label
                for each in reader.iterate_broken_links()
            }
            outlinks = {
                page.url.removeprefix(SITE): tuple(
                    {x.url.removeprefix(SITE) for x in page.links if x.is_gained is is_gained}
                    for is_gained in (False, True)
                )
                for page in reader.iterate(ComparisonFilter(field="outlinks"))
            }
            counted = {each.value: each for each in reader.filters(("view",))}["broken-links"]
    assert moves == expected_moves(before, after)
    assert outlinks == expected_outlinks(before, after)
    assert (counted.before, counted.after) == (len(broken(before)), len(broken(after)))
