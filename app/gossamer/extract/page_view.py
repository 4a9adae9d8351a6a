"""Rewrites a page for a view that only shows text, tables, links and pictures.

Everything is written from the parsed tree, with a few elements and fewer attributes: no script,
style, form or frame gets through, and nothing that could load. Links keep their addresses, which
the view does not follow; pictures get numbers. Size, depth and tables are bounded, because a view
does its layout on the thread of its window.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from html import escape
from typing import Any, Final, TypeAlias

from msgspec import Struct
from selectolax.lexbor import LexborHTMLParser

from gossamer.urls.url_parsing import is_http, join

Attributes: TypeAlias = Mapping[str, str | None]
Closing: TypeAlias = Callable[[], str]
Tags: TypeAlias = tuple[str, Closing]

MAX_TEXT: Final = 80_000
"""Characters that are shown."""
MAX_ELEMENTS: Final = 2_500
MAX_IMAGES: Final = 60
_MAX_DEPTH: Final = 400
"""Levels of nested elements that are read."""
_MAX_NESTED: Final = 12
"""Levels of nested lists and quotations that are indented."""
_MAX_CELLS: Final = 300
"""Of all tables, which are laid out as a whole; a table that contains tables is for layout, and
does not count."""
_MAX_PLACES: Final = 200
"""Targets within the page that its links lead to."""
_LONGEST_WORD: Final = 200
_BREAK: Final = "\u200b"
"""Where a longer word may break."""
_MAX_SPAN: Final = 20
_MAX_ALT: Final = 200
IMAGE_SCHEME: Final = "image"

_AS_THEY_ARE: Final = frozenset(
    (  # noqa: SIM905 - easier to read
        "p div h1 h2 h3 h4 h5 h6 pre dl dt dd caption b strong i em u s ins del code kbd samp tt "
        "var sub sup small big cite dfn li"
    ).split()
)
_VOID: Final = frozenset({"br", "hr"})
_NESTED: Final = frozenset({"ul", "ol", "blockquote"})
_OF_TABLES: Final = frozenset({"tr", "td", "th", "thead", "tbody", "tfoot"})
_BLOCKS: Final = frozenset(
    (  # noqa: SIM905 - likewise
        "section article main header footer nav aside figure figcaption address details summary "
        "fieldset legend form center menu dialog hgroup search table tr caption listing xmp"
    ).split()
)
"""They begin a line; so do the parts of a table that is not shown as one."""
_CELLS: Final = frozenset({"tr", "td", "th"})
_UNMARKED: Final = frozenset(
    {*_VOID, "img", "table", "tr", "thead", "tbody", "tfoot", "ul", "ol", "dl"}
)
"""No link target can be marked at their beginning."""
_LEFT_OUT: Final = frozenset(
    (  # noqa: SIM905 - likewise
        "script style template iframe object embed applet svg canvas video audio select textarea "
        "input datalist head title meta link base frame frameset noframes noembed map area source "
        "track param portal fencedframe plaintext slot animate set progress meter "
        "-comment -doctype -cdata -document -undef"
    ).split()
)
_HIDDEN: Final = re.compile(
    r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b", re.IGNORECASE
)
_NUMBER: Final = re.compile(r"[1-9][0-9]{0,2}")
_MISLEADING: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_LONG_WORD: Final = re.compile(rf"\S{{{_LONGEST_WORD},}}")
_SPACES: Final = re.compile(r"[ \t\n\r\f]+")


class PageView(Struct, frozen=True):
    """The markup for the view; `images` are the URLs of its pictures, by number.

    `is_cut`: the page continues, or has more than a view can lay out.
    """

    html: str
    images: list[str]
    is_cut: bool = False


def page_view(markup: bytes, url: str) -> PageView:
    """The view of a page at `url`, in UTF-8 like `markup`, which must be safe for parsers."""
    tree = LexborHTMLParser(markup)
    base = tree.css_first("base[href]")
    named = None if base is None else join(url, base.attributes.get("href") or "")
    named = named if named is not None and is_http(named) else url
    writer = _Writer(url, named, _places_in(tree))
    html = "".join(writer.written(tree.body or tree.root))
    return PageView(html, list(writer.images), writer.is_cut)


def _places_in(tree: LexborHTMLParser) -> frozenset[str]:
    """The ids that links of the page lead to: keeping all would take Qt seconds."""
    found: set[str] = set()
    for link in tree.css('a[href*="#"]'):
        found.add((link.attributes.get("href") or "").partition("#")[2])
        if len(found) >= _MAX_PLACES:
            break
    return frozenset(found - {""})


class _Writer:
    """Writes one page, within its bounds."""

    def __init__(self, url: str, base: str, places: frozenset[str]) -> None:
        self._url = url
        self._base = base
        self.images: dict[str, int] = {}
        self.is_cut = False
        self._text = 0
        self._elements = 0
        self._cells = 0
        self._nested = 0
        self._tables: list[bool] = []
        """For each enclosing table, whether it is a table in the view too."""
        self._is_leaf = True
        """Whether the current table contains no others."""
        self._places = places
        self._in_pre = 0
        self._makers: dict[str, Callable[[str, Attributes], Tags]] = {
            "table": self._table,
            "pre": self._preformatted,
            "a": self._link,
            "img": self._image,
            **dict.fromkeys(_OF_TABLES, self._part_of_table),
            **dict.fromkeys(_NESTED, self._nesting),
            **dict.fromkeys(_VOID, lambda tag, _: (f"<{tag}>", _nothing)),
        }

    def written(self, root: Any) -> Iterator[str]:  # noqa: ANN401 - a LexborNode
        """The markup of an element; no recursion, since pages nest to any depth."""
        todo: list[Any] = [] if root is None else [(root, 0)]
        while todo:
            task = todo.pop()
            if callable(task):
                yield task()
                continue
            node, depth = task
            tag = (node.tag or "").lower()
            if tag == "-text":
                yield self._words(node.text_content or "")
            elif tag not in _LEFT_OUT and not _is_hidden(node.attributes):
                if self._elements >= MAX_ELEMENTS or self._text >= MAX_TEXT or depth > _MAX_DEPTH:
                    self.is_cut = True
                    continue
                self._elements += 1
                if tag == "table":
                    self._is_leaf = len(node.css("table")) == 1
                elif tag in _CELLS and not self._has_room():
                    continue
                opening, closing = self._tags(tag, node.attributes)
                yield opening
                todo.append(closing)
                children = reversed(list(node.iter(include_text=True)))
                todo += [(child, depth + 1) for child in children]

    def _has_room(self) -> bool:
        """Whether the table takes another cell."""
        has_room = not (self._tables and self._tables[-1]) or self._cells < _MAX_CELLS
        self.is_cut |= not has_room
        return has_room

    def _words(self, text: str) -> str:
        text = _LONG_WORD.sub(_broken, _MISLEADING.sub("", text))
        if not self._in_pre:
            text = _SPACES.sub(" ", text)
        room = MAX_TEXT - self._text
        if len(text) > room:
            self.is_cut = True
            text = text[: max(room, 0)]
        self._text += len(text)
        return escape(text)

    def _tags(self, tag: str, attributes: Attributes) -> Tags:
        """The start tag of an element, and what returns its end tag when that is reached."""
        if (make := self._makers.get(tag)) is not None:
            opening, closing = make(tag, attributes)
        elif tag in _AS_THEY_ARE:
            opening, closing = f"<{tag}>", _end_of(tag)
        else:
            opening, closing = ("<div>", _end_of("div")) if tag in _BLOCKS else ("", _nothing)
        return (opening if tag in _UNMARKED else opening + self._anchor(attributes)), closing

    def _anchor(self, attributes: Attributes) -> str:
        name = attributes.get("id") or ""
        return f'<a name="{escape(name)}"></a>' if name in self._places else ""

    def _table(self, _tag: str, _attributes: Attributes) -> Tags:
        is_table = self._is_leaf and self._cells < _MAX_CELLS
        self._tables.append(is_table)

        def end() -> str:
            self._tables.pop()
            return "</table>" if is_table else "</div>"

        return ('<table cellspacing="0" cellpadding="4">' if is_table else "<div>"), end

    def _part_of_table(self, tag: str, attributes: Attributes) -> Tags:
        is_table = bool(self._tables) and self._tables[-1]
        if tag in {"thead", "tbody", "tfoot"}:
            return "", _nothing
        if tag == "tr":
            return ("<tr>", _end_of("tr")) if is_table else ("<div>", _end_of("div"))
        self._cells += 1
        if not is_table:
            return " ", _nothing
        spans = "".join(
            f' {name}="{min(int(value), _MAX_SPAN)}"'
            for name in ("colspan", "rowspan")
            if _NUMBER.fullmatch(value := (attributes.get(name) or "").strip())
        )
        return f"<{tag}{spans}>", _end_of(tag)

    def _nesting(self, tag: str, _attributes: Attributes) -> Tags:
        is_nested = self._nested < _MAX_NESTED
        self._nested += 1

        def end() -> str:
            self._nested -= 1
            return f"</{tag}>" if is_nested else "</div>"

        return (f"<{tag}>" if is_nested else "<div>"), end

    def _preformatted(self, _tag: str, _attributes: Attributes) -> Tags:
        self._in_pre += 1

        def end() -> str:
            self._in_pre -= 1
            return "</pre>"

        return "<pre>", end

    def _link(self, _tag: str, attributes: Attributes) -> Tags:
        href = (attributes.get("href") or "").strip()
        if href.startswith("#"):
            return f'<a href="{escape(href)}">', _end_of("a")
        found = join(self._base, href) if href else None
        if found is None or not is_http(found):
            return "", _nothing
        fragment = "#" + href.partition("#")[2] if "#" in href else ""
        if fragment and found == self._url:
            return f'<a href="{escape(fragment)}">', _end_of("a")
        return f'<a href="{escape(found)}">', _end_of("a")

    def _image(self, _tag: str, attributes: Attributes) -> Tags:
        alt = _MISLEADING.sub("", (attributes.get("alt") or "").strip())[:_MAX_ALT]
        url = join(self._base, attributes.get("src") or "") if attributes.get("src") else None
        if url is None or not is_http(url) or len(self.images) >= MAX_IMAGES:
            return (f"<i>{escape(alt)}</i>" if alt else ""), _nothing
        number = self.images.setdefault(url, len(self.images))
        told = f' alt="{escape(alt)}" title="{escape(alt)}"' if alt else ""
        return f'<img src="{IMAGE_SCHEME}:{number}"{told}>', _nothing


def _broken(word: re.Match[str]) -> str:
    pieces = range(0, len(word[0]), _LONGEST_WORD)
    return _BREAK.join(word[0][place : place + _LONGEST_WORD] for place in pieces)


def _end_of(tag: str) -> Closing:
    return lambda: f"</{tag}>"


def _nothing() -> str:
    return ""


def _is_hidden(attributes: Attributes) -> bool:
    return "hidden" in attributes or bool(_HIDDEN.search(attributes.get("style") or ""))
