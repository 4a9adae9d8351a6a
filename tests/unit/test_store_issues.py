"""Issues in a project file: rows of rules, their counts, and whether the audit is up to date."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.audit_state import AuditState
from gossamer.model.errors import ProjectError
from gossamer.model.fields.page_flags import Directive
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, Order, View, facet_values
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch
from gossamer.model.visit import Link, Visit
from gossamer.store.audit_status import (
    note_page_rules,
    note_stages,
    note_stages_begun,
    read_content_stamp,
)
from gossamer.store.project import create
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from gossamer.store.writing.issue_rows import record_count, resources_among
from gossamer.store.writing.writer import Writer
from tests.fakes.crawled import SITE, Crawled
from tests.fakes.recount import miscounts

_MISSING, _DUPLICATE, _TOO_LONG, _NO_ALT, _BACKGROUND, _LARGE = 400, 401, 402, 902, 906, 2008
_SETTINGS = CrawlSettings(roots=(SITE,))
_STRICTER = replace(_SETTINGS, title_max_length=50)


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


@pytest.fixture
def reader(crawled: Crawled) -> Iterator[Reader]:
    with Reader(crawled.path) as reader:
        yield reader


def audit(path: Path, settings: CrawlSettings = _SETTINGS, *, complete: bool = True) -> None:
    """What a site audit writes that finds nothing."""
    with closing(sqlite3.connect(path)) as connection, connection:
        note_page_rules(connection, settings)
        note_stages(connection, settings, read_content_stamp(connection))
        if not complete:
            note_stages_begun(connection, settings)


def find(path: Path, rule: int, found: dict[int, int | str | None]) -> None:
    """What a stage of a site audit writes that finds these URLs, with what it measured."""
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("DELETE FROM issue WHERE rule = ?", (rule,))
        connection.executemany(
            "INSERT INTO issue VALUES (?, ?, ?)", [(rule, *each) for each in found.items()]
        )
        record_count(connection, rule)


def of_rule(*rules: int) -> Filter:
    return Filter(facets=facet_values(issue=set(rules)))


def test_issues_of_pages_are_counted_and_found(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", "/a", issues=[_MISSING, _TOO_LONG])
    crawled.page("/a", issues=[_MISSING])
    crawled.page("/b")
    assert reader.issue_counts() == {_MISSING: 2, _TOO_LONG: 1}
    assert reader.issues_of(crawled.id("/")) == {_MISSING: None, _TOO_LONG: None}
    assert reader.issues_of(crawled.id("/b")) == {}
    assert list(reader.ids(View.ALL, of_rule(_MISSING))) == [1, 2]
    assert list(reader.ids(View.ALL, of_rule(_TOO_LONG, 999))) == [1]
    backwards = Order("address", descending=True)
    assert list(reader.ids(View.ALL, of_rule(_MISSING), backwards)) == [2, 1]


def test_urls_of_an_issue_are_read_one_after_the_other(crawled: Crawled, reader: Reader) -> None:
    for path in ("/", "/a", "/b"):
        crawled.page(path, issues=[_MISSING] if path != "/a" else [])
    found = reader.iterate(View.ALL, of_rule(_MISSING))
    assert [record.url for record in found] == [f"{SITE}/", f"{SITE}/b"]


def test_links_to_urls_with_an_issue_are_found(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", "/a", "/b", "/a")
    crawled.page("/a", issues=[_MISSING])
    crawled.page("/b", "/a", "/")
    ids = reader.ids(View.LINKS, of_rule(_MISSING))
    links = [(each.source_url, each.target_url) for each in reader.link_records(ids)]
    assert links == [(f"{SITE}/", f"{SITE}/a")] * 2 + [(f"{SITE}/b", f"{SITE}/a")]


def test_a_page_that_is_read_again_keeps_no_issue_of_before(
    crawled: Crawled, reader: Reader
) -> None:
    crawled.page("/", issues=[_MISSING, _TOO_LONG])
    crawled.page("/a", issues=[_MISSING])
    crawled.page("/", issues=[_TOO_LONG, 600])
    assert reader.issue_counts() == {_MISSING: 1, _TOO_LONG: 1, 600: 1}
    assert reader.issues_of(1) == {_TOO_LONG: None, 600: None}
    crawled.failed("/", Outcome.CLIENT_ERROR, status=404)
    assert reader.issues_of(1) == {}
    assert miscounts(crawled.path) == []


def test_issues_that_a_stage_found_stay_until_it_runs_again(
    crawled: Crawled, reader: Reader
) -> None:
    crawled.page("/", issues=[_MISSING])
    find(crawled.path, _DUPLICATE, {1: 7})
    crawled.page("/", issues=[])
    assert reader.issues_of(1) == {_DUPLICATE: 7}
    find(crawled.path, _DUPLICATE, {})
    assert reader.issue_counts() == {}
    assert miscounts(crawled.path) == []


def test_issues_of_what_pages_link_to_are_counted_once(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/", "/a.png", "/b.png", "/a.png", link_issues=[(_NO_ALT, 0), (_NO_ALT, 2)])
    crawled.page("/a", "/b.png", "/a.png", link_issues=[(_NO_ALT, 0), (_NO_ALT, 1)])
    a, b = crawled.id("/a.png"), crawled.id("/b.png")
    assert reader.issue_counts() == {_NO_ALT: 2}
    assert reader.issue_values(_NO_ALT, [a, b]) == {a: crawled.id("/"), b: crawled.id("/a")}
    crawled.failed("/a.png", Outcome.CLIENT_ERROR, status=404)
    crawled.page("/")
    assert reader.issue_counts() == {_NO_ALT: 2}
    find(crawled.path, _NO_ALT, {b: 1})
    assert reader.issue_counts() == {_NO_ALT: 1}
    assert miscounts(crawled.path) == []


def test_issues_of_files_are_those_of_what_pages_are_displayed_with(
    crawled: Crawled, reader: Reader
) -> None:
    crawled.page("/", ("/a.js", Link(0, LinkKind.SCRIPT)), "/b.pdf")
    for path in ("/a.js", "/b.pdf", "/a.js"):
        file = Visit(Outcome.CHECKED, 200, size_bytes=9, resource_issues=[_LARGE])
        crawled.visited(path, file)
    assert reader.issue_counts() == {_LARGE: 1}
    assert reader.issue_values(_LARGE, [2, 3]) == {2: 9}
    assert miscounts(crawled.path) == []


def test_images_in_the_background_are_those_that_styles_name(
    crawled: Crawled, reader: Reader
) -> None:
    style = Link(0, LinkKind.CSS)
    crawled.page("/", ("/a.png", style), ("/b.png", Link(0, LinkKind.IMAGE)), ("/a.css", style))
    crawled.page("/hidden", ("/c.png", style), directives=Directive.NOINDEX)
    sheet = Visit(Outcome.CHECKED, 200, content_type="text/css")
    crawled.visited("/a.css", sheet, [("/d.png", style)])
    for path in ("/a.png", "/b.png", "/c.png", "/d.png", "/a.png"):
        crawled.visited(path, Visit(Outcome.CHECKED, 200, background_issues=[_BACKGROUND]))
    a, d = crawled.id("/a.png"), crawled.id("/d.png")
    assert reader.issue_counts() == {_BACKGROUND: 2}
    expected = {a: crawled.id("/"), d: crawled.id("/a.css")}
    assert reader.issue_values(_BACKGROUND, [a, d]) == expected
    assert miscounts(crawled.path) == []


def test_the_links_of_a_page_are_read_once_for_all_that_was_found_on_it(crawled: Crawled) -> None:
    scripts = [(f"/{number}.js", Link(0, LinkKind.SCRIPT)) for number in range(50)]
    crawled.page("/", *scripts, "/a")
    statements: list[str] = []
    with closing(sqlite3.connect(crawled.path)) as connection:
        connection.set_trace_callback(statements.append)
        used = resources_among(connection, range(1, 53))
    assert used == {crawled.id(path) for path, _ in scripts}
    assert len(statements) == 2


def test_what_a_rule_measured_is_read_for_the_urls_that_are_shown(
    crawled: Crawled, reader: Reader
) -> None:
    for path in ("/", "/a", "/b"):
        crawled.page(path)
    find(crawled.path, _DUPLICATE, {1: 2, 2: "a text", 3: None})
    assert reader.issue_values(_DUPLICATE, [2, 3, 99]) == {2: "a text", 3: None}


def test_the_audit_is_up_to_date_until_something_is_crawled(
    crawled: Crawled, reader: Reader
) -> None:
    crawled.page("/")
    assert reader.audit_state() == AuditState(page_rules=True, stages=False)
    audit(crawled.path)
    assert reader.audit_state().is_current
    crawled.writer.commit(StoreBatch(seconds=5.0))
    assert reader.audit_state().is_current, "no page changed"
    crawled.page("/")
    assert reader.audit_state() == AuditState(page_rules=True, stages=False)


def test_an_audit_that_was_broken_off_is_not_up_to_date(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/")
    audit(crawled.path, complete=False)
    assert reader.audit_state() == AuditState(page_rules=True, stages=False)


def test_other_thresholds_put_the_audit_out_of_date(crawled: Crawled, reader: Reader) -> None:
    crawled.page("/")
    audit(crawled.path)
    crawled.writer.change_settings(replace(_SETTINGS, max_pages=30))
    assert reader.audit_state().is_current, "that is no threshold"
    crawled.writer.change_settings(_STRICTER)
    assert reader.audit_state() == AuditState(page_rules=False, stages=False)
    crawled.writer.change_settings(_SETTINGS)
    assert not reader.audit_state().page_rules, "some pages may have been read meanwhile"
    audit(crawled.path)
    assert reader.audit_state().is_current


def test_thresholds_that_change_before_the_first_page_hold_for_all(tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    create(path, _SETTINGS)
    with Writer(path) as writer:
        writer.change_settings(_STRICTER)
    with Reader(path) as reader:
        assert reader.audit_state() == AuditState(page_rules=True, stages=False)


def test_a_rescued_project_has_to_be_audited(crawled: Crawled, tmp_path: Path) -> None:
    crawled.page("/", issues=[_MISSING])
    audit(crawled.path)
    crawled.writer.close()
    rescue(crawled.path, tmp_path / "b.gossamer")
    with Reader(tmp_path / "b.gossamer") as reader:
        assert reader.audit_state() == AuditState(page_rules=False, stages=False)
        assert reader.issue_counts() == {}


def test_a_project_with_nonsense_in_its_audit_is_called_damaged(
    crawled: Crawled, reader: Reader
) -> None:
    crawled.page("/")
    with closing(sqlite3.connect(crawled.path)) as connection, connection:
        connection.execute("INSERT INTO issue_count VALUES (400, 'many', 1)")
    with pytest.raises(ProjectError, match="damaged"):
        reader.issue_counts()


def test_urls_with_the_same_in_common_are_found_from_any_of_them(
    crawled: Crawled, reader: Reader
) -> None:
    urls = [crawled.page(f"/{name}") for name in ("a", "b", "c", "d", "e")]
    one, two, three, four, five = urls
    find(crawled.path, _DUPLICATE, {one: two, two: one, three: one, four: five, five: four})
    assert reader.same_issue(_DUPLICATE, one, 10) == [two, three]
    assert reader.same_issue(_DUPLICATE, three, 10) == [one, two]
    assert reader.same_issue(_DUPLICATE, five, 10) == [four]
    assert reader.same_issue(_DUPLICATE, three, 1) == [one]
    assert reader.same_issue(_MISSING, one, 10) == []
