"""Where the files of series are."""

from pathlib import Path
from typing import Final

from gossamer.store.data_folder import data_folder

SERIES_SUFFIX: Final = ".series"


def series_folder() -> Path:
    """The folder of the files of series. It may not be there yet."""
    return data_folder() / "series"


def series_path(series_id: str) -> Path:
    """The file of the series with this id."""
    return series_folder() / f"{series_id}{SERIES_SUFFIX}"
