"""The menu of redirects at a URL: where it leads, and what else leads there."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QMenu, QWidget

from gossamer.gui.look.icons import icon
from gossamer.gui.look.outcome_style import icon_name, redirect_label
from gossamer.gui.project.reader_interfaces import ProjectRows
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.widgets.sticky_menu import refilling
from gossamer.model.project_queries import TreeNode
from gossamer.model.redirect_types import RedirectKind
from gossamer.urls.url_folders import display_url

_MOST: Final = 20
_LONGEST: Final = 80


@dataclass(frozen=True, slots=True)
class UrlRedirects:
    """The redirects of a URL. `sources` redirect to its target, or to it if it leads nowhere.

    `kind` and `status` say how it leads on.
    """

    target: TreeNode | None
    kind: RedirectKind | None
    status: int | None
    sources: tuple[TreeNode, ...]


def read_edges(rows: ProjectRows, url_id: int) -> UrlRedirects:
    """The redirects at a URL."""
    record = next(iter(rows.records([url_id])), None)
    redirect = record.redirect if record else None
    target_id = rows.lookup(redirect) if redirect else None
    target = next(iter(rows.nodes([target_id])), None) if target_id else None
    sources = rows.redirect_sources(target_id or url_id, _MOST + 1)
    return UrlRedirects(
        target,
        record.redirect_kind if record else None,
        record.status if record else None,
        tuple(each for each in sources if each.id != url_id)[:_MOST],
    )


class RedirectMenu(QMenu):
    """A menu of redirects, read when it opens. `url_wanted` has the URL chosen."""

    url_wanted = Signal(int)

    def __init__(
        self, reader: ProjectReader, current: Callable[[], int | None], parent: QWidget
    ) -> None:
        super().__init__(parent)
        self._reader = reader
        self._current = current
        self._key = f"redirects {id(self)}"
        self._forget()
        self.aboutToShow.connect(self._ask)
        # Not at once: the selected entry is triggered after the menu is gone.
        self.aboutToHide.connect(lambda: QTimer.singleShot(0, self, self._forget))

    def follow(self) -> None:
        """Go to where the current URL leads."""
        self._read(self._follow)

    def show_edges(self, edges: UrlRedirects) -> None:
        """Offer the target and the other sources."""
        with refilling(self):
            if edges.target is not None:
                words = redirect_label(edges.kind or RedirectKind.HTTP, edges.status)
                status = f"{edges.status} " if edges.status else ""
                self._say(self.tr("{redirect} redirects to").format(redirect=f"{status}{words}"))
                self._offer(edges.target)
            if edges.sources:
                also = self.tr("Also redirecting there")
                self._say(also if edges.target else self.tr("Redirects to this URL"))
                for source in edges.sources:
                    self._offer(source)
            if edges.target is None and not edges.sources:
                self._say(self.tr("This URL does not redirect, and no URL redirects to it."))

    def _follow(self, edges: UrlRedirects) -> None:
        if edges.target is not None:
            self.url_wanted.emit(edges.target.id)

    def _ask(self) -> None:
        self._read(self.show_edges)

    def _read(self, done: Callable[[UrlRedirects], None]) -> None:
        url_id = self._current()
        if url_id is not None:
            self._reader.submit(lambda rows: read_edges(rows, url_id), done, key=self._key)

    def _forget(self) -> None:
        if not self.isVisible():
            with refilling(self):
                self._say(self.tr("Reading…"))

    def _say(self, text: str) -> None:
        self.addAction(text).setEnabled(False)

    def _offer(self, node: TreeNode) -> None:
        text = formatting.clean(display_url(node.url), _LONGEST).replace("&", "&&")
        status = "" if node.status is None else f"\t{node.status}"
        action = self.addAction(icon(icon_name(node.outcome, node.status)), f"{text}{status}")
        action.triggered.connect(lambda: self.url_wanted.emit(node.id))
