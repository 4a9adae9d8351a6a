"""What servers say in good order, and how it is told."""

import time

import pytest

from gossamer.model.outcome import Outcome
from tests.integration.fetching import PARTLY_S, ScriptedServer, run, visit, visits
from tests.sites import Response, Site, html_page

REDIRECTS = [300, 301, 302, 303, 307, 308]


def raw_answer(status_line: str, *headers: str, body: bytes = b"") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status_line}", *headers, "", ""]).encode() + body


def test_a_page_is_fetched_and_extracted(site: Site) -> None:
    site.page("/a", title="Cranes", headers=[("X-Twice", "1"), ("x-twice", "2")])
    before = time.time()
    seen = visit(site.url("/a"))
    body = html_page("Cranes")
    assert (seen.outcome, seen.status, seen.reason) == (Outcome.PAGE, 200, "OK")
    assert (seen.content_type, seen.charset) == ("text/html", "utf-8")
    assert seen.size_bytes == seen.raw_bytes == len(body)
    assert seen.facts is not None
    assert seen.facts.content_hash == body
    assert len(seen.links) == len(seen.targets) == 1
    assert seen.headers[:3] == [
        ("Content-Type", "text/html; charset=utf-8"),
        ("X-Twice", "1"),
        ("x-twice", "2"),
    ]
    assert before - 1 < seen.fetched_at < time.time() + 1
    assert 0 <= seen.ttfb_ms <= seen.elapsed_ms
    assert (seen.detail, seen.truncated, seen.transient, seen.location) == (
        None,
        False,
        False,
        None,
    )


def test_connections_are_reused(site: Site) -> None:
    for path in ("/a", "/b", "/c"):
        site.page(path)
    site.redirect("/r", "/a")
    site.status("/404", 404, body=b"gone")
    site.file("/f", b"x" * 60_000, "image/png")
    visits(site.url(path) for path in ("/a", "/r", "/b", "/404", "/f", "/c"))
    assert len(site.connections) == 1


def test_the_request_has_target_and_user_agent(site: Site) -> None:
    visit(
        site.url("/a//b/../c;d?x=%20+|&&y="),
        user_agent="Robot/1",
        public_headers=(("Accept", "text/plain"), ("X-Extra", "ä")),
    )
    [request] = site.requests
    assert (request.method, request.path) == ("GET", "/a//b/../c;d?x=%20+|&&y=")
    assert dict(request.headers) == {
        "Host": f"127.0.0.1:{site.port}",
        "User-Agent": "Robot/1",
        "Accept": "text/plain",
        "X-Extra": "ä".encode().decode("latin-1"),
        "Accept-Encoding": "gzip, deflate, br, zstd",
    }


def test_an_empty_query_is_kept_in_the_request_target(site: Site) -> None:
    visits(site.url(path) for path in ("/?", "/a?", "/a"))
    assert site.paths == ["/?", "/a?", "/a"]


def test_an_invalid_url_sends_no_request(site: Site) -> None:
    port = site.port
    seen = visits(
        [
            f"http://127.0.0.1:{port}/a b",
            f"http://127.0.0.1:{port}/\r\nX-Smuggled: 1",
            f"http://127.0.0.1:{port}",
            f"http://127.0.0.1:{port}/é\ud800",
            "file:///etc/passwd",
        ]
    )
    assert {each.outcome for each in seen} == {Outcome.MALFORMED_URL}
    assert site.connections == []


# ---------------------------------------------------------------- redirects


@pytest.mark.parametrize("status", REDIRECTS)
def test_redirects_are_returned_and_not_followed(site: Site, status: int) -> None:
    site.redirect("/a/b", "../c?d#e", status=status)
    seen = visit(site.url("/a/b"))
    assert (seen.outcome, seen.status) == (Outcome.REDIRECT, status)
    assert seen.location == site.url("/c?d")
    assert site.paths == ["/a/b"]
    assert list(seen.links) == []


@pytest.mark.parametrize("status", REDIRECTS)
@pytest.mark.parametrize("location", [None, "", "  "])
def test_redirects_without_target(site: Site, status: int, location: str | None) -> None:
    site.redirect("/a", location, status=status)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.location) == (Outcome.REDIRECT_WITHOUT_LOCATION, None)


