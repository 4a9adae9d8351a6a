"""What a hostile site does with HTTP: messages, statuses, waits, lengths."""

from collections.abc import Iterator

from gossamer.model.outcome import Outcome, Verdict
from gossamer.model.response_warnings import ResponseWarning
from tests.sites.hostile_case import (
    OK,
    PAGE,
    Case,
    Serve,
    answered,
    hung,
    page_after,
    reset_after,
    sent,
)

SECRET = "s3cret"  # noqa: S105 - to be looked for
"""In cookies, whose values are nowhere to be seen."""


def messages() -> Iterator[Case]:
    """Answers that are none, or hardly."""
    malformed = (Outcome.MALFORMED_RESPONSE,)
    fine = (Outcome.PAGE,)
    for name, data in {
        "http09": "<html><title>0.9</title></html>",
        "h2-preface": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        "h2-settings": "\0\0\6\4\0\0\0\0\0\0\3\0\0\0\x64",
        "ssh": "SSH-2.0-OpenSSH_9.7\r\n",
        "tls-alert": "\x15\3\1\0\2\2\x28",
        "garbage": "\xff\xfe\x80" * 400,
        "status-long": "HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n",
        "interim-flood": "HTTP/1.1 100 Continue\r\n\r\n" * 500,
    }.items():
        yield Case(f"/message/{name}", sent(data), malformed, None, Verdict.UNVERIFIED)
    body = PAGE.decode()
    for name, data in {
        "http10": f"HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n{body}",
        "no-reason": f"HTTP/1.1 200\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n{body}",
        "early-hints": f"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n{OK}\r\n{body}",
        "few-interims": f"{'HTTP/1.1 102 Processing' + chr(13) + chr(10) + chr(13) + chr(10)}"
        f"{OK}\r\n{body}",
        "header-of-9-KB": f"{OK}X-Long: {'x' * 9_000}\r\n\r\n{body}",
        "200-headers": f"{OK}{'X-Many: 1' + chr(13) + chr(10)}"
        + "X-Many: 1\r\n" * 200
        + f"\r\n{body}",
        "cookie-bomb": OK
        + "".join(f"Set-Cookie: c{n}={'x' * 4_000}\r\n" for n in range(100))
        + f"\r\n{body}",
        "cookie-nonsense": f"{OK}Set-Cookie: =;;\xff; expires=never\r\n\r\n{body}",
        "cookie-with-nul": f"{OK}Set-Cookie: a={SECRET}\0\r\n\r\n{body}",
        "cookie-spaced": f"{OK}Set-Cookie : a={SECRET}\r\n\r\n{body}",
        "cookie-of-100-KB": f"{OK}Set-Cookie: a={SECRET * 10_000}\r\n\r\n{body}",
        "header-in-latin-1": f"{OK}X-Name: caf\xe9\r\n\r\n{body}",
        "server-with-escapes": f"{OK}Server: a\x80\x9b31m\r\n\r\n{body}",
    }.items():
        yield Case(f"/message/{name}", sent(data), fine, 200, Verdict.OK, title="page")


