"""Makes a copy of archived pages to browse from disk, with all that they load."""

import mimetypes
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from html import escape
from pathlib import Path
from typing import Final

from gossamer.archive.captured_responses import CapturedResponse
from gossamer.archive.decoded_responses import ArchivedHead, decoded_pieces, read_head
from gossamer.archive.indexed_responses import IndexedResponses
from gossamer.archive.record_reader import RecordError
from gossamer.export.output_tree import OutputTree
from gossamer.extract.charset_detection import decoded, sniff
from gossamer.extract.html_page import utf_8_markup
from gossamer.extract.offline_markup import HEAD, is_harmless_svg, offline_html
from gossamer.extract.offline_styles import offline_css
from gossamer.fetch.content_decoding import DecodingError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.number_format import size
from gossamer.model.outcome_details import NotArchivedError
from gossamer.urls.offline_paths import offline_path, relative_path
from gossamer.urls.url_parsing import is_http, join, serialised_fragment, url_key

INDEX: Final = "index.html"
_MAX_REDIRECTS: Final = 10
_MAX_TEXT_BYTES: Final = 32 << 20
"""Of a page or style sheet; of larger ones, the copy has the beginning, and pages say so."""
_MAX_BYTES: Final = 1 << 30
_SUFFIXES: Final = {
    "text/html": ".html",
    "application/xhtml+xml": ".html",
    "text/css": ".css",
    "text/plain": ".txt",
    "application/pdf": ".pdf",
    "image/png": ".png",
    "image/apng": ".png",
    "image/jpeg": ".jpg",
    "image/jpg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "image/avif": ".avif",
    "image/bmp": ".bmp",
    "image/svg+xml": ".svg",
    "image/x-icon": ".ico",
    "image/vnd.microsoft.icon": ".ico",
    "font/woff": ".woff",
    "font/woff2": ".woff2",
    "font/ttf": ".ttf",
    "font/otf": ".otf",
    "application/font-woff": ".woff",
    "application/font-woff2": ".woff2",
    "application/x-font-ttf": ".ttf",
    "audio/mpeg": ".mp3",
    "audio/ogg": ".ogg",
    "audio/wav": ".wav",
    "video/mp4": ".mp4",
    "video/webm": ".webm",
    "video/ogg": ".ogv",
}
"""What a copy has. No scripts, and nothing that a browser opens as a page that could run them."""
_UNTOLD: Final = {"", "application/octet-stream", "binary/octet-stream"}
_FAILURES: Final = (NotArchivedError, DecodingError, RecordError)


