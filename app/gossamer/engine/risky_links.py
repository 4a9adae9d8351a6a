"""Knows which links sign out or delete, from their URLs and from the pages that contain them.

They count in a crawl with a login, at the origins that receive it. See `engine.risky_words`.
"""

from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from types import MappingProxyType
from typing import Final

from gossamer.engine.risky_words import is_to_read, risky_text, risky_url
from gossamer.model.link_kinds import OUTLINK_KINDS, LinkAction
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import Visit
from gossamer.urls.url_parsing import origin

NONE_KNOWN: Final[Mapping[str, str]] = MappingProxyType({})
_MAX_RISKY: Final = 10_000


class RiskyLinks:
    """Collects what URLs and pages say about risky links."""

    def __init__(self, settings: CrawlSettings, known: Mapping[str, str] = NONE_KNOWN) -> None:
        """`known` is what the project file says about risky links, by URL."""
        self._login_origins = login_origins(settings)
        self._targets = dict(known)
        """URLs whose links say that they sign out or delete, with what these say."""
        self._new: dict[str, str] = {}
        self._sent: dict[str, str] = {}
        """URLs to which scripts send another method than GET, with that."""
        self._shown: set[str] = set()
        """Those of them that are pages, too: other links lead there."""

    def __bool__(self) -> bool:
        """Whether any could harm: whether there is a login."""
        return bool(self._login_origins)

    def note(self, visit: Visit) -> None:
        """Remember what the links of a page say of their targets."""
        links = visit.links
        found = list(visit.acts.items())
        sent = visit.acts_by_method  # whose text tells of that
        within = set(links.fragments.where(bool, len(links)))  # such as "#", at which a script acts
        for place, (target, text) in enumerate(zip(links.targets, links.texts, strict=True)):
            is_said = place not in within and links.kinds[place] in OUTLINK_KINDS
            if is_said and (words := risky_text(text)):
                url = visit.targets[target]
                found += [] if url in sent else [(url, words)]
        for risky, said in ((self._targets, found), (self._sent, sent.items())):
            for url, words in said:
                if words and len(risky) < _MAX_RISKY and not is_to_read(url):
                    if risky is self._targets and url not in risky:
                        self._new[url] = words
                    risky.setdefault(url, words)

    def note_words(self, url: str, words: str) -> None:
        """Note what a link found by another shard says."""
        if len(self._targets) < _MAX_RISKY:
            self._targets.setdefault(url, words)

    def take_new(self) -> dict[str, str]:
        """What pages have said since the last call: for the file, and for other shards."""
        new, self._new = self._new, {}
        return {url: words for url, words in new.items() if origin(url) in self._login_origins}

    def show(self, url: str) -> None:
        """Note that a link leads to a URL to which scripts only sent another method before."""
        if self._login_origins and len(self._shown) < _MAX_RISKY:
            self._shown.add(url)

    def is_shown(self, url: str) -> bool:
        """Whether such a link leads to a URL that nothing else calls risky."""
        return url in self._shown and not self.said_of(url)

    def is_said_of(self, url: str) -> bool:
        """Whether the URL, or a link that leads there by GET, says that it signs out or deletes."""
        return origin(url) in self._login_origins and bool(url in self._targets or risky_url(url))

    def said_of(self, url: str) -> str:
        """What looks like signing out or deleting, for a URL that receives a login; else ""."""
        if origin(url) not in self._login_origins:
            return ""
        words = risky_url(url) or self._targets.get(url)
        if words or url in self._shown:
            return words or ""
        return self._sent.get(url, "")


def risky_rows(
    found: Iterable[tuple[int, str, str]], origins: Collection[str]
) -> list[tuple[int, str]]:
    """Ids and texts of the targets at these origins, from ids, URLs and texts of risky links.

    They are for the file, when pages were read before the login was known.
    """
    rows = ((i, words) for i, url, words in found if origin(url) in origins and not is_to_read(url))
    return list(islice(rows, _MAX_RISKY))


def without_sent(visit: Visit, actions: bytes) -> bytes:
    """`actions` without those for links that scripts use with another method than GET.

    So a link to the same URL that is found later is the better way.
    """
    sent = {url for url, method in visit.acts_by_method.items() if method}
    if not sent:
        return actions
    changed = bytearray(actions)
    for number, target in enumerate(visit.links.targets):
        if visit.targets[target] in sent:
            changed[number] = LinkAction.RECORD
    return bytes(changed)


def login_origins(settings: CrawlSettings) -> frozenset[str]:
    """The origins that receive a login: links that may end it are not followed there."""
    if settings.follow_sign_out:
        return frozenset()
    return frozenset(names.origin for names in settings.needs_secrets)
