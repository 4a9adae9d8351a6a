"""Archives by anybody become projects: crawls without network, by the same rules."""

import gzip
import hashlib
import json
import sqlite3
import zipfile
from contextlib import closing as closing_connection
from pathlib import Path
from typing import Any

import pytest

from gossamer.export.archive_exports import ARCHIVE_EXPORTS, ArchiveRequest
from gossamer.model.archive_source import LAST_CAPTURE
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings
from gossamer.session.archive_import import (
    archive_source,
    create_import,
    index_archives,
    source_of_project,
)
from gossamer.store.reading.reader import Reader
from tests.fakes.warc import SITE, gzipped, http, page, record, write_wacz, write_warc
from tests.integration.crawling import closing, crawl_all, records, run, sessions, until_rest
from tests.integration.fetching import OK
from tests.sites import Site


def imported(
    archive: Path,
    project: Path,
    moment: float = LAST_CAPTURE,
    *,
    unlinked: bool = True,
    settings: CrawlSettings = DEFAULTS,
) -> dict[str, UrlRecord]:
    """The rows of a project that is made from an archive, by path."""
    source = archive_source([archive], moment, unlinked=unlinked)
    index_archives(source)

    async def main() -> None:
        session = create_import(settings, source, project, sessions())
        async with closing(session):
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED, session.progress

    run(main())
    return {url.removeprefix(SITE): row for url, row in records(project).items()}


def chunked(body: str) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body.encode())


def test_a_foreign_archive_becomes_a_project(tmp_path: Path) -> None:
    archive = write_warc(
        tmp_path / "site.warc.gz",
        [
            record(f"{SITE}/", http(page("Home", "/a", "/moved", "/gone", "/not-here"))),
            record(f"{SITE}/a", http(chunked(page("A")), Transfer_Encoding="chunked")),
            record(
                f"{SITE}/packed", http(gzip.compress(page("P").encode()), Content_Encoding="gzip")
            ),
            record(f"{SITE}/moved", http("", "301 Moved Permanently", Location="/packed")),
            record(f"{SITE}/gone", http(page("Gone"), "410 Gone")),
            record(f"{SITE}/alone", http(page("Alone", "/beyond"))),
            record(f"{SITE}/busy", http("", "503 Busy", Retry_After="100")),
        ],
    )
    rows = imported(archive, tmp_path / "a.gossamer")
    assert {path: row.outcome for path, row in rows.items()} == {
        "/": Outcome.PAGE,
        "/a": Outcome.PAGE,
        "/packed": Outcome.PAGE,
        "/moved": Outcome.REDIRECT,
        "/gone": Outcome.CLIENT_ERROR,
        "/not-here": Outcome.NOT_IN_ARCHIVE,
        "/alone": Outcome.PAGE,
        "/beyond": Outcome.NOT_IN_ARCHIVE,
    }
    assert rows["/packed"].title == "P"
    assert rows["/a"].fetched_at == 1714564800.0
    alone = imported(archive, tmp_path / "b.gossamer", unlinked=False)
    assert "/alone" not in alone


def test_of_several_captures_the_wanted_one_counts(tmp_path: Path) -> None:
    records_of_one = [
        record(f"{SITE}/", http(page(title)), Date=f"{year}-01-01T00:00:00Z")
        for year, title in ((2022, "Second"), (2020, "First"), (2024, "Third"))
    ]
    # The field stands twice, and the first counts.
    records_of_one = [
        each.replace(b"WARC-Date: 2024-05-01T12:00:00Z\r\n", b"", 1) for each in records_of_one
    ]
    archive = write_warc(tmp_path / "a.warc.gz", records_of_one)
    titles = [
        imported(archive, tmp_path / f"{number}.gossamer", moment)["/"].title
        for number, moment in enumerate((LAST_CAPTURE, 0.0, 1.65e9))
    ]
    assert titles == ["Third", "First", "Second"]


def test_a_revisit_has_the_body_of_an_earlier_record(tmp_path: Path) -> None:
    later = {"Date": "2025-01-01T00:00:00Z", "Payload_Digest": "sha1:X"}
    again = record(f"{SITE}/", http("", X_Later="yes"), "revisit", **later).replace(
        b"WARC-Date: 2024-05-01T12:00:00Z\r\n", b"", 1
    )
    first = record(f"{SITE}/", http(page("Once"), Content_Length="91"), Payload_Digest="sha1:X")
    archive = write_warc(tmp_path / "a.warc.gz", [first, again])
    row = imported(archive, tmp_path / "a.gossamer")["/"]
    assert (row.title, row.outcome) == ("Once", Outcome.PAGE)
    assert row.fetched_at == 1735689600.0


