"""Pages with canonicals, series of pages, and what robots are told."""

from typing import Final

from tests.sites.audit_site.planted_site import (
    JSON_LD,
    SELF_CANONICAL,
    PlantedSite,
    canonical,
    robots,
)

_CONTAINS: Final = SELF_CANONICAL[0]
_NON_INDEXABLE: Final = "Canonicals: Non-Indexable Canonical"
_CHAIN: Final = "Canonicals: Canonical Chain and Loop"
_OUTSIDE: Final = "Directives: Outside <head>"


def plant_canonicals(site: PlantedSite) -> None:
    """One, none, several, in other places, and where they lead."""
    url = site.url
    missing = "Canonicals: Missing"
    site.page("/canonicals/none", missing, lacks=SELF_CANONICAL, canonical="")
    site.page("/canonicals/empty", missing, lacks=SELF_CANONICAL, canonical=canonical(""))
    site.page(
        "/canonicals/capitals", canonical=f"<LINK REL=Canonical HREF={url('/canonicals/capitals')}>"
    )
    tokens = canonical(url("/canonicals/tokens")).replace('"canonical"', '"canonical bookmark"')
    site.page("/canonicals/tokens", canonical=tokens)
    fragment = canonical(url("/canonicals/fragment") + "#here")
    site.page("/canonicals/fragment", "Canonicals: Contains Fragment URL", canonical=fragment)
    relative = "Canonicals: Canonical Is Relative"
    site.page("/canonicals/relative", relative, canonical=canonical("/canonicals/relative"))
    site.page("/canonicals/relative-name", relative, canonical=canonical("relative-name"))
    multiple, conflicting = "Canonicals: Multiple", "Canonicals: Multiple Conflicting"
    site.page("/canonicals/twice", multiple, canonical=canonical(url("/canonicals/twice")) * 2)
    both = canonical(url("/canonicals/conflicting")) + canonical(url("/canonicals/none"))
    canonicalised = "Canonicals: Canonicalised"
    site.page(
        "/canonicals/conflicting",
        multiple,
        conflicting,
        canonicalised,
        lacks=JSON_LD,
        canonical=both,
    )
    late_self = canonical(url("/canonicals/none")) + canonical(url("/canonicals/late-self"))
    site.page(
        "/canonicals/late-self",
        multiple,
        conflicting,
        canonicalised,
        lacks=JSON_LD,
        canonical=late_self,
    )
    header = ("Link", f'<{url("/canonicals/header")}>; rel="canonical"')
    site.page("/canonicals/header", canonical="", more_headers=[header])
    for path, target in (
        ("header-relative", "/canonicals/header-relative"),
        ("header-name", "header-name"),
    ):
        header = ("Link", f"<{target}>; rel=canonical")
        site.page(f"/canonicals/{path}", relative, canonical="", more_headers=[header])
    header = ("Link", f"<{url('/canonicals/header-too')}>; rel=canonical")
    site.page("/canonicals/header-too", multiple, more_headers=[header])
    header = ("Link", f'<{url("/canonicals/none")}>; rel="canonical"')
    site.page(
        "/canonicals/header-conflicts",
        multiple,
        conflicting,
        canonicalised,
        lacks=JSON_LD,
        more_headers=[header],
    )
    late = canonical(url("/canonicals/in-body"))
    site.page("/canonicals/in-body", "Canonicals: Outside <head>", canonical="", body=late)
    _plant_odd_canonicals(site)
    _plant_targets_of_canonicals(site)
    _plant_files_with_canonicals(site)


def _plant_odd_canonicals(site: PlantedSite) -> None:
    url = site.url
    for attribute in ("hreflang", "lang", "media", "type"):
        path = f"/canonicals/with-{attribute}"
        value = {"media": "screen", "type": "text/html"}.get(attribute, "en")
        link = canonical(url(path), f' {attribute}="{value}"')
        # A link with hreflang could be taken for an alternate; its rel says that it is none.
        site.page(path, "Canonicals: Invalid Attribute In Annotation", canonical=link)
    harmless = canonical(url("/canonicals/with-data"), ' data-x="1" id="c" crossorigin')
    site.page("/canonicals/with-data", canonical=harmless)
    site.canonicalised("/canonicals/to-other", "/canonicals/none")
    site.canonicalised("/canonicals/to-abroad", "https://abroad.example/", unclear=(_CHAIN,))
    site.expect("https://abroad.example/", unclear=None)


