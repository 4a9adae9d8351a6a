"""The archive of a crawl: byte for byte what servers sent, read by us and by warcio."""

import asyncio
import errno
import gc
import gzip
import os
import random
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import brotli
import pytest
from msgspec.structs import replace

from gossamer.archive.record_reader import RecordError
from gossamer.archive.recorded_responses import recorded_response
from gossamer.archive.warc_reader import (
    OtherResponseError,
    StoredResponse,
    read_dom,
    read_response,
)
from gossamer.archive.warc_writer import WarcWriter
from gossamer.fetch import HttpFetcher
from gossamer.model.archive_record import ArchiveLocation, ArchiveRecord, RecordKind
from gossamer.model.freshness import Conditions
from gossamer.model.settings.archive_settings import ArchiveContent
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.session.crawl_secrets import split_off_secrets
from gossamer.store.reading.reader import Reader
from tests.fakes.archived import archive_files, archived, facts_in, types_in
from tests.integration.crawling import crawl_all, resume_all
from tests.integration.fetching import MIB, OK, PARTLY_S, extract
from tests.sites import Response, Site, html_page

PAGE = b"<title>A page</title>" + b"<p>text</p>" * 200


def fetched(folder: Path, *urls: str, **changes: Any) -> list[Visit]:
    """What comes of URLs, asked one after the other by a fetcher with an archive."""
    conditions = changes.pop("conditions", Conditions())
    settings, secrets = split_off_secrets(CrawlSettings(roots=urls, archive=True, **changes))
    folder.mkdir(exist_ok=True)

    async def main() -> list[Visit]:
        archive = WarcWriter(ArchiveLocation(str(folder)), settings)
        async with HttpFetcher(settings, extract, secrets=secrets, archive=archive) as fetcher:
            visits = [await fetcher.fetch(url, conditions=conditions) for url in urls]
        archive.close()
        return visits

    return asyncio.run(main())


def stored(folder: Path, visit: Visit) -> tuple[ArchiveRecord, StoredResponse]:
    """The only record of a visit, and the answer in it."""
    (record,) = visit.archived
    url = [url for path in folder.iterdir() for _, url in types_in(path)][-1]
    return record, read_response(folder, record, url)


@pytest.mark.parametrize("coding", ["", "gzip", "br"])
@pytest.mark.parametrize("is_chunked", [False, True])
def test_the_body_is_kept_as_it_was_sent(
    site: Site, tmp_path: Path, coding: str, *, is_chunked: bool
) -> None:
    sent = {"": PAGE, "gzip": gzip.compress(PAGE), "br": brotli.compress(PAGE)}[coding]
    head = OK + (f"Content-Encoding: {coding}\r\n".encode() if coding else b"")
    if is_chunked:
        head += b"Transfer-Encoding: chunked\r\n\r\n"
        half = len(sent) // 2
        pieces = (b"%x\r\n%s\r\n" % (len(part), part) for part in (sent[:half], sent[half:]))
        site.raw("/a", head + b"".join(pieces) + b"0\r\n\r\n")
    else:
        head += b"Content-Length: %d\r\n\r\n" % len(sent)
        site.raw("/a", head + sent)
    (visit,) = fetched(tmp_path / "a.archive", site.url("/a"))
    record, answer = stored(tmp_path / "a.archive", visit)
    assert (record.kind, answer.status, answer.truncated) == (RecordKind.RESPONSE, 200, "")
    assert answer.body == sent
    assert answer.decoded(1 << 20) == (PAGE, True)
    assert answer.decoded(100) == (PAGE[:100], False)
    lines = head.replace(b"Transfer-", b"X-Crawler-Transfer-").split(b"\r\n")[1:-2]
    assert [name + b": " + value for name, value in answer.headers] == lines


def test_the_same_body_stands_in_a_file_once(site: Site, tmp_path: Path) -> None:
    site.raw("/a", OK + b"Content-Length: %d\r\nX: 1\r\n\r\n%s" % (len(PAGE), PAGE))
    site.raw("/b", OK + b"Content-Length: %d\r\nX: 2\r\n\r\n%s" % (len(PAGE), PAGE))
    folder = tmp_path / "a.archive"
    first, second = fetched(folder, site.url("/a"), site.url("/b"))
    assert first.archived[0].digest == second.archived[0].digest
    assert second.archived[0].kind is RecordKind.REVISIT
    assert second.archived[0].payload_offset == first.archived[0].offset
    _, answer = stored(folder, second)
    assert (answer.url, answer.body) == (site.url("/b"), PAGE)
    assert answer.values(b"x") == [b"2"]
    again = recorded_response(folder, second.archived[0], site.url("/b"))
    assert (b"".join(again.body), b"X: 2" in again.head) == (PAGE, True)


