"""The text of a page that is proofread: its title and description, and that of its body."""

from collections.abc import Callable
from typing import Final, NamedTuple, TypeAlias

from msgspec import Struct

MAX_PROSE_BYTES: Final = 500_000
"""The part of a longer body that is proofread."""
NOT_PROOFREAD: Final = ("code", "kbd", "pre", "samp", "textarea", "tt", "var", ".notranslate")
"""Elements and classes whose text is not prose."""


class ProseRun(NamedTuple):
    """A piece of text in one language.

    `language` is the lang attribute that applies to it, "" for that of the page. The text has a NUL
    where blocks begin and end.
    """

    language: str
    text: str


class PageProse(Struct, frozen=True, array_like=True, gc=False):
    """All text of a page that is proofread; `language` is what the page declares, "" for none."""

    language: str
    runs: list[ProseRun]


class PageProof(NamedTuple):
    """The results of proofreading a page: facts of the same names."""

    language_found: str | None = None
    dictionary: str | None = None
    text_errors: str | None = None
    prose: PageProse | None = None
    """The text, if it is to be read once more."""


Proofread: TypeAlias = Callable[[PageProse], PageProof]


def primary_language(code: str) -> str:
    """The language of a code such as "en-GB" or "en_US", without region, in lower case."""
    return code.strip().replace("_", "-").partition("-")[0].lower()
