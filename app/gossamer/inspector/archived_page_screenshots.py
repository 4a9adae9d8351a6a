"""Has a browser show a page of the archive, with its archived resources.

Nothing else is requested: the browser has no network, scripts and frames are removed, a policy
forbids them as well, and only style sheets, images and fonts are served, from the archive alone.
"""

from pathlib import Path
from typing import Final

from gossamer.archive.warc_reader import ArchiveReadError, StoredResponse, read_response
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.offline_markup import offline_html
from gossamer.model.archive_record import archive_folder
from gossamer.model.errors import KnownError, NoBrowserError
from gossamer.model.messages.stored_page_messages import FullPageScreenshot, PageScreen
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
"""Types of resources that are served: others would make the browser load more, or store data."""
_RESOURCE_BYTES: Final = 10_000_000
_HEIGHT: Final = 800
_ANIMATIONS_S: Final = 2.0
_LONGEST_S: Final = 15.0


class StoredResources:
    """The archived resources of one page. For one thread at a time."""

    def __init__(self, reader: PreviousCrawlReader, folder: Path, url: str) -> None:
        """`folder` has the archive; `url` is the page's."""
        self._reader = reader
        self._folder = folder
        self._base = url

    def begin_at(self, base: str) -> None:
        """Set the base URL that the page declares."""
        named = join(self._base, base)
        self._base = named if named is not None and is_http(named) else self._base

    def page(self, href: str) -> str | None:
        """The address that a link leads to."""
        found = join(self._base, href)
        return None if found is None or not is_http(found) else _with_fragment(found, href)

    def resource(self, href: str) -> str | None:
        """The address of a resource, if the archive has it."""
        found = join(self._base, href)
        if found is None or not is_http(found) or self._reader.archived_at(found) is None:
            return None
        return _with_fragment(found, href)

    async def respond(self, request: PageRequest, _deadline: PageDeadline) -> ResourceResult:
        """A response from the archive; never one from a server."""
        if request.type not in _SHOWN or request.method != "GET":
            return ResourceResult(blocked_by=BlockedBy.TYPE)
        record = self._reader.archived_at(request.url)
        if record is None:
            return ResourceResult(failure="not archived")
        try:
            return ResourceResult(_response(read_response(self._folder, record, request.url)))
        except ArchiveReadError as e:
            return ResourceResult(failure=str(e))


async def archived_page_screenshot(
    project: Path, url: str, body: bytes, charset: str | None, screen: PageScreen, browser: str
) -> FullPageScreenshot | Translatable:
    """How a browser shows the page `url` with the archived `body`; or why it cannot.

    `browser` is the chosen one, "" for the one of this computer.
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
        full_page_scale=screen.scale,
    )
    with PreviousCrawlReader(project) as reader:
        resources = StoredResources(reader, archive_folder(project), url)
        markup = offline_html(utf_8_markup(body, charset), resources, _HEAD)
        document = PageResponse(200, _DOCUMENT_HEADERS, markup.encode("utf-8", "replace"))
        try:
            async with PageRenderer(programs[0]) as renderer:
                shown = await renderer.render(RenderJob(url, document, limits), resources.respond)
        except NoBrowserError as e:
            return e.said
        except DevtoolsError:
            return _FAILED
    return _FAILED if shown.full_page is None else shown.full_page


_FAILED: Final = said("The browser could not show the page.")


def _response(response: StoredResponse) -> PageResponse:
    body, _ = response.decoded(_RESOURCE_BYTES)
    headers = [
        (name.decode("latin-1"), value.decode("latin-1"))
        for name, value in response.headers
        if name.decode("latin-1").lower() in _KEPT_HEADERS
    ]
    return PageResponse(response.status, headers, body)


def _with_fragment(url: str, href: str) -> str:
    fragment = href.partition("#")[2]
    return f"{url}#{fragment}" if fragment and "#" not in url else url
