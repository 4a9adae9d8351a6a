"""Checks items against the vocabulary of schema.org and the requirements of rich results."""

from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Final, NamedTuple

from gossamer.extract.structured_data.data_items import (
    DataFormat,
    Fault,
    Item,
    Value,
    all_items,
)
from gossamer.extract.structured_data.rich_results import ANY, RICH_RESULTS, RichResult
from gossamer.extract.structured_data.vocabulary import Vocabulary, schema_org
from gossamer.model.messages.page_contents_messages import MAX_ITEMS, FaultKind

MAX_FAULTS: Final = 500
_MAIN_PROPERTIES: Final = frozenset({"hasPart", "item", "itemListElement", "mainEntity"})
"""Properties whose values stand for themselves, like top-level items."""
_REVIEW_PROPERTIES: Final = frozenset({"aggregateRating", "review", "reviews"})
"""Properties with reviews and ratings of the item itself."""


class ItemValidation:
    """Finds the faults of the items of one page, and the rich results that it may have."""

    def __init__(self, items: list[Item]) -> None:
        self.faults: list[Fault] = []
        self.features: dict[str, list[Item]] = {}
        self._vocabulary = schema_org()
        self._left = MAX_ITEMS
        self._by_id: dict[str, Item] = {}
        self._whole: dict[str, Item] = {}
        """Items that are described in several places, with all that these say."""
        self._reviewing: set[str] = set()
        """The ids that items refer to as reviews and ratings of theirs."""
        self._compared: set[tuple[int, RichResult]] = set()
        for item in all_items(items):
            if item.id and item.properties:
                self._add_description(item)
            for name, value in item.properties:
                if name in _REVIEW_PROPERTIES and isinstance(value, Item) and value.id:
                    self._reviewing.add(value.id)
        for item in items:
            self._check(item, frozenset(), is_main=True)

    def _add_description(self, item: Item) -> None:
        first = self._by_id.setdefault(item.id, item)
        if first is not item and first.format is item.format is DataFormat.JSON_LD:
            whole = self._whole.setdefault(
                item.id, replace(first, properties=list(first.properties))
            )
            whole.properties += item.properties

    def _check(self, item: Item, parents: frozenset[str], *, is_main: bool) -> None:
        """Check an item that is a value of one that is all of `parents`, and those in it."""
        self._left -= 1
        if self._left < 0:
            return
        kinds = _meaning(item.types).kinds
        if item.is_known and len(self.faults) < MAX_FAULTS:
            self.faults += vocabulary_faults(item, kinds, self._vocabulary)
            described = self._described(item)
            if described.is_known:
                self._compare(described, parents, is_main=is_main)
        for name, nested in item.items:
            self._check(nested, kinds, is_main=is_main and name in _MAIN_PROPERTIES)

    def _described(self, item: Item) -> Item:
        """The item that another one, which is but a reference, refers to."""
        return self._by_id.get(item.id, item) if _is_reference(item) else item

    def _compare(self, item: Item, parents: frozenset[str], *, is_main: bool) -> None:
        """Compare an item with the rich results that it, or a part of one, may be: once each."""
        _, features, parts = _meaning(item.types)
        if not (features or parts):
            return
        meant = [result for result in features if is_main and self._wants(item, result)]
        meant += [result for result in parts if _is_part(result, parents, is_main=is_main)]
        whole = id(self._whole_of(item))
        for result in meant:
            if (whole, result) in self._compared:
                continue
            self._compared.add((whole, result))
            self.faults += self._missing(item, result)
            if result.part_of in ("", ANY):
                found = self.features.setdefault(result.name, [])
                if not found or found[-1] is not item:
                    found.append(item)

    def _wants(self, item: Item, result: RichResult) -> bool:
        return not result.with_property or any(
            self._has(item, path) for path in result.with_property.split("|")
        )

    def _missing(self, item: Item, result: RichResult) -> Iterator[Fault]:
        for names, kind in (
            (result.required, FaultKind.MISSING_REQUIRED),
            (result.recommended, FaultKind.MISSING_RECOMMENDED),
        ):
            for requirement in names:
                if not self._is_met(item, requirement, names):
                    yield Fault(kind, item, result.name, requirement)
        for requirement in result.required_before_last:
            name, _, rest = requirement.partition(".")
            if not all(self._value_has(value, rest) for value in _before_last(item, name)):
                yield Fault(FaultKind.MISSING_REQUIRED, item, result.name, requirement)

    def _is_met(self, item: Item, requirement: str, others: tuple[str, ...]) -> bool:
        first, dot, _ = requirement.partition(".")
        if (
            dot
            and "|" not in first
            and first in others
            and not self._whole_of(item).values_of(first)
        ):
            return True  # that it lacks the first is reported already
        if first == "itemReviewed" and item.id in self._reviewing:
            return True
        return any(self._has(item, path) for path in requirement.split("|"))

    def _whole_of(self, item: Item) -> Item:
        return self._whole.get(item.id, item) if item.format is DataFormat.JSON_LD else item

    def _has(self, item: Item, path: str) -> bool:
        name, _, rest = path.partition(".")
        values = self._whole_of(item).values_of(name)
        return bool(values) and (not rest or all(self._value_has(value, rest) for value in values))

    def _value_has(self, value: Value, path: str) -> bool:
        if not isinstance(value, Item):
            return False
        if _is_reference(value):
            known = self._by_id.get(value.id)
            return known is None or self._has(known, path)
        return self._has(value, path)


