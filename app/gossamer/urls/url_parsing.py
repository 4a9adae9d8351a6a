"""Parses, joins and serialises URLs by the WHATWG URL Standard.

A *serialised* URL is what the standard's serialiser gives, here always without a fragment
(but for hash routes, where a crawl wants them as pages):
`https://example.com/a%20b?q`. For http and https it has a lower-case ASCII host, no default
port, and a path that starts with a slash, so much can be read off the string.
"""

import re
from collections.abc import Sequence
from hashlib import blake2b
from itertools import compress, repeat
from operator import itemgetter, ne
from urllib.parse import unquote

from ada_url import URL, join_url

from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.text_cleaning import one_line

HTTP_SCHEMES = ("http://", "https://")

MAX_PORT = 65_535

_INVISIBLE = "\ufeff\u200b\u200e\u200f\u2060"
_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_PORT_FOLLOWS = lazy_pattern(r"\d+(?:[/?#\\]|$)")
_AUTHORITY_END = lazy_pattern(r"[/?#\\]")
_USERINFO = lazy_pattern(r"\A((?:[a-z][a-z0-9+.-]*:)?[/\\]*).*@", re.IGNORECASE | re.DOTALL)
_PLAIN_HOST = lazy_pattern(r"(?:https?:)?[/\\]*+[^/\\?#:@]*(?:[/\\?#]|$)", re.IGNORECASE)
"""What ends before any user name and password: the first "@", if there is one, is in a path."""
_HOST = lazy_pattern(r"\[[^\]]*\]|[^:]*")
_EXPLICIT_PORT = lazy_pattern(r":([^\]@:]*)$")
_NOT_CRAWLED = lazy_pattern(
    "about|blob|chrome|data|file|ftps?|geo|git|gopher|irc|javascript|magnet|mailto|news|sftp|sips?"
    "|sms|ssh|tel|urn|view-source|wss?|xmpp"
)
_PLAIN_FRAGMENT = re.compile(r"[!#-;=?-_a-z{-~]*")
_ANY = "http://h/"
_LOOPBACK = lazy_pattern(r"(?:.*\.)?localhost\.?|\[.*\]|\d+(?:\.\d+){3}")


# ---------------------------------------------------------------- what people type


def parse_root(text: str, *, hash_routes: bool = False) -> str:
    """The serialised URL a user means by `text`; UsageError says what to type instead.

    Its fragment is dropped; with `hash_routes`, it stays where it is that of a view.

    A missing scheme becomes https; http where there is a port other than 443, and for localhost
    and IP addresses, which seldom have certificates. `localhost:8000` is a host and a port here,
    though the standard reads it as a URL of scheme "localhost".
    """
    text = text.strip().strip(_INVISIBLE).strip()
    if not text:
        raise UsageError("Enter the URL of a website, such as https://example.com.")
    if "\n" in text or "\r" in text:
        raise UsageError("Enter one URL at a time: this text has more than one line.")
    try:
        url = URL(_with_scheme(text))
    except ValueError as e:  # UnicodeEncodeError, for lone surrogates, is one too
        raise _not_an_address(text) from e
    return url.href if hash_routes and is_view(url.hash) else without_fragment(url.href)


def split_userinfo(text: str) -> tuple[str, tuple[str, str] | None]:
    """An address as typed, and the user name and password that were taken out of it.

    Without them it stays as it is. With them it comes back serialised, and they come decoded.
    UsageError if it is no address.
    """
    url = parse_root(text, hash_routes=True)
    start = url.index("//") + 2
    userinfo, at, rest = url[start:].partition("/")[0].rpartition("@")
    if not at:
        return text, None
    user, _, password = userinfo.partition(":")
    bare = url[:start] + rest + url[start + len(userinfo) + len(at) + len(rest) :]
    return bare, (unquote(user), unquote(password))


def without_userinfo(text: str) -> tuple[str, tuple[str, str] | None]:
    """The same, to show or to compare: what is no address loses all that may be a password.

    Never request what this gives for a typed text: the rest of a typo may be another address.
    """
    try:
        return split_userinfo(text)
    except UsageError:
        return _without_password(text), None


def _without_password(text: str) -> str:
    """What is no address, without what a user may mean as user name and password.

    A password may have a slash or "#" that should be escaped, so that only the last "@" ends it.
    """
    return _USERINFO.sub(r"\1", text) if _may_have_password(text) else text


