"""Rows sorted by what a rule of the audit measured of them."""

from pathlib import Path

import pytest

from gossamer.audit.rule_catalogue import rule_named
from gossamer.model.facets import ISSUE
from gossamer.model.issue_columns import (
    IssueMeasure,
    header_column,
    issue_column,
    issue_column_of,
    part_column,
)
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, Order, View, facet_values
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parts import UrlPart
from tests.cases import each_case
from tests.fakes.audited import audited
from tests.fakes.crawled import SITE, Crawled

SETTINGS = CrawlSettings(roots=(SITE,))


@pytest.mark.parametrize("measure", list(IssueMeasure))
def test_a_column_names_the_rule_and_what_it_measured(measure: IssueMeasure) -> None:
    assert issue_column_of(issue_column(905, measure)) == (905, measure)


@each_case("column", ["", "address", "issue:x:value", "issue:9:size", "issue:9", "custom:9:a"])
def test_other_columns_are_of_no_rule(column: str) -> None:
    assert issue_column_of(column) is None


def test_urls_are_sorted_by_a_part_of_their_address_and_by_what_a_header_says(
    tmp_path: Path,
) -> None:
    headers = {
        "/x/b_1": [("X-Frame-Options", "sameorigin"), ("Set-Cookie", "a=1; Secure")],
        "/x/A_22": [("x-frame-options", "DENY"), ("Set-Cookie", "b=1; HttpOnly")],
        "/a_/none": [("Set-Cookie", "z=1; Secure; HttpOnly; SameSite=Lax"), ("Set-Cookie", "c=1")],
    }
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        for path, sent in headers.items():
            crawled.visited(path, Visit(Outcome.PAGE, 200, headers=sent))
        crawled.known("mailto:a_b@example.com", Outcome.UNSUPPORTED_SCHEME)
        with Reader(crawled.path) as reader:

            def order(column: str, *, descending: bool = False) -> list[str]:
                ids = reader.ids(View.ALL, Filter(), Order(column, descending))
                urls = [each.url.removeprefix(SITE) for each in reader.records(list(ids))]
                return [url for url in urls if url in headers]

            by_segment = ["/a_/none", "/x/A_22", "/x/b_1"]
            assert order(part_column(UrlPart.UNDERSCORES)) == by_segment
            assert order(part_column(UrlPart.UNDERSCORES), descending=True) == by_segment[::-1]
            assert order(part_column(UrlPart.LENGTH)) == ["/x/b_1", "/x/A_22", "/a_/none"]
            frames = order(header_column("X-Frame-Options"))
            assert frames == ["/x/A_22", "/x/b_1", "/a_/none"], "what has none comes last"
            assert order(header_column("Set-Cookie")) == ["/x/b_1", "/x/A_22", "/a_/none"]
            for unknown in (part_column("host"), header_column("x'); --")):
                assert order(unknown) == list(headers), "the order of discovery"


def test_urls_are_sorted_by_the_page_that_a_rule_names(tmp_path: Path) -> None:
    rule = rule_named("Page Titles: Duplicate")
    assert rule is not None
    with Crawled(tmp_path / "a.gossamer", SETTINGS) as crawled:
        crawled.page("/", "/c", "/d", "/a", "/b", title="Home")
        crawled.page("/c", title="One")
        crawled.page("/d", title="Two")
        crawled.page("/a", title="One")
        crawled.page("/b", title="Two")
        audited(crawled, SETTINGS)
        with Reader(crawled.path) as reader:
            held = Filter(facets=facet_values(**{ISSUE: {rule.number}}))
            found = {}
            for descending in (False, True):
                order = Order(issue_column(rule.number, IssueMeasure.ADDRESS), descending)
                ids = reader.ids(View.ALL, held, order)
                records = reader.records(list(ids))
                others = reader.issue_values(rule.number, list(ids))
                urls = {each.id: each.url for each in reader.records(reader.ids(View.ALL))}
                found[descending] = [urls[int(str(others[each.id]))] for each in records]
            names = [f"{SITE}/{name}" for name in "abcd"]
            assert found == {False: names, True: names[::-1]}
            by_status = Order(issue_column(rule.number, IssueMeasure.STATUS))
            assert len(reader.ids(View.ALL, held, by_status)) == 4
            by_value = Order(issue_column(rule.number, IssueMeasure.VALUE), descending=True)
            values = [others[each] for each in reader.ids(View.ALL, held, by_value)]
            assert values == sorted((int(str(each)) for each in others.values()), reverse=True)
            nothing = Order(issue_column(1, IssueMeasure.VALUE))
            assert list(reader.ids(View.ALL, held, nothing)) == sorted(others)
