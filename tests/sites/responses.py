"""Ordinary HTTP answers as values, and the HTML of a simple page."""

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from http import HTTPStatus

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True)
class Response:
    """One well-formed answer. ``Content-Length`` is added unless `headers` has one already."""

    status: int = 200
    body: bytes = b""
    content_type: str | None = HTML
    headers: tuple[tuple[str, str], ...] = ()
    delay_s: float = 0.0

    def head(self) -> bytes:
        """Status line and headers, up to and including the empty line."""
        try:
            phrase = HTTPStatus(self.status).phrase
        except ValueError:
            phrase = "Unheard Of"
        lines = [f"HTTP/1.1 {self.status} {phrase}"]
        names = {name.lower() for name, _ in self.headers}
        if self.content_type is not None and "content-type" not in names:
            lines.append(f"Content-Type: {self.content_type}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        if not names & {"content-length", "transfer-encoding"} and self.may_have_body:
            lines.append(f"Content-Length: {len(self.body)}")
        return "\r\n".join([*lines, "", ""]).encode("latin-1")

    @property
    def may_have_body(self) -> bool:
        """False for the statuses that RFC 9110 sends without content."""
        return self.status >= 200 and self.status not in {204, 205, 304}


def html_page(title: str | None, links: Iterable[str] = (), body: str = "") -> bytes:
    """A UTF-8 HTML document; each link's anchor text is its own address."""
    head = "" if title is None else f"<title>{escape(title)}</title>"
    anchors = "".join(
        f'<p><a href="{escape(link, quote=True)}">{escape(link)}</a></p>\n' for link in links
    )
    document = f"<html><head>{head}</head>\n<body>{body}\n{anchors}</body></html>"
    return f"<!doctype html>\n{document}".encode()
