"""Finds the Hunspell dictionaries that the system or the user has."""

import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final

from gossamer.model.file_names import typed_path
from gossamer.model.page_prose import primary_language

_SYSTEM: Final = (
    *("/usr/share/hunspell", "/usr/share/myspell", "/usr/share/myspell/dicts"),
    *("/usr/local/share/hunspell", "/opt/homebrew/share/hunspell", "/Library/Spelling"),
)
_PERSONAL: Final = (
    *("Library/Spelling", ".local/share/hunspell", ".hunspell_default"),
    "AppData/Roaming/hunspell",
)
"""Below the home folder."""
_LIBRE_OFFICE: Final = (
    *("/usr/lib/libreoffice", "/usr/lib64/libreoffice", "/opt/libreoffice*"),
    "/Applications/LibreOffice.app/Contents/Resources",
    *("C:/Program Files/LibreOffice", "C:/Program Files (x86)/LibreOffice"),
)
_EXTENSIONS: Final = ("share/extensions/dict-*", "extensions/dict-*")
_INSTALLED_EXTENSIONS: Final = (
    ".config/libreoffice/4/user/uno_packages/cache/uno_packages/*/*",
    "Library/Application Support/LibreOffice/4/user/uno_packages/cache/uno_packages/*/*",
    "AppData/Roaming/LibreOffice/4/user/uno_packages/cache/uno_packages/*/*",
)
_USUAL: Final = {
    primary_language(name): name
    for name in (
        *("en_US", "de_DE", "fr_FR", "pt_PT", "es_ES", "nl_NL", "sv_SE", "nb_NO", "sr_RS", "el_GR"),
        *("it_IT", "ro_RO", "sl_SI", "hu_HU", "pl_PL", "cs_CZ", "ru_RU", "uk_UA", "da_DK"),
    )
}
"""The dictionary that is used if a page does not name its region."""
WITHOUT_SPACES: Final = frozenset({"bo", "dz", "ja", "km", "lo", "my", "th", "yue", "zh"})
"""Languages that do not separate words, so that no dictionary of words can check them."""
_DEBIAN: Final = {"en": "en-us", "de": "de-de", "pt": "pt-pt", "nb": "no", "nn": "no"}
_NAME: Final = re.compile(r"[A-Za-z]{2,3}(?:[_-][A-Za-z0-9]+)*")


def dictionary_folders(chosen: str = "", home: Path | None = None) -> Iterator[Path]:
    """Where dictionaries may be, the user's choice first. Not all of them exist."""
    if chosen:
        yield typed_path(chosen)
    yield from map(Path, filter(None, os.environ.get("DICPATH", "").split(os.pathsep)))
    home = home or _home()
    if home is not None:
        yield from (home / each for each in _PERSONAL)
        for pattern in _INSTALLED_EXTENSIONS:
            yield from sorted(home.glob(pattern))
    yield from map(Path, _SYSTEM)
    for office in _LIBRE_OFFICE:
        root = Path(office)
        for base in sorted(root.parent.glob(root.name)):
            for extensions in _EXTENSIONS:
                yield from sorted(base.glob(extensions))


def _home() -> Path | None:
    try:
        return Path.home()
    except RuntimeError:
        return None


def find_dictionaries(folders: Iterable[Path]) -> dict[str, Path]:
    """The .dic file of each dictionary, by its name such as "en_US". The first of a name counts."""
    found: dict[str, Path] = {}
    for folder in folders:
        try:
            files = [
                each
                for each in sorted(folder.glob("*.dic"))
                if _NAME.fullmatch(each.stem) and each.with_suffix(".aff").is_file()
            ]
        except OSError:  # a folder that may be listed, but not entered, has only names
            continue
        for file in files:
            found.setdefault(file.stem.replace("-", "_"), file)
    return found


def dictionary_for(code: str, names: Iterable[str]) -> str | None:
    """The best of the dictionaries for a language code; None if none is for its language.

    Of several, the one of the same region is used, the usual one, or the first.
    """
    language = primary_language(code)
    fitting = sorted(name for name in names if primary_language(name) == language)
    if not fitting:
        return None
    wanted = code.strip().replace("-", "_").lower()
    for choice in (wanted, _USUAL.get(language, "").lower(), language):
        for name in fitting:
            if name.lower() == choice:
                return name
    return fitting[0]


def install_hint(code: str, platform: str = sys.platform) -> Mapping[str, str]:
    """How to install a dictionary: values for a sentence, `package` and `file`."""
    language = primary_language(code)
    region = code.strip().replace("-", "_")
    package = f"hunspell-{_DEBIAN.get(language, language)}" if platform == "linux" else ""
    return {"package": package, "file": region if "_" in region else _USUAL.get(language, region)}
