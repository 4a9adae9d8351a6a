"""Asks for which URLs to ignore an issue, and for the reason."""

from collections.abc import Sequence
from itertools import takewhile
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QDialogButtonBox,
    QLabel,
    QLineEdit,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.look import theme
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import spoken, without_key
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.errors import UsageError
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.ignored_issues import IgnoredIssue
from gossamer.urls.url_folders import folders

_SIZE: Final = (520, 360)


class IgnoreDialog(QDialog):
    """The modeless choice between all URLs of an issue, the selected ones, and a pattern.

    `ignore_wanted` carries what to ignore, as a list of IgnoredIssue.
    """

    ignore_wanted = Signal(object)

    def __init__(
        self,
        rule: int,
        name: str,
        selected: Sequence[UrlRecord] = (),
        parent: QWidget | None = None,
    ) -> None:
        """Offer to ignore the rule with this number and full name, for `selected` or other URLs."""
        super().__init__(parent)
        self.setObjectName("ignore-dialog")
        explain(self, "window/issues")
        self.setWindowTitle(self.tr("Ignore issue"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._rule = rule
        self._selected = selected
        self.all = QRadioButton(self.tr("For &all URLs, also those found later"))
        self.some = QRadioButton(self.tr("For the %Ln &selected URL(s)", "", len(selected)))
        self.matching = QRadioButton(self.tr("For URLs that &match a pattern"))
        self.pattern = QLineEdit(_pattern_for(selected))
        self.reason = QLineEdit()
        self.message = InlineMessage()
        self._choices = QButtonGroup(self)
        for choice in (self.all, self.some, self.matching):
            self._choices.addButton(choice)
        self._set_up_widgets()
        self._lay_out(name)
        self._choices.buttonClicked.connect(self._enable)
        (self.some if selected else self.all).setChecked(True)
        self._enable()
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))
        self.reason.setFocus()

    def accept(self) -> None:
        """Emit the choice if it is valid; show the error otherwise."""
        try:
            chosen = [each.checked() for each in self._chosen()]
        except UsageError as e:
            self.message.show_text("error", spoken(e.said))
            return
        self.ignore_wanted.emit(chosen)
        super().accept()

    def _chosen(self) -> list[IgnoredIssue]:
        reason = self.reason.text()
        if self.some.isChecked():
            return [IgnoredIssue(self._rule, each.url, each.id, reason) for each in self._selected]
        if self.matching.isChecked():
            return [IgnoredIssue(self._rule, self.pattern.text(), reason=reason)]
        return [IgnoredIssue(self._rule, reason=reason)]

    def _enable(self) -> None:
        self.pattern.setEnabled(self.matching.isChecked())
        self.message.hide()

    def _set_up_widgets(self) -> None:
        self.some.setVisible(bool(self._selected))
        self.pattern.setPlaceholderText("https://example.com/blog/*")
        self.pattern.setAccessibleName(without_key(self.matching.text()))
        self.reason.setPlaceholderText(self.tr("Optional"))

    def _lay_out(self, name: str) -> None:
        heading = QLabel(formatting.clean(name))
        heading.setProperty("heading", True)
        heading.setWordWrap(True)
        heading.setTextFormat(Qt.TextFormat.PlainText)
        note = QLabel(
            self.tr(
                "Ignored issues are not counted, neither here nor in exports and reports. You can "
                "take this back at any time."
            )
        )
        hint = QLabel(self.tr("* stands for any characters. Also holds for URLs found later."))
        for text in (note, hint):
            text.setProperty("muted", True)
            text.setWordWrap(True)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        ok = buttons.button(QDialogButtonBox.StandardButton.Ok)
        ok.setText(self.tr("Ignore"))
        ok.setProperty("primary", True)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(*[theme.SPACE_L] * 4)
        column.setSpacing(theme.SPACE_S)
        for widget in (heading, note, self.some, self.all, self.matching, self.pattern, hint):
            column.addWidget(widget)
        column.addSpacing(theme.SPACE_S)
        column.addWidget(buddy(self.tr("&Reason"), self.reason))
        column.addWidget(self.reason)
        column.addWidget(self.message)
        column.addStretch(1)
        column.addWidget(buttons)


def _pattern_for(selected: Sequence[UrlRecord]) -> str:
    """The pattern of the innermost folder that contains all of these URLs; "" without one."""
    paths = [folders(each.url) for each in selected]
    if not paths:
        return ""
    same = takewhile(lambda names: len(set(names)) == 1, zip(*paths, strict=False))
    shared = [names[0] for names in same]
    return "".join(f"{name}/" for name in shared) + "*" if shared else ""
