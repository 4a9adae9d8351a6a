"""Tests for robots, and pages that only look like them. The samples are made up."""

import pytest

from gossamer.model.outcome import Outcome, Verdict, verdict
from tests.integration.fetching import run, visit
from tests.sites import Site

CLOUDFLARE = (
    '<html><head><title>Just a moment...</title></head><body><script nonce="x">(function(){'
    "window._cf_chl_opt = {cvId: '3', cType: 'managed'};})();</script></body></html>"
)
CLOUDFLARE_OF_OLD = (
    '<form class="challenge-form" id="challenge-form" action="/a?__cf_chl_f_tk=x" method="POST">'
)
DATADOME = (
    "<html><head><title>shop.example</title></head><body><p>Please enable JS</p><script>"
    "var dd={'rt':'c','cid':'x','host':'geo.captcha-delivery.com'}</script>"
    '<script src="https://ct.captcha-delivery.com/c.js"></script></body></html>'
)
HUMAN = (
    "<html><body><div id='px-captcha'></div><script>window._pxAppId = 'PX0';</script>"
    '<script src="/0/captcha/captcha.js"></script></body></html>'
)
IMPERVA = (
    '<html><head><META NAME="robots" CONTENT="noindex,nofollow"></head><body><iframe '
    'id="main-iframe" src="/_Incapsula_Resource?SWUDNSAI=31&xinfo=1">Request unsuccessful. '
    "Incapsula incident ID: 0-1</iframe></body></html>"
)
AKAMAI = '<html><body><div id="sec-if-cpt-container" role="main">Please wait</div></body></html>'
AKAMAI_428 = '<iframe src="/_sec/cp_challenge/crypto_message-4-3.htm" data-duration="5"></iframe>'
ANUBIS = (
    "<!doctype html><title>Making sure you're not a bot!</title>"
    '<script id="anubis_challenge" type="application/json">{"rules":{}}</script>'
)

PAGES = [
    (403, CLOUDFLARE, "Cloudflare"),
    (503, CLOUDFLARE, "Cloudflare"),
    (429, CLOUDFLARE, "Cloudflare"),
    (503, CLOUDFLARE_OF_OLD, "Cloudflare"),
    (403, DATADOME, "DataDome"),
    (403, HUMAN, "HUMAN"),
    (200, IMPERVA, "Imperva"),
    (403, IMPERVA, "Imperva"),
    (200, AKAMAI, "Akamai"),
    (403, AKAMAI, "Akamai"),
    (428, AKAMAI_428, "Akamai"),
    (200, ANUBIS, "Anubis"),
    (403, ANUBIS, "Anubis"),
]


@pytest.mark.parametrize(("status", "page", "service"), PAGES)
def test_challenges_are_recognised_by_their_pages(
    site: Site, status: int, page: str, service: str
) -> None:
    site.page("/a", status=status, body=page, links=["/trap"])
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status, str(seen.detail)) == (
        Outcome.CHALLENGE,
        status,
        f"by {service}",
    )
    assert (list(seen.links), seen.targets, seen.transient) == ([], [], False)
    assert seen.facts is not None
    assert verdict(seen.outcome, seen.status) is Verdict.REFUSED


HEADERS = [
    (403, "cf-mitigated", "challenge", "Cloudflare"),
    (429, "CF-Mitigated", "Challenge", "Cloudflare"),
    (202, "x-amzn-waf-action", "challenge", "AWS WAF"),
    (405, "x-amzn-waf-action", "captcha", "AWS WAF"),
    (429, "x-vercel-mitigated", "challenge", "Vercel"),
]


@pytest.mark.parametrize(("status", "name", "value", "service"), HEADERS)
def test_challenges_are_recognised_by_their_headers(
    site: Site, status: int, name: str, value: str, service: str
) -> None:
    site.page("/a", status=status, headers=[(name, value)], links=["/trap"])
    for seen in (
        visit(site.url("/a")),
        run(lambda fetcher: fetcher.check(site.url("/a"))),
        run(lambda fetcher: fetcher.fetch_text(site.url("/a")))[0],
    ):
        assert (seen.outcome, seen.status) == (Outcome.CHALLENGE, status)
        assert (list(seen.links), str(seen.detail)) == ([], f"by {service}")


def quoted(page: str) -> str:
    """The page as an article shows it."""
    return f"<pre>{page.replace('&', '&amp;').replace('<', '&lt;')}</pre>"


@pytest.mark.parametrize(("status", "page", "service"), PAGES)
def test_an_article_about_a_challenge_is_not_one(
    site: Site, status: int, page: str, service: str
) -> None:
    site.page("/a", status=status, body=f"How {service} works: {quoted(page)}")
    assert visit(site.url("/a")).outcome is not Outcome.CHALLENGE


NO_TESTS = {
    "words": (403, "<title>Access denied</title>Are you a robot? Solve the captcha to go on."),
    "a block": (403, "<title>Attention Required! | Cloudflare</title>Sorry, you have been blocked"),
    "Cloudflare's script": (
        403,
        '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>Forbidden',
    ),
    "a form with a captcha": (200, "<div class='g-recaptcha' data-sitekey='x'></div>"),
    "a widget": (200, "<div class='cf-turnstile' data-sitekey='x'></div>"),
    "a protected page": (200, '<script src="/_Incapsula_Resource?SWJIYLWA=7"></script>Welcome'),
    "a tag for visitors": (200, "<script>window._pxAppId = 'PX0';</script>Welcome"),
    "options on a good page": (200, CLOUDFLARE),
    "Akamai's refusal": (403, "<h1>Access Denied</h1>Reference #18.0.1.2 errors.edgesuite.net"),
}


@pytest.mark.parametrize(("status", "page"), NO_TESTS.values(), ids=NO_TESTS)
def test_ordinary_error_pages_are_not_challenges(site: Site, status: int, page: str) -> None:
    site.page("/a", status=status, body=page)
    expected = Outcome.PAGE if status == 200 else Outcome.CLIENT_ERROR
    assert visit(site.url("/a")).outcome is expected


def test_a_large_page_is_not_a_challenge(site: Site) -> None:
    site.page("/a", body=ANUBIS + "word " * 5_000)
    assert visit(site.url("/a")).outcome is Outcome.PAGE


@pytest.mark.parametrize(
    ("name", "value"),
    [("cf-mitigated", "none"), ("x-amzn-waf-action", "block"), ("cf-ray", "challenge")],
)
def test_unrelated_headers_are_not_a_challenge(site: Site, name: str, value: str) -> None:
    site.page("/a", headers=[(name, value)])
    assert visit(site.url("/a")).outcome is Outcome.PAGE
