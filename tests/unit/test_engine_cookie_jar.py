from gossamer.engine.cookie_jar import MAX_BYTES, MAX_DOMAINS, MAX_PER_DOMAIN, CookieJar
from gossamer.fetch.set_cookie_header import cookies_set
from gossamer.model.cookie import Cookie
from tests.cases import each_case

HOME = "https://www.example.com/"


class Clock:
    def __init__(self) -> None:
        self.now_s = 1_000.0

    def __call__(self) -> float:
        return self.now_s


def jar(*headers: str, url: str = HOME, clock: Clock | None = None) -> CookieJar:
    clock = clock or Clock()
    kept = CookieJar(clock)
    raw = [(b"Set-Cookie", header.encode("latin-1")) for header in headers]
    kept.store(cookies_set(url, raw, clock.now_s))
    return kept


@each_case(
    ("header", "url", "told"),
    [
        ("a=b", "https://www.example.com/x?y", True),
        ("a=b", "http://www.example.com/", True),
        ("a=b", "https://example.com/", False),
        ("a=b", "https://x.www.example.com/", False),
        ("a=b", "https://www.example.com:8443/", False),
        ("a=b", "https://www.example.com.evil.example/", False),
        ("a=b; Domain=example.com", "https://example.com/", True),
        ("a=b; Domain=example.com", "https://x.y.example.com/", True),
        ("a=b; Domain=example.com", "https://badexample.com/", False),
        ("a=b; Secure", "https://www.example.com/", True),
        ("a=b; Secure", "http://www.example.com/", False),
        ("a=b; Path=/shop", "https://www.example.com/shop", True),
        ("a=b; Path=/shop", "https://www.example.com/shop/a", True),
        ("a=b; Path=/shop/", "https://www.example.com/shop/a", True),
        ("a=b; Path=/shop/", "https://www.example.com/shop", False),
        ("a=b; Path=/shop", "https://www.example.com/shopping", False),
        ("a=b; Path=/shop", "https://www.example.com/?/shop", False),
    ],
)
def test_a_cookie_is_told_whom_it_is_for(header: str, url: str, *, told: bool) -> None:
    assert jar(header).header(url) == ("a=b" if told else "")


def test_another_port_of_the_same_host_is_another_site() -> None:
    kept = jar("a=b", url="http://127.0.0.1:8001/")
    assert kept.header("http://127.0.0.1:8001/x") == "a=b"
    assert kept.header("http://127.0.0.1:8002/x") == ""
    assert kept.header("http://127.0.0.1/x") == ""


def test_longer_paths_come_first_then_older_cookies() -> None:
    kept = jar("a=1; Path=/", "b=2; Path=/shop", "c=3; Path=/", "a=4; Path=/")
    assert kept.header(f"{HOME}shop/x") == "b=2; a=4; c=3"


def test_cookies_end() -> None:
    clock = Clock()
    kept = jar("a=1; Max-Age=10", "b=2", clock=clock)
    clock.now_s += 9
    assert kept.header(HOME) == "a=1; b=2"
    clock.now_s += 1
    assert kept.header(HOME) == "b=2"
    kept.store([Cookie("b", "", "www.example.com", from_https=True, expires_s=0.0)])
    assert kept.header(HOME) == ""
    kept.store([Cookie("b", "", "nowhere.example", expires_s=0.0)])


def test_http_does_not_change_what_https_keeps_secure() -> None:
    kept = jar("a=1; Secure; Path=/")
    kept.store([Cookie("a", "2", "www.example.com")])
    assert kept.header(HOME) == "a=1"


def test_a_cookie_bomb_stays_within_bounds() -> None:
    kept = jar(*(f"c{n}={'x' * 1_000}" for n in range(40)), f"d={'y' * 4_000}; Domain=example.com")
    header = kept.header(HOME)
    assert len(header) < MAX_BYTES + 200
    assert "c39=" in header
    assert "c0=" not in header


def fill(kept: CookieJar, hosts: int, used: str) -> None:
    for n in range(hosts):
        kept.store([Cookie("a", "b", f"{n}.example")])
        kept.header(used)


def test_a_session_that_is_used_is_not_dropped_for_cookies_of_others() -> None:
    kept = jar("session=1", "shared=2; Domain=example.com")
    fill(kept, MAX_DOMAINS * 2, HOME)
    assert kept.header(HOME) == "session=1; shared=2"


def test_the_session_of_a_root_is_not_dropped_though_it_was_not_used_for_long() -> None:
    kept = CookieJar(Clock(), sites=["https://www.example.com", "http://127.0.0.1:8001"])
    kept.store(
        [
            Cookie("a", "1", "www.example.com"),
            Cookie("b", "2", "example.com", host_only=False),
            Cookie("c", "3", "127.0.0.1", port=8001),
        ]
    )
    fill(kept, MAX_DOMAINS * 2, "http://0.example/")
    assert kept.header(HOME) == "a=1; b=2"
    assert kept.header("http://127.0.0.1:8001/") == "c=3"


def test_many_cookies_and_many_hosts_stay_within_bounds() -> None:
    kept = jar(*(f"c{n}=1" for n in range(100)))
    assert len(kept.header(HOME).split("; ")) == MAX_PER_DOMAIN
    for n in range(MAX_DOMAINS * 2):
        kept.store([Cookie("a", "b", f"{n}.example")])
    assert kept.header(HOME) == ""
    assert kept.header(f"http://{MAX_DOMAINS * 2 - 1}.example/") == "a=b"
    assert sum(kept.header(f"http://{n}.example/") != "" for n in range(MAX_DOMAINS * 2)) <= (
        MAX_DOMAINS
    )
