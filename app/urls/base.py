"""Joining the many links of a page to its base URL."""

from functools import lru_cache

from app.urls.parse import HTTP_SCHEMES, join
from app.urls.query_encoding import QueryEncoding

MAX_REMEMBERED = 16_384
MAX_REMEMBERED_LENGTH = 300
"""Characters; together with MAX_REMEMBERED they bound the memory at some 15 MB."""

_ABSOLUTE = ("/", *HTTP_SCHEMES)
_remembered_join = lru_cache(maxsize=MAX_REMEMBERED)(join)


class Base:
    """The serialised http or https URL that hrefs are relative to.

    The pages of a site share most of their links, and what a link means seldom depends on the
    whole base: joins are remembered by the part of it that counts, over all pages.
    `query_encoding` is that of the document, None where it is UTF-8.
    """

    def __init__(self, url: str, query_encoding: QueryEncoding | None = None) -> None:
        self.url = url
        self.query_encoding = query_encoding
        path = url.partition("?")[0]
        self._root = url[: url.index("/", len("https://")) + 1]
        self._folder = path[: path.rindex("/") + 1]

    def join(self, href: str) -> str | None:
        """What `app.urls.parse.join` gives for this base and `href`, its query encoded."""
        if self.query_encoding is not None:
            href = self.query_encoding(href)
        if len(href) <= MAX_REMEMBERED_LENGTH:
            if href.startswith(_ABSOLUTE):
                return _remembered_join(self._root, href)
            # Not "?q" or "", which keep the page's own name; nor "https:?q", which does too.
            if (href[:1].isalnum() or href[:1] == ".") and ":" not in href:
                return _remembered_join(self._folder, href)
        return join(self.url, href)
