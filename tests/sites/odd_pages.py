"""Pages whose scripts do what no page should do, and what a browser must make of each.

The odd things are in the HTML alone; `ANSWERS` has what the pages ask for besides.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.rendering import BlockedBy, ResourceType
from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult
from tests.patience import PATIENCE_S

SITE = "https://site.test"
MAX_MESSAGE_BYTES = 1024 * 1024
"""The longest message of a browser that is read here: more than these pages have in them."""
MAX_REQUESTS = 100
"""How many of a page's requests are made here: more than any but one page has."""
MAX_POPUPS = 3
"""How many of a page's popups are noted here."""
LONG_S = 30.0
LOOPS = "fetch('https://site.test/loops');"
"""Says that a loop begins: what is left of the time of the page is over soon after."""
_LEFT_S = 0.3


@dataclass(frozen=True)
class OddPage:
    """A page, and what has to be read of it."""

    name: str
    html: str
    outcome: RenderOutcome = RenderOutcome.RENDERED
    other_outcome: RenderOutcome | None = None
    """One that is as good: browsers decide by what their tab has shown before."""
    shows: tuple[str, ...] = ("before",)
    """Each stands in the HTML that is read."""
    hides: tuple[str, ...] = ()
    """None stands there."""
    redirect: str = ""
    """How the address begins to which the page sends the browser; "" for nowhere."""
    address: str = ""
    """The path that the page has in the end; "" for its own."""
    dialogs: int = 0
    popups: int = 0
    timeout_s: float = LONG_S
    virtual_time: bool = True
    """False where the page waits for what has a time of its own."""
    most_requests: int = 0
    blocked_by: BlockedBy | None = None
    """Why its requests were not made."""
    max_html_bytes: int = 10_000_000
    is_cut: bool = False

    @property
    def url(self) -> str:
        """Its address."""
        return f"{SITE}/{self.name.replace(' ', '-')}"


def _page(name: str, script: str, **expected: object) -> OddPage:
    """A page with a script between two texts."""
    html = f"<!doctype html><title>t</title><p>before<script>{script}</script><p>after"
    return OddPage(name, html, **expected)  # type: ignore[arg-type]  # field by field


def odd_pages() -> list[OddPage]:
    """All of them, the names distinct."""
    return [
        *_dialogs(),
        *_loops(),
        *_sizes(),
        *_animations(),
        *_navigations(),
        *_contexts(),
        *_documents(),
    ]


def _dialogs() -> Iterator[OddPage]:
    yield _page(
        "one of each",
        "alert(1);if(!confirm('x'))document.write('refused');document.write('said '+prompt('x'))",
        dialogs=3,
        shows=("before", "refused", "said null", "after"),
    )
    yield _page("alerts for ever", "for(;;)alert(1)", dialogs=10)
    yield _page("confirm for ever", "while(confirm('x')||1);", dialogs=10)
    yield _page(
        "beforeunload",
        "onbeforeunload=e=>{e.preventDefault();return 'x'};location='/elsewhere'",
        redirect="/elsewhere",
    )
    yield _page("print", "print()", shows=("after",))
    yield OddPage("file dialog", "<p>before<input id=f type=file><script>f.click()</script>")
    yield _page(
        "permission prompts",
        "Notification.requestPermission();navigator.geolocation.getCurrentPosition(()=>{});"
        "navigator.mediaDevices&&navigator.mediaDevices.getUserMedia({video:true}).catch(()=>{});",
        shows=("after",),
    )


