"""Converts option values from text to the types of the commands.

typer would use pydantic for this, which takes longer to load than everything else at start-up.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final, get_args

import typer

if TYPE_CHECKING:
    from typer.core import TyperOption

_NUMBERS: Final = {int: "enter a whole number", float: "enter a number"}


class _Casting:
    """Replaces typer's coercion of one argument or option."""

    def __init__(self, annotation: object) -> None:
        element = next(iter(get_args(annotation)), annotation)
        self._cast = _cast_to(element) if isinstance(element, type) else str

    def coerce(
        self, value: str | list[str] | None, param: "TyperOption", ctx: typer.Context
    ) -> object:
        """`value` as typed, each of several, or the default; typer.BadParameter."""
        if value is None:
            return () if param.multiple or param.nargs == -1 else None
        try:
            if isinstance(value, list | tuple):
                return [self._cast(each) for each in value]
            return self._cast(value)
        except ValueError as e:
            raise typer.BadParameter(str(e), ctx, param) from e


def comma_separated(text: str) -> tuple[str, ...]:
    """The values between commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def cast_plainly(params: Iterable[object]) -> None:
    """Convert typer's arguments and options with our own types."""
    for param in params:
        descriptor = getattr(param, "type_descriptor", None)
        if descriptor is not None:
            # What typer would make itself on first use.
            vars(param)["_runtime_param"] = _Casting(descriptor.annotation)


def _cast_to(kind: type) -> Callable[[str], object]:
    if issubclass(kind, Enum):
        return partial(_choice, kind)
    return partial(_number, kind) if kind in _NUMBERS else kind


def _choice(kind: type[Enum], value: str) -> Enum:
    try:
        return kind(value)
    except ValueError as e:
        choices = ", ".join(repr(choice.value) for choice in kind)
        raise ValueError(f"{value!r} is not one of {choices}.") from e


def _number(kind: type, value: str) -> object:
    try:
        return kind(value)
    except ValueError as e:
        raise ValueError(_NUMBERS[kind]) from e
