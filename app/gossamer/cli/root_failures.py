"""Checks whether a crawl shows its site, and explains what became of its roots."""

from typing import Final

from msgspec import Struct

from gossamer.audit.empty_crawl_hints import CrawlFinding, hint_about
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.number_format import number
from gossamer.model.outcome import ERROR_OUTCOMES, Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.crawl_failure import IN_VAIN, failure_in, read_roots, reason_of
from gossamer.store.reading.reader import Reader
from gossamer.urls.url_parsing import server_name, server_of

_MOST_SENTENCES = 20
_ABOUT_LOGINS: Final = {
    CrawlFinding.ASKS_FOR_LOGIN: "{url} asks for a login. To crawl what is behind it, crawl again"
    " with --login (a browser window) or --login-form URL (no browser).",
    CrawlFinding.ASKS_FOR_PASSWORD: "{url} asks for a user and a password. Crawl again with --auth"
    " USER; or, if the site has a login of its own, with --login or --login-form URL.",
    CrawlFinding.LOGIN_REFUSED: "{url} does not accept the login. Check it, and crawl again.",
}


class RootCheck(Struct, frozen=True):
    """Whether the crawl shows its site, or still may, and a sentence on each root with problems."""

    shows_site: bool
    sentences: list[str]


def check_roots(reader: Reader, settings: CrawlSettings, *, told: bool = True) -> RootCheck:
    """Read what became of the roots of a project that was crawled with `settings`.

    Unless they are to be `told`, there are sentences only if the crawl does not show its site.
    """
    sentences: list[str] = []
    troubled = 0
    for root in read_roots(reader):
        sentence = _trouble(root)
        if sentence is not None:
            troubled += 1
            if troubled <= _MOST_SENTENCES:
                sentences.append(sentence)
    if troubled > _MOST_SENTENCES:
        sentences.append(f"{number(troubled - _MOST_SENTENCES)} more roots are in trouble.")
    hint = hint_about(reader, settings)
    if hint is not None and hint.finding in _ABOUT_LOGINS:
        sentences.append(_ABOUT_LOGINS[hint.finding].format(url=hint.root))
    shows_site = failure_in(reader, settings) is None
    return RootCheck(shows_site, sentences if told or not shows_site else [])


def _trouble(root: UrlRecord) -> str | None:
    """Why a root did not lead into its site, in one sentence; None if it did."""
    if root.outcome is Outcome.OTHER_SHARD:
        return None  # that one has tried it
    if root.outcome is Outcome.REDIRECT_OUT_OF_SCOPE:
        return (
            f"{root.url} redirects to {root.redirect}, outside this crawl;"
            " crawl that URL, or use --host-match lenient."
        )
    if root.outcome is Outcome.BAD_CERTIFICATE:
        server = server_name(server_of(root.url))
        return f"{root.url}: {reason_of(root)} To crawl it anyway, resume with --insecure {server}."
    if root.outcome is Outcome.NOT_HTTPS:
        return f"{root.url}: {root.outcome.sentence} To crawl it without HTTPS, start the URL with http://."
    if root.outcome in ERROR_OUTCOMES or root.outcome.state in IN_VAIN:
        status = f" (status {root.status})" if root.status else ""
        return f"{root.url}{status}: {reason_of(root)}"
    return None