def test_a_revisit_never_has_a_body_with_another_digest(tmp_path: Path) -> None:
    first = record(f"{SITE}/", http(page("Once"), Content_Length="91"), Payload_Digest="sha1:X")
    other = record(f"{SITE}/b", http(page("Other")), Payload_Digest="sha1:Y")
    again = record(
        f"{SITE}/b", http(""), "revisit", Date="2025-01-01T00:00:00Z", Payload_Digest="sha1:X"
    ).replace(b"WARC-Date: 2024-05-01T12:00:00Z\r\n", b"", 1)
    whole, alone = (
        write_warc(tmp_path / f"{name}.warc.gz", records)
        for name, records in (("a", [first, other, again]), ("b", [other, again]))
    )
    assert imported(whole, tmp_path / "a.gossamer")["/b"].title == "Once"
    assert imported(alone, tmp_path / "b.gossamer")["/b"].title is None


def test_a_damaged_answer_is_told_as_such(tmp_path: Path) -> None:
    body = page("Cut", "/a")
    archive = write_warc(
        tmp_path / "a.warc.gz",
        [
            record(
                f"{SITE}/",
                http(body[:60], Content_Length=str(len(body))),
                Truncated="disconnect",
            )
        ],
    )
    assert imported(archive, tmp_path / "a.gossamer")["/"].outcome is Outcome.PAGE_INCOMPLETE


def test_a_wacz_file_says_where_to_begin(tmp_path: Path) -> None:
    pages = [record(f"{SITE}/{name}", http(page(name))) for name in ("first", "seed")]
    archive = write_wacz(tmp_path / "a.wacz", gzipped(pages), [f"{SITE}/seed"])
    rows = imported(archive, tmp_path / "a.gossamer", unlinked=False)
    assert list(rows) == ["/seed"]


def test_an_archive_without_a_page_is_refused(tmp_path: Path) -> None:
    archive = write_warc(tmp_path / "a.warc", [record(f"{SITE}/x", b"x", "resource", "text/plain")])
    with pytest.raises(UsageError, match="no HTML page"):
        imported(archive, tmp_path / "a.gossamer")


def test_an_archive_says_what_a_crawl_of_the_site_said(site: Site, tmp_path: Path) -> None:
    """The same answers, from a server and from an archive, make the same tables."""
    texts: dict[str, Any] = {
        "/": page("Home", "/a", "/b?x=1", "/old", "/missing", "mailto:x@example.com"),
        "/a": page("A page", "/", "/b?x=1#part"),
        "/b?x=1": page("B page", "/a"),
    }
    kept = []
    for path, text in texts.items():
        site.file(path, text.encode(), "text/html; charset=utf-8")
        kept.append(record(site.url(path), http(text, Content_Length=str(len(text)))))
    live, offline = tmp_path / "live.gossamer", tmp_path / "offline.gossamer"
    settings: dict[str, Any] = {"soft_404_probe": False, "llms_txt": False, "obey_robots": False}
    crawl_all(live, site.url("/"), **settings)
    found = records(live)
    archive = write_warc(tmp_path / "a.warc.gz", kept)
    imported(archive, offline, settings=CrawlSettings(roots=(site.url("/"),), **settings))
    again = records(offline)
    told = [url for url, row in found.items() if row.outcome is Outcome.PAGE]
    assert len(told) == len(texts)
    for url in told:
        assert known_of(again[url]) == known_of(found[url])


def known_of(row: UrlRecord) -> tuple[object, ...]:
    """What server and archive tell alike."""
    return (
        *(row.title, row.depth, row.inlinks, row.outlinks, row.content_hash, row.word_count),
        *(row.size_bytes, row.content_type, row.status, row.charset),
    )


