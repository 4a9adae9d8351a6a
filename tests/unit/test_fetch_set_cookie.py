from gossamer.fetch.set_cookie_header import MAX_COOKIES, cookies_set
from gossamer.model.cookie import Cookie
from tests.cases import each_case

NOW_S = 1_800_000_000.0
URL = "https://www.example.com/shop/list?a=/b"


def cookies(*headers: str, url: str = URL) -> list[Cookie]:
    raw = [(b"Set-Cookie", header.encode("latin-1")) for header in headers]
    return cookies_set(url, raw, NOW_S)


def cookie(header: str, url: str = URL) -> Cookie:
    [found] = cookies(header, url=url)
    return found


def test_a_bare_cookie_is_for_its_host_and_folder() -> None:
    assert cookie("a=b") == Cookie("a", "b", "www.example.com", path="/shop", from_https=True)
    assert cookie("a=b", "http://example.com/").path == "/"
    assert cookie("a=b", "http://example.com/x").path == "/"


@each_case(
    ("header", "name", "value"),
    [
        (" a = b ; Path=/", "a", "b"),
        ("a=b=c", "a", "b=c"),
        ('a="b, c"', "a", '"b, c"'),
        ("a=", "a", ""),
        ("a=\xe4", "a", "\xe4"),
    ],
)
def test_names_and_values(header: str, name: str, value: str) -> None:
    found = cookie(header)
    assert (found.name, found.value) == (name, value)


@each_case("header", ["", "a", ";a=b", "=b", "a=b\x01c", "a\0=b", f"a={'x' * 4096}"])
def test_invalid_cookies(header: str) -> None:
    assert cookies(header) == []


@each_case(
    ("domain", "kept", "host_only"),
    [
        ("", "www.example.com", True),
        ("example.com", "example.com", False),
        (".Example.COM", "example.com", False),
        ("www.example.com", "www.example.com", False),
        ("..example.com", None, None),
        ("com", None, None),
        ("co.uk", None, None),
        ("ample.com", None, None),
        ("other.example.com", None, None),
        ("a.www.example.com", None, None),
        ("example.org", None, None),
        ("\xe4.example.com", None, None),
    ],
)
def test_domains(domain: str, kept: str | None, host_only: bool | None) -> None:
    found = cookies(f"a=b; Domain={domain}")
    assert [(each.domain, each.host_only) for each in found] == (
        [] if kept is None else [(kept, host_only)]
    )


@each_case(
    ("url", "domain", "host_only"),
    [
        ("http://a.github.io/", "github.io", None),
        ("http://github.io/", "github.io", True),
        ("http://a.co.uk/", "a.co.uk", False),
        ("http://10.0.0.1/", "10.0.0.1", True),
        ("http://10.0.0.1/", "0.0.1", None),
        ("http://[::1]/", "[::1]", True),
        ("http://localhost/", "localhost", True),
        ("http://a.localhost/", "localhost", None),
    ],
)
def test_cookies_for_a_public_suffix_are_refused(
    url: str, domain: str, host_only: bool | None
) -> None:
    found = cookies(f"a=b; Domain={domain}", url=url)
    assert [each.host_only for each in found] == ([] if host_only is None else [host_only])


@each_case(
    ("attributes", "expires_s"),
    [
        ("", None),
        ("Max-Age=60", NOW_S + 60),
        ("max-age=0", 0.0),
        ("Max-Age=-1", 0.0),
        ("Max-Age=soon", None),
        ("Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT", NOW_S + 60),
        ("Expires=Thu, 01 Jan 1970 00:00:01 GMT", 1.0),
        ("Expires=Thu, 01-Jan-70 00:00:01 GMT", 1.0),
        ("Expires=Wed, 09 Jun 2021 10:18:14 GMT", 1623233894.0),
        ("Expires=Wednesday, 09-Jun-21 10:18:14 GMT", 1623233894.0),
        ("Expires=Wed Jun  9 10:18:14 2021", 1623233894.0),
        ("Expires=10:18:14, 9 june 2021 UTC", 1623233894.0),
        ("Expires=Wed, 31 Feb 2021 10:18:14 GMT", None),
        ("Expires=Wed, 09 Jun 2021 25:18:14 GMT", None),
        ("Expires=Wed, 09 Jun 1500 10:18:14 GMT", None),
        ("Expires=1623233894", None),
        ("Expires=never", None),
    ],
)
def test_how_long_a_cookie_lasts(attributes: str, expires_s: float | None) -> None:
    assert cookie(f"a=b; {attributes}").expires_s == expires_s


def test_paths() -> None:
    assert cookie("a=b; Path=/x").path == "/x"
    assert cookie("a=b; Path=x").path == "/shop"
    assert cookie("a=b; Path=/x; path=/y").path == "/y"


@each_case(
    ("header", "https", "http"),
    [
        ("a=b; Secure", True, False),
        ("__Secure-a=b; Secure", True, False),
        ("__Secure-a=b", False, False),
        ("__Host-a=b; Secure; Path=/", True, False),
        ("__Host-a=b; Secure", False, False),
        ("__Host-a=b; Secure; Path=/; Domain=example.com", False, False),
        ("a=b", True, True),
    ],
)
def test_cookie_name_prefixes_are_enforced(header: str, *, https: bool, http: bool) -> None:
    assert bool(cookies(header)) is https
    assert bool(cookies(header, url="http://www.example.com/x/y")) is http


def test_ports_that_are_not_usual_keep_their_cookies() -> None:
    assert cookie("a=b", "http://example.com/").port is None
    assert cookie("a=b", "https://example.com/").port is None
    assert cookie("a=b", "http://example.com:8080/").port == 8080


def test_the_number_of_cookies_per_response_is_limited() -> None:
    assert len(cookies(*(f"c{n}=1" for n in range(5_000)))) == MAX_COOKIES


def test_a_cookie_does_not_show_its_value() -> None:
    assert "s3cret" not in repr(cookie("id=s3cret"))
