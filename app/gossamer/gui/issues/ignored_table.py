"""The table of ignored issues: for which URLs, why, by whom and when."""

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QObject, Signal
from PySide6.QtWidgets import QWidget

from gossamer.audit.rule_catalogue import RULES
from gossamer.gui.actions.view_actions import ViewAction, add_view_action
from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.issues.rule_texts import full_rule_name
from gossamer.gui.tables.empty_state import EmptyStateLabel
from gossamer.gui.tables.row_kind import RowKind
from gossamer.gui.tables.table_columns import ColumnSpec
from gossamer.gui.tables.table_model import ROOT, AnyIndex, TableModel
from gossamer.gui.tables.table_view import TableView
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import QT_TRANSLATE_NOOP, translator
from gossamer.model.ignored_issues import EVERY_URL, IgnoredIssue
from gossamer.model.settings.crawl_settings import DEFAULTS, CrawlSettings

_tr = translator("IgnoredTable")


def _urls_text(ignored: IgnoredIssue) -> str:
    return _tr("All URLs") if ignored.pattern == EVERY_URL else formatting.clean(ignored.pattern)


class IgnoredModel(TableModel[IgnoredIssue]):
    """The ignored issues, ordered by rule."""

    def __init__(self, parent: QObject | None = None) -> None:
        self._rows: Sequence[IgnoredIssue] = ()
        self._settings: CrawlSettings = DEFAULTS
        self.specs: Final = self._made_columns()
        super().__init__(RowKind(columns=self.specs), parent)

    def show(self, rows: Sequence[IgnoredIssue], settings: CrawlSettings) -> None:
        """Show these rows; names of rules contain the thresholds of `settings`."""
        if (rows, settings) != (self._rows, self._settings):
            self.beginResetModel()
            self._rows, self._settings = rows, settings
            self.endResetModel()

    def record(self, row: int) -> IgnoredIssue | None:
        """The ignored issue of this row."""
        return self._rows[row] if 0 <= row < len(self._rows) else None

    def rowCount(self, parent: AnyIndex = ROOT) -> int:
        """How many rows there are."""
        return 0 if parent.isValid() else len(self._rows)

    def _name(self, ignored: IgnoredIssue) -> str:
        rule = RULES.get(ignored.rule)
        return "" if rule is None else full_rule_name(rule, self._settings)

    def _made_columns(self) -> tuple[ColumnSpec, ...]:
        return (
            ColumnSpec(None, QT_TRANSLATE_NOOP("Column", "Issue"), 26, self._name),
            ColumnSpec(
                None,
                QT_TRANSLATE_NOOP("Column", "Ignored for"),
                24,
                _urls_text,
                address=True,
                plain=lambda ignored: ignored.pattern,
            ),
            ColumnSpec(
                None,
                QT_TRANSLATE_NOOP("Column", "URLs"),
                9,
                lambda ignored: formatting.number(ignored.urls),
                numeric=True,
            ),
            ColumnSpec(
                None,
                QT_TRANSLATE_NOOP("Column", "Reason"),
                22,
                lambda ignored: formatting.clean(ignored.reason),
            ),
            ColumnSpec(
                None,
                QT_TRANSLATE_NOOP("Column", "Ignored by"),
                10,
                lambda ignored: formatting.clean(ignored.author),
            ),
            ColumnSpec(
                None,
                QT_TRANSLATE_NOOP("Column", "Ignored at"),
                16,
                lambda ignored: formatting.moment(ignored.ignored_at),
            ),
        )


class IgnoredTable(TableView):
    """Lists ignored issues. `rule_chosen` carries the number of the rule in the current row.

    `take_back_wanted` carries the rows to count again.
    """

    rule_chosen = Signal(object)
    take_back_wanted = Signal(object)

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self.rows: Final = IgnoredModel(self)
        self.setModel(self.rows)
        self.set_columns(self.rows.specs, 0)
        self.setAccessibleName(self.tr("Ignored issues"))
        self.note = EmptyStateLabel(self)
        self.note.show_text(self.tr("No issue is ignored."))
        self.take_back_action = add_view_action(self, ViewAction.TAKE_BACK, self.take_back)
        self.selectionModel().currentRowChanged.connect(self._choose)
        self.selectionModel().selectionChanged.connect(self._enable)
        self._enable()

    def show_ignored(self) -> None:
        """List the currently ignored issues."""
        self.rows.show(self._counts.ignored, self._counts.settings)
        self.note.setVisible(not self._counts.ignored)
        self._enable()

    def selected(self) -> list[IgnoredIssue]:
        """The selected rows."""
        found = (self.rows.record(index.row()) for index in self.selectionModel().selectedRows())
        return [each for each in found if each is not None]

    def take_back(self) -> None:
        """Ask to count the selected rows again."""
        if selected := self.selected():
            self.take_back_wanted.emit(selected)

    def _enable(self) -> None:
        self.take_back_action.setEnabled(bool(self.selected()))

    def _choose(self, current: QModelIndex) -> None:
        row = self.rows.record(current.row())
        self.rule_chosen.emit(None if row is None else row.rule)
