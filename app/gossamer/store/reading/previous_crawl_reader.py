"""Reads the previous project of a recrawl: responses by URL, and whole visits with their links."""

import sqlite3
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import convert
from msgspec.structs import replace

from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.custom_definitions import CustomFailure, CustomResult
from gossamer.model.discovery_rank import SitemapRole
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.outcome_details import detail_of
from gossamer.model.previous_crawl import PreviousPage, PreviousResponse, PreviousText
from gossamer.model.rendering import Rendering
from gossamer.model.response_warnings import from_codes
from gossamer.model.site_checks import SiteCheck
from gossamer.model.visit import NO_LINKS, IndexedColumn, PageLinks, SparseColumn, Visit
from gossamer.store.bulk_insert import chunks, listed, marks
from gossamer.store.header_texts import HeaderTexts
from gossamer.store.project_summary import read_summary
from gossamer.store.reading.archive_reader import (
    read_dom_record,
    read_host_records,
    read_record_for_page,
    read_response_record,
)
from gossamer.store.reading.project_connection import ProjectConnection
from gossamer.store.reading.queries import BY_URL
from gossamer.store.reading.stored_renderings import read_rendering
from gossamer.store.reading.stored_visits import JOINED, SELECTED, visit_of
from gossamer.store.stored_texts import StoredTexts
from gossamer.store.writing.storable_text import clean_url
from gossamer.urls.url_parsing import origin, url_key, without_userinfo

_RESPONSE: Final = f"""
    SELECT u.id, u.outcome, u.listed, u.as_file, v.status, w.value, hn.value, v.header_values,
        c.value, v.content_hash, v.size_bytes, v.raw_bytes, v.redirect, v.fetched_at,
        v.unchanged_since
    FROM url u JOIN visit v ON v.id = u.id LEFT JOIN text c ON c.id = v.content_type
    LEFT JOIN text hn ON hn.id = v.header_names LEFT JOIN text w ON w.id = v.warnings
    WHERE u.id = ({BY_URL})
"""  # noqa: S608 - our own words
_FETCHED_AT: Final = f"SELECT fetched_at FROM visit WHERE id = ({BY_URL})"  # noqa: S608 - our own words
_TIMES: Final = "SELECT fetched_at, ttfb_ms, elapsed_ms FROM visit WHERE id = ?"
_VISIT: Final = (
    f"SELECT u.outcome, {SELECTED} FROM url u JOIN visit v ON v.id = u.id{JOINED} WHERE u.id = ?"  # noqa: S608 - our own words
)
_LINKS: Final = f"""
    SELECT target, kind, text, rel, element, fragment, traits, path, window FROM link
    WHERE source = ? AND kind <> {int(LinkKind.REDIRECT)} ORDER BY source, position
"""  # noqa: S608 - our own words
_MOST_KEPT: Final = 50_000
"""Texts, and URLs, that are kept from page to page: those of links come again and again."""
_CUSTOM: Final = """
    SELECT definition, value, failure FROM custom_value
    WHERE definition = ? AND id = ? ORDER BY position
"""
_ROBOTS: Final = """
    SELECT text, etag, last_modified, status, detail, fetched_at, '', 0 FROM robots
    WHERE origin = ? AND etag || last_modified <> ''
"""
_LLMS_TXT: Final = f"""
    SELECT text, etag, last_modified, status, detail, fetched_at, content_type, size_bytes
    FROM site_check WHERE origin = ? AND kind = {int(SiteCheck.LLMS_TXT)} AND final_url = ?
        AND etag || last_modified <> ''
"""  # noqa: S608 - our own words
_PAGES: Final = f"""
    SELECT u.id, u.url, coalesce(p.url, '') FROM url u LEFT JOIN url p ON p.id = u.parent
    WHERE u.id > ? AND u.outcome IN ({listed(PAGES)}) ORDER BY u.id LIMIT ?
"""  # noqa: S608 - our own words