def _may_have_password(text: str) -> bool:
    """Whether something before the last "@" of what is no address may be a password."""
    before, at, _ = text.rpartition("@")
    plain = _PLAIN_HOST.match(text)
    return bool(at) and (plain is None or ":" in before[plain.end() :])


def _with_scheme(text: str) -> str:
    """`text` with http or https in front; UsageError where it has another scheme or no host."""
    scheme = _scheme_of(text)
    if scheme in {"http", "https"}:
        return text
    if scheme:
        raise UsageError(
            "Only http and https URLs can be crawled, not {scheme}: URLs; enter one such as "
            "https://example.com.",
            scheme=one_line(scheme, 40),
        )
    if text.startswith("//"):
        text = text.lstrip("/")
    if _AUTHORITY_END.match(text):
        raise UsageError(
            "{text} has no host; enter a full URL, such as https://example.com/page.",
            text=_quoted(text),
        )
    return f"{_likely_scheme(text)}://{text}"


def _scheme_of(text: str) -> str:
    """The scheme that stands in `text`, in lower case; "" if there is none."""
    found = _SCHEME.match(text)
    if not found:
        return ""
    scheme = found[1].lower()
    if scheme in {"http", "https"} or _NOT_CRAWLED.fullmatch(scheme):
        return scheme
    rest = text[found.end() :]
    # "localhost:8000" and "example.com:8000" name a port, "example.com:80x" names a bad one.
    is_host = scheme == "localhost" or "." in scheme or _PORT_FOLLOWS.match(rest)
    return "" if is_host and not rest.startswith("//") else scheme


def _likely_scheme(text: str) -> str:
    """The scheme for an address that was typed without one."""
    authority = _AUTHORITY_END.split(text, maxsplit=1)[0]
    port = _EXPLICIT_PORT.search(authority)
    if port and port[1]:
        return "https" if port[1] == "443" else "http"
    try:
        host = URL(f"http://{authority}").hostname
    except ValueError:
        return "https"
    return "http" if _LOOPBACK.fullmatch(host) else "https"


def _not_an_address(text: str) -> UsageError:
    """The error that says why `text`, whatever its scheme, is no URL, and what to do."""
    authority, quoted = _wrong_authority(text)
    if not authority:
        return UsageError(
            "{text} has no host; enter a URL such as https://example.com.", text=quoted
        )
    port = _EXPLICIT_PORT.search(authority)
    if port and not _is_port(port[1]):
        return UsageError(
            "The port in {text} must be a number from 0 to 65535; correct it.", text=quoted
        )
    return UsageError(
        "{text} is not a URL: {host} is not a valid host; enter a URL such as https://example.com.",
        text=quoted,
        host=_quoted(authority[: port.start()] if port else authority),
    )


def _wrong_authority(text: str) -> tuple[str, str]:
    """The host and port for which `text` is no URL, and what to quote of it.

    The standard ends them at the first slash, which may be in a password that should be escaped.
    They are meant to follow the last "@" only if what is there is wrong as well.
    """
    found = _SCHEME.match(text)
    start = found.end() if found and found[1].lower() in {"http", "https"} else 0
    rest = text[start:].lstrip("/\\")
    first = _AUTHORITY_END.split(rest, maxsplit=1)[0]
    if not _may_have_password(text):
        return first, _quoted(text)
    last = _AUTHORITY_END.split(rest.rpartition("@")[2], maxsplit=1)[0]
    is_plain = "@" not in first and (":" not in first or _has_high_port(first))
    if not is_plain and not _is_authority(last):
        return last, _quoted(text)
    scheme = text[: len(text) - len(rest)]
    if "@" in first:  # which may be in the password
        return "…", _quoted(f"{scheme}…")
    host, port = _host_in(first), _EXPLICIT_PORT.search(first)
    return host + (port[0] if port else ""), _quoted(f"{scheme}{host}{':' if port else ''}…")


def _host_in(authority: str) -> str:
    found = _HOST.match(authority)
    return found[0] if found else ""


def _has_high_port(authority: str) -> bool:
    port = _EXPLICIT_PORT.search(authority)
    return port is not None and port[1].isdecimal() and not _is_port(port[1])


def _is_authority(text: str) -> bool:
    try:
        URL(f"http://{text}")
    except ValueError:
        return False
    return True


def _is_port(text: str) -> bool:
    return not text or (bool(re.fullmatch(r"0*[0-9]{1,5}", text)) and int(text) <= MAX_PORT)


def _quoted(text: str) -> str:
    """For a sentence: on one line, short, and without a password."""
    return f'"{one_line(_without_password(text), 80)}"'


