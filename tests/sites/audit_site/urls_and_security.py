"""URLs as they are written, forms, resources, headers and cookies."""

from typing import Final

from tests.sites.audit_site.planted_site import (
    HEADERS,
    JSON_LD,
    PlantedSite,
    canonical,
    robots,
)

_PARAMETERS: Final = "URL: Parameters"


def plant_urls(site: PlantedSite) -> None:
    """Each fault of a URL, in the path and in the query."""
    plain = (
        "/url/plain", "/url/hex%3Bupper", "/url/a+b", "/url/research/x", "/url/search",
        "/url/searching/x", "/url/url2/url3", "/url/a-b.c~d", "/url/utm-source/x",
    )  # fmt: skip
    for path in plain:
        site.page(path)
    ascii_only = "URL: Non ASCII Characters"
    site.page("/url/caf%C3%A9", ascii_only)
    site.page("/url/%e8%8a%b1", ascii_only)
    site.page("/url/query-ascii?x=%C3%A9", ascii_only, _PARAMETERS)
    site.page("/url/under_score", "URL: Underscores")
    site.page("/under_folder/x", "URL: Underscores")
    site.page("/url/query-under?a_b=c_d", _PARAMETERS)
    site.page("/url/Upper", "URL: Uppercase")
    site.page("/url/query-upper?A=B", _PARAMETERS)
    slashes = "URL: Multiple Slashes"
    site.page("/url//double", slashes)
    site.page("/url/trailing//", slashes)
    site.page("/url/query-slashes?u=a//b", _PARAMETERS)
    repeated = "URL: Repetitive Path"
    site.page("/url/a/b/a", repeated)
    site.page("/url/c/c", repeated)
    site.page("/url/query-repeated/x?p=/y/y/", _PARAMETERS)
    space = "URL: Contains A Space"
    site.page("/url/a%20b", space)
    site.page("/url/query-space?x=a%20b", space, _PARAMETERS)
    site.page("/url/query-plus?x=a+b", _PARAMETERS)
    room = 115 - len(site.url(""))
    site.page(("/url/length-115-" + "a" * room)[:room])
    site.page(("/url/length-116-" + "a" * room)[: room + 1], "URL: Over 115 Characters")
    site.noindex("/url/Noindex_page//x?q=%20")
    site.canonicalised("/url/Canonicalised_page?q=1", "/url/plain")


def plant_parameters(site: PlantedSite) -> None:
    """Parameters of searches and of analytics."""
    search = "URL: Internal Search"
    for name in ("q", "s", "query", "search"):
        site.page(f"/url/by-{name}?{name}=rose", search, _PARAMETERS)
        site.page(f"/url/also-{name}?page=2&{name}=", search, _PARAMETERS)
    site.page("/url/other-names?qs=1&sq=2&searching=3", _PARAMETERS)
    site.page("/search/", search)
    site.page("/url/search/rose", search)
    analytics = "URL: GA Tracking Parameters"
    site.page("/url/utm?utm_source=news&utm_medium=mail", analytics, _PARAMETERS)
    site.page("/url/utm-campaign?x=1&utm_campaign=spring", analytics, _PARAMETERS)
    site.page("/url/not-utm?my_utm_source=1&utm=2", _PARAMETERS)


def plant_bookmarks(site: PlantedSite) -> None:
    """Links to ids that are there, and that are not."""
    broken = "URL: Broken Bookmark"
    ids = '<p id="there">A</p><a name="named" href="/">Back from the middle</a><h3 id="café">C</h3>'
    site.page("/bookmarks/target", body=ids)
    good = ("there", "named", "caf%C3%A9", "", "top", "TOP", ":~:text=barn", "there:~:text=barn")
    for number, fragment in enumerate(good):
        body = f'<p><a href="/bookmarks/target#{fragment}">Bookmark number {number}</a></p>'
        site.page(f"/bookmarks/good-{number}", body=body)
    for number, fragment in enumerate(("gone", "There", "barn")):
        body = f'<p><a href="/bookmarks/target#{fragment}">Bookmark number {number}</a></p>'
        site.page(f"/bookmarks/broken-{number}", broken, body=body)
    here = '<p><a href="#below">Jump to what is below</a></p>'
    site.page("/bookmarks/own", body=here + '<p id="below">It is here</p>')
    site.page("/bookmarks/own-gone", broken, body=here)
    site.page("/bookmarks/of-404", body='<p><a href="/codes/404#x">A page that is gone</a></p>')
    gone = '<p><a href="/bookmarks/target#gone">A bookmark on no page</a></p>'
    site.noindex("/bookmarks/noindex", body=gone)


