"""Converts option values from text to the types of the commands.

typer would use pydantic for this, which takes longer to load than everything else at start-up.
"""

from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Final, get_args

import typer

from gossamer.model.file_names import is_text

if TYPE_CHECKING:
    from typer.core import TyperOption

_PATHS: Final = ("FILE", "FOLDER", "PROGRAM")
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
        if self._cast is str and not _names_file(param):
            _check_text(value, param, ctx)
        try:
            if isinstance(value, list | tuple):
                return [self._cast(each) for each in value]
            return self._cast(value)
        except ValueError as e:
            raise typer.BadParameter(str(e), ctx, param) from e


def _names_file(param: "TyperOption") -> bool:
    """Whether its value is or contains a path, which may be any bytes."""
    return any(word in (param.metavar or "") for word in _PATHS)


def _check_text(value: str | list[str], param: "TyperOption", ctx: typer.Context) -> None:
    if not all(map(is_text, [value] if isinstance(value, str) else value)):
        # It may be secret, so it is not quoted.
        raise typer.BadParameter("it is not UTF-8 text; enter it again", ctx, param)


def comma_separated(text: str) -> tuple[str, ...]:
    """The values between commas."""
    return tuple(part.strip() for part in text.split(",") if part.strip())


def use_own_conversion(params: Iterable[object]) -> None:
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