def statuses() -> Iterator[Case]:
    """Statuses of all kinds, with bodies where there must be none."""
    refused, broken, unverified = Verdict.REFUSED, Verdict.BROKEN, Verdict.UNVERIFIED
    for status in (401, 403, 407, 429, 451):
        yield Case(f"/status/{status}", answered(status), (Outcome.CLIENT_ERROR,), status, refused)
    for status in (400, 402, 404, 405, 406, 410, 418, 431):
        yield Case(f"/status/{status}", answered(status), (Outcome.CLIENT_ERROR,), status, broken)
    for status in (500, 501, 502, 503, 504, 505, 511, 520, 599):
        yield Case(
            f"/status/{status}", answered(status), (Outcome.SERVER_ERROR,), status, unverified
        )
    for status in (304, 305, 306, 600, 777):
        yield Case(
            f"/status/{status}", answered(status), (Outcome.UNEXPECTED_STATUS,), status, unverified
        )
    yield Case("/status/999", answered(999), (Outcome.UNEXPECTED_STATUS,), 999, refused)
    switching = sent("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
    yield Case("/status/101", switching, (Outcome.UNEXPECTED_STATUS,), 101, unverified)
    for status in (204, 205):
        bare = sent(f"HTTP/1.1 {status} Nothing\r\n\r\n")
        yield Case(f"/status/{status}", bare, (Outcome.FILE,), status, Verdict.OK)
        with_body = sent(f"HTTP/1.1 {status} Nothing\r\nContent-Length: 5\r\n\r\nhello")
        yield Case(f"/status/{status}-with-body", with_body, (Outcome.FILE,), status)
    with_body = sent("HTTP/1.1 304 Same\r\nContent-Length: 5\r\n\r\nhello")
    yield Case("/status/304-with-body", with_body, (Outcome.UNEXPECTED_STATUS,), 304)
    partial = answered(206, PAGE, Content_Range="bytes 0-44/9000")
    facts: dict[str, object] = {"warnings": (ResponseWarning.PARTIAL_CONTENT,)}
    yield Case("/status/206-unasked", partial, (Outcome.PAGE,), 206, Verdict.OK, facts=facts)
    yield Case("/status/202", answered(202, PAGE), (Outcome.PAGE,), 202, Verdict.OK)
    yield Case("/status/404-with-title", answered(404, PAGE), (Outcome.CLIENT_ERROR,), 404, broken)
    short = {"zero": "0", "one": "1", "negative": "-5", "past": "Wed, 21 Oct 2015 07:28:00 GMT"}
    yield from _asking_for({**short, "nonsense": "soon"})


def long_waits() -> Iterator[Case]:
    """Servers that want to be left alone for longer than anyone waits.

    On a site of their own: the host rests for a while after each, whatever else it has.
    """
    yield from _asking_for(
        {
            "ten-years": "315360000",
            "in-2099": "Wed, 21 Oct 2099 07:28:00 GMT",
            "an-hour": "3600",
            "huge": "9" * 400,
        }
    )


def _asking_for(waits: dict[str, str]) -> Iterator[Case]:
    for name, wait in waits.items():
        for status, outcome, verdict in (
            (429, Outcome.CLIENT_ERROR, Verdict.REFUSED),
            (503, Outcome.SERVER_ERROR, Verdict.UNVERIFIED),
        ):
            yield Case(
                f"/retry-after/{status}-{name}",
                answered(status, Retry_After=wait),
                (outcome,),
                status,
                verdict,
            )


def waits() -> Iterator[Case]:
    """Answers that come late, in drops, in part, or not at all."""
    late = (Outcome.TIMEOUT,)
    lost = (Outcome.CONNECTION_LOST,)
    unverified = Verdict.UNVERIFIED
    yield Case("/wait/hang", hung(), late, None, unverified)
    yield Case("/wait/hang-in-status", hung("HTTP/1."), late, None, unverified)
    yield Case("/wait/hang-in-head", hung(OK), late, None, unverified)
    yield Case("/wait/hang-in-body", hung(f"{OK}Content-Length: 99\r\n\r\n<p>"), late, 200)
    yield Case("/wait/hang-in-chunk", hung(f"{OK}Transfer-Encoding: chunked\r\n\r\n9\r\n"), late)
    yield Case("/wait/interim-then-hang", hung("HTTP/1.1 100 Continue\r\n\r\n"), late, None)
    yield Case(
        "/wait/drip-in-head", lambda s, p: s.drip(p, interval_s=0.1, n=500, in_head=True), late
    )
    yield Case("/wait/drip-in-body", lambda s, p: s.drip(p, interval_s=0.1, n=500), late, 200)
    yield Case("/wait/close", sent(b""), lost, None, unverified)
    yield Case("/wait/close-in-head", sent(OK), lost, None, unverified)
    yield Case("/wait/close-in-cookies", sent(f"{OK}Set-Cookie: a={SECRET}\r\n"), lost, None)
    yield Case("/wait/reset", reset_after(), lost, None, unverified)
    yield Case("/wait/reset-in-head", reset_after(OK), lost, None, unverified)
    yield Case(
        "/wait/reset-in-body",
        reset_after(f"{OK}Content-Length: 999\r\n\r\n<title>part</title>"),
        (
            Outcome.PAGE_INCOMPLETE,
            Outcome.CONNECTION_LOST,
        ),  # a reset may overtake what was sent before
    )
    yield Case(
        "/wait/endless-head", lambda s, p: s.endless(p, in_head=True), (Outcome.MALFORMED_RESPONSE,)
    )
    yield Case(
        "/wait/endless-body",
        lambda s, p: s.endless(p),
        (Outcome.PAGE, Outcome.TIMEOUT),
        200,
        truncated=True,
    )
    slow = answered(200, PAGE)
    yield Case("/wait/none", slow, (Outcome.PAGE,), 200)


def lengths() -> Iterator[Case]:
    """Lengths and chunks that do not add up."""
    whole, malformed = (Outcome.PAGE,), (Outcome.MALFORMED_RESPONSE,)
    incomplete = (Outcome.PAGE_INCOMPLETE,)
    n = len(PAGE)
    for name, head in {
        "two-different": f"Content-Length: {n}\r\nContent-Length: 5",
    }.items():
        yield Case(f"/length/{name}", page_after(head), malformed, None, Verdict.UNVERIFIED)
    yield Case(
        "/length/too-long",
        page_after("Content-Length: 9999"),
        incomplete,
        200,
        Verdict.UNVERIFIED,
        truncated=True,
        title="page",
    )
    yield Case("/length/too-short", page_after("Content-Length: 34"), whole, 200, title="page")
    yield Case(
        "/length/huge", page_after(f"Content-Length: {10**15}"), incomplete, 200, truncated=True
    )
    yield Case(
        "/length/zero-with-body",
        page_after("Content-Length: 0"),
        whole,
        200,
        facts={"size_bytes": 0},
    )
    two = page_after(f"Content-Length: {n}", PAGE + b"HTTP/1.1 404 Not Found\r\n\r\n", close=False)
    yield Case("/length/answer-unasked", two, whole, 200, title="page")

    def chunked(*chunks: bytes, end: bytes = b"0\r\n\r\n", close: bool = True) -> Serve:
        body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
        return page_after("Transfer-Encoding: chunked", body + end, close=close)

    yield Case("/chunks/whole", chunked(PAGE), whole, 200, truncated=False, title="page")
    yield Case(
        "/chunks/of-one-byte",
        chunked(*[b"<"[:1]] * 1, *[bytes([b]) for b in PAGE[1:] * 400]),
        whole,
        200,
    )
    yield Case(
        "/chunks/without-end",
        chunked(PAGE, end=b""),
        incomplete,
        200,
        Verdict.UNVERIFIED,
        truncated=True,
        title="page",
    )
    yield Case(
        "/chunks/bad-size",
        chunked(PAGE, end=b"zz\r\n"),
        whole + incomplete + malformed,
        200,
        truncated=True,
    )
    yield Case(
        "/chunks/negative",
        chunked(PAGE, end=b"-5\r\n"),
        whole + incomplete + malformed,
        200,
        truncated=True,
    )
    yield Case(
        "/chunks/huge-size",
        chunked(PAGE, end=b"f" * 40 + b"\r\n"),
        whole + incomplete + malformed,
        200,
        truncated=True,
    )
    yield Case(
        "/chunks/extension-of-1-MB",
        chunked(end=b"5;" + b"x" * 1_000_000 + b"\r\nhello\r\n0\r\n\r\n"),
        whole + incomplete + malformed,
        200,
    )
    yield Case(
        "/chunks/trailers",
        chunked(PAGE, end=b"0\r\nX-Trailer: 1\r\n\r\n"),
        whole,
        200,
        title="page",
    )
    yield Case(
        "/chunks/trailer-flood",
        chunked(PAGE, end=b"0\r\n" + b"X-Trailer: 1\r\n" * 50_000 + b"\r\n"),
        whole + incomplete + malformed,
        200,
    )
    yield Case(
        "/chunks/coding-unknown",
        page_after("Transfer-Encoding: squeezed"),
        whole + incomplete + malformed,
    )
