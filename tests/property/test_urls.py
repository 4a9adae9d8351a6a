import string

from ada_url import URL
from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.model.errors import UsageError
from gossamer.model.outcome import Outcome
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.scope_settings import HostMatch
from gossamer.urls.scope_and_limits import Scope
from gossamer.urls.url_folders import display_name, display_url, folders
from gossamer.urls.url_joining import Base
from gossamer.urls.url_parsing import is_http, join, origin, parse_root, url_key

BASE = "https://user@example.com:8443/docs/api/page.html?q=1"

# What trips URL parsers, in any order: delimiters, dots, spaces, schemes, escapes.
pieces = st.sampled_from(
    [
        *"/\\?#:@.%[]& \t\n\x00ü",
        *("..", "./", "../", "//", "%2e", "%2F", "%", "http:", "https:", "https://", "mailto:"),
        *("javascript:", "example.com", "127.1", "[::1]", ":80", ":443", ":99999", "a", "b.html"),
        *(
            "~",
            "'",
            "=&;,",
            "(a)",
            "en.example.com/",
            "a-b.example.org/",
            "a--b.com/",
            "1.2/",
            "0x1/",
        ),
        *("xn--a", "\u3002", "\u00ad", "\ud800", "\U0001f600", "user:word@"),
    ]
)
hrefs = st.one_of(st.lists(pieces, max_size=8).map("".join), st.text(max_size=30))
bases = hrefs.map(lambda href: join(BASE, href)).filter(lambda url: bool(url and is_http(url)))
web_urls = st.one_of(
    bases,
    st.lists(st.text(string.ascii_letters + "%./?&=-_~", max_size=8), max_size=6).map(
        lambda segments: join(BASE, "/" + "/".join(segments))
    ),
).filter(lambda url: bool(url and is_http(url)))


@given(hrefs)
def test_urls_are_joined_as_whatwg_specifies_without_the_fragment(href: str) -> None:
    try:
        url = URL(href, BASE)
    except UnicodeEncodeError:
        assert join(BASE, href) == join(
            BASE, href.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        )
    except ValueError:
        assert join(BASE, href) is None
    else:
        url.hash = ""
        joined = join(BASE, href)
        assert joined is not None
        assert joined == url.href.partition("#")[0]


@given(hrefs)
def test_joining_is_idempotent(href: str) -> None:
    url = join(BASE, href)
    if url is not None:
        assert join(BASE, url) == url
        assert "#" not in url


@given(bases, hrefs)
@example("https://example.com/a/b?q", "https:?x")
@example("https://example.com/a/b?q", "https:x")
@example("https://example.com/a/b?q", "http:x")
@example("https://example.com/a/b?q", "")
@example("https://example.com/a/b?q/r", "?")
@example("https://user@example.com/a", "/x")
@example("http://example.com/a", "//x")
@example("http://example.com/a", "/x/y.html")
@example("http://example.com/a", "/x/..")
@example("http://example.com/a/b/c", "../x")
@example("http://example.com/a/b/c", "../../../x-1/_y/")
@example("http://example.com/a//b", "../x")
@example("http://example.com/a/b/", "x/../y")
@example("http://example.com/a/b/", "x/.")
@example("http://example.com/a/b/", "x.\n")
def test_cached_joins_equal_uncached_joins(base: str, href: str) -> None:
    url = join(base, href)
    assert _remembered(Base(base), href) in {None, url}
    assert Base(base).join(href) == url
    assert _remembered(Base(base), href) in {None, url}


def _remembered(base: Base, href: str) -> str | None:
    return base.joined_in_folder.get(href) or base.joined_on_site.get(href)


@given(hrefs)
def test_a_root_is_a_web_address_or_a_usage_error(text: str) -> None:
    try:
        url = parse_root(text)
    except UsageError as e:
        sentence = str(e)
        assert sentence.endswith(".")
        sentence.encode()
        assert "\n" not in sentence
    else:
        assert is_http(url)
        assert parse_root(url) == url
        assert URL(url).href == url


@given(web_urls)
def test_origins_are_as_whatwg_specifies(url: str) -> None:
    assert origin(url) == URL(url).origin


@given(web_urls)
def test_folders_and_page_make_up_the_url(url: str) -> None:
    site, *names = folders(url)
    assert site == origin(url)
    path = URL(url).pathname
    assert path.startswith("".join(f"/{name}" for name in names) + "/")
    assert path.count("/") == len(names) + 1


@given(web_urls, st.sampled_from(HostMatch))
def test_a_root_and_its_siblings_are_in_scope(url: str, host_match: HostMatch) -> None:
    scope = Scope(CrawlSettings(roots=(url,), host_match=host_match))
    assert scope.refusal(url, root=True) is None
    assert scope.refusal(origin(url) + "/other") is None


@given(hrefs, st.sampled_from(HostMatch))
def test_scope_accepts_or_rejects_any_link_of_a_page(target: str, host_match: HostMatch) -> None:
    scope = Scope(CrawlSettings(roots=("https://example.com",), host_match=host_match))
    target = join(BASE, target) or target
    first = scope.refusal(target)
    assert first is None or first.state is Outcome.OUT_OF_SCOPE.state
    assert scope.refusal(target) == first
    if first is None:
        assert "example.com" in origin(target)


@given(st.one_of(hrefs, st.text()))
def test_displayed_urls_hide_no_characters(text: str) -> None:
    for shown in (display_name(text), display_url(text)):
        assert shown.isprintable()
        shown.encode()


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_url_hashes_fit_a_signed_64_bit_column(url: str) -> None:
    assert -(2**63) <= url_key(url) < 2**63
