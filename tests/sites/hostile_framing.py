"""What a hostile site does with the syntax of HTTP/1.1, where servers of the real web err too.

What browsers put up with must come out as a page; what they refuse, as no usable answer.
"""

import gzip
import zlib
from collections.abc import Iterator

import brotli

from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.response_warnings import ResponseWarning, in_order
from tests.sites.hostile_case import (
    OK,
    PAGE,
    Case,
    Serve,
    answered,
    coded,
    page_after,
    reset_after,
    sent,
)
from tests.zstandard import zstd

_N = len(PAGE)
_LENGTH = f"Content-Length: {_N}"
_WHOLE = (Outcome.PAGE,)
_INCOMPLETE = (Outcome.PAGE_INCOMPLETE,)
_MALFORMED = (Outcome.MALFORMED_RESPONSE,)


def framing() -> Iterator[Case]:
    """All of them."""
    yield from _status_lines()
    yield from _header_lines()
    yield from _lengths()
    yield from _chunks()
    yield from _connections()
    yield from _codings()


def _page(path: str, serve: Serve, **facts: object) -> Case:
    """A case that is a page like any other."""
    return Case(path, serve, _WHOLE, 200, Verdict.OK, False, "page", dict(facts))


def _odd(path: str, serve: Serve, *warnings: ResponseWarning) -> Case:
    """A case that is a page for browsers, and a warning."""
    return _page(path, serve, warnings=in_order(warnings))


def _incomplete(path: str, serve: Serve) -> Case:
    """A case that breaks off each time, and is kept as far as it came."""
    return Case(path, serve, _INCOMPLETE, 200, Verdict.UNVERIFIED, True, "page")


def _malformed(path: str, serve: Serve) -> Case:
    """A case that is no answer."""
    return Case(path, serve, _MALFORMED, None, Verdict.UNVERIFIED)


def _after_status(line: str) -> Serve:
    head = f"{line}\r\nContent-Type: text/html\r\n{_LENGTH}\r\n\r\n"
    return sent(head.encode("latin-1") + PAGE)


def _status_lines() -> Iterator[Case]:
    """Status lines that are not quite what the standard has."""
    for name, line in {
        "two-spaces": "HTTP/1.1  200 OK",
        "version-1.2": "HTTP/1.2 200 OK",
        "version-2": "HTTP/2 200 OK",
        "version-3.0": "HTTP/3.0 200 OK",
        "version-lower": "http/1.1 200 OK",
        "no-version": "HTTP 200 OK",
        "bom": "\xef\xbb\xbfHTTP/1.1 200 OK",
    }.items():
        yield _odd(f"/line/{name}", _after_status(line), ResponseWarning.STATUS_LINE)
    glued = _after_status("HTTP/1.1200 OK")
    yield _odd("/line/glued", glued, ResponseWarning.STATUS_LINE, ResponseWarning.NO_STATUS)
    yield _odd("/line/word", _after_status("HTTP/1.1 OK 200"), ResponseWarning.NO_STATUS)
    for name, line in {
        "099": "HTTP/1.1 099 Odd",
        "000": "HTTP/1.1 000 Odd",
        "two-digits": "HTTP/1.1 20 Odd",
        "1000": "HTTP/1.1 1000 Odd",
        "hexadecimal": "HTTP/1.1 0xc8 OK",
        "icy": "ICY 200 OK",
        "far": "xxxxxHTTP/1.1 200 OK",
    }.items():
        yield _malformed(f"/line/{name}", _after_status(line))
    for name, line in {
        "no-reason": "HTTP/1.1 200",
        "space-without-reason": "HTTP/1.1 200 ",
        "reason-with-escapes": "HTTP/1.1 200 \x1b[31mred\x9b",
        "reason-utf-8": "HTTP/1.1 200 für",
        "reason-of-10-KB": "HTTP/1.1 200 " + "x" * 10_000,
        "nul-in-reason": "HTTP/1.1 200 O\0K",
        "crlf-before": "\r\nHTTP/1.1 200 OK",
    }.items():
        yield _page(f"/line/{name}", _after_status(line))