class PreviousCrawlReader(ProjectConnection):
    """Reads one project for its recrawl. One thread at a time.

    Every method raises ProjectError when the file cannot be read any more, or holds what we never
    write.
    """

    def __init__(self, path: Path) -> None:
        """Open the project at `path`; ProjectError, in one sentence, if it cannot be used."""
        super().__init__(path)
        try:
            with self._reading():
                self.summary = read_summary(self._connection, path)
                self.program = str(self._one("SELECT program FROM project"))
                self._texts = _KeptTexts(self._connection, "SELECT id, value FROM text")
                self._page_texts = StoredTexts(self._connection)
                self._urls = _KeptTexts(self._connection, "SELECT id, url FROM url")
        except BaseException:
            self.close()
            raise

    def response(self, url: str) -> PreviousResponse | None:
        """The response for a URL; None if there was none."""
        url = clean_url(url)
        with self._reading():
            row = self._connection.execute(_RESPONSE, (url_key(url), url)).fetchone()
            return None if row is None else _response_of(row)

    def visit(self, url_id: int, definitions: Collection[int]) -> Visit | None:
        """The whole visit of the URL with this id, as the page worker reported it.

        None if it was read without the custom searches and extractions with these numbers.
        """
        with self._reading():
            cursor = self._connection.execute(_VISIT, (url_id,))
            found = cursor.fetchone()
            if found is None:
                return None
            row = dict(zip((name for name, *_ in cursor.description), found, strict=True))
            visit = visit_of(row, [], is_strict=True)
            targets, links = self._links_of(url_id)
            custom = self._custom_of(url_id, definitions) if visit.is_page_read else []
            if custom is None:
                return None
            if visit.location is not None:  # how far it is followed, this crawl decides
                visit = replace(visit, outcome=Outcome.REDIRECT)
            text = self._page_texts.of([url_id]).get(url_id)
            return replace(visit, targets=targets, links=links, custom=custom, text=text)

    def rendering(self, url_id: int) -> Rendering | None:
        """What a browser made of the page with this id; None if it was not to be rendered."""
        with self._reading():
            return read_rendering(self._connection, url_id)

    def times(self, url_id: int) -> tuple[float, int, int]:
        """`fetched_at`, `ttfb_ms` and `elapsed_ms` of the response for the URL with this id."""
        with self._reading():
            row = self._connection.execute(_TIMES, (url_id,)).fetchone()
        return float(row[0]), int(row[1] or 0), int(row[2] or 0)

    def archive_record(self, url_id: int) -> ArchiveRecord | None:
        """Where the project's archive has the response for the URL with this id, if it does."""
        with self._reading():
            return read_response_record(self._connection, url_id)

    def dom_record(self, url_id: int) -> ArchiveRecord | None:
        """Where its archive has the DOM that scripts made of the page with this id."""
        with self._reading():
            return read_dom_record(self._connection, url_id)

    def host_record(self, url: str) -> ArchiveRecord | None:
        """Where its archive has the response for a text of a host, such as its robots.txt."""
        with self._reading():
            records = read_host_records(self._connection, clean_url(without_userinfo(url)[0]))
        return records[0] if records else None

    def archived_at(self, url: str) -> ArchiveRecord | None:
        """Where the archive has a response for `url`: its own, or one to a rendered page."""
        known = self.response(url)
        record = None if known is None else self.archive_record(known.id)
        if record is not None:
            return record
        with self._reading():
            return read_record_for_page(self._connection, url)

    def text(self, url: str) -> PreviousText | None:
        """The robots.txt or llms.txt at this very URL; None if there was none, or a redirect."""
        site = origin(url)
        is_robots = url == f"{site}/robots.txt"
        query, values = (_ROBOTS, (site,)) if is_robots else (_LLMS_TXT, (site, url))
        with self._reading():
            row = self._connection.execute(query, values).fetchone()
        if row is None:
            return None
        text, etag, last_modified, status, detail, fetched_at, content_type, size_bytes = row
        named = (("ETag", etag), ("Last-Modified", last_modified))
        visit = Visit(
            Outcome.FILE,
            status=status,
            headers=[(name, value) for name, value in named if value],
            detail=detail_of(detail),
            fetched_at=float(fetched_at),
            content_type=content_type,
            size_bytes=int(size_bytes),
        )
        return PreviousText(visit, text)

    def pages(self, after: int, limit: int) -> list[PreviousPage]:
        """Up to `limit` pages with an id above `after`, by id."""
        with self._reading():
            rows = self._connection.execute(_PAGES, (after, limit)).fetchall()
            return [convert(row, PreviousPage) for row in rows]

    def fetched_at(self, urls: Sequence[str]) -> dict[str, float]:
        """When each of `urls` that got a response was requested."""
        found = {}
        with self._reading():
            for url in map(clean_url, urls):
                row = self._connection.execute(_FETCHED_AT, (url_key(url), url)).fetchone()
                if row is not None:
                    found[url] = float(row[0])
        return found

    def _links_of(self, url_id: int) -> tuple[list[str], PageLinks]:
        """The targets and links of a page; by columns, whose texts are looked up once."""
        rows = self._connection.execute(_LINKS, (url_id,)).fetchall()
        if not rows:
            return [], NO_LINKS
        targets, kinds, text, rel, element, fragment, traits, path, window = zip(*rows, strict=True)
        places = {target: place for place, target in enumerate(dict.fromkeys(targets))}
        urls = self._urls.of(places)
        texts = self._texts.of({*text, *rel, *element, *fragment, *path, *window} - {None})

        def told(column: Iterable[int | None]) -> list[str]:
            return list(map(texts.__getitem__, column))

        links = PageLinks(
            list(map(places.__getitem__, targets)),
            bytes(kinds),
            told(text),
            SparseColumn.of(told(rel)),
            SparseColumn.of(told(element)),
            SparseColumn.of(told(fragment)),
            list(traits) if any(traits) else [],
            IndexedColumn.of(told(path)),
            SparseColumn.of(told(window)),
        )
        return [urls[target] for target in places], links

    def _custom_of(self, url_id: int, definitions: Collection[int]) -> list[CustomResult] | None:
        found = []
        for number in definitions:
            rows = self._connection.execute(_CUSTOM, (number, url_id)).fetchall()
            if not rows:
                return None
            failure = rows[0][2]
            values = [value for _, value, _ in rows if value is not None]
            known = None if failure is None else CustomFailure(failure)
            found.append(CustomResult(number, values, known))
        return found

    def _one(self, sql: str, *values: int) -> Any:  # noqa: ANN401 - what stands there
        return self._connection.execute(sql, values).fetchone()[0]


