"""What a hostile site writes into redirects and documents, and where a crawl must be led by it."""

from collections.abc import Iterator

from gossamer.model.outcome import Outcome, Verdict
from tests.sites.hostile_case import PAGE, Case, Serve, answered, html, redirecting, sent
from tests.sites.site import Site

_WHOLE = (Outcome.PAGE,)
_DEAD = Outcome.CLIENT_ERROR
"""What is linked here is not there: that it was asked is what matters."""


def documents() -> Iterator[Case]:
    """All of them."""
    yield from _locations()
    yield from _redirecting_pages()
    yield from _legacy_charsets()
    yield from _directives()
    yield from _places_of_links()


def _locations() -> Iterator[Case]:
    """Location headers as nobody should write them, and where they lead."""
    on = (Outcome.REDIRECT,)
    for name, location, target in (
        ("http-colon", "http:/fine?a", "/fine?a"),
        ("scheme-alone", "http:next-1", "/where/next-1"),
        ("dot", ".", "/where/"),
        ("dots", "..", "/"),
        ("dot-encoded", "%2e%2E/fine?b", "/fine?b"),
        ("quoted", '"/x"', "/where/%22/x%22"),
        ("in-brackets", "</x>", "/where/%3C/x%3E"),
        ("bad-percent", "/%zz%", "/%zz%"),
        ("semicolon", ";", "/where/;"),
        ("query-empty", "?", "/where/query-empty?"),
        ("template", "/{{ next }}", "/%7B%7B%20next%20%7D%7D"),
        ("emoji", "/\U0001f980".encode().decode("latin-1"), "/%F0%9F%A6%80"),
        ("formula", "=1+1", "/where/=1+1"),
        ("windows", "C\\temp", "/where/C/temp"),
        ("undefined", "undefined?x", "/where/undefined?x"),
        ("slashes", "/a//b///c", "/a//b///c"),
        ("encoded-slash", "/a%2f..%2fb", "/a%2f..%2fb"),
        ("encoded-nul", "/a%00b", "/a%00b"),
        ("long-escapes", "/" + "%41" * 1_000, "/" + "%41" * 1_000),
    ):
        yield Case(
            f"/where/{name}",
            redirecting(location),
            on,
            302,
            Verdict.REDIRECT,
            finds={target: Outcome.PAGE if target in ("/", "/fine?a", "/fine?b") else _DEAD},
        )
    yield Case("/where/own-host", _absolute("HTTP://{host}/fine"), on, 302)
    yield Case("/where/relative-host", _absolute("//{host}/fine"), on, 302)
    yield Case("/where/back-slashes", _absolute("\\\\{host}\\fine"), on, 302)
    yield Case("/where/with-password", _absolute("http://me:secret@{host}/fine?c"), on, 302)
    for name, location in {
        "three-slashes": "///fine.invalid/",
        "scheme-none": "://x.invalid/",
        "https-colon": "https:fine.invalid",
    }.items():
        outcome = Outcome.REDIRECT if name == "scheme-none" else Outcome.REDIRECT_OUT_OF_SCOPE
        yield Case(f"/where/{name}", redirecting(location), (outcome,), 302)
    folded = sent("HTTP/1.1 302 Found\r\nLocation:\r\n /fine?d\r\nContent-Length: 0\r\n\r\n")
    yield Case("/where/folded", folded, on, 302, finds={"/fine?d": Outcome.PAGE})


def _absolute(location: str) -> Serve:
    def serve(site: Site, path: str) -> None:
        site.redirect(path, location.format(host=f"127.0.0.1:{site.port}"))

    return serve


