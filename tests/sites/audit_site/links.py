"""Links of pages and to pages."""

from collections.abc import Sequence
from typing import Final

from tests.sites.audit_site.planted_site import BLOCKED, HTTP_URL, PlantedSite

_MOST_INTERNAL: Final = 1000
_MOST_EXTERNAL: Final = 100


def _anchors(urls: Sequence[str]) -> str:
    items = "".join(f'<li><a href="{url}">Way {at}</a></li>' for at, url in enumerate(urls))
    return f"<ul>{items}</ul>"


def plant_outlinks(site: PlantedSite) -> None:
    """What the links of one page are like."""
    local = "Links: Outlinks To Localhost"
    for name, host in (("name", "localhost:9"), ("capitals", "LOCALHOST"), ("ipv6", "[::1]:9")):
        body = f'<p><a href="http://{host}/x">A draft of this garden</a></p>'
        site.page(f"/links/to-localhost-{name}", local, body=body)
    body = '<p><a href="http://localhost.example/x">Another garden of ours</a></p>'
    site.page("/links/to-localhost-example", body=body)
    no_outlinks = "Links: Pages Without Internal Outlinks"
    site.page("/links/none", no_outlinks, back="")
    abroad = '<p><a href="https://other.example/x">Another garden of ours</a></p>'
    site.page("/links/only-external", no_outlinks, back=abroad)
    site.page(
        "/links/only-itself",
        back='<p><a href="/links/only-itself">This bed here</a></p>',
        unclear=(no_outlinks,),
    )
    site.page(
        "/links/only-mail", no_outlinks, back='<p><a href="mailto:a@b.example">Mail us</a></p>'
    )
    site.noindex("/links/noindex-none", back="")
    uncrawlable = "Links: Pages With Uncrawlable Internal Outlinks"
    elements = {
        "javascript": '<a href="javascript:go()">Into the barn</a>',
        "onclick": '<a onclick="go()">Into the barn</a>',
        "router": '<a routerLink="/barn">Into the barn</a>',
    }
    for name, element in elements.items():
        site.page(f"/links/uncrawlable-{name}", uncrawlable, body=f"<p>{element}</p>")
    harmless = {
        "mail": '<a href="mailto:a@b.example">Mail us</a>',
        "tel": '<a href="tel:+123">Call us</a>',
        "hash": '<a href="#">Up to the sky</a>',
        "name": '<a name="place">A place</a>',
        "onclick-too": '<a href="/" onclick="go()">Into the garden</a>',
    }
    for name, element in harmless.items():
        site.page(f"/links/crawlable-{name}", body=f"<p>{element}</p>")
    nofollow = "Links: Internal Nofollow Outlinks"
    to = '<p><a rel="{}" href="{}">Roses of the garden</a></p>'
    target = "/links/target"
    both = "Links: Follow & Nofollow Internal Inlinks To Page"
    site.page(target, both)
    site.page("/links/nofollow", nofollow, body=to.format("nofollow", target))
    site.page("/links/nofollow-ugc", nofollow, body=to.format("ugc NoFollow", target))
    site.page("/links/nofollow-comma", nofollow, body=to.format("ugc,nofollow", target))
    for rel in ("sponsored", "ugc", "external"):
        site.page(f"/links/{rel}", body=to.format(rel, "/links/none"))
    site.page("/links/nofollow-abroad", body=to.format("nofollow", "https://other.example/x"))
    robots = '<meta name="robots" content="nofollow">'
    site.page("/links/meta-nofollow", "Directives: Nofollow", head=robots)
    _plant_anchor_texts(site)
    _plant_many(site)


