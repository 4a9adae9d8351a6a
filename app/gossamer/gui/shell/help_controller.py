"""Handles the menu Help: pages of the help, and the About dialog."""

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget

from gossamer.gui.actions.action_set import ActionSet, performs
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.widgets.help_context import START, page_for


class HelpController(QObject):
    """Opens pages in the help window of `window`."""

    def __init__(self, window: QMainWindow, actions: ActionSet) -> None:
        super().__init__(window)
        self._window = window
        self._action = actions[WindowAction.HELP]
        actions.connect_performer(self)
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._reach)

    def _reach(self, _old: QWidget | None, new: QWidget | None) -> None:
        """Make F1 work in a modal dialog, too, which would keep it from the window."""
        dialog = None if new is None else new.window()
        if dialog is not None and dialog.isModal() and self._action not in dialog.actions():
            dialog.addAction(self._action)

    def open_page(self, name: str) -> None:
        """Open the page with this id."""
        from gossamer.gui.help.help_window import open_help  # noqa: PLC0415 - the start does without

        open_help(QApplication.activeModalWidget() or self._window, name)

    @performs(WindowAction.HELP)
    def _explain_focus(self) -> None:
        self.open_page(page_for(QApplication.focusWidget()))

    @performs(WindowAction.DOCUMENTATION)
    def _open_documentation(self) -> None:
        self.open_page("index")

    @performs(WindowAction.TUTORIAL)
    def _open_tutorial(self) -> None:
        self.open_page("tutorial")

    @performs(WindowAction.SHORTCUTS)
    def _open_shortcuts(self) -> None:
        from gossamer.gui.help.shortcuts_dialog import show_shortcuts  # noqa: PLC0415 - likewise

        show_shortcuts(self._window)

    @performs(WindowAction.WHATS_NEW)
    def _open_changelog(self) -> None:
        self.open_page("changelog")

    @performs(WindowAction.ABOUT)
    def _show_about(self) -> None:
        from gossamer.gui.help.about_dialog import show_about  # noqa: PLC0415 - likewise

        show_about(self._window).help_wanted.connect(lambda: self.open_page(START))