def _redirecting_pages() -> Iterator[Case]:
    """Redirects that say two things at once, and answers that only look like redirects."""
    on = (Outcome.REDIRECT,)
    meta = b"<title>moved</title><meta http-equiv=refresh content='0;url=/other'>"
    both = answered(301, meta, Location="/fine?e", Refresh="0; url=/another")
    finds = {"/fine?e": Outcome.PAGE, "/other": None, "/another": None}
    yield Case("/both/location-and-refresh", both, on, 301, Verdict.REDIRECT, finds=finds)
    yield Case("/both/201", answered(201, PAGE, Location="/new"), _WHOLE, 201, Verdict.OK)
    yield Case("/both/404", answered(404, PAGE, Location="/new"), (_DEAD,), 404, Verdict.BROKEN)
    not_found = answered(404, meta)
    yield Case("/both/404-refresh", not_found, (_DEAD,), 404, finds={"/other": None})
    nowhere = (Outcome.REDIRECT_WITHOUT_LOCATION,)
    by_uri = answered(302, PAGE, URI="/fine", Content_Location="/fine")
    yield Case("/both/uri", by_uri, nowhere, 302, Verdict.BROKEN)
    yield Case("/both/300-choices", answered(300, PAGE), nowhere, 300, Verdict.BROKEN)
    to_fragments = answered(302, Location="/both/fragments#b")
    loop = (Outcome.REDIRECT_LOOP,)
    yield Case("/both/fragments", to_fragments, loop, 302, Verdict.BROKEN)


def _legacy_charsets() -> Iterator[Case]:
    """Encodings of before UTF-8, told by label, told wrongly, not to be read."""
    for label, title in (
        ("gb2312", "简体"),
        ("gbk", "繁體"),
        ("gb18030", "𠀀"),
        ("big5", "中文"),
        ("shift_jis", "日本語"),
        ("euc-jp", "日本語"),
        ("iso-2022-jp", "日本語"),
        ("euc-kr", "한국어"),
        ("windows-1251", "Привет"),
        ("koi8-r", "Привет"),
        ("ibm866", "Привет"),
        ("iso-8859-8", "שלום"),
        ("windows-1256", "سلام"),
        ("windows-874", "ไทย"),
    ):
        codec = {"windows-874": "cp874", "gb2312": "gbk"}.get(label, label)
        text = f"<meta charset={label}><title>{title}</title>"
        yield Case(
            f"/legacy/{label}", html(text.encode(codec), "text/html"), _WHOLE, 200, title=title
        )
    for name, label, seen in (
        ("latin1-is-1252", "latin1", "caf\xe9"),
        ("us-ascii-is-1252", "us-ascii", "caf\xe9"),
        ("utf8-that-is-1252", "utf8", "caf\ufffd"),
        ("hz", "hz-gb-2312", None),
    ):
        told = html(b"<title>caf\xe9</title>", f"text/html; charset={label}")
        yield Case(f"/legacy/{name}", told, _WHOLE, 200, title=seen)


def _directives() -> Iterator[Case]:
    """What robots headers and elements say, and to whom."""
    for name, value, outcome in (
        ("nofollow", "nofollow", Outcome.NOFOLLOW),
        ("none-upper", "NONE", Outcome.NOFOLLOW),
        ("for-others", "otherbot: nofollow", _DEAD),
        ("for-us", "otherbot: none, gossamer: nofollow", Outcome.NOFOLLOW),
        (
            "date-first",
            "unavailable_after: Wed, 25 Jun 2031 15:00:00 GMT, nofollow",
            Outcome.NOFOLLOW,
        ),
        ("date-of-others", "unavailable_after: 25 Jun 2010 15:00:00 PST", _DEAD),
        ("nonsense", "follow, nofollowing, =nofollow", _DEAD),
    ):
        page = f"<title>r</title><a href=/told/{name}>x</a>".encode()
        serve = answered(200, page, X_Robots_Tag=value)
        yield Case(f"/robots/{name}", serve, _WHOLE, 200, finds={f"/told/{name}": outcome})
    for name, meta, outcome in (
        ("meta", "<meta name=robots content='x, NoFollow'>", Outcome.NOFOLLOW),
        (
            "meta-twice",
            "<meta name=robots content=all><meta name=robots content=none>",
            Outcome.NOFOLLOW,
        ),
        ("meta-for-us", "<meta name=Gossamer content=nofollow>", Outcome.NOFOLLOW),
        ("meta-for-others", "<meta name=otherbot content=nofollow>", _DEAD),
        ("meta-in-template", "<template><meta name=robots content=none></template>", _DEAD),
    ):
        page = f"{meta}<a href=/told/{name}>x</a>".encode()
        yield Case(f"/robots/{name}", html(page), _WHOLE, 200, finds={f"/told/{name}": outcome})