class OfflineCopy:
    """A copy while it is written. `check` is called often, and raises if it is to end."""

    def __init__(
        self,
        responses: IndexedResponses,
        tree: OutputTree,
        check: Callable[[], None],
        max_text_bytes: int = _MAX_TEXT_BYTES,
    ) -> None:
        """`responses` are the archived ones; `tree` is empty; at most `max_text_bytes` are read."""
        self._max_text_bytes = max_text_bytes
        self._responses = responses
        self._tree = tree
        self._check = check
        self._known: dict[int, tuple[str, str] | None] = {}
        self._waiting: deque[tuple[str, str]] = deque()

    def write(self, pages: Iterable[UrlRecord], title: str) -> int:
        """Write these pages, everything archived that they lead to, and a list; returns the count.

        Raises what `check` raises, and OSError.
        """
        count = 0
        with self._tree.new(INDEX).open("w", encoding="utf-8") as index:
            index.write(_list_head(title))
            for page in pages:
                self._check()
                if (found := self.place(page.url)) is not None:
                    index.write(_list_line(found, page))
                    count += 1
                self._write_waiting()
            index.write("</ul></body></html>\n")
        return count

    def place(self, url: str) -> str | None:
        """The path in the copy of the response for a URL, after redirects; None if none."""
        for _ in range(_MAX_REDIRECTS):
            if not is_http(url):
                return None
            key = url_key(url)
            if key not in self._known:
                self._known[key] = self._looked_up(url)
            known = self._known[key]
            if known is None:
                return None
            path, location = known
            if path:
                return path
            url = location
        return None

    def _looked_up(self, url: str) -> tuple[str, str] | None:
        """The path of a URL, or the URL that it redirects to; it is queued for writing."""
        try:
            response = self._responses.response(url, is_head=False)
            head = read_head(response.head)
            if 300 <= head.status < 400:  # noqa: PLR2004 - redirects
                location = join(url, head.headers.get("location", ""))
                return ("", location) if location and location != url else None
            suffix = _suffix(url, head)
            if not 200 <= head.status < 300 or suffix is None:  # noqa: PLR2004 - success
                return None
            if suffix == ".svg" and not self._is_harmless(response):
                return None
        except _FAILURES:
            return None
        path = offline_path(url, suffix)
        self._waiting.append((url, path))
        return path, ""

    def _write_waiting(self) -> None:
        """Write what was found, and what that leads to."""
        while self._waiting:
            self._check()
            url, path = self._waiting.popleft()
            file = self._tree.new(path)
            # A damaged response is used as far as it goes, as in a browser.
            with suppress(NotArchivedError, DecodingError, RecordError):
                response = self._responses.response(url, is_head=False)
                if path.endswith((".html", ".css")):
                    file.write_text(self._rewritten(url, path, response), "utf-8", newline="")
                else:
                    self._stream(response, file)

    def _rewritten(self, url: str, path: str, response: CapturedResponse) -> str:
        body, is_cut = self._beginning(response)
        charset = read_head(response.head).charset
        links = _PageLinks(self, url, path)
        if path.endswith(".html"):
            note = _cut_note(self._max_text_bytes) if is_cut else ""
            return offline_html(utf_8_markup(body, charset), links) + note
        encoding, mark = sniff(body, charset)
        return '@charset "utf-8";\n' + offline_css(decoded(body[mark:], encoding), links.resource)

    def _beginning(self, response: CapturedResponse) -> tuple[bytes, bool]:
        """The body of a text, up to any damage, and whether it is larger than that."""
        data = bytearray()
        with suppress(DecodingError, RecordError):
            for piece in decoded_pieces(response):
                data += piece
                if len(data) > self._max_text_bytes:
                    break
        return bytes(data[: self._max_text_bytes]), len(data) > self._max_text_bytes

    def _is_harmless(self, response: CapturedResponse) -> bool:
        """Whether a picture has no scripts; one too large to be read whole may have some."""
        body, is_cut = self._beginning(response)
        return not is_cut and is_harmless_svg(body)

    def _stream(self, response: CapturedResponse, file: Path) -> None:
        size = 0
        with file.open("wb") as output:
            for piece in decoded_pieces(response):
                self._check()
                size += len(piece)
                if size > _MAX_BYTES:
                    return
                output.write(piece)


class _PageLinks:
    """Where the links of one page lead in the copy."""

    def __init__(self, copy: OfflineCopy, url: str, path: str) -> None:
        self._copy = copy
        self._base = url
        self._path = path

    def begin_at(self, base: str) -> None:
        """Set the base that the page names."""
        self._base = join(self._base, base) or self._base

    def page(self, href: str) -> str | None:
        url = join(self._base, href)
        if url is None:
            return None
        fragment = href.partition("#")
        place = self._copy.place(url)
        whole = url if place is None else relative_path(self._path, place)
        return whole + serialised_fragment("".join(fragment[1:]))

    def resource(self, href: str) -> str | None:
        url = join(self._base, href)
        place = None if url is None else self._copy.place(url)
        return None if place is None else relative_path(self._path, place)


def _cut_note(max_bytes: int) -> str:
    return (
        '<p role="note"><strong>The copy of this page ends here: it is larger than '
        f"{size(max_bytes)}.</strong></p>"
    )


def _suffix(url: str, head: ArchivedHead) -> str | None:
    """The suffix for the content; None for what a copy does not have."""
    content_type = head.content_type
    if content_type in _UNTOLD:
        guessed = mimetypes.guess_type(url.partition("?")[0])[0] or ""
        content_type = guessed if guessed.startswith(("image/", "font/")) else ""
    return _SUFFIXES.get(content_type)


def _list_head(title: str) -> str:
    told = escape(title)
    return (
        f'<!doctype html><html lang="en"><head>{HEAD}<title>{told}</title></head>'
        f"<body><h1>{told}</h1>\n<ul>\n"
    )


def _list_line(path: str, page: UrlRecord) -> str:
    return (
        f'<li><a href="{escape(path)}">{escape(page.title or page.url)}</a> '
        f"<small>{escape(page.url)}</small></li>\n"
    )