def _plant_files_with_canonicals(site: PlantedSite) -> None:
    header = ("Link", f"<{site.url('/canonicals/none')}>; rel=canonical")
    site.link("/canonicals/target.pdf")
    site.file("/canonicals/target.pdf", b"%PDF-1.7", "application/pdf", more_headers=[header])
    site.canonicalised("/canonicals/to-file", "/canonicals/target.pdf", _NON_INDEXABLE, _CHAIN)
    header = ("Link", f"<{site.url('/canonicals/own.pdf')}>; rel=canonical")
    site.link("/canonicals/own.pdf")
    site.file("/canonicals/own.pdf", b"%PDF-1.6", "application/pdf", more_headers=[header])
    site.canonicalised("/canonicals/to-own-file", "/canonicals/own.pdf")


def _plant_targets_of_canonicals(site: PlantedSite) -> None:
    site.noindex("/canonicals/target-noindex")
    site.canonicalised("/canonicals/to-noindex", "/canonicals/target-noindex", _NON_INDEXABLE)
    site.status("/canonicals/target-404", 404, "Response Codes: Internal Client Error (4xx)")
    site.canonicalised("/canonicals/to-404", "/canonicals/target-404", _NON_INDEXABLE)
    site.redirect("/canonicals/target-moved", "/canonicals/none")
    site.canonicalised(
        "/canonicals/to-moved", "/canonicals/target-moved", _NON_INDEXABLE, unclear=(_CHAIN,)
    )
    site.blocked("/robots-no/canonical")
    site.link("/robots-no/canonical")
    site.canonicalised("/canonicals/to-blocked", "/robots-no/canonical", _NON_INDEXABLE)
    site.canonicalised("/canonicals/chain-1", "/canonicals/chain-2", _NON_INDEXABLE, _CHAIN)
    site.canonicalised("/canonicals/chain-2", "/canonicals/chain-3")
    site.page("/canonicals/chain-3")
    site.canonicalised("/canonicals/loop-1", "/canonicals/loop-2", _NON_INDEXABLE, _CHAIN)
    site.canonicalised("/canonicals/loop-2", "/canonicals/loop-1", _NON_INDEXABLE, _CHAIN)
    site.page("/canonicals/unlinked-target", "Canonicals: Unlinked", linked=False)
    site.canonicalised("/canonicals/to-unlinked", "/canonicals/unlinked-target")
    site.noindex("/canonicals/unlinked-noindex", "Canonicals: Unlinked", linked=False)
    site.canonicalised(
        "/canonicals/to-unlinked-noindex", "/canonicals/unlinked-noindex", _NON_INDEXABLE
    )
    unlinked = "Canonicals: Unlinked"
    site.status(
        "/canonicals/only-500",
        500,
        "Response Codes: Internal Server Error (5xx)",
        unlinked,
        linked=False,
    )
    site.canonicalised("/canonicals/to-only-500", "/canonicals/only-500", _NON_INDEXABLE)
    site.redirect("/canonicals/only-moved", "/canonicals/only-moved-to", unlinked, linked=False)
    site.page("/canonicals/only-moved-to", linked=False)
    site.canonicalised(
        "/canonicals/to-only-moved", "/canonicals/only-moved", _NON_INDEXABLE, unclear=(_CHAIN,)
    )
    site.canonicalised("/canonicals/only-on", "/canonicals/none", unlinked, linked=False)
    site.canonicalised("/canonicals/to-only-on", "/canonicals/only-on", _NON_INDEXABLE, _CHAIN)
    site.blocked("/robots-no/only-canonical", unlinked)
    site.canonicalised("/canonicals/to-only-blocked", "/robots-no/only-canonical", _NON_INDEXABLE)
    site.gone("/canonicals/gone-target", unclear=("Canonicals: Unlinked",))
    site.canonicalised("/canonicals/to-gone", "/canonicals/gone-target", _NON_INDEXABLE)


def _next(url: str) -> str:
    return f'<link rel="next" href="{url}">'


def _prev(url: str) -> str:
    return f'<link rel="prev" href="{url}">'


def _anchors(*urls: str) -> str:
    return "".join(f'<p><a href="{url}">More of the series at {url}</a></p>' for url in urls)


