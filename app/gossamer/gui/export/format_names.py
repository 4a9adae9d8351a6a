"""The names of export formats in the window."""

from collections.abc import Iterable

from gossamer.export.formats import FORMATS
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.translatable import Translatable


def format_name(suffix: str) -> str:
    """The name of the format with this suffix, in the window's language."""
    return spoken(Translatable(FORMATS[suffix].label))


def name_filters(suffixes: Iterable[str]) -> list[str]:
    """The filters of a file dialog for these suffixes, such as "Parquet (*.parquet)"."""
    return [f"{format_name(suffix)} (*{suffix})" for suffix in suffixes]
