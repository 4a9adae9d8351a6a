"""From elements to links: what an element links to, of which kind, with which text."""

from app.extract.findings import Attributes, Element
from app.model.page import Link, LinkKind
from app.model.text import clean_text, one_line
from app.urls.base import Base
from app.urls.parse import HTTP_SCHEMES, is_http, join

MAX_LINKS = 50_000
MAX_TEXT = 500
MAX_AS_WRITTEN = 2048
MAX_TARGET = 70_000
"""Characters of a URL that are kept; more than any crawl fetches (`CrawlSettings`)."""
MAX_TARGETS = 32 * 1024 * 1024
"""Characters of all targets of a page together: a long base URL multiplies short links."""

_SOURCES: dict[str, tuple[str, LinkKind]] = {
    "a": ("href", LinkKind.ANCHOR),
    "area": ("href", LinkKind.AREA),
    "iframe": ("src", LinkKind.FRAME),
    "frame": ("src", LinkKind.FRAME),
    "img": ("src", LinkKind.IMAGE),
    "script": ("src", LinkKind.SCRIPT),
    "link": ("href", LinkKind.OTHER),
    "video": ("src", LinkKind.MEDIA),
    "audio": ("src", LinkKind.MEDIA),
    "source": ("src", LinkKind.MEDIA),
    "track": ("src", LinkKind.MEDIA),
    "embed": ("src", LinkKind.MEDIA),
    "object": ("data", LinkKind.MEDIA),
    "form": ("action", LinkKind.FORM),
}
"""The attribute with an element's target, and the kind of link it makes."""

_KINDS_BY_REL = (
    ("stylesheet", LinkKind.STYLESHEET),
    ("canonical", LinkKind.CANONICAL),
    ("icon", LinkKind.ICON),
    ("apple-touch-icon", LinkKind.ICON),
    ("apple-touch-icon-precomposed", LinkKind.ICON),
    ("mask-icon", LinkKind.ICON),
    ("next", LinkKind.PAGINATION),
    ("prev", LinkKind.PAGINATION),
    ("previous", LinkKind.PAGINATION),
    ("alternate", LinkKind.ALTERNATE),
)
"""Kinds of `<link>`, the first that its rel names: "alternate stylesheet" is a style sheet."""

_MEANING_THE_PAGE = frozenset({LinkKind.ANCHOR, LinkKind.AREA, LinkKind.FORM})
"""Kinds whose empty target is the page itself; others with an empty target load nothing."""

_WITH_ALTERNATIVE = frozenset({"img", "area"})

_NO_ADDRESS = ("javascript:", "data:", "blob:", "about:")
_NOWHERE = -1


class Targets:
    """The distinct targets of one page, numbered in order of first appearance."""

    def __init__(self, base: str) -> None:
        self.urls: list[str] = []
        self._base = Base(base)
        self._numbers: dict[str, int] = {}
        self._numbers_by_href: dict[str, int] = {}
        self._room = MAX_TARGETS

    def number(self, href: str) -> int:
        """The index in `urls` of what `href` means; negative where that is no address."""
        # Pages link many places of one page; where no space can end up before the "#", which
        # the parser would keep, it is one look-up for all of them.
        before, hash_sign, _ = href.partition("#")
        if not hash_sign or (before and before[-1] > " "):
            href = before
        number = self._numbers_by_href.get(href)
        if number is None:
            number = self._numbers_by_href[href] = self._resolved(href)
        return number

    def _resolved(self, href: str) -> int:
        if href.startswith(_NO_ADDRESS):
            return _NOWHERE
        url = self._base.join(href)
        if url is None:
            url = clean_text(href.strip(), MAX_AS_WRITTEN)
        if not url.startswith(HTTP_SCHEMES) and url.lower().startswith(_NO_ADDRESS):
            return _NOWHERE
        url = url[:MAX_TARGET]
        number = self._numbers.get(url)
        if number is None:
            self._room -= len(url)
            if self._room < 0:
                return _NOWHERE
            number = self._numbers[url] = len(self.urls)
            self.urls.append(url)
        return number


def read_links(elements: list[Element], base: str) -> tuple[list[str], list[Link]]:
    """The distinct targets and the links, at most MAX_LINKS, of a page with base URL `base`."""
    targets = Targets(base)
    links: list[Link] = []
    for tag, attributes, text in elements:
        source = _SOURCES.get(tag)
        if source is None:
            continue
        attribute, kind = source
        href = attributes.get(attribute) or _empty_or_foreign(attributes, attribute, kind)
        if href is None:
            continue
        number = targets.number(href)
        if number == _NOWHERE:
            continue
        said = (attributes.get("alt") or "") if tag in _WITH_ALTERNATIVE else text
        links.append(_link(number, kind, said, attributes.get("rel")))
        if len(links) == MAX_LINKS:
            break
    return targets.urls, links


def base_url(elements: list[Element], url: str) -> str:
    """What relative links on the page at `url` are relative to.

    The href of the first `<base>` that has one decides, if it leads to http or https (HTML
    Standard §4.2.3).
    """
    for tag, attributes, _ in elements:
        if tag == "base" and "href" in attributes:
            base = join(url, attributes["href"] or "")
            return base if base and is_http(base) else url
    return url


def _empty_or_foreign(attributes: Attributes, attribute: str, kind: LinkKind) -> str | None:
    """The target where the attribute is empty or missing; None where there is no link."""
    if attribute in attributes:
        return "" if kind in _MEANING_THE_PAGE else None
    # Links in drawings: SVG 1.1 wrote them so, and diagram tools still do.
    return attributes.get("xlink:href") if kind is LinkKind.ANCHOR else None


def _link(number: int, kind: LinkKind, text: str, rel: str | None) -> Link:
    if rel:
        rel = one_line(" ".join(rel.lower().split()), MAX_TEXT)
        if kind is LinkKind.OTHER:
            kind = _kind_by_rel(rel.split(" "))
    if text and (len(text) > MAX_TEXT or "  " in text or not text.isprintable()):
        text = one_line(text, MAX_TEXT)
    return Link(number, kind, text.strip(), rel or "")


def _kind_by_rel(tokens: list[str]) -> LinkKind:
    for token, kind in _KINDS_BY_REL:
        if token in tokens:
            return kind
    return LinkKind.OTHER
