"""Builds table columns from the declared fields: name, width, alignment, cell text."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from PySide6.QtCore import QCoreApplication

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.look.outcome_style import (
    NO_STATUS,
    action_label,
    chain_label,
    kind_label,
    label,
    warning_labels,
)
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.axe_rules import violated_numbers
from gossamer.model.custom_definitions import (
    FAILURE_NAMES,
    CustomDefinition,
    CustomSearch,
    column_of,
)
from gossamer.model.fields.field_declaration import ColumnSet, DeclaredField, FieldKind
from gossamer.model.fields.link_record import LINK_COLUMNS
from gossamer.model.fields.url_record import URL_COLUMNS, UrlRecord
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Column
from gossamer.model.redirect_types import ChainType
from gossamer.model.response_warnings import Warnings
from gossamer.model.translatable import Translatable, Word
from gossamer.urls.url_folders import display_url


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """One column of a table; `text` and `plain` take a record of its kind.

    `width` is in average characters; `address` columns lose their middle first. `plain` is for
    other programs: complete, numbers without separators and units; `accessible` for screen readers.
    None: the text as it is. A column that nothing sorts or filters by has no `column`; one that
    shows a declared `field` has its name.
    """

    column: Column | None
    title: str
    width: int
    text: Callable[[Any], str]
    numeric: bool = False
    address: bool = False
    plain: Callable[[Any], str] | None = None
    accessible: Callable[[Any], str] | None = None
    field: DeclaredField | None = None
    is_queried: bool = True
    """Whether queries know it, and tables are exported with it."""
    is_sortable: bool = True
    marks: Callable[[Any], list[tuple[int, int]]] | None = None
    """The marked parts of the text: starts and ends."""

    @property
    def header(self) -> str:
        """The column's name, translated."""
        if self.field is not None:
            return field_label(self.field)
        return QCoreApplication.translate("Column", self.title)

    @property
    def tooltip(self) -> str:
        """What the column has, translated; "" if its name is enough."""
        note = "" if self.field is None else self.field.field.note
        return spoken(Translatable(note)) if note else ""

    def value(self, record: Any) -> str:  # noqa: ANN401 - a record of what the table is about
        """The cell for other programs."""
        return self.text(record) if self.plain is None else self.plain(record)


def _name_of_rule(number: int) -> str:
    return spoken(Translatable(RULES[number].name))


_COUNT_WIDTH: Final = 14
_VALUE_WIDTH: Final = 28
_Text = Callable[[Any], str]
_BY_KIND: Final[dict[FieldKind, _Text]] = {
    FieldKind.TEXT: formatting.clean,
    FieldKind.SNIPPET: formatting.clean,
    FieldKind.ADDRESS: lambda url: formatting.clean(display_url(url)),
    FieldKind.NUMBER: formatting.number,
    FieldKind.DECIMAL: formatting.fraction,
    FieldKind.PERCENT: formatting.percent,
    FieldKind.PIXELS: formatting.pixels,
    FieldKind.POSITION: lambda position: formatting.number(position + 1),
    FieldKind.SIZE: formatting.size,
    FieldKind.DURATION: formatting.duration,
    FieldKind.MOMENT: formatting.moment,
    FieldKind.DATE: formatting.iso_moment,
    FieldKind.STATUS: str,
    FieldKind.CODE: str,
    FieldKind.HEADINGS: lambda levels: " ".join(f"H{level}" for level in levels),
    FieldKind.LINES: lambda lines: formatting.clean(lines.replace("\n", " · ")),
    FieldKind.AXE_RULES: lambda ids: " · ".join(map(_name_of_rule, violated_numbers(ids))),
    FieldKind.HASH: bytes.hex,
}
_BY_TYPE: Final[dict[Any, _Text]] = {
    Outcome: label,
    ChainType: chain_label,
    Warnings: warning_labels,
    LinkKind: kind_label,
    LinkAction: action_label,
    bool: lambda holds: (
        QCoreApplication.translate("Column", "yes")
        if holds
        else QCoreApplication.translate("Column", "no")
    ),
}
_PLAIN: Final[dict[FieldKind, _Text]] = {
    FieldKind.ADDRESS: str,
    FieldKind.NUMBER: str,
    FieldKind.DECIMAL: str,
    FieldKind.PERCENT: str,
    FieldKind.PIXELS: str,
    FieldKind.HEADINGS: str,
    FieldKind.LINES: str,
    FieldKind.AXE_RULES: str,
    FieldKind.POSITION: lambda position: str(position + 1),
    FieldKind.SIZE: str,
    FieldKind.DURATION: str,
    FieldKind.DATE: str,
}
_NUMERIC: Final = frozenset(
    {
        *(FieldKind.NUMBER, FieldKind.DECIMAL, FieldKind.PERCENT, FieldKind.PIXELS),
        *(FieldKind.POSITION, FieldKind.SIZE, FieldKind.DURATION),
    }
)


