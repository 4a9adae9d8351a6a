"""The dialog that accompanies an open login window and ends it after the login."""

from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QCheckBox, QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.text.login_texts import counted, remember_label, remember_note
from gossamer.gui.text.translated_sentences import sentences
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import describe
from gossamer.gui.widgets.message_bar import InlineMessage, Kind
from gossamer.model.messages.login_messages import LoginSeen

_WIDTH: Final = 460


class LoginDialog(QDialog):
    """Guides the user through a login in a browser window.

    `finished_login` reports that the user has logged in, `retry_wanted` asks for another
    window.
    """

    finished_login = Signal()
    retry_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("login-dialog")
        explain(self, "window/login")
        self.setWindowTitle(self.tr("Log in"))
        # Above the browser, where the user looks for the next step.
        self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
        self.message = InlineMessage()
        self.step = _label("")
        self.seen = _label("")
        self._certificate = _label(
            self.tr(
                "The browser does not send your certificate. If the site asks for it there, log "
                "in with a form instead, or import the certificate into the system temporarily."
            )
        )
        self._certificate.hide()
        self._remember = QCheckBox(remember_label())
        describe(self._remember, remember_note())
        self._remember.hide()
        kinds = QDialogButtonBox.StandardButton
        self._box = QDialogButtonBox(kinds.Cancel)
        self.done_button = self._box.addButton(
            self.tr("Done"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.done_button.setProperty("primary", True)
        self.done_button.setEnabled(False)
        self.done_button.clicked.connect(self._finish)
        self.retry_button = self._box.addButton(
            self.tr("Try again"), QDialogButtonBox.ButtonRole.ActionRole
        )
        self.retry_button.setProperty("primary", True)
        self.retry_button.clicked.connect(self.retry_wanted)
        self._box.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(theme.SPACE_M)
        notes = (self.message, self.step, self._certificate, self.seen)
        for widget in (*notes, self._remember, self._box):
            column.addWidget(widget)
        self.setMinimumWidth(_WIDTH)
        self.show_opening()

    @property
    def remembers(self) -> bool:
        """Whether the login is to be kept in the secret store."""
        return self._remember.isChecked()

    def offer_remembering(self, *, is_on: bool) -> None:
        """Ask whether to keep the login, if no other form does."""
        self._remember.setChecked(is_on)
        self._remember.show()

    def warn_of_certificate(self) -> None:
        """Warn that the browser does not use the client certificate of the crawl."""
        self._certificate.show()

    def show_opening(self) -> None:
        """Show that a browser is being started."""
        self.message.hide()
        self.step.setText(self.tr("Opening a browser window…"))
        self.seen.setText("")
        self._offer(retry=False, done=False)

    def show_opened(self) -> None:
        """Explain what to do in the browser window, which is open now."""
        self.step.setText(
            self.tr(
                "Log in to the site in the browser window that has opened, as you always do. When "
                "the site shows that you are logged in, click Done or close that window."
            )
        )
        self._leave_room()
        self._offer(retry=False, done=True)

    def show_seen(self, seen: LoginSeen) -> None:
        """Show what the site has set in the browser so far."""
        found = counted(seen.cookies, seen.stored_values)
        said = [self.tr("So far: {found}.").format(found=found)]
        if seen.asks_password:
            said.append(self.tr("The page still asks for a password."))
        self.seen.setText(sentences(said))

    def show_error(self, sentence: str) -> None:
        """Show why there is no window."""
        self._show_end("error", sentence)

    def show_nothing_taken(self) -> None:
        """Show that the browser was closed before the site had set anything."""
        self._show_end(
            "warning",
            self.tr(
                "The site has set neither a cookie nor a stored value, so nobody is logged in. Try "
                "again, and click Done when the site shows that you are logged in."
            ),
        )

    def _leave_room(self) -> None:
        """Move to where the dialog is least likely to cover the login form."""
        screen = self.screen().availableGeometry()
        self.adjustSize()
        corner = screen.bottomRight() - self.frameGeometry().bottomRight() + self.pos()
        self.move(corner - QPoint(theme.SPACE_L, theme.SPACE_L))

    def _show_end(self, kind: Kind, sentence: str) -> None:
        self.step.setText("")
        self.seen.setText("")
        self._offer(retry=True, done=False)
        self.message.show_text(kind, sentence, stays=True)

    def _offer(self, *, retry: bool, done: bool) -> None:
        """Show one of the two buttons, and enable Done or not."""
        self.step.setVisible(not retry)
        self.seen.setVisible(not retry)
        self.retry_button.setVisible(retry)
        self.done_button.setVisible(not retry)
        self.done_button.setEnabled(done)
        (self.retry_button if retry else self.done_button).setDefault(True)

    def _finish(self) -> None:
        self.done_button.setEnabled(False)
        self.step.setText(self.tr("Closing the browser…"))
        self.finished_login.emit()


def _label(text: str) -> QLabel:
    label = QLabel(text)
    label.setWordWrap(True)
    return label
