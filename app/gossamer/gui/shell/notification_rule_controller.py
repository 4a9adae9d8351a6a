"""Shows the notification rules and messages, and changes them on a thread."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from gossamer.gui.actions.action_set import performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.crawl.crawl_controller import CrawlController
from gossamer.gui.runtime.window_tasks import WindowTasks
from gossamer.gui.shell.window_layout import WindowParts
from gossamer.model.errors import KnownError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from gossamer.gui.notifications.notifications_dialog import NotificationsDialog
    from gossamer.gui.notifications.rule_form import RuleForm
    from gossamer.gui.notifications.rule_port import ListedRule, RulePort


class NotificationRuleController(QObject):
    """Has at most one dialog of notifications, and at most one form."""

    def __init__(
        self,
        parts: WindowParts,
        crawl: CrawlController,
        tasks: WindowTasks,
        port: "Callable[[], RulePort] | None" = None,
    ) -> None:
        super().__init__(parts.window)
        self._parts = parts
        self._crawl = crawl
        self._tasks = tasks
        self._new_port = port or _stored_rules
        self._dialog: NotificationsDialog | None = None
        self._form: RuleForm | None = None

    @performs(WindowAction.NOTIFICATIONS)
    def show(self) -> None:
        """Show the rules, or bring their dialog to the front."""
        if self._dialog is None:
            from gossamer.gui.notifications.notifications_dialog import NotificationsDialog  # noqa: PLC0415 - the start does without

            dialog = self._dialog = NotificationsDialog(self._parts.window)
            dialog.add_wanted.connect(self._open_form)
            dialog.remove_wanted.connect(lambda rule: self._do(lambda port: port.remove(rule)))
            dialog.test_wanted.connect(self._test)
            dialog.retry_wanted.connect(self._retry)
            dialog.finished.connect(self._forget)
        self._do(None)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def _do(self, change: "Callable[[RulePort], None] | None") -> None:
        self._tasks.start("notification rules", self._done(change))

    async def _done(self, change: "Callable[[RulePort], None] | None") -> None:
        """Change something, if anything, then list what there is."""
        port, project = self._new_port(), self._shown()
        try:
            if change is not None:
                await asyncio.to_thread(change, port)
            rules = await asyncio.to_thread(port.rules, project)
            messages = await asyncio.to_thread(port.messages)
        except KnownError as e:
            if self._dialog is not None:
                self._dialog.show_error(e.said)
        else:
            if self._dialog is not None:
                self._dialog.show_rules(rules, messages)

    def _test(self, rule: "ListedRule") -> None:
        self._tasks.start("test notification", self._sent(lambda port: port.test(rule)))

    def _retry(self, number: int) -> None:
        async def again(port: "RulePort") -> str:
            await asyncio.to_thread(port.retry, number)
            return await port.deliver()

        self._tasks.start("retry notification", self._sent(again))

    async def _sent(self, work: "Callable[[RulePort], Awaitable[str]]") -> None:
        """Have something sent, and say what came of it."""
        if self._dialog is not None:
            self._dialog.show_waiting()
        try:
            told = await work(self._new_port())
        except KnownError as e:
            if self._dialog is not None:
                self._dialog.show_error(e.said)
            return
        await self._done(None)
        if self._dialog is not None:
            self._dialog.tell(told)

    def _open_form(self) -> None:
        from gossamer.gui.notifications.rule_form import RuleForm  # noqa: PLC0415 - the start does without

        if self._dialog is None:
            return
        if self._form is not None:
            self._form.reject()
        form = self._form = RuleForm(self._shown(), self._dialog)
        form.wished.connect(lambda *wish: self._keep(form, *wish))
        form.finished.connect(form.deleteLater)
        form.finished.connect(self._forget_form)
        form.show()

    def _keep(self, form: "RuleForm", rule: "ListedRule", secrets: "Mapping[str, str]") -> None:
        self._tasks.start("keep rule", self._kept(form, rule, secrets))

    async def _kept(
        self, form: "RuleForm", rule: "ListedRule", secrets: "Mapping[str, str]"
    ) -> None:
        try:
            await asyncio.to_thread(self._new_port().add, rule, secrets)
        except KnownError as e:
            if form is self._form:
                form.show_error(e.said)
            return
        if form is self._form:
            form.accept()
        await self._done(None)
        if self._dialog is not None:
            self._dialog.choose(rule)

    def _shown(self) -> Path | None:
        session = self._crawl.session
        return None if session is None or self._crawl.is_demo else session.path

    def _forget(self) -> None:
        self._dialog = None

    def _forget_form(self) -> None:
        self._form = None


def _stored_rules() -> "RulePort":
    from gossamer.gui.notifications.rule_port import StoredRules  # noqa: PLC0415 - the start does without

    return StoredRules()
