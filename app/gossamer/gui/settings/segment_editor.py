"""The editable table of segments in the settings, with the URLs of the crawl in each."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeAlias

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHeaderView, QWidget

from gossamer.gui.custom_definitions.definition_dialog import FormDialog
from gossamer.gui.custom_definitions.definition_list import (
    EXTRACTIONS,
    SEARCHES,
    DefinitionKind,
    DefinitionList,
)
from gossamer.gui.issues.segment_choice import segment_icon
from gossamer.gui.settings.segment_dialog import SegmentDialog
from gossamer.gui.text import local_formatting as formatting
from gossamer.model.errors import UsageError
from gossamer.model.segments import MAX_SEGMENTS, SegmentText, parse_segments, usual_colour
from gossamer.model.settings.setting_types import (
    CustomExtractions,
    CustomSearches,
    SegmentDefinitions,
)

CountSegments: TypeAlias = Callable[[Sequence[str], Callable[[Mapping[str, int]], None]], None]
"""Counts the URLs of segments, given as texts, and passes the counts by name to the callback."""
SEGMENTS: Final = DefinitionKind(
    SegmentText(""),
    SegmentDialog,
    lambda segment: segment.condition,
    most=MAX_SEGMENTS,
    on_pages=False,
    parse=SegmentText.parse,
    write=str,
)
_COUNT: Final = 2
_COUNT_WIDTH: Final = 10


class SegmentEditor(DefinitionList):
    """Segments in the order in which their conditions are tried."""

    def __init__(self, parent: QWidget | None = None) -> None:
        self._count: CountSegments | None = None
        super().__init__(SEGMENTS, parent)
        self.tree.setColumnCount(_COUNT + 1)
        self.tree.setHeaderLabels([self.tr("Name"), self.tr("Condition"), self.tr("URLs")])
        header = self.tree.header()
        header.setStretchLastSection(False)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Stretch)
        header.resizeSection(_COUNT, self.fontMetrics().averageCharWidth() * _COUNT_WIDTH)
        self.tree.setColumnHidden(_COUNT, True)
        end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        self.tree.headerItem().setTextAlignment(_COUNT, end)
        self.duplicate.hide()
        self.changed.connect(self._show_details)

    def offer_counts(self, count: CountSegments) -> None:
        """Show how many URLs `count` finds for each segment that no segment above has."""
        self._count = count
        self.tree.setColumnHidden(_COUNT, False)
        self._show_details()

    def prepare(self, dialog: FormDialog) -> None:
        """Let a dialog count URLs, too."""
        if self._count is not None and isinstance(dialog, SegmentDialog):
            dialog.offer_count(self._count)

    def _show_details(self) -> None:
        """Colour the rows and count their URLs."""
        texts = self.definitions()
        for row, text in enumerate(texts):
            item = self.tree.topLevelItem(row)
            if item is not None:
                colour = SegmentText.parse(text).colour or usual_colour(row)
                item.setIcon(0, segment_icon(colour))
        if self._count is not None:
            try:
                parse_segments(texts)
            except UsageError:  # the field shows the reason below the table
                self._show_counts({})
            else:
                self._count(texts, lambda counts: self._show_if_current(texts, counts))

    def _show_if_current(self, texts: Sequence[str], counts: Mapping[str, int]) -> None:
        if tuple(texts) == self.definitions():
            self._show_counts({SegmentText.parse(text).name: 0 for text in texts} | {**counts})

    def _show_counts(self, counts: Mapping[str, int]) -> None:
        for row, text in enumerate(self.definitions()):
            item = self.tree.topLevelItem(row)
            if item is not None:
                number = counts.get(SegmentText.parse(text).name)
                item.setText(_COUNT, "" if number is None else formatting.number(number))
                end = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
                item.setTextAlignment(_COUNT, end)


def definition_list(
    values: CustomSearches | CustomExtractions | SegmentDefinitions,
) -> DefinitionList:
    """The editor for the definitions of a setting."""
    if isinstance(values, SegmentDefinitions):
        return SegmentEditor()
    return DefinitionList(SEARCHES if isinstance(values, CustomSearches) else EXTRACTIONS)
