"""A site on which hardly anything is as it should be, and what a crawl must make of each thing.

Each `Case` is one path, linked from "/": what the server does there, and what the row of that
URL has to say afterwards.
"""

import gzip
import zlib
from collections.abc import Iterable, Iterator

from gossamer.model.outcome import Outcome, Verdict
from tests.sites.hostile_case import PAGE, Case, Serve, answered, coded, html, redirecting, sent
from tests.sites.hostile_documents import documents
from tests.sites.hostile_framing import framing
from tests.sites.hostile_transport import lengths, messages, statuses, waits
from tests.sites.responses import HTML, Response
from tests.sites.site import Site


def cases() -> list[Case]:
    """All of them, the paths distinct."""
    return [
        *messages(),
        *statuses(),
        *waits(),
        *lengths(),
        *_codings(),
        *_redirects(),
        *_refreshes(),
        *_types(),
        *_charsets(),
        *_markup(),
        *framing(),
        *documents(),
    ]


# ---------------------------------------------------------------- codings


def _codings() -> Iterator[Case]:
    """Compressed bodies: bombs, damage, and what only looks like it."""
    whole, broken = (Outcome.PAGE,), (Outcome.BROKEN_ENCODING,)
    for encoding in ("gzip", "deflate", "br", "zstd"):
        yield Case(
            f"/coding/bomb-{encoding}",
            _bomb(encoding),
            (Outcome.PAGE, Outcome.TIMEOUT),
            200,
            truncated=True,
        )
    squeezed = gzip.compress(PAGE)
    zeros = gzip.compress(gzip.compress(bytes(100_000_000), 1))
    yield Case("/coding/bomb-nested", coded("gzip, gzip", zeros), whole, 200, truncated=True)
    yield Case("/coding/gzip", coded("gzip", squeezed), whole, 200, truncated=False, title="page")
    yield Case("/coding/x-gzip", coded("x-gzip", squeezed), whole, 200, title="page")
    yield Case(
        "/coding/gzip-twice", coded("gzip, gzip", gzip.compress(squeezed)), whole, 200, title="page"
    )
    yield Case(
        "/coding/two-members",
        coded("gzip", squeezed + gzip.compress(b"<p>more")),
        whole,
        200,
        title="page",
    )
    yield Case("/coding/5000-members", coded("gzip", gzip.compress(b"") * 5_000), broken, 200)
    yield Case("/coding/five-times", coded(", ".join(["gzip"] * 5), squeezed), broken, 200)
    yield Case("/coding/gzip-of-nothing", coded("gzip", b""), whole, 200, facts={"size_bytes": 0})
    yield Case("/coding/gzip-that-is-plain", coded("gzip", PAGE), broken + whole, 200)
    yield Case(
        "/coding/gzip-cut",
        coded("gzip", gzip.compress(PAGE * 99)[:-20]),
        (Outcome.PAGE_INCOMPLETE,),
        200,
        Verdict.UNVERIFIED,
        truncated=True,
    )
    damaged = bytearray(gzip.compress(bytes(range(256)) * 99))
    damaged[30:60] = bytes(30)
    yield Case(
        "/coding/gzip-damaged", coded("gzip", bytes(damaged)), broken, 200, Verdict.UNVERIFIED
    )
    raw_deflate = zlib.compressobj(wbits=-15)
    deflated = raw_deflate.compress(PAGE) + raw_deflate.flush()
    yield Case("/coding/deflate-raw", coded("deflate", deflated), whole, 200, title="page")
    yield Case("/coding/unknown", coded("sdch", PAGE), whole, 200, title="page")
    yield Case("/coding/br-that-is-none", coded("br", PAGE), broken, 200)
    yield Case("/coding/zstd-that-is-none", coded("zstd", PAGE), broken, 200)


def _bomb(encoding: str) -> Serve:
    return lambda site, path: site.bomb(path, encoding=encoding, size=200 << 20)  # type: ignore[arg-type]  # one of four


# ---------------------------------------------------------------- redirects


