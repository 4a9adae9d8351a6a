"""Renders hostile pages in a network namespace of its own, and records each packet that leaves.

Run as a program, in `unshare --map-root-user --net`; see `recorded`. It prints JSON.
"""

import asyncio
import functools
import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from ipaddress import ip_address
from itertools import starmap
from struct import unpack_from
from typing import Final, NamedTuple, Self

from gossamer.render.browser_discovery import BrowserKind, BrowserProgram
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageResponse
from gossamer.render.rendered_page import RenderJob, RenderLimits
from tests.sites.egress import answers_of, hostile_html

IN_NAMESPACE: Final = ("unshare", "--map-root-user", "--net")
CANARY: Final = ("198.51.100.7", 9)
"""Where a packet is sent on purpose, to see that it is recorded."""
HOSTS: Final = ("192.0.2.1", "[2001:db8::1]", "leak.example", "127.0.0.1")
"""What the page aims at: public addresses of both kinds, a name, and this computer."""
PORT: Final = 443
"""Of each of them."""
_AIMS: Final[dict[BrowserKind, dict[str, Sequence[str]]]] = {
    BrowserKind.HEADLESS_SHELL: {"http": HOSTS, "https": HOSTS[2:]},
    BrowserKind.FULL: {"http": HOSTS[2:3], "https": HOSTS[3:]},
}
"""What it aims at by each scheme. By HTTPS, browsers refuse most of the rest as mixed content. One
for people has the network of a headless shell, and opens windows: it takes far longer."""
_ANY_PROTOCOL: Final = 3
_OUTGOING: Final = 4
_IPV4, _IPV6 = 0x0800, 0x86DD
_TCP, _UDP = 6, 17
_SYN, _SYN_ACK_RST = 0x02, 0x16
"""Of a TCP packet that opens a connection, and those that tell it from others."""
_HEADER_OF_IPV6: Final = 40
_NEIGHBOURS: Final = 58
"""ICMPv6, by which the system itself looks for routers."""
_IDLE_S: Final = 90.0 if os.environ.get("GOSSAMER_LONG_TESTS") else 4.0
"""What a browser does on its own account, it does some time after its start, or once a minute."""
_NETWORK: Final = (
    "ip link set lo up",
    "ip link add out type veth peer name far",
    "ip link set far up",
    "ip link set out arp off up",
    "ip address add 10.9.9.1/24 dev out",
    "ip address add fd00::1/64 dev out nodad",
    "ip route add default dev out",
    "ip -6 route add default dev out",
)


class Recording(NamedTuple):
    """What a browser has sent while it rendered the page and was idle."""

    packets: list[str]
    """Those that have left, as "udp 192.0.2.1 53"."""
    asked: list[list[str]]
    """The addresses that the page has asked us for, by HTTP and by HTTPS."""


@functools.cache
def recorded(program: BrowserProgram) -> Recording:
    """What a browser sends; it is recorded once."""
    command = [*IN_NAMESPACE, sys.executable, "-m", __name__, program.path, program.kind.name]
    done = subprocess.run(command, check=True, capture_output=True, timeout=_IDLE_S + 96, text=True)
    return Recording(*json.loads(done.stdout))


@functools.cache
def is_possible() -> bool:
    """Whether this system gives us a network namespace with a network that leads nowhere."""
    script = " && ".join(_NETWORK)
    try:
        done = subprocess.run(
            [*IN_NAMESPACE, "sh", "-c", script], check=False, capture_output=True, timeout=20
        )
    except OSError:
        return False
    return done.returncode == 0


class _Recorder:
    """Notes where packets go."""

    def __init__(self) -> None:
        self._socket = socket.socket(
            socket.AF_PACKET, socket.SOCK_DGRAM, socket.ntohs(_ANY_PROTOCOL)
        )
        self._socket.settimeout(0.2)
        self._is_over = False
        self._thread = threading.Thread(target=self._record, name="recorder")
        self.packets: list[tuple[str, str, int]] = []

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over = True
        self._thread.join()
        self._socket.close()

    def _record(self) -> None:
        while not self._is_over:
            try:
                data, (_, protocol, kind, *_) = self._socket.recvfrom(65536)
            except TimeoutError:
                continue
            if kind == _OUTGOING and (packet := _packet_of(protocol, data)):
                self.packets.append(packet)


def _packet_of(protocol: int, data: bytes) -> tuple[str, str, int] | None:
    """Protocol, address and port to which a packet goes."""
    if protocol == _IPV4:
        inner, start = data[9], 4 * (data[0] & 15)
        address = ip_address(data[16:20])
    elif protocol == _IPV6:
        inner, start = data[6], _HEADER_OF_IPV6
        address = ip_address(data[24:40])
        if inner == _NEIGHBOURS or (address.is_multicast and inner not in {_TCP, _UDP}):
            return None
    else:
        return f"ethernet {protocol:#x}", "", 0
    if inner == _TCP and data[start + 13] & _SYN_ACK_RST != _SYN:
        return None
    port = unpack_from("!H", data, start + 2)[0] if inner in {_TCP, _UDP} else 0
    return {_TCP: "tcp", _UDP: "udp"}.get(inner, str(inner)), str(address), port


async def _render(program: BrowserProgram) -> list[list[str]]:
    """Render the page by both schemes, leave its browser idle for a while, and end it."""
    limits = RenderLimits(timeout_s=20, virtual_time=False, ajax_s=3)
    async with PageRenderer(program) as renderer:

        async def render(scheme: str, hosts: Sequence[str]) -> list[str]:
            asked: list[str] = []
            html = hostile_html(PORT, hosts)
            document = PageResponse(200, [("Content-Type", "text/html; charset=utf-8")], html)
            job = RenderJob(f"{scheme}://site.test/", document, limits)
            page = await renderer.render(job, answers_of(PORT, asked, hosts))
            assert "<p>before" in page.html
            return asked

        asked = await asyncio.gather(*starmap(render, _AIMS[program.kind].items()))
        await asyncio.sleep(_IDLE_S)
    return asked


def main() -> None:
    """Record, and print what has left."""
    for command in _NETWORK:
        subprocess.run(command.split(), check=True)
    program = BrowserProgram(sys.argv[1], BrowserKind[sys.argv[2]])
    with _Recorder() as recorder:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as canary:
            canary.sendto(b"x", CANARY)
        asked = asyncio.run(_render(program))
        time.sleep(1)
    left = sorted({" ".join(map(str, packet)) for packet in recorder.packets})
    sys.stdout.write(json.dumps([left, asked]))


if __name__ == "__main__":
    main()
