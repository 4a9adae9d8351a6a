"""How a crawl that renders pages treats servers: what it asks, how often, with which secrets."""

from pathlib import Path

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.fetch.http_client import HttpClient
from gossamer.fetch.resource_exchange import ResourceRequest, ResourceResponse
from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.derived_rendering_fields import RenderStatus
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.messages.crawl_messages import BulkActionKind, UrlSelection
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.visit import Visit
from gossamer.render.browser_process import BrowserTimings
from tests.fakes.browsers import NEEDS_BROWSER, NEEDS_FULL_BROWSER, full_browser
from tests.fakes.processes import child_processes
from tests.fakes.recount import miscounts
from tests.integration.crawling import (
    crawl_all,
    new_session,
    records,
    run,
    summary,
    until,
    until_rest,
)
from tests.integration.fetching import NameServer
from tests.integration.fetching import run as run_fetcher
from tests.integration.rendering_inside import rendered_visits
from tests.sites import Response, Site

PUBLIC = ("https://93.184.216.34/",)
PASSWORD = "hunter2-in-a-test"  # noqa: S105 - that it is not found anywhere is what is tested
COOKIE = "typed-cookie-in-a-test"
SCRIPT = (("Content-Type", "text/javascript"),)
OPEN = (("Access-Control-Allow-Origin", "*"),)
RENDERED = {"render": RenderMode.ON, "processes": 1, "use_sitemaps": False}


def page(*parts: str) -> Response:
    return Response(body=("<!doctype html><title>t</title><p>before" + "".join(parts)).encode())


def resources(names: NameServer, *urls: str, roots: tuple[str, ...] = PUBLIC) -> list[Visit]:
    """What comes of requests of pages in a crawl of the public web, one after the other."""

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        found = []
        for url in urls:
            visit, answer = await fetcher.fetch_resource(ResourceRequest(url), 10_000)
            client = fetcher._client  # noqa: SLF001 - a minute passes
            assert isinstance(client, HttpClient)
            client._connector.clear_dns_cache()  # noqa: SLF001 - likewise
            assert answer == ResourceResponse()
            found.append(visit)
        return found

    return run_fetcher(act, roots=roots, resolver=names, timeout_s=2.0)


def test_no_page_reaches_a_private_address(site: Site) -> None:
    names = NameServer(inside_example=[["127.0.0.1"]], metadata_example=[["169.254.169.254"]])
    hosts = ("127.0.0.1", "localhost", "[::1]", "inside.example", "metadata.example")
    for host in hosts:
        (found,) = resources(names, f"http://{host}:{site.port}/a")
        assert found.outcome is Outcome.FORBIDDEN_ADDRESS, host
    assert site.connections == []


def test_a_name_that_turns_inside_between_two_requests_is_refused(site: Site) -> None:
    names = NameServer(
        turning_example=[["93.184.216.34"], ["127.0.0.1"]], inside_example=[["127.0.0.1"]]
    )
    inside, turned = (f"http://{name}.example:{site.port}/a" for name in ("inside", "turning"))
    found = resources(names, inside, turned, roots=("http://turning.example/",))
    assert {each.outcome for each in found} == {Outcome.FORBIDDEN_ADDRESS}
    assert names.asked == ["turning.example", "inside.example", "turning.example"]
    assert site.connections == []


@NEEDS_BROWSER
def test_what_a_page_has_prefetched_for_later_is_not_asked_for(site: Site, tmp_path: Path) -> None:
    site.respond("/", page("<link rel=prefetch href=/later>"))
    path = tmp_path / "a.gossamer"
    crawl_all(path, site.url(), **RENDERED)
    found = records(path)[site.url()]
    assert (found.render_status, found.blocked_requests) == (RenderStatus.RENDERED, 1)
    assert found.console_errors == 0
    assert "GET /later" not in [f"{each.method} {each.path}" for each in site.requests]


