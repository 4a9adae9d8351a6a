"""Pages whose markup, charset or base address is unusual, and whose faults are not."""

from typing import Final

from tests.sites.audit_site.planted_site import (
    JSON_LD,
    SELF_CANONICAL,
    PlantedSite,
    canonical,
    clean_document,
    description,
    robots,
    title,
)
from tests.sites.responses import Response

_WIDTHS: Final = ("Page Titles: Over 561 Pixels", "Page Titles: Below 200 Pixels")


def plant_odd_heads(site: PlantedSite) -> None:
    """What the HTML standard puts into the head, or does not."""
    late = "</head>" + title("A title after the end of the head of it")
    site.page("/odd/title-after-head", title="", head=late, for_standard=True)
    late = "</head>" + description(
        "What stands after the end of the head is put into the head " * 2
    )
    site.page("/odd/description-after-head", description="", head=late, for_standard=True)
    late = "</head>" + robots("noarchive")
    site.page("/odd/robots-after-head", "Directives: NoArchive", head=late, for_standard=True)
    link = canonical(site.url("/odd/canonical-after-head"))
    site.page("/odd/canonical-after-head", canonical="", head=f"</head>{link}", for_standard=True)
    text = "A text in the head ends it"
    outside = ("Page Titles: Outside <head>", "Canonicals: Outside <head>")
    link = canonical(site.url("/odd/text-in-head"))
    invalid = ("Validation: Invalid HTML Elements In <head>",)
    late = text + title("A title behind a text within the head") + link
    site.page("/odd/text-in-head", *outside, title="", canonical="", head=late, unclear=invalid)
    script = "<script>document.write('<title>Written by a script</title><h1>x</h1>')</script>"
    site.page("/odd/script-text", head=script)
    template = "<template><title>In a template</title><h1>x</h1><h1>y</h1></template>"
    site.page("/odd/template", head=template)
    conditional = "<!--[if IE]><title>For old browsers</title><h1>x</h1><![endif]-->"
    site.page("/odd/conditional", head=conditional)
    unquoted = "<meta name=description content=" + "g" * 81 + ">"
    site.page("/odd/unquoted", description=unquoted)
    spaced = f"<META\n NAME = 'DESCRIPTION'\n CONTENT = '{'g' * 80}' />"
    site.page("/odd/spaced", description=spaced)
    entities = description("&quot;Roses&quot; &amp; lilies &#8212; " + "h" * 70)
    site.page("/odd/entities", description=entities)
    astral = title("\N{TULIP}" * 30)
    site.page("/odd/astral-30", title=astral, unclear=_WIDTHS)
    astral = title("\N{TULIP}" * 60)
    site.page("/odd/astral-60", title=astral, unclear=_WIDTHS)
    over = "Page Titles: Over 60 Characters"
    site.page("/odd/astral-61", over, title=title("\N{TULIP}" * 61), unclear=_WIDTHS)


def plant_odd_bodies(site: PlantedSite) -> None:
    """Headings and links that are not closed, nested, or only look like some."""
    site.page("/odd/h1-in-link", h1='<a href="/"><h1>A heading in a link</h1></a>')
    site.page("/odd/h1-unclosed", h1="<h1>A heading without an end", h2="<h2>Not so this one</h2>")
    site.page("/odd/h1-capitals", h1="<H1 CLASS=x>A heading in capitals</H1>")
    parts = "<h1>A <span>head<b>ing</b></span><br>on two lines</h1>"
    joined = title("A heading on two lines, the title")
    site.page("/odd/h1-parts", h1=parts, title=joined)
    role = '<div role="heading" aria-level="1">No element of a heading</div>'
    site.page("/odd/h1-role", "H1: Missing", h1=role)
    site.page("/odd/comment-links", body='<!-- <a href="/none"></a><img src="/none.png"> -->')
    site.page("/odd/text-area", body="<p>&lt;h1&gt;No heading&lt;/h1&gt; &lt;img src=x&gt;</p>")
    image = site.image("/odd/source.png")
    small = site.image("/odd/source-small.png")
    picture = (
        f'<picture><source srcset="{small} 1x" width="9" height="9">'
        f'<img src="{image}" alt="A rose of ours" width="9" height="9"></picture>'
    )
    site.page("/odd/picture", body=picture)
    site.page("/odd/svg", body='<svg width="9" height="9"><path d="M0 0"/></svg>')


