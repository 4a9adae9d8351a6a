"""Reads JSON-LD: as much of it as search engines do, not all of the W3C's algorithm."""

import json
import re
from collections.abc import Iterator
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
from gossamer.extract.structured_data.json_ld_context import ADDRESSES, JsonLdContext
from gossamer.model.messages.page_contents_messages import MAX_ITEMS, FaultKind
from gossamer.model.text_cleaning import one_line

_TOO_DEEP: Final = "JSON is nested too deeply"
_ENDS_TOO_EARLY: Final = "Input data was truncated"
"""The parser's message that has no byte."""
_ONE_LATE: Final = (
    "trailing characters",
    "invalid escape character in string",
    "invalid character in unicode escape",
)
"""Messages for which the parser gives the byte after the one that is wrong."""
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

    def read(self, script: str) -> None:
        """Add the items of a script; a blank one has none, nor has `{}`."""
        self._script += 1
        if not script.strip():
            return
        try:
            data = _decoded(script)
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
        context = JsonLdContext().inside(data.get("@context"))
        data = context.with_keywords(data)
        nodes = [data]
        if "@graph" in data:
            graph = data["@graph"]
            nodes = graph if isinstance(graph, list) else [graph]
            if "@type" in data:
                nodes = [data, *nodes]
        if "@context" not in data and not _has_addresses_alone(nodes):
            subject = ", ".join(_types(data, context))
            self.faults.append(
                Fault(FaultKind.NO_CONTEXT, subject=subject, script=self._script, line=1)
            )
        for node in nodes:
            if isinstance(node, dict) and (item := self._item(node, 0, context)):
                item.script = self._script
                self.items.append(item)

    def _item(self, data: dict[str, Any], depth: int, context: JsonLdContext) -> Item | None:
        """The item that an object is; None beyond their limit, and for those nested too deep."""
        self._items_left -= 1
        if self._items_left < 0 or depth > MAX_DEPTH:
            return None
        if "@context" in data:
            context = context.inside(data["@context"])
        data = context.with_keywords(data)
        is_known = context.is_schema_org or _is_addressed(data)
        item = Item(DataFormat.JSON_LD, _types(data, context), _text(data.get("@id")), is_known)
        for key, value in data.items():
            if not key.startswith("@") and (name := context.name(key)):
                for each in self._values(value, depth + 1, context):
                    item.properties.append((name, each))
        return item

    def _values(self, value: object, depth: int, context: JsonLdContext) -> Iterator[Value]:
        self._values_left -= 1
        if isinstance(value, dict):
            yield from self._values_of_object(value, depth, context)
        elif not isinstance(value, list):
            yield _text(value)
        elif depth <= MAX_DEPTH:
            for each in value[: max(self._values_left, 0)]:
                yield from self._values(each, depth + 1, context)

    def _values_of_object(
        self, value: dict[str, Any], depth: int, context: JsonLdContext
    ) -> Iterator[Value]:
        if "@value" in value:
            yield _text(value["@value"])
        elif container := next((key for key in _CONTAINERS if key in value), ""):
            yield from self._values(value[container], depth + 1, context)
        elif (item := self._item(value, depth, context)) is not None:
            yield item


def _decoded(script: str) -> object:
    """The value of a script; raises `msgspec.DecodeError` or `RecursionError` if it has none."""
    try:
        return msgspec.json.decode(script.encode("utf-8", "replace"))
    except msgspec.DecodeError:
        # Half an emoji, which scripts leave that cut texts, and numbers beyond any range are JSON
        # too (RFC 8259, §6 and §8.2): browsers and search engines read them.
        try:
            return json.loads(script, parse_constant=_refuse)
        except ValueError:
            pass
        raise


def _refuse(constant: str) -> None:
    """Refuse NaN and Infinity, which Python takes for JSON."""
    raise ValueError(constant)


def _types(data: dict[str, Any], context: JsonLdContext) -> tuple[str, ...]:
    said = data.get("@type")
    return tuple(
        name
        for each in (said if isinstance(said, list) else [said])
        if isinstance(each, str) and (name := context.name(each.strip()))
    )


def _is_addressed(data: dict[str, Any]) -> bool:
    """Whether an object says by an address that it is one of schema.org's types."""
    said = data.get("@type")
    types = said if isinstance(said, list) else [said]
    return any(isinstance(each, str) and each.startswith(ADDRESSES) for each in types)


def _has_addresses_alone(nodes: list[Any]) -> bool:
    """Whether objects have types by addresses, and no names that need a context."""
    return all(
        isinstance(node, dict)
        and _is_addressed(node)
        and all(key.startswith("@") or ":" in key for key in node)
        for node in nodes
    )


def _says_something(data: dict[str, Any]) -> bool:
    """Whether an object has more than a context."""
    return any(value not in _NOTHING for key, value in data.items() if key != "@context")


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
        end = int(found[1]) - message.endswith(_ONE_LATE)
        before = script.encode("utf-8", "replace")[:end].decode("utf-8", "ignore")
    elif message == _ENDS_TOO_EARLY:
        before = script.rstrip()
    else:
        return one_line(message, MAX_VALUE), 1
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    return f"{message} (line {line}, column {column})", line
