"""Shows beside each URL of an issue why its rule holds, read for the rows in sight alone."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from msgspec.structs import asdict

from gossamer.audit.rule_evidence import Cell, Evidence, EvidenceColumn
from gossamer.audit.site_rule import SiteRule
from gossamer.gui.project.reader_interface import ProjectRows
from gossamer.gui.tables.row_kind import QueryRowKind
from gossamer.gui.tables.table_columns import ColumnSpec, NamedSpec
from gossamer.gui.tables.table_tabs import evidence_columns
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.fields.field_declaration import FieldKind
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.translatable import Translatable
from gossamer.urls.url_folders import display_url

_WIDTHS: Final = {FieldKind.NUMBER: 12, FieldKind.STATUS: 12, FieldKind.NAMED: 18}
_WIDTH: Final = 34
_SHOWN: Final[dict[FieldKind, Callable[[Cell], str]]] = {
    FieldKind.ADDRESS: lambda cell: formatting.clean(display_url(str(cell))),
    FieldKind.NAMED: lambda cell: spoken(Translatable(str(cell))),
    FieldKind.NUMBER: lambda cell: formatting.number(cell) if isinstance(cell, int) else str(cell),
}


class IssueUrl(UrlRecord, frozen=True, array_like=True, kw_only=True):
    """A URL for which a rule holds, with the cells of its evidence; () for none."""

    evidence: tuple[Cell, ...] = ()


def with_evidence(kind: QueryRowKind[UrlRecord], rule: SiteRule) -> QueryRowKind[UrlRecord]:
    """URLs with the columns of a kind, and those with the evidence of a rule that has some."""
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


def _spec(name: str, place: int, column: EvidenceColumn) -> ColumnSpec:
    kind = column.kind
    return NamedSpec(
        name,
        spoken(column.heading),
        _WIDTHS.get(kind, _WIDTH),
        partial(_text, place, _SHOWN.get(kind, lambda cell: formatting.clean(str(cell)))),
        numeric=kind is FieldKind.NUMBER,
        address=kind is FieldKind.ADDRESS,
        plain=partial(_text, place, str),
        is_queried=False,
        is_sortable=column.measure is not None,
    )


def _text(place: int, show: Callable[[Cell], str], record: IssueUrl) -> str:
    cell = record.evidence[place] if record.evidence else None
    return "" if cell is None else show(cell)
