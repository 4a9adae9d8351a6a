"""Chooses the fields that a comparison of two crawls looks at, by name or by default.

A field is compared by default if its declaration in `model/fields` says `compared=True`.
"""

from collections.abc import Sequence
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.fields.comparison_only_fields import HREFLANG, OUTLINKS, SIMILARITY
from gossamer.model.fields.field_declaration import DeclaredField
from gossamer.model.fields.url_record import URL_EXPORTS, URL_FIELDS

_DECLARED: Final = {each.name: each for each in URL_FIELDS}


def sources_of(each: DeclaredField) -> tuple[str, ...]:
    """The fields that a value is read from: itself, unless it is derived from others."""
    return (each.name,) if each.made is None else each.made.of


def _is_comparable(each: DeclaredField) -> bool:
    if "url" in sources_of(each):
        return False
    return all(_DECLARED[name].is_stored or _DECLARED[name].field.sql for name in sources_of(each))


COMPARABLE: Final = {
    each.name: each
    for each in (
        *(x for x in URL_EXPORTS if _is_comparable(x) and x.name != OUTLINKS.name),
        *(OUTLINKS, HREFLANG, SIMILARITY),
    )
}
"""All fields that can be compared, by name, in the order of exports."""
COMPARED: Final = tuple(name for name, each in COMPARABLE.items() if each.field.compared)
"""The fields compared by default."""
ALL_FIELDS: Final = "all"


def compared_fields(texts: Sequence[str]) -> tuple[str, ...]:
    """The names of the selected fields: by heading, name or column; none: the default ones.

    Case, spaces and punctuation do not matter. `all` means all fields. UsageError for others.
    """
    wanted = [part for text in texts for part in text.split(",") if part.strip()]
    if not wanted:
        return COMPARED
    if any(_key(each) == ALL_FIELDS for each in wanted):
        return tuple(COMPARABLE)
    chosen = {_named(each) for each in wanted}
    return tuple(name for name in COMPARABLE if name in chosen)


_KEYS: Final[dict[str, str]] = {}


def _named(text: str) -> str:
    if not _KEYS:
        for name, each in reversed(COMPARABLE.items()):
            _KEYS.update(dict.fromkeys(map(_key, (each.field.export, each.column, name)), name))
    found = _KEYS.get(_key(text))
    if found is None:
        raise UsageError(
            "There is no field {name!r} to compare; similar names: {near}.",
            name=text.strip(),
            near=", ".join(_nearest(text)),
        )
    return found


def _nearest(text: str) -> list[str]:
    """The headings of the fields whose names are closest to this."""
    from difflib import get_close_matches  # noqa: PLC0415 - only where somebody mistypes

    near = get_close_matches(_key(text), _KEYS, n=_MOST_NEAR, cutoff=0.0)
    return list(dict.fromkeys(COMPARABLE[_KEYS[each]].field.export for each in near))


_MOST_NEAR: Final = 5


def _key(text: str) -> str:
    return "".join(letter for letter in text.casefold() if letter.isalnum())
