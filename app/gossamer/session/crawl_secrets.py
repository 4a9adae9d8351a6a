"""Separates a crawl's secrets from its stored settings and keeps them in memory only."""

import asyncio
from collections.abc import Iterable

from msgspec.structs import replace

from gossamer.model.errors import UsageError
from gossamer.model.request_headers import PROXY_AUTHORIZATION
from gossamer.model.secrets import (
    NO_SECRETS,
    NOTHING_SECRET,
    BasicAuth,
    OriginSecrets,
    SecretNames,
    Secrets,
)
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.proxy_address import parse_proxy
from gossamer.model.translatable import enumerated
from gossamer.session.keyring import recalled, remember
from gossamer.urls.url_parsing import origin, parse_root, without_userinfo


def separated(
    settings: CrawlSettings,
    given: OriginSecrets = NOTHING_SECRET,
    bound: Secrets = NO_SECRETS,
) -> tuple[CrawlSettings, Secrets]:
    """Settings that may be stored, and the secrets that were in them.

    Headers that are not public, and `given`, which goes before those of the same name, are for
    the one origin that the roots have; what is `bound`, for the origins that it names; a user name
    and password that stand in an address, for the origin of that address, that of the proxy
    included; a Proxy-Authorization header, for the proxy, if there is one. The settings name what
    was found.
    Raises UsageError for a root that is no web address, and where there are several origins that
    a secret may be for: a list of addresses may be anybody's.
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
    return settings, secrets


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


def separated_anew(before: CrawlSettings, after: CrawlSettings) -> tuple[CrawlSettings, Secrets]:
    """As `separated`, for the settings that a project had `before` and has `after`.

    What it needed it needs still, but for a proxy that is gone. Headers are for the origin that
    needed secrets, if there is one, else for that of the roots.
    """
    headers = OriginSecrets(headers=after.headers)
    after, added = separated(replace(after, headers=()))
    added = for_project(after, headers).over(added)
    needs: dict[str, SecretNames] = {names.origin: names for names in before.needs_secrets}
    gone = _proxy_origin(before)
    if gone not in {_proxy_origin(after), *_origins(after.roots)}:
        needs.pop(gone, None)
    for names in added.names():
        had = needs.get(names.origin)
        needs[names.origin] = names if had is None else names.and_also(had)
    return replace(after, needs_secrets=tuple(needs.values())), added


def for_origins(settings: CrawlSettings, origins: Iterable[str], given: OriginSecrets) -> Secrets:
    """`given` for the one of `origins`, but what is for the proxy for the proxy alone.

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
    """The addresses without user names and passwords, which go into `found` by origin."""
    bare = []
    for address in addresses:
        stripped, userinfo = without_userinfo(address)
        if userinfo is not None:
            found[origin(stripped)] = OriginSecrets(auth=BasicAuth(*userinfo))
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
    """Keeps the settings of a project, and in memory the secrets that it needs."""

    def __init__(self, settings: CrawlSettings) -> None:
        """Take the settings as stored."""
        self.settings, self._secrets = separated(settings)

    @property
    def missing_secrets(self) -> tuple[SecretNames, ...]:
        """The secrets that the crawl was begun with and that nobody has given again."""
        return self._secrets.missing(self.settings.needs_secrets)

    def give(self, secrets: OriginSecrets) -> None:
        """Take secrets, for the next start: for the origin that needs some, else that of the roots.

        UsageError if they cannot be used, or if there are several such origins.
        """
        self.add_secrets(for_project(self.settings, secrets.checked()))

    def add_secrets(self, secrets: Secrets) -> None:
        """Take secrets that are bound to origins already."""
        self._secrets = secrets.over(self._secrets)

    async def recall_secrets(self) -> None:
        """Take from the system's keyring what is missing."""
        origins = [names.origin for names in self.missing_secrets]
        if origins:
            found = await asyncio.to_thread(recalled, origins)
            self._secrets = self._secrets.over(found)

    async def complete_secrets(self) -> Secrets:
        """All secrets that the crawl needs, those too that the system's keyring has.

        UsageError, which names them, if some are missing.
        """
        await self.recall_secrets()
        if missing := self.missing_secrets:
            raise UsageError(
                "This crawl needs {secrets}, which project files do not store. Enter it in the "
                "window's settings, or use --login, --auth, --cookie or --header.",
                secrets=enumerated([names.said for names in missing]),
            )
        return self._secrets

    async def remember_secrets(self) -> None:
        """Keep the secrets in the system's keyring; UsageError if it does not take them."""
        await asyncio.to_thread(remember, self._secrets)
