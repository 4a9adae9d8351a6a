"""The default parser back end: lexbor, which follows the HTML Standard, through selectolax."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from typing import Final

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

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
from gossamer.extract.lexbor_ancestors import BREAK_NUMBERS, block_of, is_foreign, is_in
from gossamer.extract.link_positions import Described, ElementPositions
from gossamer.extract.native_dom_walk import NATIVE_WALK, NativeWalk, NumberedTags, numbered
from gossamer.extract.parsed_elements import (
    ALT_MARK,
    FOREIGN,
    FORM_FIELDS,
    FOUND,
    HEADINGS,
    IN_LABEL,
    IN_NOSCRIPT,
    MAX_ELEMENTS,
    MAX_PAGE_TEXT_NODES,
    MAX_TEXT,
    MAX_TEXT_NODES,
    MAX_TITLES,
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
from gossamer.model.page_prose import ProseRun

_FOUND = numbered(FOUND)
# lexbor knows every one of these (tests/unit/test_extract_lexbor_backend.py).
_UNREAD = frozenset(numbered(UNREAD).by_number)
_HEADINGS = frozenset(numbered(HEADINGS).by_number)
_WITH_TEXT = frozenset(numbered(WITH_TEXT).by_number)
_ALTERNATIVES = numbered(["img", "title"]).by_number
_A = next(iter(numbered(["a"]).by_number))
_TEXT = 2
"""lexbor's number of text nodes (LXB_TAG__TEXT)."""

_XLINK = "xlink:href"
_OTHERS = ", ".join(('[style*="url" i]', *(f"[{name}]" for name in sorted(TYPED))))
_NOT_PLAIN = WITH_TEXT | FORM_FIELDS | {"meta", "script", "style"}
"""Elements that have more to read than their attributes."""
_WHOLE_TEXTS = frozenset({"script", "style"})
_WITHOUT_EVENTS = int(LexborDocumentOptions.WO_EVENTS)
_KEPT_BYTES = 8 * 1024 * 1024
_MAX_WALK = 400_000_000
"""Links of a page times its bytes: up to here, reading each link to its end takes at most half a
second, even if all are nested in each other."""
_DEEP = True
_BETWEEN = "\0"
"""Separates text nodes; no text has it, for the HTML Standard replaces it (§13.2.5)."""


def find(
    markup: bytes,
    address: bytes = b"",
    native: NativeWalk | None = NATIVE_WALK,
    content_exclude: tuple[str, ...] = CONTENT_EXCLUDE,
    prose_exclude: tuple[str, ...] | None = None,
    text_bytes: int = 0,
) -> ParsedElements:
    """Parse `markup`, in UTF-8 without byte-order mark. Linear in its length, with two exceptions.

    `address` is that of the page, percent-decoded. `native` searches the tree, or Python if it is
    None or leaves that to Python. The text of what `content_exclude` names is no content, that of
    what `prose_exclude` names is not proofread; nothing is if that is None.

    The exceptions: elements nested tens of thousands deep take lexbor quadratic time, as do
    unclosed formatting elements: see `parser_limits`.
    """
    tree = LexborHTMLParser(markup, options=_WITHOUT_EVENTS)
    found = native.find(tree, address, content_exclude, text_bytes) if native else None
    if found is None:
        found = find_in(
            tree,
            len(markup),
            address,
            content_exclude=content_exclude,
            text_bytes=text_bytes,
        )
    if found.has_references:
        resolve_references(found.elements, partial(_labels, tree))
    if prose_exclude is not None:
        prose = native.prose(tree, prose_exclude) if native else None
        found.prose = prose_in(tree, prose_exclude) if prose is None else prose
    return found


def find_in(
    tree: LexborHTMLParser,
    size: int,
    address: bytes = b"",
    wanted: NumberedTags = _FOUND,
    content_exclude: tuple[str, ...] = CONTENT_EXCLUDE,
    text_bytes: int = 0,
) -> ParsedElements:
    """The elements `wanted` as `native_walk` finds them, in the tree of a page of `size` bytes."""
    nodes = _nodes(tree, wanted)
    elements: list[Element] = []
    drawn: list[tuple[LexborNode, Attributes]] = []
    texts = _Texts(nodes, size)
    positions = ElementPositions(_described)
    are_plain = texts.are_plain
    for node in nodes:
        tag = wanted.by_number.get(node.tag_id) or node.tag or ""
        text = ""
        # Nine of ten are links, most of which have one text node.
        if tag == "a" and are_plain:
            text = node.text(_DEEP, _BETWEEN)  # by position: names cost a fifth more
            if not text or _BETWEEN in text or text.isspace():
                text = texts.corrected(node, text)
        elif tag in _NOT_PLAIN:
            if tag == "title" and not texts.has_title(node):
                continue
            text = texts.of(node) if tag in WITH_TEXT else _unread_text(tag, node)
        elif tag in OF_HTML_ALONE and any(is_in(node, foreign) for foreign in FOREIGN):
            continue
        attributes: Attributes = node.attributes
        read = text if tag in _WHOLE_TEXTS else text[:MAX_TEXT]
        elements.append(Element(tag, attributes, read, *positions.of(node)))
        if _XLINK in attributes:
            drawn.append((node, attributes))
    del elements[MAX_ELEMENTS:]
    _drop_foreign_xlinks(tree, drawn)
    visible = visible_text(_text_nodes(tree), ContentExclusion.of(content_exclude))
    anchors = anchor_ids(_ids(tree))
    return ParsedElements(
        elements=elements,
        language=_language(tree),
        phrases=phrase_hashes_in(visible.outside_links, address),
        paths=positions.paths,
        **text_statistics(visible.content, visible.rest)._asdict(),
        text=text_lines(visible.content, text_bytes) if text_bytes else b"",
        anchor_ids=anchors.hashes,
        are_anchors_cut=anchors.are_cut,
        has_items=has_items(elements),
        has_references=has_references(elements),
    )


