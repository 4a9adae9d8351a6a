"""What stands on top of the section of credentials: what they are, what is missing, the login."""

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.settings.login_dialog import login_words
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.secrets import SecretNames, Secrets
from gossamer.model.translatable import enumerated


class SecretsNote(QWidget):
    """Explains the credentials of a site. `login_wanted` and `forget_wanted` are its buttons."""

    login_wanted = Signal()
    forget_wanted = Signal()

    def __init__(self, needs: Sequence[SecretNames]) -> None:
        """`needs` are the secrets that are missing."""
        super().__init__()
        self._login = QLabel()
        self._login.setObjectName("login-state")
        self._login.setWordWrap(True)
        self._login.setTextFormat(Qt.TextFormat.PlainText)
        login = self._button("log-in", self.tr("Log in…"))
        login.setAccessibleDescription(
            self.tr("Opens a browser window in which you log in to the site.")
        )
        login.clicked.connect(self.login_wanted)
        forget = self._button("forget-secrets", self.tr("Forget credentials"))
        forget.setAccessibleDescription(
            self.tr("Removes the credentials for this site from the system keyring.")
        )
        forget.clicked.connect(self.forget_wanted)
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.SPACE_S)
        buttons.addWidget(login)
        buttons.addWidget(forget)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self._note(needs))
        column.addWidget(self._login)
        column.addLayout(buttons)
        self.show_login(Secrets())

    def show_login(self, login: Secrets) -> None:
        """Say for whom there is a login."""
        words = login_words(login)
        self._login.setText(words)
        self._login.setVisible(bool(words))

    def _note(self, needs: Sequence[SecretNames]) -> QLabel:
        sentences = [
            self.tr(
                "Credentials and private headers are sent only to the start URLs' servers and are "
                "never written to a file."
            )
        ]
        if needs:
            missing = spoken(enumerated([needed.said for needed in needs]))
            sentences.insert(0, self.tr("This crawl needs {what}.").format(what=missing))
        note = QLabel("\n".join(sentences))
        note.setTextFormat(Qt.TextFormat.PlainText)
        note.setWordWrap(True)
        return note

    @staticmethod
    def _button(name: str, text: str) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAutoDefault(False)
        return button
