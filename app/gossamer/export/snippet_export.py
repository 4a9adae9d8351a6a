"""Writes edited titles and descriptions as a CSV file, for whoever changes the site."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from gossamer.export.csv_format import write_csv
from gossamer.export.output_files import OutputFiles, output_errors
from gossamer.export.sheet import FormatOptions, Row, Sheet
from gossamer.model.edited_snippet import EditedSnippet
from gossamer.model.text_width import DESCRIPTION_PIXELS, TITLE_PIXELS, pixel_width

_COLUMNS: Final = (
    *("Address", "Title 1", "Title 1 Length", "Title 1 Pixel Width", "Meta Description 1"),
    *("Meta Description 1 Length", "Meta Description 1 Pixel Width"),
    *("Original Title 1", "Original Meta Description 1"),
)


def write_snippets(path: Path, snippets: Sequence[EditedSnippet]) -> None:
    """Write them with lengths and widths; OutputError if that fails."""
    sheet = Sheet(_COLUMNS, map(_row, snippets), len(snippets), is_exact=True)
    with output_errors(path), OutputFiles(path) as output:
        write_csv(output, sheet, FormatOptions())
        output.put_in_place()


def _row(snippet: EditedSnippet) -> Row:
    title, description = snippet.title, snippet.description
    return (
        *(snippet.url, title, len(title), pixel_width(title, TITLE_PIXELS)),
        *(description, len(description), pixel_width(description, DESCRIPTION_PIXELS)),
        *(snippet.original_title, snippet.original_description),
    )
