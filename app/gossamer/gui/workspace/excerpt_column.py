"""Shows the part of each found URL's text that has the words, marked, next to the URL."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from msgspec.structs import asdict

from gossamer.gui.issues.issue_evidence import IssueUrl
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.tables.row_kind import QueryRowKind
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.search_excerpts import Excerpt
from gossamer.model.search_query import EXCERPT, Search

_WIDTH: Final = 60
_NONE: Final = Excerpt("", [])


class FoundUrl(IssueUrl, frozen=True, array_like=True, kw_only=True):
    """A URL that was searched for, with the excerpt found."""

    excerpt: Excerpt = _NONE


def with_excerpts(
    kind: QueryRowKind[UrlRecord], search: Callable[[], Search | None]
) -> QueryRowKind[UrlRecord]:
    """URLs with the columns of a kind, and that of what `search` says; asked for each reading."""
    spec = ColumnSpec(
        EXCERPT,
        QT_TRANSLATE_NOOP("Column", "Found text"),
        _WIDTH,
        lambda record: _found(record).text,
        is_sortable=False,
        marks=lambda record: _found(record).marks,
    )
    return replace(kind, columns=(*kind.columns, spec), read=partial(_read, kind, search))


def _found(record: UrlRecord) -> Excerpt:
    return record.excerpt if isinstance(record, FoundUrl) else _NONE


def _read(
    kind: QueryRowKind[UrlRecord],
    search: Callable[[], Search | None],
    rows: ProjectRows,
    ids: Sequence[int],
) -> list[UrlRecord]:
    records = kind.read(rows, ids)
    asked = search()
    if asked is None:
        return list(records)
    found = rows.excerpts([each.id for each in records], asked)
    return [FoundUrl(**asdict(each), excerpt=_harmless(found.get(each.id))) for each in records]


def _harmless(found: Excerpt | None) -> Excerpt:
    """The text without harmful characters; the others keep their positions, for the marks."""
    if found is None or found.text.isprintable():
        return found or _NONE
    return found._replace(text="".join(each if each.isprintable() else " " for each in found.text))
