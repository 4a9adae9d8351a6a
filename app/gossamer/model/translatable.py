"""Sentences made below the window in a form that the window can translate.

A sentence is a template, in English, and the values in it; both travel through messages. The
command line prints it as it is. `packaging/translations.py` collects the templates: the literals
given to the errors of `gossamer.model.errors`, what is annotated as `Sentence`, and what is given
to a parameter or field annotated so. Thus the texts in a declaration, such as a label, need no mark
of their own.
"""

import errno
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from typing import Final, NamedTuple, TypeAlias

Sentence: TypeAlias = str
"""An English text or template that is shown somewhere else; literals only."""

Value: TypeAlias = "str | int | float | Translatable"

_FULL_STOPS: Final = (".", "。")
_CONTINUATIONS: Final = (*".;,:)", *"。；，：）")  # noqa: RUF001 - as Chinese writes them


class Translatable(NamedTuple):
    """One sentence, or a part of one: `template` as for `str.format`, with `values` by name.

    Without values the template is the sentence, braces and all.
    """

    # No dataclass and no msgspec.Struct: either takes long to import, and every process does it.

    template: str
    values: Mapping[str, Value] = {}

    def __str__(self) -> str:
        """In English."""
        return self.translated(str)

    def translated(self, translate: Callable[[str], str]) -> str:
        """With the template, and those in its values, in the words that `translate` has for it."""
        template = translate(self.template)
        if not self.values:
            return template
        return template.format_map(
            {
                name: _within(template, name, value.translated(translate))
                if isinstance(value, Translatable)
                else value
                for name, value in self.values.items()
            }
        )


class Word(StrEnum):
    """Base of enums whose values are English words: exports have them, the window translates them.

    Each member is `word("…")`.
    """


def word(english: Sentence) -> str:
    """Mark a value of a `Word` as one to translate."""
    return english


def without_full_stop(sentence: str) -> str:
    """A sentence as a part of another one."""
    return sentence[:-1] if sentence.endswith(_FULL_STOPS) else sentence


def _within(template: str, name: str, part: str) -> str:
    """A part as the template continues after it: a reason may be a phrase or a whole sentence."""
    follows = template.partition(f"{{{name}}}")[2]
    return without_full_stop(part) if follows.startswith(_CONTINUATIONS) else part


_REASONS: Final[dict[int, Sentence]] = {
    errno.ENOMEM: "Cannot allocate memory",
    errno.EBUSY: "Device or resource busy",
    errno.EDQUOT: "Disk quota exceeded",
    errno.EEXIST: "File exists",
    errno.ENAMETOOLONG: "File name too long",
    errno.EIO: "Input/output error",
    errno.EINVAL: "Invalid argument",
    errno.EISDIR: "Is a directory",
    errno.ENOSPC: "No space left on device",
    errno.ENOENT: "No such file or directory",
    errno.ENOTDIR: "Not a directory",
    errno.EPERM: "Operation not permitted",
    errno.EACCES: "Permission denied",
    errno.EROFS: "Read-only file system",
    errno.EAGAIN: "Resource temporarily unavailable",
    errno.EMFILE: "Too many open files",
}
"""The most frequent reasons of operating systems why a file cannot be used, in Linux's words."""


def said(template: Sentence, /, **values: object) -> Translatable:
    """A sentence; values that are neither numbers nor sentences appear as by `str`."""
    return Translatable(template, {name: _value(value) for name, value in values.items()})


def enumerated(parts: Sequence[Translatable]) -> Translatable:
    """Several parts of a sentence as one: "a, b and c"."""
    *first, last = parts or (Translatable(""),)
    if not first:
        return last
    so_far = first[0]
    for part in first[1:]:
        so_far = said("{some}, {next}", some=so_far, next=part)
    return said("{some} and {last}", some=so_far, last=last)


def system_reason(error: OSError) -> Translatable:
    """Why the operating system refused, without a full stop; in its own words if it is rare."""
    known = _REASONS.get(error.errno or 0)
    return Translatable(known or error.strerror or type(error).__name__)


def _value(value: object) -> Value:
    return value if isinstance(value, (int, float, Translatable)) else str(value)