@NEEDS_BROWSER
def test_each_address_is_asked_once(site: Site, tmp_path: Path) -> None:
    site.robots("User-agent: *\nDisallow: /forbidden")
    scripts = "<script src=/app.js></script><script src=/forbidden.js></script>"
    site.respond("/", page("<a href=/a>a</a><a href=/b>b</a>", scripts))
    for path in ("/a", "/b"):
        site.respond(path, page("<a href=/>home</a>", scripts))
    site.file("/app.js", b"document.body.append('made by a script')", "text/javascript")
    site.file("/forbidden.js", b"", "text/javascript")
    crawl_all(tmp_path / "a.gossamer", site.url(), **RENDERED, check_external=False)
    asked = {path: site.paths.count(path) for path in ("/", "/a", "/b", "/app.js", "/forbidden.js")}
    gets = [each.path for each in site.requests if each.method == "GET"]
    assert {path: gets.count(path) for path in ("/", "/a", "/b")} == {"/": 1, "/a": 1, "/b": 1}
    assert asked["/forbidden.js"] == 0
    assert gets.count("/robots.txt") == 1
    assert gets.count("/app.js") == 1


@NEEDS_BROWSER
def test_what_pages_load_is_counted_as_received_once(site: Site, tmp_path: Path) -> None:
    sizes = {"/app.js": 5_000, "/data": 700}
    script = "<script src=/app.js></script>"
    pages = {"/": page("<a href=/a>a</a>", script), "/a": page("<a href=/>home</a>", script)}
    for each, answer in pages.items():
        site.respond(each, answer)
        sizes[each] = len(answer.body)
    site.file("/app.js", b"fetch('/data')".ljust(sizes["/app.js"]), "text/javascript")
    site.file("/data", b"x" * sizes["/data"], "text/plain")
    path = tmp_path / "a.gossamer"

    async def crawl() -> None:
        async with new_session(path, site.url(), **RENDERED) as session:
            await session.start()
            live = await until(session, lambda progress: progress.state is CrawlState.FINISHED)
            sent = [sizes.get(each.path, 0) for each in site.requests if each.method == "GET"]
            assert live.received_bytes == summary(path).received_bytes == sum(sent)
            assert sum(sent) == sum(sizes.values()) + sizes["/data"]
            await session.start()
            await session.perform(BulkActionKind.RECRAWL, UrlSelection(ids=(1,)))
            await until_rest(session)

    run(crawl())
    assert site.paths.count("/") == 2
    # What the new answer loads takes the place of what the first did: its script was not cached.
    assert miscounts(path) == []
    assert {url.resource_bytes for url in records(path).values()} >= {sizes["/data"]}


@NEEDS_BROWSER
def test_pages_and_what_they_load_keep_the_rate_together(site: Site, tmp_path: Path) -> None:
    images = "".join(f"<img src=/{n}.png>" for n in range(6))
    site.respond("/", page("<a href=/a>a</a>", images, "<script src=/app.js></script>"))
    site.respond("/a", page(images))
    site.file("/app.js", b"fetch('/data')", "text/javascript")
    crawl_all(tmp_path / "a.gossamer", site.url(), **RENDERED, rate=10.0)
    gets = [each for each in site.requests if each.path != "/robots.txt"]
    assert len(gets) >= 9
    # The server may see a request late and the next one soon after. But the second is sent when the
    # first was seen, and from then on they keep the rate.
    assert (gets[-1].at_ns - gets[0].at_ns) / 1e9 >= 0.099 * (len(gets) - 2)