def plant_headers(site: PlantedSite) -> None:
    """Each header absent, and worth nothing."""
    names = [name for name, _ in HEADERS]
    security, sniffing, frames, referrer = names

    def but(path: str, name: str, *values: str, missing: bool = True) -> None:
        rule = f"Security: Missing {'Secure ' if name == referrer else ''}{name} Header"
        headers = [pair for pair in HEADERS if pair[0] != name]
        headers += [(name, value) for value in values]
        site.page(path, *([rule] if missing else []), headers=headers)

    for name in names:
        but(f"/headers/no-{name.lower()}", name)
    but("/headers/sniff-other", sniffing, "sniff")
    but("/headers/sniff-capitals", sniffing, "NoSniff", missing=False)
    but("/headers/frames-sameorigin", frames, "SAMEORIGIN", missing=False)
    ancestors = [("Content-Security-Policy", "default-src 'self'; frame-ancestors 'none'")]
    site.page("/headers/frame-ancestors", headers=[*HEADERS[1:2], *HEADERS[3:], *ancestors])
    but("/headers/referrer-unsafe", referrer, "unsafe-url")
    but("/headers/referrer-empty", referrer, "")
    for policy in ("no-referrer", "origin", "same-origin", "no-referrer-when-downgrade"):
        but(f"/headers/referrer-{policy}", referrer, policy, missing=False)
    site.page(
        "/headers/noindex-none",
        "Directives: Noindex",
        *(f"Security: Missing {name} Header" for name in (security, sniffing, frames)),
        "Security: Missing Secure Referrer-Policy Header",
        lacks=(*JSON_LD, "Canonicals: Contains Canonical", "Canonicals: Self Referencing"),
        canonical="",
        head=robots("noindex"),
        headers=(),
    )
    bare = "Security: Cookie Without Secure, HttpOnly or SameSite"
    cookies = {
        "bare": ("a=1", True),
        "no-samesite": ("a=1; Secure; HttpOnly", True),
        "no-httponly": ("a=1; Secure; SameSite=Lax", True),
        "no-secure": ("a=1; HttpOnly; SameSite=Lax", True),
        "full": ("a=1; secure; httponly; samesite=Strict; Path=/", False),
    }
    for name, (cookie, fault) in cookies.items():
        more = [("Set-Cookie", cookie)]
        site.page(f"/headers/cookie-{name}", *([bare] if fault else []), more_headers=more)
    two = [("Set-Cookie", "a=1; Secure; HttpOnly; SameSite=Lax"), ("Set-Cookie", "b=2")]
    site.page("/headers/cookie-second", bare, more_headers=two)


def plant_content_types(site: PlantedSite) -> None:
    """Pages, images, scripts and style sheets with types that fit, and with others."""
    bad = "Security: Bad Content Type"
    types = {
        "image.png": ("image/webp", False),
        "drawing.svg": ("image/svg+xml; charset=utf-8", False),
        "image-page.png": ("text/html", True),
        "image-text.png": ("text/plain", True),
        "image-stream.png": ("application/octet-stream", True),
        "script.js": ("application/x-javascript", False),
        "script-usual.js": ("text/javascript;charset=utf-8", False),
        "script-text.js": ("text/plain", True),
        "script-page.js": ("text/html", True),
        "style.css": ("Text/CSS", False),
        "style-text.css": ("text/plain", True),
        "paper.css": ("text/plain", False),
    }
    for name, (content_type, is_bad) in types.items():
        site.file(f"/types/{name}", b"x", content_type, *([bad] if is_bad else []))
    head, images = "", ""
    for name in types:
        if name.endswith(("png", "svg")):
            images += f'<img src="/types/{name}" alt="A rose" width="9" height="9">'
        elif name.endswith("js"):
            head += f'<script src="/types/{name}"></script>'
        elif name.startswith("style"):
            head += f'<link rel="stylesheet" href="/types/{name}">'
    site.page("/types/user", head=head, body=f"{images}<p><a href=/types/paper.css>Paper</a></p>")
    for name, content_type in {"space": "text/html charset=utf-8", "word": "html"}.items():
        site.file(f"/types/{name}.html", b"<!DOCTYPE html><title>x</title>", content_type, bad)
        site.link(f"/types/{name}.html")
    site.file("/types/word.gif", b"GIF89a..", "gif", bad)
    site.link("/types/word.gif")
    site.file("/types/plain.html", b"x", "text/plain")
    site.link("/types/plain.html")