def _loops() -> Iterator[OddPage]:
    over = {"outcome": RenderOutcome.TIMED_OUT, "most_requests": 1}
    endless = LOOPS + "for(;;);"
    yield _page("loop in the page", endless, **over)
    yield _page("loop on load", f"onload=()=>{{{endless}}}", shows=("after",), **over)
    yield _page("loop in a timer", f"setTimeout(()=>{{{endless}}},100)", shows=("after",), **over)
    yield _page("promises for ever", f"(async()=>{{{LOOPS}for(;;)await null}})()", **over)
    yield _page("timer for ever", "function f(){setTimeout(f,0)};f()", shows=("after",))
    yield _page("ticker", "setInterval(()=>{document.title=Date.now()},100)", shows=("after",))
    yield _page("frames", "function f(){requestAnimationFrame(f)};f()", shows=("after",))
    yield _page(
        "polling",
        "function f(){fetch('/data').then(()=>setTimeout(f,100))};f()",
        most_requests=70,
        shows=("after",),
    )
    refused = "()=>document.body.append('refu'+'sed')"
    yield _page(
        "requests for ever",
        f"let n=0;function f(){{if(n++<2*{MAX_REQUESTS})fetch('/data').then(f,{refused})}};f()",
        most_requests=MAX_REQUESTS + 1,
        shows=("after", "refused"),
    )
    yield _page(
        "event source",
        "new EventSource('/data')",
        most_requests=30,
        blocked_by=BlockedBy.TYPE,
        shows=("after",),
    )
    yield _page(
        "mining workers",
        f"for(let i=0;i<2;i++)new Worker(URL.createObjectURL(new Blob([`{endless}`])))",
        shows=("after",),
        outcome=RenderOutcome.TIMED_OUT,
        most_requests=2,
    )


def _sizes() -> Iterator[OddPage]:
    yield _page(
        "growing page",
        "setInterval(()=>{for(let i=0;i<5;i++)document.body.append('grown ')},1)",
        shows=("grown",),
        other_outcome=RenderOutcome.TIMED_OUT,  # where the machine is busy
    )
    yield _page(
        "memory in objects",
        "let a=[];for(;;)a.push(new Array(1e6).fill(Math.random()))",
        outcome=RenderOutcome.OUT_OF_MEMORY,
        shows=(),
    )
    yield _page(
        "a text without end",
        "document.body.append('words '.repeat(9e6))",
        outcome=RenderOutcome.OUT_OF_MEMORY,
        shows=(),
        timeout_s=PATIENCE_S,
    )
    yield _page(
        "memory in buffers",
        "let a=[];for(;;){let b=new Uint8Array(64<<20);b.fill(1);a.push(b)}",
        outcome=RenderOutcome.OUT_OF_MEMORY,
        shows=(),
    )
    many = "let s='';for(let i=0;i<{};i++)s+='<b>x</b>';document.body.innerHTML+=s"
    shown = "<b>x</b><b>x</b>"
    yield _page("many elements", many.format(6_000), shows=(shown,), timeout_s=PATIENCE_S)
    yield _page(
        "many elements cut",
        many.format(2_000),
        shows=(shown,),
        max_html_bytes=10_000,
        is_cut=True,
        timeout_s=PATIENCE_S,
    )
    yield _page(
        "deep page",
        "let e=document.body;for(let i=0;i<5000;i++)e=e.appendChild(document.createElement('i'));"
        "e.textContent='the end'",
        shows=("the end",),
        timeout_s=PATIENCE_S,
    )
    yield _page(
        "large answer",
        "fetch('/100MB').then(a=>a.text()).catch(()=>document.body.append('refused'))",
        shows=("refused",),
        most_requests=1,
    )
    yield _page(
        "large storage",
        "try{for(;;)localStorage['k'+Math.random()]='x'.repeat(1e6)}catch{document.write('full')}",
        shows=("full",),
    )
    yield _page(
        "large console", "for(let i=0;i<600;i++)console.error('x'.repeat(10000))", shows=("after",)
    )
    yield _page(
        "web sockets",
        "for(let i=0;i<3;i++)new WebSocket('wss://odd.test/'+i).onclose="
        "e=>document.body.append('closed '+e.code)",
        shows=("closed 1006", "after"),
        most_requests=3,
        blocked_by=BlockedBy.WEB_SOCKET,
    )
    yield _page(
        "web graphics",
        "document.body.append('3d '+document.createElement('canvas').getContext('webgl'))",
        shows=("3d null", "after"),
    )
    yield _page(
        "one large message",
        f"console.error('x'.repeat({MAX_MESSAGE_BYTES}))",
        shows=("after",),
        timeout_s=PATIENCE_S,
    )


