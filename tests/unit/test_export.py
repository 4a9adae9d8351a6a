import csv
import errno
import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from gossamer.audit.sitemap_export_rules import SitemapRule, obstacles
from gossamer.export import row_counter
from gossamer.export.export_selection import ExportSelection, ExportView
from gossamer.export.exporter import export
from gossamer.export.formats import FORMATS, Format, suffix_of
from gossamer.export.link_sheets import BROKEN_LINKS, LINKS
from gossamer.export.output_files import OutputFiles
from gossamer.export.redirect_views import REDIRECTS, chain_row, type_of
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.sheet import FormatOptions, Sheet
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_views import ALL, ERRORS, EXTERNAL, PAGES, RESOURCES, SITEMAP_CHECK
from gossamer.model.discovery_rank import UNLINKED
from gossamer.model.errors import OutputError, ProjectError, UsageError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome, UrlState
from gossamer.model.outcome_details import DetailCode
from gossamer.model.project_queries import ChainHop, Filter, Order, Table, View
from gossamer.model.redirect_types import ChainType
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch
from gossamer.model.visit import Link
from gossamer.store.reading import link_blocks
from tests.cases import each_case
from tests.fakes.crawled import SITE, Crawled

TABLES = [PAGES, REDIRECTS, LINKS, BROKEN_LINKS, ERRORS, RESOURCES, EXTERNAL, ALL, SITEMAP]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    return folder / "a.gossamer"


@pytest.fixture
def crawled(project: Path) -> Iterator[Crawled]:
    with Crawled(project) as crawled:
        yield crawled


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "out"
    folder.mkdir()
    return folder / "table.csv"


def table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, strict=True))


def exported(crawled: Crawled, view: ExportView, out: Path) -> list[dict[str, str]]:
    number = export(crawled.path, ExportSelection(view), out).rows
    rows = table(out)
    assert number == len(rows)
    return rows


# ---------------------------------------------------------------- views


