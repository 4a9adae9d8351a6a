"""Tries custom searches and extractions on one page, before the crawl."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.custom_definitions.definition_texts import failure_name
from gossamer.gui.look.outcome_style import sentence
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import detail_words, sentences
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.model.custom_definitions import CustomDefinition, CustomResult
from gossamer.model.messages.inspection_messages import TrialResult

_SIZE: Final = (640, 420)
_NAME_WIDTH: Final = 22
_RESULT_WIDTH: Final = 48


class TrialDialog(QDialog):
    """Shows the result of each definition on a page, and how long it took.

    `wanted` asks for the trial, with the typed address.
    """

    wanted = Signal(str)

    def __init__(
        self, definitions: Sequence[CustomDefinition], url: str, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        explain(self, "window/custom")
        self.setWindowTitle(self.tr("Try on a page"))
        self._definitions = definitions
        self.message = InlineMessage()
        self.url = QLineEdit(url)
        self.url.setMinimumHeight(CONTROL_HEIGHT)
        self.url.setPlaceholderText("https://example.com/")
        self.start = QPushButton(self.tr("Try"))
        self.start.setDefault(True)
        self.start.clicked.connect(self._ask)
        self.results = QTreeWidget()
        self.results.setHeaderLabels([self.tr("Name"), self.tr("Result"), self.tr("Time")])
        self.results.setRootIsDecorated(False)
        self.results.setUniformRowHeights(True)
        self.results.setAccessibleName(self.tr("Results"))
        header = self.results.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        character = self.fontMetrics().averageCharWidth()
        header.resizeSection(0, character * _NAME_WIDTH)
        line = QHBoxLayout()
        line.addWidget(buddy(self.tr("&Page"), self.url))
        line.addWidget(self.url, 1)
        line.addWidget(self.start)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.addLayout(line)
        column.addWidget(self.message)
        column.addWidget(self.results, 1)
        column.addWidget(buttons)
        self.resize(*_SIZE)
        self.url.selectAll()
        self._show_rows({}, {})

    def show_result(self, trial: TrialResult) -> None:
        """Show the results of the trial."""
        self.start.setEnabled(True)
        self._show_rows({each.number: each for each in trial.results}, trial.elapsed_ms)
        if not trial.results:
            words = (sentence(trial.outcome, trial.status), detail_words(trial.detail))
            self.message.show_text("warning", sentences(part for part in words if part))
        else:
            page = self.tr("Tried on {url}.").format(url=formatting.clean(trial.url))
            self.message.show_text("info", page)

    def show_error(self, text: str) -> None:
        """Show why the trial failed."""
        self.start.setEnabled(True)
        self.message.show_text("error", text)

    def _ask(self) -> None:
        if self.url.text().strip():
            self.start.setEnabled(False)
            self.message.show_text("info", self.tr("Fetching the page…"))
            self.wanted.emit(self.url.text().strip())

    def _show_rows(self, results: dict[int, CustomResult], elapsed_ms: dict[int, float]) -> None:
        self.results.clear()
        for each in self._definitions:
            elapsed = elapsed_ms.get(each.number)
            time = (
                ""
                if elapsed is None
                else self.tr("{ms} ms").format(ms=formatting.decimal(elapsed, 1))
            )
            words = self._words(results.get(each.number))
            item = QTreeWidgetItem([formatting.clean(each.name), words, time])
            item.setToolTip(1, formatting.tooltip(words))
            item.setTextAlignment(2, Qt.AlignmentFlag.AlignRight)
            self.results.addTopLevelItem(item)

    def _words(self, result: CustomResult | None) -> str:
        if result is None:
            return ""
        if result.failure is not None:
            return failure_name(result.failure)
        if not result.values:
            return self.tr("nothing found")
        return formatting.clean(" | ".join(map(str, result.values)))
