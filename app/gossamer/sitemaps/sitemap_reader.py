"""Reads a sitemap or feed and returns the pages and further sitemaps that it lists.

By the protocol of sitemaps.org (which takes RSS 2.0, Atom and plain text for sitemaps too), with
the tolerance that search engines show. All input is bounded.
"""

import re
import zlib
from enum import Enum

from msgspec import Struct

from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome_details import Detail, DetailCode, DetailedError
from gossamer.model.text_cleaning import clean_text, one_line
from gossamer.model.visit import NO_LINKS, Link, PageLinks
from gossamer.sitemaps.sitemap_parser import (
    EntryStream,
    SitemapElement,
    SitemapEntry,
    SitemapXmlError,
    encoding_of,
)
from gossamer.urls.url_parsing import join, serialised_fragment

MAX_DECODED_BYTES = 50 * 1024 * 1024
"""What the protocol of sitemaps.org allows a sitemap to have, uncompressed."""
MAX_RATIO = 500
"""Sitemaps are made a tenth or a hundredth as long; deflate can do a thousandth."""
_FREE_BYTES = 1024 * 1024
"""This much is allowed whatever the ratio."""

_MAGIC = b"\x1f\x8b"
_GZIP = 16 + zlib.MAX_WBITS
_STEP_BYTES = 4096
"""Of compressed data at once: when some of it is damaged, all of it is lost."""
_MOST_AT_ONCE = 256 * 1024
_MAX_LAYERS = 2
"""Servers compress compressed files once more."""


def inflated(body: bytes) -> tuple[bytes, Detail | None]:
    """`body` without gzip, at most MAX_DECODED_BYTES; and why that is not all, if it is not."""
    damage: Detail | None = None
    for _ in range(_MAX_LAYERS):
        if not body.startswith(_MAGIC):
            break
        body, damage = _unpacked(body)
    if len(body) > MAX_DECODED_BYTES:
        return body[:MAX_DECODED_BYTES], DetailCode.FIRST_BYTES(number=MAX_DECODED_BYTES)
    return body, damage


def _unpacked(data: bytes) -> tuple[bytes, Detail | None]:
    """One layer of gzip, of one member or many."""
    most = min(MAX_DECODED_BYTES, max(len(data) * MAX_RATIO, _FREE_BYTES))
    unpacked = bytearray()
    member = zlib.decompressobj(_GZIP)
    position = 0
    rest = b""
    while rest or position < len(data):
        if member.eof:
            if not (rest + data[position : position + len(_MAGIC)]).startswith(_MAGIC):
                break  # what follows is padding
            member = zlib.decompressobj(_GZIP)
        if not rest:
            rest = data[position : position + _STEP_BYTES]
            position += len(rest)
        try:
            unpacked += member.decompress(rest, _MOST_AT_ONCE)
        except zlib.error:
            return bytes(unpacked), DetailCode.GZIP_DAMAGED()
        if len(unpacked) > most:
            return bytes(unpacked[:most]), DetailCode.FIRST_BYTES(number=most)
        rest = member.unused_data if member.eof else member.unconsumed_tail
    return bytes(unpacked), None if member.eof else DetailCode.GZIP_CUT()


MAX_ENTRIES = 50_000
"""Entries that the protocol allows in one file."""
MAX_ALTERNATES = 200_000
"""Translations that are kept of one file; entries are not counted."""
MAX_AS_WRITTEN = 2048
MAX_TARGET = 70_000
MAX_TEXT = 100