def _animations() -> Iterator[OddPage]:
    """Pages that show something only when an animation has ended."""
    shows = {"shows": ("shown", "after")}
    show = "document.body.append('sho'+'wn')"
    fade = "<style>@keyframes fade{from{opacity:0}}body{animation:fade 1s}</style>"
    yield OddPage(
        "after an animation of a style sheet",
        f"{fade}<p>before<script>document.addEventListener('animationend',()=>{show})</script>",
        shows=("shown",),
    )
    yield _page(
        "after an animation of a script",
        f"document.documentElement.animate({{opacity:[0,1]}},800).finished.then(()=>{show})",
        **shows,
    )
    yield _page(
        "after a transition that follows an animation",
        "let e=document.documentElement;e.style.transition='opacity .5s';"
        f"e.addEventListener('transitionend',()=>fetch('/data').then(()=>{show}));"
        "e.animate({top:[0,1]},300).finished.then(()=>e.style.opacity=.5)",
        most_requests=1,
        **shows,
    )
    yield _page(
        "beside animations without end",
        "let e=document.documentElement;e.animate({opacity:[0,1]},{duration:9,iterations:1/0});"
        f"e.animate({{opacity:[0,1]}},3e5).finished.then(()=>{show});",
        shows=("after",),
        hides=("shown",),
    )
    yield _page(
        "after a change of views",
        f"document.startViewTransition(()=>{{}}).finished.then(()=>{show})",
        **shows,
    )


def _navigations() -> Iterator[OddPage]:
    yield _page("location", "location='/elsewhere'", redirect="/elsewhere")
    yield OddPage(
        "location before anything is painted",
        "<title>t</title><script>location='/elsewhere'</script><p>after",
        shows=(),
        redirect="/elsewhere",
    )
    yield _page("location to itself", "location='?'+Math.random()", redirect="/location-to-itself?")
    yield _page(
        "location late", "setTimeout(()=>location='/elsewhere',2000)", redirect="/elsewhere"
    )
    yield _page(
        "location after minutes",
        "setTimeout(()=>{document.body.append('signed '+'out');location='/elsewhere'},900000)",
        shows=("before", "after"),
        hides=("signed out",),
    )
    yield _page("location replaced", "location.replace('/elsewhere')", redirect="/elsewhere")
    yield _page("reload", "location.reload()")
    loaded = "document.body.append('loaded '+'again')"
    cookie = ("cookie", "document.cookie.includes('seen')", "document.cookie='seen=1'")
    storage = ("storage", "sessionStorage.seen", "sessionStorage.seen=1")
    for again, (name, seen, see) in (
        ("location.reload()", cookie),
        ("location.href=location.href", storage),
        ("location.replace('')", cookie),
    ):
        script = f"if({seen}){loaded};else{{{see};{again}}}"
        yield _page(f"{again} with {name}", script, shows=("loaded again", "after"))
    yield _page(
        "reload late",
        f"if(sessionStorage.seen)setTimeout(()=>fetch('/data').then(()=>{loaded}),4000);"
        "else{sessionStorage.seen=1;setTimeout(()=>location.reload(),4500)}",
        shows=("loaded again",),
        most_requests=1,
    )
    yield _page(
        "reload by a service worker",
        "navigator.serviceWorker.oncontrollerchange=()=>location.reload();"
        "navigator.serviceWorker.register('/claims.js')",
        shows=("before", "after"),
        most_requests=2,
    )
    yield _page("history back", "history.back();history.go(-2)", shows=("after",))
    yield OddPage(
        "form sent",
        "<p>before<form id=f action=/elsewhere><input name=q value=1></form>"
        "<script>f.submit()</script>",
        redirect="/elsewhere?q=1",
    )
    yield OddPage(
        "form posted",
        "<p>before<form id=f method=post action=/elsewhere></form><script>f.submit()</script>",
    )
    refresh = '<meta http-equiv=refresh content=\\"1;url=/elsewhere\\">'
    yield _page(
        "refresh by script", f'document.head.innerHTML+="{refresh}"', shows=("elsewhere", "after")
    )
    yield _page("pushed state", "history.pushState(0,0,'/pushed')", address="/pushed")
    yield _page("hash", "location.hash='part'", address="/hash#part")
    yield _page("mail", "location='mailto:someone@example.test'")
    yield _page("another scheme", "location='intent://x'")
    yield _page("script address", "location='javascript:document.body.append(1+1)'", shows=("2",))
    yield _page("data address", "location='data:text/html,<p>of'+'data'", hides=("ofdata",))
    yield _page("file address", "location='file:///etc/passwd'", hides=("root:",))
    yield _page("download", "location='/file.zip'", redirect="/file.zip")
    yield _page(
        "download of a file by link",
        "let a=document.createElement('a');a.href='/file.zip';a.download='x';a.click()",
        shows=("after",),
    )
    yield _page(
        "download late",
        "setTimeout(()=>{let a=document.createElement('a');a.href='/file.zip';a.download='';"
        "document.body.append(a,'downl'+'oads');a.click();"
        "setTimeout(()=>document.body.append('downl'+'oaded'),2000)},1000)",
        shows=("downloads", "downloaded"),
    )
    yield _page(
        "download of itself",
        "setTimeout(()=>{let a=document.createElement('a');a.href=location;a.download='';"
        "document.body.append(a,'downl'+'oads');a.click();"
        "setTimeout(()=>document.body.append('downl'+'oaded'),2000)},1000)",
        shows=("downloads", "downloaded"),
    )
    yield _page(
        "download by link",
        "let a=document.createElement('a');a.href='data:,x';a.download='x';a.click()",
        shows=("after",),
    )