class _KeptTexts:
    """Texts by their ids, read when first needed; the latest are cached."""

    def __init__(self, connection: sqlite3.Connection, query: str) -> None:
        self._connection = connection
        self._query = query
        self._kept: dict[int | None, str] = {None: ""}

    def of(self, ids: Collection[int]) -> dict[int | None, str]:
        """Those of these ids, and others; ValueError if one is not there."""
        missing = [each for each in ids if each not in self._kept]
        if missing and len(self._kept) + len(missing) > _MOST_KEPT:
            self._kept, missing = {None: ""}, list(ids)
        for chunk in chunks(missing):
            query = f"{self._query} WHERE id IN ({marks(len(chunk))})"
            self._kept.update(self._connection.execute(query, chunk).fetchall())
        if any(each not in self._kept for each in missing):
            raise ValueError("a link has a text or a target that is not there")
        return self._kept


def _response_of(row: tuple[Any, ...]) -> PreviousResponse:
    url_id, outcome, role, as_file, status, warnings, names, values, *more = row
    content_type, content_hash, size_bytes, raw_bytes, location, fetched_at, since = more
    return PreviousResponse(
        id=url_id,
        outcome=Outcome(outcome),
        listed=SitemapRole(role),
        as_file=bool(as_file),
        status=status,
        warnings=() if warnings is None else from_codes(warnings),
        headers=HeaderTexts(names or "", values).headers,
        content_type=content_type or "",
        content_hash=content_hash,
        size_bytes=None if size_bytes is None else int(size_bytes),
        raw_bytes=int(raw_bytes),
        location=location,
        fetched_at=float(fetched_at),
        unchanged_since=None if since is None else float(since),
    )
