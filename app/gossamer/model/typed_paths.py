"""Paths as people type them where no shell reads them first."""

import os
from pathlib import Path


def typed_path(text: str) -> Path:
    """The path, with the home folder for a `~` at its beginning, if there is such a user."""
    return Path(os.path.expanduser(text))  # noqa: PTH111 - that of Path raises if there is none
