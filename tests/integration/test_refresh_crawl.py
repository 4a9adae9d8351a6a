"""Refreshes as the HTML standard's algorithm reads them, each on a page that is crawled."""

from html import escape
from pathlib import Path

import pytest

from gossamer.model.outcome import Outcome
from gossamer.model.redirect_types import RedirectKind
from gossamer.model.settings.request_settings import Parser
from tests.integration.crawling import crawl_all, records
from tests.sites import Site

ON = {
    "0; url=/to": "/to",
    "0;url=/to": "/to",
    "0,url=/to": "/to",
    "0 url=/to": "/to",
    "0;/to": "/to",
    "0 /to": "/to",
    "1;\tURL = '/to'rest": "/to",
    '1;url="/to"rest': "/to",
    "01;'/to": "/to",
    "1.9; url=/to": "/to",
    ".5; url=/to": "/to",
    ".; url=/to": "/to",
    " \n1 \f;\r url\t=\t/to": "/to",
    "0;url=to": "/case/to",
    "0;url=../to?a=b c": "/to?a=b%20c",
    "0;url=//HOST/to": "/to",
    "0;url=url=/to": "/case/url=/to",
    "0;url=/to#part": "/to",
    "0;url": "/case/url",
    "0;u": "/case/u",
    "0;;/to": "/case/;/to",
}
"""What sends visitors on, from "/case/N", and where to."""
STAYING = (
    *("", " ", "0", "5", "300", "0;", "5; url=", "0;url=''", "0; url=#part", "-1;url=/to"),
    *("+1;url=/to", "x", "url=/to", ";url=/to", "1x;url=/to", "1e0;url=/to", "\xa01;url=/to"),
    *("0;url=javascript:alert(1)", "0;url=data:text/html,x", "0;url=mailto:a@b.example"),
    *(
        "2;url=/to",
        "99999999999999999999;url=/to",
        "0;url=http://[",
        "0;url=java\nscript:alert(1)",
        "\u0661;url=/to",
    ),
)
"""What does not."""


@pytest.mark.parametrize("parser", list(Parser))
def test_refreshes_are_resolved_as_the_standard_specifies(
    site: Site, tmp_path: Path, parser: Parser
) -> None:
    host = f"127.0.0.1:{site.port}"
    cases = [value.replace("HOST", host) for value in (*ON, *STAYING)]
    for number, value in enumerate(cases):
        meta = f'<meta http-equiv="rEfresh" content="{escape(value)}"><title>{number}</title>'
        site.file(f"/case/{number}", meta.encode(), "text/html; charset=utf-8")
    site.page("/", links=[f"/case/{number}" for number in range(len(cases))])
    path = tmp_path / "refresh.gossamer"
    crawl_all(path, site.url(), parser=parser)
    rows = records(path)
    found = {value: rows[site.url(f"/case/{number}")] for number, value in enumerate(cases)}
    led = {value: found[value.replace("HOST", host)].redirect for value in ON}
    assert led == {value: site.url(target) for value, target in ON.items()}
    kinds = {found[value.replace("HOST", host)].redirect_kind for value in ON}
    assert kinds == {RedirectKind.META_REFRESH}
    stayed = {value: found[value].outcome for value in STAYING}
    assert stayed == dict.fromkeys(STAYING, Outcome.PAGE)
    assert {row.title for row in found.values()} == {str(n) for n in range(len(cases))}


def test_the_first_valid_refresh_counts(site: Site, tmp_path: Path) -> None:
    """A header before an element; the first element that can be read before later ones."""
    first = "<meta http-equiv=refresh content=x><meta http-equiv=refresh content='0;/a'>"
    second = "<meta http-equiv=refresh content='0;/b'>"
    site.page("/elements", body=first + second)
    site.page("/both", body=first, headers=[("Refresh", "0;url=/header")])
    site.page("/later", body=f"<p>{first}</p>")
    site.page("/", links=["/elements", "/both", "/later"])
    path = tmp_path / "refresh.gossamer"
    crawl_all(path, site.url())
    rows = records(path)
    led = {name: rows[site.url(name)].redirect for name in ("/elements", "/both", "/later")}
    assert led == {
        "/elements": site.url("/a"),
        "/both": site.url("/header"),
        "/later": site.url("/a"),
    }


def test_a_refresh_that_waits_is_a_link_to_follow(site: Site, tmp_path: Path) -> None:
    """A page of its own, a click away from where it leads to. One in `noscript` is for others."""
    waits = '<meta http-equiv=refresh content="{};url={}">'
    site.page("/element", body=waits.format(2, "/a"))
    site.page("/header", headers=[("Refresh", "2;url=/b")])
    site.page("/redirect", body=waits.format(1, "/c"))
    site.page("/noscript", body=f"<noscript>{waits.format(2, '/d')}</noscript>")
    for target in ("/a", "/b", "/c", "/d"):
        site.page(target)
    site.page("/", links=["/element", "/header", "/redirect", "/noscript"])
    path = tmp_path / "refresh.gossamer"
    crawl_all(path, site.url())
    rows = records(path)
    outcomes = {name: rows[site.url(name)].outcome for name in ("/element", "/header", "/noscript")}
    assert set(outcomes.values()) == {Outcome.PAGE}
    depths = {name: rows[site.url(name)].depth for name in ("/a", "/b", "/c")}
    assert depths == {"/a": 2, "/b": 2, "/c": 1}
    assert rows[site.url("/d")].outcome is Outcome.NOT_FOLLOWED
