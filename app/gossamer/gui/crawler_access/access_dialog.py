"""The dialog on crawlers' access to a host: known crawlers, robots.txt tester, llms.txt."""

from typing import Final, NamedTuple

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QTabWidget,
    QVBoxLayout,
    QWidget,
)

from gossamer.audit.llms_txt import CheckedLink
from gossamer.audit.soft_404_hosts import host_sentences
from gossamer.audit.url_access import HostLlmsTxt, host_llms_txt
from gossamer.gui.crawler_access.access_lists import llms_links
from gossamer.gui.crawler_access.robots_tester import RobotsTester
from gossamer.gui.details.crawler_list import crawler_matrix
from gossamer.gui.details.detail_table import DetailTable
from gossamer.gui.look import theme
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.translated_sentences import sentences, spoken
from gossamer.gui.widgets.help_context import explain
from gossamer.gui.widgets.labels import buddy, name_inner, wrap_text
from gossamer.gui.widgets.message_bar import InlineMessage
from gossamer.gui.widgets.window_geometry import fitted
from gossamer.model.errors import UsageError
from gossamer.model.known_crawlers import EDITION
from gossamer.model.translatable import Translatable
from gossamer.urls.url_parsing import origin, parse_root

NAME: Final = "access-dialog"
_SIZE: Final = (960, 680)


class _HostResponses(NamedTuple):
    """What is known of a host."""

    status: int | None
    robots_txt: str
    llms: HostLlmsTxt | None
    findings: list[Translatable]