def _contexts() -> Iterator[OddPage]:
    many = f"for(let i=0;i<{MAX_POPUPS + 2};i++)window.open('/popup'+i)"
    yield _page("popups", many, popups=MAX_POPUPS, shows=("after",))
    yield _page(
        "worker",
        "new Worker('/worker.js').onmessage=e=>document.body.append(e.data)",
        shows=("from a worker",),
        most_requests=1,
    )
    yield _page(
        "shared worker",
        "let w=new SharedWorker('/worker.js').port;w.onmessage=e=>document.body.append(e.data)",
        shows=("from a shared worker",),
        most_requests=1,
        virtual_time=False,
    )
    yield _page(
        "worker that requests",
        "new Worker('/asks.js').onmessage=e=>document.body.append(e.data)",
        shows=("asked for data",),
        most_requests=6,
    )
    yield _page(
        "service worker",
        "navigator.serviceWorker.register('/worker.js').then(()=>document.body.append('serves'))",
        shows=("serves",),
        most_requests=2,
    )
    fetch_and_show = "fetch('/data').then(()=>document.body.append('sho'+'wn'))"
    yield _page(
        "after a database",
        "let o=indexedDB.open('a',1);o.onupgradeneeded=()=>o.result.createObjectStore('s');"
        "o.onsuccess=()=>{let t=o.result.transaction('s','readwrite');"
        f"t.objectStore('s').put(1,'k');t.oncomplete=()=>{fetch_and_show}}}",
        shows=("shown", "after"),
        most_requests=1,
    )
    yield _page(
        "after a cache",
        "caches.open('a').then(c=>c.put('/x',new Response('y')).then(()=>c.match('/x')))"
        f".then(()=>{fetch_and_show})",
        shows=("shown", "after"),
        most_requests=1,
    )
    yield OddPage(
        "frame of the site",
        "<p>before<iframe src=/frame></iframe>",
        shows=("in a frame",),
        most_requests=1,
    )
    for name, is_virtual in (("frame far below", True), ("frame far below in real time", False)):
        yield OddPage(
            name,
            "<p>before<div style=height:9000px></div><iframe loading=lazy src=/frame></iframe>"
            "<iframe loading=lazy src=https://other.test/frame></iframe>",
            shows=("in a frame",),
            most_requests=1,
            virtual_time=is_virtual,
        )
    yield OddPage(
        "frame in a folder",
        "<base href=/elsewhere/><p>before<iframe src=/folder/frame></iframe><a href=here>",
        shows=(
            '<a href="https://site.test/folder/next"',
            'src="https://site.test/up.png"',
            'srcset="https://site.test/folder/a.png 1x, https://site.test/b.png 2x"',
            '<a href="here"',
        ),
        most_requests=9,
    )
    yield OddPage(
        "frame of another site",
        "<p>before<iframe src=https://other.test/frame></iframe>",
        hides=("in a frame",),
        most_requests=1,
    )
    yield OddPage(
        "frame of itself", "<p>before<iframe src=/frame-of-itself></iframe>", most_requests=50
    )
    yield OddPage(
        "frame that leaves",
        "<p>before<iframe srcdoc=\"<script>top.location='/elsewhere'</script>\"></iframe>",
        redirect="/elsewhere",
    )
    yield _page(
        "closed",
        "close()",
        outcome=RenderOutcome.CRASHED,
        other_outcome=RenderOutcome.RENDERED,
        shows=(),
    )
    yield _page("screen", "document.write(screen.width+'x'+screen.height)", shows=("1024x768",))
    yield _page("fullscreen", "document.documentElement.requestFullscreen().catch(()=>{})")


