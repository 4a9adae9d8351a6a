"""Separates a crawl's secrets from its stored settings and keeps them in memory only."""

import asyncio
import time
from collections.abc import Iterable
from typing import Final

from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.login_form import LoginForm
from gossamer.model.request_headers import PROXY_AUTHORIZATION
from gossamer.model.secrets import (
    NO_LOGIN,
    NO_SECRETS,
    NOTHING_SECRET,
    HttpAuth,
    OriginSecrets,
    SecretNames,
    Secrets,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.proxy_address import parse_proxy
from gossamer.model.translatable import enumerated
from gossamer.session.cluster_use import ensure_usable
from gossamer.session.keyring import recalled, remember
from gossamer.urls.scope_and_limits import site_of
from gossamer.urls.url_parsing import origin, parse_root, split_userinfo

PAGES_PER_LOGIN: Final = 20
"""How many pages a login must last for to be renewed without the user."""


def split_off_secrets(
    settings: CrawlSettings,
    given: OriginSecrets = NOTHING_SECRET,
    bound: Secrets = NO_SECRETS,
) -> tuple[CrawlSettings, Secrets]:
    """Settings that may be stored, and the secrets that were in them.

    Headers that are not public, and `given`, which takes precedence, are for the only origin of the
    roots; what is `bound`, for the origins that it names; a user name and password in an address,
    for the origin of that address, that of the proxy included; a Proxy-Authorization header, for
    the proxy, if there is one. The settings name what was found. Raises UsageError for a root or
    a sitemap that is no web address, and if there are several origins that a secret may be for: a
    list of addresses may be anybody's.
    """
    given = given.over(OriginSecrets(headers=settings.headers))
    in_urls: dict[str, OriginSecrets] = {}
    settings = replace(
        settings,
        headers=(),
        roots=_bare(settings.roots, in_urls),
        sitemaps=_bare(settings.sitemaps, in_urls),
        proxy=_bare_proxy(settings.proxy, in_urls),
    )
    secrets = Secrets(in_urls)
    if given:
        secrets = secrets.over(for_origins(settings, _origins(settings.roots), given))
    secrets = bound.over(secrets)
    if secrets:
        settings = replace(settings, needs_secrets=secrets.names())
    return _naming_form(settings), secrets


def for_project(settings: CrawlSettings, given: OriginSecrets) -> Secrets:
    """`given` for the origin that a project needs secrets for; without any, that of its roots.

    UsageError if there are several.
    """
    if not given:
        return Secrets()
    needed = [names.origin for names in settings.needs_secrets]
    proxies = {_proxy_origin(settings)} - set(_origins(settings.roots))
    hosts = [each for each in needed if each not in proxies]
    return for_origins(settings, hosts or _origins(settings.roots), given)


def split_off_new_secrets(
    before: CrawlSettings, after: CrawlSettings, bound: Secrets = NO_SECRETS
) -> tuple[CrawlSettings, Secrets]:
    """As `split_off_secrets`, for the settings of a project `before` and `after` a change.

    It still needs what it needed before, except for a proxy that is gone. Headers are for the
    origin that needed secrets, if there is one, else for that of the roots.
    """
    headers = OriginSecrets(headers=after.headers)
    after, added = split_off_secrets(replace(after, headers=()))
    added = bound.over(for_project(after, headers).over(added))
    needs: dict[str, SecretNames] = {names.origin: names for names in before.needs_secrets}
    gone = _proxy_origin(before)
    if gone not in {_proxy_origin(after), *_origins(after.roots)}:
        needs.pop(gone, None)
    for names in added.names():
        had = needs.get(names.origin)
        needs[names.origin] = names if had is None else names.and_also(had)
    for site, names in needs.items():
        needs[site] = replace(names, form=())
    settings = replace(after, needs_secrets=tuple(filter(None, needs.values())))
    return _naming_form(settings), added


def form_origin(form: LoginForm) -> str:
    """The origin of whose secrets the values of a login form are."""
    return origin(parse_root(form.page))


def is_form_of_site(form: LoginForm, roots: Iterable[str]) -> bool:
    """Whether a login form belongs to the site of one of the roots."""
    return site_of(form_origin(form)) in {site_of(each) for each in _origins(roots)}


def _naming_form(settings: CrawlSettings) -> CrawlSettings:
    """The settings, with the fields of their login form among the secrets that they need.

    UsageError if it is the form of another site.
    """
    form = settings.login_form
    if form is None:
        return settings
    if not is_form_of_site(form, settings.roots):
        raise UsageError(
            "The login form is of {site}, and the crawl starts at another site; remove login_form "
            "from the settings, or record the form of this site.",
            site=form_origin(form),
        )
    site = form_origin(form)
    needs = {names.origin: names for names in settings.needs_secrets}
    had = needs.get(site, SecretNames(origin=site))
    needs[site] = replace(had, form=form.asked)
    return replace(settings, needs_secrets=tuple(needs.values()))


def for_origins(settings: CrawlSettings, origins: Iterable[str], given: OriginSecrets) -> Secrets:
    """`given` for the only one of `origins`, and proxy credentials for the proxy alone.

    UsageError if there are several.
    """
    if settings.proxy is None:
        return Secrets.same_for(_one(origins, given), given)
    for_proxy = tuple(pair for pair in given.headers if pair[0].lower() == PROXY_AUTHORIZATION)
    rest = tuple(pair for pair in given.headers if pair not in for_proxy)
    given = replace(given, headers=rest)
    return Secrets.same_for(_one(origins, given), given).over(
        Secrets.same_for([_proxy_origin(settings)], OriginSecrets(headers=for_proxy))
    )


def _one(origins: Iterable[str], given: OriginSecrets) -> list[str]:
    origins = list(origins)
    if given and len(origins) > 1:
        raise UsageError(
            "The crawl starts at {sites} sites, and a password, cookie or header is sent to one "
            "of them only: name that site, as in --auth {origin}=USER (likewise for --cookie and "
            "--header), or crawl it on its own. Use --public-header for headers that every server "
            "may see.",
            sites=len(origins),
            origin=origins[0],
        )
    return origins


def _bare(addresses: Iterable[str], found: dict[str, OriginSecrets]) -> tuple[str, ...]:
    """The addresses without user names and passwords, which are added to `found` by origin.

    UsageError for what is no address.
    """
    bare = []
    for address in addresses:
        stripped, userinfo = split_userinfo(address)
        if userinfo is not None:
            found[origin(stripped)] = OriginSecrets(auth=HttpAuth(*userinfo))
        bare.append(stripped)
    return tuple(bare)


def _bare_proxy(typed: str | None, found: dict[str, OriginSecrets]) -> str | None:
    """The address of the proxy without user name and password, which go into `found`."""
    if typed is None:
        return None
    address, auth = parse_proxy(typed)
    if auth is None:
        return typed
    found[address.origin] = OriginSecrets(auth=auth)
    return address.url


def _origins(roots: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(origin(parse_root(root)) for root in roots))


def _proxy_origin(settings: CrawlSettings) -> str:
    return "" if settings.proxy is None else parse_proxy(settings.proxy)[0].origin


class SecretKeeper:
    """Keeps the settings of a project and, in memory only, the secrets that it needs."""

    def __init__(self, settings: CrawlSettings) -> None:
        """`settings` are those stored."""
        self.settings, self._secrets = split_off_secrets(settings)
        self._is_logged_in = False
        """Whether the login form has been sent, here or by whoever gave its secrets."""
        self._renewed_at: int | None = None
        """How many pages there were when the form was last sent again."""

    @property
    def missing_secrets(self) -> tuple[SecretNames, ...]:
        """The secrets that the crawl was begun with and that have not been given again."""
        needed = self.settings.needs_secrets
        if self.settings.login_form is not None:  # which brings the login
            needed = tuple(replace(names, login=False) for names in needed)
            if self._is_logged_in:  # a code that has been used is not asked for again
                needed = tuple(replace(names, form=()) for names in needed)
        return self._secrets.missing(needed)

    def give(self, secrets: OriginSecrets) -> None:
        """Add secrets for the next start: for the origin that needs some, else that of the roots.

        UsageError if they cannot be used, or if there are several such origins.
        """
        self.add_secrets(for_project(self.settings, secrets.checked()))

    def add_secrets(self, secrets: Secrets) -> None:
        """Add secrets that are bound to origins already."""
        self._secrets = secrets.over(self._secrets)
        form = self.settings.login_form
        if form is not None:
            has_login = any(each.login for each in secrets.origins.values())
            self._is_logged_in = self._is_logged_in or has_login

    @property
    def secrets_for_recrawl(self) -> Secrets:
        """The secrets given to this crawl, for another of the same site; they are only in memory.

        A form that asks for no codes is sent again: the login may have expired.
        """
        form = self.settings.login_form
        is_lasting = form is not None and not form.codes
        return lasting_secrets(self._secrets, form) if is_lasting else self._secrets

    async def recall_secrets(self) -> None:
        """Read missing secrets from the system's keyring."""
        origins = [names.origin for names in self.missing_secrets]
        if origins:
            found = await asyncio.to_thread(recalled, origins)
            self._secrets = self._secrets.over(found)

    async def complete_secrets(self) -> Secrets:
        """The secrets that requests need, from the user, the keyring or a login form.

        UsageError if some are missing, which names them, if the login fails, or if the chosen
        cluster may not have them.
        """
        await self.recall_secrets()
        if missing := self.missing_secrets:
            raise UsageError(
                "This crawl needs {secrets}, which project files do not store. Enter it in the "
                "window's settings, or use --login, --login-values, --auth, --client-certificate, "
                "--cookie or --header.",
                secrets=enumerated([names.said for names in missing]),
            )
        for site, certificate in self._secrets.certificates().items():
            if not site.startswith("https:"):
                raise UsageError(
                    "A client certificate is shown to https servers only, and {site} is not "
                    "one; use an address that begins with https://.",
                    site=site,
                )
            await asyncio.to_thread(certificate.check, time.time())
        await self.log_in()
        ensure_usable(self.settings, self._secrets.for_requests())
        return self._secrets.for_requests()

    @property
    def is_login_due(self) -> bool:
        """Whether the login form of the settings, if there is one, is still to be sent."""
        return self.settings.login_form is not None and not self._is_logged_in

    async def log_in(self) -> None:
        """Log in with the login form of the settings, if there is one and it was not sent yet.

        UsageError with the reason if that fails.
        """
        if self.is_login_due and self.settings.login_form is not None:
            self.add_secrets(await self._new_login(self.settings.login_form))

    async def renewed_login(self, pages: int) -> Secrets:
        """Log in again with the form, for a crawl with `pages` so far whose login expired.

        None without a form, if it asks for codes, or if the last login expired at once. UsageError
        with the reason if it fails.
        """
        form, last = self.settings.login_form, self._renewed_at
        is_of_use = last is None or pages - last >= PAGES_PER_LOGIN
        if form is None or form.codes or not is_of_use:
            return NO_SECRETS
        self._renewed_at = pages
        return await self._new_login(form)

    async def _new_login(self, form: LoginForm) -> Secrets:
        from gossamer.session.form_login import log_in_with_form  # noqa: PLC0415 - few crawls have one

        values = dict(self._secrets.of(form_origin(form)).form)
        return await log_in_with_form(self.settings, values, self._secrets)

    async def remember_secrets(self) -> None:
        """Store the secrets in the system's keyring; UsageError if it rejects them."""
        await asyncio.to_thread(remember, lasting_secrets(self._secrets, self.settings.login_form))


def lasting_secrets(secrets: Secrets, form: LoginForm | None) -> Secrets:
    """What to store in a keyring: for a login form, what was typed, except codes."""
    if form is None:
        return secrets
    lasting = {
        site: replace(
            each,
            login=NO_LOGIN,
            form=tuple(pair for pair in each.form if pair[0] not in form.codes),
        )
        for site, each in secrets.origins.items()
    }
    return Secrets({site: each for site, each in lasting.items() if each})
