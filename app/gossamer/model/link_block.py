"""Many links at a time, as columns."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from gossamer.model.views import LinkRecord


class Coded(Struct, frozen=True, gc=False):
    """A column whose values come again and again: a key for each row, and the value of each key."""

    keys: Sequence[Any]
    values: Mapping[Any, Any]

    def __iter__(self) -> Iterator[Any]:
        return map(self.values.__getitem__, self.keys)


class LinkBlock(Struct, frozen=True, gc=False):
    """Links that follow each other, without an object for any of them.

    `columns` has each field of `LinkRecord`, by its name.
    """

    columns: dict[str, Coded]

    def records(self) -> Iterator[LinkRecord]:
        """The links one by one."""
        return map(LinkRecord, *(self.columns[name] for name in LinkRecord.__struct_fields__))
