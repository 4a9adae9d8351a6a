"""Declarations of fields, and what is made from them."""

from enum import IntEnum, StrEnum
from typing import Annotated

import pytest
from msgspec import Struct

from gossamer.model.fields.field_declaration import (
    DeclaredField,
    Derived,
    Field,
    FieldKind,
    declared_fields,
)
from gossamer.model.fields.link_record import LINK_COLUMNS, LINK_EXPORTS, LINK_FIELDS, LinkRecord
from gossamer.model.fields.url_record import URL_COLUMNS, URL_EXPORTS, URL_FIELDS, UrlRecord
from gossamer.model.response_warnings import ResponseWarning, Warnings
from gossamer.model.timestamps import Time
from gossamer.store.field_sql import joins_of, read_sql, storage_of


class Mark(IntEnum):
    GOOD = 1
    BAD = 2


class Colour(StrEnum):
    RED = "red"


def _doubled(size: int) -> int:
    return 2 * size


def _joined(name: str, size: int) -> str:
    return f"{name} {size}"


class Base(Struct, frozen=True):
    name: Annotated[str | None, Field("Name", export="Name 1", doc="how it is called")] = None


class Sample(Base, frozen=True, kw_only=True):
    size: Annotated[int, Field(column="bytes", doc="how large it is", kind=FieldKind.SIZE)]
    undeclared: int = 0
    seen_at: Annotated[Time | None, Field(doc="when")] = None

    double = Derived(_doubled, "size", field=Field(export="Double"))
    both = Derived(_joined, "name", "size", field=Field(export="Both"))


def test_fields_are_declared_in_order_inherited_ones_first_derived_ones_last() -> None:
    fields = declared_fields(Sample)
    assert [each.name for each in fields] == ["name", "size", "seen_at", "double", "both"]
    assert [each.type for each in fields] == [str, int, float, int, str]
    assert [each.column for each in fields][:2] == ["name", "bytes"]
    assert [each.kind for each in fields][:3] == [
        FieldKind.TEXT,
        FieldKind.SIZE,
        FieldKind.MOMENT,
    ]


def test_derived_fields_are_made_of_the_fields_they_name() -> None:
    sample = Sample(name="x", size=4)
    assert (sample.double, sample.both) == (8, "x 4")
    assert [each.of(sample) for each in declared_fields(Sample)] == ["x", 4, None, 8, "x 4"]


@pytest.mark.parametrize("record", [UrlRecord, LinkRecord])
def test_each_field_of_a_record_is_declared_and_is_stored_or_computed(record: type[Struct]) -> None:
    fields = declared_fields(record)
    stored = [each for each in fields if each.made is None]
    assert sorted(each.name for each in stored) == sorted(record.__struct_fields__)
    assert all(each.is_stored or each.field.sql for each in stored)
    assert all(read_sql(each) for each in fields if each.is_column), "tables sort by it"


@pytest.mark.parametrize("columns", [URL_COLUMNS, LINK_COLUMNS])
def test_no_two_columns_have_one_name_or_label(columns: tuple[DeclaredField, ...]) -> None:
    assert len({each.column for each in columns}) == len(columns)
    assert len({each.field.label for each in columns}) == len(columns)


@pytest.mark.parametrize("exports", [URL_EXPORTS, LINK_EXPORTS])
def test_no_two_exports_have_one_heading(exports: tuple[DeclaredField, ...]) -> None:
    assert len({each.field.export for each in exports}) == len(exports)


def test_reading_a_field_joins_what_it_needs() -> None:
    by_name = {each.name: each for each in (*LINK_FIELDS, *URL_FIELDS)}
    assert read_sql(by_name["language"]) == "visit_language.value"
    assert joins_of(read_sql(by_name["language"])) == {"v", "visit_language"}
    assert joins_of(read_sql(by_name["final_status"])) == {"u", "ch", "fv"}
    assert joins_of(read_sql(by_name["title"])) == {"v"}
    assert joins_of(read_sql(by_name["kind"])) == frozenset()
    assert joins_of(read_sql(by_name["rel"])) == {"link_rel"}


@pytest.mark.parametrize(
    ("of_type", "value", "stored"),
    [
        (bool, True, 1),
        (Mark, Mark.BAD, 2),
        (Colour, Colour.RED, "red"),
        (
            Warnings,
            (ResponseWarning.SIZE_LIMIT, ResponseWarning.LINK_LIMIT),
            "size-limit link-limit",
        ),
    ],
)
def test_values_come_back_from_what_is_stored(of_type: type, value: object, stored: object) -> None:
    storage = storage_of(DeclaredField("x", of_type, Field()))
    assert storage.encode is not None
    assert storage.salvage is not None
    assert storage.encode(value) == stored
    assert storage.salvage(stored) == value


@pytest.mark.parametrize(("of_type", "stored"), [(Mark, 7), (Colour, "blue")])
def test_values_of_a_damaged_file_that_are_none_are_left_out(of_type: type, stored: object) -> None:
    salvage = storage_of(DeclaredField("x", of_type, Field())).salvage
    assert salvage is not None
    assert salvage(stored) is None