def _documents() -> Iterator[OddPage]:
    yield _page(
        "written anew",
        "onload=()=>{document.open();document.write('<h1>anew</h1>');document.close()}",
        shows=("<h1>anew</h1>",),
        hides=("before",),
    )
    yield _page(
        "never closed", "onload=()=>{document.open();document.write('<h1>open')}", shows=("open",)
    )
    yield _page(
        "an odd answer",
        "fetch('/status-520').then(a=>document.body.append('status '+a.status))",
        shows=("status 520",),
        most_requests=1,
    )
    yield _page("no frames", "window.requestAnimationFrame=()=>0", shows=("before", "after"))
    yield OddPage(
        "larger than all numbers",
        "<p>before<p style='transform:scale(1e30);background:url(https://site.test/a.png)'>x",
        most_requests=1,
    )
    yield _page("emptied", "document.documentElement.remove()", shows=())
    yield _page(
        "prototypes",
        "for(const [o,n] of [[Node,'childNodes'],[Node,'nodeType'],[Element,'attributes'],"
        "[Document,'documentElement']])Object.defineProperty(o.prototype,n,{get(){throw 1}});"
        "Array.prototype.push=Array.prototype.join=String.prototype.replace=null;"
        "JSON.stringify=null;window.requestAnimationFrame=null;window.Promise=null",
        shows=("before", "after"),
    )
    yield _page(
        "lone surrogates and NULs",
        "document.body.append('a\\ud800b\\u0000c');document.body.setAttribute('x','\\udfff\\u0000')",
        shows=("after",),
    )
    yield _page(
        "closed shadow",
        "document.body.appendChild(document.createElement('div')).attachShadow({mode:'closed'})"
        ".innerHTML='<p>in the dark'",
        hides=("<p>in the dark</p>",),
    )
    yield _page(
        "open shadow",
        "document.body.appendChild(document.createElement('div')).attachShadow({mode:'open'})"
        ".innerHTML='<p>in the light'",
        shows=("<p>in the light</p>",),
    )
    yield OddPage("broken off", "<title>t</title><p>before<div><a href=/x", shows=("before",))
    yield OddPage("only a comment", "<!-- before", shows=())
    fields = "".join(
        f'<form action="/x"><input name="{name}"><a href="/y">before</a></form>'
        for name in ("attributes", "childNodes", "localName", "nodeType", "shadowRoot")
    )
    yield OddPage("fields named as properties", fields, shows=(fields,))
    watch = (
        "let n=0;new IntersectionObserver(e=>{if(e.some(x=>x.isIntersecting)&&n++<3)"
        "document.getElementById('list').insertAdjacentHTML('beforeend',"
        "`<a href=/${n}>shown ${n} of ${innerWidth}</a><p style=height:900px>`)})"
        ".observe(document.getElementById('end'));"
    )
    hidden = "<p>before<div style=height:3000px></div><div id=list></div><div id=end>"
    shown = ("shown 1 of 1024",)
    for name, before, is_virtual in (
        ("seen when scrolled to", "", True),
        ("seen below a screen", "<div style=height:100vh></div>", True),
        ("seen in real time", "", False),
    ):
        html = f"{before}{hidden}</div><script>{watch}</script>"
        yield OddPage(name, html, shows=shown, virtual_time=is_virtual)
    show = "document.getElementById('list').insertAdjacentHTML('beforeend','<p>shown')"
    seen = f"document.getElementById('end').getBoundingClientRect().top<innerHeight&&{show}"
    for name, script, is_virtual in (
        ("scrolled", f"addEventListener('scroll',()=>{show},{{once:true}})", True),
        ("scrolled in real time", f"addEventListener('scroll',()=>{show},{{once:true}})", False),
        ("scrolled into view", f"onscroll=()=>setTimeout(()=>{{onscroll=null;{seen}}},150)", True),
    ):
        html = f"{hidden}</div><script>{script}</script>"
        yield OddPage(name, html, shows=("<p>shown</p>",), virtual_time=is_virtual)
    for name, script in (
        (
            "looks only at the first it is told of what is in view",
            (
                f"setTimeout(()=>new IntersectionObserver(([e])=>e.isIntersecting&&{show})"
                ".observe(document.getElementById('end')),4999)"
            ),
        ),
        (
            "paints and waits before it shows what is in view",
            (
                "new IntersectionObserver(e=>e.some(x=>x.isIntersecting)&&requestAnimationFrame("
                f"()=>setTimeout(()=>fetch('/data').then(()=>{show}),200)))"
                ".observe(document.getElementById('end'))"
            ),
        ),
    ):
        html = f"{hidden}</div><script>{script}</script>"
        yield OddPage(name, html, shows=("<p>shown</p>",), most_requests=1)
    yield OddPage(
        "without scripts",
        "<noscript><meta http-equiv=refresh content='0;url=/elsewhere'></noscript><p>before"
        "<noscript><a href=/hidden>no scripts</a></noscript><noscript>none</noscript><p>after",
        shows=("<noscript></noscript>", "after"),
        hides=("/elsewhere", "/hidden", "none"),
    )
    yield OddPage("hidden names", '<p>before<x-a b"c=1 \x00d=2></x-a>')


