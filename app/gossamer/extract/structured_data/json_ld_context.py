"""What names in JSON-LD stand for, by the `@context` around them (JSON-LD 1.1, §3.1, §4.1)."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final, NamedTuple

from gossamer.extract.structured_data.data_items import MAX_DEPTH, MAX_VALUE
from gossamer.model.text_cleaning import clean_text

ADDRESSES: Final = ("https://schema.org/", "http://schema.org/")
_PREFIXES: Final = (*ADDRESSES, "schema:")
_SCHEMA_ORG_TERMS: Final = {"id": "@id", "type": "@type"}
"""Keywords that the context of schema.org gives names of its own."""


class JsonLdContext(NamedTuple):
    """What applies to the names of an object and of those in it.

    `is_schema_org` says whether names may be schema.org's, `prefixes` are those declared for it.
    `terms` are names that have been defined, with the keyword or name that each stands for, or ""
    for none. `vocabulary` is the address that other names belong to; "" is schema.org's or unknown.
    """

    is_schema_org: bool = False
    prefixes: frozenset[str] = frozenset()
    terms: Mapping[str, str] = {}
    vocabulary: str = ""

    def inside(self, said: object) -> "JsonLdContext":
        """The context of an object in this one with `said` as its own `@context`."""
        prefixes = self.prefixes | {
            name for name, value in _definitions(said) if _address(value) in ADDRESSES
        }
        terms = dict(self.terms)
        if _names_schema_org(said):
            terms |= _SCHEMA_ORG_TERMS
        vocabulary = self.vocabulary
        for name, value in _definitions(said):
            address = _address(value)
            if name == "@vocab":
                vocabulary = "" if address is None or is_schema_org(address) else address
            elif value is None or (isinstance(value, dict) and "@reverse" in value):
                terms[name] = ""
            elif address is not None and address not in ADDRESSES:
                terms[name] = _expanded(address, prefixes)
        is_known = _mentions_schema_org(said) or (self.is_schema_org and _only_defines(said))
        return JsonLdContext(is_known, prefixes, terms, vocabulary)

    def with_keywords(self, data: dict[str, Any]) -> dict[str, Any]:
        """An object with its keywords in place of other names for them."""
        if self.terms.keys().isdisjoint(data):
            return data
        return {
            keyword if (keyword := self.terms.get(key, "")).startswith("@") else key: value
            for key, value in data.items()
        }

    def name(self, name: str) -> str:
        """What a type or property is called, as by `short_name`; "" if the context drops it."""
        if name in self.terms:
            return self.terms[name]
        if ":" in name:
            return _expanded(name, self.prefixes)
        return (
            clean_text(self.vocabulary + name, MAX_VALUE) if self.vocabulary else short_name(name)
        )


@lru_cache(maxsize=10_000)
def short_name(name: str) -> str:
    """The name of a type or property of schema.org without its address; for others, in full."""
    if ":" in name:
        for prefix in _PREFIXES:
            if name.startswith(prefix):
                return name[len(prefix) :]
    return clean_text(name, MAX_VALUE)


def is_schema_org(address: str) -> bool:
    """Whether an address, as pages spell it, is in schema.org."""
    return "schema.org" in address.lower()


def _expanded(name: str, prefixes: frozenset[str]) -> str:
    prefix, colon, rest = name.partition(":")
    return clean_text(rest, MAX_VALUE) if colon and prefix in prefixes else short_name(name)


def _parts(context: object) -> list[object]:
    return context if isinstance(context, list) else [context]


def _definitions(context: object) -> Iterator[tuple[str, object]]:
    for part in _parts(context):
        if isinstance(part, dict):
            for name, value in part.items():
                if name == "@vocab" or not name.startswith("@"):
                    yield name, value


def _address(value: object) -> str | None:
    """What a definition says that the name stands for; None if it says nothing of that."""
    if isinstance(value, dict):
        value = value.get("@id")
    return value if isinstance(value, str) else None


def _names_schema_org(context: object) -> bool:
    return any(isinstance(part, str) and is_schema_org(part) for part in _parts(context))


def _mentions_schema_org(context: object, depth: int = 0) -> bool:
    if isinstance(context, (list, dict)):
        parts = context if isinstance(context, list) else context.values()
        return depth < MAX_DEPTH and any(_mentions_schema_org(each, depth + 1) for each in parts)
    return isinstance(context, str) and is_schema_org(context)


def _only_defines(context: object) -> bool:
    """Whether a context adds to the one around it, and names no vocabulary of its own."""
    return all(isinstance(part, dict) and "@vocab" not in part for part in _parts(context))
