"""Warns of risky crawl settings before any request is sent."""

from collections.abc import Sequence
from typing import Final

from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.proxy_address import without_credentials
from gossamer.model.translatable import Translatable, enumerated, said
from gossamer.urls.url_parsing import server_name

_MOST_NAMES: Final = 5


def cautions(settings: CrawlSettings) -> dict[str, Translatable]:
    """What sends requests elsewhere, or makes them less safe or polite: a sentence by setting.

    Whoever goes on with a project of somebody else has not chosen any of it.
    """
    found = {}
    if settings.insecure_hosts:
        found["insecure_hosts"] = unchecked(settings.insecure_hosts)
    if settings.proxy is not None:
        proxy = without_credentials(settings.proxy)
        sentence = said("This crawl sends all requests through the proxy {proxy}.", proxy=proxy)
        found["proxy"] = sentence
    if settings.public_headers:
        names = _listed([name for name, _ in settings.public_headers])
        sentence = said("This crawl sends these headers to every server: {names}.", names=names)
        found["public_headers"] = sentence
    if not settings.obey_robots:
        found["obey_robots"] = said("This crawl ignores robots.txt.")
    return found


def unchecked(servers: Sequence[str]) -> Translatable:
    """That the certificates of these servers ("host:port") are not checked."""
    names = _listed([server_name(server) for server in servers])
    return said("This crawl does not check the certificates of {servers}.", servers=names)


def _listed(names: Sequence[str]) -> Translatable:
    parts = [Translatable(name) for name in names[:_MOST_NAMES]]
    if rest := len(names) - len(parts):
        parts.append(said("{number} more", number=rest))
    return enumerated(parts)