def plant_http_security(site: PlantedSite) -> None:
    """What links and forms a page on HTTP has."""
    form = '<form action="/x"><label>Name <input name="n"></label><button>Send it</button></form>'
    site.unfetched("/x")
    on_http = "Security: Form on HTTP URL"
    site.page("/security/form", on_http, body=form)
    site.page("/security/form-insecure", on_http, body=form.replace("/x", "http://a.example/x"))
    site.noindex("/security/form-noindex", body=form)
    unsafe = "Security: Unsafe Cross-Origin Links"
    abroad = '<p><a target="_blank"{} href="https://other.example/{}">Another garden</a></p>'
    cases = {"bare": "", "rel-other": ' rel="external nofollow"'}
    for name, rel in cases.items():
        site.page(f"/security/blank-{name}", unsafe, body=abroad.format(rel, name))
    for slug, name in (("1", "noopener"), ("2", "noreferrer"), ("3", "NoOpener")):
        rel = f' rel="external {name}"'
        site.page(f"/security/blank-safe-{slug}", body=abroad.format(rel, name))
    same = '<p><a target="_blank" href="/security/form">Our own garden form</a></p>'
    site.page("/security/blank-internal", body=same)
    site.page("/security/same-window", body=abroad.format("", "self").replace("_blank", "_self"))
    insecure = '<img src="http://other.example/b.png" alt="A rose" width="9" height="9">'
    site.page("/security/http-image", body=insecure)
    site.expect("http://other.example/b.png", unclear=None)


def plant_relative_resources(site: PlantedSite) -> None:
    """What a page loads from URLs without a scheme."""
    relative = "Security: Protocol-Relative Resource Links"
    image = '<img src="//other.example/a.png" alt="A rose in the garden" width="9" height="9">'
    site.page("/security/relative-image", relative, body=image)
    site.expect("http://other.example/a.png", unclear=None)
    script = '<script src="//other.example/a.js"></script>'
    site.page("/security/relative-script", relative, head=script)
    site.expect("http://other.example/a.js", unclear=None)
    candidate = 'srcset="/h1/logo.png 1x, //other.example/c.png 2x" src="/h1/logo.png"'
    image = f'<img {candidate} alt="A rose" width="9" height="9">'
    site.page("/security/relative-candidate", relative, body=image)
    site.expect("http://other.example/c.png", unclear=None)
    candidate = 'srcset="data:image/png;base64,//8= 2x" src="/h1/logo.png"'
    image = f'<img {candidate} alt="A rose" width="9" height="9">'
    site.page("/security/data-candidate", body=image)
    for slug, html in {
        "poster": '<video poster="//other.example/d.png"></video>',
        "style": "<p style=\"background: url('//other.example/e.png')\">A rose in the garden</p>",
        "style-block": "<style>p { background: url(//other.example/f.png) }</style>",
        "import": "<style>@import '//other.example/g.css';</style>",
        "button": '<input type="image" alt="Send" src="//other.example/h.png">',
    }.items():
        site.page(f"/security/relative-{slug}", relative, body=html)
    for name in ("d.png", "e.png", "f.png", "g.css", "h.png"):
        site.expect(f"http://other.example/{name}", unclear=None)
    comment = "<style>/* url(//other.example/i.png) */</style>"
    site.page("/security/relative-comment", body=comment)
    anchor = '<p><a href="//other.example/page">Another garden of ours</a></p>'
    site.page("/security/relative-anchor", body=anchor)


def plant_https_security(site: PlantedSite) -> None:
    """What only a page on HTTPS can do wrong."""
    mixed, insecure = "Security: Mixed Content", "Security: Form URL Insecure"
    resources = {
        "image": '<img src="{}" alt="A rose" width="9" height="9">',
        "script": '<script src="{}"></script>',
        "style": '<link rel="stylesheet" href="{}">',
        "frame": '<iframe src="{}" title="A frame"></iframe>',
        "media": '<video src="{}"></video>',
    }
    for name, element in resources.items():
        http, https = f"http://other.example/{name}", f"https://other.example/{name}"
        site.page(f"/mixed/{name}", mixed, body=element.format(http))
        site.page(f"/mixed/{name}-https", body=element.format(https))
        site.expect(http, unclear=None)
        site.expect(https, unclear=None)
    for rel in ("preload", "modulepreload", "manifest"):
        for scheme, names in (("http", [mixed]), ("https", [])):
            link = f'<link rel="{rel}" as="script" href="{scheme}://other.example/{rel}">'
            site.page(f"/mixed/{rel}-{scheme}", *names, head=link)
    anchor = '<p><a href="http://other.example/anchor">Another garden of ours</a></p>'
    site.page("/mixed/anchor", body=anchor)
    site.noindex("/mixed/noindex", body=resources["image"].format("http://other.example/image"))
    fields = '<label>Name <input name="n"></label><button>Send it</button>'
    actions = {"http": "http://other.example/f", "https": "https://other.example/f", "own": "/f"}
    for name, action in actions.items():
        form = f'<form method="post" action="{action}">{fields}</form>'
        site.page(f"/forms/{name}", *([insecure] if name == "http" else []), body=form)
    site.page("/forms/none", body=f"<form>{fields}</form>")
    hsts = "Security: Missing HSTS Header"
    site.page("/hsts/none", hsts, headers=HEADERS)
    strict = ("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
    site.page("/hsts/there", headers=(*HEADERS, strict))
    site.page("/hsts/own-canonical", canonical=canonical(site.url("/hsts/own-canonical")))
