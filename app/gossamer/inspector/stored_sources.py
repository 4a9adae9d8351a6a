"""Reads the source of a page from the archive, and compares it with what the server sends now."""

from pathlib import Path

from msgspec.structs import replace

from gossamer.archive.project_archive_files import FOLDER_MISSING
from gossamer.archive.warc_reader import (
    ArchiveReadError,
    OtherResponseError,
    StoredDom,
    StoredResponse,
    read_dom,
    read_response,
)
from gossamer.extract.page_source import readable
from gossamer.extract.text_comparison import side_by_side
from gossamer.fetch.response_head import BodyHandling, text_reading_of
from gossamer.fetch.stored_response_head import stored_head
from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.messages.inspection_messages import (
    SOURCE_BYTES,
    PageSource,
    ReadStored,
    StoredSource,
)
from gossamer.model.messages.page_contents_messages import SideBySide
from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Translatable, said


def read_stored(request: ReadStored) -> StoredSource:
    """The archived source, or the reason why there is none."""
    record = request.record
    response = read_or_reason(Path(request.folder), record, request.url)
    if isinstance(response, Translatable):
        return StoredSource(request.number, request.url, reason=response)
    return StoredSource(
        request.number,
        request.url,
        _source_of(request.url, response),
        response.date,
        repeats=record.kind is RecordKind.REVISIT,
    )


def read_or_reason(folder: Path, record: ArchiveRecord, url: str) -> StoredResponse | Translatable:
    """The archived response for `url` with its body, or the reason why there is none."""
    try:
        response = read_response(folder, record, url)
    except OtherResponseError:
        return _another(folder / record.file)
    except ArchiveReadError:
        return _why_unreadable(folder, record)
    return _unchanged() if response.body is None else response


def dom_or_reason(folder: Path, record: ArchiveRecord, url: str) -> StoredDom | Translatable:
    """The archived DOM of the page at `url`, or the reason why there is none."""
    try:
        return read_dom(folder, record, url)
    except OtherResponseError:
        return _another(folder / record.file)
    except ArchiveReadError:
        return _why_unreadable(folder, record)


def difference_of(stored: PageSource, now: PageSource) -> SideBySide:
    """The lines of two sources side by side."""
    shown = side_by_side(stored.text.split("\n"), now.text.split("\n"))
    return replace(shown, is_cut=shown.is_cut or stored.truncated or now.truncated)


def _why_unreadable(folder: Path, record: ArchiveRecord) -> Translatable:
    path = folder / record.file
    if record.node and not path.is_file():
        return said(
            "The archive file {name} is on the node {node}; copy it from {there} to {here}.",
            name=record.file,
            node=record.node,
            there=record.folder,
            here=folder,
        )
    if not folder.is_dir():
        return said(FOLDER_MISSING, path=folder)
    if not path.is_file():
        return said("The archive file {path} is missing; put it back where it was.", path=path)
    return said(
        "The record of this page in {path} is damaged; crawl the site again to store it again.",
        path=path,
    )


def _another(path: Path) -> Translatable:
    return said(
        "The record at the position of this page in {path} is not the one that the crawl "
        "stored: its address or its digest differs. Put the original file back, or crawl the "
        "site again.",
        path=path,
    )


def _unchanged() -> Translatable:
    return said(
        "The server said that the page has not changed (304), so the archive has no source of it."
    )


def _source_of(url: str, response: StoredResponse) -> PageSource:
    head = stored_head(response.version, response.status, response.reason, response.headers)
    body, is_whole = response.decoded(SOURCE_BYTES)
    is_text = text_reading_of(head) is BodyHandling.WHOLE
    text, encoding = readable(body, head.charset) if body and is_text else ("", "")
    return PageSource(
        number=0,
        url=url,
        outcome=Outcome.FILE,
        status=head.status,
        reason=head.reason,
        content_type=head.content_type,
        charset=encoding,
        text=text,
        is_text=is_text or not body,
        truncated=not is_whole,
        headers=head.headers,
    )