class AccessDialog(QDialog):
    """The modeless dialog on who may crawl a host; deletes itself when closed.

    `url_selected` says that the user followed a row to a URL.
    """

    url_selected = Signal(int)

    def __init__(
        self, reader: ProjectReader, root: str, user_agent: str, parent: QWidget | None = None
    ) -> None:
        """Take the first root of the crawl, whose host is shown first, and its User-Agent."""
        super().__init__(parent)
        self.setObjectName(NAME)
        self.setWindowTitle(self.tr("Crawlers and robots.txt"))
        self.setWindowModality(Qt.WindowModality.NonModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        explain(self, "window/crawlers")
        self._reader = reader
        self._root = root
        self._llms: HostLlmsTxt | None = None
        self._asked = 0
        self._typed = ""
        """The URL: the reader's thread must not ask a widget."""
        self.host = QComboBox()
        self.findings = InlineMessage()
        self.url = QLineEdit()
        self.matrix = DetailTable(
            crawler_matrix(lambda _rows, _about: self._address()), reader, in_workspace=False
        )
        self.tester = RobotsTester(reader, user_agent)
        self.llms = QLabel()
        self.links = DetailTable(
            llms_links(lambda _rows, _about: self._links()), reader, in_workspace=False
        )
        self.tabs = QTabWidget()
        self._lay_out()
        self.host.currentIndexChanged.connect(self._read_host)
        self.url.textChanged.connect(self._show_matrix)
        self.finished.connect(self._stop_reading)
        for view in (self.matrix, self.tester, self.links):
            view.url_wanted.connect(self.url_selected)
        reader.submit(
            lambda rows: rows.robots_origins(), self._show_origins, key=f"{self._key} origins"
        )
        name_inner(self)

    def _stop_reading(self) -> None:
        """End what the dialog had read; Escape gives it no event of being closed."""
        self.tester.close_list()
        for part in ("origins", "host"):
            self._reader.forget(f"{self._key} {part}")

    @property
    def _key(self) -> str:
        return f"access {id(self)}"

    def _lay_out(self) -> None:
        wrap_text(self.llms)
        self.llms.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        top = QHBoxLayout()
        top.addWidget(buddy(self.tr("&Host:"), self.host))
        top.addWidget(self.host, 1)
        # No wider than the dialog, however long the names of hosts are.
        self.host.setSizeAdjustPolicy(
            QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
        )
        self.tabs.tabBar().setAccessibleName(self.windowTitle())
        self.tabs.addTab(self._matrix_page(), self.tr("Crawlers"))
        self.tabs.addTab(self.tester, self.tr("robots.txt tester"))
        self.tabs.addTab(self._llms_page(), "llms.txt")
        layout = QVBoxLayout(self)
        layout.setContentsMargins(theme.SPACE_L, theme.SPACE_M, theme.SPACE_L, theme.SPACE_M)
        layout.addLayout(top)
        layout.addWidget(self.findings)
        layout.addWidget(self.tabs, 1)
        self.resize(fitted(_SIZE, self.screen().availableGeometry()))

    def _matrix_page(self) -> QWidget:
        edition = QLabel(self.tr("Table of crawlers as of {date}.").format(date=EDITION))
        edition.setProperty("muted", True)
        self.matrix.setAccessibleName(self.tr("Crawlers"))
        self.matrix.note.show_text(self.tr("The robots.txt of this host was not requested."))
        page = QWidget()
        line = QHBoxLayout()
        line.addWidget(buddy(self.tr("&URL:"), self.url))
        line.addWidget(self.url, 1)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, theme.SPACE_S, 0, 0)
        column.addLayout(line)
        column.addWidget(self.matrix, 1)
        column.addWidget(edition)
        return page

    def _llms_page(self) -> QWidget:
        self.links.setAccessibleName(self.tr("Links of llms.txt"))
        page = QWidget()
        column = QVBoxLayout(page)
        column.setContentsMargins(0, theme.SPACE_S, 0, 0)
        column.addWidget(self.llms)
        column.addWidget(self.links, 1)
        return page

    def _show_origins(self, origins: list[str]) -> None:
        own = origin(self._root) if self._root else ""
        self.host.blockSignals(True)
        self.host.addItems(sorted(origins, key=lambda each: (each != own, each)))
        self.host.blockSignals(False)
        self._read_host()

    def _read_host(self) -> None:
        site = self.host.currentText()
        if not site:
            self.llms.setText(self.tr("No robots.txt was requested."))
            return
        self._reader.submit(
            lambda rows: _host_responses(rows, site), self._show_host, key=f"{self._key} host"
        )

    def _show_host(self, responses: _HostResponses) -> None:
        site = self.host.currentText()
        self._llms = responses.llms
        if responses.findings:
            words = sentences([spoken(each) for each in responses.findings])
            self.findings.show_text("warning", words)
        else:
            self.findings.hide()
        is_own = bool(self._root) and origin(self._root) == site
        self.url.setText(self._root if is_own else f"{site}/")
        self._show_matrix()
        self.tester.show_file(site, responses.status, responses.robots_txt)
        self.llms.setText(self._llms_words())
        self.links.note.show_text(self.tr("No links."))
        self._asked += 1
        self.links.rows.show_url(self._asked)

    def _show_matrix(self) -> None:
        self._typed = self.url.text()
        self._asked += 1
        self.matrix.rows.show_url(self._asked)

    def _address(self) -> str | None:
        try:
            return parse_root(self._typed)
        except UsageError:
            return None

    def _links(self) -> list[CheckedLink]:
        return [] if self._llms is None else list(self._llms.links)

    def _llms_words(self) -> str:
        found = self._llms
        if found is None:
            return self.tr("The llms.txt of this host was not requested.")
        if found.text is None:
            outcome = str(found.check.status or "")
            if found.check.outcome is not None and not outcome:
                outcome = spoken(Translatable(found.check.outcome.sentence))
            return self.tr("This host has no llms.txt ({outcome}).").format(outcome=outcome)
        size = formatting.size(found.check.size_bytes)
        words = self.tr("{title} · {size} · {links} links, {broken} broken, {hidden} not indexable")
        first = words.format(
            title=formatting.clean(found.text.title or found.check.final_url),
            size=size,
            links=formatting.number(len(found.links)),
            broken=formatting.number(found.broken),
            hidden=formatting.number(found.not_indexable),
        )
        faults = [spoken(each) for each in found.text.faults]
        second = sentences(faults) if faults else self.tr("It follows the proposed form.")
        return f"{first}\n{second}"


def _host_responses(rows: ProjectRows, site: str) -> _HostResponses:
    status, text = rows.robots_txt(site) or (None, "")
    checks = [row for row in rows.site_checks() if row.origin == site]
    return _HostResponses(status, text, host_llms_txt(rows, site), host_sentences(checks))
