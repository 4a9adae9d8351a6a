"""The keys by which replay tools look captures up: SURTs, which sort a site's pages together.

A tool makes the key of the requested URL itself, and finds nothing if ours differs. So this follows
the library that pywb uses, with the same steps in the same order:
https://github.com/internetarchive/surt
"""

import re
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes, urlsplit

from gossamer.archive.warc_records import DOM_ADDRESS

_MOST_PASSES: Final = 20
_LONGEST_WITH_SESSION: Final = 4_000
"""Characters. No server makes longer addresses with a session id; an attacker might."""
_KEPT: Final = "!\"$&'()*+,-./:;<=>?@[\\]^_`{|}~"
_WWW: Final = re.compile(r"www\d*\.")
_PATH_SESSIONS: Final = tuple(
    re.compile(rf"^{pattern}$")
    for pattern in (
        r"(.*/)\((?:[a-z]\([0-9a-z]{24}\))+\)/([^?]+\.aspx.*)",
        r"(.*/)\([0-9a-z]{24}\)/([^?]+\.aspx.*)",
    )
)
_QUERY_SESSIONS: Final = tuple(
    re.compile(rf"^(.*){pattern}(?:&(.*))?$", re.IGNORECASE)
    for pattern in (
        r"jsessionid=[0-9a-z]{32}",
        r"phpsessid=[0-9a-z]{32}",
        r"sid=[0-9a-z]{32}",
        r"aspsessionid[a-z]{8}=[a-z]{24}",
        r"cfid=[^&]+&cftoken=[^&]+",
    )
)
"""Session ids that servers put into addresses."""


def surt(url: str) -> str:
    """The key of a serialised URL, such as "org,example)/path?a=1".

    The host is reversed, without "www."; user, fragment, final slash and session ids are left out,
    the query parameters are sorted. Escapes are decoded, then encoded again where needed; all is in
    lower case.
    """
    parts = urlsplit(url)
    host = _WWW.sub("", (parts.hostname or "").strip("."), count=1)
    turned = ",".join(reversed(host.split(".")))
    port = f":{parts.port}" if parts.port else ""
    query = _query_key(parts.query)
    return f"{turned}{port}){_path_key(parts.path)}" + (f"?{query}" if query else "")


def dom_key(target: str) -> str:
    """The key of the target of a DOM record: the URL in it is spelled in one way, too."""
    parts = urlsplit(target.removeprefix(DOM_ADDRESS))
    path = _path_key(parts.path).removesuffix("/")
    query = _query_key(parts.query)
    return f"{DOM_ADDRESS}{parts.scheme}://{parts.netloc.lower()}{path}" + (
        f"?{query}" if query else ""
    )


def _path_key(path: str) -> str:
    folders: list[bytes] = []
    for name in _unescaped(path).split(b"/")[1:]:
        if name == b".." and folders:
            folders.pop()
        elif name != b".":
            folders.append(name)
    kept = [name for name in folders[:-1] if name] + folders[-1:]
    key = _escaped(b"/" + b"/".join(kept)).lower()
    if len(key) <= _LONGEST_WITH_SESSION:
        for pattern in _PATH_SESSIONS:
            key = pattern.sub(r"\1\2", key)
    return key.removesuffix("/") or "/"


def _query_key(query: str) -> str:
    key = _escaped(_unescaped(query))
    if len(key) <= _LONGEST_WITH_SESSION:
        for pattern in _QUERY_SESSIONS:
            key = pattern.sub(r"\1\2", key)
    return "&".join(sorted(key.lower().split("&"), key=lambda each: each.split("=", 1)))


def _unescaped(text: str) -> bytes:
    """The text without escapes, including double ones."""
    data = text.encode()
    for _ in range(_MOST_PASSES):
        before, data = data, unquote_to_bytes(data)
        if data == before:
            break
    return data


def _escaped(data: bytes) -> str:
    return quote_from_bytes(data, safe=_KEPT)
