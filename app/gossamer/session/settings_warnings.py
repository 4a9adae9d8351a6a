"""Warns of risky crawl settings before any request is sent."""

from collections.abc import Collection, Sequence
from importlib.util import find_spec
from typing import Final

from gossamer.model.errors import UsageError
from gossamer.model.program_resources import resource_path
from gossamer.model.settings import built_in_profiles
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS, CrawlSettings, has_no_effect
from gossamer.model.settings.proxy_address import without_credentials
from gossamer.model.translatable import Sentence, Translatable, enumerated, said
from gossamer.urls.url_parsing import server_name

_MOST_NAMES: Final = 5
WITHOUT_BROWSER: Final[Sentence] = (
    "Pages are not rendered: no browser was found. 'gossamer browser' says how to install one."
)
WITHOUT_AXE: Final[Sentence] = (
    "Pages are not checked for accessibility: axe-core is missing. In a checkout, 'python3"
    " packaging/dev.py setup' gets it from npm."
)
_ANY_LANGUAGE: Final = "en"
"""Stands for all of which there might be a dictionary where there is none at all."""


def cautions(settings: CrawlSettings) -> dict[str, Translatable]:
    """Warnings, by setting, of what redirects requests, starts programs, or is less polite.

    Whoever resumes somebody else's project has not chosen any of it.
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
    if settings.languagetool:
        found["languagetool"] = said(
            "This crawl sends the texts of its pages to the LanguageTool server {server}.",
            server=settings.languagetool,
        )
    if settings.browser:  # logins and stored pages open it without rendering, too
        found["browser"] = said(
            "Pages, logins and stored pages of this crawl open in the program {program}.",
            program=settings.browser,
        )
    if not settings.obey_robots:
        found["obey_robots"] = said("This crawl ignores robots.txt.")
    return found


def without_effect(settings: CrawlSettings, chosen: Collection[str] = ()) -> dict[str, list[str]]:
    """Wanted settings that have no effect, by the setting that they need.

    Wanted is what was `chosen`, and what is at no default, nor at the value of a built-in profile.
    """
    found: dict[str, list[str]] = {}
    for name, setting in SETTINGS.items():
        value = getattr(settings, name)
        usual = (getattr(DEFAULTS, name), *built_in_profiles.values_of(name))
        if (name in chosen or value not in usual) and has_no_effect(name, settings):
            found.setdefault(setting.needs, []).append(name)
    return found


def missing_browser(settings: CrawlSettings) -> Translatable | None:
    """Why pages cannot be rendered here though the settings want it."""
    if not settings.renders_pages or settings.cluster:  # nodes have browsers of their own
        return None
    from gossamer.render.browser_discovery import find_browsers  # noqa: PLC0415 - off by default

    try:
        found = find_browsers(settings.browser)
    except UsageError as e:  # the chosen program is gone
        return e.said
    return None if found else Translatable(WITHOUT_BROWSER)


def missing_for_accessibility(settings: CrawlSettings) -> Translatable | None:
    """Why pages cannot be checked for accessibility though the settings want it."""
    if not settings.checks_accessibility:
        return None
    try:
        resource_path("axe", "axe.min.js")
    except FileNotFoundError:
        return Translatable(WITHOUT_AXE)
    return None


def missing_dictionaries(settings: CrawlSettings) -> list[Translatable]:
    """Why spelling cannot be checked though the settings want it: a sentence each."""
    if not settings.check_spelling:
        return []
    from gossamer.audit.proofreading_gaps import missing_dictionary  # noqa: PLC0415 - off by default
    from gossamer.proofreading.dictionary_files import (  # noqa: PLC0415 - likewise
        dictionary_folders,
        dictionary_for,
        find_dictionaries,
    )
    from gossamer.proofreading.spell_checker import MISSING_LIBRARY  # noqa: PLC0415 - likewise

    if find_spec("hunspell") is None:
        return [Translatable(MISSING_LIBRARY)]
    found = find_dictionaries(dictionary_folders(settings.dictionary_folder))
    wanted = settings.spelling_languages or (() if found else (_ANY_LANGUAGE,))
    return [missing_dictionary(code) for code in wanted if dictionary_for(code, found) is None]


def unchecked(servers: Sequence[str]) -> Translatable:
    """The warning that the certificates of these servers ("host:port") are not checked."""
    names = _listed([server_name(server) for server in servers])
    return said("This crawl does not check the certificates of {servers}.", servers=names)


def _listed(names: Sequence[str]) -> Translatable:
    parts = [Translatable(name) for name in names[:_MOST_NAMES]]
    if rest := len(names) - len(parts):
        parts.append(said("{number} more", number=rest))
    return enumerated(parts)
