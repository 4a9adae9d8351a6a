"""Writes a page in the XML syntax of HTML in its usual one, which the parsers read.

The content type says that a page is XHTML (HTML Standard §14.2), and there `<script src="x"/>` and
`<a id="x"/>` are complete, prefixes of namespaces are anything, and CDATA sections are text.
"""

from html import escape
from typing import Final
from xml.parsers.expat import ExpatError, ParserCreate

from gossamer.extract.relevant_headers import JudgedHeaders

_CONTENT_TYPE: Final = "application/xhtml+xml"
_OF_HTML: Final = frozenset(
    {
        *("", "http://www.w3.org/1999/xhtml", "http://www.w3.org/2000/svg"),
        "http://www.w3.org/1998/Math/MathML",
    }
)
"""Namespaces whose elements HTML knows by their local names; none is most likely forgotten."""
_KEPT_PREFIXES: Final = {
    "http://www.w3.org/XML/1998/namespace": "xml:",
    "http://www.w3.org/1999/xlink": "xlink:",
}
_VOID: Final = frozenset(
    [
        "area",
        "base",
        "basefont",
        "bgsound",
        "br",
        "col",
        "embed",
        "frame",
        "hr",
        "img",
        "input",
        "keygen",
        "link",
        "meta",
        "param",
        "source",
        "track",
        "wbr",
    ]
)
_RAW: Final = frozenset({"script", "style"})


def is_xhtml(headers: JudgedHeaders) -> bool:
    """Whether the last Content-Type header, which counts, is that of XHTML."""
    values = headers.get("content-type") or ("",)
    return values[-1].partition(";")[0].strip().lower() == _CONTENT_TYPE


def html_syntax(markup: bytes) -> bytes:
    """The elements and texts of `markup`, which is XHTML in UTF-8, as HTML without comments.

    What is not well-formed or declares entities is returned as it is: browsers show an error, but
    people could read it.
    """
    writer = _Writer()
    try:
        writer.read(markup)
    except ExpatError:
        return markup
    return "".join(writer.parts).encode()


class _Writer:
    """Handles what expat finds; `parts` are the HTML."""

    def __init__(self) -> None:
        self.parts = ["<!DOCTYPE html>"]
        self._open: list[str] = []
        self._namespaces: dict[str, str] = {}
        """Declared by the element that begins next: RDFa uses their prefixes."""

    def read(self, markup: bytes) -> None:
        """Raises ExpatError for what is not well-formed, or declares entities."""
        parser = ParserCreate("utf-8", " ")
        parser.buffer_text = True
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.SkippedEntityHandler = self._entity
        parser.EntityDeclHandler = _refuse
        parser.Parse(markup, True)  # noqa: FBT003 - expat takes it by position

    def _declare(self, prefix: str | None, uri: str) -> None:
        if prefix and uri:
            self._namespaces[f"xmlns:{prefix}"] = uri

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        uri, _, local = name.rpartition(" ")
        local = local if uri in _OF_HTML else f"x:{local}"
        written = dict(self._namespaces)
        self._namespaces.clear()
        for each, value in attributes.items():
            uri, _, key = each.rpartition(" ")
            if not uri or uri in _KEPT_PREFIXES:
                written[_KEPT_PREFIXES.get(uri, "") + key] = value
        if "xml:lang" in written:  # it counts more than lang (HTML Standard §3.2.6.2)
            written["lang"] = written.pop("xml:lang")
        self._open.append(local)
        self.parts += ["<", local, *(f' {key}="{escape(written[key])}"' for key in written), ">"]

    def _end(self, _name: str) -> None:
        local = self._open.pop()
        if local not in _VOID:
            self.parts += ["</", local, ">"]

    def _text(self, text: str) -> None:
        is_raw = bool(self._open) and self._open[-1] in _RAW
        self.parts.append(text.replace("</", "<\\/") if is_raw else escape(text, quote=False))

    def _entity(self, name: str, is_parameter: bool) -> None:  # noqa: FBT001 - expat calls it
        if not is_parameter:
            self.parts.append(f"&{name};")


def _refuse(*_declaration: object) -> None:
    """An entity may expand to gigabytes."""
    raise ExpatError
