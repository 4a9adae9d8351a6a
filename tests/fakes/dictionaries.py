"""Hunspell dictionaries of a few words."""

from pathlib import Path

ENGLISH = "a and are description error errors first has in is of page second text the this title"
GERMAN = "der die das ist ein deutscher text und mit seite"


def write_dictionary(folder: Path, name: str = "en_US", words: str = ENGLISH) -> Path:
    """The .dic file of a dictionary in `folder` with these words; `s` makes their plural."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.aff").write_text(
        "SET UTF-8\nTRY esiartnolcdu\nSFX S Y 1\nSFX S 0 s .\n", encoding="utf-8"
    )
    listed = words.split()
    file = folder / f"{name}.dic"
    file.write_text("\n".join([str(len(listed)), *listed]) + "\n", encoding="utf-8")
    return file