def plant_pagination(site: PlantedSite) -> None:
    """Series of pages in order, and not."""
    contains = "Pagination: Contains Pagination"
    first = (contains, "Pagination: First Page")
    later = (contains, "Pagination: Paginated 2+ Pages")
    unanswered = "Pagination: Sequence Error"
    one, two, three = (f"/series/good/{number}" for number in (1, 2, 3))
    site.page(one, *first, head=_next(two), body=_anchors(two))
    site.page(two, *later, head=_prev(one) + _next(three), body=_anchors(one, three))
    site.page(three, *later, head=_prev(two), body=_anchors(two))
    one, two = "/series/header/1", "/series/header/2"
    link = [("Link", f'<{site.url(two)}>; rel="next"')]
    site.page(one, *first, more_headers=link, body=_anchors(two))
    link = [("Link", f"<{one}>; rel=prev")]
    site.page(two, *later, more_headers=link, body=_anchors(one))
    one, two = "/series/no-anchor/1", "/series/no-anchor/2"
    site.page(one, *first, "Pagination: Pagination URL Not In Anchor Tag", head=_next(two))
    site.page(two, *later, head=_prev(one), body=_anchors(one))
    site.status("/series/404/2", 404, "Response Codes: Internal Client Error (4xx)")
    site.page(
        "/series/404/1",
        *first,
        "Pagination: Non-200 Pagination URLs",
        head=_next("/series/404/2"),
        body=_anchors("/series/404/2"),
        unclear=(unanswered,),
    )
    site.redirect("/series/moved/2", "/series/good/2")
    site.page(
        "/series/moved/1",
        *first,
        "Pagination: Non-200 Pagination URLs",
        head=_next("/series/moved/2"),
        body=_anchors("/series/moved/2"),
        unclear=(unanswered,),
    )
    _plant_series_out_of_order(site, first, later, unanswered)
    _plant_hidden_series(site, first, later)


def _plant_series_out_of_order(
    site: PlantedSite, first: tuple[str, ...], later: tuple[str, ...], unanswered: str
) -> None:
    target = "/series/unlinked/2"
    site.file(target, b"<p>Hidden", "text/html", "Pagination: Unlinked Pagination URLs")
    site.page(
        "/series/unlinked/1",
        *first,
        "Pagination: Pagination URL Not In Anchor Tag",
        head=_next(target),
        unclear=(unanswered,),
    )
    gone = "/series/gone-unlinked/2"
    site.gone(gone, unclear=("Pagination: Unlinked Pagination URLs",))
    site.page(
        "/series/gone-unlinked/1",
        *first,
        "Pagination: Pagination URL Not In Anchor Tag",
        "Pagination: Non-200 Pagination URLs",
        head=_next(gone),
        unclear=(unanswered,),
    )
    one, two, other = "/series/several/1", "/series/several/2", "/series/several/3"
    multiple = "Pagination: Multiple Pagination URLs"
    site.page(one, *first, multiple, head=_next(two) + _next(other), body=_anchors(two, other))
    site.page(two, *later, head=_prev(one), body=_anchors(one))
    site.page(other, *later, head=_prev(one), body=_anchors(one))
    one, two = "/series/loop/1", "/series/loop/2"
    loop = "Pagination: Pagination Loop"
    site.page(one, *later, loop, head=_prev(two) + _next(two), body=_anchors(two))
    site.page(two, *later, loop, head=_prev(one) + _next(one), body=_anchors(one))
    site.page(
        "/series/unanswered/1",
        *first,
        unanswered,
        head=_next("/series/unanswered/2"),
        body=_anchors("/series/unanswered/2"),
    )
    site.page("/series/unanswered/2")
    site.page(
        "/series/only-prev/2",
        *later,
        head=_prev("/series/only-prev/1"),
        body=_anchors("/series/only-prev/1"),
    )
    site.page("/series/only-prev/1")


def _plant_hidden_series(site: PlantedSite, first: tuple[str, ...], later: tuple[str, ...]) -> None:
    one, two = "/series/noindex/1", "/series/noindex/2"
    site.page(one, *first, head=_next(two), body=_anchors(two))
    site.noindex(two, *later, "Pagination: Non-Indexable", head=_prev(one), body=_anchors(one))
    one, two = "/series/canonicalised/1", "/series/canonicalised/2"
    site.page(one, *first, head=_next(two), body=_anchors(two))
    site.canonicalised(
        two, one, *later, "Pagination: Non-Indexable", head=_prev(one), body=_anchors(one)
    )


