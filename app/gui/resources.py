"""Where the files are that the window reads at run time."""

from pathlib import Path

import app


def resources_folder() -> Path:
    """The folder with icons and other files: in the package when installed, else beside it."""
    package = Path(app.__file__).parent
    inside = package / "resources"
    return inside if inside.is_dir() else package.parent / "resources"