def test_pages(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/a", "/a", "/gone", title='Says "hi", twice', robots="noindex, follow")
    crawled.page("/a", title="Ü", h1="", description="äöü", language="de", canonical=f"{SITE}/")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    first, second = exported(crawled, PAGES, out)
    known = {
        "Address": f"{SITE}/",
        "Content Type": "text/html",
        "Status Code": "200",
        "Status": "OK",
        "Title 1": 'Says "hi", twice',
        "Title 1 Length": "16",
        "Meta Description 1": "",
        "Meta Description 1 Length": "0",
        "H1-1": "",
        "H1-1 Length": "0",
        "Meta Robots 1": "noindex, follow",
        "X-Robots-Tag 1": "",
        "Canonical Link Element 1": "",
        "Size (bytes)": "100",
        "Transferred (bytes)": "50",
        "Word Count": "3",
        "Crawl Depth": "0",
        "Inlinks": "0",
        "Unique Inlinks": "0",
        "Outlinks": "3",
        "Hash": b"0123456789abcdef".hex(),
        "Response Time": "0.007",
        "Last Modified": "1994-11-06T08:49:37Z",
        "Redirect URL": "",
        "Number of Redirects": "",
        "Chain Type": "",
        "Final Address": "",
        "Final Status Code": "",
        "Language": "",
        "Charset": "utf-8",
        "Crawl Timestamp": "2001-09-09T01:46:40Z",
        "Outcome": "A page, fetched and parsed.",
        "Warnings": "",
        "Detail": "",
        "Verdict": "ok",
    }
    assert list(first)[: len(known)] == list(known), "new columns follow those people know"
    assert first == first | known
    assert (second["Title 1"], second["H1-1 Length"], second["Language"]) == ("Ü", "0", "de")
    assert (second["Inlinks"], second["Unique Inlinks"]) == ("2", "1")


def test_redirects(crawled: Crawled, out: Path) -> None:
    crawled.redirect("/1", "/2")
    crawled.redirect("/2", "/3", status=302)
    crawled.page("/3")
    crawled.redirect("/old", "/3", status=308)
    long, short = exported(crawled, REDIRECTS, out)
    assert long == {
        "Address": f"{SITE}/1",
        "Status Code": "301",
        "Number of Redirects": "2",
        "Chain Type": "mixed",
        "Final Address": f"{SITE}/3",
        "Final Status Code": "200",
        "Final Outcome": "A page, fetched and parsed.",
        "Hop 1 Address": f"{SITE}/2",
        "Hop 1 Status Code": "302",
        "Hop 2 Address": f"{SITE}/3",
        "Hop 2 Status Code": "200",
    }
    assert short["Chain Type"] == "permanent"
    assert (short["Hop 1 Address"], short["Hop 2 Address"]) == (f"{SITE}/3", "")


def test_links(crawled: Crawled, out: Path) -> None:
    crawled.page("/", ("/a", Link(0, LinkKind.ANCHOR, "To A", "nofollow ugc")), "/b")
    crawled.failed("/a", Outcome.SERVER_ERROR, status=503)
    crawled.redirect("/b", "/")
    first, second, third = exported(crawled, LINKS, out)
    assert first == {
        "Type": "Hyperlink",
        "Source": f"{SITE}/",
        "Destination": f"{SITE}/a",
        "Anchor": "To A",
        "Alt Text": "",
        "Status Code": "503",
        "Outcome": "The server failed to handle the request.",
        "Follow": "false",
        "Rel": "nofollow ugc",
        "Position": "1",
        "Element": "",
        "Fragment": "",
        "Action": "followed",
        "Source Title": "",
        "Target": "",
        "Path Type": "",
        "Link Path": "",
        "Link Position": "",
        "Link Origin": "HTML",
    }
    assert (second["Follow"], second["Position"], second["Rel"]) == ("true", "2", "")
    assert (third["Type"], third["Destination"]) == ("Redirect", f"{SITE}/")


def test_errors(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/gone", "/gone", "/slow", "/fine")
    crawled.page("/fine", "/gone")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.failed("/slow", Outcome.TIMEOUT, detail=DetailCode.NO_WHOLE_ANSWER(seconds=30))
    gone, slow = exported(crawled, ERRORS, out)
    assert gone == {
        "Address": f"{SITE}/gone",
        "Status Code": "404",
        "Status": "Not Found",
        "Outcome": "The server returned an error: the URL is broken.",
        "Detail": "",
        "Verdict": "broken",
        "First Found On": f"{SITE}/",
        "Crawl Depth": "1",
        "Inlinks": "3",
        "Unique Inlinks": "2",
    }
    assert (slow["Status Code"], slow["Detail"]) == ("", "no complete response within 30 s")
    assert slow["Verdict"] == "unverified"


def test_sitemap_holds_what_search_engines_may_list(crawled: Crawled, out: Path) -> None:
    crawled.page("/", title="Home")
    crawled.page("/hidden", robots="NoIndex")
    crawled.page("/copy", canonical=f"{SITE}/")
    crawled.page("/itself", canonical=f"{SITE}/itself#top")
    crawled.redirect("/old", "/")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    assert exported(crawled, SITEMAP, out) == [
        {
            "URL": f"{SITE}/",
            "Last Modified": "1994-11-06T08:49:37Z",
            "Crawl Depth": "0",
            "Status Code": "200",
            "Title": "Home",
        },
        {
            "URL": f"{SITE}/itself",
            "Last Modified": "1994-11-06T08:49:37Z",
            "Crawl Depth": "0",
            "Status Code": "200",
            "Title": "",
        },
    ]


@pytest.mark.parametrize("view", TABLES)
def test_view_of_an_empty_project_is_a_header(
    crawled: Crawled, out: Path, view: ExportView
) -> None:
    assert export(crawled.path, ExportSelection(view), out).rows == 0
    (header,) = out.read_text(encoding="utf-8").splitlines()
    assert len(header.split(",")) >= 5


def page(
    robots: str | None = None, canonical: str | None = None, header: str | None = None
) -> UrlRecord:
    return UrlRecord(
        id=1,
        url=f"{SITE}/x",
        state=UrlState.DONE,
        outcome=Outcome.PAGE,
        depth=0,
        hops=0,
        parent=None,
        status=200,
        robots=robots,
        canonical=canonical,
        robots_header=header,
    )


@each_case(
    ("record", "expected"),
    [
        (page(), []),
        (page(robots="index, follow"), []),
        (page(robots="nofollow,NOINDEX "), [SitemapRule.NOINDEX]),
        (page(robots="none"), [SitemapRule.NOINDEX]),
        (page(header="nofollow, noindex"), [SitemapRule.NOINDEX]),
        (page(header="nofollow"), []),
        (page(canonical=f"{SITE}/y"), [SitemapRule.CANONICALISED]),
        (page(canonical=f"{SITE}/x"), []),
        (page(canonical="not a url"), []),
        (page(canonical=""), []),
        (
            page(robots="noindex", canonical=f"{SITE}/y"),
            [SitemapRule.NOINDEX, SitemapRule.CANONICALISED],
        ),
    ],
)
def test_indexability(record: UrlRecord, expected: list[SitemapRule]) -> None:
    assert list(obstacles(record)) == expected


def hops(*steps: tuple[int, Outcome]) -> list[ChainHop]:
    return [
        ChainHop(i, f"{SITE}/{i}", status, outcome) for i, (status, outcome) in enumerate(steps)
    ]


FINAL = (200, Outcome.PAGE)


@each_case(
    ("chain", "expected"),
    [
        (hops((301, Outcome.REDIRECT), (308, Outcome.REDIRECT), FINAL), ChainType.PERMANENT),
        (hops((302, Outcome.REDIRECT), (307, Outcome.REDIRECT), FINAL), ChainType.TEMPORARY),
        (hops((301, Outcome.REDIRECT), (302, Outcome.REDIRECT), FINAL), ChainType.MIXED),
        (hops((301, Outcome.REDIRECT), (301, Outcome.REDIRECT_LIMIT), FINAL), ChainType.LIMIT),
        (hops((301, Outcome.REDIRECT_WITHOUT_LOCATION)), ChainType.BROKEN),
        (hops((301, Outcome.REDIRECT_OUT_OF_SCOPE), FINAL), ChainType.PERMANENT),
        (hops((301, Outcome.REDIRECT_LOOP)) * 2, ChainType.LOOP),
    ],
)
def test_chain_types(chain: list[ChainHop], expected: ChainType) -> None:
    assert type_of(chain) is expected


def test_chain_that_grew_meanwhile_fits_its_columns() -> None:
    chain = hops(*[(301, Outcome.REDIRECT)] * 4, FINAL)
    row = chain_row(chain, 2)
    assert len(row) == 7 + 2 * 2
    assert (row[2], row[4], row[-2]) == (4, f"{SITE}/4", f"{SITE}/2")


# ---------------------------------------------------------------- the file


def left_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_file_appears_only_when_complete(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/a")
    crawled.page("/a")
    out.write_text("from before")
    seen = []

    def cancelled() -> bool:
        seen.append((out.read_text(), len(left_in(out.parent))))
        return False

    assert export(crawled.path, ExportSelection(PAGES), out, cancelled=cancelled).rows == 2
    assert seen
    assert set(seen) == {("from before", 2)}
    assert left_in(out.parent) == [out.name]
    assert len(table(out)) == 2


@pytest.mark.parametrize("view", [PAGES, REDIRECTS, SITEMAP])
def test_cancelled_export_leaves_nothing(crawled: Crawled, out: Path, view: ExportView) -> None:
    crawled.page("/")
    crawled.redirect("/a", "/")
    with pytest.raises(ExportCancelled):
        export(crawled.path, ExportSelection(view), out, cancelled=lambda: True)
    assert left_in(out.parent) == []


@pytest.mark.parametrize(("view", "before"), [(ALL, 20), (LINKS, 3)])
def test_cancelled_half_way_keeps_the_file_from_before(
    crawled: Crawled, out: Path, view: ExportView, before: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(link_blocks, "_AT_ONCE", 10)
    crawled.page("/", *[f"/{number}" for number in range(50)])
    out.write_text("from before")
    answers = iter([False] * before + [True] * 100)
    with pytest.raises(ExportCancelled):
        export(crawled.path, ExportSelection(view), out, cancelled=lambda: next(answers))
    assert left_in(out.parent) == [out.name]
    assert out.read_text() == "from before"


def test_progress_ends_with_all_rows(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_counter, "_REPORTED_EVERY", 4)
    crawled.page("/", *[f"/{number}" for number in range(10)])
    reports: list[tuple[int, int]] = []

    def progress(done: int, expected: int) -> None:
        reports.append((done, expected))

    export(crawled.path, ExportSelection(ALL), out, progress=progress)
    assert reports == [(4, 11), (8, 11), (11, 11)]
    reports.clear()
    monkeypatch.setattr(link_blocks, "_AT_ONCE", 7)
    export(crawled.path, ExportSelection(LINKS), out, progress=progress)
    assert reports == [(7, 10), (10, 10), (10, 10)]


def test_unknown_suffix_names_the_known_ones(crawled: Crawled, out: Path) -> None:
    for name in ("table.doc", "table", "csv"):
        with pytest.raises(UsageError) as refused:
            export(crawled.path, ExportSelection(PAGES), out.with_name(name))
        assert all(suffix in str(refused.value) for suffix in FORMATS)
    assert left_in(out.parent) == []
    assert suffix_of(Path("TABLE.CSV")) == ".csv"
    assert suffix_of(Path("Map.XML.GZ")) == ".xml.gz"


def test_places_that_cannot_be_written(crawled: Crawled, out: Path) -> None:
    folder = out.with_name("folder.csv")
    folder.mkdir()
    device = out.with_name("device.csv")
    os.mkfifo(device)
    project = crawled.path.with_name("link.csv")
    project.symlink_to(crawled.path)
    for place, sentence in (
        (out.parent / "missing" / "a.csv", "The folder .*missing does not exist; create it first"),
        (folder, "is a folder; add a file name"),
        (device, "is not a file"),
        (project, "is the project itself"),
        (out.with_name("x" * 260 + ".csv"), "cannot be written .File name too long"),
    ):
        with pytest.raises(OutputError, match=sentence):
            export(crawled.path, ExportSelection(PAGES), place)
    assert left_in(out.parent) == ["device.csv", "folder.csv"]


@pytest.mark.parametrize(
    ("number", "sentence"),
    [
        (errno.ENOSPC, "The disk is full; free some space, then export table.csv again"),
        (errno.EACCES, "cannot be written .Permission denied"),
    ],
)
def test_failing_disk(crawled: Crawled, out: Path, number: int, sentence: str) -> None:
    def failing(output: OutputFiles, sheet: Sheet, _options: FormatOptions) -> None:
        with output.part() as file:
            file.write(str(next(sheet.rows)).encode())
            raise OSError(number, os.strerror(number))

    crawled.page("/")
    usual = FORMATS[".csv"]
    FORMATS[".csv"] = Format("CSV", failing)
    try:
        with pytest.raises(OutputError, match=sentence):
            export(crawled.path, ExportSelection(PAGES), out)
    finally:
        FORMATS[".csv"] = usual
    assert left_in(out.parent) == []


def test_project_that_cannot_be_read(out: Path) -> None:
    with pytest.raises(ProjectError, match="does not exist; check the path"):
        export(out.with_name("none.gossamer"), ExportSelection(PAGES), out)
    assert left_in(out.parent) == []


def test_export_while_the_crawl_goes_on(crawled: Crawled, out: Path) -> None:
    """What is committed meanwhile is in the file too, and nothing twice."""
    crawled.page("/", *[f"/{number}" for number in range(100)])
    waiting = iter(range(100))

    def crawl_on() -> bool:
        number = next(waiting, None)
        if number is not None:
            crawled.page(f"/{number}", "/")
        return False

    export(crawled.path, ExportSelection(PAGES), out, cancelled=crawl_on)
    addresses = [row["Address"] for row in table(out)]
    assert len(addresses) == len(set(addresses)) > 1


def test_sitemaps_are_compared_with_links(crawled: Crawled, out: Path) -> None:
    unlinked = ["/orphan", "/gone", "/noindex", "/other", "/moved"]
    crawled.page("/", "/both", "/linked", "/unlisted-noindex")
    crawled.page("/both")
    crawled.page("/linked")
    listed = ["/both", *unlinked]
    named = [(path, Link(0, LinkKind.SITEMAP)) for path in listed]
    crawled.page("/sitemap.xml", *named)
    crawled.page("/orphan")
    crawled.page("/noindex", robots="noindex")
    crawled.page("/unlisted-noindex", robots="none")
    crawled.page("/other", canonical=f"{SITE}/both")
    crawled.redirect("/moved", "/both")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    with closing(sqlite3.connect(crawled.path)) as connection, connection:
        connection.execute("UPDATE url SET depth = ? WHERE url LIKE '%/orphan'", (UNLINKED,))
    found = exported(crawled, SITEMAP_CHECK, out)
    assert {row["Address"].removeprefix(SITE): row["Finding"] for row in found} == {
        "/": "Linked, but not in a sitemap",
        "/linked": "Linked, but not in a sitemap",
        "/sitemap.xml": "Linked, but not in a sitemap",
        "/orphan": "In a sitemap, but not linked",
        "/gone": "In a sitemap, but broken",
        "/noindex": "In a sitemap, but noindex",
        "/other": "In a sitemap, but canonicalised to another URL",
        "/moved": "In a sitemap, but redirects",
    }


def test_without_a_sitemap_there_is_nothing_to_compare(crawled: Crawled, out: Path) -> None:
    crawled.page("/")
    with pytest.raises(UsageError, match=r"turn on “Read the site's sitemaps” \(--use-sitemaps\)"):
        exported(crawled, SITEMAP_CHECK, out)
    assert not out.exists()


@pytest.mark.parametrize("asked", [{"use_sitemaps": True}, {"sitemaps": (f"{SITE}/map.xml",)}])
def test_every_page_of_a_site_without_a_sitemap_is_in_none(
    crawled: Crawled, out: Path, asked: dict[str, Any]
) -> None:
    crawled.page("/")
    crawled.writer.commit(StoreBatch(settings=CrawlSettings(roots=(SITE,), **asked)))
    found = exported(crawled, SITEMAP_CHECK, out)
    assert [row["Finding"] for row in found] == ["Linked, but not in a sitemap"]


def test_other_sites_are_told_by_the_scope(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "https://other.example/", "mailto:me@example.com")
    crawled.failed("https://third.example/x", Outcome.CLIENT_ERROR, status=404)
    found = exported(crawled, EXTERNAL, out)
    assert [(row["Address"], row["Status Code"]) for row in found] == [
        ("https://other.example/", ""),
        ("https://third.example/x", "404"),
    ]


def test_resources_and_all(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/a")
    crawled.failed("/a.png", Outcome.CHECKED, status=200)
    (row,) = exported(crawled, RESOURCES, out)
    assert row["Address"] == f"{SITE}/a.png"
    assert len(exported(crawled, ALL, out)) == 3


def test_exactly_what_a_table_shows(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/b", "/a", title="Home")
    crawled.page("/b", title="B one")
    crawled.page("/a", title="A one")
    shown = Table(
        View.PAGES,
        Filter(text="one"),
        Order("title"),
        ("title", "status", "address"),
    )
    assert export(crawled.path, ExportSelection(shown), out).rows == 2
    assert out.read_text().splitlines() == [
        "Title 1,Status Code,Address",
        f"A one,200,{SITE}/a",
        f"B one,200,{SITE}/b",
    ]


@pytest.mark.parametrize("view", [View.ALL, View.LINKS])
def test_every_column_of_tables_can_be_exported(crawled: Crawled, out: Path, view: View) -> None:
    crawled.page("/", "/")
    export(crawled.path, ExportSelection(Table(view, columns=tuple(view.columns))), out)
    (row,) = table(out)
    assert len(row) == len(view.columns)


def test_links_as_a_table_shows_them(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/b", "/a")
    crawled.page("/a", "/b")
    shown = Table(
        View.LINKS,
        Filter(text="/b"),
        Order("source", descending=True),
        ("target", "source"),
    )
    assert export(crawled.path, ExportSelection(shown), out).rows == 2
    assert out.read_text().splitlines() == [
        "Destination,Source",
        f"{SITE}/b,{SITE}/a",
        f"{SITE}/b,{SITE}/",
    ]


def test_rows_and_columns_can_be_chosen(crawled: Crawled, out: Path) -> None:
    crawled.page("/", "/a", "/b", title="Home")
    crawled.page("/a", title="About")
    for view, columns, text, expected in (
        (PAGES, ("title 1",), "abou", [{"Title 1": "About"}]),
        (LINKS, ("Anchor",), "/B", [{"Anchor": "/b"}]),
        (SITEMAP, ("URL",), "home", [{"URL": f"{SITE}/"}]),
    ):
        export(crawled.path, ExportSelection(view, columns, text), out)
        assert table(out) == expected
    with pytest.raises(UsageError, match="pages has no column 'Colour'"):
        export(crawled.path, ExportSelection(PAGES, ("Colour",)), out)


@pytest.fixture
def of_every_kind(crawled: Crawled) -> Path:
    """A project with a page, a failure, a file and a redirect."""
    crawled.page("/", "/gone", "https://other.example/", title="=1+1")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.failed("/a.png", Outcome.FILE, status=200)
    crawled.redirect("/old", "/")
    return crawled.path


@each_case("suffix", [".csv", ".tsv", ".xlsx", ".jsonl"])
@each_case("view", TABLES, ids=lambda view: view.name)
def test_every_table_goes_into_every_format(
    of_every_kind: Path, out: Path, view: ExportView, suffix: str
) -> None:
    path = out.with_suffix(suffix)
    assert export(of_every_kind, ExportSelection(view), path).rows > 0
    assert left_in(out.parent) == [path.name]
    path.unlink()
