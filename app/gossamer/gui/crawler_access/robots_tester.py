"""The robots.txt tester: an edited robots.txt, tried on all known URLs of its host."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QFontDatabase, QTextCursor
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from gossamer.gui.crawler_access.access_lists import ChangedUrl, changed_urls, verdict_words
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.export.list_saver import ListSaver
from gossamer.gui.look import theme
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import number
from gossamer.gui.text.translated_sentences import spoken
from gossamer.gui.widgets.labels import buddy, wrap_text
from gossamer.model.known_crawlers import KNOWN_CRAWLERS
from gossamer.robots.robots_faults import RobotsFault, robots_faults
from gossamer.robots.robots_trial import RobotsChange, RobotsTrial, RobotsVerdict

if TYPE_CHECKING:
    from gossamer.export.row_counter import RowCounter

AT_ONCE: Final = 2_000
"""URLs tried in one request to the reader, so that nothing else waits long for it."""
MOST_LISTED: Final = 200_000
_TYPING_MS: Final = 400
_SHOWN_EVERY_MS: Final = 250

_Tried = tuple[int, int, list[tuple[int, RobotsChange]]]
"""The last id examined, how many URLs were, and those whose verdict changes."""


class RobotsTester(QWidget):
    """An editor of robots.txt, what crawlers may not understand of it, and what it changes.

    Changes are tried at once, in the background; further typing restarts that.
    """

    url_wanted = Signal(int)

    def __init__(
        self,
        reader: ProjectReader,
        user_agent: str,
        parent: QWidget | None = None,
        *,
        typing_ms: int = _TYPING_MS,
    ) -> None:
        """`user_agent` is the crawl's, the first in the choice of crawlers."""
        super().__init__(parent)
        self._reader = reader
        self._site = ""
        self._status: int | None = None
        self._stored = ""
        self._changes: list[ChangedUrl] = []
        self._tried = 0
        self._allowed = 0
        self._disallowed = 0
        self._run = 0
        self._is_running = False
        self.editor = QPlainTextEdit()
        self.faults = QListWidget()
        self.crawler = QComboBox()
        self.url = QLineEdit()
        self.verdict = QLabel()
        self.counts = QLabel()
        self.stop_button = QPushButton(self.tr("Stop"))
        self.revert_button = QPushButton(self.tr("&Revert"))
        self.save_button = QPushButton(self.tr("Save &list…"))
        self.saver = ListSaver(self)
        self.table = DetailTable(changed_urls(lambda: self._changes), reader, in_workspace=False)
        self._typing = QTimer(self, singleShot=True, interval=typing_ms)
        self._showing = QTimer(self, singleShot=True, interval=_SHOWN_EVERY_MS)
        self._fill_crawlers(user_agent)
        self._lay_out()
        self._connect()

    @property
    def is_running(self) -> bool:
        """Whether URLs are being tried."""
        return self._is_running

    def show_file(self, site: str, status: int | None, text: str) -> None:
        """Show the stored robots.txt of an origin."""
        self._site, self._status, self._stored = site, status, text
        self.url.setText(f"{site}/")
        self.editor.setPlainText(text)
        self._start()

    def stop(self) -> None:
        """Try no more URLs; the results so far stay."""
        self._run += 1
        self._is_running = False
        self._typing.stop()
        self._reader.forget(self._key)
        self._show_counts()

    def save(self, path: Path) -> None:
        """Write the list as CSV, in the background; report failures."""
        self.saver.save(path, partial(_write, [each.change for each in self._changes]))
        self.save_button.setText(self.tr("&Cancel saving"))
        self._show_saved_share(0)

    def close_list(self) -> None:
        """Try no more URLs, and save no list any more: the tester goes away."""
        self.stop()
        self.saver.stop()

    # ------------------------------------------------------------ inside

    @property
    def _key(self) -> str:
        return f"robots tester {id(self)}"

    def _fill_crawlers(self, user_agent: str) -> None:
        own = user_agent.partition("/")[0].strip() or user_agent
        self.crawler.addItem(self.tr("{name} (this crawl)").format(name=own), user_agent)
        for each in KNOWN_CRAWLERS:
            self.crawler.addItem(each.name, each.name)
        self.crawler.addItem(self.tr("Any other crawler"), "any-other-crawler")

    def _lay_out(self) -> None:
        self.editor.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.editor.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.editor.setAccessibleName("robots.txt")
        self.faults.setAccessibleName(self.tr("Remarks on the lines"))
        self.faults.setWordWrap(True)
        self.table.setAccessibleName(self.tr("URLs whose access changes"))
        top = QSplitter(Qt.Orientation.Horizontal)
        top.addWidget(self.editor)
        top.addWidget(self.faults)
        top.setSizes([560, 300])
        halves = QSplitter(Qt.Orientation.Vertical)
        halves.addWidget(top)
        halves.addWidget(self._results())
        halves.setSizes([230, 330])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, theme.SPACE_S, 0, 0)
        layout.addWidget(halves)

    def _results(self) -> QWidget:
        wrap_text(self.verdict)
        self.verdict.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        first = QHBoxLayout()
        first.addWidget(buddy(self.tr("&Crawler:"), self.crawler))
        first.addWidget(self.crawler)
        first.addSpacing(theme.SPACE_M)
        first.addWidget(buddy(self.tr("Try a &URL:"), self.url))
        first.addWidget(self.url, 1)
        first.addWidget(self.revert_button)
        second = QHBoxLayout()
        second.addWidget(self.counts, 1)
        second.addWidget(self.stop_button)
        second.addWidget(self.save_button)
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, theme.SPACE_S, 0, 0)
        column.addLayout(first)
        column.addWidget(self.verdict)
        column.addLayout(second)
        column.addWidget(self.table, 1)
        return page

    def _connect(self) -> None:
        self.editor.textChanged.connect(self._typing.start)
        self.crawler.currentIndexChanged.connect(self._start)
        self.url.textChanged.connect(self._try_url)
        self._typing.timeout.connect(self._start)
        self._showing.timeout.connect(self.table.rows.refresh)
        self.faults.itemActivated.connect(self._go_to)
        self.faults.itemClicked.connect(self._go_to)
        self.stop_button.clicked.connect(self.stop)
        self.revert_button.clicked.connect(lambda: self.editor.setPlainText(self._stored))
        self.save_button.clicked.connect(self._save_or_cancel)
        self.saver.progressed.connect(self._show_saved_share)
        self.saver.finished.connect(self._end_saving)
        self.table.url_wanted.connect(self.url_wanted)

    def _start(self) -> None:
        """Try what is in the editor on all known URLs, from the first one."""
        self.stop()
        if not self._site:
            return
        self._show_faults(robots_faults(self.editor.toPlainText()))
        self._changes, self._tried, self._allowed, self._disallowed = [], 0, 0, 0
        self._is_running = True
        self.table.rows.show_url(self._run)
        self._try_url()
        self._next(self._run, self._trial(), after=0)

    def _trial(self) -> "_LazyTrial":
        agent = str(self.crawler.currentData())
        return _LazyTrial(self._status, self._stored, self.editor.toPlainText(), agent)

    def _next(self, run: int, trial: "_LazyTrial", after: int) -> None:
        site = self._site
        self._reader.submit(
            lambda rows: _tried(rows, site, trial, after),
            partial(self._take, run, trial),
            key=self._key,
            on_failure=self.stop,
            background=True,
        )
        self._show_counts()

    def _take(self, run: int, trial: "_LazyTrial", tried: _Tried) -> None:
        if run != self._run:
            return
        last_id, urls, changes = tried
        self._tried += urls
        self._allowed += sum(change.after.allowed for _, change in changes)
        self._disallowed += sum(change.before.allowed for _, change in changes)
        room = max(MOST_LISTED - len(self._changes), 0)
        first = len(self._changes)
        self._changes += [
            ChangedUrl(first + place, url_id, change)
            for place, (url_id, change) in enumerate(changes[:room])
        ]
        self._is_running = urls == AT_ONCE
        if self._is_running:
            self._next(run, trial, last_id)
        self._show_counts()
        if changes and not self._showing.isActive():
            self._showing.start()

    def _try_url(self) -> None:
        """Show the verdicts of both files on the typed URL."""
        url, trial = self.url.text().strip(), self._trial()
        if not url.startswith(f"{self._site}/"):
            self.verdict.setText(self.tr("Type a URL of {site}.").format(site=self._site))
            return
        self._reader.submit(
            lambda _: trial.get().verdicts(url),
            self._show_verdicts,
            key=f"{self._key} url",
        )

    def _show_verdicts(self, verdicts: tuple[RobotsVerdict, RobotsVerdict]) -> None:
        before, after = (formatting.clean(verdict_words(each)) for each in verdicts)
        if before == after:
            self.verdict.setText(after)
            return
        words = self.tr("before: {before}    after: {after}")
        self.verdict.setText(words.format(before=before, after=after))

    def _show_counts(self) -> None:
        words = self.tr("{blocked} newly blocked, {allowed} newly allowed, of {tried} URLs")
        text = words.format(
            blocked=number(self._disallowed),
            allowed=number(self._allowed),
            tried=number(self._tried),
        )
        if len(self._changes) < self._allowed + self._disallowed:
            text += self.tr(" (the first {most} are listed)").format(most=number(MOST_LISTED))
        self.counts.setText(f"{text} …" if self._is_running else text)
        self.stop_button.setVisible(self._is_running)
        self.save_button.setEnabled(bool(self._changes) or self.saver.is_saving)
        self.revert_button.setEnabled(self.editor.toPlainText() != self._stored)
        idle = self.tr("No known URL changes its access.")
        self.table.note.show_text(self.tr("Trying URLs…") if self._is_running else idle)

    def _show_faults(self, found: list[RobotsFault]) -> None:
        self.faults.clear()
        for each in found:
            sign = "✕" if each.is_error else "!"
            words = self.tr("Line {line}: {sentence}")
            text = words.format(line=each.line, sentence=spoken(each.sentence))
            item = QListWidgetItem(f"{sign} {text}")
            item.setData(Qt.ItemDataRole.UserRole, each.line)
            self.faults.addItem(item)
        if not found:
            item = QListWidgetItem(self.tr("Every line can be understood."))
            item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.faults.addItem(item)

    def _go_to(self, item: QListWidgetItem) -> None:
        line = item.data(Qt.ItemDataRole.UserRole)
        if line is not None:
            block = self.editor.document().findBlockByNumber(int(line) - 1)
            cursor = QTextCursor(block)
            cursor.movePosition(
                QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor
            )
            self.editor.setTextCursor(cursor)
            self.editor.setFocus()

    def _save_or_cancel(self) -> None:
        if self.saver.is_saving:
            self.saver.cancel()
        else:
            self._ask_where_to_save()

    def _show_saved_share(self, percent: int) -> None:
        if self.saver.is_saving:
            self.counts.setText(self.tr("Saving the list: {n} %").format(n=percent))

    def _end_saving(self, why: str) -> None:
        """Offer to save again; report a failure, if there was one."""
        self.save_button.setText(self.tr("Save &list…"))
        self._show_counts()
        if why:
            self.counts.setText(why)

    def _ask_where_to_save(self) -> None:
        dialog = QFileDialog(self, self.tr("Save list"), "", "CSV (*.csv)")
        dialog.setObjectName("save-robots-list")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix("csv")
        dialog.selectFile("robots-changes.csv")
        dialog.fileSelected.connect(lambda path: self.save(Path(path)))
        dialog.open()


class _LazyTrial:
    """A trial, parsed on first use: on the reader's thread."""

    def __init__(self, status: int | None, stored: str, edited: str, agent: str) -> None:
        self._made: RobotsTrial | None = None
        self._given = (status, stored, edited, agent)

    def get(self) -> RobotsTrial:
        """The trial."""
        if self._made is None:
            self._made = RobotsTrial(*self._given)
        return self._made


def _write(changes: "list[RobotsChange]", path: Path, counter: "RowCounter") -> None:
    from gossamer.export.access_reports import write_robots_changes  # noqa: PLC0415 - the start does without

    write_robots_changes(changes, path, counter)


def _tried(rows: ProjectRows, site: str, trial: _LazyTrial, after: int) -> _Tried:
    urls = rows.urls_of(site, after, AT_ONCE)
    ids = {url: url_id for url_id, url in urls}
    changes = [(ids[change.url], change) for change in trial.get().changes(ids)]
    return (urls[-1][0] if urls else after), len(urls), changes
