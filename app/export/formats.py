"""The formats there are, by the suffix of the file. A new format is one file and one line here."""

from pathlib import Path

from app.export.csv_format import write_csv
from app.export.sheet import Format
from app.model.errors import UsageError

FORMATS: dict[str, Format] = {
    ".csv": write_csv,
}


def format_for(path: Path) -> Format:
    """The format that the suffix of `path` asks for; UsageError that names the known ones."""
    found = FORMATS.get(path.suffix.lower())
    if found is None:
        known = ", ".join(sorted(FORMATS))
        raise UsageError(f"{path.name!r} has no known format; end the file name with {known}.")
    return found
