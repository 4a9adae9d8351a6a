import pytest
from aiohttp import InvalidURL

from gossamer.fetch.http_request import RequestBuilder
from gossamer.model.secrets import HttpAuth, Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.visit import FetchMode
from gossamer.session.crawl_secrets import split_off_secrets
from tests.cases import each_case


def lines_to(requests: RequestBuilder, url: str) -> list[str]:
    message = requests.request(url).accepting(FetchMode.UNCOMPRESSED)
    return message.decode("latin-1").split("\r\n")[1:-2]


def sent(url: str, *headers: tuple[str, str], user_agent: str = "Bot/1") -> str:
    settings = CrawlSettings(roots=("http://example.com/",), headers=headers, user_agent=user_agent)
    requests = RequestBuilder(*split_off_secrets(settings))
    return requests.request(url).accepting(FetchMode.UNCOMPRESSED).decode("latin-1")


def test_a_request_byte_for_byte() -> None:
    assert sent("https://example.com:8443/a%20b//c?d=%zz&&") == (
        "GET /a%20b//c?d=%zz&& HTTP/1.1\r\n"
        "Host: example.com:8443\r\n"
        "User-Agent: Bot/1\r\n"
        "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8\r\n"
        "Accept-Encoding: identity\r\n"
        "\r\n"
    )


@each_case(
    ("url", "target", "host"),
    [
        ("http://example.com/", "/", "example.com"),
        ("http://example.com/?", "/?", "example.com"),
        ("http://example.com./a?#b", "/a?", "example.com."),
        ("http://[::1]:81/x@y:z", "/x@y:z", "[::1]:81"),
        ("http://a:b@example.com/c@d", "/c@d", "example.com"),
    ],
)
def test_targets_and_hosts(url: str, target: str, host: str) -> None:
    assert sent(url).startswith(f"GET {target} HTTP/1.1\r\nHost: {host}\r\n")


def test_headers_of_the_settings_replace_our_own_and_are_all_sent() -> None:
    request = sent(
        "http://example.com/",
        ("accept", "image/*"),
        ("USER-AGENT", "Mine"),
        ("Host", "virtual.example"),
        ("Cookie", "a=b"),
        ("Cookie", "c=d"),
    )
    assert request == (
        "GET / HTTP/1.1\r\naccept: image/*\r\nUSER-AGENT: Mine\r\nHost: virtual.example\r\n"
        "Cookie: a=b; c=d\r\nAccept-Encoding: identity\r\n\r\n"
    )


@pytest.mark.parametrize("name", ["Content-Length", "transfer-encoding", "Accept-Encoding"])
def test_headers_that_describe_the_message_are_ours(name: str) -> None:
    assert "7" not in sent("http://example.com/", (name, "7"), user_agent="Bot")


def test_credentials() -> None:
    basic = "Authorization: Basic "
    assert f"{basic}YTpi\r\n" in sent("http://a:b@example.com/")
    assert f"{basic}YTo=\r\n" in sent("http://a@example.com/")
    assert f"{basic}OnA6cQ==\r\n" in sent("http://:p%3Aq@example.com/")
    assert basic not in sent("http://example.com/a@b")
    own = sent("http://a:b@example.com/", ("authorization", "Bearer x"))
    assert "authorization: Bearer x\r\n" in own
    assert basic not in own


@each_case(
    "url",
    [
        "",
        "/a",
        "ftp://example.com/",
        "http:///",
        "http://example.com",
        "http://example.com/a b",
        "http://example.com/\r\nX: y",
        "http://exa mple.com/",
        "http://example.com/ä",
        "http://example.com/\x7f",
    ],
)
def test_what_is_no_serialised_web_address_is_not_sent(url: str) -> None:
    with pytest.raises(InvalidURL):
        sent(url)


def test_requests_know_their_origin() -> None:
    requests = RequestBuilder(CrawlSettings(roots=()))
    assert requests.request("https://a:b@example.com:1/x").origin == "https://example.com:1"


def test_a_check_asks_for_the_head() -> None:
    request = RequestBuilder(CrawlSettings(roots=())).request("http://example.com/a", "HEAD")
    assert request.is_head
    assert request.accepting(FetchMode.USUAL).startswith(
        b"HEAD /a HTTP/1.1\r\nHost: example.com\r\n"
    )


@each_case(
    ("url", "is_home"),
    [
        ("https://example.com/a", True),
        ("https://example.com:443/a", False),  # not serialised so: never asked
        ("http://example.com/a", False),
        ("https://example.com:8443/a", False),
        ("https://www.example.com/a", False),
        ("http://localhost:8000/", True),
        ("http://localhost:8001/", False),
    ],
)
def test_where_secrets_are_at_home(url: str, *, is_home: bool) -> None:
    settings = CrawlSettings(
        roots=("example.com/deep", "localhost:8000"),
        public_headers=(("X-Other", "1"),),
    )
    told = OriginSecrets(headers=(("cookie", "s3cret"), ("X-Unheard-Of", "s3cret")))
    bound = Secrets.same_for(["https://example.com", "http://localhost:8000"], told)
    requests = RequestBuilder(*split_off_secrets(settings, bound=bound))
    for _ in range(2):
        message = requests.request(url).accepting(FetchMode.USUAL)
        assert message.count(b"s3cret") == 2 * is_home
        assert b"X-Other: 1\r\n" in message


