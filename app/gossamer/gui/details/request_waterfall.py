"""The requests of a rendered page, with a bar for the time of each."""

from types import MappingProxyType
from typing import Final, NamedTuple

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.icons import blank_icon, icon
from gossamer.gui.tables.item_roles import ACCESSIBLE
from gossamer.gui.tables.table_view import PaddedDelegate
from gossamer.gui.tables.value_tree import SORT_VALUE, ValueRow, ValueTree
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.gui.text.translated_sentences import listed
from gossamer.model.rendering import BlockedBy, PageResource, ResourceType
from gossamer.urls.url_folders import display_url

_tr = translator("RequestWaterfall")
_ADDRESS, _TYPE, _STATUS, _SIZE, _TIME, _BAR, _RESULT = range(7)
_SHARES: Final = (0.27, 0.1, 0.07, 0.09, 0.08, 0.23)
_SPAN: Final = SORT_VALUE + 1
"""The data role for start and end of a request, as shares of the whole time."""
_BAR_HEIGHT: Final = 8
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_THINNEST: Final = 2.0
_ERROR_STATUS: Final = 400
_NAMES: Final = {
    ResourceType.DOCUMENT: QT_TRANSLATE_NOOP("RequestWaterfall", "Document"),
    ResourceType.STYLESHEET: QT_TRANSLATE_NOOP("RequestWaterfall", "Style sheet"),
    ResourceType.IMAGE: QT_TRANSLATE_NOOP("RequestWaterfall", "Image"),
    ResourceType.MEDIA: QT_TRANSLATE_NOOP("RequestWaterfall", "Media"),
    ResourceType.FONT: QT_TRANSLATE_NOOP("RequestWaterfall", "Font"),
    ResourceType.SCRIPT: QT_TRANSLATE_NOOP("RequestWaterfall", "Script"),
    ResourceType.PREFETCH: QT_TRANSLATE_NOOP("RequestWaterfall", "Prefetch"),
    ResourceType.MANIFEST: QT_TRANSLATE_NOOP("RequestWaterfall", "Manifest"),
    ResourceType.OTHER: QT_TRANSLATE_NOOP("RequestWaterfall", "Other"),
}
"""The types with translated names; others keep the name from the browser."""
_BLOCKED: Final = {
    BlockedBy.SCHEME: QT_TRANSLATE_NOOP("RequestWaterfall", "blocked: not http or https"),
    BlockedBy.TYPE: QT_TRANSLATE_NOOP("RequestWaterfall", "blocked: changes nothing on the page"),
    BlockedBy.WEB_SOCKET: QT_TRANSLATE_NOOP(
        "RequestWaterfall", "blocked: crawlers open no WebSockets"
    ),
    BlockedBy.METHOD: QT_TRANSLATE_NOOP("RequestWaterfall", "blocked: would send to another site"),
    BlockedBy.ROBOTS: QT_TRANSLATE_NOOP("RequestWaterfall", "blocked by robots.txt"),
    BlockedBy.ADDRESS: QT_TRANSLATE_NOOP("RequestWaterfall", "blocked: private address"),
    BlockedBy.EXCLUDED: QT_TRANSLATE_NOOP("RequestWaterfall", "blocked by an exclude pattern"),
    BlockedBy.ENDS_SESSION: QT_TRANSLATE_NOOP(
        "RequestWaterfall", "blocked: looks like signing out"
    ),
    BlockedBy.LIMIT: QT_TRANSLATE_NOOP("RequestWaterfall", "blocked: too many requests"),
}


