"""XML sitemaps: within the limits of sitemaps.org, with what search engines may list."""

import gzip
import io
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from lxml import etree

from gossamer.audit.sitemap_export_rules import SitemapRule
from gossamer.export import sitemap_format
from gossamer.export.export_selection import ExportSelection
from gossamer.export.exporter import ExportResult, export
from gossamer.export.output_files import OutputStream
from gossamer.export.row_counter import ExportCancelled
from gossamer.export.sheet import FormatOptions
from gossamer.export.sitemap_sheet import SITEMAP
from gossamer.export.url_views import PAGES
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Link
from tests.fakes.crawled import SITE, Crawled

XHTML = "{http://www.w3.org/1999/xhtml}"
NAMESPACE = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
MODIFIED = "1994-11-06T08:49:37Z"


@pytest.fixture
def crawled(tmp_path: Path) -> Iterator[Crawled]:
    (tmp_path / "out").mkdir()
    with Crawled(tmp_path / "a.gossamer") as crawled:
        yield crawled


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "out" / "sitemap.xml"


def site(crawled: Crawled) -> None:
    """A site with one address for each rule."""
    crawled.page("/", "/blocked", title="Home")
    crawled.page("/hidden", robots="noindex")
    crawled.page("/copy", canonical=f"{SITE}/")
    crawled.redirect("/old", "/")
    crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
    crawled.known("/private", Outcome.BLOCKED_BY_ROBOTS)
    crawled.known("mailto:me@example.com", Outcome.UNSUPPORTED_SCHEME)
    crawled.known("/waiting", Outcome.PENDING)
    crawled.failed("/manual.pdf", Outcome.FILE, status=200)
    crawled.page("https://other.example/")


def sitemap(
    crawled: Crawled,
    out: Path,
    *lifted: SitemapRule,
    options: FormatOptions = FormatOptions(),  # noqa: B008 - a frozen value
) -> ExportResult:
    selection = ExportSelection(SITEMAP, lifted=frozenset(lifted))
    return export(crawled.path, selection, out, options=options)


def parsed(path: Path) -> etree._Element:
    data = path.read_bytes()
    assert len(data) <= sitemap_format.MAX_BYTES
    return etree.fromstring(gzip.decompress(data) if path.suffix.lower() == ".gz" else data)


def locs(path: Path) -> list[str]:
    """The addresses in a sitemap or an index, which holds nothing that the schema does not."""
    root = parsed(path)
    kinds = {"urlset": "url", "sitemapindex": "sitemap"}
    assert {entry.tag for entry in root} <= {NAMESPACE + kinds[etree.QName(root).localname]}
    assert len(root) <= 50_000
    found = [entry.findtext(f"{NAMESPACE}loc") or "" for entry in root]
    assert all(0 < len(loc) < 2_048 for loc in found)
    return found


def test_by_default_indexable_pages_alone(crawled: Crawled, out: Path) -> None:
    site(crawled)
    exported = sitemap(crawled, out)
    assert locs(out) == [f"{SITE}/"]
    assert (exported.rows, exported.files) == (1, (out,))
    assert exported.left_out == {"noindex": 1, "canonicalised": 1, "other-hosts": 1}


@pytest.mark.parametrize(
    ("rule", "found"),
    [
        (SitemapRule.NOINDEX, "/hidden"),
        (SitemapRule.CANONICALISED, "/copy"),
        (SitemapRule.REDIRECTS, "/old"),
        (SitemapRule.ERRORS, "/gone"),
        (SitemapRule.BLOCKED, "/private"),
        (SitemapRule.OTHER_HOSTS, "https://other.example/"),
    ],
)
def test_each_rule_can_be_lifted(
    crawled: Crawled, out: Path, rule: SitemapRule, found: str
) -> None:
    site(crawled)
    sitemap(crawled, out, rule)
    # Who was found first stands first; blocked addresses are asked for nothing.
    assert set(locs(out)) == {f"{SITE}/", crawled.url(found)}


def test_all_rules_can_be_lifted(crawled: Crawled, out: Path) -> None:
    site(crawled)
    exported = sitemap(crawled, out, *SitemapRule)
    paths = ["/", "/hidden", "/copy", "/old", "/gone", "/private", "/manual.pdf"]
    assert locs(out) == [*map(crawled.url, paths), "https://other.example/"]
    assert exported.left_out == {}