def test_credentials_of_a_root_and_of_a_url() -> None:
    settings = CrawlSettings(roots=("https://jo:pw@example.com/", "https://example.com/"))
    requests = RequestBuilder(*split_off_secrets(settings))
    own = b"Authorization: Basic am86cHc=\r\n"
    assert own in requests.request("https://example.com/a").accepting(FetchMode.USUAL)
    assert own in requests.request("https://jo:pw@example.com/a").accepting(FetchMode.USUAL)
    assert own not in requests.request("https://ann:x@example.com/a").accepting(FetchMode.USUAL)
    assert b"Authorization" in requests.request("https://ann:x@other.example/").accepting(
        FetchMode.USUAL
    )
    assert b"Authorization" not in requests.request("https://other.example/").accepting(
        FetchMode.USUAL
    )


def test_many_hosts_are_not_remembered_for_ever() -> None:
    requests = RequestBuilder(CrawlSettings(roots=()))
    for number in range(2_500):
        host = f"h{number}.example"
        assert f"Host: {host}\r\n".encode() in requests.request(f"http://{host}/").accepting(
            FetchMode.USUAL
        )
    assert len(requests._sites) <= 1_000  # noqa: SLF001 - its bound


def test_what_an_origin_is_told() -> None:
    told = OriginSecrets(
        auth=HttpAuth("jö", "a:b"),
        cookies=(("id", "1"), ("theme", "")),
        headers=(("X-Token", "t"), ("Cookie", "typed=1")),
    )
    requests = RequestBuilder(CrawlSettings(roots=()), Secrets({"http://a.example:81": told}))
    assert (
        requests.request("http://a.example:81/")
        .accepting(FetchMode.UNCOMPRESSED)
        .endswith(
            b"\r\nAuthorization: Basic asO2OmE6Yg==\r\nX-Token: t\r\n"
            b"Cookie: typed=1; id=1; theme=\r\nAccept-Encoding: identity\r\n\r\n"
        )
    )
    for other in ("http://a.example/", "https://a.example:81/", "http://b.a.example:81/"):
        head = requests.request(other).accepting(FetchMode.UNCOMPRESSED)
        assert b"Authorization" not in head
        assert b"X-Token" not in head
        assert b"Cookie" not in head


def test_a_secret_that_stands_in_the_settings_is_sent_to_nobody() -> None:
    settings = CrawlSettings(roots=("http://example.com/",), headers=(("X-Any", "s3cret"),))
    assert b"s3cret" not in RequestBuilder(settings).request("http://example.com/").accepting(
        FetchMode.USUAL
    )


HOME, ELSEWHERE = "https://example.com/", "https://cdn.example/"


def test_an_origins_own_header_goes_before_a_public_one_and_that_before_ours() -> None:
    settings = CrawlSettings(
        roots=(HOME,),
        public_headers=(("user-agent", "Public"), ("X-A", "public"), ("cookie", "p=1")),
        headers=(("User-Agent", "own"), ("x-a", "own"), ("Host", "inner"), ("Cookie", "o=1")),
    )
    requests = RequestBuilder(*split_off_secrets(settings))
    assert requests.request(HOME).accepting(FetchMode.UNCOMPRESSED).decode().split("\r\n")[
        1:-2
    ] == [
        "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
        "User-Agent: own",
        "x-a: own",
        "Host: inner",
        "Cookie: p=1; o=1",
        "Accept-Encoding: identity",
    ]
    assert requests.request(ELSEWHERE).accepting(FetchMode.UNCOMPRESSED).decode().split("\r\n")[
        1:-2
    ] == [
        "Host: cdn.example",
        "Accept: text/html,application/xhtml+xml;q=0.9,*/*;q=0.8",
        "user-agent: Public",
        "X-A: public",
        "Cookie: p=1",
        "Accept-Encoding: identity",
    ]


@pytest.mark.parametrize("name", ["Content-Length", "transfer-encoding", "Accept-Encoding"])
def test_not_even_an_origins_own_header_describes_the_message(name: str) -> None:
    told = Secrets({"https://example.com": OriginSecrets(headers=((name, "s3cret"),))})
    message = RequestBuilder(CrawlSettings(roots=(), public_headers=((name, "s3cret"),)), told)
    assert b"s3cret" not in message.request(HOME).accepting(FetchMode.USUAL)


