"""What rendering found out, in a project file: rows, columns, facets, recrawl, rescue, damage."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.errors import ProjectError
from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.fields.link_record import link_id
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.link_kinds import LinkKind
from gossamer.model.link_traits import ORIGIN_SHIFT, LinkOrigin
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, Order, View, facet_values
from gossamer.model.rendering import (
    NO_DETAILS,
    BlockedBy,
    ConsoleMessage,
    PageResource,
    RenderedImage,
    Rendering,
    RenderingDetails,
    ResourceType,
)
from gossamer.model.visit import Link
from gossamer.store.project import check
from gossamer.store.project_copy import copy_project
from gossamer.store.reading.reader import Reader
from gossamer.store.rescue.project_rescue import rescue
from tests.fakes.crawled import SITE, Crawled

DETAILS = RenderingDetails(
    [
        PageResource("https://example.com/a.js", ResourceType.SCRIPT, 200, 1234, 5, 30),
        PageResource("https://ads.example/x.js", ResourceType.SCRIPT, blocked_by=BlockedBy.ROBOTS),
    ],
    [ConsoleMessage(is_error=True, text="ReferenceError: x", source="https://a/", line=3)],
    [RenderedImage("https://example.com/p.png", 800, 600, 400, 300)],
    ["https://example.com/popup"],
)
RENDERING = Rendering(
    RenderOutcome.RENDERED,
    rendered_url="https://example.com/#/home",
    html_title="Loading",
    html_h1="",
    html_canonical="https://example.com/old",
    html_robots="noindex",
    html_word_count=1,
    rendered_links=2,
    page_requests=2,
    blocked_requests=1,
    failed_requests=0,
    console_errors=1,
    console_warnings=0,
    dialogs=0,
    load_ms=120,
    render_ms=340,
    details=DETAILS,
    screenshot=b"\xff\xd8jpeg",
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A page that was rendered, one that crashed the browser, and one that was not rendered."""
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page(
            *("/", "/crash", "/plain"), title="Home", h1="Hello", word_count=4, rendering=RENDERING
        )
        crawled.page("/crash", title="Boom", rendering=Rendering(RenderOutcome.CRASHED))
        crawled.page("/plain", title="Plain")
    return tmp_path / "a.gossamer"


def test_a_record_has_what_rendering_found_out(path: Path) -> None:
    with Reader(path) as reader:
        rendered, crashed, plain = reader.records([1, 2, 3])
    assert rendered.render_status is RenderStatus.RENDERED
    assert (rendered.rendered_url, rendered.rendered_links) == ("https://example.com/#/home", 2)
    assert (rendered.page_requests, rendered.blocked_requests) == (2, 1)
    assert (rendered.console_errors, rendered.load_ms, rendered.render_ms) == (1, 120, 340)
    assert crashed.render_status is RenderStatus.CRASHED
    assert crashed.page_requests is None
    assert plain.render_status is None


def test_columns_tell_what_html_and_rendered_page_say(path: Path) -> None:
    with Reader(path) as reader:
        rendered, crashed, plain = reader.records([1, 2, 3])
    assert (rendered.title_in_html, rendered.title_as_rendered) == ("Loading", "Home")
    assert (rendered.h1_in_html, rendered.h1_as_rendered) == ("", "Hello")
    assert (rendered.description_in_html, rendered.description_as_rendered) == (None, None)
    assert rendered.canonical_in_html == "https://example.com/old"
    assert rendered.robots_in_html == "noindex"
    assert (rendered.words_in_html, rendered.words_as_rendered) == (1, 4)
    assert (rendered.word_count_change, rendered.word_percent) == (3, 75.0)
    for other in (crashed, plain):
        assert (other.title_in_html, other.title_as_rendered) == (None, None)
        assert (other.words_in_html, other.word_count_change) == (None, None)


