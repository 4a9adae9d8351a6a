"""Builds the Cookie header: typed cookies, those of a login, and those set during the crawl."""

from collections.abc import Collection, Iterable

from gossamer.model.cookie import is_path_below
from gossamer.model.secrets import LoginCookie, OriginSecrets


def typed_cookies(public: Collection[tuple[str, str]], secrets: OriginSecrets) -> str:
    """The cookies that a user has typed, as one value; "" for none.

    `public` are the names and values of headers that are no secrets.
    """
    headers = (*public, *secrets.headers)
    typed = [value for name, value in headers if name.lower() == "cookie"]
    return "; ".join([*typed, *(f"{name}={value}" for name, value in secrets.cookies)])


def with_login(set_by_server: str, login: Iterable[LoginCookie], target: str) -> str:
    """The cookies that a server set in the crawl, and those of the login that it did not reset.

    `target` is path and query; cookies of longer paths go first (RFC 6265 §5.4).
    """
    path = target.partition("?")[0]
    newer = {pair.partition("=")[0] for pair in set_by_server.split("; ")}
    sent = [each for each in login if each.name not in newer and is_path_below(path, each.path)]
    sent.sort(key=lambda cookie: -len(cookie.path))
    pairs = [f"{each.name}={each.value}".encode().decode("latin-1") for each in sent]
    return "; ".join(filter(None, [*pairs, set_by_server]))


def cookie_line(typed: str, set_by_server: str) -> bytes:
    """All cookies in one header, as RFC 6265 §5.4 requires."""
    names = {pair.partition("=")[0].strip() for pair in typed.split(";")}
    pairs = [pair for pair in set_by_server.split("; ") if pair.partition("=")[0] not in names]
    parts = [typed.encode("utf-8", "replace"), *map(_cookie_bytes, pairs)]
    return b"Cookie: " + b"; ".join(filter(None, parts)) + b"\r\n"


def _cookie_bytes(pair: str) -> bytes:
    """A cookie as its server set it, or as a script did, which may write any character."""
    try:
        return pair.encode("latin-1")
    except UnicodeEncodeError:
        return pair.encode("utf-8", "replace")