def prose_in(tree: LexborHTMLParser, exclude: tuple[str, ...]) -> list[ProseRun]:
    """The text of a page to proofread, without what `exclude` names."""
    return prose_of(_text_nodes(tree), ContentExclusion.of(exclude))


def content_text(markup: bytes, content_exclude: tuple[str, ...] = CONTENT_EXCLUDE) -> str:
    """The text that counts as content of a page in UTF-8, with `BREAK` between blocks."""
    tree = LexborHTMLParser(markup, options=_WITHOUT_EVENTS)
    return visible_text(_text_nodes(tree), ContentExclusion.of(content_exclude)).content


def _described(node: LexborNode) -> Described[LexborNode]:
    parent = None if node.tag == "html" else node.parent
    return Described(node.mem_id, parent, node.tag or "", node.attributes)


def _nodes(tree: LexborHTMLParser, wanted: NumberedTags) -> list[LexborNode]:
    """The elements that count, in document order.

    Walking over all elements takes half the time of a selector with some ten alternatives.
    """
    root = tree.root
    if root is None:
        return []
    numbers = wanted.by_number
    others = {node.mem_id for node in tree.css(", ".join((_OTHERS, *wanted.unnumbered)))}
    if not others:
        return [node for node in root.traverse() if node.tag_id in numbers]
    return [n for n in root.traverse() if n.tag_id in numbers or n.mem_id in others]


def _drop_foreign_xlinks(
    tree: LexborHTMLParser, drawn: list[tuple[LexborNode, Attributes]]
) -> None:
    """Remove `xlink:href` where it is no link, which is outside of SVG and MathML.

    There it is another spelling of `href` (HTML Standard §13.2.6.1, "adjust foreign attributes").
    """
    if not drawn:
        return
    linking = {node.mem_id for node in tree.css("[href]")}
    for node, attributes in drawn:
        if node.mem_id not in linking:
            del attributes[_XLINK]


def _language(tree: LexborHTMLParser) -> str | None:
    attributes = tree.root.attributes if tree.root else {}
    return (attributes["lang"] or "") if "lang" in attributes else None


def _unread_text(tag: str, node: LexborNode) -> str:
    """The text of an element that is not read as text, as `Element` defines it."""
    attributes = node.attributes
    if tag == "style" or (tag == "script" and is_json_ld(attributes)):
        return node.text(not _DEEP)  # HTML Standard §4.2.6: only its own text
    if tag == "meta":
        return IN_NOSCRIPT if is_refresh(attributes) and is_in(node, IN_NOSCRIPT) else ""
    return IN_LABEL if tag in FORM_FIELDS and is_in(node, IN_LABEL) else ""