def _header_lines() -> Iterator[Case]:
    """Header fields as no standard has them."""
    for name, head in {
        "folded": f"X-Fold: a\r\n b\r\n\tc\r\n{_LENGTH}",
        "folded-length": f"X-Fold: a\r\n Content-Length: 5\r\n{_LENGTH}",
        "empty-value": f"X-Empty:\r\n{_LENGTH}",
        "tabs": f"X-Tabs:\t\ta\t\r\nContent-Length:\t{_N}\t",
        "length-with-spaces": f"Content-Length:   {_N}   ",
        "two-types": f"Content-Type: text/html\r\n{_LENGTH}",
        "no-sniff-twice": f"X-Content-Type-Options: nosniff, nosniff\r\n{_LENGTH}",
        "attachment": f'Content-Disposition: attachment; filename="../../CON"\r\n{_LENGTH}',
        "location-on-200": f"Location: /elsewhere\r\n{_LENGTH}",
        "upgrade-offered": f"Upgrade: h2,h2c\r\nConnection: Upgrade, Keep-Alive\r\n{_LENGTH}",
        "keep-alive-none": f"Connection: keep-alive\r\nKeep-Alive: timeout=0, max=0\r\n{_LENGTH}",
        "retry-after-on-200": f"Retry-After: 99999\r\n{_LENGTH}",
        "content-range-on-200": f"Content-Range: bytes 0-3/4\r\n{_LENGTH}",
    }.items():
        yield _page(f"/field/{name}", page_after(head))
    for name, head, said in (
        ("space-before-colon", f"X-Space : a\r\n{_LENGTH}", ResponseWarning.HEADER_SPACE),
        ("name-utf-8", f"X-f\xc3\xbcr: a\r\n{_LENGTH}", ResponseWarning.HEADER_LINE),
        ("name-with-space", f"X Space: a\r\n{_LENGTH}", ResponseWarning.HEADER_LINE),
        ("without-colon", f"no colon here\r\n{_LENGTH}", ResponseWarning.HEADER_LINE),
        ("without-name", f": a\r\n{_LENGTH}", ResponseWarning.HEADER_LINE),
        ("nul", f"X-Nul: a\0b\r\n{_LENGTH}", ResponseWarning.HEADER_NUL),
        ("of-100-KB", f"X-Long: {'x' * 100_000}\r\n{_LENGTH}", ResponseWarning.LARGE_HEADER),
        ("2000", "X-Many: 1\r\n" * 2_000 + _LENGTH, ResponseWarning.MANY_HEADERS),
    ):
        yield _odd(f"/field/{name}", page_after(head), said)
    bare_cr = page_after(f"X-Cr: a\rb\r\n{_LENGTH}")
    yield _odd(
        "/field/bare-cr", bare_cr, ResponseWarning.HEADER_LINE_END, ResponseWarning.HEADER_LINE
    )
    yield _malformed("/field/300-KB", page_after(f"X-Long: {'x' * 300_000}\r\n{_LENGTH}"))
    first = f"HTTP/1.1 200 OK\r\n X: y\r\nContent-Type: text/html\r\n{_LENGTH}\r\n\r\n"
    yield _page("/field/space-first", sent(first.encode() + PAGE))
    lines = f"HTTP/1.1 200 OK\nContent-Type: text/html\n{_LENGTH}\n\n"
    yield _page("/field/bare-lf", sent(lines.encode() + PAGE))
    mixed = f"HTTP/1.1 200 OK\r\nContent-Type: text/html\n{_LENGTH}\r\n\n"
    yield _page("/field/mixed-line-ends", sent(mixed.encode() + PAGE))
    only_cr = f"HTTP/1.1 200 OK\rContent-Type: text/html\r{_LENGTH}\r\r"
    yield _malformed("/field/only-cr", sent(only_cr.encode() + PAGE))