def test_what_the_html_says_too_is_kept_once_and_told_twice(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", title="Same", word_count=9, rendering=Rendering(RenderOutcome.TIMED_OUT))
    with Reader(tmp_path / "a.gossamer") as reader:
        (record,) = reader.records([1])
    assert (record.title_in_html, record.title_as_rendered) == ("Same", "Same")
    assert (record.words_in_html, record.word_count_change, record.word_percent) == (9, 0, 0.0)


@pytest.mark.parametrize(
    "column",
    [
        *("render_status", "title_in_html", "robots_in_html", "canonical_as_rendered"),
        *("words_in_html", "word_count_change", "word_percent", "rendered_links", "load_ms"),
    ],
)
def test_rows_are_sorted_by_columns_of_rendering(path: Path, column: str) -> None:
    with Reader(path) as reader:
        ids = list(reader.ids(View.PAGES, order=Order(column)))
        assert ids[0] == (2 if column == "render_status" else 1)
        values = [getattr(each, column) for each in reader.records(ids)]
    known = [value for value in values if value is not None]
    assert known == sorted(known)
    assert values[: len(known)] == known


def test_pages_are_filtered_by_how_rendering_ended(path: Path) -> None:
    with Reader(path) as reader:
        counts = reader.facet(View.PAGES, Filter(), "rendering")
        assert {each.value: each.count for each in counts} == {"Rendered": 1, "Crashed": 1}
        crashed = Filter(facets=facet_values(rendering=["Crashed"]))
        assert list(reader.ids(View.PAGES, crashed)) == [2]


def test_links_are_filtered_and_counted_by_where_they_were_found(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page(
            "/",
            *(
                (f"/{origin.name}", Link(0, LinkKind.ANCHOR, traits=origin << ORIGIN_SHIFT))
                for origin in LinkOrigin
            ),
        )
    with Reader(crawled.path) as reader:
        found = {each.target_url.removeprefix(SITE): each.origin.value for each in reader.links()}
        counts = reader.facet(View.LINKS, Filter(), "link_origin")
        rendered = Filter(facets=facet_values(link_origin=["Rendered HTML"]))
        of_anchors = Filter(
            facets=facet_values(link_origin=["HTML"], kind=[LinkKind.ANCHOR], outcome=[0])
        )
        ids = [list(reader.ids(View.LINKS, each)) for each in (rendered, of_anchors)]
    assert found == {
        "/HTML": "HTML",
        "/HTML_ONLY": "HTML",
        "/RENDERED": "Rendered HTML",
        "/BOTH": "HTML & Rendered HTML",
    }
    assert {each.value: each.count for each in counts} == {
        "HTML": 2,
        "Rendered HTML": 1,
        "HTML & Rendered HTML": 1,
    }
    assert ids == [[link_id(1, 2)], [link_id(1, 0), link_id(1, 1)]]


def test_details_and_screenshot_are_read_on_request(path: Path) -> None:
    with Reader(path) as reader:
        assert reader.rendering_details(1) == DETAILS
        assert reader.screenshot(1) == b"\xff\xd8jpeg"
        assert reader.rendering_details(2) == NO_DETAILS
        assert reader.screenshot(2) is None
        assert reader.rendering_details_among([1, 2, 3]) == {1: DETAILS}
        assert reader.has_renderings()


def test_pages_that_are_not_rendered_take_no_rows(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", title="Plain")
    assert _rows(tmp_path / "a.gossamer") == (0, 0, 0)
    with Reader(tmp_path / "a.gossamer") as reader:
        assert not reader.has_renderings()


def test_a_page_that_is_visited_anew_loses_what_was_found_before(tmp_path: Path) -> None:
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page("/", title="Home", rendering=RENDERING)
        crawled.page("/", title="Home", rendering=Rendering(RenderOutcome.FAILED))
        assert _rows(crawled.path) == (1, 0, 0)
        crawled.failed("/", Outcome.CLIENT_ERROR, status=404)
        assert _rows(crawled.path) == (0, 0, 0)


def test_texts_that_cannot_be_stored_are_cleaned(tmp_path: Path) -> None:
    broken = "broken \ud800 text"
    details = RenderingDetails(
        [PageResource(broken, ResourceType.OTHER, size_bytes=2**70, failure=broken)],
        [ConsoleMessage(is_error=False, text=broken * 1000)],
        [],
        [broken],
    )
    with Crawled(tmp_path / "a.gossamer") as crawled:
        crawled.page(
            "/", title="Home", rendering=replace(RENDERING, html_title=broken, details=details)
        )
    with Reader(tmp_path / "a.gossamer") as reader:
        assert reader.records([1])[0].html_title == "broken � text"
        found = reader.rendering_details(1)
    assert found.popups == ["broken � text"]
    assert found.resources[0].size_bytes == 2**53
    assert len(found.console[0].text) == 2_048


def test_a_rescue_and_a_copy_have_all_of_it(path: Path, tmp_path: Path) -> None:
    rescued, copy = tmp_path / "rescued.gossamer", tmp_path / "copy.gossamer"
    assert rescue(path, rescued).whole
    copy_project(path, copy)
    with Reader(path) as reader:
        records = reader.records([1, 2, 3])
    for each in (rescued, copy):
        check(each)
        with Reader(each) as reader:
            assert reader.records([1, 2, 3]) == records
            assert reader.rendering_details(1) == DETAILS
            assert reader.screenshot(1) == b"\xff\xd8jpeg"


@pytest.mark.parametrize(
    "nonsense",
    [
        "UPDATE rendering SET render_outcome = 99 WHERE id = 1",
        "UPDATE rendering SET load_ms = -1 WHERE id = 1",
    ],
)
def test_rows_that_we_never_write_are_damage(path: Path, tmp_path: Path, nonsense: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(nonsense)
    with pytest.raises(ProjectError):
        check(path)
    rescue(path, tmp_path / "rescued.gossamer")
    assert _rows(tmp_path / "rescued.gossamer")[0] == 1


@pytest.mark.parametrize("nonsense", ["7", "'not base64'"])
def test_details_that_are_no_bytes_are_told_as_damage(path: Path, nonsense: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(f"UPDATE rendering_detail SET details = {nonsense}")  # noqa: S608 - our own words
        connection.execute(f"UPDATE screenshot SET jpeg = {nonsense}")  # noqa: S608 - our own words
    with Reader(path) as reader:
        for read in (
            lambda: reader.rendering_details(1),
            lambda: reader.screenshot(1),
            lambda: list(reader.console_messages()),
        ):
            with pytest.raises(ProjectError):
                read()


def _rows(path: Path) -> tuple[int, ...]:
    with closing(sqlite3.connect(path)) as connection:
        tables = ("rendering", "rendering_detail", "screenshot")
        return tuple(
            connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608 - our own names
            for table in tables
        )
