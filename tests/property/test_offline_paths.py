"""A URL has a path of its own in a copy, which stays in its folder and suits all systems."""

import re

from hypothesis import example, given
from hypothesis import strategies as st

from gossamer.urls.offline_paths import MAX_PATH, offline_path, relative_path
from gossamer.urls.url_parsing import is_http, join

ODD = st.sampled_from(
    [
        *("..", ".", "con", "NUL", "aux.html", "a", "A", "a.html", "index.html", "index", "a."),
        *("~", " ", "%2e%2e", "%00", "\\", ":", "com1", "x" * 300, "é", "", "0" * 16),
        "a-0123456789abcdef",
    ]
)
HOSTS = st.sampled_from(["a", "a:8080", "a_8080", "con", "con.b", "B.c.", "[::1]:9", "u:p@a", "é"])


@st.composite
def urls(draw: st.DrawFn) -> str:
    """Serialised URLs, the odder the better."""
    path = "/".join(draw(st.lists(ODD | st.text(max_size=5), max_size=6)))
    query = draw(st.sampled_from(["", "?", "?q", "?../../x"]))
    scheme = draw(st.sampled_from(["http", "https"]))
    url = join(
        "http://x/", f"{scheme}://{draw(HOSTS)}/{path.replace('?', '').replace('#', '')}{query}"
    )
    return url if url is not None and is_http(url) else "http://a/"


SAFE = re.compile(r"https?/(?!\.)[a-z0-9_.-]*[a-z0-9_-]/(?:[a-z0-9_-]+/)*[a-z0-9_-]+\.(?:html|css)")
RESERVED = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?")


@given(urls(), urls(), st.sampled_from([".html", ".css"]))
@example("http://a/a", "http://a/a.html", ".html")
@example("http://a/", "http://a/index.html", ".html")
@example("http://a/A", "http://a/a", ".html")
@example("http://a/a.html/", "http://a/a.html", ".html")
@example("http://a:8080/", "http://a_8080/", ".html")
def test_paths_are_safe_and_apart(one: str, other: str, suffix: str) -> None:
    path, second = offline_path(one, suffix), offline_path(other, suffix)
    assert SAFE.fullmatch(path)
    assert len(path) <= MAX_PATH
    assert not any(RESERVED.fullmatch(each) for each in path.split("/"))
    assert (path == second) == (one == other)
    # No file is in the place of a folder.
    assert not second.startswith(f"{path}/")
    assert "//" not in relative_path(path, second)


def test_usual_urls_keep_their_names() -> None:
    assert offline_path("https://a.example/docs/", ".html") == "https/a.example/docs/index.html"
    assert offline_path("https://a.example/x/y.css", ".css") == "https/a.example/x/y.css"
    named = offline_path("https://a.example/About?x=1", ".html")
    assert re.fullmatch(r"https/a\.example/about-[0-9a-f]{16}\.html", named)