def field_label(each: DeclaredField) -> str:
    """The name of a field, translated."""
    return spoken(Translatable(each.field.label))


def field_text(each: DeclaredField) -> Callable[[Any], str]:
    """The function that shows the field of a record; "" if it has none."""
    return _shown(each, _show(each), NO_STATUS if each.kind is FieldKind.STATUS else "")


def kind_text(kind: FieldKind) -> Callable[[Any], str]:
    """The function that shows values of a kind."""
    return _BY_KIND[kind]


def is_numeric(kind: FieldKind) -> bool:
    """Whether its values are numbers, which are right-aligned."""
    return kind in _NUMERIC


def value_text(each: DeclaredField, value: Any) -> str:  # noqa: ANN401 - of the field's type
    """One value of a field, as in its cells."""
    return _show(each)(value)


def _show(each: DeclaredField) -> _Text:
    if isinstance(each.type, type) and issubclass(each.type, Word):
        return lambda value: spoken(Translatable(value))
    return _BY_TYPE.get(each.type) or _BY_KIND[each.kind]


def _shown(each: DeclaredField, show: _Text, nothing: str = "") -> Callable[[Any], str]:
    of = each.of

    def text(record: object) -> str:
        value = of(record)
        return nothing if value is None else show(value)

    return text


def _column(each: DeclaredField) -> ColumnSpec:
    plain = _PLAIN.get(each.kind)
    return ColumnSpec(
        each.column,
        each.field.label,
        each.field.width,
        field_text(each),
        numeric=each.kind in _NUMERIC,
        address=each.kind is FieldKind.ADDRESS,
        plain=None if plain is None else _shown(each, plain),
        field=each,
    )


class NamedSpec(ColumnSpec):
    """A column whose title is not translated."""

    @property
    def header(self) -> str:
        """The name, as it is."""
        return formatting.clean(self.title)

    @property
    def tooltip(self) -> str:
        """The name, which may not fit."""
        return self.header


def custom_spec(definition: CustomDefinition) -> ColumnSpec:
    """The column with the results of a custom definition."""
    of = partial(_custom_text, definition.number)
    is_search = isinstance(definition, CustomSearch)
    width = _COUNT_WIDTH if is_search else _VALUE_WIDTH
    name = definition.name
    return NamedSpec(column_of(definition), name, width, of, numeric=is_search)


def _custom_text(number: int, record: UrlRecord) -> str:
    result = None if record.custom is None else record.custom.results.get(number)
    if result is None:
        return ""
    if result.failure is not None:
        return spoken(Translatable(FAILURE_NAMES[result.failure]))
    return formatting.clean(" | ".join(map(str, result.values)))


SPECS: Final = tuple(map(_column, URL_COLUMNS))
"""All columns of URLs, in the order of the model. A view hides those it does not need."""
LINK_SPECS: Final = tuple(map(_column, LINK_COLUMNS))
"""The same for links."""
INDEX: Final[dict[Column, int]] = {each.column: i for i, each in enumerate(URL_COLUMNS)}


def column_name(column: Column) -> str:
    """The name of a column of URLs, for use elsewhere; translated."""
    return SPECS[INDEX[column]].header


_SET_NAMES: Final = {
    ColumnSet.ESSENTIALS: QT_TRANSLATE_NOOP("ColumnSet", "Essentials"),
    ColumnSet.SEO: QT_TRANSLATE_NOOP("ColumnSet", "SEO"),
    ColumnSet.TECHNICAL: QT_TRANSLATE_NOOP("ColumnSet", "Technical"),
    None: QT_TRANSLATE_NOOP("ColumnSet", "All columns"),
}


def column_sets() -> list[tuple[str, frozenset[Column]]]:
    """The name of each set, translated, and the columns that it shows of URLs and of links."""
    return [
        (
            QCoreApplication.translate("ColumnSet", name),
            frozenset(
                each.column
                for each in (*URL_COLUMNS, *LINK_COLUMNS)
                if column_set is None or column_set in each.field.sets
            ),
        )
        for column_set, name in _SET_NAMES.items()
    ]
