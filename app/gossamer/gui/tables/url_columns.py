"""The columns of the table of URLs: name, width, alignment, and the text of a cell."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.look.outcome_style import NO_STATUS, chain_label, label, warning_labels
from gossamer.gui.text import formatting
from gossamer.gui.text.formatting import QT_TRANSLATE_NOOP
from gossamer.model.project_queries import Column, UrlRecord, View
from gossamer.urls.tree import display_url


@dataclass(frozen=True, slots=True)
class ColumnSpec:
    """One column of a table; `text` and `plain` are given a record of what it is about.

    `width` is in average characters; `address` columns lose their middle first. `plain` is for
    other programs: whole, numbers without separators and units; `accessible` for screen readers.
    None: the text as it is. `note` says what the name leaves open. A column that nothing sorts or
    filters by has no `column`.
    """

    column: Column | None
    title: str
    width: int
    text: Callable[[Any], str]
    numeric: bool = False
    address: bool = False
    plain: Callable[[Any], str] | None = None
    note: str = ""
    accessible: Callable[[Any], str] | None = None

    @property
    def header(self) -> str:
        """The column's name, translated."""
        return QCoreApplication.translate("Column", self.title)

    @property
    def tooltip(self) -> str:
        """What the column has, translated; "" where its name says all."""
        return QCoreApplication.translate("Column", self.note) if self.note else ""

    def value(self, record: Any) -> str:  # noqa: ANN401 - a record of what the table is about
        """The cell as other programs want it."""
        return self.text(record) if self.plain is None else self.plain(record)


def _text(name: str) -> Callable[[UrlRecord], str]:
    return lambda record: formatting.clean(getattr(record, name) or "")


def _address(name: str) -> Callable[[UrlRecord], str]:
    return lambda record: formatting.clean(display_url(getattr(record, name) or ""))


def _number(name: str) -> Callable[[UrlRecord], str]:
    def text(record: UrlRecord) -> str:
        value: int | None = getattr(record, name)
        return "" if value is None else formatting.number(value)

    return text


def _plain(name: str) -> Callable[[UrlRecord], str]:
    def text(record: UrlRecord) -> str:
        value = getattr(record, name)
        return "" if value is None else str(value)

    return text


def _size(record: UrlRecord) -> str:
    return "" if record.size_bytes is None else formatting.size(record.size_bytes)


def _time(record: UrlRecord) -> str:
    return "" if record.elapsed_ms is None else formatting.duration(record.elapsed_ms)


def _fetched_at(record: UrlRecord) -> str:
    return "" if record.fetched_at is None else formatting.moment(record.fetched_at)


def _last_modified(record: UrlRecord) -> str:
    return formatting.iso_moment(record.last_modified or "")


def _status(record: UrlRecord) -> str:
    return NO_STATUS if record.status is None else str(record.status)


def _outcome(record: UrlRecord) -> str:
    return label(record.outcome)


