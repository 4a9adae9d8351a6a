"""Reads tables of expected redirects, and checks their format."""

from pathlib import Path
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.session.url_list_files import list_text
from gossamer.urls.expected_redirects import ExpectedRedirects, read_expected_redirects
from gossamer.urls.url_parsing import parse_root

_WORKBOOKS: Final = (".xlsx", ".xlsm", ".xls", ".ods", ".numbers")


def read_redirect_table(path: Path, base: str = "") -> ExpectedRedirects:
    """The redirects in the CSV file at `path`; paths in it belong to the site `base`.

    Blocks. UsageError if the file cannot be read, is no text, or has no addresses, or if `base` is
    no address.
    """
    refuse_workbook(path.name)
    return parsed_table(path.name, list_text(path), base)


def refuse_workbook(name: str) -> None:
    """Raise UsageError if the name of a file says that it is not text."""
    if name.lower().endswith(_WORKBOOKS):
        raise UsageError("{name} is a workbook; save its sheet as CSV.", name=name)


def parsed_table(name: str, text: str, base: str = "") -> ExpectedRedirects:
    """The redirects in the `text` of the file `name`; UsageError as above."""
    table = read_expected_redirects(text, base and parse_root(base))
    if not table.expected and not table.wrong:
        raise UsageError(
            "{name} has no addresses; write an old and a new one in each row.", name=name
        )
    return table
