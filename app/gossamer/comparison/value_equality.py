"""Decides whether the value of a field has changed between two crawls."""

from typing import Any, Final

from gossamer.model.fields.field_declaration import FieldKind

_DIGITS: Final = 3
_NOISE_FACTOR: Final = 2
_NOISE_MS: Final = 500


def is_equal_value(before: Any, after: Any, kind: FieldKind = FieldKind.TEXT) -> bool:  # noqa: ANN401 - values of any field
    """Whether two values of a field of this kind look the same to a user.

    Missing looks like empty, and fractions are shown rounded. No two requests take the same time: a
    duration has changed if it doubled or halved, by 500 ms or more.
    """
    if before == after:
        return True
    if kind is FieldKind.DURATION and isinstance(before, int) and isinstance(after, int):
        shorter, longer = sorted((before, after))
        return longer < max(_NOISE_FACTOR * shorter, shorter + _NOISE_MS)
    if isinstance(before, float) and isinstance(after, float):
        return round(before, _DIGITS) == round(after, _DIGITS)
    return _is_nothing(before) and _is_nothing(after)


def _is_nothing(value: object) -> bool:
    return value is None or value in {"", b"", ()}
