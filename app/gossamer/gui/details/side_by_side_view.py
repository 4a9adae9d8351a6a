"""Two texts side by side, with differences marked."""

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final, NamedTuple

from PySide6.QtCore import QEvent, QUrl
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QCheckBox, QFrame, QHBoxLayout, QTextBrowser, QWidget

from gossamer.gui.look import theme
from gossamer.gui.tables.empty_state import EmptyStateText
from gossamer.gui.text import local_formatting as formatting
from gossamer.gui.text.local_formatting import translator
from gossamer.gui.widgets.stacked_column import column_of
from gossamer.model.messages.page_contents_messages import ComparedRow, SideBySide, TextPart

_tr = translator("DuplicateTextsView")
_MAX_SHOWN: Final = 300
"""The most rows that are laid out: more would block the window for too long."""
_MAX_CHARACTERS: Final = 60_000
_AROUND: Final = 1
"""The equal paragraphs shown around those that differ."""
_TINT: Final = 0.22
_NARROW, _WIDE = 1, 4
"""The pixels around lines of source and around paragraphs."""
_HARD_SPACE: Final = "\N{NO-BREAK SPACE}"


class TextSection(NamedTuple):
    """Two texts below their name; "" for no name."""

    name: str
    texts: SideBySide

    @property
    def differs(self) -> bool:
        """Whether the texts differ anywhere."""
        return any(row.differs for row in self.texts.rows)


class SideBySideText(QTextBrowser):
    """Shows two texts or a note. Loads nothing: no text from the web may cause a request."""

    def __init__(
        self, name: str, same: str, *, is_source: bool = False, parent: QWidget | None = None
    ) -> None:
        """`name` is for screen readers; `same` is shown if nothing differs.

        With `is_source`, rows are lines of source; else they are paragraphs.
        """
        super().__init__(parent)
        self._same = same
        self._is_source = is_source
        self._heads = ("", "")
        self._sections: list[TextSection] = []
        self._only_differences = True
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setAccessibleName(name)
        self.document().setDocumentMargin(theme.SPACE_S)
        self.note = EmptyStateText(self)

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Load nothing."""
        del kind, name
        return None

    def show_texts(
        self, heads: tuple[str, str], texts: SideBySide, *, only_differences: bool
    ) -> None:
        """Show two texts below their titles; a sentence may replace equal texts."""
        self.show_sections(heads, [TextSection("", texts)], only_differences=only_differences)

    def show_sections(
        self, heads: tuple[str, str], sections: Sequence[TextSection], *, only_differences: bool
    ) -> None:
        """Show several pairs of texts; equal pairs are left out likewise."""
        self._heads, self._sections = heads, list(sections)
        self._only_differences = only_differences
        self._show()

    def show_note(self, text: str) -> None:
        """Show a sentence instead."""
        self._sections = []
        self._note(text)

    def changeEvent(self, event: QEvent) -> None:
        """Use the colours of a new palette."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._sections:
            self._show()

    def _show(self) -> None:
        only = self._only_differences
        sections = [each for each in self._sections if each.differs or not only]
        if not sections:
            self._note(self._same)
            return
        self.note.hide()
        self.setAccessibleDescription("")
        self.setHtml(self._html(sections))

    def _note(self, text: str) -> None:
        self.clear()
        self.note.setText(text)
        self.note.show()
        self.setAccessibleDescription(text)

    def _html(self, sections: Sequence[TextSection]) -> str:
        muted = theme.colour("muted").name()
        heads = "".join(
            f'<td width="50%"><b>{escape(formatting.clean(head))}</b></td>' for head in self._heads
        )
        lines = [f"<tr>{heads}</tr>"]
        is_cut = self._add_rows(lines, sections, muted)
        if is_cut:
            words = (
                _tr("More lines are not shown.")
                if self._is_source
                else _tr("More paragraphs are not shown.")
            )
            lines.append(_across(escape(words), muted))
        font = f"font-family:'{_fixed_font()}';" if self._is_source else ""
        padding = _NARROW if self._is_source else _WIDE
        return (
            f'<table width="100%" cellspacing="0" cellpadding="{padding}" style="{font}">'
            f"{''.join(lines)}</table>"
        )

    def _add_rows(self, lines: list[str], sections: Sequence[TextSection], muted: str) -> bool:
        """Add the rows of the texts; returns whether some are left out."""
        left, characters = _MAX_SHOWN, _MAX_CHARACTERS
        for name, texts in sections:
            if name:
                lines.append(_across(escape(formatting.clean(name)), muted))
            for row, skipped in _shown_rows(texts.rows, only=self._only_differences):
                left -= 1
                characters -= sum(len(part.text) for part in (*row.left, *row.right))
                if left < 0 or characters < 0:
                    return True
                if skipped:
                    lines.append(_across(f"… {escape(self._equal(skipped))} …", muted))
                cells = (_cell(row.left, "error"), _cell(row.right, "ok"))
                lines.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
        return any(texts.is_cut for _, texts in sections)

    def _equal(self, count: int) -> str:
        if self._is_source:
            return _tr("%Ln equal line(s)", count)
        return _tr("%Ln equal paragraph(s)", count)


class ComparedTexts(QWidget):
    """Two texts of a page side by side, under `heads`; `same` is what to say if they are equal."""

    def __init__(
        self,
        name: str,
        heads: tuple[str, str],
        same: str,
        *,
        is_source: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._heads = heads
        self._texts: SideBySide | None = None
        self.setAccessibleName(name)
        self.text = SideBySideText(name, same, is_source=is_source)
        self.only_differences = QCheckBox(_tr("Only differences"))
        self.only_differences.setChecked(True)
        self.only_differences.toggled.connect(self._show)
        self._bar = QWidget()
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(theme.SPACE_S, theme.SPACE_XS, theme.SPACE_S, theme.SPACE_XS)
        row.addWidget(self.only_differences)
        row.addStretch(1)
        column_of(self._bar, self.text, filling=self.text, inside=self)

    def show_texts(self, texts: SideBySide | None, why_none: str) -> None:
        """Show these texts, or `why_none` if there are none."""
        self._texts = texts
        self._bar.setVisible(texts is not None)
        if texts is None:
            self.text.show_note(why_none)
        self._show()

    def _show(self) -> None:
        if self._texts is not None:
            only = self.only_differences.isChecked()
            self.text.show_texts(self._heads, self._texts, only_differences=only)


def _fixed_font() -> str:
    return QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont).family()


def _across(words: str, colour: str) -> str:
    return f'<tr><td colspan="2" style="color:{colour}">{words}</td></tr>'


def _cell(parts: Sequence[TextPart], role: theme.Role) -> str:
    tint = theme.mixed(role, _TINT).name()
    return "".join(
        f'<span style="background-color:{tint}">{escape(formatting.clean(part.text))}</span>'
        if part.differs
        else _plain(part.text)
        for part in parts
    )


def _plain(text: str) -> str:
    """Escaped text that keeps its indentation."""
    return escape(formatting.clean(text)) if text.strip() else _HARD_SPACE * len(text)


def _shown_rows(rows: Sequence[ComparedRow], *, only: bool) -> Iterable[tuple[ComparedRow, int]]:
    """The rows to show, each with the number of equal rows left out before it."""
    last = -1
    for index, row in enumerate(rows):
        near = rows[max(index - _AROUND, 0) : index + _AROUND + 1]
        if not only or any(each.differs for each in near):
            yield row, index - last - 1
            last = index