class _Texts:
    """The texts of the links and headings of one page, as `Element` defines them."""

    def __init__(
        self, nodes: Sequence[LexborNode], page_bytes: int, room: int = MAX_PAGE_TEXT_NODES
    ) -> None:
        """`nodes` are the elements that count; at most `room` nodes are read."""
        self._room = room
        self._is_small = len(nodes) * page_bytes <= _MAX_WALK
        self._titles = 0
        self._around_unread = _around([node for node in nodes if node.tag_id in _UNREAD])
        self.are_plain: Final = self._is_small and not self._around_unread
        """Whether the parser's text of each is close enough."""

    def has_title(self, node: LexborNode) -> bool:
        """Whether this `title`, the next of them, is the page's, not a drawing's or formula's."""
        self._titles += 1
        return self._titles <= MAX_TITLES and not is_foreign(node)

    def of(self, node: LexborNode) -> str:
        """The text of `node`."""
        if self._is_small and node.mem_id not in self._around_unread:
            return self.corrected(node, node.text(_DEEP, _BETWEEN))
        return self.walked(node)

    def corrected(self, node: LexborNode, text: str) -> str:
        """The text of `node`, for which the parser returns `text`."""
        if _BETWEEN in text:
            text = self._joined(text, node)
        return text if text and not text.isspace() else self.walked(node)

    def _joined(self, parts: str, node: LexborNode) -> str:
        """The separated texts of `node` joined; "" if that needs a closer look."""
        most = min(MAX_TEXT_NODES, self._room)
        elements = [part.tag_id for part in islice(node.traverse(), 1, most)]
        self._room -= len(elements)
        if len(elements) + parts.count(_BETWEEN) > most // 2 or not BREAK_NUMBERS.isdisjoint(
            elements
        ):
            return ""
        return parts.replace(_BETWEEN, "")

    def walked(self, node: LexborNode) -> str:
        """The text of any node, as much of it as is read."""
        pieces: list[str] = []
        elements: list[LexborNode] = []
        block = 0
        has_breaks = has_broken = has_unread = False
        left = MAX_TEXT
        for part in islice(node.traverse(include_text=True), 1, min(MAX_TEXT_NODES, self._room)):
            self._room -= 1
            tag = part.tag_id
            if tag == _TEXT:
                if has_unread and part.parent and part.parent.tag_id in _UNREAD:
                    continue
                if has_breaks:
                    before, block = block, block_of(part, node)
                    if has_broken or block != before:
                        pieces.append(" ")
                    has_broken = False
                read = self._read(part.text_content or "", left)
                pieces.append(read)
                left -= len(read)
            elif part.is_element_node:
                elements.append(part)
                if tag in BREAK_NUMBERS:
                    has_breaks = has_broken = True
                has_unread = has_unread or tag in _UNREAD
        text = "".join(pieces)
        return text if text.strip() else self._alternative(node, elements)

    def _alternative(self, node: LexborNode, elements: Iterable[LexborNode]) -> str:
        """The alternative text of the first element in a node without text that has one."""
        is_heading = node.tag_id in _HEADINGS
        for part in elements:
            for said, is_alt in _alternatives(part, has_label=not is_heading):
                if alternative := self._read(said, MAX_TEXT).strip():
                    is_marked = is_heading or (is_alt and node.tag_id == _A)
                    return ALT_MARK + alternative if is_marked else alternative
        return ""

    def _read(self, text: str, most: int) -> str:
        """The part of `text` that is read, at most `most`."""
        self._room = max(self._room - min(len(text), most) // NODE_TEXT, 0)
        return text[:most]


def _labels(tree: LexborHTMLParser, ids: Collection[str]) -> Iterator[tuple[str, Attributes, str]]:
    """The elements with one of these ids, for `FindLabels`."""
    texts = _Texts([], 0, MAX_LABEL_NODES)
    for node in tree.css("[id]"):
        attributes: Attributes = node.attributes
        own = attributes["id"]
        if own in ids:
            yield own or "", attributes, texts.walked(node)


def _around(unread: Iterable[LexborNode]) -> set[int]:
    """The links and headings that contain one of `unread`, where not all text is read."""
    passed: set[int] = set()
    found: set[int] = set()
    for node in unread:
        above = node.parent
        while above is not None and above.mem_id not in passed:
            passed.add(above.mem_id)
            if above.tag_id in _WITH_TEXT:
                found.add(above.mem_id)
            above = above.parent
    return found


def _alternatives(node: LexborNode, *, has_label: bool) -> Iterator[tuple[str, bool]]:
    """What an element in a link or heading has instead of text, best first.

    And whether that is the alternative text of an image.
    """
    if has_label:
        yield node.attrs.get("aria-label") or "", False
    if tag := _ALTERNATIVES.get(node.tag_id):
        is_alt = tag == "img"
        yield (node.attrs.get("alt") or "") if is_alt else node.text(), is_alt


def _text_nodes(tree: LexborHTMLParser) -> Iterator[TextNode]:
    """The elements and texts of the body."""
    body = tree.body
    if body is None:
        return
    for node in body.traverse(include_text=True):
        above = node.parent.mem_id if node.parent else 0
        if node.tag_id == _TEXT:
            yield TextNode(node.mem_id, above, "", node.text_content or "", dict)
        else:
            yield TextNode(node.mem_id, above, node.tag or "", "", partial(_attributes, node))


def _attributes(node: LexborNode) -> Attributes:
    attributes: Attributes = node.attributes
    return attributes


def _ids(tree: LexborHTMLParser) -> Iterator[str]:
    """The ids that fragments can lead to."""
    for node in tree.css("[id]"):
        yield node.attributes["id"] or ""
    for node in tree.css("a[name]"):
        yield node.attributes["name"] or ""


def _keep_freed_memory() -> None:
    """Have the C library keep memory that a parsed page frees, for the next page.

    glibc gives blocks of 128 KiB and more back to the system at once, so every page would pay for
    fresh, zeroed memory: 370 µs instead of 170 for 38 KB of HTML. Freeing one larger block raises
    that limit for good (mallopt(3), M_MMAP_THRESHOLD). Elsewhere it does nothing. Python has the
    system zero what becomes `bytes`, so that none of it is touched.
    """
    bytes(_KEPT_BYTES)


_keep_freed_memory()