@pytest.mark.parametrize(
    "location",
    ["javascript:alert(1)", "file:///etc/passwd", "mailto:a@b", "http://h:99999/", "http://[::1"],
)
def test_redirects_to_other_schemes(site: Site, location: str) -> None:
    site.redirect("/a", location)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.location) == (Outcome.REDIRECT_BAD_LOCATION, None)
    assert str(seen.detail) == f"Location: {location}"


@pytest.mark.parametrize(
    ("location", "path"),
    [("/ä".encode(), "/%C3%A4"), (b"/\xe4", "/%E4"), (b"/a b", "/a%20b")],
)
def test_redirects_with_bytes_beyond_ascii(site: Site, location: bytes, path: str) -> None:
    site.raw(
        "/a", b"HTTP/1.1 302 Found\r\nContent-Length: 0\r\nLocation: " + location + b"\r\n\r\n"
    )
    assert visit(site.url("/a")).location == site.url(path)


def test_a_redirect_counts_although_its_body_never_arrives(site: Site) -> None:
    site.hang("/a", after=raw_answer("301 Moved", "Location: /b", "Content-Length: 9"))
    seen = visit(site.url("/a"), timeout_s=PARTLY_S)
    assert (seen.outcome, seen.location) == (Outcome.REDIRECT, site.url("/b"))


# ---------------------------------------------------------------- other statuses


@pytest.mark.parametrize("status", [204, 205])
def test_answers_without_content_are_files(site: Site, status: int) -> None:
    site.respond("/a", Response(status))
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status, seen.size_bytes) == (Outcome.FILE, status, 0)


@pytest.mark.parametrize("status", [304, 305, 306, 399, 600, 999])
def test_invalid_statuses(site: Site, status: int) -> None:
    site.raw("/a", raw_answer(f"{status} Whatever", "Content-Length: 0", "Location: /b"))
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status) == (Outcome.UNEXPECTED_STATUS, status)
    assert seen.location is None


def test_switching_protocols_is_invalid(site: Site) -> None:
    upgrade = ("Upgrade: h2c", "Connection: Upgrade")
    site.raw("/a", raw_answer("101 Switching Protocols", *upgrade), close=False)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status) == (Outcome.UNEXPECTED_STATUS, 101)


def test_interim_responses_are_skipped(site: Site) -> None:
    final = raw_answer("200 OK", "Content-Type: text/html", "Content-Length: 3", body=b"<p>")
    site.raw("/a", raw_answer("103 Early Hints", "Link: </x>") * 32 + final)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status) == (Outcome.PAGE, 200)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(404, Outcome.CLIENT_ERROR), (429, Outcome.CLIENT_ERROR), (503, Outcome.SERVER_ERROR)],
)
def test_error_pages_have_facts_but_no_links(site: Site, status: int, outcome: Outcome) -> None:
    site.page("/a", status=status, title="Sorry", links=["/b"])
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.status, seen.truncated) == (outcome, status, False)
    assert seen.facts is not None
    assert seen.facts.content_hash == html_page("Sorry", ["/b"])
    assert (list(seen.links), seen.targets) == ([], [])


def test_large_error_pages_are_cut(site: Site) -> None:
    site.page("/a", status=500, body="x" * 200_000)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.size_bytes, seen.truncated) == (Outcome.SERVER_ERROR, 65_536, True)
    assert str(seen.detail) == "cut at 65536 bytes"


def test_an_error_status_counts_although_its_body_never_arrives(site: Site) -> None:
    head = raw_answer("404 Not Found", "Content-Type: text/html", "Content-Length: 900")
    site.hang("/a", after=head + b"<title>Gone")
    seen = visit(site.url("/a"), timeout_s=PARTLY_S)
    assert (seen.outcome, seen.truncated) == (Outcome.CLIENT_ERROR, True)
    assert seen.facts is not None
    assert seen.facts.title == "<title>Gone"


# ---------------------------------------------------------------- what is no page


def test_a_large_file_is_not_downloaded(site: Site) -> None:
    head = raw_answer("200 OK", "Content-Type: video/mp4", "Content-Length: 9000000000")
    site.hang("/a", after=head + bytes(1000))
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.content_type) == (Outcome.FILE, "video/mp4")
    assert (seen.size_bytes, seen.raw_bytes) == (9_000_000_000, 0)
    assert (seen.facts, seen.truncated) == (None, False)
    site.block_until(lambda: site.open_connections == 0)


def test_a_stream_without_an_end_is_not_downloaded(site: Site) -> None:
    site.hang("/a", after=raw_answer("200 OK", "Content-Type: text/event-stream"))
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.size_bytes) == (Outcome.FILE, None)


