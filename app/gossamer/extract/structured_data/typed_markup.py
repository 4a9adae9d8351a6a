"""Reads Microdata and RDFa from the elements that have their attributes.

Microdata by the HTML Standard (§5), RDFa Lite and `rel` by RDFa Core 1.1, as far as pages use them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gossamer.extract.structured_data.data_items import (
    MAX_DEPTH,
    MAX_VALUE,
    DataFormat,
    Item,
    Value,
    all_items,
)
from gossamer.extract.structured_data.json_ld_context import short_name
from gossamer.model.messages.page_contents_messages import MAX_ITEMS
from gossamer.model.text_cleaning import one_line

SIGNS: Final = {
    "itemscope": "[itemscope], [itemprop]",
    "typeof": '[typeof], [property], [vocab], [prefix], [rel*=":"], [rel]:not([href])',
}
"""Without one of these attributes there are no items; with it, those of the selected elements."""
_MAX_ELEMENTS: Final = 20_000
_MAX_PARENTS: Final = 1_000
_SOURCES: Final[Mapping[str, str]] = {
    **dict.fromkeys(("audio", "embed", "iframe", "img", "source", "track", "video"), "src"),
    **dict.fromkeys(("a", "area", "link"), "href"),
    "data": "value",
    "meter": "value",
    "object": "data",
}
"""The attributes with the values of elements, other than their texts."""
_PREFIXES: Final = {
    "schema": "https://schema.org/",
    "dc": "http://purl.org/dc/terms/",
    "dcterms": "http://purl.org/dc/terms/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "gr": "http://purl.org/goodrelations/v1#",
    "v": "http://rdf.data-vocabulary.org/#",
}
"""Prefixes that need not be declared (RDFa Core Initial Context)."""


@dataclass(slots=True)
class _Context:
    """What applies inside an element: the items that properties belong to, and the vocabulary."""

    microdata: Item | None = None
    rdfa: Item | None = None
    vocabulary: str = ""
    prefixes: Mapping[str, str] = field(default_factory=lambda: _PREFIXES)
    depth: int = 0
    relations: tuple[str, ...] = ()
    """The properties of `rdfa` that the items next inside are values of."""


def typed_items(markup: bytes) -> list[Item]:
    """The top-level items of a page in UTF-8, of Microdata and of RDFa."""
    return typed_items_in(LexborHTMLParser(markup), signs_in(markup))


def typed_items_in(tree: LexborHTMLParser, signs: Sequence[str]) -> list[Item]:
    """Those of a parsed page with these of the `SIGNS`."""
    return list(_Reader(tree).items(", ".join(SIGNS[sign] for sign in signs))) if signs else []


def signs_in(markup: bytes) -> list[str]:
    """Those of the `SIGNS` of items in elements that a page may have."""
    folded = markup.lower()
    return [sign for sign in SIGNS if sign.encode() in folded]


@dataclass(frozen=True, slots=True)
class _Reference:
    """An itemref: the item that gets the content of the elements with these ids."""

    item: Item
    node: LexborNode
    ids: tuple[str, ...]


class _Reader:
    def __init__(self, tree: LexborHTMLParser) -> None:
        self._tree = tree
        self._contexts: dict[int, _Context] = {}
        self._namespaces: dict[int, Mapping[str, str]] = {}
        """Those that apply to the elements asked about so far, and to the ones around them."""
        self._top: list[Item] = []
        self._references: list[_Reference] = []
        self._items_left = MAX_ITEMS
        self._referred_left = MAX_ITEMS

    def items(self, selector: str) -> list[Item]:
        # Each occurs once for each part of the selector that matches.
        nodes = {node.mem_id: node for node in self._tree.css(selector)[:_MAX_ELEMENTS]}
        for node in nodes.values():
            attributes = node.attributes
            outer = self._context_around(node)
            inner = _Context(
                *(outer.microdata, outer.rdfa, outer.vocabulary, outer.prefixes),
                *(outer.depth + 1, outer.relations),
            )
            if outer.depth < MAX_DEPTH and self._items_left > 0:
                if "itemscope" in attributes or "itemprop" in attributes:
                    self._microdata(node, attributes, outer, inner)
                self._rdfa(node, attributes, outer, inner)
            self._contexts[node.mem_id] = inner
        if self._references:
            self._follow_references()
        return self._top

    def _context_around(self, node: LexborNode) -> _Context:
        for above in _ancestors(node):
            context = self._contexts.get(above.mem_id)
            if context is not None:
                return context
        return _Context()

    def _microdata(
        self,
        node: LexborNode,
        attributes: Mapping[str, str | None],
        outer: _Context,
        inner: _Context,
    ) -> None:
        names = (attributes.get("itemprop") or "").split()
        if "itemscope" not in attributes:
            if outer.microdata is not None:
                _add(outer.microdata, names, _microdata_value(node, attributes))
            return
        types = (attributes.get("itemtype") or "").split()
        item = inner.microdata = self._new_item(DataFormat.MICRODATA, types, attributes, "itemid")
        if not types:
            item.is_known = True
        if names and outer.microdata is not None:
            _add(outer.microdata, names, item)
        elif not names:
            self._top.append(item)
        if references := (attributes.get("itemref") or "").split():
            self._references.append(_Reference(item, node, tuple(references)))

    def _new_item(
        self,
        data_format: DataFormat,
        types: Sequence[str],
        attributes: Mapping[str, str | None],
        id_attribute: str,
    ) -> Item:
        self._items_left -= 1
        names = tuple(map(short_name, types))
        own_id = one_line(attributes.get(id_attribute) or "", MAX_VALUE)
        return Item(data_format, names, own_id, any(map(_is_schema_org, types)))

    def _follow_references(self) -> None:
        """Add the content of the elements that items refer to, outside of them, to the items.

        Not from an element that contains the item itself, and no items that refer to others: no
        item may end up in itself.
        """
        by_id: dict[str, LexborNode] = {}
        for node in self._tree.css("[id]"):
            by_id.setdefault(node.attributes.get("id") or "", node)
        referring = {id(reference.item) for reference in self._references}
        for reference in self._references:
            around = {node.mem_id for node in _ancestors(reference.node)}
            around.add(reference.node.mem_id)
            for element_id in reference.ids:
                root = by_id.get(element_id)
                if root is not None and root.mem_id not in around:
                    self._take_in(reference.item, root, referring)

    def _take_in(self, item: Item, root: LexborNode, referring: set[int]) -> None:
        for node in _with_itemprop(root):
            self._referred_left -= 1
            if self._referred_left < 0:
                return
            attributes = node.attributes
            names = (attributes.get("itemprop") or "").split()
            if "itemscope" not in attributes:
                _add(item, names, _microdata_value(node, attributes))
                continue
            context = self._contexts.get(node.mem_id)
            nested = context.microdata if context is not None else None
            if nested is not None and not any(
                id(each) in referring for each in all_items([nested])
            ):
                _add(item, names, nested)

    def _rdfa(
        self,
        node: LexborNode,
        attributes: Mapping[str, str | None],
        outer: _Context,
        inner: _Context,
    ) -> None:
        if "vocab" in attributes:
            inner.vocabulary = (attributes["vocab"] or "").strip()
        if "prefix" in attributes:
            inner.prefixes = {**outer.prefixes, **_declared(attributes["prefix"] or "")}
        if "typeof" in attributes:
            if types := self._names(attributes["typeof"], inner, node):
                self._rdfa_item(node, attributes, inner, types)
        elif outer.rdfa is not None:
            self._rdfa_values(node, attributes, inner, outer.rdfa)

    def _rdfa_values(
        self, node: LexborNode, attributes: Mapping[str, str | None], inner: _Context, item: Item
    ) -> None:
        """Read what an element in an item says of that."""
        value = attributes.get("resource")
        if names := self._names(attributes.get("property"), inner, node):
            _add(item, names, value or _value(node, attributes))
        if relations := self._names(_relations(attributes), inner, node):
            if address := value or attributes.get("href"):
                _add(item, relations, one_line(address, MAX_VALUE))
            else:
                inner.relations = relations

    def _rdfa_item(
        self,
        node: LexborNode,
        attributes: Mapping[str, str | None],
        inner: _Context,
        types: tuple[str, ...],
    ) -> None:
        """Read an element that is an item of its own, and a value of the one around it."""
        names = self._names(attributes.get("property"), inner, node)
        names = names or self._names(_relations(attributes), inner, node)
        around = inner.rdfa
        item = inner.rdfa = self._new_item(DataFormat.RDFA, types, attributes, "resource")
        if "about" in attributes:
            _add(item, names, _value(node, attributes))
            names = ()
        names = names or inner.relations
        inner.relations = ()
        if names and around is not None:
            _add(around, names, item)
        else:
            self._top.append(item)

    def _names(self, said: str | None, context: _Context, node: LexborNode) -> tuple[str, ...]:
        resolved = (self._resolved(each, context, node) for each in (said or "").split())
        return tuple(name for name in resolved if name)

    def _resolved(self, name: str, context: _Context, node: LexborNode) -> str:
        """The address that a term of an element stands for; "" if it is of no vocabulary."""
        if "://" in name:
            return name
        prefix, colon, rest = name.partition(":")
        if colon:
            prefix = prefix.lower()
            address = context.prefixes.get(prefix) or self._namespaces_around(node).get(prefix)
            return address + rest if address else ""
        return context.vocabulary + name if context.vocabulary else ""

    def _namespaces_around(self, node: LexborNode) -> Mapping[str, str]:
        """The prefixes that `xmlns:` declares, as pages for RDFa 1.0 do (RDFa Core 1.1, §7.5)."""
        inside: list[LexborNode] = []
        found: Mapping[str, str] = {}
        for each in chain((node,), _ancestors(node)):
            if each.mem_id in self._namespaces:
                found = self._namespaces[each.mem_id]
                break
            inside.append(each)
        for each in reversed(inside):
            own = {
                name.removeprefix("xmlns:"): value.strip()
                for name, value in each.attributes.items()
                if name.startswith("xmlns:") and value
            }
            found = self._namespaces[each.mem_id] = {**found, **own} if own else found
        return found


def _add(item: Item, names: Iterable[str], value: Value) -> None:
    item.properties += [(short_name(name), value) for name in names]


def _ancestors(node: LexborNode) -> Iterator[LexborNode]:
    above = node.parent
    for _ in range(_MAX_PARENTS):
        if above is None:
            break
        yield above
        above = above.parent


def _with_itemprop(root: LexborNode) -> Iterator[LexborNode]:
    """Elements with properties in `root`, itself included, but not those in nested items."""
    nested: set[int] = set()
    for node in root.traverse():
        parent = node.parent
        if node is not root and parent is not None and parent.mem_id in nested:
            nested.add(node.mem_id)
            continue
        attributes = node.attributes
        if "itemscope" in attributes:
            nested.add(node.mem_id)
        if "itemprop" in attributes:
            yield node


def _declared(text: str) -> dict[str, str]:
    """The prefixes that an attribute declares: `schema: https://schema.org/ …`."""
    words = text.split()
    return {
        name[:-1].lower(): address
        for name, address in zip(words[::2], words[1::2], strict=False)
        if name.endswith(":")
    }


def _relations(attributes: Mapping[str, str | None]) -> str:
    """The names in `rel` that are properties: of a link, those with a prefix."""
    names = attributes.get("rel") or ""
    if "href" not in attributes:
        return names
    return " ".join(name for name in names.split() if ":" in name)


def _microdata_value(node: LexborNode, attributes: Mapping[str, str | None]) -> str:
    """The value that an element gives a property: links and the like have no text for one."""
    source = _SOURCES.get(node.tag or "")
    is_blank = source is not None and source not in attributes and "content" not in attributes
    return "" if is_blank else _value(node, attributes)


def _value(node: LexborNode, attributes: Mapping[str, str | None]) -> str:
    if "content" in attributes:
        return one_line(attributes["content"] or "", MAX_VALUE)
    tag = node.tag or ""
    source = _SOURCES.get(tag)
    if source is not None and source in attributes:
        return one_line(attributes[source] or "", MAX_VALUE)
    if tag == "time" and "datetime" in attributes:
        return one_line(attributes["datetime"] or "", MAX_VALUE)
    return one_line(node.text(), MAX_VALUE)


def _is_schema_org(address: str) -> bool:
    return "schema.org/" in address.lower()