def test_times_of_change_are_those_of_the_server(crawled: Crawled, out: Path) -> None:
    site(crawled)
    for options, expected in ((FormatOptions(), [MODIFIED]), (FormatOptions(lastmod=False), [])):
        sitemap(crawled, out, options=options)
        assert [e.text for e in parsed(out).iter(f"{NAMESPACE}lastmod")] == expected


def test_versions_in_other_languages(crawled: Crawled, out: Path) -> None:
    links = [
        ("/de?a&b", Link(0, LinkKind.ALTERNATE, "de")),
        ("/", Link(0, LinkKind.ALTERNATE, "x-default")),
        ("/feed", Link(0, LinkKind.ALTERNATE, "The feed")),
        ("/feed2", Link(0, LinkKind.ALTERNATE, "")),
    ]
    many_links = [f"/{n}" for n in range(300)]
    crawled.page("/", *many_links, *links)
    crawled.page("/alone")
    german = ("/de?a&b", Link(0, LinkKind.ALTERNATE, "de"))
    crawled.sitemap("/sitemap.xml", "/", german, "/alone", german)
    selection = ExportSelection(SITEMAP, alternates=True)
    export(crawled.path, selection, out)
    german_version = ("de", f"{SITE}/de?a&b")
    found = [
        [(link.get("hreflang"), link.get("href")) for link in entry.iter(f"{XHTML}link")]
        for entry in parsed(out)
    ]
    assert found == [[german_version, ("x-default", f"{SITE}/")], [german_version]]
    table = out.with_suffix(".jsonl")
    export(crawled.path, selection, table)
    first = json.loads(table.read_text().splitlines()[0])
    assert first["Alternates"] == f"de {SITE}/de?a&b\nx-default {SITE}/"


