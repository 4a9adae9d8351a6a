"""A crawl with an archive becomes a folder to browse, which asks no server by itself."""

import errno
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urljoin

import pytest

from gossamer.archive.archive_indexing import ensure_index
from gossamer.archive.indexed_responses import IndexedResponses
from gossamer.archive.project_archive_files import kept_files
from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.export.offline_copy import OfflineCopy
from gossamer.export.output_tree import OutputTree
from gossamer.export.row_counter import ExportCancelled
from gossamer.model.archive_record import archive_folder
from gossamer.model.archive_source import ArchiveSource
from gossamer.model.errors import OutputError, UsageError
from gossamer.model.project_queries import View
from gossamer.model.settings.archive_settings import ArchiveContent
from gossamer.store.reading.reader import Reader
from tests.integration.crawling import crawl_all
from tests.sites import Site

LOADING = re.compile(r"(?:src|srcset|poster|background|data|action)=\"(?!data:)([^\"]*)\"")
LINKS = re.compile(r"<a href=\"([^\"#]*)")
SHEETS = re.compile(r"<link [^>]*href=\"([^\"]*)\"|url\(\"(?!data:)([^\"]*)\"\)")

HOME = """<!doctype html><html lang=en><head><title>Home</title><link rel=stylesheet href=/s/a.css>
<link rel=preconnect href=http://127.0.0.1:1><script src=/app.js></script>
<meta http-equiv=refresh content="9;url=http://127.0.0.1:1/"></head>
<body onload=x()><a href="/old#part">old</a> <a href="/A?q=1">A</a> <a href=/gone>gone</a>
<img src=/p.png srcset="/p.png 2x, http://127.0.0.1:1/x.png 3x"><img src=http://127.0.0.1:1/x.png>
<iframe src=/a></iframe><form action=/send><input></form></body></html>"""


def write(project: Path, out: Path) -> tuple[Path, ...]:
    """Export an offline copy; its files."""
    request = ArchiveRequest(ARCHIVE_EXPORTS["offline"], out)
    request.check(project)
    return request.write(project, None, lambda: False).files


def archived(site: Site, project: Path) -> Path:
    """A crawl of a small site with all that it has."""
    site.file("/", HOME.encode(), "text/html; charset=utf-8")
    site.file("/a", "<title>Ä</title>".encode("latin-1"), "text/html; charset=latin1")
    site.file("/A?q=1", b"<title>Capital</title><a href='/'>back</a>", "text/html")
    site.file(
        "/s/a.css", b'@import "b.css";a{b:url(../p.png)} c{d:url(http://127.0.0.1:1/x)}', "text/css"
    )
    site.file("/s/b.css", b"@font-face{src:url(f.woff2?v=1)}", "text/css;charset=utf-8")
    site.file("/s/f.woff2?v=1", b"wOF2 font", "font/woff2")
    site.file("/p.png", b"\x89PNG picture", "image/png")
    site.file("/app.js", b"fetch('/x')", "text/javascript")
    site.redirect("/old", "/a")
    crawl_all(project, site.url("/"), archive=True, archive_content=ArchiveContent.EVERYTHING)
    return project


def test_a_copy_is_whole_and_leads_out_only_where_a_person_clicks(
    site: Site, tmp_path: Path
) -> None:
    project = archived(site, tmp_path / "a.gossamer")
    asked = len(site.requests)
    out = tmp_path / "copy"
    files = write(project, out)
    assert len(site.requests) == asked
    assert files[-1] == out
    assert sorted(each for each in out.rglob("*") if each.is_file()) == sorted(files[:-1])
    assert not any(each.suffix == ".js" for each in files)
    loaded, clicked = set(), set()
    for file in files[:-1]:
        if file.suffix not in {".html", ".css"}:
            continue
        text = file.read_text("utf-8")
        assert not re.search(r"<script|<iframe|<base|\bon\w+=|refresh|preconnect", text)
        for found in (*LOADING.findall(text), *("".join(pair) for pair in SHEETS.findall(text))):
            loaded.add(urljoin(file.as_uri(), found.split()[0]))
        clicked |= {urljoin(file.as_uri(), link) for link in LINKS.findall(text)}
    inside = {each.as_uri() for each in files}
    assert loaded
    assert loaded <= inside
    assert clicked - inside == {site.url("/gone")}
    [picture] = (each for each in files if each.suffix == ".png")
    assert picture.read_bytes() == b"\x89PNG picture"
    assert picture.as_uri() in loaded
    [font] = (each for each in files if each.suffix == ".woff2")  # a sheet of a sheet names it
    assert font.as_uri() in loaded
    [capital] = (each for each in files if "Capital" in text_of(each))
    assert capital.as_uri() in clicked
    assert any("<title>Ä</title>" in text_of(each) for each in files)
    assert "Home</a>" in (out / "index.html").read_text("utf-8")


