"""Knows the types and properties of schema.org."""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

_TABLE: Final = Path(__file__).with_name("schema_org.txt")
_DATA_TYPES: Final = frozenset(
    {
        *("Boolean", "CssSelectorType", "DataType", "Date", "DateTime", "False", "Float"),
        *("Integer", "Number", "PronounceableText", "Text", "Time", "True", "URL", "XPathType"),
    }
)


_ANNOTATIONS: Final = ("-input", "-output")


class Property(NamedTuple):
    """A property: the types that have it, and the name that superseded it, or ""."""

    types: frozenset[str]
    superseded_by: str


class Vocabulary(NamedTuple):
    """Types, each with all types that it is one of, itself included; properties by name."""

    types: dict[str, frozenset[str]]
    properties: dict[str, Property]

    def kinds(self, types: tuple[str, ...]) -> frozenset[str]:
        """All that an item with these types is; an unknown type is only itself."""
        found: frozenset[str] = frozenset(types)
        for name in types:
            found |= self.types.get(name, frozenset())
        return found

    def property_named(self, name: str) -> Property | None:
        """The property of that name, which actions may append an annotation to."""
        known = self.properties.get(name)
        if known is None and name.endswith(_ANNOTATIONS):
            known = self.properties.get(name.rpartition("-")[0])
        return known


@cache
def schema_org() -> Vocabulary:
    """The vocabulary, read once per process that encounters structured data."""
    types = {name: frozenset({name}) for name in _DATA_TYPES}
    properties: dict[str, Property] = {}
    for line in _TABLE.read_text(encoding="utf-8").splitlines():
        name, _, others = line.partition(" ")
        if line.startswith("#"):
            continue
        related = frozenset(others.split(",")) if others else frozenset()
        if name.startswith("."):
            own, _, superseded_by = name[1:].partition(">")
            properties[own] = Property(related, superseded_by)
        else:
            types[name] = related | {name}
    return Vocabulary(types, properties)