def test_what_is_not_the_answer_that_was_stored_is_refused(site: Site, tmp_path: Path) -> None:
    site.raw("/a", OK + b"Content-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE))
    (visit,) = fetched(tmp_path / "a.archive", site.url("/a"))
    (record,) = visit.archived
    for named, url in ((replace(record, digest=bytes(32)), "/a"), (record, "/b")):
        with pytest.raises(RecordError):
            recorded_response(tmp_path / "a.archive", named, site.url(url))
        with pytest.raises(OtherResponseError):
            read_response(tmp_path / "a.archive", named, site.url(url))


def test_a_304_is_a_revisit_without_a_body(site: Site, tmp_path: Path) -> None:
    site.raw("/a", b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n')
    folder = tmp_path / "a.archive"
    (visit,) = fetched(folder, site.url("/a"), conditions=Conditions(etags='"1"'))
    assert visit.not_modified
    record, answer = stored(folder, visit)
    assert (record.kind, answer.status, answer.body) == (RecordKind.NOT_MODIFIED, 304, None)


def test_a_body_that_breaks_off_is_marked(site: Site, tmp_path: Path) -> None:
    site.raw("/a", OK + b"Content-Length: 5000\r\n\r\n" + PAGE)
    (visit,) = fetched(tmp_path / "a.archive", site.url("/a"))
    _, answer = stored(tmp_path / "a.archive", visit)
    assert (answer.body, answer.truncated) == (PAGE, "disconnect")


def test_a_body_that_takes_too_long_is_marked(site: Site, tmp_path: Path) -> None:
    site.hang("/a", after=OK + b"Content-Length: 5000\r\n\r\n" + PAGE)
    (visit,) = fetched(tmp_path / "a.archive", site.url("/a"), timeout_s=PARTLY_S)
    _, answer = stored(tmp_path / "a.archive", visit)
    assert (answer.body, answer.truncated) == (PAGE, "time")


@pytest.mark.parametrize("limit", [{"archive_max_bytes": 1024}, {"max_body_bytes": 1024}])
def test_a_body_over_a_limit_is_marked(site: Site, tmp_path: Path, limit: dict[str, int]) -> None:
    page = PAGE * 500
    site.raw("/a", OK + b"Content-Length: %d\r\n\r\n%s" % (len(page), page))
    (visit,) = fetched(tmp_path / "a.archive", site.url("/a"), **limit)
    _, answer = stored(tmp_path / "a.archive", visit)
    assert answer.truncated == "length"
    assert answer.body is not None
    assert page.startswith(answer.body)
    assert len(answer.body) >= 1024


def test_secrets_do_not_stand_in_the_archive(site: Site, tmp_path: Path) -> None:
    site.raw("/a", OK + b"Set-Cookie: sid=tooth\r\nContent-Length: 3\r\n\r\n<p>")
    headers = (("Authorization", "Bearer canine"), ("Cookie", "login=molar"))
    fetched(tmp_path / "a.archive", site.url("/a"), headers=headers)
    (path,) = (tmp_path / "a.archive").iterdir()
    text = gzip.decompress(path.read_bytes())
    assert site.requests[-1].header("Authorization") == "Bearer canine"
    assert b"Authorization: (left out)" in text
    assert not any(word in text for word in (b"canine", b"molar", b"tooth"))
    fetched(tmp_path / "b.archive", site.url("/a"), headers=headers, archive_secrets=True)
    (path,) = (tmp_path / "b.archive").iterdir()
    text = gzip.decompress(path.read_bytes())
    assert all(word in text for word in (b"canine", b"molar", b"tooth"))


def small_site(site: Site) -> None:
    """A page of each kind that matters here."""
    links = ["/a", "/b", "/gone", "/moved", "/empty", "/file.pdf"]
    site.respond("/", Response(200, html_page("Home", links, '<img src="/i.png" alt="">')))
    site.page("/a", links=["/"])
    site.page("/b")
    site.redirect("/moved", "/a")
    site.respond("/gone", Response(404, b"<title>gone</title>"))
    site.raw("/empty", b"HTTP/1.1 204 No Content\r\n\r\n")
    site.respond("/file.pdf", Response(200, bytes(200_000), "application/pdf"))
    site.respond("/i.png", Response(200, b"\x89PNG" + bytes(100_000), "image/png"))


@pytest.mark.parametrize(
    ("content", "files"),
    [("html", set()), ("resources", {"/i.png"}), ("everything", {"/i.png", "/file.pdf"})],
)
def test_a_crawl_keeps_what_the_settings_want(
    site: Site, tmp_path: Path, content: str, files: set[str]
) -> None:
    small_site(site)
    project = tmp_path / "a.gossamer"
    crawl_all(project, site.url(), archive=True, archive_content=content)
    kept = archived(project)
    pages = {"/", "/a", "/b", "/moved", "/gone", "/empty"}
    assert {url.removeprefix(site.url("")) for url in kept} == pages | files
    assert all(len(records) == 1 for records in kept.values())
    assert kept[site.url("/moved")][0][1].status == 302
    assert kept[site.url("/gone")][0][1].body == b"<title>gone</title>"
    for name in files:
        assert len(kept[site.url(name)][0][1].body or b"") > 100_000
    told: dict[str, str] = {}
    for path in archive_files(project):
        assert types_in(path)[0] == ("warcinfo", "")
        told |= facts_in(path)
    home = site.url("/")
    assert "seed: \r\n" in told[home]
    assert f"via: {home}\r\nhopsFromSeed: L\r\n" in told[site.url("/moved")]
    if "/i.png" in files:
        assert f"via: {home}\r\nhopsFromSeed: E\r\n" in told[site.url("/i.png")]
    resume_all(project)
    assert archived(project).keys() == kept.keys()


def test_only_chosen_content_types_are_kept(site: Site, tmp_path: Path) -> None:
    """Always redirects, errors, empty responses; info tells how many of which types are missing."""
    small_site(site)
    project = tmp_path / "a.gossamer"
    crawl_all(
        project,
        site.url(),
        archive=True,
        archive_content=ArchiveContent.EVERYTHING,
        archive_types=("Application/PDF",),
    )
    kept = {url.removeprefix(site.url("")) for url in archived(project)}
    assert kept == {"/moved", "/gone", "/empty", "/file.pdf"}
    with Reader(project) as reader:
        assert reader.unarchived_types() == {"text/html": 3, "image/png": 1}
    image = [each for each in site.requests if each.path == "/i.png"]
    assert {each.method for each in image} == {"HEAD"}, "not downloaded to be thrown away"


def test_a_dom_that_the_disk_rejects_is_told_and_leaves_the_file_as_it_was(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So the crawl waits for the disk, as for any other record, and asks for the page again."""
    url = site.url("/a")
    site.raw("/a", OK + b"Content-Length: %d\r\n\r\n%s" % (len(PAGE), PAGE))
    settings, secrets = split_off_secrets(CrawlSettings(roots=(url,), archive=True))
    folder = tmp_path / "a.archive"
    folder.mkdir()

    def reject(_descriptor: int, _data: object) -> int:
        raise OSError(errno.ENOSPC, "full")

    async def main() -> tuple[Visit, Visit, Visit]:
        archive = WarcWriter(ArchiveLocation(str(folder)), settings)
        async with HttpFetcher(settings, extract, secrets=secrets, archive=archive) as fetcher:
            archive.note_path(url, None)
            visit = await fetcher.fetch(url)
            with monkeypatch.context() as patched:
                patched.setattr(os, "write", reject)
                rejected = await archive.keep_dom(url, "<p>", visit, is_cut=False)
            kept = await archive.keep_dom(url, "<p>", visit, is_cut=False)
            archive.forget(url)
            late = await archive.keep_dom(url, "<p>", visit, is_cut=False)
        archive.close()
        assert late == visit
        return visit, rejected, kept

    visit, rejected, kept = asyncio.run(main())
    assert (rejected.archived, rejected.archive_errno) == (visit.archived, errno.ENOSPC)
    dom = kept.archived[-1]
    assert dom.file != visit.archived[0].file
    assert read_dom(folder, dom, url).markup == b"<p>"
    assert all(map(types_in, folder.iterdir()))


def bytes_held_by(holder: object) -> int:
    """The size of all `bytes` that it leads to, but for those of modules and classes."""
    seen: dict[int, object] = {}
    found = [holder]
    while found:
        each = found.pop()
        if id(each) not in seen and not isinstance(each, type | ModuleType | FunctionType):
            seen[id(each)] = each
            found += gc.get_referents(each)
    return sum(len(each) for each in seen.values() if isinstance(each, bytes))


@pytest.mark.parametrize("changes", [{}, {"archive_dom": False}])
def test_no_memory_holds_what_is_in_the_archive_until_the_page_is_done(
    site: Site, tmp_path: Path, changes: dict[str, Any]
) -> None:
    """Rendering takes seconds, and many pages are rendered at once."""
    url = site.url("/a")
    body = b"<!--%s-->" % random.Random(1).randbytes(MIB).hex().encode()
    site.raw("/a", OK + b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    settings, secrets = split_off_secrets(CrawlSettings(roots=(url,), archive=True, **changes))

    async def main() -> int:
        archive = WarcWriter(ArchiveLocation(str(tmp_path)), settings)
        async with HttpFetcher(settings, extract, secrets=secrets, archive=archive) as fetcher:
            archive.note_path(url, None)
            assert (await fetcher.fetch(url)).archived
            kept_bytes = bytes_held_by(archive)
            archive.forget(url)
        archive.close()
        return kept_bytes

    assert asyncio.run(main()) < MIB // 8