def plant_charsets(site: PlantedSite) -> None:
    """The same page in other encodings: its title has 40 characters, 30 of them umlauts."""
    for name, encoding, mark in (
        ("latin", "iso-8859-1", b""),
        ("windows", "windows-1252", b""),
        ("utf-8-mark", "utf-8", b"\xef\xbb\xbf"),
        ("utf-16", "utf-16-le", b"\xff\xfe"),
    ):
        path = f"/charsets/{name}"
        site.page(path)
        document = clean_document(
            9700 + len(name),
            f"Charset {name}",
            title=title("ü" * 30 + name.rjust(10, "x")),
            canonical=canonical(site.url(path)),
        )
        declared = "utf-16" if name == "utf-16" else encoding
        document = document.replace('charset="utf-8"', f'charset="{declared}"')
        body = mark + document.encode(encoding)
        site.site.respond(path, Response(200, body, "text/html", site.headers))


def plant_bases(site: PlantedSite) -> None:
    """A base address changes what relative addresses mean."""
    base = f'<base href="{site.url("/based/")}">'
    relative = "Canonicals: Canonical Is Relative"
    link = base + canonical("self")
    site.page("/based/self", relative, canonical=link)
    lacks = (*JSON_LD, SELF_CANONICAL[1])
    link = base + canonical("self")
    site.page("/unbased", relative, "Canonicals: Canonicalised", lacks=lacks, canonical=link)
    jump = '<p id="here"><a href="#here">Jump to what is on another page</a></p>'
    site.page("/based/jump", "URL: Broken Bookmark", head=base, body=jump)
    site.page("/based/", body='<p id="there">A place</p>')
    jump = '<p><a href="#there">Jump to what is on another page</a></p>'
    site.page("/based/jump-there", head=base, body=jump)


def plant_same_addresses(site: PlantedSite) -> None:
    """Canonicals that spell the address of their page in another way, or that of another."""
    url = site.url
    own = "/spelling/own"
    host = url("").removeprefix("http://")
    same = {
        "scheme": f"HTTP://{host}/spelling/own-scheme",
        "dots": f"http://{host}/x/../spelling/./own-dots",
        "spaces": f" \n{url('/spelling/own-spaces')}\t",
    }
    for name, address in same.items():
        site.page(f"{own}-{name}", canonical=canonical(address))
    twice = canonical(url("/spelling/twice")) + canonical(f"HTTP://{host}/spelling/twice")
    site.page("/spelling/twice", "Canonicals: Multiple", canonical=twice)
    fragments = canonical(url("/spelling/fragments")) + canonical(url("/spelling/fragments#a"))
    multiple = ("Canonicals: Multiple", "Canonicals: Contains Fragment URL")
    site.page("/spelling/fragments", *multiple, canonical=fragments)
    site.page("/spelling/slash/")
    site.canonicalised("/spelling/slash", "/spelling/slash/")
    site.page("/spelling/query")
    site.canonicalised("/spelling/query?a=1", "/spelling/query")
    site.page("/spelling/case")
    site.canonicalised("/spelling/Case", "/spelling/case")


def plant_odd_directives(site: PlantedSite) -> None:
    """Headers with dates, names and lists."""
    until = "Directives: Unavailable_After"
    date = "unavailable_after: Tue, 31 Dec 2199 23:59:59 GMT"
    site.page("/robots/header-date", until, more_headers=[("X-Robots-Tag", date)])
    both = ("Directives: NoArchive", "Directives: NoTranslate")
    for name, value in {
        "list": "noarchive, notranslate",
        "ours": "gossamer: noarchive, notranslate",
        "capitals": "NOARCHIVE ,  NoTranslate",
    }.items():
        site.page(f"/robots/header-{name}", *both, more_headers=[("X-Robots-Tag", value)])
    site.page("/robots/header-space", "Directives: Max-Snippet", head=robots("max-snippet: 20"))
    preview = "Directives: Max-Image-Preview"
    site.page("/robots/value-none", preview, head=robots("max-image-preview: none"))
    value = "max-image-preview : none"
    site.page("/robots/header-value-none", preview, more_headers=[("X-Robots-Tag", value)])
    site.page("/robots/header-empty", more_headers=[("X-Robots-Tag", "")])
    value = "otherbot: noindex, nofollow"
    site.page("/robots/header-other", more_headers=[("X-Robots-Tag", value)])
    two = robots("index") + robots("noarchive", "gossamer")
    site.page("/robots/all-and-ours", "Directives: Index", "Directives: NoArchive", head=two)


