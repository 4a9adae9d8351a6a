"""The columns of the table of links."""

from typing import Final

from gossamer.gui.look.outcome_style import NO_STATUS, action_label, kind_label, label
from gossamer.gui.tables.url_columns import ColumnSpec
from gossamer.gui.text import formatting
from gossamer.gui.text.formatting import QT_TRANSLATE_NOOP
from gossamer.model.link_record import LinkRecord
from gossamer.urls.tree import display_url


def _source(link: LinkRecord) -> str:
    return formatting.clean(display_url(link.source_url))


def _target(link: LinkRecord) -> str:
    return formatting.clean(display_url(link.target_url))


def _status(link: LinkRecord) -> str:
    return NO_STATUS if link.target_status is None else str(link.target_status)


LINK_SPECS: Final[tuple[ColumnSpec, ...]] = (
    ColumnSpec(
        "source",
        QT_TRANSLATE_NOOP("Column", "Source"),
        40,
        _source,
        address=True,
        plain=lambda link: link.source_url,
    ),
    ColumnSpec(
        "target",
        QT_TRANSLATE_NOOP("Column", "Destination"),
        40,
        _target,
        address=True,
        plain=lambda link: link.target_url,
    ),
    ColumnSpec("status", QT_TRANSLATE_NOOP("Column", "Status code"), 12, _status),
    ColumnSpec(
        "outcome",
        QT_TRANSLATE_NOOP("Column", "Outcome"),
        21,
        lambda link: label(link.target_outcome),
    ),
    ColumnSpec(
        "anchor",
        QT_TRANSLATE_NOOP("Column", "Anchor"),
        26,
        lambda link: formatting.clean(link.text),
    ),
    ColumnSpec("kind", QT_TRANSLATE_NOOP("Column", "Type"), 14, lambda link: kind_label(link.kind)),
    ColumnSpec(
        "action",
        QT_TRANSLATE_NOOP("Column", "Action"),
        12,
        lambda link: action_label(link.action),
    ),
    ColumnSpec(
        "rel", QT_TRANSLATE_NOOP("Column", "Rel"), 14, lambda link: formatting.clean(link.rel)
    ),
    ColumnSpec(
        "element",
        QT_TRANSLATE_NOOP("Column", "Element"),
        14,
        lambda link: formatting.clean(link.element),
    ),
    ColumnSpec(
        "fragment",
        QT_TRANSLATE_NOOP("Column", "Fragment"),
        16,
        lambda link: formatting.clean(link.fragment),
    ),
    ColumnSpec(
        "position",
        QT_TRANSLATE_NOOP("Column", "Position"),
        10,
        lambda link: formatting.number(link.position + 1),
        numeric=True,
        plain=lambda link: str(link.position + 1),
    ),
    ColumnSpec(
        "source_title",
        QT_TRANSLATE_NOOP("Column", "Source title"),
        30,
        lambda link: formatting.clean(link.source_title or ""),
    ),
)
"""All columns of links, in the order of the model."""

DEFAULT_LINK_COLUMNS: Final = frozenset(
    {"source", "target", "status", "anchor", "kind", "position"}
)
