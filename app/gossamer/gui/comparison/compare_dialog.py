"""The dialog that asks which two crawls to compare, and shows how far the comparison has come."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.comparison.mapping_form import MappingForm
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import host_of, spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.errors import UsageError
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.series_contents import CrawlSnapshot
from gossamer.model.translatable import Translatable

if TYPE_CHECKING:
    from gossamer.urls.url_mapping import UrlMapping

NAME: Final = "compare-dialog"
_WIDTH: Final = 640
_USUAL: Final = (960, 200)
"""With room for date, site, size and file name of a crawl."""
_SHOWN: Final = 24
_PATH: Final = int(Qt.ItemDataRole.UserRole)


class CompareDialog(QDialog):
    """Asks for two crawls. Deletes itself when closed; `stopped` reports that.

    `compare_wanted` carries the path before, that after, and a UrlMapping; `stop_wanted` that the
    comparison which runs is to end. `file_wanted` asks for another file, for the later side or not.
    """

    compare_wanted = Signal(object, object, object)
    stop_wanted = Signal()
    file_wanted = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Compare two crawls"))
        explain(self, "window/compare")
        self._crawls: dict[Path, CrawlSnapshot] = {}
        self._moments: Counter[str] = Counter()
        """How many of them began in the same minute, as the user reads it."""
        self._is_chosen = False
        """Whether the user has chosen a crawl: that stays, whatever is found afterwards."""
        self.is_comparing = False
        self.before = _crawl_box("compare-before")
        self.after = _crawl_box("compare-after")
        self.swap = QToolButton()
        self.mapping = MappingForm()
        self.note = QLabel()
        self.message = InlineMessage()
        self.progress = QProgressBar()
        self.stage = QLabel()
        self.compare = QPushButton(self.tr("Compare"))
        self._buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self._lay_out()
        for box in (self.before, self.after):
            box.currentIndexChanged.connect(self._suggest)
            box.activated.connect(self._note_choice)
        self.mapping.changed.connect(self._offer)
        self.compare.clicked.connect(self._want)
        self.swap.clicked.connect(self._swap)
        self._buttons.rejected.connect(self._stop_or_close)
        self._show_running()

    @property
    def offers_crawls(self) -> bool:
        """Whether there is one to choose."""
        return bool(self._crawls)

    def show_crawls(
        self, crawls: Sequence[CrawlSnapshot], before: Path | None, after: Path | None
    ) -> None:
        """Offer these crawls, in this order, and choose two of them, if they are known."""
        for crawl in crawls:
            self._know(crawl)
        paths = [Path(crawl.project) for crawl in crawls]
        for box, chosen in ((self.before, before), (self.after, after)):
            kept = box.currentData(_PATH) if self._is_chosen else chosen
            box.blockSignals(True)
            box.clear()
            for path in paths:
                self._add(box, path)
            box.setCurrentIndex(paths.index(kept) if kept in paths else -1)
            box.blockSignals(False)
        self._suggest()

    def add_crawl(self, crawl: CrawlSnapshot, *, is_after: bool) -> None:
        """Offer another crawl, and choose it."""
        self._note_choice()
        path = Path(crawl.project)
        if self._know(crawl):
            for box in (self.before, self.after):
                self._add(box, path)
        box = self.after if is_after else self.before
        box.setCurrentIndex(self._row(box, path))

    def start(self) -> None:
        """The comparison runs."""
        self.is_comparing = True
        self.message.withdraw()
        self.progress.setValue(0)
        self.stage.clear()
        self._show_running()

    def show_step(self, step: ProcessStep) -> None:
        """Show how far it has come."""
        self.stage.setText(spoken(Translatable(step.stage)))
        self.progress.setMaximum(max(step.total, 1))
        self.progress.setValue(step.done)

    def show_error(self, sentence: Translatable) -> None:
        """Say why there is no comparison."""
        self.stop()
        self.message.show_text("error", spoken(sentence))

    def stop(self) -> None:
        """It runs no more."""
        self.is_comparing = False
        self._show_running()

    def reject(self) -> None:
        """Escape ends the comparison, or closes the dialog."""
        self._stop_or_close()

    def _know(self, crawl: CrawlSnapshot) -> bool:
        """Offer a crawl; whether it was not known yet."""
        path = Path(crawl.project)
        if path in self._crawls:
            return False
        self._crawls[path] = crawl
        self._moments[formatting.moment(crawl.created_at)] += 1
        return True

    def _add(self, box: QComboBox, path: Path) -> None:
        box.addItem(self._words(self._crawls[path]), None)
        row = box.count() - 1
        box.setItemData(row, path, _PATH)
        box.setItemData(row, formatting.tooltip(str(path)), Qt.ItemDataRole.ToolTipRole)

    def _words(self, crawl: CrawlSnapshot) -> str:
        """When, of which site, how much and in which file: crawls of one minute differ, too."""
        when = formatting.moment(crawl.created_at)
        if self._moments[when] > 1:
            when = formatting.exact_moment(crawl.created_at)
        urls = self.tr("%Ln URL(s)", "", crawl.urls)
        file = Path(crawl.project).name
        return formatting.clean(f"{when} · {host_of(crawl.root)} · {urls} · {file}")

    def _row(self, box: QComboBox, path: Path) -> int:
        return next((row for row in range(box.count()) if box.itemData(row, _PATH) == path), -1)

    def _chosen(self) -> tuple[CrawlSnapshot | None, CrawlSnapshot | None]:
        paths = (box.currentData(_PATH) for box in (self.before, self.after))
        before, after = (None if path is None else self._crawls[path] for path in paths)
        return before, after

    def _suggest(self) -> None:
        before, after = self._chosen()
        if before is not None and after is not None:
            self.mapping.suggest(before.root, after.root)
        self._offer()

    def _offer(self) -> None:
        before, after = self._chosen()
        words = ""
        if before is None or after is None:
            words = self.tr("Choose two crawls.")
        elif before.project == after.project:
            words = self.tr("Choose two different crawls.")
        elif before.created_at > after.created_at and not self.mapping.wanted.isChecked():
            words = self.tr("The crawl chosen as earlier is the later one.")
        self.note.setText(words)
        can_compare = before is not None and after is not None and before.project != after.project
        try:
            self.mapping.mapping()
        except UsageError:
            can_compare = False
        self.compare.setEnabled(can_compare and not self.is_comparing)

    def _want(self) -> None:
        before, after = self._chosen()
        if before is not None and after is not None:
            mapping: UrlMapping = self.mapping.mapping()
            self.compare_wanted.emit(Path(before.project), Path(after.project), mapping)

    def _note_choice(self) -> None:
        self._is_chosen = True

    def _swap(self) -> None:
        self._note_choice()
        rows = self.after.currentIndex(), self.before.currentIndex()
        for box, row in zip((self.before, self.after), rows, strict=True):
            box.blockSignals(True)
            box.setCurrentIndex(row)
            box.blockSignals(False)
        self._suggest()

    def _stop_or_close(self) -> None:
        if self.is_comparing:
            self.stop_wanted.emit()
        else:
            super().reject()

    def _show_running(self) -> None:
        running = self.is_comparing
        for part in (self.before, self.after, self.swap, self.mapping, *self._files):
            part.setEnabled(not running)
        for part in (self.progress, self.stage):
            part.setVisible(running)
        self.note.setVisible(not running)
        self._offer()

    def _lay_out(self) -> None:
        grid = self._choices()
        self.note.setProperty("muted", True)
        self.note.setWordWrap(True)
        self.progress.setTextVisible(False)
        self.progress.setAccessibleName(self.tr("Progress"))
        self.stage.setTextFormat(Qt.TextFormat.PlainText)
        self.compare.setDefault(True)
        self.compare.setProperty("primary", True)
        self._buttons.addButton(self.compare, QDialogButtonBox.ButtonRole.ActionRole)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_M)
        column.addLayout(grid)
        column.addWidget(self.mapping)
        column.addWidget(self.message)
        column.addWidget(self.note)
        column.addWidget(self.stage)
        column.addWidget(self.progress)
        column.addStretch(1)
        column.addWidget(self._buttons)
        self.setMinimumWidth(_WIDTH)
        self.resize(fitted(_USUAL, self.screen().availableGeometry()))

    def _choices(self) -> QGridLayout:
        """Both crawls, each with a button that opens another."""
        self.swap.setText("\N{UP DOWN ARROW}")
        self.swap.setProperty("raised", True)
        self.swap.setToolTip(self.tr("Swap before and after"))
        self.swap.setAccessibleName(self.tr("Swap before and after"))
        self._files: list[QPushButton] = []
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE_S)
        grid.setVerticalSpacing(theme.SPACE_S)
        for row, (box, name, is_after) in enumerate(
            ((self.before, self.tr("&Before"), False), (self.after, self.tr("&After"), True))
        ):
            browse = QPushButton(self.tr("Open a file…"))
            browse.setAutoDefault(False)
            browse.clicked.connect(lambda _on, is_after=is_after: self.file_wanted.emit(is_after))
            self._files.append(browse)
            grid.addWidget(buddy(name, box), row, 0)
            grid.addWidget(box, row, 1)
            grid.addWidget(browse, row, 2)
        grid.addWidget(self.swap, 0, 3, 2, 1)
        grid.setColumnStretch(1, 1)
        return grid


def _crawl_box(name: str) -> QComboBox:
    box = QComboBox()
    box.setObjectName(name)
    box.setFixedHeight(CONTROL_HEIGHT)
    box.setMinimumContentsLength(_SHOWN)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    return box
