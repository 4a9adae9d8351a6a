"""Reports a newer version to those who want to know."""

import os
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

import msgspec
from PySide6.QtCore import QObject, QUrl
from PySide6.QtGui import QDesktopServices

from gossamer.gui.actions.action_set import ActionSet, performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.runtime.gossamer_command import CommandResult, run_gossamer
from gossamer.gui.runtime.saved_ui_state import UiState
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.widgets.message_bar import MessageButton, MessageColumn
from gossamer.model.releases import releases_source
from gossamer.session.update_report import UpdateReport

_SUBJECT: Final = "updates"
_ASKED_AT_START: Final = 3
"""After this many starts, the user knows the program."""
_EVERY_S: Final = 86_400

Ask = Callable[[], Coroutine[Any, Any, CommandResult]]


def _ask() -> Coroutine[Any, Any, CommandResult]:
    return run_gossamer("updates", "--json")


class UpdateNotice(QObject):
    """Asks once whether to check for newer versions; if so, checks daily, or on request.

    If the environment names no list of releases, nothing of it is visible.
    """

    def __init__(
        self,
        actions: ActionSet,
        messages: MessageColumn,
        memory: UiState,
        tasks: WindowTasks,
        *,
        ask: Ask = _ask,
        now: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(messages)
        self._messages = messages
        self._memory = memory
        self._tasks = tasks
        self._ask = ask
        self._now = now
        self._automatic = actions[WindowAction.UPDATES_DAILY]
        self._automatic.setChecked(memory.looks_for_updates() is True)
        self._is_possible = bool(releases_source(os.environ))
        for action in (self._automatic, actions[WindowAction.UPDATES]):
            action.setVisible(self._is_possible)
        actions.connect_performer(self)

    def begin(self) -> None:
        """The program has started: ask, check, or do nothing."""
        if not self._is_possible:
            return
        starts = self._memory.count_start()
        wanted = self._memory.looks_for_updates()
        if wanted is None and starts >= _ASKED_AT_START:
            self._ask_person()
        elif wanted and not 0 <= self._now() - self._memory.looked_for_updates_at() < _EVERY_S:
            self._tasks.start("look for a newer version", self._look(on_request=False))

    @performs(WindowAction.UPDATES)
    def look_now(self) -> None:
        """Check, and report the result in any case."""
        self._messages.withdraw(_SUBJECT)
        self._tasks.start("look for a newer version", self._look(on_request=True))

    @performs(WindowAction.UPDATES_DAILY)
    def look_daily(self, wanted: bool) -> None:  # noqa: FBT001 - a signal passes it
        """Check from now on, or no more."""
        self._memory.remember_looking_for_updates(wanted=wanted)
        self._automatic.setChecked(wanted)

    def _ask_person(self) -> None:
        # Asking once is enough: closing the message means no, and the menu remains.
        self._memory.remember_looking_for_updates(wanted=False)
        said = self.tr(
            "Should Gossamer check for a newer version once a day? It sends its version number "
            "and nothing else."
        )
        yes = MessageButton(self.tr("Yes, look"), self._agree)
        no = MessageButton(self.tr("No"), lambda: None)
        self._messages.tell(_SUBJECT, "info", said, yes, no)

    def _agree(self) -> None:
        self.look_daily(True)
        self._tasks.start("look for a newer version", self._look(on_request=False))

    async def _look(self, *, on_request: bool) -> None:
        # Noted before, so that a server that is down is not requested at every start.
        self._memory.remember_looked_for_updates(self._now())
        try:
            reply = await self._ask()
            report = None if reply.code else msgspec.json.decode(reply.output, type=UpdateReport)
        except (OSError, msgspec.DecodeError):
            report = None
        if report is not None and report.is_newer:
            self._tell_newer(report)
        elif on_request:
            self._tell_nothing_new(report)

    def _tell_newer(self, report: UpdateReport) -> None:
        said = self.tr("Gossamer {latest} is available. This is {version}.").format(
            latest=report.latest, version=report.version
        )
        show = MessageButton(self.tr("Show it"), lambda: _open(report.page))
        self._messages.tell(_SUBJECT, "info", said, show)

    def _tell_nothing_new(self, report: UpdateReport | None) -> None:
        if report is None:
            said = self.tr(
                "It cannot be found out whether there is a newer version. Check the network, then "
                "try again."
            )
            self._messages.tell(_SUBJECT, "warning", said)
            return
        said = self.tr("Gossamer {version} is the latest version.").format(version=report.version)
        self._messages.tell(_SUBJECT, "finished", said)


def _open(page: str) -> None:
    QDesktopServices.openUrl(QUrl(page))
