"""When two values of a field look the same."""

import pytest

from gossamer.model.comparison_field_choice import (
    COMPARABLE,
    COMPARED,
    compared_fields,
    is_same,
    sources_of,
)
from gossamer.model.errors import UsageError
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.fields.url_record import URL_FIELDS
from gossamer.store.field_sql import read_sql
from tests.cases import each_case


@each_case(
    ("before", "after", "same"),
    [
        (None, "", True),
        ("", None, True),
        (None, 0, False),
        (0, 0.0, True),
        (0.1 + 0.2, 0.3, True),
        (1.2344, 1.2341, True),
        (1.234, 1.236, False),
        ((), None, True),
        (b"", None, True),
        ("a", "a ", False),
        ("A", "a", False),
        (False, None, False),
    ],
)
def test_what_looks_the_same_is_the_same(before: object, after: object, *, same: bool) -> None:
    assert is_same(before, after) == same
    assert is_same(after, before) == same


@each_case(
    ("before", "after", "same"),
    [(1, 400, True), (0, 499, True), (0, 500, False), (900, 1700, True), (900, 1800, False)],
)
def test_response_times_change_by_much_or_not_at_all(
    before: int, after: int, *, same: bool
) -> None:
    assert is_same(before, after, FieldKind.DURATION) == same
    assert is_same(after, before, FieldKind.DURATION) == same
    assert not is_same(before, after, FieldKind.SIZE)


def test_the_usual_fields_are_those_that_release_engineers_ask_for() -> None:
    headings = [COMPARABLE[name].field.export for name in COMPARED]
    assert headings == [
        *("Status Code", "Title 1", "Meta Description 1", "H1-1", "Canonical Link Element 1"),
        *("Word Count", "Crawl Depth", "Inlinks", "Redirect URL", "Structured Data Types"),
        *("Indexability", "Indexability Status", "Outlinks", "Hreflang"),
        "Content Similarity",
    ]


def test_each_field_that_can_be_compared_can_be_read() -> None:
    declared = {each.name: each for each in URL_FIELDS}
    for each in COMPARABLE.values():
        if each.name in declared:
            assert all(read_sql(declared[name]) for name in sources_of(each))


def test_a_mistyped_field_is_told_similar_names() -> None:
    with pytest.raises(UsageError, match=r"similar names: Response Time") as caught:
        compared_fields(["Respose Time"])
    assert len(str(caught.value)) < 250
