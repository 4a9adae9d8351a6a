"""The top of the Access section: which credentials are missing, the login, and its buttons."""

from collections.abc import Callable, Iterator, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gossamer.gui.look import theme
from gossamer.gui.text.login_texts import login_words
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.model.secrets import SecretNames, Secrets
from gossamer.model.translatable import enumerated


class SecretsStatus(QWidget):
    """Explains the credentials of a site. Its signals report which button was clicked."""

    login_wanted = Signal()
    form_login_wanted = Signal()
    forget_wanted = Signal()
    agent_wanted = Signal(str)
    """Carries the user agent of the login browser, which the crawl is to use."""

    def __init__(self, needs: Sequence[SecretNames]) -> None:
        """`needs` are the missing secrets."""
        super().__init__()
        explain(self, "window/login")
        self._login = QLabel()
        self._login.setObjectName("login-state")
        self._login.setWordWrap(True)
        self._login.setTextFormat(Qt.TextFormat.PlainText)
        self._agent = self._button("login-agent", self.tr("Use its user agent"), self._use_agent)
        self._agent.setToolTip(
            self.tr(
                "Some sites accept a login only from the browser in which it was made. With this "
                "button, the crawl uses the user agent of that browser."
            )
        )
        self._login_agent = ""
        buttons = QHBoxLayout()
        buttons.setSpacing(theme.SPACE_S)
        for button in self._buttons():
            buttons.addWidget(button)
        buttons.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self._note(needs))
        state = QHBoxLayout()
        state.setSpacing(theme.SPACE_S)
        state.addWidget(self._login, 1)
        state.addWidget(self._agent)
        column.addLayout(state)
        column.addLayout(buttons)
        self.show_login(Secrets())

    def show_login(self, login: Secrets) -> None:
        """Show which sites have a login, and offer the user agent of its browser."""
        agents = (each.login.user_agent for each in login.origins.values())
        self._login_agent = next(filter(None, agents), "")
        self._agent.setVisible(bool(self._login_agent))
        words = login_words(login)
        self._login.setText(words)
        self._login.setVisible(bool(words))

    def _use_agent(self) -> None:
        self._agent.hide()
        words = self.tr("The crawl will use the browser's user agent: {agent}")
        said = (self._login.text(), words.format(agent=self._login_agent))
        self._login.setText("\n".join(said))
        self.agent_wanted.emit(self._login_agent)

    def _note(self, needs: Sequence[SecretNames]) -> QLabel:
        sentences = [
            self.tr(
                "Credentials and private headers are sent only to the start URLs' servers and are "
                "never written to a project."
            )
        ]
        if needs:
            missing = spoken(enumerated([needed.said for needed in needs]))
            sentences.insert(0, self.tr("This crawl needs {what}.").format(what=missing))
        note = QLabel("\n".join(sentences))
        note.setTextFormat(Qt.TextFormat.PlainText)
        note.setWordWrap(True)
        return note

    def _buttons(self) -> Iterator[QPushButton]:
        login = self._button("log-in", self.tr("Log in…"), self.login_wanted.emit)
        login.setAccessibleDescription(
            self.tr("Opens a browser window in which you log in to the site.")
        )
        yield login
        with_form = self._button(
            "log-in-with-form", self.tr("Log in with a form…"), self.form_login_wanted.emit
        )
        with_form.setAccessibleDescription(
            self.tr("Fills in the login form of the site here, without a browser.")
        )
        yield with_form
        forget = self._button(
            "forget-secrets", self.tr("Forget credentials"), self.forget_wanted.emit
        )
        forget.setAccessibleDescription(self.tr("Removes the stored credentials for this site."))
        yield forget

    @staticmethod
    def _button(name: str, text: str, clicked: Callable[[], None]) -> QPushButton:
        button = QPushButton(text)
        button.setObjectName(name)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _checked: clicked())
        return button
