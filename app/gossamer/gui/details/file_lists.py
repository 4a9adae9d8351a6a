"""Declares the lists of the details about what a page loads: its images and other resources."""

from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple

from gossamer.gui.details.detail_lists import DetailList
from gossamer.gui.details.image_pane import dimensions
from gossamer.gui.look.outcome_style import NO_STATUS, kind_label
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.tables.row_kind import LINKS, RowKind, UrlOutcome
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import ReadRecords
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import RESOURCE_KINDS, LinkKind
from gossamer.model.link_traits import LinkTrait
from gossamer.model.messages.page_image_messages import PageImage
from gossamer.model.rendering import NO_DETAILS, RenderedImage
from gossamer.urls.url_folders import display_url
from gossamer.urls.url_parsing import without_fragment

_tr = translator("DetailList")
_IMAGES: Final = frozenset({LinkKind.IMAGE, LinkKind.ICON})
_RESOURCES: Final = RESOURCE_KINDS
_IMG: Final = "img"
_NOT_GIVEN: Final = "\N{EN DASH}"


class LinkedFile(NamedTuple):
    """A file that a page loads, and what is known about it."""

    link: LinkRecord
    record: UrlRecord | None
    rendered: RenderedImage | None = None
    """The largest of its rendered appearances, if it is an image of a rendered page."""

    @property
    def is_oversized(self) -> bool:
        """Whether it is much larger than displayed everywhere: see LinkTrait.WRONG_SIZE."""
        image = self.rendered
        if image is None or not self.link.traits & LinkTrait.WRONG_SIZE:
            return False
        return image.natural_width * image.natural_height > _area(image)


@dataclass(slots=True)
class ReadSizes:
    """The sizes of the images of a page that were read on request.

    `written` has the images as the source has them, by the positions of their links, `files` the
    width and height of files, by URL.
    """

    written: dict[int, PageImage] = field(default_factory=dict)
    files: dict[str, tuple[int, int]] = field(default_factory=dict)

    def clear(self) -> None:
        """Forget all before another page is shown."""
        self.written = {}
        self.files = {}


def images(sizes: ReadSizes) -> DetailList[LinkedFile]:
    """The images on the page, in document order, with repetitions."""
    return DetailList(
        kind=_kind(
            _text_column(QT_TRANSLATE_NOOP("Column", "Alt text"), 26, _alt),
            _text_column(
                QT_TRANSLATE_NOOP("Column", "Width and height"),
                18,
                lambda file: written_size(file, sizes),
            ),
            _text_column(
                QT_TRANSLATE_NOOP("Column", "Intrinsic size"),
                15,
                lambda file: _intrinsic_size(file, sizes),
            ),
            _text_column(QT_TRANSLATE_NOOP("Column", "Displayed size"), 24, displayed_size),
            *_FILE_COLUMNS,
            *_POSITION_COLUMNS,
        ),
        read=_read_images,
    )


def resources() -> DetailList[LinkedFile]:
    """The scripts, style sheets, fonts, images and other files that the page loads."""
    kind = _text_column(
        QT_TRANSLATE_NOOP("Column", "Type"), 14, lambda file: kind_label(file.link.kind)
    )
    return DetailList(
        kind=_kind(kind, *_FILE_COLUMNS, *_POSITION_COLUMNS), read=_reading(_RESOURCES)
    )


def _reading(kinds: Collection[LinkKind]) -> ReadRecords[LinkedFile]:
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


def _read_images(
    rows: ProjectRows, url_id: int, last: LinkedFile | None, limit: int
) -> list[LinkedFile]:
    files = _reading(_IMAGES)(rows, url_id, last, limit)
    details = rows.rendering_details(url_id) if files else NO_DETAILS
    if not details.images:
        return files
    rendered: dict[str, RenderedImage] = {}
    for image in sorted((each for each in details.images if not each.is_background), key=_area):
        rendered[without_fragment(image.url)] = image
    return [_placed(file, rendered.get(file.link.target_url)) for file in files]


def _placed(file: LinkedFile, image: RenderedImage | None) -> LinkedFile:
    return file if image is None else file._replace(rendered=image)


def _area(image: RenderedImage) -> int:
    return image.width * image.height


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
    """The alternative text, or why there is none; "" for files that need none."""
    link = file.link
    if link.text or not link.element.startswith(_IMG) or link.element.endswith("srcset"):
        return link.text
    return _tr("no alt attribute") if link.traits & LinkTrait.NO_ALT else _tr("(empty)")


def written_size(file: LinkedFile, sizes: ReadSizes) -> str:
    """The attributes width and height, or whether they are present, if that is known."""
    image = sizes.written.get(file.link.position)
    if image is not None:
        given = (image.width or _NOT_GIVEN, image.height or _NOT_GIVEN)
        return _tr("missing") if given == (_NOT_GIVEN, _NOT_GIVEN) else dimensions(*given)
    if not file.link.element.startswith(_IMG):
        return ""
    return _tr("missing") if file.link.traits & LinkTrait.NO_SIZE else _tr("both given")


def _intrinsic_size(file: LinkedFile, sizes: ReadSizes) -> str:
    known = sizes.files.get(file.link.target_url)
    if known is not None:
        return dimensions(*known)
    image = file.rendered
    if image is None or not image.natural_width:
        return ""
    return dimensions(image.natural_width, image.natural_height)


def displayed_size(file: LinkedFile) -> str:
    """The displayed size of an image in the rendered page; "" if that is not known."""
    image = file.rendered
    if image is None:
        return ""
    if not _area(image):
        return _tr("not visible")
    size = dimensions(image.width, image.height)
    return f"{size} · {_tr('file is larger')}" if file.is_oversized else size


def _size(file: LinkedFile) -> str:
    size_bytes = None if file.record is None else file.record.size_bytes
    return "" if size_bytes is None else formatting.size(size_bytes)


def _link_columns(*names: str) -> tuple[ColumnSpec, ...]:
    """Columns of the link to a file."""
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
_POSITION_COLUMNS: Final = _link_columns("place", "path", "element")
