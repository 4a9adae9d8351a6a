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
    from collections.abc import Callable, Mapping

    from gossamer.gui.notifications.notifications_dialog import NotificationsDialog
    from gossamer.gui.notifications.rule_form import RuleForm
    from gossamer.gui.notifications.rule_interfaces import ListedRule, RulePort
    from gossamer.model.translatable import Translatable

    Change = Callable[[RulePort], Translatable | None]
    """Changes rules; what the user should know of it."""


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
            dialog.add_wanted.connect(lambda: self._open_form(None))
            dialog.change_wanted.connect(self._open_form)
            dialog.switch_wanted.connect(self._switch)
            dialog.remove_wanted.connect(lambda rule: self._do(lambda port: port.remove(rule)))
            dialog.test_wanted.connect(self._test)
            dialog.retry_wanted.connect(self._retry)
            dialog.finished.connect(self._forget)
        self._do(None)
        self._dialog.show()
        self._dialog.raise_()
        self._dialog.activateWindow()

    def _do(self, change: "Change | None") -> None:
        self._tasks.start("notification rules", self._done(change))

    async def _done(self, change: "Change | None") -> None:
        """Make a change, if any, then list the rules."""
        port, project = self._new_port(), self._shown()
        remark: Translatable | None = None
        try:
            if change is not None:
                remark = await asyncio.to_thread(change, port)
            rules = await asyncio.to_thread(port.rules, project)
            messages = await asyncio.to_thread(port.messages)
        except KnownError as e:
            if self._dialog is not None:
                self._dialog.show_error(e.said)
            return
        if self._dialog is not None:
            self._dialog.show_rules(rules, messages)
            if change is not None:
                self._dialog.show_warning(remark)

    def _switch(self, listed: "ListedRule") -> None:
        is_enabled = not listed.rule.is_enabled
        self._do(lambda port: port.switch(listed, is_enabled=is_enabled))

    def _test(self, rule: "ListedRule") -> None:
        self._tasks.start("test notification", self._tested(rule))

    async def _tested(self, rule: "ListedRule") -> None:
        """Have a test message sent, and show the result."""
        if self._dialog is not None:
            self._dialog.show_waiting()
        try:
            trial = await self._new_port().test(rule)
        except KnownError as e:
            if self._dialog is not None:
                self._dialog.show_error(e.said)
        else:
            if self._dialog is not None:
                self._dialog.show_trial(trial)

    def _retry(self, number: int) -> None:
        self._tasks.start("retry notification", self._retried(number))

    async def _retried(self, number: int) -> None:
        """Have a message sent again, and report the result."""
        if self._dialog is not None:
            self._dialog.show_waiting()
        port = self._new_port()
        try:
            await asyncio.to_thread(port.retry, number)
            await port.deliver()
        except KnownError as e:
            if self._dialog is not None:
                self._dialog.show_error(e.said)
            return
        await self._done(None)
        if self._dialog is not None:
            self._dialog.show_retried(number)

    def _open_form(self, before: "ListedRule | None") -> None:
        from gossamer.gui.notifications.rule_form import RuleForm  # noqa: PLC0415 - the start does without

        if self._dialog is None:
            return
        if self._form is not None:
            self._form.reject()
        project = self._shown() if before is None else before.project
        form = self._form = RuleForm(project, before, self._dialog)
        form.requested.connect(lambda *request: self._keep(form, before, *request))
        form.finished.connect(form.deleteLater)
        form.finished.connect(self._forget_form)
        form.show()

    def _keep(
        self,
        form: "RuleForm",
        before: "ListedRule | None",
        rule: "ListedRule",
        secrets: "Mapping[str, str]",
    ) -> None:
        def keep(port: "RulePort") -> "Translatable | None":
            if before is None:
                return port.add(rule, secrets)
            return port.change(before, rule, secrets)

        self._tasks.start("keep rule", self._kept(form, rule, keep))

    async def _kept(self, form: "RuleForm", rule: "ListedRule", keep: "Change") -> None:
        try:
            remark = await asyncio.to_thread(keep, self._new_port())
        except KnownError as e:
            if form is self._form:
                form.show_error(e.said)
            return
        if form is self._form:
            form.accept()
        await self._done(None)
        if self._dialog is not None:
            self._dialog.choose(rule)
            self._dialog.show_warning(remark)

    def _shown(self) -> Path | None:
        session = self._crawl.session
        return None if session is None or self._crawl.is_demo else session.path

    def _forget(self) -> None:
        self._dialog = None

    def _forget_form(self) -> None:
        self._form = None


def _stored_rules() -> "RulePort":
    from gossamer.gui.notifications.rule_interfaces import StoredRules  # noqa: PLC0415 - the start does without

    return StoredRules()
