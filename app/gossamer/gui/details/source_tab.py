"""The source of a page: as the server sends it now, as archived, or their difference."""

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QStackedWidget, QWidget

from gossamer.gui.details.source_view import SourceView
from gossamer.gui.details.stored_source_view import StoredSourceView
from gossamer.gui.look import theme
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.archive_record import ArchiveRecord
from gossamer.model.fields.url_record import UrlRecord

_NOW, _STORED, _DIFFERENCE = range(3)


class SourceTab(QWidget):
    """Offers the three views if the archive contains the page; else only the current source."""

    def __init__(self, current: SourceView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.current = current
        self._url_id: int | None = None
        self._record: ArchiveRecord | None = None
        self.stored = StoredSourceView()
        self.choice = QComboBox()
        self.choice.addItems(
            [self.tr("As fetched now"), self.tr("As stored"), self.tr("Difference")]
        )
        for widget in (self.choice, self.choice.view()):
            widget.setAccessibleName(self.tr("Which page source to show"))
        self.choice.setToolTip(self.tr("Compare the archived source with the current one"))
        self._bars, self._views = QStackedWidget(), QStackedWidget()
        for view in (current, self.stored):
            self._bars.addWidget(view.bar)
            self._views.addWidget(view)
        top = QWidget()
        row = QHBoxLayout(top)
        row.setContentsMargins(theme.SPACE_S, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.choice)
        row.addWidget(self._bars, 1)
        column_of(top, self._views, filling=self._views, inside=self)
        self.setFocusProxy(current)
        self.choice.currentIndexChanged.connect(self._choose)
        self._arrange()

    def show_record(self, record: UrlRecord | None, archived: ArchiveRecord | None) -> None:
        """Show a URL, unless it is already shown: the current source may be of another page."""
        url_id, url = (None, "") if record is None else (record.id, record.url)
        if url_id != self._url_id:
            self._url_id = url_id
            self.current.show_url(url)
        self._record = archived
        self.stored.show_record(url, archived)
        self._arrange()

    def ask(self, url: str, target: str = "", *, line: int = 0) -> None:
        """Show a page as the server sends it, marking its links to `target` or a line."""
        self.choice.setCurrentIndex(_NOW)
        self.current.ask(url, target, line=line)

    def _choose(self, index: int) -> None:
        if index != _NOW:
            self.stored.show_difference(wanted=index == _DIFFERENCE)
        self._arrange()

    def _arrange(self) -> None:
        has_record = self._record is not None
        self.choice.setVisible(has_record)
        index = int(has_record and self.choice.currentIndex() != _NOW)
        self._bars.setCurrentIndex(index)
        self._views.setCurrentIndex(index)
