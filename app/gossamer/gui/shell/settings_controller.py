"""Opens the settings dialog and applies what is chosen in it."""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QObject, Qt, Signal

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.crawl.next_crawl import NextCrawl, is_for, origins_of
from gossamer.gui.crawl.session_interfaces import SessionPort, TypedCredentials
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.setting_commands import SettingCommands
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.gui.start.start_settings import elsewhere_words
from gossamer.gui.tables.query_table import QueryTable
from gossamer.gui.text.translated_sentences import listed, setting_labels, spoken
from gossamer.gui.widgets.message_bar import MessageButton
from gossamer.model.cluster_address import parse_cluster
from gossamer.model.errors import KnownError, UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import NO_SECRETS, NOTHING_SECRET, OriginSecrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.setting_declaration import Section
from gossamer.render.browser_discovery import BrowserProgram
from gossamer.render.browser_installation import version_of
from gossamer.session.live_settings import changes_between, with_changes

if TYPE_CHECKING:
    from gossamer.gui.custom_definitions.trial_dialog import TrialDialog
    from gossamer.gui.settings.browser_status import BrowserStatus
    from gossamer.gui.settings.settings_dialog import SettingsDialog, SettingsDialogSubject

MESSAGE = "settings"
"""The subject of messages on changed settings: of one crawl, so it goes with it."""


_ELSEWHERE = "elsewhere"


