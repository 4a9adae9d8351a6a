"""Which settings a crawl that has begun may go on with, and why not with others."""

from collections.abc import Mapping
from typing import Final

from msgspec import structs

from app.model.errors import UsageError
from app.model.said import said
from app.model.settings import CrawlSettings, setting_words

CHANGEABLE: Final = frozenset(
    {
        "workers",
        "processes",
        "rate",
        "external_rate",
        "max_per_host",
        "max_tries",
        "max_pages",
        "timeout_s",
        "user_agent",
        "accept_language",
        "proxy",
        "allow_bad_tls",
        "keep_cookies",
        "guard",
    }
)
"""How, how fast and how long to ask: that may change at any URL."""
_READING: Final = frozenset({"parser", "max_body_bytes", "max_links"})


def changed(settings: CrawlSettings, changes: Mapping[str, object]) -> CrawlSettings:
    """The settings with `changes`, by name; what is as before is no change.

    UsageError with the reason for what cannot change any more, or is out of bounds.
    """
    different = {name: value for name, value in changes.items() if getattr(settings, name) != value}
    for name in different:
        refuse_unless_changeable(name)
    return structs.replace(settings, **different).checked()


def refuse_unless_changeable(name: str) -> None:
    """Raise UsageError with the reason if a crawl that has begun cannot change this setting."""
    if name in CHANGEABLE:
        return
    why = said("it decides which URLs belong to the crawl, and that was decided for many")
    if name in _READING:
        why = said("pages that were read already were read in the other way")
    raise UsageError(
        "{setting} cannot change once a crawl has begun: {why}; begin a new crawl, for example"
        " with 'gossamer crawl --settings FILE'.",
        setting=setting_words(name),
        why=why,
    )
