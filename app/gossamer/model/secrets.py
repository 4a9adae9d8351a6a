"""Secrets that are sent to one origin only: passwords, cookies, request headers.

Secrets travel from the shell to the crawl host and from there to the page workers. They are never
part of the settings: a project file keeps the names of what it needs (`SecretNames`), no value. No
value appears in a `repr`, so none gets into a log that way.
"""

import re
from collections.abc import Iterable
from typing import Final

from msgspec import Struct, field, structs

from gossamer.model.client_certificate import ClientCertificate
from gossamer.model.errors import UsageError
from gossamer.model.lazy_pattern import lazy_pattern
from gossamer.model.request_headers import check_headers
from gossamer.model.text_cleaning import is_unicode
from gossamer.model.translatable import Translatable, enumerated, said

_CONTROL = lazy_pattern(r"[\x00-\x1f\x7f]")


def cookies_of(text: str) -> tuple[tuple[str, str], ...]:
    """Names and values from `name=value`, separated by semicolons or line ends.

    Raises UsageError, which does not quote what was typed.
    """
    parts = [part.strip() for part in re.split(r"[;\r\n]", text)]
    pairs = [part.partition("=") for part in parts if part]
    if not all(name.strip() and equals for name, equals, _ in pairs):
        raise UsageError("A cookie has no name or no '='; write cookies as 'name=value'.")
    return tuple((name.strip(), value.strip()) for name, _, value in pairs)


class HttpAuth(Struct, frozen=True, array_like=True):
    """User name and password for HTTP authentication, Basic (RFC 7617) or Digest (RFC 7616)."""

    user: str
    password: str
    is_digest: bool = False
    """Whether the server is never sent the password itself: Basic is not used."""

    def __repr__(self) -> str:
        return f"HttpAuth({self.user!r}, …)"


class LoginCookie(Struct, frozen=True, array_like=True):
    """A cookie that a server set when somebody logged in."""

    name: str
    value: str
    path: str = "/"
    expires_s: float | None = None
    """Unix time; None: with the session."""
    is_http_only: bool = True
    """Whether scripts of pages must not see it."""

    def __repr__(self) -> str:
        return f"LoginCookie({self.name!r}, …)"


Items = tuple[tuple[str, str], ...]
"""Keys and values of a browser's storage."""


class Login(Struct, frozen=True, kw_only=True):
    """What a browser knows of an origin after somebody logged in there.

    A server may set the cookies again: then what it set last is sent.
    """

    cookies: tuple[LoginCookie, ...] = ()
    local_storage: Items = ()
    session_storage: Items = ()
    taken_s: float = 0.0
    """When somebody logged in: Unix time, 0 if unknown."""
    user_agent: str = ""
    """What the browser called itself; a site may expect it from whoever has its cookies."""

    def __bool__(self) -> bool:
        return bool(self.cookies or self.local_storage or self.session_storage)

    def __repr__(self) -> str:
        return f"Login({', '.join(self.cookie_names)}, …)"

    @property
    def cookie_names(self) -> tuple[str, ...]:
        """Each once, in their order."""
        return tuple(dict.fromkeys(cookie.name for cookie in self.cookies))

    @property
    def stored_keys(self) -> tuple[str, ...]:
        """The keys of both storages, each once."""
        return tuple(dict.fromkeys(key for key, _ in (*self.local_storage, *self.session_storage)))

    def at(self, now_s: float) -> "Login":
        """Without the cookies that have expired by then."""
        kept = [each for each in self.cookies if each.expires_s is None or each.expires_s > now_s]
        return structs.replace(self, cookies=tuple(kept))


NO_LOGIN: Final = Login()


class OriginSecrets(Struct, frozen=True, kw_only=True):
    """The secrets sent to one origin."""

    auth: HttpAuth | None = None
    cookies: tuple[tuple[str, str], ...] = ()
    """Names and values."""
    headers: tuple[tuple[str, str], ...] = ()
    """Names and values, in the order they are sent."""
    login: Login = NO_LOGIN
    certificate: ClientCertificate | None = None
    form: Items = ()
    """What is typed into the fields of a login form, by their names; no request of the crawl has
    it.
    """

    def __bool__(self) -> bool:
        is_sent = self.auth or self.cookies or self.headers or self.login or self.certificate
        return bool(is_sent or self.form)

    def __repr__(self) -> str:
        return f"OriginSecrets({self.names('')})"

    def checked(self) -> "OriginSecrets":
        """Return self, or raise UsageError about what cannot be sent. It quotes no value."""
        for name, value in self.cookies:
            if _CONTROL.search(name + value) or ";" in name + value:
                raise UsageError("A cookie contains a semicolon or a control character; remove it.")
        check_headers(self.headers)
        if self.auth is not None and ":" in self.auth.user:
            raise UsageError("A user name cannot contain a colon; correct it.")
        if not is_unicode(self):
            raise UsageError(
                "A user name, password, cookie or passphrase contains characters that are not "
                "Unicode text; enter it again."
            )
        return self

    def names(self, origin: str) -> "SecretNames":
        """The names of what there is, without values."""
        return SecretNames(
            origin=origin,
            user=None if self.auth is None else self.auth.user,
            is_digest=self.auth is not None and self.auth.is_digest,
            cookies=tuple(name for name, _ in self.cookies),
            headers=tuple(name for name, _ in self.headers),
            login=bool(self.login),
            certificate="" if self.certificate is None else self.certificate.path,
            form=tuple(name for name, _ in self.form),
        )

    def over(self, other: "OriginSecrets") -> "OriginSecrets":
        """These secrets, completed by those of `other`."""
        cookies = {name for name, _ in self.cookies}
        headers = {name.lower() for name, _ in self.headers}
        fields = {name for name, _ in self.form}
        return OriginSecrets(
            auth=self.auth or other.auth,
            cookies=(*self.cookies, *(pair for pair in other.cookies if pair[0] not in cookies)),
            headers=(
                *self.headers,
                *(pair for pair in other.headers if pair[0].lower() not in headers),
            ),
            login=self.login or other.login,
            certificate=self.certificate or other.certificate,
            form=(*self.form, *(pair for pair in other.form if pair[0] not in fields)),
        )


