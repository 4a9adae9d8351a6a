"""The folder of the program's data."""

from pathlib import Path

from platformdirs import user_data_path


def data_folder() -> Path:
    """The folder of projects, series, and what the program remembers of them."""
    return user_data_path("gossamer", appauthor=False)
