"""Pages that scripts change: what differs from their HTML, and what just does not."""

import random
import struct
import zlib
from typing import Any, Final

from tests.sites.audit_site.planted_site import (
    JSON_LD,
    SELF_CANONICAL,
    PlantedSite,
    canonical,
    description,
    robots,
    title,
)

_CONTENT: Final = "JavaScript: Contains JavaScript Content"
_LINKS: Final = "JavaScript: Contains JavaScript Links"
_BLOCKED_FILES: Final = "JavaScript: Pages with Blocked Resources"
_CONSOLE: Final = "JavaScript: Pages with Chrome Console Log Errors/Warnings"
_BACKGROUND: Final = "Images: Background Images"
_WRONG_SIZE: Final = "Images: Incorrectly Sized Images"
_REDIRECTION: Final = "Response Codes: Internal Redirection (JavaScript)"
_NAMES: Final = ("Page Title", "Meta Description", "H1")
_ADDED: Final = tuple(f"JavaScript: {each} Only in Rendered HTML" for each in _NAMES)
_UPDATED: Final = tuple(f"JavaScript: {each} Updated by JavaScript" for each in _NAMES)
_ADD_TO_HEAD: Final = "document.head.insertAdjacentHTML('beforeend', `{}`);"
_ADD_TO_MAIN: Final = "document.querySelector('main').insertAdjacentHTML('beforeend', `{}`);"
_OFF_INDEX: Final = (*JSON_LD, *SELF_CANONICAL)


def _scripted(site: PlantedSite, name: str, script: str, *holds: str, **parts: Any) -> None:
    """A page that runs a script at its end: scripts are files, as its policy wants it."""
    body = parts.pop("body", "")
    site.page(f"/js/{name}", *holds, body=f"{body}{_element(site, name, script)}", **parts)


def _element(site: PlantedSite, name: str, script: str) -> str:
    path = f"/scripts/{name}.js"
    site.file(path, script.encode(), "text/javascript")
    return f'<script src="{path}"></script>'


def _to_head(markup: str) -> str:
    return _ADD_TO_HEAD.format(markup)


def _to_main(markup: str) -> str:
    return _ADD_TO_MAIN.format(markup)


def plant_directives(site: PlantedSite) -> None:
    """What scripts make of what robots are told."""
    html_noindex = "JavaScript: Noindex Only in Original HTML"
    html_nofollow = "JavaScript: Nofollow Only in Original HTML"
    remove = "document.querySelector('meta[name=robots]').remove();"
    _scripted(site, "noindex-removed", remove, html_noindex, head=robots("noindex"))
    _scripted(site, "nofollow-removed", remove, html_nofollow, head=robots("nofollow"))
    _scripted(site, "none-removed", remove, html_noindex, html_nofollow, head=robots("none"))
    index = "document.querySelector('meta[name=robots]').content = 'index, nofollow';"
    _scripted(
        site,
        "none-to-nofollow",
        index,
        html_noindex,
        "Directives: Index",
        "Directives: Nofollow",
        head=robots("none"),
    )
    other = "document.querySelector('meta[name=otherbot]').remove();"
    _scripted(site, "other-robot", other, head=robots("noindex", "otherbot"))
    same = "document.querySelector('meta[name=robots]').content = 'NOINDEX, noarchive';"
    noarchive = "Directives: NoArchive"
    script = _element(site, "noindex-stays", same)
    site.noindex("/js/noindex-stays", noarchive, head=robots("noindex") + script)
    added = _to_head(robots("noindex"))
    script = _element(site, "noindex-added", added)
    site.page(
        "/js/noindex-added",
        "Directives: Noindex",
        lacks=_OFF_INDEX,
        canonical="",
        body=script,
    )


def plant_canonicals(site: PlantedSite) -> None:
    """Canonicals that scripts add or change."""
    only, mismatch = (
        "JavaScript: Canonical Only in Rendered HTML",
        "JavaScript: Canonical Mismatch",
    )
    for name, path in (("itself", "/js/canonical-added-itself"), ("other", "/js/canonical-target")):
        added = _to_head(canonical(site.url(path)))
        holds, lacks = _canonicalised(name == "other")
        _scripted(site, f"canonical-added-{name}", added, only, *holds, lacks=lacks, canonical="")
        html = "/js/canonical-target" if name == "itself" else f"/js/canonical-changed-{name}"
        now = "/js/canonical-changed-itself" if name == "itself" else path
        change = f"document.querySelector('link[rel=canonical]').href = '{site.url(now)}';"
        _scripted(
            site,
            f"canonical-changed-{name}",
            change,
            mismatch,
            *holds,
            lacks=lacks,
            canonical=canonical(site.url(html)),
        )
    site.page("/js/canonical-target")
    written = "document.querySelector('link[rel=canonical]').href = location.pathname;"
    _scripted(site, "canonical-rewritten", written, "Canonicals: Canonical Is Relative")
    _scripted(
        site,
        "canonical-removed",
        "document.querySelector('link[rel=canonical]').remove();",
        "Canonicals: Missing",
        lacks=SELF_CANONICAL,
    )