_SCRIPTS = {
    "/worker.js": (
        b"if(self.postMessage)postMessage('from a worker');"
        b"onconnect=e=>e.ports[0].postMessage('from a shared worker')"
    ),
    "/asks.js": (
        b"(async()=>{let said='';for(let i=0;i<5;i++)said=await(await fetch('/data')).text();"
        b"postMessage('asked for '+said)})()"
    ),
    "/claims.js": b"onactivate=e=>e.waitUntil(clients.claim());onfetch=e=>0",
}


async def answer(request: PageRequest, deadline: PageDeadline) -> ResourceResult:
    """What the pages ask for besides themselves."""
    path = request.url.removeprefix(SITE).removeprefix("https://other.test")
    if path == "/loops":
        deadline._run_for(_LEFT_S)  # noqa: SLF001 - as if all its time but that were over
    if path in _SCRIPTS:
        return _answered("text/javascript", _SCRIPTS[path])
    if path == "/status-520":
        return ResourceResult(PageResponse(520, [("X Odd", "1"), ("X-Odd", "a\0")], b"data"))
    if path == "/100MB":
        return ResourceResult(failure="too long")
    if request.type is ResourceType.DOCUMENT:
        inner = b"<iframe src=/frame-of-itself></iframe>" if "itself" in path else b""
        if "folder" in path:
            inner = b"<a href=next>x</a><img src=../up.png srcset='a.png 1x, /b.png 2x'>"
        return _answered("text/html", b"<p>in a frame" + inner)
    return _answered("text/plain", b"data")


def _answered(kind: str, body: bytes) -> ResourceResult:
    headers = [("Content-Type", kind), ("Access-Control-Allow-Origin", "*")]
    return ResourceResult(PageResponse(200, headers, body))
