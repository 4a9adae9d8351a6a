"""The browser reaches nothing by itself: what its pages want, only we can ask for."""

import asyncio
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from gossamer.render.browser_discovery import BrowserProgram
from gossamer.render.page_network import ATTACH_ALL
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageResponse
from gossamer.render.rendered_page import RenderJob, RenderLimits
from tests.fakes.browsers import NEEDS_BROWSER, NEEDS_FULL_BROWSER, browser, full_browser
from tests.integration.crawling import run
from tests.sites.egress import InsideServer, answers_of, hostile_html
from tests.sites.recorded_network import CANARY, PORT, is_possible, recorded

pytestmark = [
    NEEDS_BROWSER,
    pytest.mark.skipif(sys.platform != "linux", reason="needs a second loopback address"),
]
HTML = [("Content-Type", "text/html; charset=utf-8")]


async def rendered(
    program: BrowserProgram,
    inside: InsideServer,
    *schemes: str,
    hosts: Sequence[str] = InsideServer.HOSTS,
) -> list[list[str]]:
    """What the page has asked us for by each scheme, when its browser has ended."""
    document = PageResponse(200, HTML, hostile_html(inside.port, hosts))
    # In real time there is time for what no virtual clock waits for, such as STUN.
    limits = RenderLimits(timeout_s=20, virtual_time=False, ajax_s=3)
    async with PageRenderer(program) as renderer:

        async def asked_by(scheme: str) -> list[str]:
            asked: list[str] = []
            job = RenderJob(f"{scheme}://site.test/", document, limits)
            page = await renderer.render(job, answers_of(inside.port, asked, hosts))
            assert "<p>before" in page.html
            return asked

        return await asyncio.gather(*map(asked_by, schemes))


def without(argument: str, tmp_path: Path) -> BrowserProgram:
    """The browser, started without one of its arguments."""
    script = tmp_path / "headless-browser"
    script.write_text(
        "#!/bin/sh\n"
        'for each in "$@"; do shift; case "$each" in *' + argument + "*) ;;"
        ' *) set -- "$@" "$each" ;; esac; done\n'
        f'exec {browser().path} "$@"\n'
    )
    script.chmod(0o700)
    return BrowserProgram(str(script), browser().kind)


def asked_by(program: BrowserProgram, *schemes: str) -> list[list[str]]:
    """What pages ask us for, by each scheme, while nothing reaches an address by itself."""
    if is_possible():  # what reaches an address is among the packets that leave
        check_packets(recorded(program).packets)
        return recorded(program).asked
    with InsideServer() as inside:
        asked = run(rendered(program, inside, *schemes))
        assert inside.hits == []
    return asked


def test_nothing_reaches_an_address_but_by_us() -> None:
    for asked in asked_by(browser(), "http", "https"):
        wanted = {url.rpartition("/")[2] for url in asked}
        assert {"img", "iframe", "script", "fetch", "worker", "fetched", "shared.js"} <= wanted


@NEEDS_FULL_BROWSER
def test_nothing_reaches_an_address_from_a_browser_for_people() -> None:
    assert asked_by(full_browser(), "http")


@pytest.mark.parametrize(
    ("argument", "protocol"),
    [("proxy-bypass-list", "tcp"), ("proxy-server", "tcp"), ("webrtc-ip-handling-policy", "udp")],
)
def test_each_protection_is_needed(argument: str, protocol: str, tmp_path: Path) -> None:
    with InsideServer() as inside:
        run(rendered(without(argument, tmp_path), inside, "http", hosts=inside.HOSTS[:1]))
        assert protocol in {hit.partition(" ")[0] for hit in inside.hits}


def test_frames_workers_and_popups_wait_until_their_requests_do() -> None:
    assert ATTACH_ALL == {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


@pytest.mark.skipif(not is_possible(), reason="needs a network namespace of its own, with veth")
def test_no_packet_leaves_a_browser_for_anything_but_its_proxy() -> None:
    """All of it: names that are looked up, WebRTC, and what a browser does on its own account."""
    check_packets(recorded(browser()).packets)


def check_packets(found: list[str]) -> None:
    """None left for anything but the proxy, and the one that was sent on purpose."""
    assert f"udp {CANARY[0]} {CANARY[1]}" in found
    others = [packet for packet in found if CANARY[0] not in packet]
    assert {packet.rpartition(" ")[0] for packet in others} == {"tcp 127.0.0.1"}
    assert len(others) == 1, "the port at which nobody listens"
    assert f"tcp 127.0.0.1 {PORT}" not in others
