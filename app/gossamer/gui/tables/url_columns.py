"""The columns of the table of URLs: name, width, alignment, and the text of a cell."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from PySide6.QtCore import QCoreApplication

from gossamer.gui.look.outcome_style import NO_STATUS, chain_label, label, warning_labels
from gossamer.gui.text import formatting
from gossamer.gui.text.formatting import QT_TRANSLATE_NOOP
from gossamer.model.project_queries import Column, View
from gossamer.model.url_record import UrlRecord
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
        "address",
        QT_TRANSLATE_NOOP("Column", "Address"),
        40,
        _address("url"),
        address=True,
        plain=_plain("url"),
    ),
    ColumnSpec("status", QT_TRANSLATE_NOOP("Column", "Status code"), 12, _status),
    ColumnSpec("outcome", QT_TRANSLATE_NOOP("Column", "Outcome"), 21, _outcome),
    ColumnSpec(
        "redirect",
        QT_TRANSLATE_NOOP("Column", "Redirect URL"),
        46,
        _address("redirect"),
        address=True,
        plain=_plain("redirect"),
    ),
    ColumnSpec(
        "chain_length",
        QT_TRANSLATE_NOOP("Column", "Hops"),
        8,
        _number("chain_length"),
        numeric=True,
        plain=_plain("chain_length"),
        note=QT_TRANSLATE_NOOP("Column", "Redirects in a row until the final address"),
    ),
    ColumnSpec(
        "chain_type",
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
        "final_url",
        QT_TRANSLATE_NOOP("Column", "Final address"),
        46,
        _address("final_url"),
        address=True,
        plain=_plain("final_url"),
        note=QT_TRANSLATE_NOOP("Column", "Where the redirects lead in the end; a loop has none"),
    ),
    ColumnSpec(
        "final_status",
        QT_TRANSLATE_NOOP("Column", "Final status code"),
        12,
        _number("final_status"),
        note=QT_TRANSLATE_NOOP("Column", "The status of the final address"),
    ),
    ColumnSpec(
        "content_type", QT_TRANSLATE_NOOP("Column", "Content type"), 17, _text("content_type")
    ),
    ColumnSpec("title", QT_TRANSLATE_NOOP("Column", "Title"), 30, _text("title")),
    ColumnSpec("h1", QT_TRANSLATE_NOOP("Column", "H1"), 26, _text("h1")),
    ColumnSpec(
        "description",
        QT_TRANSLATE_NOOP("Column", "Meta description"),
        26,
        _text("description"),
    ),
    ColumnSpec(
        "depth",
        QT_TRANSLATE_NOOP("Column", "Crawl depth"),
        12,
        _number("depth"),
        numeric=True,
        plain=_plain("depth"),
    ),
    ColumnSpec(
        "words",
        QT_TRANSLATE_NOOP("Column", "Word count"),
        12,
        _number("word_count"),
        numeric=True,
        plain=_plain("word_count"),
    ),
    ColumnSpec(
        "size",
        QT_TRANSLATE_NOOP("Column", "Size"),
        12,
        _size,
        numeric=True,
        plain=_plain("size_bytes"),
    ),
    ColumnSpec(
        "time",
        QT_TRANSLATE_NOOP("Column", "Response time"),
        14,
        _time,
        numeric=True,
        plain=_plain("elapsed_ms"),
    ),
    ColumnSpec(
        "inlinks",
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
        "unique_inlinks",
        QT_TRANSLATE_NOOP("Column", "Unique inlinks"),
        15,
        _number("unique_inlinks"),
        numeric=True,
        plain=_plain("unique_inlinks"),
        note=QT_TRANSLATE_NOOP("Column", "Pages with such links"),
    ),
    ColumnSpec(
        "outlinks",
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
        "warnings",
        QT_TRANSLATE_NOOP("Column", "Warnings"),
        30,
        lambda record: warning_labels(record.warnings),
        note=QT_TRANSLATE_NOOP(
            "Column",
            "What was cut at a limit, and responses that were read as browsers do, though they are"
            " malformed",
        ),
    ),
    ColumnSpec("language", QT_TRANSLATE_NOOP("Column", "Language"), 11, _text("language")),
    ColumnSpec(
        "canonical",
        QT_TRANSLATE_NOOP("Column", "Canonical"),
        36,
        _address("canonical"),
        address=True,
        plain=_plain("canonical"),
    ),
    ColumnSpec(
        "last_modified",
        QT_TRANSLATE_NOOP("Column", "Last modified"),
        18,
        _last_modified,
        plain=_plain("last_modified"),
    ),
    ColumnSpec("fetched_at", QT_TRANSLATE_NOOP("Column", "Crawl timestamp"), 18, _fetched_at),
)
"""All columns, in the order of the model. A view hides those it does not need."""

INDEX: Final[dict[Column, int]] = {
    spec.column: i for i, spec in enumerate(SPECS) if spec.column is not None
}


def column_name(column: Column) -> str:
    """What a column of URLs is called, wherever else its values stand; translated."""
    return SPECS[INDEX[column]].header


DEFAULT_COLUMNS: Final[dict[View, frozenset[Column]]] = {
    View.ALL: frozenset(
        {
            "address",
            "status",
            "outcome",
            "content_type",
            "title",
            "depth",
            "size",
            "time",
            "inlinks",
        }
    ),
    View.PAGES: frozenset(
        {
            "address",
            "status",
            "title",
            "h1",
            "depth",
            "words",
            "size",
            "time",
            "inlinks",
            "outlinks",
        }
    ),
    View.RESOURCES: frozenset(
        {"address", "status", "outcome", "content_type", "size", "time", "inlinks"}
    ),
    View.REDIRECTS: frozenset(
        {
            "address",
            "status",
            "outcome",
            "chain_length",
            "chain_type",
            "final_url",
            "final_status",
            "inlinks",
        }
    ),
    View.ERRORS: frozenset({"address", "status", "outcome", "depth", "time", "inlinks"}),
    View.EXTERNAL: frozenset({"address", "status", "outcome", "inlinks", "time"}),
    View.SKIPPED: frozenset({"address", "outcome", "inlinks"}),
}
"""What each view of URLs shows until the person chooses otherwise."""