def _canonicalised(is_other: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What holds for a page, and what does not, if its canonical is another one."""
    return (("Canonicals: Canonicalised",), (SELF_CANONICAL[1], *JSON_LD)) if is_other else ((), ())


def plant_names(site: PlantedSite) -> None:
    """Titles, descriptions and headings that scripts add or change; words of headings are content.

    Their rules have nothing to do with each other: a page shows one of each.
    """
    title_changed, _, heading_changed = _UPDATED
    set_title = "document.title = 'A title that a script has set for page {}';"
    text = "What a script says of page {} in some eighty to a hundred characters, as a summary"
    describe = "document.querySelector('meta[name=description]').content = '{}';"
    set_heading = "document.querySelector('h1').textContent = 'Scripted {}';"
    add = (
        set_title.format("one")
        + _to_head(description(text.format("one")))
        + "document.querySelector('main')"
        ".insertAdjacentHTML('afterbegin', '<h1>Scripted one</h1>');"
    )
    _scripted(site, "names-added", add, *_ADDED, _CONTENT, title="", description="", h1="")
    fill = set_title.format("two") + describe.format(text.format("two")) + set_heading.format("two")
    empty = {"title": title(" "), "description": description(""), "h1": "<h1></h1>"}
    _scripted(site, "names-filled", fill, *_ADDED, _CONTENT, **empty)
    change = (
        set_title.format("three")
        + describe.format(text.format("three"))
        + set_heading.format("three")
    )
    _scripted(site, "names-changed", change, *_UPDATED, _CONTENT)
    late = f"setTimeout(() => {{ {set_title.format('four')} }}, 2000);"
    swap = (
        "const h1 = document.querySelector('h1');"
        "h1.textContent = h1.textContent.split(' ').reverse().join(' ');"
    )
    _scripted(site, "title-late-h1-words-moved", late + swap, title_changed, heading_changed)
    same = (
        "document.title = `  ${document.title}  `;"
        "document.querySelector('meta[name=description]').id = 'd';"
        "const h1 = document.querySelector('h1'); h1.innerHTML = `<b>${h1.textContent}</b>`;"
    )
    _scripted(site, "names-same", same)
    back = (
        "const was = document.title; document.title = 'x';"
        "setTimeout(() => { document.title = was; });"
    )
    _scripted(site, "title-back", back)


def plant_links(site: PlantedSite) -> None:
    """Links and text that scripts add."""
    site.page("/js/link-target")
    link = '<a href="/js/link-target">Scripted link</a>'
    _scripted(site, "links-added", _to_main(f"<p>{link}</p>"), _LINKS, _CONTENT)
    navigation = f"document.body.insertAdjacentHTML('beforeend', `<nav>{link}</nav>`);"
    _scripted(site, "links-in-navigation", navigation, _LINKS)
    wrap = (
        "const p = document.querySelector('#plain');"
        "p.innerHTML = `<a href='/js/link-target'>${p.textContent}</a>`;"
    )
    _scripted(site, "links-made-of-text", wrap, _LINKS, body='<p id="plain">Sand and salt</p>')
    again = "document.querySelector('#one').after(document.querySelector('#one').cloneNode(true));"
    one = '<nav><a id="one" href="/js/link-target">Sand and salt</a></nav>'
    shadow = (
        "document.querySelector('#host').attachShadow({mode: 'open'}).innerHTML ="
        f" `<nav>{link}</nav>`;"
    )
    _scripted(site, "links-in-shadow", shadow, _LINKS, body='<div id="host"></div>')
    uncrawlable = navigation.replace("href", "routerlink")
    rule = "Links: Pages With Uncrawlable Internal Outlinks"
    _scripted(site, "links-without-address-and-twice", uncrawlable + again, rule, body=one)


def plant_content(site: PlantedSite) -> None:
    """Text that scripts add, replace, move or take away."""
    text = '<p id="text">Sand and salt are in the soil</p>'
    _scripted(site, "text-added", _to_main("<p>Scripted words</p>"), _CONTENT)
    replace = "document.querySelector('#text').textContent = 'Snow and toad are in the sky';"
    _scripted(site, "text-replaced", replace, _CONTENT, body=text)
    shorter = "document.querySelector('#text').textContent = 'Scripted';"
    _scripted(site, "text-replaced-by-less", shorter, _CONTENT, body=text)
    fetched = (
        "fetch('/scripts/text.json').then(answer => answer.json())"
        ".then(text => { document.querySelector('#text').textContent = text; });"
    )
    site.file("/scripts/text.json", b'"Fetched words"', "application/json")
    site.link("/scripts/text.json")
    _scripted(site, "text-fetched", fetched, _CONTENT, body='<p id="text"></p>')
    link = '<nav><a href="/js/link-target">Sand and salt</a></nav>'
    removed = "for (const gone of document.querySelectorAll('#text, nav a')) gone.remove();"
    _scripted(site, "text-and-link-removed", removed, body=text + link)
    moved = (
        "const p = document.querySelector('#text'); document.querySelector('main').prepend(p);"
        "p.innerHTML = `<b>${p.innerHTML}</b>`;"
    )
    _scripted(site, "text-moved-and-wrapped", moved, body=text)
    elsewhere = (
        "document.body.insertAdjacentHTML('beforeend', '<footer>Scripted</footer>');"
        "document.body.append(document.createComment('Scripted'));"
    )
    _scripted(site, "text-in-footer-and-comment", elsewhere)


def plant_blocked_files(site: PlantedSite) -> None:
    """Files that robots.txt blocks: those of elements, and those that scripts ask for."""
    by_resource = "Response Codes: Internal Blocked Resource"
    site.page(
        "/js/blocked-script",
        _BLOCKED_FILES,
        body='<script src="/robots-no/element.js"></script>',
    )
    site.blocked("/robots-no/element.js", by_resource)
    fetched = "fetch('/robots-no/data.json').catch(() => 0);"
    _scripted(site, "blocked-fetch", fetched, _BLOCKED_FILES)
    site.blocked("/robots-no/data.json", by_resource)
    image = "new Image().src = '/robots-no/counted.png';"
    _scripted(site, "blocked-image", image, _BLOCKED_FILES)
    site.blocked("/robots-no/counted.png", by_resource)
    beacon = "navigator.sendBeacon('/counted', 'x');"
    link = '<a href="/robots-no/page">A page for nobody</a>'
    _scripted(site, "blocked-link-and-beacon", beacon, body=link)
    site.blocked("/robots-no/page")


def plant_console(site: PlantedSite) -> None:
    """What scripts write to the console, and where they fail."""
    for name, script in (
        ("error", "console.error('wrong');"),
        ("warning", "console.warn('perhaps wrong');"),
        ("thrown", "throw new Error('wrong');"),
        ("unknown", "unknownFunction();"),
        ("rejected", "Promise.reject(new Error('wrong'));"),
        ("late", "setTimeout(() => unknownFunction(), 3000);"),
        ("syntax", "if ("),
    ):
        _scripted(site, f"console-{name}", script, _CONSOLE)
    fine = (
        "console.log('fine'); console.info('fine'); console.debug('fine');"
        "try { unknownFunction(); } catch {}"
        "fetch('/scripts/none.json').then(answer => answer.status);"
    )
    _scripted(site, "console-fine", fine)


def plant_web_sockets(site: PlantedSite) -> None:
    """Scripts that want WebSockets at once, later, only if somebody clicks, and by polling."""
    rule = "JavaScript: Uses WebSockets"
    wanted = "new WebSocket('/live').onmessage = message => document.body.append(message.data);"
    _scripted(site, "socket", wanted, rule)
    _scripted(site, "socket-late", f"setTimeout(() => {{ {wanted} }}, 3000);", rule)
    polls = "new WebSocket('/live').onclose = () => document.body.append('polled');"
    _scripted(site, "socket-or-polling", polls, rule, _CONTENT, body="")
    known = "if (!window.WebSocket) throw new Error('too old');"
    _scripted(site, "socket-known-and-on-click", f"{known} onclick = () => {{ {wanted} }};")


def plant_images(site: PlantedSite) -> None:
    """Background images of style sheets and scripts, and images by size.

    What holds is said of the images: a page has many.
    """
    site.image("/pictures/of-sheet.png", _BACKGROUND)
    site.file(
        "/styles/background.css",
        b".soil { background-image: url(/pictures/of-sheet.png); }",
        "text/css",
    )
    images = ""
    for name, width, height, is_wrong in (
        ("half", 75, 50, True),
        ("a-little-less", 147, 98, False),
        ("less", 140, 93, True),
        ("as-it-is", 150, 100, False),
        ("double", 300, 200, True),
    ):
        path = f"/pictures/{name}.png"
        site.file(path, _picture(name), "image/png", *([_WRONG_SIZE] if is_wrong else []))
        images += _img(path, width, height)
    site.file("/pictures/both.png", _picture("both"), "image/png")
    images += _img("/pictures/both.png", 75, 50) + _img("/pictures/both.png", 150, 100)
    drawing = b'<svg xmlns="http://www.w3.org/2000/svg" width="900" height="900"><!--%s--></svg>'
    site.file("/pictures/drawing.svg", drawing % (b"x" * 9000), "image/svg+xml")
    site.file("/pictures/dot.png", _picture("dot", 1, 1), "image/png")
    images += _img("/pictures/drawing.svg", 30, 30) + _img("/pictures/dot.png", 600, 400)
    site.page(
        "/js/images",
        head='<link rel="stylesheet" href="/styles/background.css">',
        body=f'<div class="soil">Soil</div>{images}',
    )
    site.image("/pictures/of-script.png", _BACKGROUND)
    site.file("/pictures/hidden.png", _picture("hidden"), "image/png")
    site.file("/pictures/added.png", _picture("added"), "image/png", _WRONG_SIZE)
    script = (
        "document.body.style.backgroundImage = 'url(/pictures/of-script.png)';"
        "document.querySelector('main').style.backgroundImage = 'linear-gradient(red, blue)';"
        "document.querySelector('img').style.display = 'none';"
    ) + _to_main(_img("/pictures/added.png", 30, 20))
    _scripted(site, "images-of-script", script, body=_img("/pictures/hidden.png", 75, 50))


def plant_redirects(site: PlantedSite) -> None:
    """Pages whose scripts send visitors elsewhere, and those whose scripts stay."""
    target = "/js/redirect-target"
    site.page(target)
    at_once = "<meta http-equiv='refresh' content='0; url=/js/redirect-target'>"
    for name, script in (
        ("location", f"location = '{target}';"),
        ("href", f"location.href = '{target}';"),
        ("replace", f"location.replace('{target}');"),
        ("late", f"setTimeout(() => location.assign('{target}'), 3000);"),
        ("refresh", _to_head(at_once)),
    ):
        _scripted(site, f"redirect-{name}", script, _REDIRECTION, lacks=_OFF_INDEX, canonical="")
    chain = "Response Codes: Internal Redirect Chain"
    onward = "location.replace('/js/redirect-location');"
    _scripted(site, "redirect-chain", onward, _REDIRECTION, chain, lacks=_OFF_INDEX, canonical="")
    loop = "Response Codes: Internal Redirect Loop"
    for name, other in (("one", "two"), ("two", "one")):
        script = f"location.replace('/js/redirect-loop-{other}');"
        _scripted(
            site,
            f"redirect-loop-{name}",
            script,
            _REDIRECTION,
            loop,
            lacks=_OFF_INDEX,
            canonical="",
        )
    clicked = f"addEventListener('click', () => {{ location = '{target}'; }});"
    for name, script in (
        ("hash", f"{clicked} location.hash = 'bed';"),
        ("pushed", "history.pushState(null, '', '/js/pushed');"),
    ):
        _scripted(site, f"stays-{name}", script)
    later = "<meta http-equiv='refresh' content='9; url=/js/redirect-target'>"
    _scripted(site, "stays-9-seconds", _to_head(later), "Directives: Refresh")


def plant_rendering(site: PlantedSite) -> None:
    """All of it."""
    for plant in (
        plant_directives,
        plant_canonicals,
        plant_names,
        plant_links,
        plant_content,
        plant_blocked_files,
        plant_console,
        plant_web_sockets,
        plant_images,
        plant_redirects,
    ):
        plant(site)
    site.home()


def _img(path: str, width: int, height: int) -> str:
    return f'<img src="{path}" width="{width}" height="{height}" alt="A bed of {width} plants">'


def _picture(seed: str, width: int = 150, height: int = 100) -> bytes:
    """A PNG of noise: three bytes a pixel, some 45 kB by default."""
    noise = random.Random(seed)
    lines = b"".join(b"\0" + noise.randbytes(3 * width) for _ in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in chunks
    )
