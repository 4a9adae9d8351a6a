"""Answers that are no pages: errors, redirects, and nothing at all."""

from typing import Final

from tests.sites.audit_site.planted_site import HTTP_URL, PlantedSite
from tests.sites.site import Site

_CLIENT_ERROR: Final = "Response Codes: {} Client Error (4xx)"
_SERVER_ERROR: Final = "Response Codes: {} Server Error (5xx)"
_REFUSED: Final = "Response Codes: {} Refused to Robots"
_NO_RESPONSE: Final = "Response Codes: {} No Response"
_MOVED: Final = "Response Codes: {} Redirection (3xx)"
_CHAIN: Final = "Response Codes: {} Redirect Chain"
_LOOP: Final = "Response Codes: {} Redirect Loop"
_BLOCKED: Final = "Response Codes: {} Blocked by Robots.txt"
_UNVERIFIED: Final = "Response Codes: {} Unverified"
_ERRORS: Final = {
    400: (_CLIENT_ERROR,),
    401: (_CLIENT_ERROR, _REFUSED),
    403: (_CLIENT_ERROR, _REFUSED),
    404: (_CLIENT_ERROR,),
    405: (_CLIENT_ERROR, _REFUSED),
    410: (_CLIENT_ERROR,),
    429: (_CLIENT_ERROR, _REFUSED),
    500: (_SERVER_ERROR,),
    503: (_SERVER_ERROR,),
}


def plant_internal_codes(site: PlantedSite) -> None:
    """Answers of the crawled site."""

    def rules(*names: str) -> tuple[str, ...]:
        return tuple(name.format("Internal") for name in names)

    for status, names in _ERRORS.items():
        site.status(f"/codes/{status}", status, *rules(*names))
    lacks = site.always - {HTTP_URL}
    site.page("/codes/error-page", *rules(_CLIENT_ERROR), lacks=lacks, status=404, canonical="")
    site.link("/codes/reset")
    site.site.reset("/codes/reset")
    site.expect("/codes/reset", HTTP_URL, *rules(_NO_RESPONSE))
    site.file("/codes/text.txt", b"A text is no page.\n", "text/plain")
    site.link("/codes/text.txt")
    site.file("/codes/empty.txt", b"", "text/plain")
    site.link("/codes/empty.txt")
    shell = "<title>App</title><div id=root></div><script>start()</script>"
    unverified = _UNVERIFIED.format("Internal")
    site.page("/codes/shell", unverified, document=shell, unclear=None, never=rules(_NO_RESPONSE))
    site.status("/codes/600", 600, unverified)
    site.blocked("/robots-no/page")
    site.link("/robots-no/page")
    _plant_internal_redirects(site)
    _plant_resources(site)


def _plant_internal_redirects(site: PlantedSite) -> None:
    chain, loop = _CHAIN.format("Internal"), _LOOP.format("Internal")
    site.page("/codes/target")
    site.redirect("/codes/moved", "/codes/target")
    site.redirect("/codes/chain-1", "/codes/chain-2", chain)
    site.redirect("/codes/chain-2", "/codes/chain-3", linked=False)
    site.redirect("/codes/chain-3", "/codes/target", linked=False)
    site.redirect("/codes/to-404", "/codes/404")
    site.redirect("/codes/loop-1", "/codes/loop-2", loop)
    site.redirect("/codes/loop-2", "/codes/loop-1", loop)
    site.redirect("/codes/itself", "/codes/itself", loop)
    element = '<meta http-equiv="refresh" content="0; url=/codes/moved">'
    by_element = "Response Codes: Internal Redirection (Meta Refresh)"
    site.page(
        "/codes/refresh-chain",
        by_element,
        chain,
        lacks=site.always - {HTTP_URL},
        canonical="",
        head=element,
    )


def _plant_resources(site: PlantedSite) -> None:
    blocked = "Response Codes: Internal Blocked Resource"
    site.blocked("/robots-no/style.css", blocked)
    site.blocked("/robots-no/script.js", blocked)
    site.blocked("/robots-no/image.png", blocked)
    resources = (
        '<link rel="stylesheet" href="/robots-no/style.css">'
        '<script src="/robots-no/script.js"></script>'
    )
    image = '<img src="/robots-no/image.png" alt="A rose" width="9" height="9">'
    site.page("/codes/blocked-resources", head=resources, body=image)
    resource = "Validation: Resource Over 2MB"
    limit = 2 * 1_048_576
    site.file("/codes/2mb.js", b" " * limit, "text/javascript")
    site.file("/codes/over-2mb.js", b" " * (limit + 1), "text/javascript", resource)
    scripts = '<script src="/codes/2mb.js"></script><script src="/codes/over-2mb.js"></script>'
    carbon = ("Validation: High Carbon Rating",)
    site.page("/codes/large-scripts", head=scripts, unclear=carbon)


def plant_external_codes(site: PlantedSite, abroad: Site) -> None:
    """Answers of another site, which is only checked."""

    def expect(path: str, *names: str, linked: bool = True) -> None:
        rules = (name.format("External") for name in names)
        site.expect(abroad.url(path), *rules)
        site.link(abroad.url(path), linked=linked)

    for status, names in _ERRORS.items():
        abroad.status(f"/{status}", status)
        expect(f"/{status}", *names)
    abroad.page("/page", title="x")
    expect("/page")
    abroad.reset("/reset")
    expect("/reset", _NO_RESPONSE)
    abroad.robots("User-agent: *\nDisallow: /private/\n")
    expect("/private/page", _BLOCKED)
    expect("/private/rose.png", _BLOCKED, "Response Codes: {} Blocked Resource", linked=False)
    image = f'<img src="{abroad.url("/private/rose.png")}" alt="A rose" width="9" height="9">'
    site.page("/blocked-abroad", body=image, unclear=("Links: Outlinks To Localhost",))
    abroad.page("/sent-on", title="x", headers=(("Refresh", "0; url=/page"),))
    expect("/sent-on", "Response Codes: {} Redirection (HTTP Refresh)")
    abroad.page("/sent-on-later", title="x", headers=(("Refresh", "30; url=/page"),))
    expect("/sent-on-later")
    abroad.status("/600", 600)
    expect("/600", _UNVERIFIED)
    abroad.redirect("/moved", "/page")
    expect("/moved", _MOVED)
    abroad.redirect("/chain-1", "/chain-2")
    abroad.redirect("/chain-2", "/page")
    expect("/chain-1", _MOVED, _CHAIN)
    expect("/chain-2", _MOVED, linked=False)
    abroad.redirect("/loop-1", "/loop-2")
    abroad.redirect("/loop-2", "/loop-1")
    expect("/loop-1", _MOVED, _LOOP)
    expect("/loop-2", _MOVED, _LOOP)
    site.redirect("/to-abroad", abroad.url("/page"))
    site.redirect(
        "/to-abroad-chain", abroad.url("/moved"), "Response Codes: Internal Redirect Chain"
    )
