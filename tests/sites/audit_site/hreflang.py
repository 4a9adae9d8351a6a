"""Pages in several languages that name each other, and do not."""

from collections.abc import Mapping
from typing import Final

from tests.sites.audit_site.planted_site import PlantedSite

_CONTAINS: Final = "Hreflang: Contains Hreflang"
_CODES: Final = "Hreflang: Incorrect Language & Region Codes"
_NO_RETURN: Final = "Hreflang: Missing Return Links"
_NO_SELF: Final = "Hreflang: Missing Self Reference"
_NO_DEFAULT: Final = "Hreflang: Missing X-Default"
_MISSING: Final = "Hreflang: Missing"
_OTHER_RETURN: Final = "Hreflang: Inconsistent Language & Region Return Links"
_NOT_CANONICAL_RETURN: Final = "Hreflang: Non-Canonical Return Links"
_NOINDEX_RETURN: Final = "Hreflang: Noindex Return Links"
_SEVERAL: Final = "Hreflang: Multiple Entries"
_NOT_CANONICAL: Final = "Hreflang: Not Using Canonical"
_NOT_200: Final = "Hreflang: Non-200 Hreflang URLs"
_UNLINKED: Final = "Hreflang: Unlinked Hreflang URLs"


class _Family:
    """Versions of one page below a folder, by name; a version is named by its language."""

    def __init__(self, site: PlantedSite, folder: str) -> None:
        self.site = site
        self.folder = folder

    def path(self, name: str) -> str:
        return f"/{self.folder}/{name}"

    def links(self, names: Mapping[str, str]) -> str:
        """Elements that name a version for each code."""
        return "".join(
            f'<link rel="alternate" hreflang="{code}" href="{self.site.url(self.path(name))}">'
            for code, name in names.items()
        )

    def version(self, name: str, names: Mapping[str, str], *holds: str) -> None:
        """An indexable version that names others."""
        self.site.page(self.path(name), _CONTAINS, *holds, head=self.links(names))


_PAIR: Final = {"en": "en", "de": "de", "x-default": "en"}


def plant_families(site: PlantedSite) -> None:
    """A family in order, and one for each fault."""
    good = _Family(site, "good")
    names = {**_PAIR, "pt-br": "pt", "ZH-Hant": "zh", "es-MX": "es"}
    for name in ("en", "de", "pt", "zh", "es"):
        good.version(name, names)
    no_default = _Family(site, "no-default")
    for name in ("en", "de"):
        no_default.version(name, {"en": "en", "de": "de"}, _NO_DEFAULT)
    no_self = _Family(site, "no-self")
    no_self.version("en", {"de": "de", "x-default": "de"}, _NO_SELF)
    no_self.version("de", _PAIR)
    no_return = _Family(site, "no-return")
    no_return.version("en", _PAIR, _NO_RETURN)
    no_return.version("de", {"de": "de", "x-default": "de"})
    silent = _Family(site, "silent")
    silent.version("en", _PAIR, _NO_RETURN)
    site.page(silent.path("de"), _MISSING)
    other = _Family(site, "other-code")
    other.version("en", _PAIR, _OTHER_RETURN)
    other.version("de", {"fr": "en", "de": "de", "x-default": "en"})
    several = _Family(site, "two-codes")
    several.version("en", {**_PAIR, "de-AT": "de"})
    several.version("de", {**_PAIR, "de-AT": "de"})
    twice = _Family(site, "twice")
    more = f'<link rel="alternate" hreflang="de" href="{site.url(twice.path("at"))}">'
    site.page(twice.path("en"), _CONTAINS, _SEVERAL, head=twice.links(_PAIR) + more)
    site.page(twice.path("de"), _CONTAINS, head=twice.links(_PAIR))
    site.page(
        twice.path("at"), _CONTAINS, head=twice.links({"en": "en", "de": "at", "x-default": "en"})
    )
    for folder, code, wrong in (
        ("code-uk", "en-UK", True),
        ("code-underscore", "en_US", True),
        ("code-unknown", "jp", True),
        ("code-region-only", "GB", True),
        ("code-eu", "en-EU", True),
        ("code-script", "sr-Latn-RS", False),
        ("code-capitals", "EN-gb", False),
        ("code-three", "gsw", False),
    ):
        family = _Family(site, folder)
        links = family.links({"de": "de", "x-default": "de", code: "en"})
        rules = (_CODES,) if wrong else ()
        unclear = (_CODES,) if code in ("GB", "gsw") else ()
        for name in ("de", "en"):
            site.page(
                family.path(name),
                _CONTAINS,
                *set(rules) - set(unclear),
                head=links,
                unclear=unclear,
            )


def plant_targets(site: PlantedSite) -> None:
    """Versions that are gone, hidden, or named from elsewhere."""
    gone = _Family(site, "gone")
    gone.version("en", _PAIR, _NOT_200)
    site.status(gone.path("de"), 404, "Response Codes: Internal Client Error (4xx)")
    moved = _Family(site, "moved")
    moved.version("en", _PAIR, _NOT_200)
    site.redirect(moved.path("de"), "/good/de")
    unlinked = _Family(site, "unlinked")
    unlinked.version("en", _PAIR, _UNLINKED)
    site.file(unlinked.path("de"), b"<p>Versteckt", "text/html")
    lost = _Family(site, "gone-unlinked")
    lost.version("en", _PAIR, _UNLINKED, _NOT_200)
    site.gone(lost.path("de"))
    hidden = _Family(site, "noindex")
    hidden.version("en", _PAIR, _NOINDEX_RETURN)
    site.noindex(hidden.path("de"), head=hidden.links(_PAIR))
    site.open[site.url(hidden.path("de"))] = frozenset((_CONTAINS,))
    foreign = _Family(site, "canonicalised")
    foreign.version("en", _PAIR, _NOT_CANONICAL_RETURN)
    # The German version has a canonical that it does not name.
    site.canonicalised(
        foreign.path("de"),
        foreign.path("at"),
        _NOT_CANONICAL,
        head=foreign.links(_PAIR),
        unclear=(_CONTAINS,),
    )
    site.page(foreign.path("at"), _MISSING)
    late = _Family(site, "late")
    outside = "Hreflang: Outside <head>"
    site.page(late.path("en"), _CONTAINS, outside, body=late.links(_PAIR))
    late.version("de", _PAIR)
    header = _Family(site, "header")
    links = ", ".join(
        f'<{site.url(header.path(name))}>; rel="alternate"; hreflang="{code}"'
        for code, name in _PAIR.items()
    )
    for name in ("en", "de"):
        site.page(header.path(name), _CONTAINS, more_headers=[("Link", links)])
    _plant_both_ways(site)
    site.page("/plain/page", _MISSING)
    site.noindex("/plain/noindex")
    site.page(
        "/plain/feed",
        _MISSING,
        head='<link rel="alternate" type="application/rss+xml" href="data:,">',
    )
    json = f'<{site.url("/plain/page")}>; rel="alternate"; title="JSON"; type="application/json"'
    site.page("/plain/with-json", _MISSING, more_headers=[("Link", json)])


def _plant_both_ways(site: PlantedSite) -> None:
    """A version that an element and a header name, and one that two elements name."""
    both = _Family(site, "both-ways")
    german = f'<{site.url(both.path("de"))}>; rel="alternate"; hreflang="de"'
    elements = both.links(_PAIR)
    site.page(both.path("en"), _CONTAINS, _SEVERAL, head=elements, more_headers=[("Link", german)])
    site.page(both.path("de"), _CONTAINS, head=elements + both.links({"de": "de"}))