def test_what_is_shown_of_a_request_has_no_secret() -> None:
    settings = CrawlSettings(
        roots=(HOME.replace("//", "//jo:s3cret@"),),
        public_headers=(("X-Public", "1"),),
        headers=(("X-Unheard-Of", "s3cret"), ("Cookie", "id=s3cret")),
    )
    requests = RequestBuilder(*split_off_secrets(settings))
    assert requests.shown(HOME)[3:] == [
        ("X-Public", "1"),
        ("Authorization", "…"),
        ("X-Unheard-Of", "…"),
        ("Cookie", "…"),
        ("Accept-Encoding", "gzip, deflate, br, zstd"),
    ]
    assert "X-Unheard-Of" not in dict(requests.shown(ELSEWHERE))


@pytest.mark.parametrize(
    ("url", "is_told"), [("http://example.com/a.js", True), ("https://example.com/a.js", False)]
)
def test_a_request_of_a_page_tells_the_proxy_who_asks_where_the_proxy_reads_it(
    url: str, is_told: bool
) -> None:
    settings = CrawlSettings(roots=(url,), proxy="http://proxy.test:3128")
    auth = OriginSecrets(auth=HttpAuth("me", "secret"))
    requests = RequestBuilder(settings, Secrets({"http://proxy.test:3128": auth}))
    head = requests.of_page(url, "GET", [("Accept", "*/*")], b"", "").head
    assert (b"Proxy-Authorization: Basic bWU6c2VjcmV0\r\n" in head) is is_told
    assert requests.request(url).head.count(b"Proxy-Auth") == head.count(b"Proxy-Auth")


def test_cookies_that_scripts_write_in_any_language_are_sent_as_browsers_do() -> None:
    requests = RequestBuilder(CrawlSettings(roots=(HOME,)))
    head = requests.of_page(HOME, "GET", [], b"", "sid=\xe9; name=日本").head
    assert b"Cookie: sid=\xe9; name=" + "日本".encode() + b"\r\n" in head


def test_what_another_site_has_a_page_ask_is_asked_in_nobody_s_name() -> None:
    told = OriginSecrets(
        auth=HttpAuth("me", "s3cret"),
        cookies=(("typed", "s3cret"),),
        headers=(("X-Pass", "s3cret"),),
        login=Login(cookies=(LoginCookie("session", "s3cret"),)),
    )
    settings = CrawlSettings(roots=(HOME,), public_headers=(("X-Open", "yes"),))
    requests = RequestBuilder(settings, Secrets({HOME.rstrip("/"): told}))
    own = requests.of_page(HOME, "GET", [], b"", "").head
    other = requests.of_page(HOME, "GET", [], b"", "", with_secrets=False).head
    assert own.count(b"s3cret") == 3
    assert b"Authorization" in own
    assert b"s3cret" not in other
    assert b"Authorization" not in other
    assert b"X-Open: yes" in other


@pytest.mark.parametrize(
    ("secrets", "left_out"),
    [
        (Secrets({HOME.rstrip("/"): OriginSecrets(cookies=(("a", "b"),))}), {"x-token"}),
        (Secrets(), set()),
    ],
)
def test_a_token_that_scripts_send_for_who_has_logged_in_is_a_secret(
    secrets: Secrets, left_out: set[str]
) -> None:
    """Also to another site. Without anybody's secrets, nothing is kept from the archive."""
    headers = [("Accept", "*/*"), ("X-Token", "s3cret"), ("Content-Type", "text/plain")]
    requests = RequestBuilder(CrawlSettings(roots=(HOME,)), secrets)
    for url, is_own in ((HOME, True), (ELSEWHERE, False)):
        request = requests.of_page(url, "POST", headers, b"token=1", "", with_secrets=is_own)
        told = request.secret_headers.intersection(name.lower() for name, _ in headers)
        assert told == left_out
        assert request.is_body_secret is bool(left_out)


def test_a_request_in_nobody_s_name_answers_no_challenge() -> None:
    digest = OriginSecrets(auth=HttpAuth("me", "s3cret", is_digest=True))
    requests = RequestBuilder(CrawlSettings(roots=(HOME,)), Secrets({HOME.rstrip("/"): digest}))
    challenge = ['Digest realm="x", nonce="n", qop="auth"']
    own = requests.of_page(HOME, "GET", [], b"", "")
    other = requests.of_page(HOME, "GET", [], b"", "", with_secrets=False)
    assert not requests.is_challenged(other, challenge)
    assert requests.is_challenged(own, challenge)


def test_a_password_for_digest_alone_is_not_sent_to_a_proxy() -> None:
    settings = CrawlSettings(roots=("http://example.com/",), proxy="http://proxy.test:3128")
    auth = OriginSecrets(auth=HttpAuth("me", "secret", is_digest=True))
    requests = RequestBuilder(settings, Secrets({"http://proxy.test:3128": auth}))
    assert requests.proxy_headers == b""
    assert b"Proxy-Auth" not in requests.request("http://example.com/").head