_LOOKED_AT_BYTES = 4096
_BLANK = "\ufeff \t\r\n\f"
_HTML = lazy_pattern(
    r"(?:<!--.*?-->|\s|)*+<(?:!doctype\s+html|html|head|body|script|div|p)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKUP = lazy_pattern(r"<[?!a-z]", re.IGNORECASE)
_LINE = lazy_pattern(r"(?:^|(?<=\r))[ \t\ufeff]*(https?:/[^\r\n]*)", re.IGNORECASE | re.MULTILINE)
_ADDRESS = lazy_pattern(r"https?:/", re.IGNORECASE)


class SitemapForm(Enum):
    """The form of a sitemap: the name of its root element, or `text`."""

    URLSET = "urlset"
    INDEX = "sitemapindex"
    RSS = "rss"
    RSS_1 = "rdf"
    ATOM = "feed"
    TEXT = "text"


_FORMS = {form.value: form for form in SitemapForm if form is not SitemapForm.TEXT}


class NotASitemapError(DetailedError):
    """The response for a sitemap URL is not a sitemap."""


class Sitemap(Struct, frozen=True):
    """What a sitemap lists; `targets` and `links` are like those of `gossamer.model.visit.Extract`.

    Links are of kind SITEMAP, their text the date of the last change as written; SITEMAP_INDEX for
    further sitemaps; ALTERNATE for translations, their text the language. `damage` says why not all
    was read, None if it was.
    """

    form: SitemapForm
    targets: list[str] = []
    links: PageLinks = NO_LINKS
    damage: Detail | None = None


def read_sitemap(
    body: bytes, url: str, *, limit: int = MAX_ENTRIES, alternates: int = MAX_ALTERNATES
) -> Sitemap:
    """The contents of the sitemap `body`, served at the serialised `url`.

    These are at most `limit` entries and as many translations of them as `alternates` says.

    Damage ends the list; what came before it counts. Raises NotASitemapError for what is no
    sitemap at all, such as an HTML page. Takes bounded time and memory, whatever the bytes.
    """
    data, damage = inflated(body)
    if not data:
        raise NotASitemapError(
            DetailCode.NOTHING_LEFT(why=damage) if damage else DetailCode.EMPTY()
        )
    start = _decoded(data[:_LOOKED_AT_BYTES]).lstrip(_BLANK)
    if _HTML.match(start):
        raise NotASitemapError(DetailCode.HTML_PAGE())
    listing = _Listing(url, limit, alternates)
    if _MARKUP.match(start):
        form, xml_damage = _read_xml(data, listing)
        damage = damage or xml_damage
    else:
        form = SitemapForm.TEXT
        _read_lines(data, listing)
    if listing.is_full:
        damage = DetailCode.FIRST_ENTRIES(number=limit)
    elif listing.is_short and not damage:
        damage = DetailCode.FIRST_TRANSLATIONS(number=alternates)
    return Sitemap(form, listing.targets, PageLinks.of(listing.links), damage)


class _Listing:
    """The links of one sitemap as they are found.

    `is_full` says that there were more entries, `is_short` that there were more translations.
    """

    def __init__(self, url: str, limit: int, alternates: int) -> None:
        self.targets: list[str] = []
        self.links: list[Link] = []
        self.is_full = False
        self.is_short = False
        self._url = url
        self._room = limit
        self._room_for_alternates = alternates
        self._numbers: dict[str, int] = {}

    def enter(self, href: str, kind: LinkKind, element: str, text: str) -> None:
        """Add an entry, if there is room."""
        if self._room <= 0:
            self.is_full = True
            return
        self._room -= 1
        self._add(href, kind, element, text)

    def enter_alternate(self, part: SitemapElement, element: str) -> None:
        """Add the translation that a `link` names, if there is room for more of them."""
        href = part.attributes.get("href", "").strip(_BLANK)
        rel = part.attributes.get("rel", "alternate").lower().split()
        if not href or "alternate" not in rel or self.is_full:
            return
        if self._room_for_alternates <= 0:
            self.is_short = True
            return
        self._room_for_alternates -= 1
        language = part.attributes.get("hreflang", "")
        self._add(href, LinkKind.ALTERNATE, element, language, one_line(" ".join(rel), MAX_TEXT))

    def _add(self, href: str, kind: LinkKind, element: str, text: str, rel: str = "") -> None:
        address, hash_sign, fragment = href.strip(_BLANK).partition("#")
        target = join(self._url, address)
        target = clean_text(address, MAX_AS_WRITTEN) if target is None else target[:MAX_TARGET]
        number = self._numbers.setdefault(target, len(self.targets))
        if number == len(self.targets):
            self.targets.append(target)
        fragment = serialised_fragment(hash_sign + fragment)[:MAX_AS_WRITTEN]
        self.links.append(Link(number, kind, one_line(text, MAX_TEXT), rel, element, fragment))


# ---------------------------------------------------------------- plain text


def _read_lines(data: bytes, listing: _Listing) -> None:
    """Read one address per line; anything else is skipped."""
    for line in _LINE.finditer(_decoded(data)):
        listing.enter(line[1], LinkKind.SITEMAP, "line", "")
        if listing.is_full:
            break
    if not listing.links:
        raise NotASitemapError(DetailCode.NO_LIST())


def _decoded(data: bytes) -> str:
    codec, mark_bytes = encoding_of(data)
    return data[mark_bytes:].decode(codec, "replace")


# ---------------------------------------------------------------- XML


def _read_xml(data: bytes, listing: _Listing) -> tuple[SitemapForm, Detail | None]:
    """The form of an XML sitemap, and what damage ended it."""
    stream = EntryStream(data)
    damage: Detail | None = None
    try:
        for entry in stream:
            if stream.root not in _FORMS or listing.is_full:
                break
            _enter(entry, listing)
    except SitemapXmlError as e:
        damage = e.detail
    form = _FORMS.get(stream.root)
    if form is not None:
        return form, damage
    if not stream.root:
        raise NotASitemapError(DetailCode.NO_XML(why=damage or DetailCode.NO_ELEMENTS()))
    name = one_line(stream.root, 40)
    raise NotASitemapError(DetailCode.OTHER_XML(element=name))


def _enter(entry: SitemapEntry, listing: _Listing) -> None:
    if entry.name == "item":
        _enter_item(entry, listing)
    elif entry.name == "entry":
        _enter_atom(entry, listing)
    else:
        _enter_location(entry, listing)


def _enter_location(entry: SitemapEntry, listing: _Listing) -> None:
    """A `url` or `sitemap`; if it has more than one location, the first counts."""
    kind = LinkKind.SITEMAP_INDEX if entry.name == "sitemap" else LinkKind.SITEMAP
    location = _first_text(entry, "loc")
    if not location:
        return
    listing.enter(location, kind, f"{entry.name} loc", _first_text(entry, "lastmod"))
    for part in entry.fields:
        if part.name == "link":
            listing.enter_alternate(part, "xhtml:link")


def _enter_item(entry: SitemapEntry, listing: _Listing) -> None:
    """An item of RSS: its link, or else its guid, which is one unless it says otherwise."""
    date = _first_text(entry, "pubdate") or _first_text(entry, "date")
    if link := _first_text(entry, "link"):
        listing.enter(link, LinkKind.SITEMAP, "item link", date)
        return
    for part in entry.fields:
        is_link = part.attributes.get("ispermalink", "true").lower() != "false"
        if part.name == "guid" and is_link and _ADDRESS.match(part.text.strip(_BLANK)):
            listing.enter(part.text, LinkKind.SITEMAP, "item guid", date)
            return


def _enter_atom(entry: SitemapEntry, listing: _Listing) -> None:
    """An entry of Atom: its first alternate link, which is the page; others are translations."""
    links = [
        part
        for part in entry.fields
        if part.name == "link" and part.attributes.get("rel", "alternate").lower() == "alternate"
    ]
    page = next((part for part in links if part.attributes.get("href", "").strip(_BLANK)), None)
    if page is None:
        return
    date = _first_text(entry, "updated") or _first_text(entry, "published")
    listing.enter(page.attributes["href"], LinkKind.SITEMAP, "entry link", date)
    for part in links:
        if part is not page:
            listing.enter_alternate(part, "entry link")


def _first_text(entry: SitemapEntry, name: str) -> str:
    """The text of the first element of that name that has any."""
    for part in entry.fields:
        if part.name == name and (text := part.text.strip(_BLANK)):
            return text
    return ""
