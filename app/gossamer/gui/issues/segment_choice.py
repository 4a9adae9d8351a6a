"""The choice of a segment, to which tables and counts of issues are limited."""

from typing import Final

from PySide6.QtGui import QColor, QIcon, QPixmap
from PySide6.QtWidgets import QComboBox, QWidget

from gossamer.gui.issues.issue_counts import IssueCounts
from gossamer.gui.look.theme import colour
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.errors import UsageError
from gossamer.model.segments import Segment, parse_segments
from gossamer.model.settings.crawl_settings import CrawlSettings

NO_SEGMENT: Final = ""
"""The value of facets and counts for URLs in no segment."""
_SIGN: Final = 10
_SHORTEST: Final = 8
_WIDEST: Final = 180


def defined_segments(settings: CrawlSettings) -> tuple[Segment, ...]:
    """The segments of the settings; none if another version wrote them."""
    try:
        return parse_segments(settings.segments)
    except UsageError:
        return ()


def segment_icon(tint: str) -> QIcon:
    """A square in the colour of a segment."""
    picture = QPixmap(_SIGN, _SIGN)
    picture.fill(QColor(tint))
    return QIcon(picture)


class SegmentChoice(QComboBox):
    """Chooses one segment, all, or the URLs in no segment. Hidden without segments.

    It limits `counts` to the choice, and shows their current limit.
    """

    def __init__(self, counts: IssueCounts, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts = counts
        self._shown: object = None
        self.is_offered = True
        """Whether it may be visible here."""
        for widget in (self, self.view()):
            widget.setAccessibleName(self.tr("Filter by segment"))
        self.setToolTip(self.tr("Filter by segment"))
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.setMinimumContentsLength(_SHORTEST)
        self.setMaximumWidth(_WIDEST)
        self.setMaxVisibleItems(30)
        self.hide()
        counts.changed.connect(self._write)
        self.activated.connect(lambda index: counts.use_segments(self.itemData(index)))
        self._write()

    def offer(self, *, offered: bool) -> None:
        """Set whether it may be visible, if there are segments."""
        self.is_offered = offered
        self._write()

    def _write(self) -> None:
        segments, chosen = defined_segments(self._counts.settings), self._counts.segments
        self.setVisible(self.is_offered and bool(segments or chosen))
        if (segments, chosen) == self._shown:
            return
        self._shown = (segments, chosen)
        self.clear()
        self.addItem(self.tr("All segments"), frozenset[str]())
        for each in segments:
            name = formatting.clean(each.name)
            self.addItem(segment_icon(each.colour), name, frozenset({each.name}))
        none = segment_icon(colour("muted").name())
        self.addItem(none, self.tr("No segment"), frozenset({NO_SEGMENT}))
        known = [self.itemData(index) for index in range(self.count())]
        if chosen not in known:  # several from the filter menu, or one no longer defined
            names = sorted(chosen)
            text = names[0] if len(names) == 1 else self.tr("%Ln segment(s)", "", len(names))
            self.addItem(formatting.clean(text), chosen)
            known.append(chosen)
        self.setCurrentIndex(known.index(chosen))