@NEEDS_BROWSER
def test_secrets_reach_their_origin_alone(site: Site, tmp_path: Path) -> None:
    with Site() as other:
        other.respond("/spy.js", Response(body=b"", headers=(*SCRIPT, *OPEN)))
        other.respond("/spy", Response(body=b"x", headers=OPEN))
        other.respond("/frame", page("<p>frame"))
        spy = other.url("/spy")
        scripts = f"<script src={spy}.js></script><script src=/own.js></script>"
        set_cookie = (("Set-Cookie", "session=secret; Path=/a; HttpOnly"),)
        home = page("<a href=/a>a</a>", scripts)
        site.respond("/", Response(body=home.body, headers=set_cookie))
        site.respond("/a", page("<script>document.title='['+document.cookie+']'</script>"))
        own = (
            "fetch('/echo').then(a=>a.text()).then(t=>document.body.append(t));"
            f"fetch('{spy}',{{credentials:'include'}}).catch(()=>{{}});fetch('{spy}');"
            "document.body.append('cookies:['+document.cookie+']');"
            f"document.body.append(Object.assign(document.createElement('iframe'),"
            f"{{src:'{other.url('/frame')}'}}))"
        )
        site.file("/own.js", own.encode(), "text/javascript")
        site.file("/echo", b"echo", "text/plain")
        path = tmp_path / "a.gossamer"
        root = site.url("/").replace("://", f"://user:{PASSWORD}@")
        crawl_all(path, root, **RENDERED, headers=(("Cookie", f"typed={COOKIE}"),))
        told = {each.path: each for each in site.requests if each.method == "GET"}
        for wanted in ("/", "/own.js", "/echo"):
            assert told[wanted].header("Authorization"), wanted
            assert COOKIE in (told[wanted].header("Cookie") or ""), wanted
        spied = [each for each in other.requests if each.path.startswith("/spy")]
        assert len(spied) >= 2
        for each in other.requests:
            assert each.header("Authorization") is None
            assert each.header("Cookie") is None
        assert "session=secret" in (told["/a"].header("Cookie") or "")
        assert records(path)[site.url("/a")].title == "[]"
    for file in tmp_path.rglob("*"):
        if file.is_file():
            data = file.read_bytes()
            assert PASSWORD.encode() not in data, file
            assert COOKIE.encode() not in data, file


@NEEDS_BROWSER
@NEEDS_FULL_BROWSER
def test_a_browser_for_people_renders_as_a_headless_shell_does(site: Site, tmp_path: Path) -> None:
    site.respond("/", page("<a href=/a>a</a><script src=/app.js></script>"))
    site.respond("/a", page("<script>document.title='by a script'</script>"))
    site.file(
        "/app.js", b"document.body.innerHTML+='<h1>h</h1><a href=/b>b</a>'", "text/javascript"
    )
    site.respond("/b", page("<p>b"))
    found = []
    for name, browser in (("shell", ""), ("full", full_browser().path)):
        path = tmp_path / f"{name}.gossamer"
        crawl_all(path, site.url(), **RENDERED, browser=browser)
        found.append(
            {
                url: (
                    *(each.title, each.h1, each.outcome, each.render_status, each.outlinks),
                    *(each.page_requests, each.failed_requests),
                )
                for url, each in records(path).items()
            }
        )
    assert found[0] == found[1]
    assert found[0][site.url("/b")][3] is RenderStatus.RENDERED
    assert "/favicon.ico" not in site.paths


def program(tmp_path: Path, does: str) -> str:
    """A program that is no browser."""
    path = tmp_path / "headless-nothing"
    path.write_text(f"#!/bin/sh\n{does}\n")
    path.chmod(0o700)
    return str(path)


def test_a_browser_that_ends_at_once_leaves_the_pages_as_their_html(
    site: Site, tmp_path: Path
) -> None:
    site.respond("/", page("".join(f"<a href=/{n}>x</a>" for n in range(9))))
    for number in range(9):
        site.respond(f"/{number}", page("x"))
    path = tmp_path / "a.gossamer"
    broken = program(tmp_path, f"echo started >> {tmp_path}/starts; exit 1")
    crawl_all(path, site.url(), **RENDERED, browser=broken)
    found = records(path)
    assert {each.render_status for each in found.values()} == {RenderStatus.NO_BROWSER}
    assert {each.title for each in found.values()} == {"t"}
    assert (tmp_path / "starts").read_text().count("started") == 2


def test_a_browser_that_hangs_is_waited_for_twice_only(
    site: Site, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    paths = [f"/{number}" for number in range(9)]
    for path in paths:
        site.respond(path, page("x"))
    hanging = program(tmp_path, "exec sleep 1000")
    settings = CrawlSettings(roots=(site.url(),), browser=hanging, render=RenderMode.ON)
    urls = [site.url(path) for path in paths]
    visits = rendered_visits(settings, BrowserTimings(start_s=0.5), urls)
    assert [visit.facts and visit.facts.title for visit in visits] == ["t"] * 9
    outcomes = [visit.rendering and visit.rendering.render_outcome for visit in visits]
    assert outcomes == [RenderOutcome.NO_BROWSER] * 9
    assert caplog.messages.count("the browser did not start") == 2
    assert child_processes() == []
