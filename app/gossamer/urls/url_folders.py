"""Splits URLs into tree folders, and formats URLs for display."""

import re
from urllib.parse import quote, unquote_to_bytes

from ada_url import idna

from gossamer.urls.url_parsing import is_http, origin

_SITE = re.compile(r"(https?://(?:[^/@]*@)?)([^/@:]+)")
_ESCAPES = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPES_BEYOND_ASCII = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")


def folders(url: str) -> tuple[str, ...]:
    """The folders above the serialised `url`, outermost first: its origin, then its path's.

    The last segment of the path is the page; where the path ends with a slash, it is the page
    of the last folder. Segments are as serialised (percent-encoded), and can be empty. () for
    what is neither http nor https.
    """
    if not is_http(url):
        return ()
    path = url.partition("?")[0]
    return (origin(url), *path.split("/")[3:-1])


def section_of(url: str) -> tuple[str, ...]:
    """The section of a site that a URL is in: its origin, and the outermost folder above the page.

    A slash at the end of a path makes no folder: `/news/` is a page as `/news` is.
    """
    return folders(url.partition("?")[0].rstrip("/"))[:2]


def display_name(segment: str) -> str:
    """One path segment for people: percent-decoded where that gives UTF-8 text.

    Slashes and what cannot be seen (control and bidi characters, spaces other than the plain
    one, unassigned characters) stay, or become, percent-encoded. An empty segment is "/".
    """
    return _visible(_ESCAPES.sub(_decoded, segment)) or "/"


def display_url(url: str) -> str:
    """A URL for people: the host in Unicode, the rest decoded where its meaning stays the same.

    Only escapes of characters beyond ASCII are decoded; invisible characters stay, or become,
    percent-encoded. Not to be fetched or compared.
    """
    site = _SITE.match(url)
    if site:
        url = site[1] + display_host(site[2]) + url[site.end() :]
    return _visible(_ESCAPES_BEYOND_ASCII.sub(_decoded, url))


def display_host(host: str) -> str:
    """A serialised host for people: punycode as Unicode where it says just what it encodes."""
    if "xn--" not in host:
        return _visible(host)
    try:
        decoded = idna.decode(host)
        unambiguous = idna.encode(decoded) == host.encode()
    except ValueError:
        return _visible(host)
    return decoded if unambiguous and decoded.isprintable() else _visible(host)


def _decoded(escapes: re.Match[str]) -> str:
    """The text of a run of escapes; bytes that are not UTF-8 stay escaped."""
    text = unquote_to_bytes(escapes[0]).decode("utf-8", "surrogateescape")
    return "".join(_escaped(character) for character in text)


def _escaped(character: str) -> str:
    if "\udc80" <= character <= "\udcff":
        return f"%{ord(character) - 0xDC00:02X}"
    return "%2F" if character == "/" else character


def _visible(text: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        character if character.isprintable() else quote(character, safe="", errors="replace")
        for character in text
    )
