"""The stored source of a page, read from the archive of a crawl and compared with the server."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.archive_record import ArchiveRecord, RecordKind, archive_folder
from gossamer.model.errors import UsageError
from gossamer.model.messages.inspection_messages import StoredSource
from gossamer.model.messages.page_image_messages import ImageFormat
from gossamer.model.messages.stored_page_messages import PageScreen, ScreenshotLink, ViewedPage
from gossamer.model.settings.archive_settings import ArchiveContent
from gossamer.session.project_files import copy_project, delete_project
from gossamer.store.reading.reader import Reader
from tests.fakes.browsers import NEEDS_BROWSER, browser
from tests.integration.crawling import closing, crawl_all, run, sessions
from tests.sites import Response, Site
from tests.sites.egress import InsideServer, hostile_html

HEAD = "<html><body>\n<p>" + "The same words on both pages. " * 40
BEFORE = f"{HEAD}</p>\n<p>before</p>\n<a href=/twin>twin</a>\n</body></html>".encode()
AFTER = BEFORE.replace(b"<p>before</p>", b"<p>after</p>")


@pytest.fixture
def project(site: Site, tmp_path: Path) -> Path:
    """A crawl that kept two pages with one content; the server says something else since."""
    for page in ("/", "/twin"):
        site.respond(page, Response(body=BEFORE))
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url("/"), archive=True, workers=1)
    for page in ("/", "/twin"):
        site.respond(page, Response(body=AFTER))
    return path


def record_of(project: Path, url: str) -> ArchiveRecord:
    with Reader(project) as reader:
        url_id = reader.lookup(url)
        assert url_id is not None
        record = reader.archive_record(url_id)
    assert record is not None
    return record


def stored(project: Path, url: str, record: ArchiveRecord, *, compare: bool) -> StoredSource:
    async def main() -> StoredSource:
        async with closing(sessions().open(project)) as session:
            return await session.inspection.stored_source(url, record, compare=compare)

    return run(main())


def test_the_source_is_as_it_was_stored(site: Site, project: Path) -> None:
    before = len(site.paths)
    records = {url: record_of(project, url) for url in (site.url("/"), site.url("/twin"))}
    assert {each.kind for each in records.values()} == {RecordKind.RESPONSE, RecordKind.REVISIT}
    for url, record in records.items():
        found = stored(project, url, record, compare=False)
        assert found.source is not None
        assert (found.source.text.encode(), found.source.status) == (BEFORE, 200)
        assert found.repeats is (record.kind is RecordKind.REVISIT)
        assert found.date
    assert len(site.paths) == before


def test_the_difference_from_what_the_server_sends(site: Site, project: Path) -> None:
    url = site.url("/")
    found = stored(project, url, record_of(project, url), compare=True)
    differing = [row for row in found.difference.rows if row.differs]
    left = [part.text for row in differing for part in row.left]
    right = [part.text for row in differing for part in row.right]
    assert (left, right) == (["<p>before</p>"], ["<p>after</p>"])
    assert found.now is not None
    assert found.now.is_read


@pytest.mark.parametrize("fault", ["folder", "file", "cut", "other", "changed", "not modified"])
def test_why_nothing_is_shown(site: Site, project: Path, fault: str) -> None:
    url, folder = site.url("/"), archive_folder(project)
    record = record_of(project, url)
    path = folder / record.file
    match fault:
        case "folder":
            shutil.rmtree(folder)
            says = f"The archive folder {folder} is missing"
        case "file":
            path.unlink()
            says = f"The archive file {path} is missing"
        case "cut":
            path.write_bytes(path.read_bytes()[: record.offset + 20])
            says = f"The record of this page in {path} is damaged"
        case "other":  # whole, but of another page
            record = record_of(project, site.url("/twin"))
            says = "its address or its digest differs"
        case "changed":
            record = replace(record, digest=bytes(32))
            says = "its address or its digest differs"
        case _:
            record = ArchiveRecord(RecordKind.NOT_MODIFIED, *tuple_of(record))
            says = "has not changed (304)"
    with pytest.raises(UsageError) as refused:
        stored(project, url, record, compare=True)
    assert says in str(refused.value)


def tuple_of(record: ArchiveRecord) -> tuple[str, int, int, bytes]:
    return record.file, record.offset, record.length, record.digest


def viewed(
    project: Path, url: str, record: ArchiveRecord, screen: PageScreen | None = None
) -> ViewedPage:
    async def main() -> ViewedPage:
        async with closing(sessions().open(project)) as session:
            return await session.inspection.stored_page(url, record, screen)

    return run(main())


def test_through_a_link_the_archive_is_that_of_the_file(
    site: Site, project: Path, tmp_path: Path
) -> None:
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "b.gossamer"
    link.symlink_to(project)
    url = site.url("/")
    record = record_of(link, url)
    assert stored(link, url, record, compare=False).source is not None
    assert "The same words" in viewed(link, url, record).html
    copy = tmp_path / "copy.gossamer"
    copy_project(link, copy)
    assert stored(copy, url, record, compare=False).source is not None
    delete_project(link)
    assert not archive_folder(project).exists()


def test_a_stored_page_is_viewed_without_a_request(site: Site, tmp_path: Path) -> None:
    """With the pictures that the archive has, and none that is no picture."""
    body = "<p onclick=x()>Text</p><img src=/p.png><img src=/text><img src=/gone.png>"
    site.file("/", body.encode(), "text/html")
    site.file("/p.png", b"\x89PNG\r\n\x1a\n picture", "image/png")
    site.file("/text", b"no picture", "image/png")
    project = tmp_path / "a.gossamer"
    everything = ArchiveContent.EVERYTHING
    crawl_all(project, site.url("/"), archive=True, archive_content=everything)
    asked = len(site.requests)
    page = viewed(project, site.url("/"), record_of(project, site.url("/")))
    assert page.html.strip().startswith("<p>Text</p>")
    assert {number: file.format for number, file in page.images.items() if file.body} == {
        0: ImageFormat.PNG
    }
    with pytest.raises(UsageError, match="only HTML pages"):
        viewed(project, site.url("/p.png"), record_of(project, site.url("/p.png")))
    with pytest.raises(UsageError, match="its address or its digest differs"):
        viewed(project, site.url("/"), record_of(project, site.url("/p.png")))
    assert len(site.requests) == asked


STYLE = "a { position: absolute; left: 10px; width: 300px; height: 77px; overflow: hidden }"
ODD_PAGE = """<base href="{site}/deep/"><meta http-equiv=refresh content="0;url={inside}/refresh">
<link rel=stylesheet href=/style.css><link rel=stylesheet media=print href=/more.css>
<script>document.body.remove()</script>
<iframe srcdoc="<img src={inside}/srcdoc>"></iframe><svg><use href="{inside}/use#a" /></svg>
<style>p {{ background: url({inside}/css) }}</style><p>Text</p>
<body onload="location = '{inside}/onload'"><a href="low">near</a><a href="{site}/#end">end</a>
<div style="height: 3000px"></div><p id=end>end</p>"""


@NEEDS_BROWSER
def test_a_stored_page_is_shown_as_a_browser_does_and_asks_for_nothing(
    site: Site, tmp_path: Path
) -> None:
    """With its own styles from the archive, those that they import too; hostile pages as well."""
    project = tmp_path / "a.gossamer"
    with InsideServer() as inside:
        address = f"http://127.0.0.1:{inside.port}"
        odd = ODD_PAGE.format(site=site.url("/").rstrip("/"), inside=address)
        site.file("/", odd.encode(), "text/html")
        site.file("/deep/low", hostile_html(inside.port), "text/html")
        site.file("/style.css", b"@import '/more.css';" + STYLE.encode(), "text/css")
        site.file("/more.css", b"a { top: 40px } a + a { top: 150px }", "text/css")
        resources = ArchiveContent.RESOURCES
        crawl_all(
            project,
            site.url("/"),
            archive=True,
            archive_content=resources,
            browser=str(browser().path),
        )
        asked = len(site.requests)
        inside.hits.clear()
        shown, hostile = (
            viewed(project, url, record_of(project, url), PageScreen(600))
            for url in (site.url("/"), site.url("/deep/low"))
        )
        assert inside.hits == []
    assert len(site.requests) == asked
    assert shown.screenshot is not None
    assert shown.screenshot.links == [
        ScreenshotLink(10, 40, 300, 77, site.url("/deep/low")),
        ScreenshotLink(10, 150, 300, 77, site.url("/#end"), shown.screenshot.links[1].place),
    ]
    assert 3_000 < shown.screenshot.links[1].place < shown.screenshot.height
    strips = shown.screenshot.strips
    assert (shown.screenshot.width, len(strips)) == (600, -(-shown.screenshot.height // 1_000))
    assert all(each.startswith(b"\xff\xd8") for each in strips)
    assert hostile.screenshot is not None
    assert (shown.html, hostile.html) == ("", "")


def test_without_a_browser_text_and_pictures_are_shown_and_why(site: Site, tmp_path: Path) -> None:
    project = tmp_path / "a.gossamer"
    site.file("/", b"<p>Text</p>", "text/html")
    crawl_all(project, site.url("/"), archive=True, browser="/no/browser")
    url = site.url("/")
    page = viewed(project, url, record_of(project, url), PageScreen(600))
    assert page.screenshot is None
    assert page.html.strip() == "<p>Text</p>"
    assert "There is no browser /no/browser" in str(page.no_screenshot)
