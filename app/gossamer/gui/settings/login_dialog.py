"""Tells of a login window that is open, and ends it when the person has logged in."""

from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from gossamer.gui.help.help_window import explain
from gossamer.gui.look import theme
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.model.messages.login_messages import LoginSeen
from gossamer.model.secrets import Secrets

_WIDTH: Final = 460
_tr = translator("LoginDialog")


class LoginDialog(QDialog):
    """Stands beside the browser. `finished_login` says that the person has logged in."""

    finished_login = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("login-dialog")
        explain(self, "settings")
        self.setWindowTitle(self.tr("Log in"))
        self.message = InlineMessage()
        self.step = _label(self.tr("Opening a browser window…"))
        self.seen = _label("")
        kinds = QDialogButtonBox.StandardButton
        self._box = QDialogButtonBox(kinds.Cancel)
        self.done_button = self._box.addButton(
            self.tr("Done"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.done_button.setProperty("primary", True)
        self.done_button.setEnabled(False)
        self.done_button.clicked.connect(self._finish)
        self._box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(theme.SPACE_M)
        for widget in (self.message, self.step, self.seen, self._box):
            column.addWidget(widget)
        self.setMinimumWidth(_WIDTH)

    def show_opened(self, browser: str) -> None:
        """The browser's window is there."""
        name = browser.partition("/")[0]
        self.step.setText(
            self.tr(
                "Log in in the window of {browser}, as you always do. When the site shows that you "
                "are logged in, click Done or close that window."
            ).format(browser=name)
        )
        self.done_button.setEnabled(True)
        self.done_button.setDefault(True)

    def show_seen(self, seen: LoginSeen) -> None:
        """What the browser knows by now."""
        found = counted(seen.cookies, seen.stored_values)
        self.seen.setText(self.tr("So far: {found}.").format(found=found))

    def show_error(self, sentence: str) -> None:
        """There is no window, for this reason."""
        self.step.setText("")
        self.done_button.setEnabled(False)
        self.message.show_text("error", sentence)

    def _finish(self) -> None:
        self.done_button.setEnabled(False)
        self.step.setText(self.tr("Closing the browser…"))
        self.finished_login.emit()


def counted(cookies: int, stored_values: int) -> str:
    """Numbers of cookies and stored values."""
    parts = [_tr("%Ln cookie(s)", cookies), _tr("%Ln stored value(s)", stored_values)]
    return _tr("{cookies} and {stored}").format(cookies=parts[0], stored=parts[1])


def login_words(login: Secrets) -> str:
    """For whom there is a login, and what; "" without one."""
    lines = [
        _tr("Logged in to {site}: {found}.").format(
            site=site,
            found=counted(len(each.login.cookie_names), len(each.login.stored_keys)),
        )
        for site, each in login.origins.items()
        if each.login
    ]
    return "\n".join(lines)


def _label(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    return label
