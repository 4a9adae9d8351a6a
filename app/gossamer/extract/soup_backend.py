"""The alternative parser back end: Beautiful Soup on lxml, slower and independent of lexbor.

lxml is libxml2, whose HTML parser is older than the HTML Standard: it nests what the standard moves
out of tables or separates (links in links), and reads the content of `iframe` and `noframes` as
markup. On well-formed pages both back ends find the same.
"""

import warnings
from collections.abc import Collection, Iterable, Iterator
from functools import partial
from itertools import islice

from bs4 import BeautifulSoup, MarkupResemblesLocatorWarning, Tag, XMLParsedAsHTMLWarning
from bs4.element import NavigableString, PageElement, PreformattedString

from gossamer.extract.anchor_hashes import anchor_ids
from gossamer.extract.content_text import (
    CONTENT_EXCLUDE,
    ContentExclusion,
    TextNode,
    prose_of,
    text_lines,
    visible_text,
)
from gossamer.extract.label_references import (
    MAX_LABEL_NODES,
    has_references,
    resolve_references,
)
from gossamer.extract.link_positions import Described, ElementPositions
from gossamer.extract.parsed_elements import (
    ALT_MARK,
    BREAKS,
    FOREIGN,
    FORM_FIELDS,
    FOUND,
    HEADINGS,
    IN_HEAD,
    IN_LABEL,
    IN_NOSCRIPT,
    MAX_PAGE_TEXT_NODES,
    MAX_PARENTS,
    MAX_TEXT,
    MAX_TEXT_NODES,
    NODE_TEXT,
    OF_HTML_ALONE,
    TYPED,
    UNREAD,
    WITH_TEXT,
    Attributes,
    Element,
    ParsedElements,
    has_items,
    is_json_ld,
    is_refresh,
)
from gossamer.extract.phrase_hashes import phrase_hashes_in
from gossamer.extract.text_statistics import text_statistics


def find(
    markup: bytes,
    address: bytes = b"",
    content_exclude: tuple[str, ...] = CONTENT_EXCLUDE,
    prose_exclude: tuple[str, ...] | None = None,
    text_bytes: int = 0,
) -> ParsedElements:
    """Parse `markup`, in UTF-8 without byte-order mark.

    `address` is that of the page, percent-decoded. The text of what `content_exclude` names is no
    content, that of what `prose_exclude` names is not proofread; nothing is if that is None.
    """
    # libxml2 ends at a NUL; the standard reads on.
    text = markup.decode("utf-8", "replace").replace("\0", "\ufffd")
    with warnings.catch_warnings():
        # It suspects a file name or an XML document; a page served as HTML is read as HTML.
        warnings.simplefilter("ignore", MarkupResemblesLocatorWarning)
        warnings.simplefilter("ignore", XMLParsedAsHTMLWarning)
        soup = BeautifulSoup(text, "lxml", multi_valued_attributes=None)
    for template in soup.find_all("template"):
        template.clear()
    _end_head(soup)
    texts = _Texts()
    positions = ElementPositions(_described)
    elements = [_element(tag, texts, positions) for tag in _tags(soup) if _matters(tag)]
    if is_labelled := has_references(elements):
        resolve_references(elements, partial(_labels, soup))
    root = soup.html
    visible = visible_text(_text_nodes(soup), ContentExclusion.of(content_exclude))
    anchors = anchor_ids(_ids(soup))
    prose = []
    if prose_exclude is not None:
        prose = prose_of(_text_nodes(soup), ContentExclusion.of(prose_exclude))
    return ParsedElements(
        elements=elements,
        language=str(root["lang"]) if root and "lang" in root.attrs else None,
        phrases=phrase_hashes_in(visible.outside_links, address),
        paths=positions.paths,
        **text_statistics(visible.content, visible.rest)._asdict(),
        text=text_lines(visible.content, text_bytes) if text_bytes else b"",
        anchor_ids=anchors.hashes,
        are_anchors_cut=anchors.are_cut,
        has_items=has_items(elements),
        has_references=is_labelled,
        prose=prose,
    )


def _end_head(soup: BeautifulSoup) -> None:
    """Have the head end at what does not belong there: that, and what follows, begins the body.

    libxml2 leaves elements there that it does not know. What stays goes into a new head, and the
    old one becomes the body: to move an element takes no time only from the beginning of another.
    """
    head, body = soup.head, soup.body
    if head is None:
        return
    children = [*head.contents]
    ends = (isinstance(each, Tag) and each.name not in IN_HEAD for each in children)
    stray = next((number for number, ends_head in enumerate(ends) if ends_head), None)
    if stray is None:
        return
    kept = soup.new_tag("head")
    kept.attrs = head.attrs
    head.insert_before(kept)
    for node in children[:stray]:
        kept.append(node.extract())
    head.name, head.attrs = "body", {} if body is None else body.attrs
    if body is not None and head in body.parents:
        body.name = "div"
    elif body is not None:
        for node in [*body.contents]:
            head.append(node.extract())
        body.extract()


def _tags(soup: BeautifulSoup) -> Iterator[Tag]:
    return (node for node in soup.descendants if isinstance(node, Tag))


def _matters(tag: Tag) -> bool:
    if tag.name == "title":
        return tag.find_parent(FOREIGN) is None
    if tag.name in OF_HTML_ALONE and any(_is_in(tag, name) for name in FOREIGN):
        return False
    is_styled = "url" in str(tag.attrs.get("style", "")).lower()
    return tag.name in FOUND or is_styled or not TYPED.isdisjoint(tag.attrs)


