"""Whether search engines may list a URL: page workers and project files decide it alike."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from gossamer.audit.live_page_issues import page_indexability
from gossamer.model.fields.indexability import Indexability, indexability_of_response
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import Directive, MarkupFlag
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.project_queries import Filter, Order, View, facet_values
from gossamer.model.visit import Visit
from gossamer.store.reading.reader import Reader
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled

_FACTS: tuple[dict[str, Any], ...] = (
    {},
    {"directives": int(Directive.NOINDEX | Directive.FOLLOW)},
    {"directives": int(Directive.NONE)},
    {"directives": int(Directive.NOFOLLOW), "robots": "noindex"},
    {"robots": "Noindex, follow"},
    {"robots": "all,none"},
    {"robots": "noindexing, none-such"},
    {"robots": "noindex; nofollow"},
    {"robots": "nofollow none"},
    {"canonical": "SELF"},
    {"canonical": "SELF#part"},
    {"canonical": f"{SITE}/other"},
    {"canonical": ""},
    {"canonical": "mailto:me@example.com"},
    {"canonical": "https://"},
    {"canonical": "https:///"},
    {"canonical": "http://example"},
    {"canonical": "http://exa mple/x"},
    {"canonical": "http://exämple/x"},
    {"canonical": "SELF", "canonical_header": "http://example.com/"},
    {"canonical": "SELF", "markup": int(MarkupFlag.CONFLICTING_CANONICALS)},
    {"markup": int(MarkupFlag.MULTIPLE_H1)},
    {"directives": int(Directive.NOINDEX), "canonical": f"{SITE}/other"},
)
_STATUSES = (None, 100, 200, 204, 301, 304, 403, 404, 500, 503, 600, 999)


def _visits() -> Iterator[Visit]:
    """Each outcome of a request with each status, and each fact of a page that was read."""
    asked = [each for each in Outcome if each.state in {UrlState.DONE, UrlState.FAILED}]
    for outcome, status in product(asked, _STATUSES):
        yield Visit(outcome, status, facts=PageFacts())
    headers = ("", "noindex", "nofollow, none", "max-image-preview: none")
    for facts, robots in product(_FACTS, headers):
        yield Visit(Outcome.PAGE, 200, robots_header=robots, facts=PageFacts(**facts))


def _paths(number: int, visit: Visit) -> Iterator[str]:
    """Where a visit is tried: some as hash routes, too, which come after what outcomes decide."""
    yield f"/{number}"
    if visit.outcome in {Outcome.PAGE, Outcome.CLIENT_ERROR}:
        yield f"/#/{number}"


def _at(url: str, visit: Visit) -> Visit:
    """The visit with canonicals that name `url` in place of SELF."""
    if visit.facts is None or visit.facts.canonical is None:
        return visit
    facts = replace(visit.facts, canonical=visit.facts.canonical.replace("SELF", url))
    found: Visit = replace(visit, facts=facts)
    return found


def test_project_files_tell_the_indexability_that_page_workers_tell(tmp_path: Path) -> None:
    expected: dict[str, Indexability] = {}
    with Crawled(tmp_path / "a.gossamer") as crawled:
        tried = ((path, each) for n, each in enumerate(_visits()) for path in _paths(n, each))
        with crawled.together():
            for path, each in tried:
                url = crawled.url(path)
                visit = _at(url, each)
                crawled.visited(path, visit)
                assert visit.facts is not None
                expected[url] = page_indexability(url, visit, visit.facts)
        with Reader(crawled.path) as reader:
            found = {record.url: record.indexability_reason for record in reader.iterate(View.ALL)}
    assert found == expected
    assert set(expected.values()) == set(Indexability) - {Indexability.BLOCKED_BY_ROBOTS}


@each_case(
    ("facts", "expected"),
    [
        ({"robots": "noindex; nofollow"}, Indexability.NOINDEX),
        ({"robots": "nofollow none"}, Indexability.NOINDEX),
        ({"canonical": "https://"}, Indexability.INDEXABLE),
        ({"canonical": "http://exa mple/x"}, Indexability.INDEXABLE),
        ({"canonical": "http://other.example/"}, Indexability.CANONICALISED),
    ],
)
def test_odd_separators_and_what_is_no_url(facts: dict[str, Any], expected: Indexability) -> None:
    visit = Visit(Outcome.PAGE, 200, facts=PageFacts(**facts))
    assert page_indexability(f"{SITE}/", visit, PageFacts(**facts)) == expected


@each_case(
    ("status", "expected"),
    [
        (403, Indexability.CLIENT_ERROR),
        (599, Indexability.SERVER_ERROR),
        (600, Indexability.SERVER_ERROR),
        (998, Indexability.SERVER_ERROR),
        (999, Indexability.CLIENT_ERROR),
    ],
)
def test_statuses_that_turn_robots_away_are_no_failures_of_the_server(
    status: int, expected: Indexability
) -> None:
    assert indexability_of_response(Outcome.UNEXPECTED_STATUS, status) is expected


@pytest.mark.parametrize(
    ("outcome", "reason", "indexable"),
    [
        (Outcome.PENDING, None, None),
        (Outcome.OUT_OF_SCOPE, None, None),
        (Outcome.CANCELLED, None, None),
        (Outcome.BLOCKED_BY_ROBOTS, "Blocked by Robots.txt", "Non-Indexable"),
        (Outcome.ROBOTS_UNAVAILABLE, "Blocked by Robots.txt", "Non-Indexable"),
    ],
)
def test_urls_that_were_never_asked_have_an_indexability_if_a_rule_of_robots_txt_tells_it(
    tmp_path: Path, outcome: Outcome, reason: str | None, indexable: str | None
) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.known("/", outcome)
        with Reader(crawled.path) as reader:
            [record] = reader.iterate(View.ALL)
    assert (record.indexability_status, record.indexability) == (reason, indexable)


def test_files_that_an_x_robots_tag_keeps_out_of_the_index_are_not_indexable(
    tmp_path: Path,
) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.visited("/a.pdf", Visit(Outcome.FILE, 200, robots_header="noindex"))
        crawled.visited("/b.pdf", Visit(Outcome.CHECKED, 200))
        said = "noarchive, max-image-preview: none"
        crawled.visited("/c.png", Visit(Outcome.FILE, 200, robots_header=said))
        with Reader(crawled.path) as reader:
            found = [record.indexability_status for record in reader.iterate(View.ALL)]
    assert found == ["noindex", None, None]


def test_urls_are_filtered_and_sorted_by_indexability(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/good")
        crawled.page("/hidden", directives=int(Directive.NOINDEX))
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.known("/later", Outcome.PENDING)
        with Reader(crawled.path) as reader:
            hidden = Filter(facets=facet_values(indexability={"Non-Indexable"}))
            noindex = Filter(facets=facet_values(indexability_status={"noindex"}))
            assert list(reader.ids(View.ALL, hidden)) == [2, 3]
            assert list(reader.ids(View.ALL, noindex)) == [2]
            by_reason = Order("indexability_status", descending=True)
            assert list(reader.ids(View.ALL, order=by_reason)) == [2, 3, 1, 4]
            counts = {
                each.value: each.count for each in reader.facet(View.ALL, Filter(), "indexability")
            }
    assert counts == {"Non-Indexable": 2, "Indexable": 1}
