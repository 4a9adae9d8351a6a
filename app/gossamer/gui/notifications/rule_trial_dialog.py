"""The contents of a test message, and the reply of each channel."""

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QGridLayout,
    QLabel,
    QPlainTextEdit,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.look.icons import icon
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import labelled, spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import wrap_text
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.notifying.rule_trial import ChannelTrial, RuleTrial

NAME: Final = "rule-trial-dialog"
_SIZE: Final = (560, 400)
_SIGN: Final = 16


class RuleTrialDialog(QDialog):
    """Shows a trial; deletes itself when closed."""

    def __init__(self, trial: RuleTrial, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Test message"))
        explain(self, "window/notifications")
        self.results = [self._words(each) for each in trial.channels]
        self.sent = QPlainTextEdit(f"{formatting.clean(trial.title)}\n\n{trial.text.strip()}")
        self.sent.setReadOnly(True)
        self.sent.setAccessibleName(self.tr("What was sent"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE_S)
        grid.setColumnStretch(1, 1)
        for row, (each, words) in enumerate(zip(trial.channels, self.results, strict=True)):
            sign = QLabel()
            sign.setPixmap(icon("finished" if each.problem is None else "error").pixmap(_SIGN))
            label = QLabel(words)
            wrap_text(label)
            label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            grid.addWidget(sign, row, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label, row, 1)
        heading = QLabel(self.tr("What was sent"))
        heading.setProperty("heading", True)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_L, theme.SPACE_L, theme.SPACE_M)
        column.setSpacing(theme.SPACE_S)
        column.addLayout(grid)
        column.addWidget(heading)
        column.addWidget(self.sent, 1)
        column.addWidget(close)
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    def _words(self, trial: ChannelTrial) -> str:
        channel = formatting.clean(spoken(trial.channel))
        if trial.problem is not None:
            what = self.tr("not delivered: {reason}").format(reason=spoken(trial.problem))
        elif trial.reply is not None:
            what = self.tr("delivered: {reply}").format(reply=spoken(trial.reply))
        else:
            what = self.tr("delivered")
        return labelled(channel, formatting.clean(what))
