"""What the next crawl will be: its settings, and its secrets."""

from collections.abc import Sequence
from typing import Final

import msgspec
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from gossamer.gui.crawl import Crawl
from gossamer.gui.memory import Memory
from gossamer.gui.sessions import NO_ACCESS, Access, Session
from gossamer.gui.settings_dialog import SettingsDialog
from gossamer.gui.top_bar import TopBar
from gossamer.model.errors import UsageError
from gossamer.model.secrets import SecretNames
from gossamer.model.settings import CrawlSettings, for_another_crawl
from gossamer.urls.parse import origin, parse_root

_NO_ORIGINS: Final[frozenset[str]] = frozenset()
"""Where secrets wait that were typed without an address."""


class NextCrawl(QObject):
    """Kept by the window while it lives.

    `chosen` carries the Access that was accepted in the dialog; `changed` the settings before and
    after, if they differ, and how the dialog calls them, by name. Secrets stay with the
    origins of the address they were typed for; typed without an address, with those of the next
    that is crawled. Of them nothing is remembered here. `forgetting` carries the origins of which
    the keyring is to forget what it has; `forgot` is to tell what became of that. `language_wanted`
    carries another language for the window.
    """

    chosen = Signal(object)
    changed = Signal(object, object, object)
    forgetting = Signal(object)
    forgot = Signal(str)
    language_wanted = Signal(str)

    def __init__(self, memory: Memory, top_bar: TopBar) -> None:
        super().__init__(top_bar)
        self._memory = memory
        self._top_bar = top_bar
        self._settings = memory.settings()
        self._access: dict[frozenset[str], Access] = {}

    def settings(self) -> CrawlSettings:
        """The settings, with the numbers of the top bar and without roots."""
        return msgspec.structs.replace(
            self._settings,
            workers=self._top_bar.workers.value(),
            max_redirects=self._top_bar.redirects.value(),
        )

    def adopt(self, settings: CrawlSettings) -> None:
        """Show `settings` and use them, but for roots and needs, for the next crawl."""
        self._settings = msgspec.structs.replace(for_another_crawl(settings), roots=())
        self._top_bar.show_numbers(settings.workers, settings.max_redirects)

    def remember(self) -> None:
        """Keep the settings for the next start of the program."""
        self._memory.remember_settings(self.settings())

    def access(self, roots: Sequence[str]) -> Access:
        """The secrets for a crawl of `roots`: those typed for just these origins."""
        if not self._access:  # a list has many roots
            return NO_ACCESS
        unbound = self._access.pop(_NO_ORIGINS, None)
        if unbound is not None:
            self._access[_origins(roots)] = unbound
        return self._access.get(_origins(roots), NO_ACCESS)

    def edit(self, parent: QWidget, roots: Sequence[str], session: Session | None) -> None:
        """Let the person change it. `roots` stand in the address field."""
        needs = () if session is None else session.missing_secrets
        unbound = self._access.get(_NO_ORIGINS, NO_ACCESS)
        access = self._access.get(_origins(roots), unbound)
        before = self.settings()
        dialog = SettingsDialog(
            before, parent, access=access, needs=needs, spoken_now=self._memory.language()
        )
        dialog.language_wanted.connect(self.language_wanted)
        dialog.chosen.connect(lambda settings: self._choose(settings, dialog.access, roots))
        dialog.chosen.connect(lambda after: self._compare(before, after, dialog))
        dialog.forget_wanted.connect(lambda: self._forget(dialog, roots, needs))
        self.forgot.connect(dialog.tell)
        dialog.show()

    def forget_through(self, crawl: Crawl) -> None:
        """Have `crawl` do what `forgetting` asks for."""
        self.forgetting.connect(crawl.forget)
        crawl.forgot.connect(self.forgot)

    def _forget(
        self, dialog: SettingsDialog, roots: Sequence[str], needs: Sequence[SecretNames]
    ) -> None:
        origins = _origins(roots) | {names.origin for names in needs}
        if origins:
            self.forgetting.emit(sorted(origins))
        else:
            dialog.tell(self.tr("Type the address of the site first: secrets are kept by site."))

    def _compare(self, before: CrawlSettings, after: CrawlSettings, dialog: SettingsDialog) -> None:
        if before != after:
            labels = {row.field.name: row.field.label for row in dialog.page.rows}
            self.changed.emit(before, after, labels)

    def _choose(self, settings: CrawlSettings, access: Access, roots: Sequence[str]) -> None:
        self._access.pop(_NO_ORIGINS, None)
        self._access[_origins(roots)] = access
        self.chosen.emit(access)
        self.adopt(settings)
        self._memory.remember_settings(settings)


def _origins(roots: Sequence[str]) -> frozenset[str]:
    """The origins of addresses as typed; what is no address has none."""
    found = set()
    for root in roots:
        try:
            found.add(origin(parse_root(root)))
        except UsageError:
            continue
    return frozenset(found)
