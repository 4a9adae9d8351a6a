"""The crawls of a site in a table, and what can be done with one or two of them."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from gossamer.gui.history.crawl_table import CrawlTable, ListedCrawl
from gossamer.gui.look import theme
from gossamer.gui.notes.note_editor import NoteEditor
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.series_contents import Note, NoteSubject, ProjectLocation

_PAIR: Final = 2


class CrawlsPane(QWidget):
    """Leads to crawls and to the differences between two, and explains why it cannot.

    `open_wanted` carries the ListedCrawl that is to be opened; `comparison_wanted` two of them, the
    earlier one first; `note_wanted` a new Note; `relink_wanted` a ListedCrawl and the Path of its
    project; `forget_wanted` a ListedCrawl; `chosen` reports a change of the selection.
    """

    open_wanted = Signal(object)
    comparison_wanted = Signal(object, object)
    note_wanted = Signal(object)
    relink_wanted = Signal(object, object)
    forget_wanted = Signal(object)
    chosen = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._crawls: Sequence[ListedCrawl] = ()
        self._bases: Sequence[ListedCrawl | None] = ()
        """What each is compared with: the last before it that shows its site, and whose project
        is there."""
        self.table = CrawlTable()
        self.hint = QLabel()
        self.hint.setProperty("muted", True)
        self.hint.setWordWrap(True)
        self.find_file = QPushButton(self.tr("&Find file…"))
        self.forget = QPushButton(self.tr("Fo&rget crawl"))
        self.add_note = QPushButton(self.tr("Add &note…"))
        self.open_crawl = QPushButton(self.tr("&Open crawl"))
        self.compare = QPushButton(self.tr("&Compare"))
        self._connect()
        self._lay_out()
        self._enable()

    @property
    def selected(self) -> ListedCrawl | None:
        """The selected crawl, if it is one."""
        selected = self.table.selected()
        return selected[0] if len(selected) == 1 else None

    @property
    def selected_place(self) -> int:
        """The place of the selected crawl, the first being 0; -1 if it is not one."""
        return self._place(self.selected)

    def show_crawls(self, crawls: Sequence[ListedCrawl]) -> None:
        """Show these, the earliest first."""
        self._crawls = crawls
        self._bases = list(_bases(crawls))
        self.table.show_crawls(crawls)
        self._enable()

    def hint_at(self, at: int) -> str:
        """What a comparison of a crawl with the one before tells, or why there is none."""
        before = self._bases[at]
        if before is not None and self._crawls[at].exists:
            time = formatting.moment(before.snapshot.created_at)
            return self.tr("Click to see what changed since {time}.").format(time=time)
        if not self._crawls[at].exists:
            return self.tr("Its project is not there: only its figures are kept.")
        if at == 0:
            return self.tr("This is the first crawl of the site.")
        return self.tr("There is no project of an earlier crawl to compare with.")

    def _enable(self) -> None:
        one = self.selected
        is_gone = one is not None and not one.exists
        self.open_crawl.setEnabled(one is not None and one.exists and not one.is_open)
        self.compare.setEnabled(self._pair() is not None)
        self.add_note.setEnabled(one is not None)
        self.find_file.setVisible(is_gone)
        self.forget.setVisible(is_gone)
        self.hint.setText(self._hint(one))

    def _hint(self, one: ListedCrawl | None) -> str:
        if one is None:
            return self.tr("Select a crawl to compare it with the one before, or any two crawls.")
        file, folder = (formatting.clean(str(each)) for each in (one.path, one.path.parent))
        if one.place is ProjectLocation.MISSING:
            return self.tr(
                "{file} does not exist: it was moved, renamed or deleted. Its figures are kept."
            ).format(file=file)
        if one.place is ProjectLocation.OUT_OF_REACH:
            return self.tr(
                "The folder {folder} does not exist: connect its disk, or find the file elsewhere."
            ).format(folder=folder)
        if one.place is ProjectLocation.REMOVED:
            return self.tr("This project was removed; its figures are kept.")
        return self.hint_at(self._place(one)) if self._pair() is None else ""

    def compare_selected(self) -> None:
        """Ask for the comparison of what is selected, if there can be one."""
        if (pair := self._pair()) is not None:
            self.comparison_wanted.emit(*pair)

    def open_project(self, each: ListedCrawl | None) -> None:
        """Ask for a crawl to be opened, if that can be."""
        if each is not None and each.exists and not each.is_open:
            self.open_wanted.emit(each)

    def ask_for_note(self, crawl: ListedCrawl | None) -> None:
        """Ask for a note about a crawl."""
        if crawl is None:
            return
        when = formatting.moment(crawl.snapshot.created_at)
        subject = self.tr("the crawl of {time}").format(time=when)
        editor = NoteEditor(subject, "", self.window())
        about = repr(crawl.snapshot.created_at)

        def add() -> None:
            note = Note(text=editor.text(), subject=NoteSubject.CRAWL, about=about)
            self.note_wanted.emit(note)

        editor.accepted.connect(add)
        editor.open()

    def _ask_for_file(self) -> None:
        crawl = self.selected
        if crawl is None:
            return
        chosen, _ = QFileDialog.getOpenFileName(
            self,
            self.tr("Find the project of this crawl"),
            str(crawl.path.parent),
            self.tr("Projects (*.gossamer)"),
        )
        if chosen:
            self.relink_wanted.emit(crawl, Path(chosen))

    def _forget(self) -> None:
        if (crawl := self.selected) is not None:
            self.forget_wanted.emit(crawl)

    def _place(self, crawl: ListedCrawl | None) -> int:
        return -1 if crawl is None else self._crawls.index(crawl)

    def _pair(self) -> tuple[ListedCrawl, ListedCrawl] | None:
        """The two crawls to compare: those selected, or the selected one and the one before."""
        selected = self.table.selected()
        if len(selected) == 1:
            before = self._bases[self._place(selected[0])]
            selected = [before, *selected] if before is not None else []
        if len(selected) == _PAIR and all(each.exists for each in selected):
            return selected[0], selected[1]
        return None

    def _follow_selection(self) -> None:
        self._enable()
        self.chosen.emit()

    def _connect(self) -> None:
        self.table.chosen.connect(self._follow_selection)
        self.table.open_wanted.connect(self.open_project)
        self.compare.clicked.connect(self.compare_selected)
        self.open_crawl.clicked.connect(lambda: self.open_project(self.selected))
        self.add_note.clicked.connect(lambda: self.ask_for_note(self.selected))
        self.find_file.clicked.connect(self._ask_for_file)
        self.forget.clicked.connect(self._forget)

    def _lay_out(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.hint, 1)
        for button in (
            *(self.find_file, self.forget, self.add_note),
            *(self.open_crawl, self.compare),
        ):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme.SPACE_S)
        column.addWidget(self.table, 1)
        column.addLayout(buttons)


def _bases(crawls: Sequence[ListedCrawl]) -> Iterator[ListedCrawl | None]:
    base: ListedCrawl | None = None
    for each in crawls:
        yield base
        if each.exists and not each.snapshot.has_failed:
            base = each