SPECS: Final[tuple[ColumnSpec, ...]] = (
    ColumnSpec(
        Column.ADDRESS,
        QT_TRANSLATE_NOOP("Column", "Address"),
        40,
        _address("url"),
        address=True,
        plain=_plain("url"),
    ),
    ColumnSpec(Column.STATUS, QT_TRANSLATE_NOOP("Column", "Status code"), 12, _status),
    ColumnSpec(Column.OUTCOME, QT_TRANSLATE_NOOP("Column", "Outcome"), 21, _outcome),
    ColumnSpec(
        Column.REDIRECT,
        QT_TRANSLATE_NOOP("Column", "Redirect URL"),
        46,
        _address("redirect"),
        address=True,
        plain=_plain("redirect"),
    ),
    ColumnSpec(
        Column.CHAIN_LENGTH,
        QT_TRANSLATE_NOOP("Column", "Hops"),
        8,
        _number("chain_length"),
        numeric=True,
        plain=_plain("chain_length"),
        note=QT_TRANSLATE_NOOP("Column", "Redirects in a row until the final address"),
    ),
    ColumnSpec(
        Column.CHAIN_TYPE,
        QT_TRANSLATE_NOOP("Column", "Chain type"),
        13,
        lambda record: "" if record.chain_type is None else chain_label(record.chain_type),
        note=QT_TRANSLATE_NOOP(
            "Column",
            "What the redirects from here on amount to: a loop, beyond the redirect limit, broken,"
            " all permanent (301, 308), all temporary, or mixed",
        ),
    ),
    ColumnSpec(
        Column.FINAL_URL,
        QT_TRANSLATE_NOOP("Column", "Final address"),
        46,
        _address("final_url"),
        address=True,
        plain=_plain("final_url"),
        note=QT_TRANSLATE_NOOP("Column", "Where the redirects lead in the end; a loop has none"),
    ),
    ColumnSpec(
        Column.FINAL_STATUS,
        QT_TRANSLATE_NOOP("Column", "Final status code"),
        12,
        _number("final_status"),
        note=QT_TRANSLATE_NOOP("Column", "The status of the final address"),
    ),
    ColumnSpec(
        Column.CONTENT_TYPE, QT_TRANSLATE_NOOP("Column", "Content type"), 17, _text("content_type")
    ),
    ColumnSpec(Column.TITLE, QT_TRANSLATE_NOOP("Column", "Title"), 30, _text("title")),
    ColumnSpec(Column.H1, QT_TRANSLATE_NOOP("Column", "H1"), 26, _text("h1")),
    ColumnSpec(
        Column.DESCRIPTION,
        QT_TRANSLATE_NOOP("Column", "Meta description"),
        26,
        _text("description"),
    ),
    ColumnSpec(
        Column.DEPTH,
        QT_TRANSLATE_NOOP("Column", "Crawl depth"),
        12,
        _number("depth"),
        numeric=True,
        plain=_plain("depth"),
    ),
    ColumnSpec(
        Column.WORDS,
        QT_TRANSLATE_NOOP("Column", "Word count"),
        12,
        _number("word_count"),
        numeric=True,
        plain=_plain("word_count"),
    ),
    ColumnSpec(
        Column.SIZE,
        QT_TRANSLATE_NOOP("Column", "Size"),
        12,
        _size,
        numeric=True,
        plain=_plain("size_bytes"),
    ),
    ColumnSpec(
        Column.TIME,
        QT_TRANSLATE_NOOP("Column", "Response time"),
        14,
        _time,
        numeric=True,
        plain=_plain("elapsed_ms"),
    ),
    ColumnSpec(
        Column.INLINKS,
        QT_TRANSLATE_NOOP("Column", "Inlinks"),
        10,
        _number("inlinks"),
        numeric=True,
        plain=_plain("inlinks"),
        note=QT_TRANSLATE_NOOP(
            "Column",
            "Links that take a reader or a browser here; redirects, canonicals and the like are"
            " in the details",
        ),
    ),
    ColumnSpec(
        Column.UNIQUE_INLINKS,
        QT_TRANSLATE_NOOP("Column", "Unique inlinks"),
        15,
        _number("unique_inlinks"),
        numeric=True,
        plain=_plain("unique_inlinks"),
        note=QT_TRANSLATE_NOOP("Column", "Pages with such links"),
    ),
    ColumnSpec(
        Column.OUTLINKS,
        QT_TRANSLATE_NOOP("Column", "Outlinks"),
        11,
        _number("outlinks"),
        numeric=True,
        plain=_plain("outlinks"),
        note=QT_TRANSLATE_NOOP(
            "Column",
            "Links that lead a reader on; images, style sheets and the like are in the details",
        ),
    ),
    ColumnSpec(
        Column.WARNINGS,
        QT_TRANSLATE_NOOP("Column", "Warnings"),
        30,
        lambda record: warning_labels(record.warnings),
        note=QT_TRANSLATE_NOOP(
            "Column",
            "What was cut at a limit, and responses that were read as browsers do, though they are"
            " malformed",
        ),
    ),
    ColumnSpec(Column.LANGUAGE, QT_TRANSLATE_NOOP("Column", "Language"), 11, _text("language")),
    ColumnSpec(
        Column.CANONICAL,
        QT_TRANSLATE_NOOP("Column", "Canonical"),
        36,
        _address("canonical"),
        address=True,
        plain=_plain("canonical"),
    ),
    ColumnSpec(
        Column.LAST_MODIFIED,
        QT_TRANSLATE_NOOP("Column", "Last modified"),
        18,
        _last_modified,
        plain=_plain("last_modified"),
    ),
    ColumnSpec(Column.FETCHED_AT, QT_TRANSLATE_NOOP("Column", "Crawl timestamp"), 18, _fetched_at),
)
"""All columns, in the order of the model. A view hides those it does not need."""

INDEX: Final[dict[Column, int]] = {
    spec.column: i for i, spec in enumerate(SPECS) if spec.column is not None
}


def column_name(column: Column) -> str:
    """What a column of URLs is called, wherever else its values stand; translated."""
    return SPECS[INDEX[column]].header


_C = Column
DEFAULT_COLUMNS: Final[dict[View, frozenset[Column]]] = {
    View.ALL: frozenset(
        {
            _C.ADDRESS,
            _C.STATUS,
            _C.OUTCOME,
            _C.CONTENT_TYPE,
            _C.TITLE,
            _C.DEPTH,
            _C.SIZE,
            _C.TIME,
            _C.INLINKS,
        }
    ),
    View.PAGES: frozenset(
        {
            _C.ADDRESS,
            _C.STATUS,
            _C.TITLE,
            _C.H1,
            _C.DEPTH,
            _C.WORDS,
            _C.SIZE,
            _C.TIME,
            _C.INLINKS,
            _C.OUTLINKS,
        }
    ),
    View.RESOURCES: frozenset(
        {_C.ADDRESS, _C.STATUS, _C.OUTCOME, _C.CONTENT_TYPE, _C.SIZE, _C.TIME, _C.INLINKS}
    ),
    View.REDIRECTS: frozenset(
        {
            _C.ADDRESS,
            _C.STATUS,
            _C.OUTCOME,
            _C.CHAIN_LENGTH,
            _C.CHAIN_TYPE,
            _C.FINAL_URL,
            _C.FINAL_STATUS,
            _C.INLINKS,
        }
    ),
    View.ERRORS: frozenset({_C.ADDRESS, _C.STATUS, _C.OUTCOME, _C.DEPTH, _C.TIME, _C.INLINKS}),
    View.EXTERNAL: frozenset({_C.ADDRESS, _C.STATUS, _C.OUTCOME, _C.INLINKS, _C.TIME}),
    View.SKIPPED: frozenset({_C.ADDRESS, _C.OUTCOME, _C.INLINKS}),
}
"""What each view of URLs shows until the person chooses otherwise."""