def _redirects() -> Iterator[Case]:
    """Redirects to nowhere, in circles, without end."""
    on, bad, out = (
        (Outcome.REDIRECT,),
        (Outcome.REDIRECT_BAD_LOCATION,),
        (Outcome.REDIRECT_OUT_OF_SCOPE,),
    )
    redirect, broken = Verdict.REDIRECT, Verdict.BROKEN
    for status in (300, 301, 302, 303, 307, 308):
        yield Case(f"/redirect/{status}", redirecting("/fine", status), on, status, redirect)
    yield from _loops()
    for name, location in {
        "fragment": "/fine#part",
        "query": "?q",
        "spaces": " /fine and more ",
        "backslashes": "\\fine",
        "utf-8": "/f\u00fcr".encode().decode("latin-1"),
        "latin-1": "/f\xfcr",
        "dots": "/../../../fine",
        "tab": "/fi\tne",
    }.items():
        yield Case(f"/redirect/{name}", redirecting(location), on, 302, redirect)
    for name, location in {
        "ftp": "ftp://example.invalid/",
        "file": "file:///etc/passwd",
        "data": "data:text/html,<p>hello",
        "javascript": "javascript:alert(1)",
        "mailto": "mailto:someone@example.invalid",
        "about": "about:blank",
        "bad-port": "http://127.0.0.1:99999/",
        "bad-host": "http://exa mple/",
        "no-host": "http://",
        "zone": "http://[fe80::1%25eth0]/",
    }.items():
        yield Case(f"/redirect/{name}", redirecting(location), bad, 302, broken)
    for name, location in {
        "other-host": "http://other.invalid/",
        "protocol-relative": "//other.invalid/x",
        "private": "http://10.0.0.1/admin",
        "metadata": "http://169.254.169.254/latest/meta-data/",
        "mapped": "http://[::ffff:10.0.0.1]/",
        "decimal": "http://167772161/",
        "64-KB": "/" + "x" * 60_000,
    }.items():
        yield Case(f"/redirect/{name}", redirecting(location), out, 302, redirect)
    nowhere = (Outcome.REDIRECT_WITHOUT_LOCATION,)
    yield Case("/redirect/nowhere", redirecting(None), nowhere, 302, broken)
    yield Case("/redirect/empty", redirecting(""), nowhere, 302, broken)
    yield Case("/redirect/blank", redirecting("  "), nowhere, 302, broken)
    two = sent(
        "HTTP/1.1 302 Found\r\nLocation: /fine\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n"
    )
    yield Case("/redirect/two-locations", two, on, 302)
    yield Case("/redirect/grows", _growing, on, 302, redirect)
    yield Case("/redirect/with-page", answered(301, PAGE, Location="/fine"), on, 301)


def _loops() -> Iterator[Case]:
    """Redirects in circles, and ways into them."""
    loop, broken = (Outcome.REDIRECT_LOOP,), Verdict.BROKEN
    for name, location in {
        "self": "self",
        "only-fragment": "#part",
        "cycle-a": "cycle-b",
        "cycle-b": "cycle-a",
        "three-a": "three-b",
        "three-b": "three-c",
        "three-c": "three-a",
        "into-three": "into-three-b",
        "into-three-b": "three-b",
    }.items():
        yield Case(f"/redirect/{name}", redirecting(location), loop, 302, broken)
    login = answered(302, Location="/redirect/login-loop", Set_Cookie="session=1; path=/")
    yield Case("/redirect/login-loop", login, loop, 302, broken)


def _growing(site: Site, path: str) -> None:
    """A redirect to a longer address, which redirects to a longer one."""

    def answer(asked: str) -> Response | None:
        if not asked.startswith(path):
            return None
        return Response(302, b"", None, (("Location", f"{asked}/more"),))

    site.generate(answer)


def _refreshes() -> Iterator[Case]:
    """Refreshes in headers and pages."""
    on, page = (Outcome.REDIRECT,), (Outcome.PAGE,)
    for name, value, outcome in (
        ("zero", "0; url=/fine", on),
        ("after-a-second", "1;URL='/fine'", on),
        ("later", "5;URL='/fine'", page),
        ("without-url-is", "0;/fine", on),
        ("self", "30", page),
        ("self-named", "0; url=?", on),
        ("javascript", "0; url=javascript:alert(1)", page),
        ("nonsense", "soon; url=/fine", page),
        ("huge", "9" * 300 + "; url=/fine", page),
    ):
        yield Case(f"/refresh/header-{name}", answered(200, PAGE, Refresh=value), outcome, 200)
        meta = f'<meta http-equiv=refresh content="{value}"><title>r</title>'.encode()
        yield Case(f"/refresh/meta-{name}", html(meta), outcome, 200, title="r")


# ---------------------------------------------------------------- content


def _types() -> Iterator[Case]:
    """Content types that are missing, wrong or nonsense."""
    page, file = (Outcome.PAGE,), (Outcome.FILE,)
    pdf = b"%PDF-1.7\n\xff\xff\n"
    image = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    for name, content_type, body, outcome in (
        ("none-but-html", None, PAGE, page),
        ("none-but-pdf", None, pdf, file),
        ("none-and-empty", None, b"", file),
        ("nonsense", "rubbish", PAGE, page),
        ("empty", "", PAGE, page),
        ("two", "text/plain, text/html", PAGE, page),
        ("upper-case", "TEXT/HTML; CHARSET=UTF-8", PAGE, page),
        ("xhtml", "application/xhtml+xml", PAGE, page),
        ("svg", "image/svg+xml", b"<svg xmlns='http://www.w3.org/2000/svg'/>", file),
        ("text-that-is-html", "text/plain", PAGE, file),
        ("text-that-is-binary", "text/plain", image, file),
        ("html-that-is-png", HTML, image, page),
        ("html-that-is-pdf", HTML, pdf, page),
        ("html-that-is-json", HTML, b"[" * 100_000, page),
        ("html-that-is-svg", HTML, b"<svg><title>drawn</title><a href='/fine'/></svg>", page),
        ("html-that-is-xml", HTML, b"<?xml version='1.0'?><rss><channel/></rss>", page),
        ("json", "application/json", b"{}", file),
        ("multipart", "multipart/x-mixed-replace; boundary=x", b"--x\r\n", file),
        ("bad-charset", "text/html; charset=\xff\xfe'\"", PAGE, page),
        ("charset-of-no-text", "text/html; charset=zlib_codec", PAGE, page),
    ):
        yield Case(f"/type/{name}", html(body, content_type), outcome, 200, Verdict.OK)


