"""Keeps what a page worker fetches in WARC files: request, facts of the crawl, and response."""

from asyncio import to_thread
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.archive.archive_files import ArchiveFiles
from gossamer.archive.response_records import StoredPayload, kept_body, records_of
from gossamer.archive.warc_records import payload_digest
from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.http_statuses import NO_CONTENT, SUCCESS
from gossamer.fetch.response_head import BodyHandling, ResponseHead
from gossamer.model.archive_record import ArchiveLocation, ArchiveRecord, RecordKind
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.settings.archive_settings import ArchiveContent
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode, Visit
from gossamer.urls.url_parsing import without_fragment, without_userinfo

MAX_PAYLOADS: Final = 20_000
"""Payloads that a worker recognises: some 10 MB."""
_LEAST_REPEATED_BYTES: Final = 512
"""A smaller body takes no more room than a reference to it."""
_LARGE_BYTES: Final = 2 * 1024 * 1024
"""Bodies from this size on are compressed in a thread. Smaller ones take some milliseconds, and
each thread keeps memory of its own."""
_RESOURCES: Final = lazy_pattern(
    r"image/.*|font/.*|text/css|.*/(?:x-)?(?:java|ecma)script|application/(?:x-)?font.*"
    r"|application/manifest\+json|application/wasm|text/vtt"
)
_READ: Final = frozenset(
    {
        *(BodyHandling.PAGE, BodyHandling.ERROR_PAGE, BodyHandling.SNIFFED),
        *(BodyHandling.WHOLE, BodyHandling.ARCHIVED, BodyHandling.STYLE_SHEET),
    }
)


class WarcWriter:
    """The archive of a fetcher: decides which bodies are kept, and writes the records."""

    def __init__(self, place: ArchiveLocation, settings: CrawlSettings) -> None:
        """Keep at `place` what the settings want kept."""
        self._files = ArchiveFiles(
            Path(place.folder), settings.user_agent, writer=place.writer, clock=CLOCK.now
        )
        self._node, self._folder = place.node, place.folder if place.node else ""
        self._content = settings.archive_content
        self._types = tuple(each.lower() for each in settings.archive_types)
        self.max_bytes = settings.archive_max_bytes
        self._keeps_secrets = settings.archive_secrets
        self._payloads: dict[bytes, StoredPayload] = {}
        """Complete bodies in the file being written, by digest."""
        self._file = ""
        self._paths: dict[str, CrawlPath] = {}
        """How the URLs being requested were reached."""

    def close(self) -> None:
        """End the file being written; later records go into another one."""
        self._files.close()

    def handling(self, head: ResponseHead, handling: BodyHandling) -> BodyHandling:
        """Have bodies read that are kept but not read otherwise."""
        if handling is not BodyHandling.NONE:
            return handling
        is_file = head.status // 100 == SUCCESS and head.status not in NO_CONTENT
        is_kept = not is_file or self.wants_body(head)
        return BodyHandling.ARCHIVED if is_kept else handling

    def wants_body(self, head: ResponseHead) -> bool:
        """Whether this is a file that is kept."""
        if head.status // 100 != SUCCESS or head.is_html or head.status in NO_CONTENT:
            return False
        is_kept = is_file_kept(head.content_type, self._content)
        return is_kept and is_type_kept(head.content_type, self._types)

    def note_path(self, url: str, path: CrawlPath | None) -> None:
        """Have the records of `url` say that it was reached by `path`, until that is None."""
        if path is None:
            self._paths.pop(url, None)
        else:
            self._paths[url] = path

    async def keep(
        self, url: str, response: HttpResponse, visit: Visit, loaded_by: str = ""
    ) -> Visit:
        """Keep the response, if it counts and is to be kept."""
        if not _is_to_keep(response) or not self._is_of_kept_type(response, visit):
            return visit
        path = self._paths.get(loaded_by or url)
        if path is not None and loaded_by:
            path = path.extended(without_userinfo(without_fragment(loaded_by))[0], "E")
        url = without_fragment(url)
        if "@" in url:
            url = without_userinfo(url)[0]
        try:
            record = await self._record(url, response, visit, path)
        except OSError as e:
            return replace(visit, archive_errno=e.errno or -1)
        if self._node:
            record = replace(record, node=self._node, folder=self._folder)
        return replace(visit, archived=[*visit.archived, record])

    def _is_of_kept_type(self, response: HttpResponse, visit: Visit) -> bool:
        """Whether its type is kept; for sitemaps and responses without content, any type is."""
        head = response.head
        if head is None or head.status // 100 != SUCCESS or head.status in NO_CONTENT:
            return True
        if response.reading is BodyHandling.WHOLE:
            return True
        if response.reading is BodyHandling.STYLE_SHEET:
            return self.wants_body(head)
        is_unnamed_page = response.reading is BodyHandling.SNIFFED and visit.facts is not None
        return is_type_kept("text/html" if is_unnamed_page else head.content_type, self._types)

    async def _record(
        self, url: str, response: HttpResponse, visit: Visit, path: CrawlPath | None
    ) -> ArchiveRecord:
        body, truncation = kept_body(response, self.max_bytes)
        size = sum(map(len, body))
        is_large = size >= _LARGE_BYTES
        digest = await to_thread(payload_digest, body) if is_large else payload_digest(body)
        self._begin_file()
        is_whole = truncation is None and not visit.not_modified
        known = self._payloads.get(digest) if is_whole else None
        make_records = partial(
            records_of,
            *(url, response, visit, body, digest, truncation),
            repeats=known,
            path=path,
            keeps_secrets=self._keeps_secrets,
        )
        if is_large and known is None:
            records = await to_thread(make_records)
            self._begin_file()  # another record may have filled it meanwhile
        else:
            records = make_records()
        place = self._files.append(records.members)
        if known is not None:
            return ArchiveRecord(RecordKind.REVISIT, *place, digest, known.offset)
        if is_whole and size >= _LEAST_REPEATED_BYTES:
            self._payloads[digest] = StoredPayload(place.offset, url, records.date, records.id)
            if len(self._payloads) > MAX_PAYLOADS:
                drop_oldest(self._payloads)
        kind = RecordKind.NOT_MODIFIED if visit.not_modified else RecordKind.RESPONSE
        return ArchiveRecord(kind, *place, digest)

    def _begin_file(self) -> None:
        """Ensure a file. Each is self-contained: what it repeats is in it."""
        name = self._files.begin()
        if name != self._file:
            self._file = name
            self._payloads.clear()


def _is_to_keep(response: HttpResponse) -> bool:
    """Whether the response counts, and its body was read, or not sent again."""
    wire, head = response.wire, response.head
    if wire is None or wire.message is None or head is None:
        return False
    if response.repeat_mode is not FetchMode.USUAL or wire.request.startswith(b"HEAD "):
        return False
    return response.reading in _READ


def is_file_kept(content_type: str, content: ArchiveContent) -> bool:
    """Whether a file of this MIME type, other than a page, is kept."""
    match content:
        case ArchiveContent.HTML:
            return False
        case ArchiveContent.RESOURCES:
            return _RESOURCES.fullmatch(content_type) is not None
        case ArchiveContent.EVERYTHING:
            return True


def is_type_kept(content_type: str, types: Sequence[str]) -> bool:
    """Whether a MIME type is among these, in lower case, or all are kept.

    A type such as "image/*" matches all of its subtypes.
    """
    whole = f"{content_type.partition('/')[0]}/*"
    return not types or content_type in types or whole in types
