"""Parses the Set-Cookie headers of a response, without the values of cookies."""

from collections.abc import Iterable, Sequence

from msgspec import Struct


class SetCookie(Struct, frozen=True):
    """A Set-Cookie header as sent. Attributes that the header lacks are empty."""

    name: str
    domain: str = ""
    path: str = ""
    expires: str = ""
    secure: bool = False
    http_only: bool = False
    same_site: str = ""


def cookies_in(headers: Iterable[tuple[str, str]]) -> list[SetCookie]:
    """The cookies that these headers set, in order; their values are left out.

    >>> cookies_in([("Set-Cookie", "id=…; Path=/; Max-Age=60; HttpOnly")])[0].expires
    '60 s'
    """
    return [set_cookie(value) for name, value in headers if name.lower() == "set-cookie"]


def set_cookie(header: str) -> SetCookie:
    """The contents of a Set-Cookie header."""
    cookie, *rest = header.split(";")
    name, equals, _ = cookie.partition("=")
    said = {}
    for part in rest:
        attribute, _, value = part.partition("=")
        said[attribute.strip().lower()] = value.strip()
    # RFC 6265, section 5.3: Max-Age counts before Expires.
    expires = f"{said['max-age']} s" if said.get("max-age") else said.get("expires", "")
    return SetCookie(
        name.strip() if equals else "",
        said.get("domain", ""),
        said.get("path", ""),
        expires,
        "secure" in said,
        "httponly" in said,
        said.get("samesite", ""),
    )


def header_text(name: str, headers: Iterable[tuple[str, str]]) -> str | None:
    """The values of the headers with a name; for cookies, the insecure ones. None without any."""
    wanted = name.lower()
    values = [value for key, value in headers if key.lower() == wanted]
    if not values:
        return None
    return insecure_cookies(values) if wanted == "set-cookie" else ", ".join(values)


def insecure_cookies(headers: Sequence[str]) -> str:
    """The cookies that lack an attribute, each with the missing ones."""
    told = []
    for cookie in map(set_cookie, headers):
        lacking = [
            name
            for name, there in (
                ("Secure", cookie.secure),
                ("HttpOnly", cookie.http_only),
                ("SameSite", cookie.same_site),
            )
            if not there
        ]
        if lacking:
            told.append(f"{cookie.name} (no {', '.join(lacking)})")
    return " | ".join(told)
