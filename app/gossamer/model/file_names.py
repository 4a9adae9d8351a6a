"""Makes safe file names from text that users or websites supply."""

import os
import re
import unicodedata
from collections.abc import Iterable
from pathlib import Path
from typing import Final

MAX_NAME_BYTES: Final = 140
"""In UTF-8. Most file systems allow 255, encrypted folders 143, and some of our files are
accompanied by others with longer names."""
MOST_LETTERS: Final = 60
"""In a name that a user gives."""
_RESERVED: Final = (
    r"(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|COM[0-9\u00b9\u00b2\u00b3]|LPT[0-9\u00b9\u00b2\u00b3])"
    r"\s*(?:\.|$)"
)
"""What Windows takes for a device, whatever follows the full stop."""
_REFUSED: Final = frozenset('<>:"/\\|?*')
"""Separators, and what Windows does not allow."""
_UNSEEN: Final = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Categories of invisible characters, among them those that reverse a text."""


def file_name(stem: str, end: str = "") -> str:
    """A name that a file can have on every system: `stem`, as far as it is valid, and `end`.

    At most MAX_NAME_BYTES long; never hidden, "..", an option or a device. It has no separators or
    invisible characters, and no dot or space at its end. `end` is ours, such as ".log", and stays
    as it is; so does a name that is already valid.
    """
    room = MAX_NAME_BYTES - len(end.encode())
    shown = "".join("-" if _is_refused(letter) else letter for letter in stem)
    kept = _cut(shown.lstrip(" .-"), room)
    if not kept or re.match(_RESERVED, kept + end, re.IGNORECASE):
        kept = _cut(f"_{kept}", room)
    return kept + end


def given_name(typed: str, end: str) -> str | None:
    """The name that a user gives something, as the beginning of its file's name.

    None if no file can be called that. There is one spelling for each name: some file systems
    decompose letters with accents.
    """
    name = _composed(typed.strip())
    fits = len(name) <= MOST_LETTERS and file_name(name, end) == f"{name}{end}"
    return name if name and fits else None


def typed_path(text: str) -> Path:
    """The path that a user typed, "~" being their home folder.

    As in a shell, "~name" stays as it is if there is no such user.
    """
    return Path(os.path.expanduser(text.strip()))  # noqa: PTH111 - that of Path raises for it


def known_name(name: str, known: Iterable[str]) -> str | None:
    """How that one of `known` names is spelled: some file systems ignore case."""
    wanted = _composed(name).casefold()
    return next((each for each in known if _composed(each).casefold() == wanted), None)


def _composed(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def is_text(name: str) -> bool:
    """Whether `name`, from the system, is text: some names are bytes that decode to none."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _is_refused(letter: str) -> bool:
    return letter in _REFUSED or unicodedata.category(letter) in _UNSEEN


def _cut(text: str, size_bytes: int) -> str:
    return text.encode()[:size_bytes].decode("utf-8", "ignore").rstrip(" .")
