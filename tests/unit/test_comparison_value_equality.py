"""When two values of a field look the same."""

from gossamer.comparison.value_equality import is_equal_value
from gossamer.model.fields.field_declaration import FieldKind
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
    assert is_equal_value(before, after) == same
    assert is_equal_value(after, before) == same


@each_case(
    ("before", "after", "same"),
    [(1, 400, True), (0, 499, True), (0, 500, False), (900, 1700, True), (900, 1800, False)],
)
def test_response_times_change_by_much_or_not_at_all(
    before: int, after: int, *, same: bool
) -> None:
    assert is_equal_value(before, after, FieldKind.DURATION) == same
    assert is_equal_value(after, before, FieldKind.DURATION) == same
    assert not is_equal_value(before, after, FieldKind.SIZE)
