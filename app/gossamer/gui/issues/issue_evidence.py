"""Shows the evidence of an issue beside each URL, read only for visible rows."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from msgspec.structs import asdict

from gossamer.audit.rule_evidence import Cell, Evidence, EvidenceColumn
from gossamer.audit.site_rule import SiteRule
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.tables.row_kind import QueryRowKind
from gossamer.gui.tables.table_columns import ColumnSpec, NamedSpec, is_numeric, kind_text
from gossamer.gui.tables.table_tabs import evidence_columns
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.translatable import Translatable

_NUMBER_WIDTH: Final = 12
_WIDTHS: Final = {FieldKind.STATUS: 12, FieldKind.NAMED: 18}
_WIDTH: Final = 34


class IssueUrl(UrlRecord, frozen=True, array_like=True, kw_only=True):
    """A URL with an issue and the cells of its evidence; () without evidence."""

    evidence: tuple[Cell, ...] = ()


def with_evidence(kind: QueryRowKind[UrlRecord], rule: SiteRule) -> QueryRowKind[UrlRecord]:
    """The row kind with added columns for the evidence of a rule, if it has any."""
    evidence = rule.evidence
    if evidence is None:
        return kind
    specs = map(_spec, evidence_columns(rule), range(len(evidence.columns)), evidence.columns)
    read = partial(_read, kind, evidence, rule.number)
    return replace(kind, columns=(*kind.columns, *specs), read=read)


def _read(
    kind: QueryRowKind[UrlRecord],
    evidence: Evidence,
    rule: int,
    rows: ProjectRows,
    ids: Sequence[int],
) -> list[UrlRecord]:
    records = kind.read(rows, ids)
    found = evidence.read(rows, rule, records)
    return [IssueUrl(**asdict(each), evidence=found.get(each.id, ())) for each in records]


def _spec(name: str, index: int, column: EvidenceColumn) -> ColumnSpec:
    kind = column.kind
    return NamedSpec(
        name,
        spoken(column.heading),
        _NUMBER_WIDTH if is_numeric(kind) else _WIDTHS.get(kind, _WIDTH),
        partial(_text, index, partial(_shown, kind)),
        numeric=is_numeric(kind),
        address=kind is FieldKind.ADDRESS,
        plain=partial(_text, index, str),
        is_queried=False,
        is_sortable=column.measure is not None or bool(column.sorts),
    )


def _shown(kind: FieldKind, cell: Cell) -> str:
    if kind is FieldKind.NAMED:
        return spoken(Translatable(str(cell)))
    if is_numeric(kind) and not isinstance(cell, int | float):
        return str(cell)
    return kind_text(kind)(cell if is_numeric(kind) else str(cell))


def _text(index: int, show: Callable[[Cell], str], record: IssueUrl) -> str:
    cell = record.evidence[index] if record.evidence else None
    return "" if cell is None else show(cell)