def text_of(file: Path) -> str:
    """The text of a page; "" for what is none."""
    is_page = file.suffix == ".html" and file.name != "index.html"
    return file.read_text("utf-8") if is_page else ""


def test_nothing_is_left_of_a_copy_that_cannot_be(site: Site, tmp_path: Path) -> None:
    project = archived(site, tmp_path / "a.gossamer")
    before = sorted(tmp_path.iterdir())
    request = ArchiveRequest(ARCHIVE_EXPORTS["offline"], tmp_path / "copy")
    with pytest.raises(ExportCancelled):
        request.write(project, None, lambda: True)
    assert sorted(tmp_path.iterdir()) == before
    full = tmp_path / "full"
    full.mkdir()
    write(project, full)
    write(project, full)  # an earlier copy of ours is replaced
    assert sorted(tmp_path.iterdir()) == sorted([*before, full])
    (full / "notes.txt").touch()
    with pytest.raises(OutputError, match="other files"):
        write(project, full)
    assert (full / "notes.txt").exists()


def test_a_page_over_the_limit_says_where_its_copy_ends(site: Site, tmp_path: Path) -> None:
    project = archived(site, tmp_path / "a.gossamer")
    source = ArchiveSource(kept_files(project))
    ensure_index(source)
    with Reader(project) as reader, IndexedResponses(source) as answers:
        pages = list(reader.iterate(View.PAGES))
        with OutputTree(tmp_path / "copy") as tree:
            OfflineCopy(answers, tree, lambda: None, max_text_bytes=100).write(pages, "a")
            files = tree.put_in_place()
    whole = {each: each.read_text("utf-8") for each in files if each.suffix in {".html", ".css"}}
    (home,) = (each for each, text in whole.items() if "larger than 100 bytes.</strong>" in text)
    assert "<title>Home</title>" in whole[home]


def test_a_picture_that_is_too_large_to_be_examined_is_left_out(site: Site, tmp_path: Path) -> None:
    """Its scripts may stand behind what is examined."""
    svg = "<svg xmlns='http://www.w3.org/2000/svg'>{}<script>x()</script></svg>"
    site.file("/", b"<title>Home</title><img src=/a.svg><img src=/b.svg>", "text/html")
    site.file("/a.svg", svg.format("<g></g>" * 100).encode(), "image/svg+xml")
    site.file("/b.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml")
    project = tmp_path / "a.gossamer"
    crawl_all(project, site.url("/"), archive=True, archive_content=ArchiveContent.EVERYTHING)
    source = ArchiveSource(kept_files(project))
    ensure_index(source)
    with Reader(project) as reader, IndexedResponses(source) as answers:
        pages = list(reader.iterate(View.PAGES))
        with OutputTree(tmp_path / "copy") as tree:
            OfflineCopy(answers, tree, lambda: None, max_text_bytes=100).write(pages, "a")
            files = tree.put_in_place()
    assert [each.name for each in files if each.suffix == ".svg"] == ["b.svg"]


@pytest.mark.parametrize("name", ["wacz", "offline"])
def test_an_archive_that_cannot_be_read_is_told_as_such(
    site: Site, tmp_path: Path, name: str
) -> None:
    """Not as a place that cannot be written; nothing is left of the export."""
    project = archived(site, tmp_path / "a.gossamer")
    file = next(archive_folder(project).iterdir())
    file.unlink()
    file.mkdir()  # it opens, and cannot be read
    before = sorted(tmp_path.iterdir())
    out = tmp_path / ("copy" if name == "offline" else "a.wacz")
    with pytest.raises(UsageError, match=re.escape(f"{file} cannot be read")):
        ArchiveRequest(ARCHIVE_EXPORTS[name], out).write(project, None, lambda: False)
    assert sorted(tmp_path.iterdir()) == before


def test_a_file_that_breaks_while_it_is_copied_is_told_as_such(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def torn(_answer: object) -> Iterator[bytes]:
        yield b"\x89PNG"
        raise OSError(errno.EIO, "Input/output error")

    project = archived(site, tmp_path / "a.gossamer")
    monkeypatch.setattr("gossamer.archive.captured_responses._pieces", lambda *_: torn(None))
    with pytest.raises(UsageError, match="cannot be read"):
        write(project, tmp_path / "copy")
    assert not (tmp_path / "copy").exists()


def test_a_project_without_archive_says_how_to_have_one(site: Site, tmp_path: Path) -> None:
    site.page("/")
    crawl_all(tmp_path / "a.gossamer", site.url("/"))
    with pytest.raises(UsageError, match="--archive"):
        write(tmp_path / "a.gossamer", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