def _plant_anchor_texts(site: PlantedSite) -> None:
    none = "Links: Internal Outlinks With No Anchor Text"
    nameless = "Accessibility: Links Must Have Discernible Text"
    vague = "Links: Non-Descriptive Anchor Text In Internal Outlinks"
    image = site.image("/links/rose.png")
    picture = f'<img src="{image}" alt="A rose of ours" width="9" height="9">'
    site.page("/anchors/empty", none, nameless, body='<p><a href="/links/none"></a></p>')
    blank = '<p><a href="/links/none"> <span>\n</span> </a></p>'
    site.page("/anchors/blank", none, nameless, body=blank)
    site.page(
        "/anchors/empty-abroad", nameless, body='<p><a href="https://other.example/"></a></p>'
    )
    site.page("/anchors/image", body=f'<p><a href="/links/none">{picture}</a></p>')
    label = '<p><a href="/links/none" aria-label="A bed of roses"></a></p>'
    site.page("/anchors/label", body=label)
    labelled = (
        '<p id="roses">A bed of roses</p><p><a href="/links/none" aria-labelledby="roses"></a></p>'
    )
    site.page("/anchors/labelled-by", body=labelled)
    unlabelled = '<p><a href="/links/none" aria-labelledby="tulips"></a></p>'
    site.page("/anchors/labelled-by-nothing", none, nameless, body=unlabelled)
    texts = {
        "click-here": "click here", "read-more": "Read more", "more": " More ", "here": "HERE",
        "german": "mehr", "chinese": "更多", "nested": "<b>Learn</b> more",
    }  # fmt: skip
    for name, text in texts.items():
        body = f'<p><a href="/links/none">{text}</a></p>'
        site.page(f"/anchors/vague-{name}", vague, body=body)
    for name, text in {"roses": "Read more about roses", "moor": "Moor", "heron": "Herons"}.items():
        body = f'<p><a href="/links/none">{text}</a></p>'
        site.page(f"/anchors/clear-{name}", body=body)
    abroad = '<p><a href="https://other.example/">click here</a></p>'
    site.page("/anchors/vague-abroad", body=abroad)


def _plant_many(site: PlantedSite) -> None:
    many = [f"/robots-no/many/{number}" for number in range(_MOST_INTERNAL + 1)]
    for url in many:
        site.expect(url, HTTP_URL, BLOCKED)
    over = "Links: Pages With High Internal Outlinks"
    site.page("/links/1000-internal", back=_anchors(many[:_MOST_INTERNAL]))
    site.page("/links/1000-internal-twice", back=_anchors(many[:_MOST_INTERNAL] * 2))
    site.page("/links/1001-internal", over, back=_anchors(many))
    far = [f"https://other.example/{number}" for number in range(_MOST_EXTERNAL + 1)]
    over = "Links: Pages With High External Outlinks"
    site.page("/links/100-external", body=_anchors(far[:_MOST_EXTERNAL]))
    site.page("/links/100-external-twice", body=_anchors(far[:_MOST_EXTERNAL] * 2))
    site.page("/links/101-external", over, body=_anchors(far))


def plant_inlinks(site: PlantedSite) -> None:
    """Pages by the links that lead to them; the crawl follows those with nofollow too."""
    nofollow = "Links: Internal Nofollow Outlinks"
    to = '<p><a{} href="{}">Lilies of the garden</a></p>'
    only = "Links: Internal Nofollow Inlinks Only"
    site.page("/inlinks/nofollow-only", only, linked=False)
    body = to.format(' rel="nofollow"', "/inlinks/nofollow-only")
    site.page("/inlinks/from-1", nofollow, body=body)
    both = "Links: Follow & Nofollow Internal Inlinks To Page"
    site.page("/inlinks/both", both, linked=False)
    body = to.format(' rel="nofollow"', "/inlinks/both") + to.format("", "/inlinks/both")
    site.page("/inlinks/from-2", nofollow, body=body)
    site.page("/inlinks/follow-only", linked=False)
    site.page("/inlinks/from-3", body=to.format("", "/inlinks/follow-only"))
    hidden = "Links: Non-Indexable Page Inlinks Only"
    site.page("/inlinks/hidden", hidden, linked=False)
    site.noindex("/inlinks/from-noindex", body=to.format("", "/inlinks/hidden"))
    site.page("/inlinks/half-hidden", linked=False)
    site.noindex("/inlinks/from-noindex-2", body=to.format("", "/inlinks/half-hidden"))
    site.page("/inlinks/from-4", body=to.format("", "/inlinks/half-hidden"))
    site.noindex("/inlinks/noindex-hidden", linked=False)
    site.noindex("/inlinks/from-noindex-3", body=to.format("", "/inlinks/noindex-hidden"))
    deep = "Links: Pages With High Crawl Depth"
    for depth in range(1, 7):
        body = to.format("", f"/depth/{depth + 1}") if depth < 6 else ""
        site.page(f"/depth/{depth}", *([deep] if depth > 4 else []), body=body, linked=depth == 1)
