"""Locates the program's data files: icons, themes, translations, the demo site."""

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent.parent
# A wheel carries the folder inside the package, a checkout beside the source root `app`.
_HOMES = (_PACKAGE / "resources", _PACKAGE.parent.parent / "resources")


def resource_path(*parts: str) -> Path:
    """The path of the file or folder `resources/<parts>`, in a checkout and when installed.

    Raises FileNotFoundError with a sentence when it is missing.
    """
    for home in _HOMES:
        path = home.joinpath(*parts)
        if path.exists():
            return path
    name = "/".join(("resources", *parts))
    raise FileNotFoundError(f"Gossamer's own file {name} is missing; install the program again.")
