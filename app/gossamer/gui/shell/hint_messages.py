"""What to try where a crawl found nothing: one sentence, one button."""

from collections.abc import Callable

from PySide6.QtCore import QObject

from gossamer.gui.look import outcome_style
from gossamer.gui.project.reader_thread import ProjectReader
from gossamer.gui.text import formatting
from gossamer.gui.text.sentences import host_of
from gossamer.gui.widgets.message_bar import Kind, MessageButton, MessageColumn
from gossamer.model.settings import CrawlSettings
from gossamer.session.crawl_hints import Finding, Hint, hint_about
from gossamer.urls.tree import display_url

_SUBJECT = "hint"
_NOTHING_GOT = frozenset(
    {
        Finding.UNKNOWN_HOST,
        Finding.BAD_CERTIFICATE,
        Finding.NOT_HTTPS,
        Finding.NO_CONNECTION,
        Finding.NO_PROXY,
        Finding.PRIVATE,
        Finding.BROKEN,
        Finding.TROUBLED,
    }
)
"""What leaves a crawl with empty hands for certain."""


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

    def _show(self, hint: Hint | None) -> None:
        if hint is None:
            return
        sentence, button = self._words(hint)
        remedy = hint.remedy
        if remedy is not None:
            answers = [MessageButton(button, lambda: self._crawl_anew(remedy))]
        elif hint.server:
            answers = [MessageButton(button, lambda: self._trust(hint.server))]
        elif hint.finding in {Finding.UNKNOWN_HOST, Finding.BROKEN}:
            answers = [MessageButton(button, self._edit_address)]
        else:
            answers = []
        kind: Kind = "error" if hint.finding in _NOTHING_GOT else "warning"
        self._messages.tell(_SUBJECT, kind, sentence, *answers)

    def _words(self, hint: Hint) -> tuple[str, str]:
        """The sentence on a finding, and what its button says."""
        host = host_of(hint.root)
        target = host_of(hint.remedy.roots[0]) if hint.remedy and hint.remedy.roots else ""
        sentence, button = {
            Finding.BLOCKED_BY_ROBOTS: (
                self.tr("{host} asks crawlers to stay away in its robots.txt: nothing was read."),
                self.tr("Crawl in spite of it"),
            ),
            Finding.ROBOTS_UNAVAILABLE: (
                self.tr(
                    "The robots.txt of {host} could not be read, which forbids to fetch anything."
                ),
                self.tr("Crawl in spite of it"),
            ),
            Finding.LEADS_ELSEWHERE: (
                self.tr("{host} redirects to another site, which is not part of this crawl."),
                self.tr("Crawl {target}"),
            ),
            Finding.REFUSED: (
                self.tr("{host} turns crawlers away; people may well get in."),
                self.tr("Try slowly, as a browser"),
            ),
            Finding.NEEDS_SCRIPTS: (
                self.tr(
                    "The page is drawn by scripts, which Gossamer does not run; no link was found."
                ),
                self.tr("Look in the sitemaps"),
            ),
            Finding.NOFOLLOW: (
                self.tr("The page asks crawlers not to follow its links."),
                self.tr("Follow them"),
            ),
            Finding.BAD_CERTIFICATE: (
                self.tr("The certificate of {host} is not valid, so nothing was requested."),
                self.tr("Go on all the same"),
            ),
            Finding.NOT_HTTPS: (
                self.tr("{host} does not speak HTTPS."),
                self.tr("Try http://"),
            ),
            Finding.MAYBE_HTTPS: (
                self.tr("{host} gave no page over http://. It may speak HTTPS alone."),
                self.tr("Try https://"),
            ),
            Finding.UNKNOWN_HOST: (
                self.tr("There is no host called {host}. Is the address right?"),
                self.tr("Change the address"),
            ),
            Finding.NO_CONNECTION: (
                self.tr("{host}: {why} Check the address and its port, then try again."),
                self.tr("Try again"),
            ),
            Finding.NO_PROXY: (
                self.tr(
                    "The proxy does not work, so {host} was not asked. Check the proxy in the"
                    " settings, then try again."
                ),
                self.tr("Try again"),
            ),
            Finding.PRIVATE: (
                self.tr(
                    "{host} leads into a private network, so it was not asked. Start at its private"
                    " address if you want to crawl it."
                ),
                "",
            ),
            Finding.BROKEN: (
                self.tr("{url}: {why} Check the address."),
                self.tr("Change the address"),
            ),
            Finding.TROUBLED: (
                self.tr("{url}: {why} Nothing was found; try again later."),
                self.tr("Try again"),
            ),
        }[hint.finding]
        words = sentence.format(
            host=host,
            url=formatting.clean(display_url(hint.root)),
            why=outcome_style.sentence(hint.outcome),
        )
        return words, button.format(target=target)