class SecretNames(Struct, frozen=True, kw_only=True):
    """Which secrets a crawl has for an origin, without their values: part of its settings."""

    origin: str
    user: str | None = None
    """The user name that a password belongs to; None without one."""
    is_digest: bool = False
    """Whether that password is for Digest authentication alone."""
    cookies: tuple[str, ...] = ()
    headers: tuple[str, ...] = ()
    login: bool = False
    """Whether somebody logged in in a browser window."""
    certificate: str = ""
    """The file of a client certificate."""
    form: tuple[str, ...] = ()
    """The fields of a login form."""

    def __bool__(self) -> bool:
        has_any = self.cookies or self.headers or self.login or self.certificate or self.form
        return bool(self.user is not None or has_any)

    @property
    def said(self) -> Translatable:
        """For a sentence: "the password of jo and the cookie id for https://example.com"."""
        user = self.user or said("nobody")
        parts = [] if self.user is None else [said("the password of {user}", user=user)]
        parts += [said("the cookie {name}", name=name) for name in self.cookies]
        parts += [said("the header {name}", name=name) for name in self.headers]
        if self.certificate:
            parts.append(said("the client certificate {path}", path=self.certificate))
        parts += [said("the field {name} of the login form", name=name) for name in self.form]
        parts += [said("the login")] if self.login else []
        listed = enumerated(parts)
        if not self.origin:
            return listed
        return said("{secrets} for {origin}", secrets=listed, origin=self.origin)

    def __str__(self) -> str:
        return str(self.said)

    def and_also(self, other: "SecretNames") -> "SecretNames":
        """These, and those that another one names for the same origin."""
        headers = {name.lower() for name in self.headers}
        return SecretNames(
            origin=self.origin,
            user=other.user if self.user is None else self.user,
            is_digest=other.is_digest if self.user is None else self.is_digest,
            cookies=tuple(dict.fromkeys((*self.cookies, *other.cookies))),
            headers=(*self.headers, *(n for n in other.headers if n.lower() not in headers)),
            login=self.login or other.login,
            certificate=self.certificate or other.certificate,
            form=tuple(dict.fromkeys((*self.form, *other.form))),
        )

    def without(self, had: OriginSecrets) -> "SecretNames":
        """The names of what is still missing when `had` is available."""
        cookies = {name for name, _ in had.cookies}
        headers = {name.lower() for name, _ in had.headers}
        fields = {name for name, _ in had.form}
        return SecretNames(
            origin=self.origin,
            user=self.user if had.auth is None else None,
            is_digest=self.is_digest and had.auth is None,
            cookies=tuple(name for name in self.cookies if name not in cookies),
            headers=tuple(name for name in self.headers if name.lower() not in headers),
            login=self.login and not had.login,
            certificate="" if had.certificate else self.certificate,
            form=tuple(name for name in self.form if name not in fields),
        )


class Secrets(Struct, frozen=True):
    """The secrets of each origin ("https://example.com:8443"); a proxy's own origin counts too."""

    origins: dict[str, OriginSecrets] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return any(self.origins.values())

    def __repr__(self) -> str:
        return f"Secrets({', '.join(str(names) for names in self.names())})"

    @classmethod
    def same_for(cls, origins: Iterable[str], each: OriginSecrets) -> "Secrets":
        """The same secrets for each of the origins."""
        return cls(dict.fromkeys(origins, each) if each else {})

    def of(self, origin: str) -> OriginSecrets:
        """The secrets of `origin`."""
        return self.origins.get(origin, NOTHING_SECRET)

    def only(self, origins: Iterable[str]) -> "Secrets":
        """The secrets of these origins."""
        return Secrets({origin: self.origins[origin] for origin in origins if self.of(origin)})

    def certificates(self) -> dict[str, ClientCertificate]:
        """The client certificates, by the origins that they are shown to."""
        return {
            origin: each.certificate
            for origin, each in self.origins.items()
            if each.certificate is not None
        }

    def for_requests(self) -> "Secrets":
        """These without those for login forms only."""
        return Secrets(
            {site: structs.replace(each, form=()) for site, each in self.origins.items()}
        )

    def over(self, other: "Secrets") -> "Secrets":
        """These, completed by those of `other`."""
        origins = dict.fromkeys((*self.origins, *other.origins))
        return Secrets({origin: self.of(origin).over(other.of(origin)) for origin in origins})

    def names(self) -> tuple[SecretNames, ...]:
        """The names of what there is, without values."""
        return tuple(each.names(origin) for origin, each in self.origins.items() if each)

    def missing(self, needed: Iterable[SecretNames]) -> tuple[SecretNames, ...]:
        """The names of what is needed and not available."""
        return tuple(filter(None, (names.without(self.of(names.origin)) for names in needed)))


NOTHING_SECRET: Final = OriginSecrets()
NO_SECRETS: Final = Secrets()