def _places_of_links() -> Iterator[Case]:
    """Where links stand in markup that goes wrong, each on a page of its own."""
    for name, markup, finds in (
        (
            "base-twice",
            "<base href=/b1/><base href=/b2/><a href=x>",
            {"/b1/x": _DEAD, "/b2/x": None},
        ),
        ("base-behind", "<a href=x2></a><base href=/b3/>", {"/b3/x2": _DEAD, "/at/x2": None}),
        ("base-relative", "<base href=../b4/><a href=x>", {"/b4/x": _DEAD}),
        ("base-data", "<base href='data:,x'><a href=x3>", {"/at/x3": _DEAD}),
        ("base-template", "<template><base href=/b5/></template><a href=x4>", {"/at/x4": _DEAD}),
        ("template", "<template><a href=/t1></template><a href=/t2>", {"/t1": None, "/t2": _DEAD}),
        ("noscript", "<noscript><a href=/n1></noscript>", {"/n1": _DEAD}),
        ("textarea", "<textarea><a href=/n2></textarea>", {"/n2": None}),
        ("title-unclosed", "<title>x<a href=/n3>", {"/n3": None}),
        ("comment-odd", "<!--><a href=/n4><!-- --!><a href=/n5>", {"/n4": _DEAD, "/n5": _DEAD}),
        ("plaintext", "<a href=/n6></a><plaintext><a href=/n7>", {"/n6": _DEAD, "/n7": None}),
        ("attribute-twice", "<a href=/n8 href=/n9>", {"/n8": _DEAD, "/n9": None}),
        (
            "entity",
            "<a href='/n10?a=1&copy=2&amp;b&notit;c'>",
            {"/n10?a=1&copy=2&b%C2%ACit;c": None},
        ),
        ("line-ends", "<a href=' /n1\n\t1 '>", {"/n11": _DEAD}),
        ("slash", "<a/href=/n12/ /><a href=/n13/>", {"/n12/": _DEAD, "/n13/": _DEAD}),
        ("quote-open", "<a href='/n14'><a href=\"/n15>y</a>", {"/n14": _DEAD}),
        (
            "upper",
            "<A HREF=/N16 REL=NOFOLLOW><A HREF=/N17>",
            {"/N16": Outcome.NOFOLLOW, "/N17": _DEAD},
        ),
        (
            "svg",
            "<svg><a xlink:href=/n18></a><a href=/n19></a></svg>",
            {"/n18": _DEAD, "/n19": _DEAD},
        ),
        (
            "frameset",
            "<frameset><frame src=/n20><noframes><a href=/n21>",
            {"/n20": _DEAD, "/n21": None},
        ),
        ("table", "<table><a href=/n22><tr><td><a href=/n23>", {"/n22": _DEAD, "/n23": _DEAD}),
        ("select", "<select><option><a href=/n24>x</a></select>", {}),
        ("nul-in-href", "<a href='/n25\0x'>", {"/n25%EF%BF%BDx": _DEAD}),
        (
            "data-of-1-MB",
            f"<img src='data:image/png;base64,{'A' * 1_000_000}'><a href=/n26>",
            {"/n26": _DEAD},
        ),
        (
            "srcset",
            "<img srcset='data:,a,b 1x, /n27 2x,/n28,, /n29 -1x'>",
            {"/n27": _DEAD, "/n28": _DEAD, "/n29": None},
        ),
        ("ids", "<i id=a><i id=a>" * 5_000 + "<a href=/n30#a>", {"/n30": _DEAD}),
    ):
        page = f"<!doctype html>{markup}".encode()
        yield Case(f"/at/{name}", html(page), _WHOLE, 200, Verdict.OK, False, finds=dict(finds))
