"""Opens browser windows to log in: for the settings dialog, and when a login has expired."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.next_crawl import NextCrawl, origins_of
from gossamer.gui.crawl.session_interfaces import TypedCredentials
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.text.login_texts import login_words
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.secrets import Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_secrets import split_off_secrets

if TYPE_CHECKING:
    from gossamer.gui.crawl.session_interfaces import LoginPort
    from gossamer.gui.settings.login_dialog import LoginDialog
    from gossamer.gui.settings.settings_dialog import SettingsDialog


class LoginController(QObject):
    """Has a user log in, and hands on what the browser receives.

    `roots` returns the typed start URLs. `given_up` says that nobody has logged in again.
    """

    given_up = Signal()

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        next_crawl: NextCrawl,
        roots: Callable[[], Sequence[str]],
        tasks: WindowTasks,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._next = next_crawl
        self._roots = roots
        self._tasks = tasks

    @performs(WindowAction.LOG_IN)
    def log_in_to_site(self) -> None:
        """Have the user log in to the typed site, else to that of the crawl shown."""
        session, roots = self._crawl.session, self._sites()
        if not roots:
            self._parts.refuse(self.tr("Enter the site's URL first: a login is for one site."))
            return
        access = self._next.access.shown(roots)
        settings = replace(
            self._next.settings if session is None else session.settings, roots=roots
        )

        def take(login: Secrets) -> None:
            given = TypedCredentials(access.secrets, login_dialog.remembers, login)
            self._next.take_access(given, roots)
            is_shown = session is not None and origins_of(session.settings.roots) == origins_of(
                roots
            )
            if is_shown and self._crawl.session is session:
                self._crawl.give(given)
            if session is not None:
                words = login_words(login)
                if is_shown and session.progress.fetched:
                    late = self.tr("URLs that were requested before are not requested again.")
                    words = f"{words} {late}"
                self._parts.messages.tell("login", "info", words)

        try:
            login_dialog = self._open(
                self._parts.window,
                lambda: self._new_login(settings, access),
                take,
                has_certificate=access.secrets.certificate is not None,
            )
        except UsageError as e:
            self._parts.refuse(spoken(e.said))
            return
        login_dialog.offer_remembering(is_on=access.remember)

    def log_in(self, dialog: "SettingsDialog") -> None:
        """Have the user log in to the typed site, for the settings in a dialog."""
        subject = self._subject(dialog)
        if subject is not None:
            settings, secrets = subject
            self._open(
                dialog,
                lambda: self._crawl.new_login(settings, secrets),
                dialog.take_login,
                has_certificate=any(each.certificate for each in secrets.origins.values()),
            )

    def log_in_with_form(self, dialog: "SettingsDialog") -> None:
        """Have the user fill in the login form of the site, for the settings in a dialog."""
        from gossamer.gui.settings.form_login_dialog import FormLoginDialog  # noqa: PLC0415 - the start does without
        from gossamer.gui.shell.form_login_conversation import FormLoginConversation  # noqa: PLC0415 - likewise

        subject = self._subject(dialog)
        if subject is None:
            return
        settings, secrets = subject
        form = dialog.login_form
        login_dialog = FormLoginDialog(settings.roots[0] if form is None else form.page, dialog)
        login_dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        login = self._crawl.new_form_login(settings, secrets)
        tasks = self._tasks.branch()
        tasks.start(
            "log in with form", FormLoginConversation(login, login_dialog, dialog.take_login).run()
        )
        login_dialog.finished.connect(lambda _: tasks.cancel_all())
        login_dialog.open()

    def _subject(self, dialog: "SettingsDialog") -> tuple[CrawlSettings, Secrets] | None:
        """The crawl to log in for, and its secrets; None if the dialog says why not."""
        try:
            settings, access = dialog.read_with_secrets()
            roots = dialog.about.roots or self._sites()
            if not roots:
                dialog.show_message(self.tr("Enter the site's URL first: a login is for one site."))
                return None
            wanted = replace(settings, roots=roots, login_form=None)
            return split_off_secrets(wanted, access.secrets)
        except UsageError as e:
            dialog.message.show_text("error", spoken(e.said))
            return None

    def log_in_again(self, url: str) -> None:
        """Have the user log in on the page that required it; then the crawl continues."""
        session = self._crawl.session
        if session is None:
            return
        settings, access = session.settings, self._next.access.of_crawl(session.settings.roots)

        def take(login: Secrets) -> None:
            given = TypedCredentials(access.secrets, login_dialog.remembers, login)
            self._next.access.take_of_crawl(given, settings.roots)
            self._crawl.go_on_with_login(given)

        login_dialog = self._open(
            self._parts.window,
            lambda: self._new_login(settings, access, url),
            take,
            has_certificate=access.secrets.certificate is not None,
        )
        login_dialog.offer_remembering(is_on=access.remember)
        login_dialog.rejected.connect(self.given_up)

    def _sites(self) -> tuple[str, ...]:
        """The typed start URLs, else those of the crawl shown."""
        session = self._crawl.session
        return tuple(self._roots()) or (() if session is None else session.settings.roots)

    def _new_login(
        self, settings: CrawlSettings, access: TypedCredentials, url: str = ""
    ) -> "LoginPort":
        settings, secrets = split_off_secrets(settings, access.secrets)
        return self._crawl.new_login(settings, secrets, url)

    def _open(
        self,
        parent: QWidget,
        new: Callable[[], "LoginPort"],
        take: Callable[[Secrets], None],
        *,
        has_certificate: bool,
    ) -> "LoginDialog":
        """Show a browser and the dialog next to it, as often as the user tries again."""
        from gossamer.gui.settings.login_dialog import LoginDialog  # noqa: PLC0415 - the start does without

        login_dialog = LoginDialog(parent)
        login_dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        if has_certificate:
            login_dialog.warn_of_certificate()
        tasks = self._tasks.branch()

        running: LoginPort | None = None

        def start() -> None:
            nonlocal running
            running = new()
            login_dialog.show_opening()
            tasks.start("log in", _logged_in(running, login_dialog, take))

        def finish() -> None:
            if running is not None:
                running.finish()

        login_dialog.finished_login.connect(finish)
        login_dialog.retry_wanted.connect(start)
        login_dialog.finished.connect(lambda _: tasks.cancel_all())
        start()
        login_dialog.open()
        return login_dialog


async def _logged_in(
    login: "LoginPort", login_dialog: "LoginDialog", take: Callable[[Secrets], None]
) -> None:
    """Run a login, and hand on what the browser receives."""
    try:
        found = await login.run(login_dialog.show_opened, login_dialog.show_seen)
    except KnownError as e:
        login_dialog.show_error(spoken(e.said))
        return
    if found:
        take(found)
        login_dialog.accept()
    else:
        login_dialog.show_nothing_taken()
