"""Text and DOM of a page beside each other: its HTML, as rendered, as stored, as rendered now."""

from PySide6.QtCore import QObject

from gossamer.gui.details.side_by_side_view import ComparedTexts
from gossamer.gui.text.translated_sentences import spoken
from gossamer.model.messages.page_rendering_messages import RenderingReport, StoredDomComparison


class TextComparisons(QObject):
    """Three views: the text and the DOM before and after rendering, and the DOM then and now."""

    def __init__(self) -> None:
        super().__init__()
        heads = (self.tr("In the HTML"), self.tr("In the rendered page"))
        same = self.tr("Scripts change nothing.")
        self.texts = ComparedTexts(self.tr("Text"), heads, same)
        self.dom = ComparedTexts(self.tr("DOM"), heads, same, is_source=True)
        self.dom_changes = ComparedTexts(
            self.tr("DOM then and now"),
            (self.tr("As stored"), self.tr("As rendered now")),
            self.tr("The stored DOM and the present one are the same."),
            is_source=True,
        )

    @property
    def parts(self) -> tuple[ComparedTexts, ...]:
        """All of them."""
        return self.texts, self.dom, self.dom_changes

    def show_rendering(
        self, shown: RenderingReport, stored: StoredDomComparison | None, why_none: str
    ) -> None:
        """Show the texts of a rendering, or those that the archive has, or `why_none`."""
        source = shown if stored is None else stored
        self.texts.show_texts(source.texts, why_none)
        self.dom.show_texts(source.dom, why_none)
        why = "" if shown.why_no_changes is None else spoken(shown.why_no_changes)
        self.dom_changes.show_texts(shown.dom_changes, why)
