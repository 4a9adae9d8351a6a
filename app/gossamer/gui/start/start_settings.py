"""Shows the limits, profile and unusual settings of the next crawl on the start page."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from PySide6.QtCore import QCoreApplication, QObject

from gossamer.gui.crawl.next_crawl import NextCrawl, TypedCredentialStore
from gossamer.gui.settings.profile_menu import built_in_titles
from gossamer.gui.start.start_page import StartPage
from gossamer.gui.text.login_texts import login_words
from gossamer.gui.text.translated_sentences import (
    host_of,
    listed,
    sentences,
    setting_labels,
    spoken,
)
from gossamer.model.errors import KnownError
from gossamer.model.secrets import NO_SECRETS

_MOST_NAMES: Final = 5


def elsewhere_words(access: TypedCredentialStore, roots: Sequence[str]) -> str:
    """That passwords and cookies typed for another site are not sent to that of `roots`, or ""."""
    origins = access.elsewhere(roots)
    if not origins:
        return ""
    words = QCoreApplication.translate(
        "StartSettings", "The credentials you entered are for {sites} and are not sent to {host}."
    )
    return words.format(sites=listed(origins), host=host_of(roots[0]))


class StartSettings(QObject):
    """Shows `next_crawl` on `page`, and applies changes made there to it.

    `roots` returns the typed ones; `type_again` opens the settings at passwords and cookies.
    """

    def __init__(
        self,
        page: StartPage,
        next_crawl: NextCrawl,
        roots: Callable[[], Sequence[str]],
        type_again: Callable[[], None],
    ) -> None:
        super().__init__(page)
        self._page = page
        self._next = next_crawl
        self._roots = roots
        next_crawl.changed.connect(self.show)
        page.workers.valueChanged.connect(self._take_workers)
        page.redirects.valueChanged.connect(self._take_redirects)
        page.render_pages.clicked.connect(self._take_render)
        page.keep_pages.clicked.connect(lambda is_wanted: next_crawl.set(archive=is_wanted))
        page.where.chosen.connect(lambda address: next_crawl.set(cluster=address))
        page.profile.activated.connect(self._choose)
        page.differs.pressed.connect(next_crawl.reset)
        page.elsewhere.pressed.connect(type_again)
        page.login.pressed.connect(self._forget_login)
        page.url_field.editTextChanged.connect(self.show_access)
        self.show()

    def show(self) -> None:
        """Show what the next crawl begins with."""
        page, settings = self._page, self._next.settings
        for spin, value in (
            (page.workers, settings.workers),
            (page.redirects, settings.max_redirects),
        ):
            spin.blockSignals(True)  # nobody has asked for it
            spin.setValue(value)
            spin.blockSignals(False)
        page.render_pages.setChecked(settings.renders_pages)
        page.keep_pages.setChecked(settings.archive)
        page.where.show_address(settings.cluster)
        self._show_profiles()
        page.differs.say(self._words())
        self.show_access()

    def show_access(self) -> None:
        """Show whether there is a login to the typed site, or passwords for another one."""
        access, roots = self._next.access, self._roots()
        self._page.login.say(login_words(access.shown(roots).login))
        self._page.elsewhere.say(elsewhere_words(access, roots))

    def _forget_login(self) -> None:
        roots = self._roots()
        access = self._next.access.shown(roots)
        self._next.take_access(replace(access, login=NO_SECRETS), roots)

    def _words(self) -> str:
        names = self._next.differences()
        said = [] if self._next.trouble is None else [spoken(self._next.trouble)]
        if names:
            shown = setting_labels(names[:_MOST_NAMES])
            if rest := len(names) - len(shown):
                shown.append(self.tr("%Ln more", "", rest))
            text = self.tr("%Ln setting(s) differ from the defaults: {names}.", "", len(names))
            said.append(text.format(names=listed(shown)))
        if self._next.project:
            said.append(self.tr("From project {project}.").format(project=self._next.project))
        return sentences(said)

    def _show_profiles(self) -> None:
        box = self._page.profile
        box.blockSignals(True)
        box.clear()
        box.addItem(self.tr("None"), "")
        for name, title in self._titles().items():
            box.addItem(title, name)
        box.setCurrentIndex(max(0, box.findData(self._next.profile)))
        box.blockSignals(False)

    def _titles(self) -> dict[str, str]:
        try:
            own = self._next.profiles.names()
        except KnownError:
            own = []
        return built_in_titles() | {name: name for name in own}

    def _choose(self) -> None:
        try:
            self._next.choose(self._page.profile.currentData())
        except KnownError as e:
            self._page.message.show_text("error", spoken(e.said))
            self.show()

    def _take_workers(self, value: int) -> None:
        self._next.set(workers=value)

    def _take_redirects(self, value: int) -> None:
        self._next.set(max_redirects=value)

    def _take_render(self, is_wanted: bool) -> None:  # noqa: FBT001 - a signal's argument
        self._next.set(render=self._next.settings.with_rendering(is_wanted=is_wanted))
