"""Title and links of a page by the standard library's parser: another road than the product's."""

import re
from functools import lru_cache
from html.parser import HTMLParser

_SPACE = re.compile(r"[ \t\n\r\f]+")
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_ATTRIBUTES = (
    r"""(?:\s++[a-zA-Z_:][\w:.-]*+(?:=(?:"[^"<>]*+"|'[^'<>]*+'|[^\s"'<>=`]++)|)?+|)*+\s*+/?+>"""
)
"""Attributes without anything doubtful, to the end of the tag."""
_RAW = "iframe|noembed|noframes|noscript|plaintext|script|style|textarea|title|xmp"
"""Elements whose content some parsers, or some of their versions, do not read as markup."""
_READ = "a|area|base|frame|img|link|meta"
_IDLE_OR_NOT = re.compile(
    rf"""
    (?>(?: [^<]++
      | </(?!(?:{_RAW})\b)[a-z][a-z0-9]*+\s*+>
      | <(?!(?:{_RAW}|{_READ})\b)[a-z][a-z0-9]*+{_ATTRIBUTES}
      | <!--[^->](?:[^-]++|-(?!-)|)*+--> | <!DOCTYPE[^<>\[]*+> | <\?[^<>]*+>
    )+)
    |
    ( <(?:{_READ}){_ATTRIBUTES}
    | <title>[^<]*+</title>
    | <(script|style){_ATTRIBUTES}(?:[^<]++|<(?!/|!--)|)*+</\2>
    | .++
    )
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)
"""Idle markup; or, in the first group, what the parser is to see: a tag, an element, or the rest
of the page from the first place on that is neither. Each match ends where the next one begins."""
_FOLLOWED = {"a": "href", "area": "href", "iframe": "src", "frame": "src"}


class ScannedPage(HTMLParser):
    """What stands in one HTML document.

    `title` is the text of the first ``<title>``, ASCII white space collapsed; None without one.
    `links` are the attribute values of ``<a href>``, ``<area href>``, ``<iframe src>`` and
    ``<frame src>`` in document order, `base` that of the first ``<base href>``. `resources` are
    images, scripts and style sheets. `refresh` is the address in the first
    ``<meta http-equiv=refresh>`` that names one.
    """

    def __init__(self, html: str, *, whole: bool = False) -> None:
        """Read a document; `whole`: feed the parser all of it, idle markup too."""
        super().__init__(convert_charrefs=True)
        self.title: str | None = None
        self.base: str | None = None
        self.links: list[str] = []
        self.resources: list[str] = []
        self.refresh: str | None = None
        self._title_parts: list[str] | None = None
        self.feed(html if whole else without_idle_markup(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # HTML takes the first of two attributes with one name, dict() would take the last.
        values = dict(reversed(attrs))
        if tag in _FOLLOWED:
            self._add(self.links, values, _FOLLOWED[tag])
        elif tag in {"img", "script"}:
            self._add(self.resources, values, "src")
        elif tag == "link" and "stylesheet" in (values.get("rel") or "").lower().split():
            self._add(self.resources, values, "href")
        elif tag == "meta" and (values.get("http-equiv") or "").lower() == "refresh":
            _, _, address = (values.get("content") or "").partition("url=")
            self.refresh = self.refresh or address or None
        elif tag == "base" and self.base is None:
            self.base = values.get("href")
        elif tag == "title" and self.title is None:
            self._title_parts = []

    def handle_endtag(self, tag: str) -> None:
        if tag == "title" and self._title_parts is not None:
            self.title = _SPACE.sub(" ", "".join(self._title_parts)).strip(" ")
            self._title_parts = None

    def updatepos(self, i: int, j: int) -> int:  # noqa: ARG002 - the parser's signature
        # Nobody asks for line numbers, and counting them is a seventh of the time.
        return j

    def handle_data(self, data: str) -> None:
        if self._title_parts is not None:
            self._title_parts.append(data)

    @staticmethod
    def _add(found: list[str], values: dict[str, str | None], name: str) -> None:
        if name in values:
            found.append(values[name] or "")


@lru_cache(1_000)
def scanned(html: str) -> ScannedPage:
    """A page as it is read once, however often it is asked for."""
    return ScannedPage(html)


def without_idle_markup(html: str) -> str:
    """A document without the text and the tags in which a `ScannedPage` finds nothing.

    They are most of the parser's time. Only what is plainly well-formed is left out; from
    the first place on that is not, the rest stays as it is.
    """
    return "".join(found[0] for found in _IDLE_OR_NOT.findall(html))


def decode_page(body: bytes, content_type: str = "text/html") -> str:
    """A document in the charset of its Content-Type, else of its ``<meta>``, else UTF-8."""
    _, _, from_header = content_type.partition("charset=")
    declared = _CHARSET.search(body, 0, 1024)
    from_document = declared.group(1).decode("ascii") if declared else "utf-8"
    return body.decode(from_header or from_document, errors="replace")