def _element(tag: Tag, texts: "_Texts", positions: ElementPositions[Tag]) -> Element:
    attributes = _attributes(tag)
    text = texts.of(tag) if tag.name in WITH_TEXT else _unread_text(tag, attributes)
    return Element(tag.name, attributes, text, *positions.of(tag))


def _attributes(tag: Tag) -> Attributes:
    return {name: str(value) for name, value in tag.attrs.items()}


_VOID = frozenset({"embed", "source", "track", "wbr"})
"""Elements that have no end tag, and that libxml2 does not know as such."""


def _described(tag: Tag) -> Described[Tag]:
    parent = None if tag.name == "html" else tag.parent
    while parent is not None and parent.name in _VOID:
        parent = parent.parent
    return Described(id(tag), parent, tag.name, _attributes(tag))


def _unread_text(tag: Tag, attributes: Attributes) -> str:
    """The text of an element that is not read as text, as `Element` defines it."""
    if tag.name == "style" or (tag.name == "script" and is_json_ld(attributes)):
        return tag.get_text()
    if tag.name == "meta":
        return IN_NOSCRIPT if is_refresh(attributes) and _is_in(tag, IN_NOSCRIPT) else ""
    return IN_LABEL if tag.name in FORM_FIELDS and _is_in(tag, IN_LABEL) else ""


def _is_in(tag: Tag, name: str) -> bool:
    """Whether the element is within one with this name, not too far up."""
    return any(parent.name == name for parent in islice(tag.parents, MAX_PARENTS + 1))


class _Texts:
    """The texts of the links and headings of one page, as `Element` defines them."""

    def __init__(self, room: int = MAX_PAGE_TEXT_NODES) -> None:
        self._room = room

    def of(self, tag: Tag) -> str:
        """The text of `tag`."""
        pieces: list[str] = []
        elements: list[Tag] = []
        block: Tag | None = None
        has_broken = False
        left = MAX_TEXT
        for part in islice(tag.descendants, min(MAX_TEXT_NODES - 1, self._room)):
            self._room -= 1
            if isinstance(part, Tag):
                elements.append(part)
                has_broken = has_broken or part.name in BREAKS
            elif _is_text(part) and (part.parent is tag or _name(part.parent) not in UNREAD):
                before, block = block, _block_of(part, tag)
                separator = " " if has_broken or block is not before else ""
                has_broken = False
                read = self._read(str(part), left)
                pieces.append(separator + read)
                left -= len(read)
        text = "".join(pieces)
        return text if text.strip() else self._alternative(tag, elements)

    def _alternative(self, tag: Tag, elements: Iterable[Tag]) -> str:
        """The alternative text of the first element in a tag without text that has one."""
        is_heading = tag.name in HEADINGS
        for part in elements:
            for said, is_alt in _alternatives(part, has_label=not is_heading):
                if alternative := self._read(said, MAX_TEXT).strip():
                    is_marked = is_heading or (is_alt and tag.name == "a")
                    return ALT_MARK + alternative if is_marked else alternative
        return ""

    def _read(self, text: str, most: int) -> str:
        """The part of `text` that is read, at most `most`."""
        self._room = max(self._room - min(len(text), most) // NODE_TEXT, 0)
        return text[:most]


def _block_of(text: PageElement, around: Tag) -> Tag | None:
    """The nearest of `BREAKS` in `around` that a text stands in, not too far up."""
    for above in islice(text.parents, MAX_PARENTS):
        if above is around:
            break
        if above.name in BREAKS:
            return above
    return None


def _labels(soup: BeautifulSoup, ids: Collection[str]) -> Iterator[tuple[str, Attributes, str]]:
    """The elements with one of these ids, for `FindLabels`."""
    texts = _Texts(MAX_LABEL_NODES)
    for tag in soup.find_all(id=True):
        if tag["id"] in ids:
            yield str(tag["id"]), _attributes(tag), texts.of(tag)


def _alternatives(tag: Tag, *, has_label: bool) -> Iterator[tuple[str, bool]]:
    """What an element in a link or heading has instead of text, best first.

    And whether that is the alternative text of an image.
    """
    if has_label:
        yield str(tag.get("aria-label") or ""), False
    if tag.name == "img":
        yield str(tag.get("alt") or ""), True
    elif tag.name == "title":
        yield tag.get_text(), False


def _name(tag: Tag | None) -> str:
    return tag.name if tag else ""


def _text_nodes(soup: BeautifulSoup) -> Iterator[TextNode]:
    """The elements and texts of the body, which is all but the head if its tag is missing."""
    if soup.body is None and soup.frameset is not None:
        return
    body = soup.body or soup.html or soup
    for node in (body, *body.descendants):
        if isinstance(node, Tag):
            yield TextNode(id(node), id(node.parent), node.name, "", partial(_attributes, node))
        elif _is_text(node):
            yield TextNode(id(node), id(node.parent), "", str(node), dict)


def _ids(soup: BeautifulSoup) -> Iterator[str]:
    """The ids that fragments can lead to."""
    for tag in soup.find_all(id=True):
        yield str(tag["id"])
    for tag in soup.find_all("a", attrs={"name": True}):
        yield str(tag["name"])


def _is_text(part: object) -> bool:
    # Comments, doctypes and the like are preformatted strings.
    return isinstance(part, NavigableString) and not isinstance(part, PreformattedString)
