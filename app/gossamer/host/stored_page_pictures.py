"""Has a browser show a page that the archive has, with what the archive has of what it loads.

Nothing else is asked for: the browser has no network, scripts and frames are removed, a policy
forbids them besides, and only style sheets, images and fonts are answered, from the archive alone.
"""

from pathlib import Path
from typing import Final

from gossamer.archive.warc_reader import ArchiveReadError, StoredResponse, read_response
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.offline_markup import offline_html
from gossamer.model.archive_record import archive_folder
from gossamer.model.errors import KnownError, NoBrowserError
from gossamer.model.messages.stored_page_messages import PagePicture, PageScreen
from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.model.translatable import Translatable, said
from gossamer.render.browser_discovery import find_browsers
from gossamer.render.devtools_connection import DevtoolsError
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult
from gossamer.render.rendered_page import RenderJob, RenderLimits
from gossamer.store.reading.previous_crawl_reader import PreviousCrawlReader
from gossamer.urls.url_parsing import is_http, join

_SHOWN: Final = frozenset({ResourceType.STYLESHEET, ResourceType.IMAGE, ResourceType.FONT})
_POLICY: Final = (
    "default-src 'none'; img-src http: https: data:; font-src http: https: data:; "
    "style-src http: https: data: 'unsafe-inline'; form-action 'none'; base-uri 'none'"
)
_HEAD: Final = '<meta charset="utf-8"><meta http-equiv="x-dns-prefetch-control" content="off">'
_DOCUMENT_HEADERS: Final = [
    ("Content-Type", "text/html; charset=utf-8"),
    ("Content-Security-Policy", _POLICY),
    ("Referrer-Policy", "no-referrer"),
]
_KEPT_HEADERS: Final = frozenset(
    {"content-type", "location", "access-control-allow-origin", "access-control-allow-credentials"}
)
"""Of what a page loads: the rest would have the browser load more, or remember."""
_RESOURCE_BYTES: Final = 10_000_000
_HEIGHT: Final = 800
_ANIMATIONS_S: Final = 2.0
_LONGEST_S: Final = 15.0


class StoredResources:
    """What the archive of a project has of what one page loads. One thread at a time."""

    def __init__(self, reader: PreviousCrawlReader, folder: Path, url: str) -> None:
        """Take where the archive is, and the address of the page."""
        self._reader = reader
        self._folder = folder
        self._base = url

    def begin_at(self, base: str) -> None:
        """Take the base that the page names."""
        named = join(self._base, base)
        self._base = named if named is not None and is_http(named) else self._base

    def page(self, href: str) -> str | None:
        """The address that a link leads to."""
        found = join(self._base, href)
        return None if found is None or not is_http(found) else _with_fragment(found, href)

    def resource(self, href: str) -> str | None:
        """The address of what loads by itself, if the archive has it."""
        found = join(self._base, href)
        if found is None or not is_http(found) or self._reader.archived_at(found) is None:
            return None
        return _with_fragment(found, href)

    async def answer(self, request: PageRequest, _deadline: PageDeadline) -> ResourceResult:
        """An answer from the archive; never one from a server."""
        if request.type not in _SHOWN or request.method != "GET":
            return ResourceResult(blocked_by=BlockedBy.TYPE)
        record = self._reader.archived_at(request.url)
        if record is None:
            return ResourceResult(failure="not archived")
        try:
            return ResourceResult(_response(read_response(self._folder, record, request.url)))
        except ArchiveReadError as e:
            return ResourceResult(failure=str(e))


async def stored_page_picture(
    project: Path, url: str, body: bytes, charset: str | None, screen: PageScreen, browser: str
) -> PagePicture | Translatable:
    """How a browser shows the page `url`, whose `body` the archive has; else why it does not.

    `browser` is the one that was chosen, "" for that of this computer.
    """
    try:
        programs = find_browsers(browser)
    except KnownError as e:
        return e.said
    if not programs:
        return said("There is no Chromium, Chrome or Edge on this computer.")
    limits = RenderLimits(
        width=screen.width,
        height=_HEIGHT,
        ajax_s=_ANIMATIONS_S,
        timeout_s=_LONGEST_S,
        picture_scale=screen.scale,
    )
    with PreviousCrawlReader(project) as reader:
        resources = StoredResources(reader, archive_folder(project), url)
        markup = offline_html(utf_8_markup(body, charset), resources, _HEAD)
        document = PageResponse(200, _DOCUMENT_HEADERS, markup.encode("utf-8", "replace"))
        try:
            async with PageRenderer(programs[0]) as renderer:
                shown = await renderer.render(RenderJob(url, document, limits), resources.answer)
        except NoBrowserError as e:
            return e.said
        except DevtoolsError:
            return _FAILED
    return _FAILED if shown.picture is None else shown.picture


_FAILED: Final = said("The browser could not show the page.")


def _response(answer: StoredResponse) -> PageResponse:
    body, _ = answer.decoded(_RESOURCE_BYTES)
    headers = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in answer.headers
        if name.decode("latin-1").lower() in _KEPT_HEADERS
    ]
    return PageResponse(answer.status, headers, body)


def _with_fragment(url: str, href: str) -> str:
    fragment = href.partition("#")[2]
    return f"{url}#{fragment}" if fragment and "#" not in url else url
