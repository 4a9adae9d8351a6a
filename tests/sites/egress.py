"""A page that tries to reach an address besides the crawl, in each way that a browser knows."""

import select
import socket
import threading
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from gossamer.model.rendering import ResourceType
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_requests import (
    PageRequest,
    PageResponse,
    RequestResponder,
    ResourceResult,
)


class InsideServer:
    """What must not be reached: TCP and UDP on one port of two loopback addresses."""

    HOSTS = ("127.0.0.1", "127.0.0.2")

    def __init__(self) -> None:
        self.hits: list[str] = []
        """Each connection and each datagram: protocol and address."""
        self._sockets: list[socket.socket] = []
        self._wake, self._woken = socket.socketpair()
        self._thread = threading.Thread(target=self._serve, name="inside server", daemon=True)
        self.port = 0

    def __enter__(self) -> Self:
        for host in self.HOSTS:
            tcp = socket.create_server((host, self.port))
            self.port = tcp.getsockname()[1]
            udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            udp.bind((host, self.port))
            self._sockets += [tcp, udp]
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._wake.send(b"x")
        self._thread.join()
        for each in (*self._sockets, self._wake, self._woken):
            each.close()

    def _serve(self) -> None:
        while True:
            ready, _, _ = select.select([self._woken, *self._sockets], [], [])
            if self._woken in ready:
                return
            for each in ready:
                host = each.getsockname()[0]
                if each.type == socket.SOCK_STREAM:
                    each.accept()[0].close()
                    self.hits.append(f"tcp {host}")
                else:
                    each.recv(2048)
                    self.hits.append(f"udp {host}")


VECTORS = (
    "<img src=U/img>",
    "<img srcset='U/srcset 2x'>",
    "<picture><source srcset=U/source><img></picture>",
    "<svg width=9 height=9><image href=U/svg /></svg>",
    "<iframe src=U/iframe></iframe>",
    "<object data=U/object></object>",
    "<embed src=U/embed>",
    "<video src=U/video autoplay poster=U/poster></video>",
    "<audio src=U/audio autoplay></audio>",
    "<link rel=stylesheet href=U/style>",
    "<link rel=prefetch href=U/prefetch>",
    "<link rel=preload as=script href=U/preload>",
    "<link rel=modulepreload href=U/modulepreload>",
    "<link rel=preconnect href=U>",
    "<link rel=dns-prefetch href=U>",
    "<link rel=prerender href=U/prerender>",
    "<link rel=icon href=U/icon>",
    "<link rel=manifest href=U/manifest>",
    "<script src=U/script></script>",
    "<script type=module>import('U/module')</script>",
    (
        "<style>@import 'U/import';@font-face{font-family:f;src:url(U/font)}"
        "body{font-family:f;background:url(U/background)}</style>"
    ),
    (
        '<script type=speculationrules>{"prefetch":[{"source":"list","urls":["U/speculative"]}],'
        '"prerender":[{"source":"list","urls":["U/prerendered"]}]}</script>'
    ),
    "<a id=ping href='#here' ping=U/ping>x</a><script>ping.click()</script>",
    "<a id=blank href=U/blank target=_blank>x</a><script>blank.click()</script>",
    "<form id=form action=U/form method=post target=_blank></form><script>form.submit()</script>",
    "<script>try{fetch('U/fetch',{mode:'no-cors',keepalive:true})}catch{}</script>",
    "<script>let x=new XMLHttpRequest();x.open('POST','U/xhr');x.send('x')</script>",
    "<script>navigator.sendBeacon('U/beacon','x')</script>",
    "<script>new EventSource('U/events')</script>",
    "<script>window.open('U/popup')</script>",
    "<script>try{new WebSocket('W/socket')}catch{}</script>",
    "<script>try{new WebTransport('S/transport')}catch{}</script>",
    (
        "<script>new Worker(URL.createObjectURL(new Blob([`fetch('U/worker',{mode:'no-cors'});"
        "importScripts('U/imported')`])))</script>"
    ),
    "<script>new Worker(URL.createObjectURL(new Blob([`new WebSocket('W/worker')`])))</script>",
    "<script>new SharedWorker('/shared.js')</script>",
    "<script>navigator.serviceWorker&&navigator.serviceWorker.register('/service.js')</script>",
    (
        "<script>(async()=>{for(const h of ['127.0.0.1','127.0.0.2']){"
        "let p=new RTCPeerConnection({iceServers:[{urls:[`stun:${h}:PORT`]},"
        "{urls:[`turn:${h}:PORT?transport=tcp`],username:'u',credential:'c'}]});"
        "p.createDataChannel('x');await p.setLocalDescription(await p.createOffer())}})()</script>"
    ),
)
"""U stands for the address of a server, W for the same by ws:, S by https:."""
_WORKER = "fetch('U/fetched',{mode:'no-cors'}).catch(()=>{});try{new WebSocket('W/sock')}catch{}"


def hostile_html(port: int, hosts: Sequence[str] = InsideServer.HOSTS) -> bytes:
    """A page with all of them, for this port of each host."""
    parts = [_aimed(each, host, port) for each in VECTORS for host in hosts]
    return ("<!doctype html><title>t</title><p>before" + "\n".join(parts) + "<p>after").encode()


def _aimed(text: str, host: str, port: int) -> str:
    at = f"{host}:{port}"
    text = text.replace("127.0.0.2", host).replace("PORT", str(port))
    for letter, scheme in (("U", "http"), ("W", "ws"), ("S", "https")):
        for end in ("/", ">"):
            text = text.replace(f"{letter}{end}", f"{scheme}://{at}{end}")
    return text


def answers_of(
    port: int, asked: list[str], hosts: Sequence[str] = InsideServer.HOSTS
) -> RequestResponder:
    """Gives the page its own workers, and refuses the rest; `asked` gets the addresses."""
    worker = "".join(_aimed(_WORKER, host, port) for host in hosts).encode()

    async def answer(request: PageRequest, _deadline: PageDeadline) -> ResourceResult:
        asked.append(request.url)
        if not request.url.endswith(".js") or request.type is ResourceType.DOCUMENT:
            return ResourceResult(failure="refused")
        return ResourceResult(PageResponse(200, [("Content-Type", "text/javascript")], worker))

    return answer
