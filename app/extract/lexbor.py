"""The fast back end: lexbor, a parser that follows the HTML Standard, through selectolax."""

from itertools import islice

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from app.extract.findings import (
    BREAKS,
    FOUND,
    FOUND_BY,
    IN_NOSCRIPT,
    MAX_ELEMENTS,
    MAX_PAGE_TEXT_NODES,
    MAX_PARENTS,
    MAX_TEXT_NODES,
    UNREAD,
    UNSEEN,
    Element,
    Findings,
)

# Attribute selectors cost a third of what tag selectors do: most elements have no attribute.
_SELECTOR = ", ".join(
    [
        *(f"[{name}]" for name in FOUND_BY),
        '[style*="url" i]',
        *FOUND,
        *("script", "noscript"),
    ]
)
_WITH_TEXT = frozenset({"a", "h1", "title"})
_WITH_MORE = frozenset({"style", "meta"})
_TEXT = "-text"
_NOT_WRAPPERS = UNREAD | {"img"}
_MAX_WRAPPERS = 4
_MAX_TITLES = 20
_KEPT_BYTES = 8 * 1024 * 1024


def find(markup: bytes) -> Findings:
    """Parse `markup`, in UTF-8 without byte-order mark. Linear in its length but for two things.

    Elements nested tens of thousands deep take lexbor quadratic time, as do formatting elements
    that are not closed: see `app.extract.nesting` and `app.extract.formatting`.
    """
    tree = LexborHTMLParser(markup, options=LexborDocumentOptions.WO_EVENTS)
    elements: list[Element] = []
    unseen: list[LexborNode] = []
    texts = _Texts()
    titles = 0
    last = 0
    for node in tree.css(_SELECTOR):
        if node.mem_id == last:  # one that two selectors match comes twice
            continue
        last = node.mem_id
        tag = node.tag or ""
        if tag in _WITH_TEXT:
            if tag == "title":
                titles += 1
                if titles > _MAX_TITLES or _is_in_svg(node):
                    unseen.append(node)
                    continue
            text = texts.of(node)
        else:
            text = _kept(tag, node) if tag in _WITH_MORE else ""
        if tag in UNSEEN:
            unseen.append(node)
        if len(elements) < MAX_ELEMENTS:
            elements.append((tag, node.attributes, text))
    root = tree.root
    attributes = root.attributes if root else {}
    language = (attributes["lang"] or "") if "lang" in attributes else None
    return Findings(elements, language, _visible_text(tree, unseen))


def _kept(tag: str, node: LexborNode) -> str:
    """The text of an element that is not read as text, as `Element` defines it."""
    if tag == "style":
        return node.text()
    return IN_NOSCRIPT if _is_refresh_in_noscript(node) else ""


def _is_refresh_in_noscript(node: LexborNode) -> bool:
    if (node.attributes.get("http-equiv") or "").lower() != "refresh":
        return False
    above = node.parent
    for _ in range(MAX_PARENTS):
        if above is None or above.tag == "noscript":
            break
        above = above.parent
    return above is not None and above.tag == "noscript"


class _Texts:
    """The texts of the links and headings of one page, as `Element` defines them."""

    def __init__(self) -> None:
        self._room = MAX_PAGE_TEXT_NODES

    def of(self, node: LexborNode) -> str:
        """The text of `node`."""
        # Most have one text node, directly or in a few elements around nothing but it.
        child = node.first_child
        for _ in range(_MAX_WRAPPERS):
            if child is None:
                break
            if child.next is not None or child.tag in _NOT_WRAPPERS:
                return self._mixed(node)
            if child.tag == _TEXT:
                return child.text_content or ""
            child = child.first_child
        return self._mixed(node) if child else ""

    def _mixed(self, node: LexborNode) -> str:
        pieces: list[str] = []
        alternative = separator = ""
        has_unread = False
        for part in islice(node.traverse(include_text=True), 1, min(MAX_TEXT_NODES, self._room)):
            self._room -= 1
            tag = part.tag
            if tag == _TEXT:
                if not (has_unread and part.parent and part.parent.tag in UNREAD):
                    pieces.append(part.text_content or "")
            elif tag in BREAKS:
                separator = " "
            elif tag == "img":
                alternative = alternative or (part.attributes.get("alt") or "").strip()
            elif tag in UNREAD:
                has_unread = True
                if tag == "title":
                    alternative = alternative or part.text().strip()
        text = separator.join(pieces)
        return text if text.strip() else alternative


def _is_in_svg(node: LexborNode) -> bool:
    """Whether a `title` is the tool tip of a drawing, not the page's title."""
    above = node.parent
    while above is not None and above.tag != "head":
        if above.tag == "svg":
            return True
        above = above.parent
    return False


def _visible_text(tree: LexborHTMLParser, unseen: list[LexborNode]) -> str:
    """The text of the body. Takes `unseen` out of the tree, so it comes last."""
    for node in unseen:
        node.decompose()
    body = tree.body
    return body.text(separator=" ", skip_empty=True) if body else ""


def _keep_freed_memory() -> None:
    """Have the C library keep memory that a parsed page frees, for the next page.

    glibc gives blocks of 128 KiB and more back to the system at once, so every page would pay
    for fresh, zeroed memory: 370 µs instead of 170 for 38 KB of HTML. Freeing one larger block
    raises that limit for good (mallopt(3), M_MMAP_THRESHOLD). Elsewhere it does nothing.
    """
    bytearray(_KEPT_BYTES)


_keep_freed_memory()