def test_an_exported_wacz_file_holds_the_same_site(tmp_path: Path) -> None:
    archive = write_warc(
        tmp_path / "a.warc.gz",
        [
            record(f"{SITE}/", http(page("Home", "/a"))),
            record(f"{SITE}/a", http(page("A", "/"))),
        ],
    )
    first = imported(archive, tmp_path / "first.gossamer")
    out = tmp_path / "site.wacz"
    told_of: list[tuple[int, int]] = []
    result = ArchiveRequest(ARCHIVE_EXPORTS["wacz"], out).write(
        tmp_path / "first.gossamer", lambda *far: told_of.append(far), lambda: False
    )
    assert result.rows == len(first)
    assert told_of == sorted(set(told_of))
    assert (told_of[0], told_of[-1]) == ((0, 100), (100, 100))
    assert len(told_of) > 3, "the copy tells how far it is, not only the list of pages"
    with zipfile.ZipFile(out) as package:
        told = json.loads(package.read("datapackage.json"))
        assert told["mainPageUrl"] == f"{SITE}/"
        for each in told["resources"]:
            data = package.read(each["path"])
            assert each["hash"] == f"sha256:{hashlib.sha256(data).hexdigest()}"
            assert each["bytes"] == len(data)
        assert {each.compress_type for each in package.infolist()} == {zipfile.ZIP_STORED}
    again = imported(out, tmp_path / "again.gossamer")
    assert {url: known_of(row) for url, row in again.items()} == {
        url: known_of(row) for url, row in first.items()
    }


def test_the_archive_of_a_crawl_makes_the_same_project_again(site: Site, tmp_path: Path) -> None:
    """Links, outcomes and issues are those of the crawl, also of what its archive did not keep.

    Of a page whose bytes in the archive are not what was stored, the facts of the crawl count.
    """
    nowhere = "http://127.0.0.1:1/"
    site.page("/", links=["/a", "/old", "/missing", "/empty", "/false", "/picture.png", nowhere])
    site.page("/a", links=["/", "/picture.png"])
    site.redirect("/old", "/a")
    site.raw("/empty", b"HTTP/1.1 204 No Content\r\n\r\n")
    site.raw("/false", OK + b"Content-Encoding: gzip\r\nContent-Length: 9\r\n\r\n<p>no</p>")
    site.file("/picture.png", b"\x89PNG", "image/png")
    first, again = tmp_path / "first.gossamer", tmp_path / "again.gossamer"
    changes = {"soft_404_probe": False, "llms_txt": False, "check_external": True, "max_tries": 1}
    crawl_all(first, site.url("/"), archive=True, **changes)
    with closing_connection(sqlite3.connect(first)) as connection, connection:
        connection.execute(
            "UPDATE archive_record SET digest = zeroblob(32) WHERE id ="
            " (SELECT id FROM url WHERE url = ?)",
            (site.url("/a"),),
        )
    source, settings = source_of_project(first)
    asked = len(site.requests)
    index_archives(source)

    async def main() -> None:
        session = create_import(settings, source, again, sessions(), begins_series=True)
        async with closing(session):
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED, session.progress

    run(main())
    assert len(site.requests) == asked
    found, told = records(first), records(again)
    assert {url: (row.outcome, *known_of(row)) for url, row in told.items()} == {
        url: (row.outcome, *known_of(row)) for url, row in found.items()
    }
    assert found[nowhere].outcome is Outcome.CONNECTION_REFUSED
    assert found[site.url("/false")].outcome is Outcome.BROKEN_ENCODING
    with Reader(first) as before, Reader(again) as after:
        assert after.issue_counts() == before.issue_counts()


def test_an_exported_archive_keeps_the_response_times(site: Site, tmp_path: Path) -> None:
    """Where the project is not beside it any more, its metadata records have them."""
    site.page("/", links=["/a", "/old"])
    site.page("/a")
    site.redirect("/old", "/a")
    first, out = tmp_path / "first.gossamer", tmp_path / "site.wacz"
    crawl_all(first, site.url("/"), archive=True, soft_404_probe=False, llms_txt=False)
    ArchiveRequest(ARCHIVE_EXPORTS["wacz"], out).write(first, None, lambda: False)
    times = {url: (row.ttfb_ms, row.elapsed_ms) for url, row in records(first).items()}
    imported(out, tmp_path / "again.gossamer")
    assert {
        url: (row.ttfb_ms, row.elapsed_ms)
        for url, row in records(tmp_path / "again.gossamer").items()
    } == times


def test_a_project_without_archive_says_how_to_have_one(site: Site, tmp_path: Path) -> None:
    site.page("/")
    crawl_all(tmp_path / "a.gossamer", site.url("/"))
    with pytest.raises(UsageError, match="--archive"):
        source_of_project(tmp_path / "a.gossamer")
