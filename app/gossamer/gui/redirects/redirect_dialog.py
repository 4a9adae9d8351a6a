"""The dialog that checks a table of old and new addresses against a crawl."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gossamer.audit.redirect_check import CheckedRedirect, RedirectResult
from gossamer.export.formats import TABLE_SUFFIXES
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.export.format_names import name_filters
from gossamer.gui.export.list_saver import ListSaver
from gossamer.gui.look import theme
from gossamer.gui.look.stylesheet import CONTROL_HEIGHT
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.redirects.pair_check import PairCheck
from gossamer.gui.redirects.redirect_list import checked_redirects, result_name
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy, name_inner
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.text_cleaning import one_line
from gossamer.model.translatable import Translatable
from gossamer.urls.expected_redirects import ExpectedRedirect, ExpectedRedirects, addresses_of

if TYPE_CHECKING:
    from gossamer.export.row_counter import RowCounter

NAME: Final = "redirects-dialog"
_SIZE: Final = (1100, 680)
_TYPING_MS: Final = 400
_ALL: Final = "all"
_NOT_RIGHT: Final = "not right"


class RedirectDialog(QDialog):
    """The modeless dialog; deletes itself when closed.

    `table_wanted` asks to read the file at a Path, with the typed site of its paths; `show_table`
    or `refuse` takes the result. `crawl_wanted` carries the addresses to request, `url_selected`
    the id of the URL of an activated row.
    """

    table_wanted = Signal(object, str)
    crawl_wanted = Signal(object)
    url_selected = Signal(int)

    def __init__(
        self, reader: ProjectReader, parent: QWidget | None = None, *, typing_ms: int = _TYPING_MS
    ) -> None:
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setWindowTitle(self.tr("Check redirects"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        explain(self, "window/redirect-check")
        self._path: Path | None = None
        self._expected: Sequence[ExpectedRedirect] = ()
        self._needs_site = False
        self._pairs = PairCheck(reader, self)
        self._shown: Sequence[CheckedRedirect] = ()
        self._has_crawl = False
        self._is_under_way = False
        self.choose = QPushButton(self.tr("&Table…"))
        self.file = QLabel(self.tr("A CSV file: in each row an old address and the new one."))
        self.base = QLineEdit()
        self.message = InlineMessage()
        self.request = QPushButton(self.tr("&Request the addresses"))
        self.about_crawl = QLabel()
        self.choice = QComboBox()
        self.counts = QLabel()
        self.save_button = QPushButton(self.tr("Save &list…"))
        self.saver = ListSaver(self)
        self.table = DetailTable(checked_redirects(lambda: self._shown), reader, in_workspace=False)
        self._typing = QTimer(self, singleShot=True, interval=typing_ms)
        self._lay_out()
        self._connect()
        self._show_state()
        name_inner(self)

    def read_table(self, path: Path) -> None:
        """Ask to read a file."""
        self._path = path
        self._typing.stop()
        self.table_wanted.emit(path, self.base.text().strip())

    def show_table(self, path: Path, table: ExpectedRedirects) -> None:
        """Check the pairs of the file, or show which line is wrong."""
        if path != self._path:
            return
        self.message.hide()
        self._expected = () if table.wrong else table.expected
        self._needs_site = self._lacks_site(table)
        self.file.setText(self._file_words(path, len(table.expected)))
        if table.wrong:
            self.message.show_text("error", self._wrong_words(table))
        self.check()

    def refuse(self, path: Path, sentence: Translatable) -> None:
        """Show why the file cannot be used."""
        if path == self._path:
            self._expected = ()
            self._needs_site = False
            self.file.setText(formatting.clean(path.name))
            self.message.show_text("error", spoken(sentence))
            self.check()

    def turn_to(self, *, has_crawl: bool, is_under_way: bool) -> None:
        """Check against the crawl shown, if any, which may still be running."""
        self._has_crawl, self._is_under_way = has_crawl, is_under_way
        self.check()

    def check(self) -> None:
        """Check all pairs against the crawl shown."""
        self._pairs.start(self._expected if self._has_crawl else ())
        self._show_state()
        self._list()

    def save(self, path: Path) -> None:
        """Write all pairs in the background; show an error if that fails."""
        self.saver.save(path, partial(_write, tuple(self._pairs.checked)))
        self.save_button.setText(self.tr("&Cancel saving"))
        self._show_saved_share(0)

    def done(self, result: int) -> None:
        """Stop reading and writing; Escape sends a dialog no close event."""
        self._pairs.stop()
        self._typing.stop()
        self.saver.stop()
        super().done(result)

    # ------------------------------------------------------------ inside

    def _follow(self) -> None:
        """Show how far the check is, and at its end what was found."""
        self._show_state()
        if not self._pairs.is_running:
            self._list()

    def _list(self) -> None:
        """Show the chosen pairs."""
        wanted, checked = self.choice.currentData(), self._pairs.checked
        if wanted == _NOT_RIGHT:
            self._shown = [each for each in checked if not each.is_right]
        elif wanted == _ALL:
            self._shown = checked
        else:
            self._shown = [each for each in checked if each.result == wanted]
        self.table.note.show_text(self._note())
        self.table.rows.show_url(self._pairs.run)

    def _note(self) -> str:
        if self._path is None:
            return self.tr("Choose a table of old and new addresses.")
        if not self._expected:
            return self._wrong_note()
        if not self._has_crawl:
            return self.tr("Request the addresses to check them.")
        return self.tr("Checking…") if self._pairs.is_running else self._empty_note()

    def _empty_note(self) -> str:
        if self._pairs.is_unreadable:
            return self.tr("The crawl could not be read.")
        if self.choice.currentData() == _NOT_RIGHT:
            return self.tr("Every old address leads to its new one.")
        return self.tr("No such pair.")

    def _wrong_note(self) -> str:
        if self._needs_site:
            return self.tr("Enter the site that the paths belong to.")
        return self.tr("Correct the table and choose it again.")

    def _show_state(self) -> None:
        self.request.setEnabled(bool(self._expected))
        self.about_crawl.setText(self._crawl_words())
        counts = self._pairs.counts
        right = counts[RedirectResult.RIGHT]
        pairs = len(self._pairs.checked)
        numbers: dict[str, int] = {_ALL: pairs, _NOT_RIGHT: pairs - right, **counts}
        for index in range(self.choice.count()):
            name, key = self._choices()[index]
            shown = formatting.with_count(name, number(numbers.get(key, 0)))
            self.choice.setItemText(index, shown)
        if not self.saver.is_saving:
            self.counts.setText(self._count_words(right))
            self.save_button.setEnabled(pairs > 0 and not self._pairs.is_running)

    def _count_words(self, right: int) -> str:
        checked = self._pairs.checked
        if self._pairs.is_running:
            share = formatting.share(*self._pairs.done)
            return self.tr("Checking: {share}").format(share=share)
        if not checked:
            return ""
        chains = sum(each.is_chain for each in checked)
        temporary = sum(each.is_temporary for each in checked)
        words = self.tr(
            "{right} of {pairs} right; of these, {chains} by several redirects, "
            "{temporary} temporary"
        )
        return words.format(
            right=number(right),
            pairs=number(len(checked)),
            chains=number(chains),
            temporary=number(temporary),
        )

    def _crawl_words(self) -> str:
        if not self._has_crawl:
            return self.tr("Starts a crawl of only the old and new addresses.")
        if self._is_under_way:
            return self.tr("The crawl is not finished; the pairs are checked again when it is.")
        return self.tr(
            "Checked against the crawl shown. Requesting the addresses starts another crawl."
        )

    def _file_words(self, path: Path, pairs: int) -> str:
        count = self.tr("%Ln pair(s)", "", pairs)
        return f"{formatting.clean(path.name)} · {count}"

    def _lacks_site(self, table: ExpectedRedirects) -> bool:
        """Whether the first wrong line has paths, and no site is typed that they belong to."""
        if not table.wrong or self.base.text().strip():
            return False
        return any(cell.strip().startswith("/") for cell in table.wrong[0].text.split(","))

    def _wrong_words(self, table: ExpectedRedirects) -> str:
        first = table.wrong[0]
        if self._needs_site:
            words = self.tr("Line {line}: “{text}” has paths; enter the site that they belong to.")
            return words.format(line=number(first.number), text=one_line(first.text, 80))
        words = self.tr("Line {line}: {why}").format(
            line=number(first.number), why=spoken(first.error.said)
        )
        more = len(table.wrong) - 1
        return f"{words} {self.tr('(%Ln more like it)', '', more)}" if more else words

    def _choices(self) -> list[tuple[str, str]]:
        results = [(result_name(each), str(each)) for each in RedirectResult]
        return [(self.tr("Not right"), _NOT_RIGHT), (self.tr("All pairs"), _ALL), *results]

    def _lay_out(self) -> None:
        for name, key in self._choices():
            self.choice.addItem(name, key)
        self.choice.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        for field in (self.base, self.choice):
            field.setMinimumHeight(CONTROL_HEIGHT)
        self.base.setPlaceholderText("https://www.example.com/")
        self.base.setToolTip(self.tr("Needed only if the table has paths such as /old."))
        self.table.setAccessibleName(self.tr("Checked redirects"))
        for label in (self.file, self.about_crawl, self.counts):
            label.setTextFormat(Qt.TextFormat.PlainText)
        self.about_crawl.setProperty("muted", True)
        self.request.setProperty("primary", True)
        grid = QGridLayout()
        grid.setHorizontalSpacing(theme.SPACE_M)
        grid.setColumnStretch(2, 1)
        grid.addWidget(self.choose, 0, 0)
        grid.addWidget(self.file, 0, 1, 1, 2)
        grid.addWidget(buddy(self.tr("Site of &paths:"), self.base), 1, 0)
        grid.addWidget(self.base, 1, 1, 1, 2)
        grid.addWidget(self.request, 2, 0)
        grid.addWidget(self.about_crawl, 2, 1, 1, 2)
        results = QHBoxLayout()
        results.addWidget(buddy(self.tr("&Show:"), self.choice))
        results.addWidget(self.choice)
        results.addSpacing(theme.SPACE_M)
        results.addWidget(self.counts, 1)
        results.addWidget(self.save_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        column.addLayout(grid)
        column.addWidget(self.message)
        column.addLayout(results)
        column.addWidget(self.table, 1)
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    def _connect(self) -> None:
        self.choose.clicked.connect(self._ask_for_table)
        self.base.textEdited.connect(self._typing.start)
        self._typing.timeout.connect(self._read_again)
        self.request.clicked.connect(lambda: self.crawl_wanted.emit(addresses_of(self._expected)))
        self.choice.currentIndexChanged.connect(self._list)
        self.table.url_wanted.connect(self.url_selected)
        self.save_button.clicked.connect(self._save_or_cancel)
        self._pairs.advanced.connect(self._follow)
        self.saver.progressed.connect(self._show_saved_share)
        self.saver.finished.connect(self._end_saving)

    def _read_again(self) -> None:
        if self._path is not None:
            self.read_table(self._path)

    def _ask_for_table(self) -> None:
        kinds = self.tr("Tables") + " (*.csv *.tsv *.txt)", self.tr("All files") + " (*)"
        dialog = QFileDialog(self, self.tr("Table of redirects"), "", ";;".join(kinds))
        dialog.setObjectName("open-redirects")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.fileSelected.connect(lambda path: self.read_table(Path(path)))
        dialog.open()

    def _save_or_cancel(self) -> None:
        if self.saver.is_saving:
            self.saver.cancel()
        else:
            self._ask_where_to_save()

    def _ask_where_to_save(self) -> None:
        dialog = QFileDialog(self, self.tr("Save list"))
        dialog.setNameFilters(name_filters(TABLE_SUFFIXES))
        dialog.setObjectName("save-redirects")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.selectFile("redirects.csv")
        dialog.fileSelected.connect(lambda path: self.save(Path(path)))
        dialog.open()

    def _show_saved_share(self, percent: int) -> None:
        if self.saver.is_saving:
            self.counts.setText(self.tr("Saving the list: {n} %").format(n=percent))

    def _end_saving(self, why: str) -> None:
        """Offer to save again; show why saving failed, if it did."""
        self.save_button.setText(self.tr("Save &list…"))
        self._show_state()
        if why:
            self.message.show_text("error", why)


def _write(found: Sequence[CheckedRedirect], path: Path, counter: "RowCounter") -> None:
    from gossamer.export.redirect_check_sheet import write_redirect_checks  # noqa: PLC0415 - the start does without

    write_redirect_checks(found, path, counter)