@pytest.mark.parametrize("content_type", ["application/pdf", "text/plain", "image/svg+xml"])
def test_small_files_are_read_to_keep_the_connection(site: Site, content_type: str) -> None:
    site.file("/a", b"<html>" * 100, content_type)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.content_type) == (Outcome.FILE, content_type)
    assert (seen.size_bytes, seen.facts) == (600, None)


@pytest.mark.parametrize(
    ("body", "outcome"),
    [
        (b"\n <!DOCTYPE html><title>x", Outcome.PAGE),
        (b"\xef\xbb\xbf<HTML>", Outcome.PAGE),
        (b"<p>" + bytes(5000), Outcome.PAGE),
        (b"%PDF-1.7", Outcome.FILE),
        (b"<svg xmlns='http://www.w3.org/2000/svg'>", Outcome.FILE),
        (b"", Outcome.FILE),
    ],
)
@pytest.mark.parametrize(
    "header", ["X-No-Type: 1", "Content-Type: \xff;nonsense", "Content-Type: */*"]
)
def test_the_first_bytes_decide_where_the_content_type_does_not(
    site: Site, body: bytes, outcome: Outcome, header: str
) -> None:
    answer = raw_answer("200 OK", header, f"Content-Length: {len(body)}", body=body)
    site.raw("/a", answer)
    seen = visit(site.url("/a"))
    assert seen.outcome is outcome
    assert seen.size_bytes == len(body)


def test_a_large_file_of_unknown_type_is_not_read_beyond_its_first_bytes(site: Site) -> None:
    site.hang("/a", after=raw_answer("200 OK", "Content-Length: 9000000000") + bytes(600))
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.truncated) == (Outcome.FILE, False)


def test_an_unrequested_partial_content_response_counts_as_truncated(site: Site) -> None:
    site.page("/a", status=206)
    seen = visit(site.url("/a"))
    assert (seen.outcome, seen.truncated) == (Outcome.PAGE, True)


# ---------------------------------------------------------------- robots.txt and its like


def test_text_is_not_extracted(site: Site) -> None:
    site.file("/robots.txt", b"\xef\xbb\xbfUser-agent: *\nDisallow: /\xff\0\n", "text/html")
    seen, text = run(lambda fetcher: fetcher.fetch_text(site.url("/robots.txt")))
    assert text == "User-agent: *\nDisallow: /\ufffd\ufffd\n"
    assert (seen.outcome, seen.status, seen.facts, list(seen.links)) == (
        Outcome.FILE,
        200,
        None,
        [],
    )


def test_text_is_truncated_at_the_limit(site: Site) -> None:
    site.file("/robots.txt", b"x" * 5000, "text/plain")
    seen, text = run(lambda fetcher: fetcher.fetch_text(site.url("/robots.txt"), 1000))
    assert text == "x" * 1000
    assert (seen.outcome, seen.truncated, seen.size_bytes) == (Outcome.FILE, True, 1000)


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(404, Outcome.CLIENT_ERROR), (503, Outcome.SERVER_ERROR), (302, Outcome.REDIRECT)],
)
def test_only_successful_responses_have_text(site: Site, status: int, outcome: Outcome) -> None:
    site.page("/robots.txt", status=status, headers=[("Location", "/r.txt")])
    seen, text = run(lambda fetcher: fetcher.fetch_text(site.url("/robots.txt")))
    assert (seen.outcome, seen.status, text) == (outcome, status, "")


def test_text_that_arrives_too_late(site: Site) -> None:
    site.hang("/robots.txt")
    seen, text = run(lambda f: f.fetch_text(site.url("/robots.txt")), timeout_s=0.1)
    assert (seen.outcome, seen.transient, text) == (Outcome.TIMEOUT, True, "")


# ---------------------------------------------------------------- credentials


def test_credentials_in_a_url_are_sent_to_its_host_only() -> None:
    page = raw_answer("200 OK", "Content-Type: text/html", "Content-Length: 0")
    with ScriptedServer([[page, page]]) as server:
        with_credentials = server.url().replace("//", "//jo:p%40ss@")
        visits([with_credentials, server.url()])
    first, second = server.requests
    assert b"\r\nAuthorization: Basic am86cEBzcw==\r\n" in first
    assert b"jo:" not in first
    assert b"Authorization" not in second
