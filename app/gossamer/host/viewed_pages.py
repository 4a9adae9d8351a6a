"""Makes a view of a page that the archive has: sanitised, with the pictures that it has besides."""

from pathlib import Path

from msgspec.structs import replace

from gossamer.archive.warc_reading import ArchiveReadError, StoredAnswer, read_answer
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.image_files import drawing_of, format_of
from gossamer.extract.page_view import page_view
from gossamer.fetch.stored_head import stored_head
from gossamer.host.stored_sources import read_or_reason
from gossamer.model.archive_record import archive_folder
from gossamer.model.messages.page_contents_messages import PageAnswer
from gossamer.model.messages.page_image_messages import DECODED, ImageFile, ImageFormat
from gossamer.model.messages.stored_page_messages import (
    MAX_PICTURE_BYTES,
    VIEWED_BYTES,
    ViewedPage,
    ViewStored,
)
from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Translatable, said
from gossamer.store.reading.base_reader import BaseReader


def view_stored(wish: ViewStored) -> ViewedPage:
    """The view of a page, or the reason why there is none. ProjectError for a damaged project."""
    folder = archive_folder(Path(wish.project))
    answer = read_or_reason(folder, wish.record, wish.url)
    if isinstance(answer, Translatable):
        return ViewedPage(wish.number, wish.url, reason=answer)
    head = stored_head(answer.version, answer.status, answer.reason, answer.headers)
    if not head.is_html:
        return ViewedPage(
            wish.number,
            wish.url,
            reason=said(
                "The content type is {type}; only HTML pages can be shown.", type=head.content_type
            ),
        )
    body, is_whole = answer.decoded(VIEWED_BYTES)
    view = page_view(utf_8_markup(body, head.charset), wish.url)
    return ViewedPage(
        wish.number,
        wish.url,
        view.html,
        _pictures(Path(wish.project), folder, view.images),
        answer.date,
        view.is_cut or not is_whole,
    )


def _pictures(project: Path, folder: Path, urls: list[str]) -> dict[int, ImageFile]:
    """Those that the archive has, by number, as long as there is room."""
    found: dict[int, ImageFile] = {}
    room = MAX_PICTURE_BYTES
    if not urls:
        return found
    with BaseReader(project) as reader:
        for number, url in enumerate(urls):
            known = reader.answer(url)
            record = None if known is None else reader.archive_record(known.id)
            if record is None:
                continue
            try:
                picture = _picture(url, read_answer(folder, record, url), room)
            except ArchiveReadError:
                continue
            room -= len(picture.body)
            found[number] = picture
    return found


def _picture(url: str, answer: StoredAnswer, room: int) -> ImageFile:
    """The file of an image; without its bytes where it cannot be shown, or there is no room."""
    body, is_whole = answer.decoded(room)
    read = PageAnswer(Outcome.FILE, answer.status, is_read=True)
    found = ImageFile(0, url, read, size_bytes=len(body), format=format_of(body))
    if not is_whole:
        return found
    if found.format in DECODED:
        return replace(found, body=body)
    if found.format is not ImageFormat.SVG:
        return found
    width, height, is_harmless = drawing_of(body)
    return replace(found, body=body if is_harmless else b"", width=width, height=height)
