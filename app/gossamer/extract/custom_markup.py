"""A page as seen by custom searches and extractions: parsed once, and only as far as needed."""

import re
import warnings
from collections.abc import Callable
from functools import cached_property
from typing import Any, Final, Protocol

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.extract.charset_detection import decoded, sniff
from gossamer.extract.parsed_elements import UNSEEN
from gossamer.extract.parser_limits import Markup, cut_to_size, flattened, without_repetition
from gossamer.model.settings.request_settings import Parser

MAX_MARKUP_BYTES: Final = 8 * 1024 * 1024
"""The part of a longer page that is examined."""
_INLINE: Final = (
    b"a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|ins|kbd|label|mark|nobr"
    b"|output|q|ruby|rb|rp|rt|s|samp|small|span|strike|strong|sub|sup|time|tt|u|var|wbr"
)
_APART: Final = re.compile(rb"<(?=/?[a-z])(?!/?(?:" + _INLINE + rb")(?:[\s/]|>))", re.IGNORECASE)
"""Where a tag begins that separates the words before and after it."""
_EXSLT: Final = "http://exslt.org/regular-expressions"
_HEAD_START: Final = re.compile(r"<head(?=[\s/>])", re.IGNORECASE)
_HEAD_END: Final = re.compile(r"</head\s*>|<body(?=[\s/>])", re.IGNORECASE)


def compiled_xpath(expression: str) -> Callable[[Any], Any]:
    """A function that finds the nodes or value of an XPath, which may use `re:test` of EXSLT.

    Raises lxml.etree.XPathError, or ValueError, if it is invalid.
    """
    from lxml.etree import XPath  # noqa: PLC0415 - few crawls have one

    return XPath(expression, namespaces={"re": _EXSLT}, smart_strings=False)


class MarkupNode(Protocol):
    """An element, or whatever else a pattern can match."""

    @property
    def text(self) -> str:
        """The text in it."""

    @property
    def inner_html(self) -> str:
        """The source of its content."""

    @property
    def outer_html(self) -> str:
        """The same with its own tags."""

    def attribute(self, name: str) -> str | None:
        """The value of an attribute; None if it has none."""


class PageMarkup:
    """The body of a page; `charset_header` is the charset that its Content-Type header names."""

    def __init__(self, body: bytes, charset_header: str | None, parser: Parser) -> None:
        encoding, mark_bytes = sniff(body, charset_header)
        markup = cut_to_size(body[mark_bytes : mark_bytes + MAX_MARKUP_BYTES])
        self._parser = parser
        self.source: Final = decoded(markup, encoding)
        """As the server sent it, decoded."""
        self._found: dict[str, list[MarkupNode]] = {}

    @cached_property
    def _shallow(self) -> Markup:
        return flattened(Markup(self.source.encode()))

    @cached_property
    def _harmless(self) -> bytes:
        return without_repetition(self._shallow, closely=True)

    @cached_property
    def _lexbor(self) -> LexborHTMLParser:
        return LexborHTMLParser(self._harmless)

    @cached_property
    def text(self) -> str:
        """What visitors read, with white space collapsed."""
        tree = LexborHTMLParser(_APART.sub(b"\n<", self._harmless))
        tree.strip_tags([*UNSEEN, "template"])
        return "" if tree.body is None else " ".join(tree.body.text().split())

    @cached_property
    def head(self) -> str:
        """The source of the head; without one, the source before the body."""
        start = _HEAD_START.search(self.source)
        first = start.start() if start else 0
        end = _HEAD_END.search(self.source, first)
        return self.source[first : end.start() if end else len(self.source)]

    @cached_property
    def _soup(self) -> Any:  # noqa: ANN401 - Beautiful Soup is imported where it is used
        from bs4 import (  # noqa: PLC0415 - few crawls use it
            BeautifulSoup,
            MarkupResemblesLocatorWarning,
            XMLParsedAsHTMLWarning,
        )

        # This parser and that of XPaths are libxml2, which repeats no formatting.
        text = self._shallow.source.decode("utf-8", "replace").replace("\0", "\ufffd")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
            warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
            return BeautifulSoup(text, "lxml", multi_valued_attributes=None)

    @cached_property
    def xpath_root(self) -> Any:  # noqa: ANN401 - lxml has types for what it imports alone
        """The root element as lxml has it; None for an empty page."""
        from lxml.etree import HTMLParser, fromstring  # noqa: PLC0415 - few crawls have an XPath

        parser = HTMLParser(encoding="utf-8", huge_tree=True, recover=True)
        markup = self._shallow.source.replace(b"\0", b"\xef\xbf\xbd")
        if not markup.strip():
            return None
        return fromstring(markup, parser)

    def select(self, selector: str) -> list[MarkupNode]:
        """The elements that a CSS selector matches, in document order."""
        found = self._found.get(selector)
        if found is None:
            if self._parser is Parser.BEAUTIFULSOUP:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", FutureWarning)  # of old selectors that work
                    found = [_SoupNode(tag) for tag in self._soup.select(selector)]
            else:
                found = [_LexborNode(node) for node in self._lexbor.css(selector)]
            self._found[selector] = found
        return found

    @staticmethod
    def xpath_node(found: Any) -> MarkupNode:  # noqa: ANN401 - an element or a text
        """The result of an XPath."""
        return _Text(found) if isinstance(found, str) else _LxmlNode(found)


class _LexborNode:
    def __init__(self, node: LexborNode) -> None:
        self._node = node

    @property
    def text(self) -> str:
        return self._node.text()

    @property
    def inner_html(self) -> str:
        return self._node.inner_html or ""

    @property
    def outer_html(self) -> str:
        return self._node.html or ""

    def attribute(self, name: str) -> str | None:
        attributes = self._node.attributes
        if name not in attributes:  # in SVG and MathML, some have capitals
            attributes = {key.lower(): value for key, value in attributes.items()}
        return (attributes[name] or "") if name in attributes else None


class _SoupNode:
    def __init__(self, tag: Any) -> None:  # noqa: ANN401 - a bs4.Tag
        self._tag = tag

    @property
    def text(self) -> str:
        from bs4.element import PreformattedString  # noqa: PLC0415 - loaded long ago

        texts = self._tag.find_all(string=True)
        return "".join(str(each) for each in texts if not isinstance(each, PreformattedString))

    @property
    def inner_html(self) -> str:
        return str(self._tag.decode_contents())

    @property
    def outer_html(self) -> str:
        return str(self._tag)

    def attribute(self, name: str) -> str | None:
        value = self._tag.attrs.get(name)
        return None if value is None else str(value)


class _LxmlNode:
    def __init__(self, element: Any) -> None:  # noqa: ANN401 - an element of lxml
        self._element = element

    @property
    def text(self) -> str:
        if not isinstance(self._element.tag, str):  # a comment, which has no texts in it
            return self._element.text or ""
        return "".join(self._element.itertext())

    @property
    def inner_html(self) -> str:
        from lxml.etree import tostring  # noqa: PLC0415 - loaded long ago

        children = (tostring(each, encoding="unicode", method="html") for each in self._element)
        return (self._element.text or "") + "".join(children)

    @property
    def outer_html(self) -> str:
        from lxml.etree import tostring  # noqa: PLC0415 - loaded long ago

        return str(tostring(self._element, encoding="unicode", method="html", with_tail=False))

    def attribute(self, name: str) -> str | None:
        value = self._element.get(name)
        return None if value is None else str(value)


class _Text:
    """A text or the value of an attribute."""

    def __init__(self, text: str) -> None:
        self.text = self.inner_html = self.outer_html = text

    def attribute(self, _name: str) -> str | None:
        return self.text
