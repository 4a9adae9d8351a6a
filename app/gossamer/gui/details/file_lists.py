"""Declares the lists of the details about what a page loads: its images and other resources."""

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Final, NamedTuple

from gossamer.gui.details.detail_lists import DetailList
from gossamer.gui.look.outcome_style import NO_STATUS, kind_label
from gossamer.gui.project.reader_interface import ProjectRows
from gossamer.gui.tables.row_kind import LINKS, RowKind, UrlOutcome
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import ReadPage
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import LinkKind, LinkUse
from gossamer.model.page_flags import LinkTrait
from gossamer.urls.url_folders import display_url

_tr = translator("DetailList")
_IMAGES: Final = frozenset({LinkKind.IMAGE, LinkKind.ICON})
_RESOURCES: Final = frozenset(
    kind for kind in LinkKind if kind.declaration.use is LinkUse.RESOURCE
) | {LinkKind.CSS}
_IMG: Final = "img"


class LinkedFile(NamedTuple):
    """A file that a page loads, and what is known of it."""

    link: LinkRecord
    record: UrlRecord | None


def images() -> DetailList[LinkedFile]:
    """The images on the page, in document order, each as often as it is there."""
    return DetailList(
        kind=_kind(
            _text_column(QT_TRANSLATE_NOOP("Column", "Alt text"), 30, _alt),
            _text_column(QT_TRANSLATE_NOOP("Column", "Width and height"), 18, _size_attributes),
            *_FILE_COLUMNS,
            *_PLACE_COLUMNS,
        ),
        read=_reading(_IMAGES),
    )


def resources() -> DetailList[LinkedFile]:
    """The scripts, style sheets, fonts, images and other files that the page loads."""
    kind = _text_column(
        QT_TRANSLATE_NOOP("Column", "Type"), 14, lambda file: kind_label(file.link.kind)
    )
    return DetailList(kind=_kind(kind, *_FILE_COLUMNS, *_PLACE_COLUMNS), read=_reading(_RESOURCES))


def _reading(kinds: Collection[LinkKind]) -> ReadPage[LinkedFile]:
    def read(
        rows: ProjectRows, url_id: int, last: LinkedFile | None, limit: int
    ) -> list[LinkedFile]:
        after = -1 if last is None else last.link.position
        links = rows.links_of_kinds(url_id, kinds, limit, after)
        records = {
            record.id: record for record in rows.records(list({link.target_id for link in links}))
        }
        return [LinkedFile(link, records.get(link.target_id)) for link in links]

    return read


def _text_column(title: str, width: int, text: Callable[[LinkedFile], str]) -> ColumnSpec:
    return ColumnSpec(None, title, width, lambda file: formatting.clean(text(file)))


def _kind(*columns: ColumnSpec) -> RowKind[LinkedFile]:
    address = ColumnSpec(
        "address",
        QT_TRANSLATE_NOOP("Column", "Address"),
        32,
        lambda file: formatting.clean(display_url(file.link.target_url)),
        address=True,
    )
    return RowKind(
        columns=(address, *columns),
        url_id=lambda file: file.link.target_id,
        outcome=lambda file: UrlOutcome(
            file.link.target_id, file.link.target_outcome, file.link.target_status
        ),
    )


def _alt(file: LinkedFile) -> str:
    """The alternative text, or what there is instead; "" for what has none."""
    link = file.link
    if link.text or not link.element.startswith(_IMG) or link.element.endswith("srcset"):
        return link.text
    return _tr("no alt attribute") if link.traits & LinkTrait.NO_ALT else _tr("(empty)")


def _size_attributes(file: LinkedFile) -> str:
    if not file.link.element.startswith(_IMG):
        return ""
    return _tr("missing") if file.link.traits & LinkTrait.NO_SIZE else _tr("both given")


def _size(file: LinkedFile) -> str:
    size_bytes = None if file.record is None else file.record.size_bytes
    return "" if size_bytes is None else formatting.size(size_bytes)


def _link_columns(*names: str) -> tuple[ColumnSpec, ...]:
    """Columns of links, of the link of a file."""
    specs = (LINKS.columns[LINKS.index(name)] for name in names)
    return tuple(replace(spec, column=None, text=_of_link(spec.text), plain=None) for spec in specs)


def _of_link(text: Callable[[LinkRecord], str]) -> Callable[[LinkedFile], str]:
    return lambda file: text(file.link)


_FILE_COLUMNS: Final = (
    ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Size"), 11, _size, numeric=True),
    ColumnSpec(
        "status",
        QT_TRANSLATE_NOOP("Column", "Status code"),
        12,
        lambda file: NO_STATUS if file.link.target_status is None else str(file.link.target_status),
    ),
    _text_column(
        QT_TRANSLATE_NOOP("Column", "Content type"),
        18,
        lambda file: "" if file.record is None else file.record.content_type or "",
    ),
)
_PLACE_COLUMNS: Final = _link_columns("place", "path", "element")
