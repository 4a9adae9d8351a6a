"""Where the roots of a crawl lead: the basis of the hints about crawls that found nothing."""

from collections.abc import Sequence
from typing import Final, NamedTuple, Protocol

from gossamer.model.fields.link_record import LinkRecord
from gossamer.model.fields.url_record import UrlRecord
from gossamer.model.link_kinds import OUTLINK_KINDS, LinkAction
from gossamer.model.login_pages import has_login_path, has_password_field, is_login_page
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.project_queries import TreeNode
from gossamer.model.settings.limit_settings import MAX_REDIRECTS

_BAD_REQUEST: Final = 400
"""The response of most servers to plain HTTP at a port for TLS."""
_PROXY_UNAUTHORIZED: Final = 407
_WITHOUT_HTTP: Final = frozenset({Outcome.MALFORMED_RESPONSE, Outcome.CONNECTION_LOST})
"""The outcome with the others: a TLS alert, or nothing."""
_REDIRECTS: Final = frozenset({Outcome.REDIRECT, Outcome.REDIRECT_OUT_OF_SCOPE})


class Landing(NamedTuple):
    """The URL that a root leads to, with its first links."""

    page: UrlRecord
    is_root: bool
    """Whether it is the root itself, not the target of its redirect."""
    links: Sequence[LinkRecord]
    """The first links, if it is a page."""
    got_nothing: bool
    """Whether the whole crawl got nothing."""
    has_login: bool = False
    """Whether the crawl had a login for it."""
    asks_for_login: bool = False
    """Whether all roots of a crawl without a login lead to one."""

    @property
    def has_nofollow_links(self) -> bool:
        """Whether it asks crawlers not to follow links to other pages."""
        return any(
            link.kind in OUTLINK_KINDS and link.action is LinkAction.NOFOLLOW for link in self.links
        )

    @property
    def speaks_only_tls(self) -> bool:
        """Whether only TLS seems to be spoken there."""
        page = self.page
        is_plain = page.url.startswith("http://")
        return is_plain and (page.status == _BAD_REQUEST or page.outcome in _WITHOUT_HTTP)

    @property
    def is_of_proxy(self) -> bool:
        """Whether the response is the proxy's rather than the server's."""
        return self.page.status == _PROXY_UNAUTHORIZED

    def leads_to_login(self, *, is_alone: bool) -> bool:
        """Whether there is nothing but a login.

        If the crawl found no other page (`is_alone`), a password field is enough; otherwise the
        page must call itself a login page, or be the target of a redirect to one.
        """
        page = self.page
        if page.outcome in PAGES:
            is_sent_there = not self.is_root and has_login_path(page.url)
            is_form = is_alone and has_password_field(page)
            return is_sent_there or is_form or is_login_page(page.url, page)
        return page.outcome in _REDIRECTS and has_login_path(page.redirect or "")


class HintRows(Protocol):
    """The project queries needed here; `gossamer.store.reading.reader.Reader` implements them."""

    def outcome_counts(self) -> dict[Outcome, int]:
        """How many URLs have each outcome."""

    def children(self, parent: int | None, after: int = 0, limit: int = 200) -> list[TreeNode]:
        """The roots, for None."""

    def records(self, ids: Sequence[int]) -> list[UrlRecord]:
        """What is known of these URLs."""

    def outlinks(self, url_id: int, after: int = -1, limit: int = 200) -> list[LinkRecord]:
        """The first links of a page."""


def landing_of(root: UrlRecord, rows: HintRows) -> Landing:
    """Where the redirects of a root end, as far as they belong to this crawl."""
    at = root
    for _ in range(MAX_REDIRECTS):
        found = rows.children(at.id, 0, 1) if at.outcome is Outcome.REDIRECT else []
        if not found:
            break
        [at] = rows.records([found[0].id])
    links = rows.outlinks(at.id) if at.outcome in PAGES else []
    return Landing(at, at is root, links, got_nothing=False)