def _lengths() -> Iterator[Case]:
    """Lengths of all sorts."""
    yield _page("/length/leading-zeros", page_after(f"Content-Length: 000{_N}"))
    twice = page_after(f"{_LENGTH}\r\n{_LENGTH}")
    yield _odd("/length/same-twice", twice, ResponseWarning.LENGTH_TWICE)
    listed = page_after(f"Content-Length: {_N}, {_N}")
    yield _odd("/length/same-in-a-list", listed, ResponseWarning.LENGTH_TWICE)
    yield _malformed("/length/list-of-two", page_after(f"Content-Length: {_N}, 5"))
    for name, value in {
        "2-to-64-and-this": str(2**64 + _N),
        "float": "45.0",
        "arabic": "\u0664\u0665".encode().decode("latin-1"),
        "space-inside": "4 5",
        "word": "many",
        "negative": "-1",
        "hexadecimal": "0x2d",
        "empty": "",
        "plus": f"+{_N}",
        "of-100-digits": "4" * 100,
    }.items():
        serve = page_after(f"Content-Length: {value}")
        yield _odd(f"/length/{name}", serve, ResponseWarning.BAD_LENGTH)
    chunked = b"%x\r\n%s\r\n0\r\n\r\n" % (_N, PAGE)
    beside = page_after("Content-Length: 5\r\nTransfer-Encoding: chunked", chunked)
    yield _odd("/length/beside-chunks", beside, ResponseWarning.LENGTH_BESIDE_CHUNKS)


def _chunks() -> Iterator[Case]:
    """Chunks as servers of the real web write them."""
    n = f"{_N:x}".encode()
    for name, body in {
        "upper-case": f"{_N:X}".encode() + b"\r\n" + PAGE + b"\r\n0\r\n\r\n",
        "leading-zeros": b"0000" + n + b"\r\n" + PAGE + b"\r\n0000\r\n\r\n",
        "space-after-size": n + b"  \r\n" + PAGE + b"\r\n0\r\n\r\n",
        "extension": n + b';name="a;b"\r\n' + PAGE + b"\r\n0;last\r\n\r\n",
    }.items():
        yield _page(f"/chunked/{name}", page_after("Transfer-Encoding: chunked", body))
    whole = n + b"\r\n" + PAGE + b"\r\n0\r\n\r\n"
    yield _page("/chunked/coding-upper-case", page_after("Transfer-Encoding: Chunked", whole))
    identity = page_after(f"Transfer-Encoding: identity\r\n{_LENGTH}")
    yield _odd("/chunked/identity", identity, ResponseWarning.TRANSFER_ENCODING)
    spaced = n + b" ; a=b\r\n" + PAGE + b"\r\n0\r\n\r\n"
    odd = page_after("Transfer-Encoding: chunked", spaced)
    yield _odd("/chunked/space-before-extension", odd, ResponseWarning.CHUNK_EXTENSION)
    old = b"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\nTransfer-Encoding: chunked\r\n\r\n"
    yield _page("/chunked/http-1.0", sent(old + whole))
    squeezed = gzip.compress(PAGE)
    packed = b"%x\r\n%s\r\n0\r\n\r\n" % (len(squeezed), squeezed)
    yield _page("/chunked/gzip-as-transfer", page_after("Transfer-Encoding: gzip, chunked", packed))
    for name, body in {
        "trailer-length": whole.removesuffix(b"\r\n") + b"Content-Length: 1\r\n\r\n",
        "0x": b"0x" + whole,
        "bare-lf": whole.replace(b"\r\n", b"\n"),
        "no-crlf-after-data": n + b"\r\n" + PAGE + b"0\r\n\r\n",
        "2-to-64": b"1" + b"0" * 15 + n + b"\r\n" + PAGE,
        "plus": b"+" + whole,
    }.items():
        yield Case(
            f"/chunked/{name}",
            page_after("Transfer-Encoding: chunked", body),
            (Outcome.PAGE, Outcome.PAGE_INCOMPLETE, Outcome.MALFORMED_RESPONSE),
            200,
        )