def plant_redirected_depth(site: PlantedSite) -> None:
    """Redirects on the way cost no depth: the last page is four clicks away."""
    to = '<p><a href="{}">Herbs of the garden</a></p>'
    site.page("/bend/1", body=to.format("/bend/to-2"))
    site.redirect("/bend/to-2", "/bend/2", linked=False)
    site.page("/bend/2", body=to.format("/bend/to-3"), linked=False)
    site.redirect("/bend/to-3", "/bend/3", linked=False)
    site.page("/bend/3", body=to.format("/bend/to-4"), linked=False)
    site.redirect("/bend/to-4", "/bend/4", linked=False)
    site.page("/bend/4", linked=False)


def plant_soft_errors(site: PlantedSite) -> None:
    """Pages that say that they are none, and pages that only speak of it."""
    soft = ("Content: Soft 404 Pages", "Content: Low Content Pages")
    unverified = ("Response Codes: Internal Unverified",)
    names = {
        "404-title": ("404 Not Found - the garden of ours", "404 Not Found"),
        "error": ("Error 404: the page is not in our garden", "Error 404"),
        "german": ("Seite nicht gefunden - unser alter Garten", "Seite nicht gefunden"),
    }
    for name, (says, heading) in names.items():
        text = "<p>There is nothing to see at this address, sorry.</p>"
        site.page(
            f"/soft/{name}", *soft, title=title(says), h1=f"<h1>{heading}</h1>", text=text,
            unclear=unverified,
        )  # fmt: skip
    site.page(
        "/soft/long",
        soft[0],
        title=title("Page not found - the garden of all of us"),
        h1="<h1>Oops! That page can't be found.</h1>",
        unclear=unverified,
    )
    site.page("/soft/room", title=title("Room 404 of the old garden hotel"))
    site.page("/soft/poems", h1="<h1>Lost and not found: poems of roses</h1>")
    site.page("/soft/about", h1="<h1>How to make a good error page</h1>")


def plant_odd_data(site: PlantedSite) -> None:
    """JSON-LD in other shapes, and what is none."""
    context = '"@context": "https://schema.org"'
    thing = f'{{{context}, "@type": "Thing", "name": "A"}}'
    shapes = {
        "list": f"[{thing}, {thing}]",
        "graph": f'{{{context}, "@graph": [{{"@type": "Thing", "name": "A"}}]}}',
        "types": f'{{{context}, "@type": ["Thing", "Person"], "name": "A"}}',
        "escapes": f'{{{context}, "@type": "Thing", "name": "\\u00fc<\\/b>"}}',
    }
    for name, text in shapes.items():
        site.page(f"/shapes/{name}", data=f'<script type="application/ld+json">{text}</script>')
    capitals = f'<SCRIPT TYPE="Application/LD+JSON">{thing}</SCRIPT>'
    site.page("/shapes/capitals", data=capitals)
    site.page("/shapes/in-body", data="", body=_script(shapes["list"]))
    broken = "Structured Data: Parse Errors"
    for name, text in {
        "comma": thing.replace('"A"}', '"A",}'),
        "quotes": thing.replace('"', "'"),
        "words": "None of it is JSON",
    }.items():
        site.page(f"/shapes/{name}", broken, data=_script(text))
    missing = "Structured Data: Missing"
    lone = '<p itemprop="name">A property of nothing</p>'
    site.page("/shapes/property-only", missing, data="", body=lone, lacks=JSON_LD)
    commented = f"<!-- {_script(thing)} -->"
    site.page("/shapes/commented", missing, data=commented, lacks=JSON_LD)


def _script(text: str) -> str:
    return f'<script type="application/ld+json">{text}</script>'