class SettingsController(QObject):
    """Opens the dialog for the defaults, the next crawl, or the current crawl.

    `roots` returns the typed ones: secrets for the next crawl are for their origins, those for the
    current crawl for the origins of its own. `language_wanted` carries another language for the
    window, `login_wanted` and `form_login_wanted` the dialog that needs a login.
    """

    language_wanted = Signal(str)
    login_wanted = Signal(object)
    form_login_wanted = Signal(object)
    browser_installed = Signal()

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        memory: UiState,
        next_crawl: NextCrawl,
        roots: Callable[[], Sequence[str]],
        tasks: WindowTasks,
    ) -> None:
        super().__init__(parts.window)
        parts.workspace.table.issues_area.when_made(
            lambda issues: issues.threshold_wanted.connect(self.edit_threshold)
        )
        self._parts = parts
        self._crawl = crawl
        self._memory = memory
        self._next = next_crawl
        self._roots = roots
        self._tasks = tasks
        crawl.changed.connect(self._tell_changed)
        crawl.opened.connect(self._tell_elsewhere)
        bar = parts.top_bar
        for signal in (crawl.opened, bar.subject_changed):
            signal.connect(self._show_choices)
        next_crawl.changed.connect(self._show_next_choices)
        self._show_choices()  # a window in another language has its crawl already
        bar.render_pages.clicked.connect(self._take_rendering)
        bar.where.chosen.connect(self._take_where)
        parts.command_bar.offer(SettingCommands(self, self.edit_setting).commands)

    def _show_next_choices(self) -> None:
        """Show those of the next crawl; what is chosen to begin the one shown again stays."""
        if self._crawl.session is None or self._parts.top_bar.is_edited:
            self._show_choices()

    def _show_choices(self) -> None:
        """Show in the bar whether, and where, crawls started there render and fetch pages."""
        bar, session = self._parts.top_bar, self._crawl.session
        is_new = session is None or bar.is_edited
        settings = self._next.settings if is_new or session is None else session.settings
        bar.render_pages.setChecked(settings.renders_pages)
        bar.where.show_address(settings.cluster)

    def _take_where(self, address: str) -> None:
        """Have another crawl fetch there; the one shown does so once it continues."""
        try:
            if address:
                parse_cluster(address)
        except UsageError as e:
            self._parts.refuse(spoken(e.said))
            self._show_choices()
            return
        if self._crawl.session is None or self._parts.top_bar.is_edited:
            self._next.set(cluster=address)
        else:
            self._crawl.change({"cluster": address})

    def _take_rendering(self, is_wanted: bool) -> None:  # noqa: FBT001 - a signal's argument
        """Have another crawl begin so; the one shown uses the bar if it begins again."""
        if self._parts.top_bar.is_edited:
            self._next.set(render=self._next.settings.with_rendering(is_wanted=is_wanted))

    @performs(WindowAction.SETTINGS)
    def edit(self) -> None:
        """Open the settings of what is visible: the crawl, or the next one.

        That is on the start page, and while another address is typed.
        """
        session = self._crawl.session
        if session is None or self._parts.top_bar.is_edited:
            self._edit_next()
        else:
            self._edit_crawl(session)

    def edit_access(self) -> None:
        """Open the settings of the next crawl at passwords and cookies."""
        dialog = self._edit_next()
        if dialog is not None:
            dialog.show_section("access")

    def edit_rendering(self) -> None:
        """Open the settings of what is visible at the section on rendering."""
        self.edit()
        dialog = self._open_dialog()
        if dialog is not None:
            dialog.show_section(Section.RENDERING.value)

    def edit_setting(self, name: str) -> None:
        """Open the settings of what is visible at one of them, or at a secret."""
        self.edit()
        dialog = self._open_dialog()
        if dialog is not None:
            dialog.show_setting(name)

    def edit_threshold(self, name: str) -> None:
        """Open the settings of the crawl at a threshold of its audit."""
        session = self._crawl.session
        if session is not None:
            self._edit_crawl(session)
            dialog = self._open_dialog()
            if dialog is not None:
                dialog.show_setting(name)

    @performs(WindowAction.DEFAULT_SETTINGS)
    def edit_defaults(self) -> None:
        """Open the defaults."""
        from gossamer.gui.settings.settings_dialog import SettingsDialogSubject, SettingsTarget  # noqa: PLC0415 - the start does without

        dialog = self._opened(self._next.defaults, SettingsDialogSubject(SettingsTarget.DEFAULTS))
        if dialog is not None:
            dialog.chosen.connect(self._save_defaults)

    def _edit_next(self) -> "SettingsDialog | None":
        from gossamer.gui.settings.settings_dialog import SettingsDialogSubject, SettingsTarget  # noqa: PLC0415 - the start does without

        roots = tuple(self._roots())
        access = self._next.access.shown(roots)
        about = SettingsDialogSubject(
            SettingsTarget.NEXT, defaults=self._next.defaults, roots=roots, access=access
        )
        dialog = self._opened(self._next.settings, about)
        if dialog is not None:
            dialog.chosen.connect(lambda after: self._take(after, dialog.access, roots))
            dialog.forget_wanted.connect(lambda: self._forget(dialog))
        return dialog

    def _edit_crawl(self, session: SessionPort) -> None:
        from gossamer.gui.settings.settings_dialog import SettingsDialogSubject, SettingsTarget  # noqa: PLC0415 - the start does without

        roots = session.settings.roots  # another address may be typed in the bar
        # The number in the bar may be in transit.
        before = _with_workers(session.settings, self._parts.top_bar.workers.value())

        def wanted(after: CrawlSettings) -> dict[str, object]:
            return changes_between(before, after, session.settings)

        def change(after: CrawlSettings) -> None:
            self._next.access.take_of_crawl(dialog.access, roots)
            self._crawl.give(dialog.access)
            if self._crawl.session is session:
                self._crawl.change(wanted(after))

        about = SettingsDialogSubject(
            SettingsTarget.CRAWL,
            defaults=self._next.defaults,
            check=lambda after: with_changes(session.settings, wanted(after)),
            roots=roots,
            access=self._next.access.of_crawl(roots),
            needs=session.missing_secrets,
        )
        opened = self._opened(before, about)
        if opened is not None:
            dialog = opened
            dialog.chosen.connect(change)
            dialog.forget_wanted.connect(lambda: self._forget(dialog))
            self._crawl.opened.connect(dialog.reject)

    def _opened(
        self, settings: CrawlSettings, about: "SettingsDialogSubject"
    ) -> "SettingsDialog | None":
        """A new dialog; None if one is open already, which comes to the front."""
        from gossamer.gui.settings.segment_editor import SegmentEditor  # noqa: PLC0415 - the start does without
        from gossamer.gui.settings.settings_dialog import SettingsDialog  # noqa: PLC0415 - the start does without

        window = self._parts.window
        open_now = self._open_dialog()
        if open_now is not None:
            if open_now.about.subject is about.subject:
                open_now.activateWindow()
                return None
            open_now.reject()
        dialog = SettingsDialog(
            settings,
            window,
            about=about,
            profiles=self._next.profiles,
            spoken_now=self._memory.language(),
        )
        dialog.language_wanted.connect(self.language_wanted)
        dialog.trial_wanted.connect(lambda: self._offer_trial(dialog))
        self._tell_versions(dialog)
        dialog.login_wanted.connect(lambda: self.login_wanted.emit(dialog))
        dialog.form_login_wanted.connect(lambda: self.form_login_wanted.emit(dialog))
        if self._crawl.session is not None:
            for editor in dialog.findChildren(SegmentEditor):
                editor.offer_counts(self._count_segments)
        dialog.profiles.kept.connect(self._next.read_defaults)
        self._crawl.forgot.connect(dialog.show_message)
        dialog.show()
        return dialog

    def _tell_versions(self, dialog: "SettingsDialog") -> None:
        """Find out the version of the browser that renders, while the dialog is open."""
        tasks, note = self._tasks.branch(), dialog.browser_status
        note.version_wanted.connect(
            lambda program: tasks.start("browser version", _tell_version(note, program))
        )
        note.installed.connect(self.browser_installed)
        dialog.finished.connect(lambda _: tasks.cancel_all())

    def _open_dialog(self) -> "SettingsDialog | None":
        """The dialog that is open now."""
        from gossamer.gui.settings.settings_dialog import SettingsDialog  # noqa: PLC0415 - the start does without

        found = self._parts.window.findChildren(SettingsDialog)
        return next((each for each in found if each.isVisible()), None)

    def _count_segments(
        self, texts: Sequence[str], show: Callable[[Mapping[str, int]], None]
    ) -> None:
        """Count the URLs that these segments would have in the crawl shown."""
        self._parts.reader.submit(
            lambda rows: rows.count_segments(texts), show, key="proposed segments", background=True
        )

    def _offer_trial(self, dialog: "SettingsDialog") -> None:
        """Try the custom definitions in the form on a page.

        That is the one selected in the table, else the root, unless another is typed.
        """
        try:
            settings, access = dialog.read_with_secrets()
        except UsageError as e:
            dialog.message.show_text("error", spoken(e.said))
            return
        from gossamer.gui.custom_definitions.trial_dialog import TrialDialog  # noqa: PLC0415 - the start does without

        chosen = selected_page(self._parts.workspace.table.view)
        roots = dialog.about.roots
        url = next(iter((*chosen, *(roots or self._roots()))), "")
        trial = TrialDialog(settings.definitions, url, dialog)
        trial.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        tasks = self._tasks.branch()

        def start(typed: str) -> None:
            secrets = access.secrets if is_for(typed, roots) else NOTHING_SECRET
            tasks.start("trial", _tried(trial, settings, secrets, typed))

        trial.wanted.connect(start)
        trial.finished.connect(lambda _: tasks.cancel_all())
        trial.open()

    def _take(
        self, settings: CrawlSettings, access: TypedCredentials, roots: Sequence[str]
    ) -> None:
        self._next.access.take(access, roots)
        self._next.take(settings)

    def _save_defaults(self, settings: CrawlSettings) -> None:
        try:
            self._next.profiles.save_defaults(settings)
        except KnownError as e:
            self._parts.refuse(spoken(e.said))
            return
        was_plain = not self._next.differences()
        self._next.read_defaults()
        if was_plain:
            self._next.begin_anew()

    def _forget(self, dialog: "SettingsDialog") -> None:
        about = dialog.about
        origins = origins_of(about.roots) | {names.origin for names in about.needs}
        if origins:
            self._crawl.forget(sorted(origins))
        else:
            dialog.show_message(
                self.tr("Enter the site's URL first: credentials are stored per site.")
            )
        dialog.take_login(NO_SECRETS)

    def _tell_elsewhere(self, session: SessionPort | None) -> None:
        """Report if a crawl that begins gets none of the typed passwords and cookies."""
        sentence = ""
        if session is not None and self._crawl.began_here:
            sentence = elsewhere_words(self._next.access, session.settings.roots)
        if sentence:
            again = MessageButton(self.tr("Enter them again"), self.edit)
            self._parts.messages.tell(_ELSEWHERE, "info", sentence, again)
        else:
            self._parts.messages.withdraw(_ELSEWHERE)

    def _tell_changed(self, names: Sequence[str]) -> None:
        """The crawl shown continues with other settings."""
        session = self._crawl.session
        if session is None:
            return
        settings = session.settings
        self._parts.top_bar.show_numbers(settings.workers, settings.max_redirects)
        self._show_choices()
        shown = listed(setting_labels(names))
        sentence = self.tr("Changed for this crawl: {settings}.").format(settings=shown)
        self._parts.messages.tell(MESSAGE, "info", sentence)


def selected_page(table: QueryTable) -> list[str]:
    """The address of the page that the selected row of a table leads to, if it is one."""
    record = table.rows.record(table.currentIndex().row()) if table.selected_count() else None
    kind = table.rows.kind
    found = None if record is None else kind.outcome(record)
    is_page = found is not None and found.outcome is Outcome.PAGE
    return [kind.address(record)] if is_page else []


async def _tried(
    trial: "TrialDialog", settings: CrawlSettings, access: OriginSecrets, url: str
) -> None:
    from gossamer.session.page_inspection import try_definitions  # noqa: PLC0415 - few try any

    try:
        result = await try_definitions(settings, access, url)
    except KnownError as e:
        trial.show_error(spoken(e.said))
    else:
        trial.show_result(result)


async def _tell_version(note: "BrowserStatus", program: BrowserProgram) -> None:
    note.show_version(program, await asyncio.to_thread(version_of, program))


def _with_workers(settings: CrawlSettings, workers: int) -> CrawlSettings:
    return replace(settings, workers=workers)
