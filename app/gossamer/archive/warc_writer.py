"""Keeps what a page worker fetches in WARC files: request, facts of the crawl, and response."""

from asyncio import to_thread
from functools import partial
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from gossamer.archive.archive_files import ArchiveFiles
from gossamer.archive.kept_responses import KeptResponses
from gossamer.archive.response_records import (
    ResponseIdentity,
    StoredPayload,
    dom_member,
    kept_body,
    records_of,
)
from gossamer.archive.warc_records import payload_digest
from gossamer.fetch.http_response import HttpResponse
from gossamer.fetch.response_head import BodyHandling, ResponseHead
from gossamer.model.archive_record import ArchiveLocation, ArchiveRecord, RecordKind
from gossamer.model.bounded_dict import drop_oldest
from gossamer.model.crawl_clock import CLOCK
from gossamer.model.crawl_path import CrawlPath
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import without_fragment, without_userinfo

MAX_PAYLOADS: Final = 20_000
"""Payloads that a worker recognises: some 10 MB."""
_LEAST_REPEATED_BYTES: Final = 512
"""A smaller body takes no more room than a reference to it."""
_LARGE_BYTES: Final = 2 * 1024 * 1024
"""Bodies from this size on are compressed in a thread. Smaller ones take some milliseconds, and
each thread keeps memory of its own."""


class WarcWriter:
    """The archive of a fetcher: writes the records of what `KeptResponses` says is kept."""

    def __init__(self, place: ArchiveLocation, settings: CrawlSettings) -> None:
        """Keep at `place` what the settings want kept."""
        self._files = ArchiveFiles(
            Path(place.folder), settings.user_agent, writer=place.writer, clock=CLOCK.now
        )
        self._node, self._folder = place.node, place.folder if place.node else ""
        self._wanted = KeptResponses(settings)
        self.max_bytes = settings.archive_max_bytes
        self._keeps_secrets = settings.archive_secrets
        self._keeps_dom = settings.archive_dom
        self._payloads: dict[bytes, StoredPayload] = {}
        """Complete bodies in the file being written, by digest."""
        self._file = ""
        self._paths: dict[str, CrawlPath | None] = {}
        """How the URLs being requested were reached."""
        self._kept: dict[str, ResponseIdentity] = {}
        """Their responses that are kept, if DOMs are, too."""

    def close(self) -> None:
        """End the file being written; later records go into another one."""
        self._files.close()

    def handling(self, head: ResponseHead, handling: BodyHandling) -> BodyHandling:
        """Have bodies read that are kept but not read otherwise."""
        return self._wanted.body_handling(head, handling)

    def wants_body(self, head: ResponseHead) -> bool:
        """Whether this is a file that is kept."""
        return self._wanted.wants_body(head)

    def note_path(self, url: str, path: CrawlPath | None) -> None:
        """Have the records of `url` say that it was reached by `path`, until `forget`."""
        self._paths[url] = path

    def forget(self, url: str) -> None:
        """End what `note_path` began: nothing more is kept of `url`."""
        self._paths.pop(url, None)
        self._kept.pop(url, None)

    async def keep(
        self, url: str, response: HttpResponse, visit: Visit, loaded_by: str = ""
    ) -> Visit:
        """Keep the response, if it counts and is to be kept."""
        if not self._wanted.keeps(response, visit):
            return visit
        path = self._paths.get(loaded_by or url)
        if path is not None and loaded_by:
            path = path.extended(without_userinfo(without_fragment(loaded_by))[0], "E")
        target = without_fragment(url)
        if "@" in target:
            target = without_userinfo(target)[0]
        try:
            kept, record = await self._record(target, response, visit, path)
        except OSError as e:
            return replace(visit, archive_errno=e.errno or -1)
        if self._keeps_dom and url in self._paths and not loaded_by:
            self._kept[url] = kept
        return self._with_record(visit, record)

    async def keep_dom(self, url: str, dom: str, visit: Visit, *, is_cut: bool) -> Visit:
        """Keep the DOM that scripts made of the page at `url`, if its response was kept.

        `is_cut` if there was more of it.
        """
        response = self._kept.get(url)
        if response is None or visit.archive_errno:
            return visit
        target = without_userinfo(url)[0]

        def member() -> tuple[bytes, bytes]:
            data, is_whole = _beginning(dom, self.max_bytes)
            digest = payload_digest([data])
            is_partial = is_cut or not is_whole
            return digest, dom_member(target, data, digest, response, is_cut=is_partial)

        digest, packed = await to_thread(member) if len(dom) >= _LARGE_BYTES else member()
        try:
            self._begin_file()
            place = self._files.append([packed])
        except OSError as e:
            return replace(visit, archive_errno=e.errno or -1)
        return self._with_record(visit, ArchiveRecord(RecordKind.DOM, *place, digest))

    def _with_record(self, visit: Visit, record: ArchiveRecord) -> Visit:
        if self._node:
            record = replace(record, node=self._node, folder=self._folder)
        return replace(visit, archived=[*visit.archived, record])

    async def _record(
        self, url: str, response: HttpResponse, visit: Visit, path: CrawlPath | None
    ) -> tuple[ResponseIdentity, ArchiveRecord]:
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
        kept = records.response
        if known is not None:
            return kept, ArchiveRecord(RecordKind.REVISIT, *place, digest, known.offset)
        if is_whole and size >= _LEAST_REPEATED_BYTES:
            self._payloads[digest] = StoredPayload(place.offset, url, kept.date, kept.id)
            if len(self._payloads) > MAX_PAYLOADS:
                drop_oldest(self._payloads)
        kind = RecordKind.NOT_MODIFIED if visit.not_modified else RecordKind.RESPONSE
        return kept, ArchiveRecord(kind, *place, digest)

    def _begin_file(self) -> None:
        """Ensure a file. Each is self-contained: what it repeats is in it."""
        name = self._files.begin()
        if name != self._file:
            self._file = name
            self._payloads.clear()


def _beginning(text: str, max_bytes: int) -> tuple[bytes, bool]:
    """The beginning of a text in UTF-8, without a part of a character, and whether that is all."""
    data = text.encode("utf-8", "replace")
    if len(data) <= max_bytes:
        return data, True
    return data[:max_bytes].decode("utf-8", "ignore").encode(), False
