"""Reads JSON-LD: as much of it as search engines do, not all of the W3C's algorithm."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

import msgspec

from gossamer.extract.structured_data.data_items import (
    MAX_DEPTH,
    MAX_VALUE,
    MAX_VALUES,
    DataFormat,
    Fault,
    Item,
    Value,
)
from gossamer.model.messages.page_contents_messages import MAX_ITEMS, FaultKind
from gossamer.model.text_cleaning import clean_text, one_line

_ADDRESSES: Final = ("https://schema.org/", "http://schema.org/")
_PREFIXES: Final = (*_ADDRESSES, "schema:")
_TOO_DEEP: Final = "JSON is nested too deeply"
_ENDS_TOO_EARLY: Final = "Input data was truncated"
"""The parser's message that has no byte."""
_BYTE: Final = re.compile(r"\(byte (\d+)\)")
_CONTAINERS: Final = ("@list", "@set", "@graph")
_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})


class JsonLdReader:
    """Reads the JSON-LD scripts of one page."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.faults: list[Fault] = []
        self.is_found = False
        """Whether there is a script with any content, parsed or not."""
        self._items_left = MAX_ITEMS
        self._values_left = MAX_VALUES
        self._script = -1
        self._prefixes: frozenset[str] = frozenset()
        """Those that the present context declares for schema.org."""

    def read(self, script: str) -> None:
        """Add the items of a script; a blank one has none, nor has `{}`."""
        self._script += 1
        if not script.strip():
            return
        try:
            data = msgspec.json.decode(script.encode("utf-8", "replace"))
        except (msgspec.DecodeError, RecursionError) as e:
            # How deep is too deep, and the error for that, depend on the version of Python.
            message = _TOO_DEEP if isinstance(e, RecursionError) else str(e)
            detail, line = _place(message, script)
            self.faults.append(
                Fault(FaultKind.PARSE_ERROR, detail=detail, script=self._script, line=line)
            )
            self.is_found = True
            return
        for top in data if isinstance(data, list) else [data]:
            if isinstance(top, dict) and _says_something(top):
                self.is_found = True
                self._read_top(top)

    def _read_top(self, data: dict[str, Any]) -> None:
        is_known = _is_schema_org(data.get("@context"))
        self._prefixes = _declared_prefixes(data.get("@context"))
        if "@context" not in data:
            subject = ", ".join(self._types(data))
            self.faults.append(
                Fault(FaultKind.NO_CONTEXT, subject=subject, script=self._script, line=1)
            )
        nodes = [data]
        if "@graph" in data:
            graph = data["@graph"]
            nodes = graph if isinstance(graph, list) else [graph]
        for node in nodes:
            if isinstance(node, dict) and (item := self._item(node, 0, is_known=is_known)):
                item.script = self._script
                self.items.append(item)

    def _item(self, data: dict[str, Any], depth: int, *, is_known: bool) -> Item | None:
        """The item that an object is; None beyond their limit, and for those nested too deep."""
        self._items_left -= 1
        if self._items_left < 0 or depth > MAX_DEPTH:
            return None
        outer = self._prefixes
        if "@context" in data:
            is_known = _is_schema_org(data["@context"])
            self._prefixes = outer | _declared_prefixes(data["@context"])
        item = Item(DataFormat.JSON_LD, self._types(data), _text(data.get("@id")), is_known)
        for key, value in data.items():
            if not key.startswith("@"):
                name = self._name(key)
                for each in self._values(value, depth + 1, is_known=is_known):
                    item.properties.append((name, each))
        self._prefixes = outer
        return item

    def _types(self, data: dict[str, Any]) -> tuple[str, ...]:
        said = data.get("@type")
        return tuple(
            self._name(each.strip())
            for each in (said if isinstance(said, list) else [said])
            if isinstance(each, str) and each.strip()
        )

    def _name(self, name: str) -> str:
        """See `short_name`."""
        prefix, colon, rest = name.partition(":")
        if colon and prefix in self._prefixes:
            return clean_text(rest, MAX_VALUE)
        return short_name(name)

    def _values(self, value: object, depth: int, *, is_known: bool) -> Iterator[Value]:
        self._values_left -= 1
        if isinstance(value, dict):
            yield from self._values_of_object(value, depth, is_known=is_known)
        elif not isinstance(value, list):
            yield _text(value)
        elif depth <= MAX_DEPTH:
            for each in value[: max(self._values_left, 0)]:
                yield from self._values(each, depth + 1, is_known=is_known)

    def _values_of_object(
        self, value: dict[str, Any], depth: int, *, is_known: bool
    ) -> Iterator[Value]:
        if "@value" in value:
            yield _text(value["@value"])
        elif container := next((key for key in _CONTAINERS if key in value), ""):
            yield from self._values(value[container], depth + 1, is_known=is_known)
        elif (item := self._item(value, depth, is_known=is_known)) is not None:
            yield item


def _says_something(data: dict[str, Any]) -> bool:
    """Whether an object has more than a context."""
    return any(value not in _NOTHING for key, value in data.items() if key != "@context")


@lru_cache(maxsize=10_000)
def short_name(name: str) -> str:
    """The name of a type or property of schema.org without its address; for others, in full."""
    if ":" in name:
        for prefix in _PREFIXES:
            if name.startswith(prefix):
                return name[len(prefix) :]
    return clean_text(name, MAX_VALUE)


def _declared_prefixes(context: object) -> frozenset[str]:
    """The prefixes that a context declares for schema.org."""
    parts = context if isinstance(context, list) else [context]
    return frozenset(
        name
        for part in parts
        if isinstance(part, dict)
        for name, value in part.items()
        if value in _ADDRESSES
    )


def _is_schema_org(context: object, depth: int = 0) -> bool:
    if isinstance(context, (list, dict)):
        parts = context if isinstance(context, list) else context.values()
        return depth < MAX_DEPTH and any(_is_schema_org(each, depth + 1) for each in parts)
    return isinstance(context, str) and "schema.org" in context.lower()


def _text(value: object) -> str:
    if isinstance(value, str) and len(value) <= MAX_VALUE and value.isprintable():
        return value.strip() if "  " not in value else one_line(value)
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return one_line(str(value), MAX_VALUE)


def _place(message: str, script: str) -> tuple[str, int]:
    """The parser's message, with line and column in place of the byte; and the line."""
    found = _BYTE.search(message)
    if found is not None:
        message = message[: found.start()].strip()
        before = script.encode("utf-8", "replace")[: int(found[1])].decode("utf-8", "ignore")
    elif message == _ENDS_TOO_EARLY:
        before = script.rstrip()
    else:
        return one_line(message, MAX_VALUE), 1
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f"{message} (line {line}, column {column})", line
