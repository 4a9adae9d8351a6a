"""Makes a view of an archived page: as a browser shows it, or its text and images."""

from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from gossamer.archive.warc_reader import ArchiveReadError, StoredResponse, read_response
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.image_files import drawing_of, format_of
from gossamer.extract.page_view import page_view
from gossamer.fetch.stored_response_head import stored_head
from gossamer.inspector.stored_sources import read_or_reason
from gossamer.ipc.child_loop import ending_within
from gossamer.model.archive_record import archive_folder
from gossamer.model.messages.page_contents_messages import PageFetchOutcome
from gossamer.model.messages.page_image_messages import DECODED, ImageFile, ImageFormat
from gossamer.model.messages.stored_page_messages import (
    MAX_IMAGES_BYTES,
    VIEWED_BYTES,
    FullPageScreenshot,
    ViewedPage,
    ViewStored,
)
from gossamer.model.outcome import Outcome
from gossamer.model.translatable import Translatable, said
from gossamer.store.reading.previous_crawl_reader import PreviousCrawlReader

_LOOK_S: Final = 20.0
"""For reading an archived page, which takes a second at most unless it is malicious."""
_SHOW_S: Final = 60.0
"""For a browser to show it."""


class _Page(NamedTuple):
    """A page as it was archived."""

    body: bytes
    charset: str | None
    date: str
    is_whole: bool


async def view_stored(request: ViewStored, browser: str) -> ViewedPage:
    """The view of a page, or the reason why there is none. ProjectError for a damaged project.

    `browser` is the one that the settings choose, "" for the one of this computer.
    """
    with ending_within(_LOOK_S):
        page = _page(request)
    if isinstance(page, Translatable):
        return ViewedPage(request.number, request.url, reason=page)
    why = None
    if request.screen is not None:
        from gossamer.inspector import archived_page_screenshots  # noqa: PLC0415 - it takes much to import

        with ending_within(_SHOW_S):
            shown = await archived_page_screenshots.archived_page_screenshot(
                Path(request.project), request.url, page.body, page.charset, request.screen, browser
            )
        if isinstance(shown, FullPageScreenshot):
            is_cut = shown.is_cut or not page.is_whole
            return ViewedPage(request.number, request.url, "", {}, page.date, is_cut, shown)
        why = shown
    with ending_within(_LOOK_S):
        return replace(_text_view(request, page), no_screenshot=why)


def _page(request: ViewStored) -> _Page | Translatable:
    response = read_or_reason(archive_folder(Path(request.project)), request.record, request.url)
    if isinstance(response, Translatable):
        return response
    head = stored_head(response.version, response.status, response.reason, response.headers)
    if not head.is_html:
        return said(
            "The content type is {type}; only HTML pages can be shown.", type=head.content_type
        )
    body, is_whole = response.decoded(VIEWED_BYTES)
    return _Page(body, head.charset, response.date, is_whole)


def _text_view(request: ViewStored, page: _Page) -> ViewedPage:
    """The view of a page as text, tables and links, with the archived images."""
    view = page_view(utf_8_markup(page.body, page.charset), request.url)
    project = Path(request.project)
    images = _images(project, archive_folder(project), view.images)
    is_cut = view.is_cut or not page.is_whole
    return ViewedPage(request.number, request.url, view.html, images, page.date, is_cut)


def _images(project: Path, folder: Path, urls: list[str]) -> dict[int, ImageFile]:
    """The archived images, by number, as long as there is room."""
    found: dict[int, ImageFile] = {}
    room = MAX_IMAGES_BYTES
    if not urls:
        return found
    with PreviousCrawlReader(project) as reader:
        for number, url in enumerate(urls):
            known = reader.response(url)
            record = None if known is None else reader.archive_record(known.id)
            if record is None:
                continue
            try:
                image = _image(url, read_response(folder, record, url), room)
            except ArchiveReadError:
                continue
            room -= len(image.body)
            found[number] = image
    return found


def _image(url: str, response: StoredResponse, room: int) -> ImageFile:
    """The file of an image; without its bytes if it cannot be shown, or there is no room."""
    body, is_whole = response.decoded(room)
    read = PageFetchOutcome(Outcome.FILE, response.status, is_read=True)
    found = ImageFile(0, url, read, size_bytes=len(body), format=format_of(body))
    if not is_whole:
        return found
    if found.format in DECODED:
        return replace(found, body=body)
    if found.format is not ImageFormat.SVG:
        return found
    width, height, is_harmless = drawing_of(body)
    return replace(found, body=body if is_harmless else b"", width=width, height=height)
