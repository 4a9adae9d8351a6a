"""The place of the issues in the Issues tab. They are made when they are first shown."""

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gossamer.audit.site_rule import SiteRule
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.widgets.labels import name_inner

if TYPE_CHECKING:
    from collections.abc import Callable

    from gossamer.gui.issues.issues_pane import IssuesPane


class IssuesArea(QWidget):
    """Makes an IssuesPane when it is shown, or asked for: it has a seventh of all widgets.

    What depends on it is connected with `when_made`, so that it does not make it; two of its
    signals are here as well.
    """

    rule_chosen = Signal(object)
    urls_wanted = Signal()

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._is_auditing = False
        self._pane: IssuesPane | None = None
        self._waiting: list[Callable[[IssuesPane], object]] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)

    @property
    def pane(self) -> "IssuesPane":
        """The issues, made if they are not there yet."""
        if self._pane is None:
            from gossamer.gui.issues.issues_pane import IssuesPane  # noqa: PLC0415 - see above

            self._pane = IssuesPane(self._counts)
            self._pane.set_auditing(running=self._is_auditing)
            self._column.addWidget(self._pane)
            self._pane.rule_chosen.connect(self.rule_chosen)
            self._pane.urls_wanted.connect(self.urls_wanted)
            name_inner(self._pane)
            while self._waiting:
                self._waiting.pop(0)(self._pane)
        return self._pane

    def when_made(self, do: "Callable[[IssuesPane], object]") -> None:
        """Call `do` with the issues once they are made: at once if they are."""
        if self._pane is None:
            self._waiting.append(do)
        else:
            do(self._pane)

    @property
    def rule(self) -> SiteRule | None:
        """The rule of the chosen issue."""
        return None if self._pane is None else self._pane.table.rule

    @property
    def shows_ignored(self) -> bool:
        """Whether ignored issues are listed."""
        return self._pane is not None and self._pane.shows_ignored

    def hide_ignored(self) -> None:
        """List the other issues, if ignored ones are listed."""
        if self._pane is not None:
            self._pane.ignored_button.setChecked(False)

    def focus_target(self) -> QWidget | None:
        """What takes the keyboard, if there is something."""
        return None if self._pane is None else self._pane.table

    def set_auditing(self, *, running: bool) -> None:
        """Hide the offer of a site audit while one runs."""
        self._is_auditing = running
        if self._pane is not None:
            self._pane.set_auditing(running=running)

    def showEvent(self, event: QShowEvent) -> None:
        """Make the issues, which are looked at now."""
        super().showEvent(event)
        self.pane.show()
