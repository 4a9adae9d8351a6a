"""The targets of a page's links: resolved, distinct and numbered."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate, compress, count, filterfalse, repeat
from operator import not_
from typing import Final, cast

from gossamer.model.text_cleaning import clean_text
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import HTTP_SCHEMES, is_view, origin, serialised_fragment

MAX_AS_WRITTEN: Final = 2048
MAX_TARGET: Final = 70_000
"""Characters of a URL that are kept; more than any crawl fetches (`CrawlSettings`)."""
MAX_TARGETS: Final = 32 * 1024 * 1024
"""Characters of all targets of a page together: a long base URL multiplies short links."""
MAX_FRAGMENT: Final = 2048
NO_TARGET: Final = -1
_MAX_OTHER_SCHEME: Final = 200
"""Characters kept of a target such as `data:image/png;base64,…`, which may be megabytes."""
_CONTENT_SCHEMES: Final = ("javascript:", "data:", "blob:", "about:")
"""Schemes of URLs that contain what they would lead to."""


class Targets:
    """The distinct targets of one page, numbered in order of first appearance."""

    def __init__(self, base: Base) -> None:
        self.urls: list[str] = []
        self._join = base.join
        self._join_plain = base.join_plain
        self._base_url = base.url
        self._encoded = base.query_encoding
        self._on_site = base.joined_on_site
        self._in_folder = base.joined_in_folder
        self._numbers: dict[str, int] = {}
        self._resolved_here: dict[str, str] = {}
        """The URLs of hrefs that were not remembered from other pages."""
        self._room = MAX_TARGETS

    def numbers(self, hrefs: Sequence[str]) -> list[int]:
        """The same for several without fragments.

        A loop of ours over a hundred links would take the worker long.
        """
        urls = self._resolved_all(hrefs)
        new = list(dict.fromkeys(filterfalse(self._numbers.__contains__, urls)))
        size = sum(map(len, new))
        if size > self._room:
            new = new[: bisect_right(list(accumulate(map(len, new))), self._room)]
        self._room -= size
        self._numbers.update(zip(new, count(len(self.urls)), strict=False))
        self.urls += new
        return list(map(self._numbers.get, urls, repeat(NO_TARGET)))

    def numbers_of_parts(self, hrefs: Sequence[str]) -> list[int]:
        """The same where many are equal, because they lead to parts of one page.

        URLs of a site are seldom in the processor's caches: each is looked up once.
        """
        found = dict.fromkeys(hrefs, NO_TARGET)
        found.update(zip(found, self.numbers(list(found)), strict=True))
        return list(map(found.__getitem__, hrefs))

    def number(self, href: str) -> tuple[int, str]:
        """The index in `urls` of the address `href`, negative if it is none; the fragment."""
        fragment = ""
        place = href.find("#")
        if place >= 0:
            fragment = serialised_fragment(href[place:])[:MAX_FRAGMENT]
            # Pages link many parts of one page; where no space can end up before the "#", which
            # the parser would keep, it is one look-up for all of them.
            if not place or href[place - 1] > " ":
                href = href[:place] or "#"  # "" is none if the base has a scheme without paths
        return self._number_of(self._resolved(href)), fragment

    def hash_route(self, href: str, fragment: str) -> int:
        """The index of the address `href` with the fragment; negative if that is of no view."""
        if not is_view(fragment) or len(fragment) >= MAX_FRAGMENT:
            return NO_TARGET
        url = self._resolved(href or "#")
        is_here = origin(url) == origin(self._base_url)
        return self._number_of(url + fragment) if is_here else NO_TARGET

    def _resolved_all(self, hrefs: Sequence[str]) -> list[str]:
        sent = hrefs if self._encoded is None else list(map(self._encoded, hrefs))
        urls = list(map(self._in_folder.get, sent, map(self._on_site.get, sent)))
        if not all(urls):
            here = self._resolved_here
            missing = dict.fromkeys(compress(hrefs, map(not_, urls)))
            unknown = list(filterfalse(here.__contains__, missing))
            here.update(self._join_plain(unknown))
            for href in filterfalse(here.__contains__, unknown):
                here[href] = self._resolve(href)
            urls = list(map(here.get, hrefs, urls))
        return cast("list[str]", urls)

    def _resolved(self, href: str) -> str:
        sent = href if self._encoded is None else self._encoded(href)
        url = self._in_folder.get(sent) or self._on_site.get(sent) or self._resolved_here.get(href)
        if url is None:
            url = self._resolved_here[href] = self._resolve(href)
        return url

    def _number_of(self, url: str) -> int:
        number = self._numbers.get(url)
        if number is None:
            self._room -= len(url)
            number = NO_TARGET
            if self._room >= 0:
                number = self._numbers[url] = len(self.urls)
                self.urls.append(url)
        return number

    def _resolve(self, href: str) -> str:
        """The URL of `href`; as written, within bounds, if it is none."""
        is_large = len(href) > MAX_TARGET and href.startswith(_CONTENT_SCHEMES)
        url = None if is_large else self._join(href)
        if url is None:
            url = clean_text(href.strip(), len(href) if is_large else MAX_AS_WRITTEN)
        if not url.startswith(HTTP_SCHEMES) and url.lower().startswith(_CONTENT_SCHEMES):
            url = _shortened(url)
        return url[:MAX_TARGET]


def _shortened(url: str) -> str:
    """The beginning of a URL that contains its content, and its length."""
    if len(url) <= _MAX_OTHER_SCHEME:
        return url
    return f"{url[:_MAX_OTHER_SCHEME]}… ({len(url):,} characters)"