def plant_directives(site: PlantedSite) -> None:
    """Each directive in an element and in a header, for all robots, our own and others."""
    harmless = {
        "index": "Index",
        "follow": "Follow",
        "nofollow": "Nofollow",
        "noarchive": "NoArchive",
        "nosnippet": "NoSnippet",
        "max-snippet:20": "Max-Snippet",
        "max-image-preview:large": "Max-Image-Preview",
        "max-video-preview:-1": "Max-Video-Preview",
        "noodp": "NoODP",
        "noydir": "NoYDIR",
        "noimageindex": "NoImageIndex",
        "notranslate": "NoTranslate",
        "unavailable_after: 2199-12-31": "Unavailable_After",
    }
    for directive, name in harmless.items():
        slug = directive.partition(":")[0].replace("_", "-")
        site.page(f"/directives/{slug}", f"Directives: {name}", head=robots(directive))
        header = [("X-Robots-Tag", directive)]
        site.page(f"/directives/header-{slug}", f"Directives: {name}", more_headers=header)
    both = ("Directives: Index", "Directives: Follow")
    site.page("/directives/capitals", *both, head=robots("INDEX ,Follow", "ROBOTS"))
    pair = ("Directives: NoArchive", "Directives: NoTranslate")
    site.page("/directives/two-elements", *pair, head=robots("noarchive") + robots("notranslate"))
    site.page(
        "/directives/element-and-header",
        *pair,
        head=robots("noarchive"),
        more_headers=[("X-Robots-Tag", "notranslate")],
    )
    site.page(
        "/directives/two-headers",
        *pair,
        more_headers=[("X-Robots-Tag", "noarchive"), ("X-Robots-Tag", "notranslate")],
    )
    for name in ("googlebot", "bingbot", "robotics", "author"):
        site.page(f"/directives/for-{name}", head=robots("noindex, nofollow, nosnippet", name))
    site.page("/directives/header-googlebot", more_headers=[("X-Robots-Tag", "googlebot: noindex")])
    off = (*JSON_LD, *SELF_CANONICAL)
    noindex, nofollow = "Directives: Noindex", "Directives: Nofollow"
    site.page("/directives/noindex", noindex, lacks=off, canonical="", head=robots("noindex"))
    site.page(
        "/directives/noindex-capitals",
        noindex,
        lacks=off,
        canonical="",
        head='<META CONTENT=" NoIndex " NAME=Robots>',
    )
    site.page(
        "/directives/noindex-nofollow",
        noindex,
        nofollow,
        lacks=off,
        canonical="",
        head=robots("noindex,nofollow"),
    )
    site.page(
        "/directives/noindex-ours",
        noindex,
        lacks=off,
        canonical="",
        head=robots("noindex", "gossamer"),
    )
    for path, value in (("plain", "noindex"), ("ours", "gossamer: noindex")):
        site.page(
            f"/directives/header-noindex-{path}",
            noindex,
            lacks=off,
            canonical="",
            more_headers=[("X-Robots-Tag", value)],
        )
    none = "Directives: None"
    site.page("/directives/none", none, lacks=off, canonical="", head=robots("none"))
    site.page(
        "/directives/header-none",
        none,
        lacks=off,
        canonical="",
        more_headers=[("X-Robots-Tag", "none")],
    )
    site.page(
        "/directives/late-noarchive", "Directives: NoArchive", _OUTSIDE, body=robots("noarchive")
    )
    site.page(
        "/directives/late-noindex",
        noindex,
        _OUTSIDE,
        lacks=off,
        canonical="",
        body=robots("noindex"),
    )
    site.page(
        "/directives/late-googlebot", unclear=(_OUTSIDE,), body=robots("noindex", "googlebot")
    )
    site.page("/directives/empty", head=robots(""))
    site.page("/directives/unheard-of", head=robots("indexing, noindexed, un-follow"))


def plant_refreshes(site: PlantedSite) -> None:
    """Refreshes that wait, and those that lead on at once."""
    refresh = "Directives: Refresh"
    for name, content in (("5", "5; url=/refresh/target"), ("2", "2;URL='/refresh/target'")):
        element = f'<meta http-equiv="refresh" content="{content}">'
        site.page(f"/refresh/in-{name}", refresh, head=element)
    site.page("/refresh/itself", refresh, head='<meta http-equiv="Refresh" content="300">')
    header = [("Refresh", "10; url=/refresh/target")]
    site.page("/refresh/header-in-10", refresh, more_headers=header)
    site.page("/refresh/target")
    site.noindex(
        "/refresh/noindex-in-5", head='<meta http-equiv="refresh" content="5; url=/refresh/target">'
    )
    by_element = "Response Codes: Internal Redirection (Meta Refresh)"
    by_header = "Response Codes: Internal Redirection (HTTP Refresh)"
    off = (*JSON_LD, *SELF_CANONICAL)
    for delay in (0, 1):
        element = f'<meta http-equiv="refresh" content="{delay}; url=/refresh/target">'
        site.page(f"/refresh/at-once-{delay}", by_element, lacks=off, canonical="", head=element)
        header = [("Refresh", f"{delay}; url=/refresh/target")]
        site.page(
            f"/refresh/header-at-once-{delay}",
            by_header,
            lacks=off,
            canonical="",
            more_headers=header,
        )