# ---------------------------------------------------------------- what pages contain


def join(base: str, href: str) -> str | None:
    """The serialised URL that `href` means on a page with the serialised URL `base`.

    None where the standard's parser fails. Lone surrogates count as U+FFFD, as they do in a
    browser. Never raises.
    """
    try:
        return without_fragment(join_url(base, href))
    except ValueError:
        if href.isascii() or not _has_surrogates(href):
            return None
    return join(base, href.encode("utf-16", "surrogatepass").decode("utf-16", "replace"))


def serialised_fragment(fragment: str) -> str:
    """The fragment of a link, from its "#", percent-encoded as the standard does it; "" for none.

    In whatever stands in front, the first "#" begins the fragment, so no base is needed.
    """
    if _PLAIN_FRAGMENT.fullmatch(fragment):
        return fragment
    if _has_surrogates(fragment):
        fragment = fragment.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return join_url(_ANY, fragment).removeprefix(_ANY)


def serialised_fragments(fragments: list[str]) -> list[str]:
    """The same for those of many links, nearly all of which stay as they are."""
    if _PLAIN_FRAGMENT.fullmatch("".join(fragments)):
        return fragments
    return list(map(serialised_fragment, fragments))


def _has_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


# ---------------------------------------------------------------- reading serialised URLs


def without_fragment(url: str) -> str:
    """`url` up to its fragment. In a serialised URL the first "#" begins it."""
    return url.partition("#")[0]


def is_hash_route(fragment: str) -> bool:
    """Whether a fragment, from its "#", is what scripts take for the address of a page."""
    return fragment.startswith(("#/", "#!"))


def is_view(fragment: str) -> bool:
    """Whether a hash route leads to a view of its own: "#/" and "#!" show what the page does."""
    return is_hash_route(fragment) and bool(fragment.strip("#!/"))


def is_http(url: str) -> bool:
    """Whether the serialised `url` is a web address: http or https."""
    return url.startswith(HTTP_SCHEMES)


def origin(url: str) -> str:
    """Scheme, host and, where it is not the scheme's default, port: "https://example.com:8443".

    Of a serialised http or https URL; "" for any other.
    """
    if not is_http(url):
        return ""
    start = url.index("//") + 2
    end = url.find("/", start)
    authority = url[start:] if end < 0 else url[start:end]
    # A serialised user name or password has no "@" (the standard escapes it).
    return url[:start] + authority.rpartition("@")[2]


def of_other_origins(urls: Sequence[str], own: str) -> list[str]:
    """Those of serialised URLs that do not begin with the origin `own` and a slash."""
    start = f"{own}/"
    starts = map(itemgetter(slice(len(start))), urls)  # in two thirds of a loop's time
    return list(compress(urls, map(ne, starts, repeat(start))))


def host_of(url: str) -> str:
    """The host and, where it is not the scheme's default, port: "example.com", "[::1]:8080".

    Of a serialised http or https URL; both schemes share a host. "" for any other.
    """
    return origin(url).partition("://")[2]


def server_of(text: str) -> str:
    """The server that a user means, as "host:port": HOST, HOST:PORT or an https address of it.

    UsageError if it is none.
    """
    try:
        url = parse_root(text if "://" in text else f"https://{text}")
    except UsageError:
        url = ""
    if not url.startswith("https://") or "*" in url:
        raise UsageError("{server!r} is not an HTTPS server; write HOST or HOST:PORT.", server=text)
    host, port = host_and_port(origin(url))
    return f"{host}:{port}"


def server_name(server: str) -> str:
    """A server written as "host:port" as a user calls it: without the usual port."""
    return server.removesuffix(":443")


def server_url(server: str) -> str:
    """The https address of a server written as "host:port": the folder of all that it has."""
    return f"https://{server_name(server)}/"


def host_and_port(origin: str) -> tuple[str, int]:
    """The host as serialised (IPv6 in brackets) and the port of a non-empty `origin`."""
    scheme, _, authority = origin.partition("://")
    host, colon, port = authority.rpartition(":")
    if not colon or port.endswith("]"):
        return authority, 80 if scheme == "http" else 443
    return host, int(port)


def url_key(url: str) -> int:
    """Signed 64-bit number of `url`: the first 8 bytes of BLAKE2b over its UTF-8, big-endian.

    Two of ten million URLs share a key with a probability of about 3 in a million. Part of the
    project file's format: never change it.
    """
    return int.from_bytes(blake2b(url.encode(), digest_size=8).digest(), "big", signed=True)
