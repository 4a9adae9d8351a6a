"""What to try where a crawl found nothing: one sentence, one button."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from gossamer.audit.crawl_hints import Answer, CrawlHint, hint_about
from gossamer.audit.rule import RuleKind
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import formatting
from gossamer.gui.text.sentences import host_of, spoken
from gossamer.gui.widgets.message_bar import Kind, MessageButton, MessageColumn
from gossamer.model.outcome import sentence_of
from gossamer.model.settings import CrawlSettings
from gossamer.model.translatable import Translatable
from gossamer.urls.tree import display_url

_SUBJECT = "hint"


class Hints(QObject):
    """Looks at a crawl that has come to its end, and offers the remedy if it found nothing.

    `crawl_anew` is called with the settings of the remedy, `edit_address` where only another
    address can help, `trust` with the server whose certificate is not to be checked.
    """

    def __init__(
        self,
        reader: ProjectReader,
        messages: MessageColumn,
        crawl_anew: Callable[[CrawlSettings], None],
        edit_address: Callable[[], None],
        trust: Callable[[str], None],
    ) -> None:
        super().__init__(messages)
        self._reader = reader
        self._messages = messages
        self._crawl_anew = crawl_anew
        self._edit_address = edit_address
        self._trust = trust

    def look(self, settings: CrawlSettings) -> None:
        """Offer what may help if the crawl with `settings`, now at its end, found no page."""
        self._reader.submit(lambda rows: hint_about(rows, settings), self._show, key=_SUBJECT)

    def withdraw(self) -> None:
        """Take back what was offered: another crawl is shown."""
        self._reader.forget(_SUBJECT)
        self._messages.withdraw(_SUBJECT)

    def _show(self, hint: CrawlHint | None) -> None:
        if hint is None:
            return
        declaration = hint.finding.declaration
        sentence = spoken(
            Translatable(
                declaration.text,
                {
                    "host": host_of(hint.root),
                    "url": formatting.clean(display_url(hint.root)),
                    "why": Translatable(sentence_of(hint.outcome, None)),
                },
            )
        )
        target = host_of(hint.settings.roots[0]) if hint.settings else ""
        button = spoken(Translatable(declaration.button, {"target": target}))
        act = self._act(hint)
        answers = [MessageButton(button, act)] if act else []
        kind: Kind = "error" if declaration.kind is RuleKind.ISSUE else "warning"
        self._messages.tell(_SUBJECT, kind, sentence, *answers)

    def _act(self, hint: CrawlHint) -> Callable[[], None] | None:
        """What the button does; None for no button."""
        settings, answer = hint.settings, hint.finding.declaration.answer
        if settings is not None:
            return lambda: self._crawl_anew(settings)
        if answer is Answer.TRUST:
            return lambda: self._trust(hint.server)
        return self._edit_address if answer is Answer.EDIT else None
