"""The progress of the site audit, with a button that cancels it."""

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QProgressBar, QToolButton, QWidget

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.text.local_formatting import share
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.messages.process_messages import ProcessStep
from gossamer.model.translatable import Translatable

_BAR: Final = QSize(80, 8)
_LONGEST_STAGE: Final = "Reading URLs and links"
_CROSS: Final = QSize(12, 12)


class AuditProgressLine(QWidget):
    """Stage and progress of the audit; hidden while none runs. `cancelled`: it is to end."""

    cancelled = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = QLabel()
        self.words.setTextFormat(Qt.TextFormat.PlainText)
        self.words.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.words.setFont(theme.tabular(self.words.font()))
        # As wide for any stage: what changes moves nothing.
        longest = f"{self._words_for(_LONGEST_STAGE)} · {share(1, 1)}"
        self.words.setFixedWidth(self.words.fontMetrics().horizontalAdvance(longest) + 2)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setFixedSize(_BAR)
        self.bar.setAccessibleName(self.tr("Audit progress"))
        self.button = QToolButton()
        self.button.setIcon(icon("close"))
        self.button.setIconSize(_CROSS)
        self.button.setProperty("quiet", True)
        self.button.setToolTip(self.tr("Cancel the audit"))
        self.button.setAccessibleName(self.tr("Cancel the audit"))
        self.button.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.SPACE_S)
        for part in (self.words, self.bar, self.button):
            row.addWidget(part)
        self.hide()

    def set_running(self, *, running: bool) -> None:
        """An audit begins, or is over."""
        self.words.setText(self.tr("Audit"))
        self.bar.setValue(0)
        self.setVisible(running)

    def show_step(self, step: ProcessStep) -> None:
        """Show its progress."""
        text = self._words_for(step.stage)
        if step.done:
            text = f"{text} · {share(step.done, max(step.total, step.done))}"
        if text != self.words.text():
            self.words.setText(text)
        self.bar.setMaximum(max(step.total, 1))
        self.bar.setValue(step.done)

    def _words_for(self, stage: str) -> str:
        return self.tr("Audit: {stage}").format(stage=spoken(Translatable(stage)))