def test_versions_that_fit_into_no_sitemap_are_left_out(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An entry that never fits must not start one empty sitemap after the other."""
    crawled.page(
        "/",
        ("/" + "x" * 2_048, Link(0, LinkKind.ALTERNATE, "de")),
        ("/fr", Link(0, LinkKind.ALTERNATE, "fr")),
        ("/es?" + "&" * 200, Link(0, LinkKind.ALTERNATE, "es")),
        ("/it", Link(0, LinkKind.ALTERNATE, "it")),
    )
    crawled.page("/last")

    def languages() -> list[list[str | None]]:
        exported = export(crawled.path, ExportSelection(SITEMAP, alternates=True), out)
        assert [loc for part in exported.files for loc in locs(part)] == [
            f"{SITE}/",
            f"{SITE}/last",
        ]
        return [
            [link.get("hreflang") for link in entry.iter(f"{XHTML}link")] for entry in parsed(out)
        ]

    assert languages() == [["fr", "es", "it"], []]
    monkeypatch.setattr(sitemap_format, "MAX_BYTES", 900)
    assert languages() == [["fr", "it"], []]


def test_addresses_are_escaped(crawled: Crawled, out: Path) -> None:
    crawled.page("/?a=1&b='2'")
    sitemap(crawled, out)
    assert b"a=1&amp;b='2'" in out.read_bytes()
    assert locs(out) == [f"{SITE}/?a=1&b='2'"]


def test_an_address_that_is_too_long_is_left_out(crawled: Crawled, out: Path) -> None:
    crawled.page("/")
    crawled.page("/" + "x" * 2_048)
    sitemap(crawled, out)
    assert locs(out) == [f"{SITE}/"]


def test_a_sitemap_without_an_address_is_not_written(crawled: Crawled, out: Path) -> None:
    with pytest.raises(OutputError, match="There are no pages to list"):
        sitemap(crawled, out)
    crawled.page("/", robots="noindex")
    with pytest.raises(OutputError, match="left out: 1 noindex"):
        sitemap(crawled, out)
    assert list(out.parent.iterdir()) == []


def test_nothing_of_an_empty_sitemap_reaches_standard_output(crawled: Crawled) -> None:
    crawled.page("/", robots="noindex")
    written = io.BytesIO()
    with pytest.raises(OutputError, match="no file was written"):
        export(
            crawled.path,
            ExportSelection(SITEMAP),
            OutputStream(Path("standard output.xml"), written),
        )
    assert written.getvalue() == b""


def many(crawled: Crawled, number: int) -> list[str]:
    for n in range(number):
        crawled.page(f"/{n}")
    return [f"{SITE}/{n}" for n in range(number)]


@pytest.mark.parametrize(
    ("name", "numbered"),
    [
        ("map.xml", "map-{}.xml"),
        ("map.xml.gz", "map-{}.xml.gz"),
        ("MAP.XML", "MAP-{}.XML"),
        ("map.Xml.GZ", "map-{}.Xml.GZ"),
        ("map.xml.xml", "map.xml-{}.xml"),
    ],
)
def test_more_than_one_sitemap_gets_an_index(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch, name: str, numbered: str
) -> None:
    monkeypatch.setattr(sitemap_format, "MAX_URLS", 3)
    urls = many(crawled, 7)
    index = out.with_name(name)
    exported = sitemap(crawled, index)
    parts = [index.with_name(numbered.format(n)) for n in (1, 2, 3)]
    assert exported.files == (*parts, index)
    assert sorted(out.parent.iterdir()) == sorted(exported.files)
    assert locs(index) == [f"{SITE}/{part.name}" for part in parts]
    assert [locs(part) for part in parts] == [urls[:3], urls[3:6], urls[6:]]


def test_the_index_knows_where_sitemaps_will_be(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap_format, "MAX_URLS", 1)
    many(crawled, 2)
    sitemap(crawled, out, options=FormatOptions(base="https://example.com/maps"))
    assert locs(out) == [f"{SITE}/maps/sitemap-1.xml", f"{SITE}/maps/sitemap-2.xml"]


@pytest.mark.parametrize("number", [1, 3])
def test_exactly_full_is_one_sitemap(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    monkeypatch.setattr(sitemap_format, "MAX_URLS", number)
    many(crawled, number)
    assert sitemap(crawled, out).files == (out,)


def test_a_sitemap_is_split_by_its_bytes_too(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = many(crawled, 20)
    sitemap(crawled, out)
    whole = out.stat().st_size
    monkeypatch.setattr(sitemap_format, "MAX_BYTES", whole)
    assert sitemap(crawled, out).files == (out,)
    monkeypatch.setattr(sitemap_format, "MAX_BYTES", whole - 1)
    exported = sitemap(crawled, out)
    assert len(exported.files) == 3
    assert all(part.stat().st_size < whole for part in exported.files)
    assert [loc for part in exported.files[:-1] for loc in locs(part)] == urls


def test_cancelled_between_sitemaps_leaves_none(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap_format, "MAX_URLS", 1)
    many(crawled, 5)
    out.write_text("from before")

    def cancelled() -> bool:
        return len(list(out.parent.glob(".gossamer-*.part/*"))) > 3

    with pytest.raises(ExportCancelled):
        export(crawled.path, ExportSelection(SITEMAP), out, cancelled=cancelled)
    assert [path.name for path in out.parent.iterdir()] == [out.name]
    assert out.read_text() == "from before"


def test_a_file_that_cannot_be_replaced_is_told(
    crawled: Crawled, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on Windows, where a file that a program has open stays."""

    def refused(part: Path, _target: Path) -> Path:
        raise PermissionError(13, "Permission denied", str(part))

    crawled.page("/")
    out.write_text("from before")
    monkeypatch.setattr(Path, "replace", refused)
    with pytest.raises(OutputError, match="it is open in another program, close it there"):
        sitemap(crawled, out)
    assert out.read_text() == "from before"
    assert [path.name for path in out.parent.iterdir()] == [out.name]


def test_only_the_sitemap_is_written_as_xml(crawled: Crawled, out: Path) -> None:
    with pytest.raises(UsageError, match="can only hold the view sitemap"):
        export(crawled.path, ExportSelection(PAGES), out)
    with pytest.raises(UsageError, match="no columns to choose"):
        export(crawled.path, ExportSelection(SITEMAP, columns=("URL",)), out)
