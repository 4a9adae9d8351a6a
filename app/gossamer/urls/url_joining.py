"""Resolves the links of a page against its base URL, with a cache."""

import re
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from threading import Lock

from gossamer.urls.query_encoding import QueryEncoding
from gossamer.urls.url_parsing import HTTP_SCHEMES, is_http, join

MAX_LENGTH = 1000
"""Characters of href and URL together; longer ones are not remembered."""
MAX_REMEMBERED = 8_000_000
"""Bytes of all that is remembered, about."""
_OVERHEAD = 200
"""Bytes that each href takes beside its characters; each part of a base takes twice as many."""

_PLAIN = re.compile(
    r"(https?://(?:[a-z0-9]++(?:-[a-z0-9]++|)*+\.|)*+[a-z]{2,}+/|/|(?:\.\./|)*+)"
    r"([\w~][\w!$-.;=@~]*+(?:/[\w~][\w!$-.;=@~]*+|)*+/?(?:\?[!$-&(-;=?-~]*+)?)",
    re.ASCII,
)
"""An address of which the URL Standard changes nothing but for what leads up at its beginning."""
_ABSOLUTE = ("/", *HTTP_SCHEMES)


class _JoinedUrls:
    """URLs by href, where the base URL begins with a certain part."""

    def __init__(self) -> None:
        self.urls: dict[str, str] = {}
        self.size = 0


class JoinCache:
    """Caches resolved hrefs by the part of the base URL that they depend on.

    The pages of a site share most of their links, and what a link means seldom depends on the
    whole base. The least recently used part is forgotten first. Threads may share it.
    """

    def __init__(self, limit: int = MAX_REMEMBERED) -> None:
        """`limit` is in bytes, about."""
        self._by_part: OrderedDict[str, _JoinedUrls] = OrderedDict()
        self._limit = limit
        self._size = 0
        self._lock = Lock()

    def of(self, part: str) -> dict[str, str]:
        """URLs by href, to look at."""
        with self._lock:
            urls = self._touch(part).urls
            self._forget()
            return urls

    def add(self, part: str, urls: Mapping[str, str]) -> None:
        """Remember these URLs by href."""
        size = sum(map(len, urls)) + sum(map(len, urls.values())) + len(urls) * _OVERHEAD
        with self._lock:
            joined = self._by_part.get(part) or self._touch(part)
            joined.urls.update(urls)
            joined.size += size
            self._size += size
            if self._size > self._limit:
                self._forget()

    def _touch(self, part: str) -> _JoinedUrls:
        """The URLs that belong to `part`, which is now the one used last."""
        joined = self._by_part.get(part)
        if joined is None:
            joined = self._by_part[part] = _JoinedUrls()
            joined.size = len(part) + 2 * _OVERHEAD
            self._size += joined.size
        self._by_part.move_to_end(part)
        return joined

    def _forget(self) -> None:
        """Forget parts until there is room again."""
        while self._size > self._limit:
            _, forgotten = self._by_part.popitem(last=False)
            self._size -= forgotten.size


_memory = JoinCache()


class Base:
    """The base URL that hrefs are resolved against, nearly always http or https.

    `query_encoding` is that of the document, None where it is UTF-8. `memory` may be shared by
    any bases.
    """

    def __init__(
        self,
        url: str,
        query_encoding: QueryEncoding | None = None,
        memory: JoinCache = _memory,
    ) -> None:
        self.url = url
        self._memory = memory
        self.query_encoding = query_encoding
        self._site = self._folder = ""
        self.joined_on_site: dict[str, str] = {}
        self.joined_in_folder: dict[str, str] = {}
        """What `join` gives for hrefs with their queries encoded, where that is remembered: http
        and https URLs. To look there first takes a third of the time of a call."""
        self._is_web = is_http(url)
        self._is_whole = self._is_web and "#" not in url
        if not self._is_web:
            return
        path = url.partition("?")[0]
        # Without the slash at its end, with which it would be the folder of pages at the top.
        self._site = url[: url.index("/", len("https://"))]
        self._folder = path[: path.rindex("/") + 1]
        self._folders = [self._folder]
        """It and those above it, as far as they were needed."""
        self.joined_on_site = memory.of(self._site)
        self.joined_in_folder = memory.of(self._folder)

    def join(self, href: str) -> str | None:
        """What `url_parsing.join` gives for this base and `href`, its query encoded."""
        if self.query_encoding is not None:
            href = self.query_encoding(href)
        plain = self.join_plain((href,))
        if plain:
            return plain[href]
        part = self._deciding(href)
        if part is None:  # most are fragments of the page
            return self.url if href == "#" and self._is_whole else join(self.url, href)
        url = join(part, href)
        if url is not None and len(href) + len(url) <= MAX_LENGTH:
            self._memory.add(part, {href: url})
        return url

    def join_plain(self, hrefs: Iterable[str]) -> dict[str, str]:
        """What `join` gives for those of these hrefs that are short and plain, as most are.

        The parser takes ten times as long, and one at a time takes five times as long.
        """
        if not self._is_web:
            return {}
        on_site: dict[str, str] = {}
        in_folder: dict[str, str] = {}
        starts = {"/": (f"{self._site}/", on_site)}
        # Each is remembered; and to go up a thousand levels of a long base takes the parser less.
        most = (MAX_LENGTH - len(self._folder)) // 2
        for plain in filter(None, map(_PLAIN.fullmatch, hrefs)):
            href, leading, path = plain.group(0, 1, 2)
            if len(href) > most:
                continue
            known = starts.get(leading)
            if known is None:
                is_relative = leading[:1] in {"", "."}
                start = self._above(len(leading) // len("../")) if is_relative else leading
                known = starts[leading] = start, in_folder if is_relative else on_site
            start, joined = known
            joined[href] = start + path
        if on_site:
            self._memory.add(self._site, on_site)
        if in_folder:
            self._memory.add(self._folder, in_folder)
        return on_site | in_folder

    def known(self, href: str) -> str | None:
        """The same, looked up first: for what stands in the page and was resolved before."""
        if self.query_encoding is not None:
            return self.join(href)
        return self.joined_in_folder.get(href) or self.joined_on_site.get(href) or self.join(href)

    def _above(self, levels: int) -> str:
        """The folder so many levels above the base; there is nothing above a site."""
        folders = self._folders
        while levels >= len(folders):
            folder = folders[-1]
            is_top = len(folder) <= len(self._site) + 1
            folders.append(folder if is_top else folder[: folder.rindex("/", 0, -1) + 1])
        return folders[levels]

    def _deciding(self, href: str) -> str | None:
        """The part of the base that decides what `href` means; None if all of it does."""
        if not self._is_web:
            return None
        if href.startswith(_ABSOLUTE):
            return self._site
        # Not "?q" or "", which keep the page's own name; nor "https:?q", which does too.
        if (href[:1].isalnum() or href[:1] == ".") and ":" not in href:
            return self._folder
        return None
