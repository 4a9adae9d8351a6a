"""The tables as the saved state of the window has them: visible tabs, columns, column widths."""

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from gossamer.gui.tables.query_table import ColumnLayout
from gossamer.gui.tables.table_tabs import TABS, TabKey

STATE_VERSION: Final = 4


class SavedTables(msgspec.Struct):
    """`tab` is the front one; `layouts` has the columns of each tab that was used."""

    version: int
    tab: TabKey
    in_sight: list[TabKey]
    layouts: dict[TabKey, ColumnLayout]


def encode_tables(
    tab: TabKey, in_sight: Sequence[TabKey], layouts: Mapping[TabKey, ColumnLayout]
) -> bytes:
    """The inverse of `decode_tables`."""
    return msgspec.json.encode(SavedTables(STATE_VERSION, tab, list(in_sight), dict(layouts)))


def decode_tables(state: bytes) -> SavedTables | None:
    """The tables, without unknown tabs; None for an unusable text."""
    try:
        saved = msgspec.json.decode(state, type=SavedTables)
    except ValueError:
        return None
    if saved.version != STATE_VERSION or saved.tab not in TABS:
        return None
    known = {tab: layout for tab, layout in saved.layouts.items() if tab in TABS}
    return msgspec.structs.replace(saved, layouts=known)
