import pytest

from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.urls.scope_and_limits import MAX_REMEMBERED, Scope
from tests.cases import each_case


def scope(
    *roots: str,
    lenient: bool = False,
    include: tuple[str, ...] = (),
    exclude: tuple[str, ...] = (),
) -> Scope:
    host_match = HostMatch.LENIENT if lenient else HostMatch.STRICT
    settings = CrawlSettings(roots=roots, host_match=host_match, include=include, exclude=exclude)
    return Scope(settings)


@each_case(
    ("url", "refusal"),
    [
        ("https://example.com/", None),
        ("http://example.com/x", None),
        ("https://user:word@example.com/", None),
        ("http://127.0.0.1:8000/x", None),
        ("http://127.0.0.1/", Outcome.OUT_OF_SCOPE),
        ("https://127.0.0.1:8001/", Outcome.OUT_OF_SCOPE),
        ("https://example.com:8443/", Outcome.OUT_OF_SCOPE),
        ("https://www.example.com/", Outcome.OUT_OF_SCOPE),
        ("https://notexample.com/", Outcome.OUT_OF_SCOPE),
        ("https://example.com.evil.example/", Outcome.OUT_OF_SCOPE),
        ("https://example.com@evil.example/", Outcome.OUT_OF_SCOPE),
    ],
)
def test_strict_scope_is_the_hosts_of_the_roots(url: str, refusal: Outcome | None) -> None:
    assert scope("example.com", "127.0.0.1:8000").refusal(url) == refusal


@each_case(
    ("root", "url", "inside"),
    [
        ("www.example.com", "https://example.com/", True),
        ("example.com", "http://a.b.example.com:8080/", True),
        ("example.com", "https://example.org/", False),
        ("example.co.uk", "https://www.example.co.uk/", True),
        ("example.co.uk", "https://other.co.uk/", False),
        ("a.github.io", "https://b.github.io/", False),
        ("a.github.io", "https://x.a.github.io/", True),
        ("co.uk", "https://example.co.uk/", False),
        ("example.com.", "https://www.example.com/", True),
        ("bücher.公司.cn", "https://www.xn--bcher-kva.xn--55qx5d.cn/", True),
        ("intranet", "http://intranet:8080/", True),
        ("intranet", "http://extranet/", False),
        ("10.0.0.1", "http://10.0.0.1:8080/", False),
        ("10.0.0.1", "http://9.0.0.1/", False),
        ("[::1]:80", "http://[::1]/x", True),
        ("[::1]:80", "http://[::1]:81/x", False),
        ("localhost:8000", "http://localhost:8000/", True),
        ("localhost:8000", "http://localhost:8001/", False),
        ("localhost:8000", "http://a.localhost:8000/", False),
    ],
)
def test_lenient_scope_is_the_registrable_domain(root: str, url: str, *, inside: bool) -> None:
    expected = None if inside else Outcome.OUT_OF_SCOPE
    assert scope(root, lenient=True).refusal(url) == expected


@each_case(
    ("target", "refusal"),
    [
        ("mailto:someone@example.com", Outcome.UNSUPPORTED_SCHEME),
        ("ftp://example.com/", Outcome.UNSUPPORTED_SCHEME),
        ("http://exa mple.com/", Outcome.MALFORMED_URL),
        ("https://example.com:99999/", Outcome.MALFORMED_URL),
        ("http://[::1]x", Outcome.MALFORMED_URL),
        ("https:///", Outcome.MALFORMED_URL),
        ("//[", Outcome.MALFORMED_URL),
        ("", Outcome.MALFORMED_URL),
        ("https://example.com/" + "x" * 8192, Outcome.URL_TOO_LONG),
        ("https://other.example/" + "x" * 8192, Outcome.URL_TOO_LONG),
        ("https://exa mple.com/" + "x" * 8192, Outcome.MALFORMED_URL),
    ],
)
def test_what_is_no_usable_web_address_is_refused(target: str, refusal: Outcome) -> None:
    assert scope("example.com").refusal(target) == refusal


def test_patterns_are_searched_anywhere_in_the_url() -> None:
    docs = scope("example.com", include=(r"/docs/", r"/blog/"), exclude=(r"\.pdf$", r"[?&]sort="))
    assert docs.refusal("https://example.com/docs/a.html") is None
    assert docs.refusal("https://example.com/blog/a.html") is None
    assert docs.refusal("https://example.com/shop/a.html") == Outcome.NOT_INCLUDED
    assert docs.refusal("https://example.com/docs/a.pdf") == Outcome.EXCLUDED
    assert docs.refusal("https://example.com/docs/?sort=up") == Outcome.EXCLUDED
    assert docs.refusal("https://other.example/docs/a.pdf") == Outcome.OUT_OF_SCOPE


def test_the_host_alone_tells_what_is_internal() -> None:
    scope = Scope(
        CrawlSettings(
            roots=("https://a.test/",), max_url_length=60, include=("/in/",), exclude=("/out/",)
        )
    )
    for path in ("/", "/in/", "/out/", "/" + "long" * 20):
        assert scope.is_internal(f"https://a.test{path}")
        assert scope.is_external(f"https://b.test{path}")
        assert not scope.is_internal(f"https://b.test{path}")
        assert not scope.is_external(f"https://a.test{path}")
    assert not scope.is_internal("mailto:a@a.test")
    assert not scope.is_external("mailto:a@b.test")


def test_a_root_needs_no_include_pattern_but_obeys_exclude() -> None:
    docs = scope("example.com", include=(r"/docs/",), exclude=(r"/old",))
    assert docs.refusal("https://example.com/", root=True) is None
    assert docs.refusal("https://example.com/old", root=True) == Outcome.EXCLUDED


def test_any_number_of_hosts_is_judged_right() -> None:
    strict = scope("example.com")
    for number in range(MAX_REMEMBERED + 10):
        assert strict.refusal(f"https://h{number}.example/") == Outcome.OUT_OF_SCOPE
    assert strict.refusal("https://example.com/") is None


def test_a_root_that_is_no_web_address_is_a_usage_error() -> None:
    with pytest.raises(UsageError):
        scope("ftp://example.com/")
