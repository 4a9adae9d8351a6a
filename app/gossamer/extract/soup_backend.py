"""The alternative parser back end: Beautiful Soup on lxml, slower and independent of lexbor.

lxml is libxml2, whose HTML parser is older than the HTML Standard: it nests what the standard
lifts out of tables or takes apart (links in links), and reads what stands in `iframe` and
`noframes` as markup. On well-formed pages both back ends find the same.
"""

import warnings
from collections.abc import Iterator
from itertools import islice

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, Tag, XMLParsedAsHTMLWarning
from bs4.element import NavigableString, PreformattedString

from gossamer.extract.parsed_elements import (
    ALT_MARK,
    BREAKS,
    FOUND,
    HEADINGS,
    IN_NOSCRIPT,
    MAX_PAGE_TEXT_NODES,
    MAX_PARENTS,
    MAX_TEXT,
    MAX_TEXT_NODES,
    NODE_TEXT,
    UNREAD,
    UNSEEN,
    WITH_TEXT,
    Attributes,
    Element,
    ParsedElements,
)
from gossamer.extract.text_analysis import count_words, phrases_in
from gossamer.model.page_flags import LinkPlace


def find(markup: bytes, address: bytes = b"") -> ParsedElements:
    """Parse `markup`, in UTF-8 without byte-order mark.

    `address` is that of the page, percent-decoded.
    """
    # libxml2 ends at a NUL; the standard reads on.
    text = markup.decode("utf-8", "replace").replace("\0", "\ufffd")
    with warnings.catch_warnings():
        # It suspects a file name or an XML document; what is served as HTML is read as HTML.
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(text, "lxml", multi_valued_attributes=None)
    for template in soup.find_all("template"):
        template.clear()
    texts = _Texts()
    elements = [_element(tag, texts) for tag in _tags(soup) if _matters(tag)]
    root = soup.html
    language = str(root["lang"]) if root and "lang" in root.attrs else None
    words = count_words(" ".join(_visible_texts(soup)))
    for link in soup.find_all("a"):
        link.extract()
    return ParsedElements(elements, language, words, phrases_in(_visible_texts(soup), address))


def _tags(soup: BeautifulSoup) -> Iterator[Tag]:
    return (node for node in soup.descendants if isinstance(node, Tag))


def _matters(tag: Tag) -> bool:
    if tag.name == "title":
        return tag.find_parent("svg") is None
    return tag.name in FOUND or "url" in str(tag.attrs.get("style", "")).lower()


def _element(tag: Tag, texts: "_Texts") -> Element:
    attributes: Attributes = {name: str(value) for name, value in tag.attrs.items()}
    text = texts.of(tag) if tag.name in WITH_TEXT else _unread_text(tag)
    place = LinkPlace.HEAD if tag.find_parent("head") else LinkPlace.CONTENT
    return Element(tag.name, attributes, text, place)


def _unread_text(tag: Tag) -> str:
    """The text of an element that is not read as text, as `Element` defines it."""
    if tag.name == "style":
        return tag.get_text()
    if tag.name == "meta" and str(tag.get("http-equiv")).lower() == "refresh":
        parents = islice(tag.parents, MAX_PARENTS)
        return IN_NOSCRIPT if any(parent.name == "noscript" for parent in parents) else ""
    return ""


class _Texts:
    """The texts of the links and headings of one page, as `Element` defines them."""

    def __init__(self) -> None:
        self._room = MAX_PAGE_TEXT_NODES

    def of(self, tag: Tag) -> str:
        """The text of `tag`."""
        pieces: list[str] = []
        alternative = separator = ""
        left = MAX_TEXT
        for part in islice(tag.descendants, min(MAX_TEXT_NODES - 1, self._room)):
            self._room -= 1
            if isinstance(part, Tag):
                if part.name in BREAKS:
                    separator = " "
                alternative = alternative or self._read(_alternative(part), MAX_TEXT).strip()
            elif _is_text(part) and (part.parent is tag or _name(part.parent) not in UNREAD):
                pieces.append(self._read(str(part), left))
                left -= len(pieces[-1])
        text = separator.join(pieces)
        if text.strip():
            return text
        is_heading = tag.name in HEADINGS
        return ALT_MARK + alternative if alternative and is_heading else alternative

    def _read(self, text: str, most: int) -> str:
        """As much of `text` as is read, `most` at most."""
        self._room = max(self._room - min(len(text), most) // NODE_TEXT, 0)
        return text[:most]


def _alternative(tag: Tag) -> str:
    """What an image or a drawing in a link says in place of text."""
    if tag.name == "img":
        return str(tag.get("alt") or "")
    return tag.get_text() if tag.name == "title" else ""


def _name(tag: Tag | None) -> str:
    return tag.name if tag else ""


def _visible_texts(soup: BeautifulSoup) -> list[str]:
    """The text nodes of the body. Takes what is unseen out of the tree, so it comes last."""
    for tag in soup.find_all(list(UNSEEN)):
        tag.extract()
    if soup.body is None:
        return []
    return [str(part) for part in soup.body.descendants if _is_text(part)]


def _is_text(part: object) -> bool:
    # Comments, doctypes and the like are preformatted strings.
    return isinstance(part, NavigableString) and not isinstance(part, PreformattedString)
