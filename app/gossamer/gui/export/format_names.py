"""What the window calls the formats of exported files."""

from collections.abc import Iterable

from gossamer.export.formats import FORMATS
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.translatable import Translatable


def format_name(suffix: str) -> str:
    """The name of the format with this suffix, in the window's language."""
    return spoken(Translatable(FORMATS[suffix].label))


def name_filters(suffixes: Iterable[str]) -> list[str]:
    """What a file dialog offers for these suffixes: "Parquet (*.parquet)"."""
    return [f"{format_name(suffix)} (*{suffix})" for suffix in suffixes]
