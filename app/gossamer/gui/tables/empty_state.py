"""What a view without rows says."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QAbstractItemView, QAbstractScrollArea, QLabel

from gossamer.gui.text.local_formatting import translator
from gossamer.model.project_queries import View

_tr = translator("EmptyTable")

_MARGIN = 24


class EmptyStateText(QLabel):
    """Plain text in the middle of a view."""

    def __init__(self, view: QAbstractScrollArea) -> None:
        super().__init__(view.viewport())
        self._viewport = view.viewport()
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setWordWrap(True)
        self.setMargin(_MARGIN)
        self.setProperty("muted", True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._viewport.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Fill the view."""
        if event.type() == QEvent.Type.Resize:
            self.setGeometry(self._viewport.rect())
        return super().eventFilter(watched, event)


class EmptyNote(EmptyStateText):
    """A note that is there as long as a view has no rows."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        model = view.model()
        for signal in (
            model.rowsInserted,
            model.rowsRemoved,
            model.modelReset,
            model.layoutChanged,
        ):
            signal.connect(self.update_visibility)
        self.update_visibility()

    def show_text(self, text: str) -> None:
        """Show this while there are no rows."""
        self.setText(text)
        self._view.setAccessibleDescription(text if not self.isHidden() else "")

    def update_visibility(self) -> None:
        """Show or hide, depending on the rows."""
        empty = self._view.model().rowCount() == 0
        self.setVisible(empty)
        self._view.setAccessibleDescription(self.text() if empty else "")


def empty_words(view: View, *, ended: bool) -> str:
    """The placeholder of a view without a filter; `ended`: the crawl finds no more."""
    if ended:
        return {
            View.ALL: _tr("No address was found."),
            View.PAGES: _tr("No page was found."),
            View.REDIRECTS: _tr("No redirects."),
            View.ERRORS: _tr("No errors."),
            View.BROKEN_LINKS: _tr("No broken links."),
            View.EXTERNAL: _tr("No links to other sites."),
            View.RESOURCES: _tr(
                "No images, scripts or other files that work. Those that do not are on Errors."
            ),
            View.SKIPPED: _tr("Nothing was skipped."),
            View.LINKS: _tr("No links were found."),
        }[view]
    return {
        View.ALL: _tr("No address yet."),
        View.PAGES: _tr("Pages appear here once they have been fetched."),
        View.REDIRECTS: _tr("No redirects so far."),
        View.ERRORS: _tr("No errors so far."),
        View.BROKEN_LINKS: _tr("No broken links so far."),
        View.EXTERNAL: _tr("No links to other sites so far."),
        View.RESOURCES: _tr("Images, scripts and other files that work appear here."),
        View.SKIPPED: _tr("Nothing was skipped so far."),
        View.LINKS: _tr("Links appear here once pages have been read."),
    }[view]
