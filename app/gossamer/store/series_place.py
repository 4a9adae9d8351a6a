"""Where the files of series are."""

from pathlib import Path
from typing import Final

from platformdirs import user_data_path

SERIES_SUFFIX: Final = ".series"


def series_folder() -> Path:
    """The folder of the files of series. It may not be there yet."""
    return user_data_path("gossamer", appauthor=False) / "series"


def series_path(series_id: str) -> Path:
    """The file of the series with this id."""
    return series_folder() / f"{series_id}{SERIES_SUFFIX}"
