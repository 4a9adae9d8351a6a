"""What one page leaves in the browser, no other page finds."""

import asyncio

from gossamer.render.page_deadline import PageDeadline
from gossamer.render.page_renderer import PageRenderer
from gossamer.render.page_requests import PageRequest, PageResponse, ResourceResult
from gossamer.render.rendered_page import RenderedPage, RenderJob, RenderLimits
from tests.fakes.browsers import NEEDS_BROWSER, NEEDS_FULL_BROWSER, browser, full_browser
from tests.integration.crawling import run

pytestmark = NEEDS_BROWSER
SITE = "https://site.test"
HTML = [("Content-Type", "text/html")]
SERVICE = b"onactivate=()=>clients.claim();onfetch=e=>e.respondWith(new Response('<p>left-served'))"
SHARED = (
    b"let kept='';onconnect=e=>{const p=e.ports[0];"
    b"p.onmessage=m=>{if(m.data)kept=m.data;p.postMessage(kept)};p.start()}"
)
OPEN = (
    "const open=indexedDB.open('d',1);open.onupgradeneeded=()=>open.result.createObjectStore('s');"
)
LEAVE = f"""<p>before<script>(async()=>{{
document.cookie='left-cookie=1';localStorage.k='left-local';sessionStorage.k='left-session';
name='left-name';
{OPEN}open.onsuccess=()=>open.result.transaction('s','readwrite').objectStore('s').put('left-db',1);
const c=new BroadcastChannel('c');setInterval(()=>c.postMessage('left-channel'),50);
const w=new SharedWorker('/shared.js');w.port.postMessage('left-worker');
w.port.onmessage=()=>{{document.body.append('worker left ')}};
await (await caches.open('left-cache')).put('/x',new Response('left-cached'));
await navigator.serviceWorker.register('/service.js');await navigator.serviceWorker.ready;
document.body.append('all left ');
}})()</script>"""
LOOK = f"""<p>before<script>(async()=>{{const say=x=>document.body.append(x+' ');
say(document.cookie);say(localStorage.k||'');say(sessionStorage.k||'');say(name);
{OPEN}open.onsuccess=()=>{{const r=open.result.transaction('s').objectStore('s').get(1);
r.onsuccess=()=>say(r.result||'')}};
new BroadcastChannel('c').onmessage=e=>say(e.data);
const w=new SharedWorker('/shared.js');w.port.onmessage=e=>say(e.data);w.port.postMessage('');
say(await caches.keys());say(await (await fetch('/frame')).text());
say((await navigator.serviceWorker.getRegistrations()).length?'left-registration':'');
say('all looked')}})()</script><iframe src=/frame></iframe>"""


async def answer(request: PageRequest, _deadline: PageDeadline) -> ResourceResult:
    scripts = {f"{SITE}/service.js": SERVICE, f"{SITE}/shared.js": SHARED}
    if script := scripts.get(request.url):
        return ResourceResult(PageResponse(200, [("Content-Type", "text/javascript")], script))
    return ResourceResult(PageResponse(200, HTML, b"<p>from the server"))


def job(path: str, html: str) -> RenderJob:
    # In real time, so that both pages live at the same time.
    limits = RenderLimits(timeout_s=20, virtual_time=False, ajax_s=2)
    return RenderJob(f"{SITE}/{path}", PageResponse(200, HTML, html.encode()), limits)


def without_script(page: RenderedPage) -> str:
    start, _, rest = page.html.partition("<script>")
    return start + rest.partition("</script>")[2]


def check(left: RenderedPage, *looked: RenderedPage) -> None:
    assert "all left" in left.html
    assert "worker left" in without_script(left)
    for page in looked:
        seen = without_script(page)
        assert "all looked" in seen
        assert "from the server" in seen
        assert "left" not in seen


async def beside_and_after(renderer: PageRenderer) -> list[RenderedPage]:
    async with renderer:
        pages = await asyncio.gather(
            renderer.render(job("a", LEAVE), answer), renderer.render(job("b", LOOK), answer)
        )
        return [*pages, await renderer.render(job("b", LOOK), answer)]


def test_nothing_that_a_page_leaves_is_found_by_another() -> None:
    check(*run(beside_and_after(PageRenderer(browser()))))


@NEEDS_FULL_BROWSER
def test_nothing_that_a_page_leaves_is_found_by_another_in_a_browser_for_people() -> None:
    check(*run(beside_and_after(PageRenderer(full_browser()))))


def test_a_page_finds_what_it_has_left_itself() -> None:
    """So that the other tests do not hold because nothing is ever found."""

    async def main() -> RenderedPage:
        async with PageRenderer(browser()) as renderer:
            both = LEAVE.replace("document.body.append('all left ');", "") + LOOK
            html = both.replace("const open", "var open").replace("let kept", "var kept")
            return await renderer.render(job("a", html.replace("const w", "var w")), answer)

    seen = run(main()).html.rpartition("</script>")[2]
    for what in ("left-cookie", "left-local", "left-session", "left-name"):
        assert what in seen, what