def _connections() -> Iterator[Case]:
    """Connections that end when nobody expects it."""
    whole = f"{OK}{_LENGTH}\r\n\r\n".encode() + PAGE
    yield Case(
        "/end/reset-after-whole",
        reset_after(whole.decode()),
        (Outcome.PAGE, Outcome.CONNECTION_LOST),
    )
    yield Case(
        "/end/reset-after-head",
        reset_after(f"{OK}{_LENGTH}\r\n\r\n"),
        (Outcome.PAGE_INCOMPLETE, Outcome.CONNECTION_LOST),
    )
    yield _page(
        "/end/kept-though-close", page_after(f"Connection: close\r\n{_LENGTH}", close=False)
    )
    for n in range(6):
        yield _page(f"/end/at-reuse-{n}", _once_per_connection(whole))
        yield _page(f"/end/reset-at-reuse-{n}", _once_per_connection(whole, reset=True))
        yield _page(f"/end/after-answer-{n}", sent(whole))


def _once_per_connection(data: bytes, *, reset: bool = False) -> Serve:
    return lambda site, path: site.stale(path, data, reset=reset)


def _codings() -> Iterator[Case]:
    """Content codings in lists, by other names, and cut."""
    squeezed = gzip.compress(PAGE)
    br = brotli.compress
    for name, coding, body in (
        ("gzip-br", "gzip, br", br(squeezed)),
        ("identity-gzip", "identity, gzip", squeezed),
        ("upper-case", "GZIP", squeezed),
        ("trailing-comma", "gzip,", squeezed),
        ("utf-8", "utf-8", PAGE),
        ("none", "none", PAGE),
        ("empty", "", PAGE),
        ("zlib-br-gzip", "deflate, br, gzip", gzip.compress(br(zlib.compress(PAGE)))),
        ("gzip-trailing-garbage", "gzip", squeezed + b"garbage" * 99),
        ("gzip-with-name", "gzip", b"\x1f\x8b\x08\x08\0\0\0\0\0\3page.html\0" + squeezed[10:]),
        ("br-empty", "br", b""),
        ("zstd-empty", "zstd", b""),
        ("deflate-empty", "deflate", b""),
    ):
        expected = _page(f"/coded/{name}", coded(coding, body))
        if name.endswith("-empty") and name != "empty":
            expected = Case(expected.path, expected.serve, _WHOLE, 200, None, False)
        yield expected
    two = page_after("Content-Encoding: gzip\r\nContent-Encoding: br", br(squeezed))
    yield _page("/coded/two-headers", two)
    long = b"".join(b"<p>%d" % n for n in range(99_999))
    for name, body in (
        ("br", br(PAGE + long, quality=3)[:-99]),
        ("deflate", zlib.compress(PAGE + long)[:-99]),
        ("gzip", gzip.compress(PAGE + long)[:-99]),
        ("zstd", zstd.compress(PAGE + long)[:-99]),
    ):
        serve = coded(name, body)
        yield _incomplete(f"/coded/{name}-cut", serve)
    skippable = b"\x50\x2a\x4d\x18\x04\0\0\0skip"
    frame = zstd.compress(PAGE)
    yield _page("/coded/zstd-skippable", coded("zstd", skippable + frame))
    wide = zstd.compress(PAGE + bytes(16 << 20), options={zstd.CompressionParameter.window_log: 27})
    broken = (Outcome.BROKEN_ENCODING,)
    yield Case("/coded/zstd-wide-window", coded("zstd", wide), broken, 200, Verdict.UNVERIFIED)
    yield Case("/coded/gzip-as-deflate", coded("deflate", squeezed), broken, 200)
    error = answered(404, squeezed, Content_Encoding="gzip")
    yield Case(
        "/coded/error-page", error, (Outcome.CLIENT_ERROR,), 404, Verdict.BROKEN, title="page"
    )