def vocabulary_faults(item: Item, kinds: frozenset[str], vocabulary: Vocabulary) -> Iterator[Fault]:
    """What schema.org's vocabulary lacks, or lacks for an item that is all of `kinds`."""
    subject = ", ".join(item.types)
    own = [name for name in item.types if not _is_foreign(name)]
    for name in own:
        if name not in vocabulary.types:
            yield Fault(FaultKind.UNKNOWN_TYPE, item, subject, name)
    are_known = bool(own) and all(name in vocabulary.types for name in item.types)
    for name in dict.fromkeys(name for name, _ in item.properties):
        if _is_foreign(name):
            continue
        known = vocabulary.property_named(name)
        if known is None:
            yield Fault(FaultKind.UNKNOWN_PROPERTY, item, subject, name)
        elif are_known and "Role" not in kinds and kinds.isdisjoint(known.types):
            yield Fault(FaultKind.MISPLACED_PROPERTY, item, subject, name)
        elif known.superseded_by:
            yield Fault(FaultKind.SUPERSEDED_PROPERTY, item, subject, name, known.superseded_by)


class _Meaning(NamedTuple):
    """What an item is by its types, and the rich results that it, or a part of one, may be."""

    kinds: frozenset[str]
    features: list[RichResult]
    parts: list[RichResult]


@lru_cache(maxsize=1_000)
def _meaning(types: tuple[str, ...]) -> _Meaning:
    kinds = schema_org().kinds(types)
    meant = [
        result
        for result in RICH_RESULTS
        if not (frozenset(types) if result.is_exact else kinds).isdisjoint(result.types)
        and kinds.isdisjoint(result.excluded)
    ]
    features = [result for result in meant if not result.part_of]
    return _Meaning(kinds, features, [result for result in meant if result.part_of])


def _is_part(result: RichResult, parents: frozenset[str], *, is_main: bool) -> bool:
    return (result.part_of == ANY and (is_main or bool(parents))) or result.part_of in parents


def _is_reference(item: Item) -> bool:
    """Whether an item is described elsewhere. In Microdata, an id refers to none."""
    return bool(item.id) and not item.properties and item.format is not DataFormat.MICRODATA


def _before_last(item: Item, name: str) -> list[Value]:
    """The values of a property but the last, by their `position` if each has a number for one."""
    values = item.values_of(name)
    positions = [_position(value) for value in values]
    if None in positions:
        return values[:-1]
    last = max(range(len(values)), key=lambda index: positions[index] or 0.0, default=0)
    return values[:last] + values[last + 1 :]


def _position(value: Value) -> float | None:
    said = value.values_of("position")[:1] if isinstance(value, Item) else []
    try:
        return float(said[0]) if said and isinstance(said[0], str) else None
    except ValueError:
        return None


def _is_foreign(name: str) -> bool:
    return ":" in name or "/" in name