def _charsets() -> Iterator[Case]:
    """Titles in all encodings, told and untold."""
    page = (Outcome.PAGE,)
    told = "<title>für</title><p>naïve</p>"
    plain = "text/html"
    for name, content_type, body in (
        ("utf-8", HTML, told.encode()),
        ("bom-against-header", "text/html; charset=iso-8859-1", b"\xef\xbb\xbf" + told.encode()),
        ("header-against-meta", HTML, b"<meta charset=iso-8859-1>" + told.encode()),
        ("meta", plain, b"<meta charset=windows-1252>" + told.encode("cp1252")),
        ("utf-16-le", plain, b"\xff\xfe" + told.encode("utf-16-le")),
        ("utf-16-be", plain, b"\xfe\xff" + told.encode("utf-16-be")),
        ("utf-16-in-header", "text/html; charset=utf-16", told.encode("utf-16-le")),
    ):
        yield Case(f"/charset/{name}", html(body, content_type), page, 200, title="für")
    for name, body in {
        "invalid": b"<title>\xff\xfe\xc0\xaf\xed\xa0\x80</title>",
        "nul": b"<title>a\0b</title>\0\0\0<p>",
        "utf-32": "<title>x</title>".encode("utf-32"),
        "utf-7": b"<meta charset=utf-7><title>+ADw-script+AD4-</title>",
        "surrogates": b"<title>&#xD800;&#xDFFF;</title>",
        "escapes": "<title>\x1b[31mred\u202e\u2066</title>".encode(),
        "formula": b'<title>=HYPERLINK("http://x")</title>',
    }.items():
        yield Case(f"/charset/{name}", html(body), page, 200, Verdict.OK)


def _markup() -> Iterator[Case]:
    """Markup that is too much of something."""
    page = (Outcome.PAGE,)
    for name, body in {
        "empty": b"",
        "one-byte": b"<",
        "title-of-1-MB": b"<title>" + b"x" * 1_000_000,
        "60000-divs": b"<div>" * 60_000,
        "60000-divs-closed": b"<div>" * 60_000 + b"</div>" * 60_000,
        "60000-fonts": b"<font><b><p>" * 20_000,
        "5000-attributes": b"<p " + b"".join(b"a%d=1 " % n for n in range(5_000)) + b">",
        "50000-comments": b"<!--" * 50_000,
        "100000-forms": b"<form><table><select>" * 30_000,
        "text-of-20-MB": b"<title>big</title>" + b"word " * 4_000_000,
        "link-of-10-MB": b'<a href="data:,' + b"x" * 10_000_000 + b'">x</a>',
        "million-links": b"<a href=/fine?>x</a>" * 1_000_000,
        "million-entities": b"&amp;&lt;&#1234567890;" * 100_000,
        "many-bases": b'<base href="http://[">' + b'<base href="//other.invalid/">' * 1_000,
        "doctype-of-1-MB": b"<!doctype " + b"x" * 1_000_000,
    }.items():
        yield Case(f"/markup/{name}", html(body), page, 200, Verdict.OK)
    unclosed = b"<script>" + b"if (a < b) </scr " * 10_000
    scripts = (Outcome.PAGE_NEEDS_SCRIPTS,)
    yield Case("/markup/unclosed-script", html(unclosed), scripts, 200, Verdict.UNVERIFIED)
    shell = b"<title>Shop</title><div id=root></div><script src=/main.js></script>"
    yield Case("/markup/empty-root", html(shell), scripts, 200, Verdict.UNVERIFIED)
    gone = b"<title>Page not found | Shop</title><p>Sorry."
    soft = (Outcome.PAGE_SOFT_ERROR,)
    yield Case("/markup/soft-404", html(gone), soft, 200, Verdict.UNVERIFIED)


# ---------------------------------------------------------------- the site


def put_up(site: Site, known: Iterable[Case]) -> None:
    """Have `site` behave, and link all of it from "/"."""
    paths = []
    for case in known:
        case.serve(site, case.path)
        paths.append(case.path)
    site.page("/", links=paths)
    for path in (
        "/fine",
        "/fine?a",
        "/fine?b",
        "/fine?c",
        "/fine?d",
        "/fine?e",
        "/f%C3%BCr",
        "/f%FCr",
        "/fine%20and%20more",
    ):
        site.page(path, title="fine")