class _AddressDelegate(PaddedDelegate):
    """Elides long addresses in the middle: their ends tell files apart."""

    def initStyleOption(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        """Elide in the middle."""
        super().initStyleOption(option, index)
        option.textElideMode = Qt.TextElideMode.ElideMiddle


class _BarDelegate(PaddedDelegate):
    """Paints when a request began and how long it took."""

    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint the background and the bar."""
        super().paint(painter, option, index)
        span = index.data(_SPAN)
        if span is None:
            return
        start, end, role = span
        room = QRectF(option.rect).adjusted(theme.SPACE_S, 0, -theme.SPACE_S, 0)
        bar = QRectF(
            room.left() + start * room.width(),
            room.center().y() - _BAR_HEIGHT / 2,
            max(_THINNEST, (end - start) * room.width()),
            _BAR_HEIGHT,
        )
        bar.moveRight(min(bar.right(), room.right()))
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.colour(role))
        painter.drawRoundedRect(bar, 2, 2)
        painter.restore()


class _Span(NamedTuple):
    """The start of the first request, and the duration of all."""

    first_ms: int
    whole_ms: int


class RequestWaterfall(ValueTree):
    """The requests of a page, by time until the user sorts them otherwise."""

    least = MappingProxyType({_ADDRESS: 16, _STATUS: 7, _SIZE: 12, _TIME: 9, _BAR: 16, _RESULT: 16})

    def __init__(self, parent: QWidget | None = None) -> None:
        columns = [
            self.tr("Address"),
            self.tr("Type"),
            self.tr("Status"),
            self.tr("Size"),
            self.tr("Time"),
            self.tr("Waterfall"),
            self.tr("Result"),
        ]
        empty = self.tr("The page requested nothing else.")
        super().__init__(self.tr("Requests"), columns, _SHARES, empty, parent)
        self.setRootIsDecorated(False)
        self.setItemDelegateForColumn(_BAR, _BarDelegate(self))
        self.setItemDelegateForColumn(_ADDRESS, _AddressDelegate(self))
        for column in (_STATUS, _SIZE, _TIME):
            self.headerItem().setTextAlignment(column, _RIGHT)
        self.setSortingEnabled(True)
        self.sortByColumn(_BAR, Qt.SortOrder.AscendingOrder)

    def show_requests(self, resources: list[PageResource]) -> None:
        """Show these requests."""
        self.setSortingEnabled(False)
        self.clear()
        first_ms = min((each.started_ms for each in resources), default=0)
        last_ms = max((each.started_ms + each.elapsed_ms for each in resources), default=0)
        span = _Span(first_ms, max(1, last_ms - first_ms))
        heading = self.tr("Waterfall")
        if resources:
            heading = formatting.with_count(heading, formatting.duration(span.whole_ms))
        self.headerItem().setText(_BAR, heading)
        self.addTopLevelItems([_row(each, span) for each in resources])
        self.setSortingEnabled(True)


def result_words(resource: PageResource) -> str:
    """The result of a request if its status does not show it; "" for nothing special."""
    if resource.blocked_by is not None:
        return _tr(_BLOCKED[resource.blocked_by])
    failed = _tr("failed: {reason}").format(reason=resource.failure) if resource.failure else ""
    cached = _tr("loaded by another page") if resource.from_cache else ""
    return listed([failed, cached])


def _role(resource: PageResource) -> theme.Role:
    if resource.blocked_by is not None:
        return "warning"
    is_wrong = bool(resource.failure) or (resource.status or 0) >= _ERROR_STATUS
    return "error" if is_wrong else "accent"


def _row(resource: PageResource, span: _Span) -> ValueRow:
    is_asked = resource.blocked_by is None
    name = _NAMES.get(resource.type)
    start = resource.started_ms - span.first_ms
    end = start + resource.elapsed_ms
    took = formatting.duration(resource.elapsed_ms) if is_asked else ""
    result = formatting.clean(result_words(resource))
    row = ValueRow(
        [
            formatting.clean(display_url(resource.url)),
            resource.type.value if name is None else _tr(name),
            "" if resource.status is None else str(resource.status),
            formatting.size(resource.size_bytes) if resource.size_bytes else "",
            took,
            "",
            result,
        ]
    )
    role = _role(resource)
    for column, value in (
        (_STATUS, resource.status or 0),
        (_SIZE, resource.size_bytes),
        (_TIME, resource.elapsed_ms if is_asked else -1),
        (_BAR, start),
    ):
        row.setData(column, SORT_VALUE, value)
    for column in (_STATUS, _SIZE, _TIME):
        row.setTextAlignment(column, _RIGHT)
    row.setToolTip(_ADDRESS, formatting.tooltip(resource.url))
    row.setToolTip(_RESULT, formatting.tooltip(result))
    if is_asked:
        words = _tr("started after {start}, took {time}")
        words = words.format(start=formatting.duration(start), time=took)
        row.setData(_BAR, _SPAN, (start / span.whole_ms, end / span.whole_ms, role))
        row.setData(_BAR, ACCESSIBLE, words)
        row.setToolTip(_BAR, formatting.tooltip(words))
    row.setIcon(_ADDRESS, blank_icon() if role == "accent" else icon(role))
    if role != "accent":
        row.setForeground(_RESULT, theme.colour(role))
        if not is_asked or resource.failure:
            return row
        row.setForeground(_STATUS, theme.colour(role))
    return row
