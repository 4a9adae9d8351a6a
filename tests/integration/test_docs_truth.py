"""The truth about served documentation is true: it is compared with nginx itself."""

import http.client
from contextlib import closing
from pathlib import Path

import pytest

from tests.patience import PATIENCE_S
from tests.sites.docs_truth import nginx_answer
from tests.sites.documentation import ServedDocumentation
from tests.sites.nginx import Nginx, find_nginx
from tests.sites.truth import Answer, resolve, walk


def connect(url: str) -> http.client.HTTPConnection:
    host = url.removeprefix("http://").partition("/")[0]
    return http.client.HTTPConnection(host, timeout=PATIENCE_S)


def test_every_expected_url_is_answered_as_expected(nginx_docs: ServedDocumentation) -> None:
    truth = nginx_docs.truth
    assert len(truth.pages) > 400
    with closing(connect(nginx_docs.root_url)) as connection:
        wrong = {}
        for path, expected in truth.urls.items():
            connection.request("GET", path)
            response = connection.getresponse()
            body = response.read()
            is_html = response.headers["Content-Type"] == "text/html" and response.status == 200
            if (response.status, is_html) != (expected.status, expected.is_html):
                wrong[path] = response.status
            assert body
    assert wrong == {}


def test_the_nginx_model_matches_real_nginx(tmp_path: Path) -> None:
    program = find_nginx()
    if program is None:
        pytest.skip("needs nginx (the Debian package nginx-light)")
    folder = tmp_path / "html"
    (folder / "with" / "deeper").mkdir(parents=True)
    (folder / "without").mkdir()
    (folder / "with" / "index.html").write_text("<title>with</title>")
    (folder / "a(1).html").write_text("<title>a</title>")
    (folder / "日本.html").write_text("<title>Japan</title>")
    (folder / "style.css").write_text("body {}")
    (tmp_path / "outside.html").write_text("<title>outside</title>")
    paths = [
        *["/", "/with", "/with/", "/with?a=b", "/without", "/without/", "/missing.html"],
        *["/a(1).html", "/a%281%29.html", "/a(1).html/", "/%E6%97%A5%E6%9C%AC.html", "/style.css"],
        *["/with//index.html", "/with/./index.html", "/with/deeper/../index.html"],
        *["/../outside.html", "/%2e%2e/outside.html", "/missing/", "/with/index.html?a=/"],
    ]
    tmp = tmp_path / "nginx"
    tmp.mkdir()
    with Nginx(program, folder, tmp) as server, closing(connect(server.url())) as connection:
        for path in paths:
            connection.request("GET", path)
            response = connection.getresponse()
            response.read()
            expected = nginx_answer(folder, path)
            assert response.status == expected.status, path
            if expected.location is not None:
                located = resolve(server.url(path), response.headers["Location"])
                assert located == server.url(expected.location), path


def test_nginx_that_cannot_start_says_why(tmp_path: Path) -> None:
    program = find_nginx()
    if program is None:
        pytest.skip("needs nginx (the Debian package nginx-light)")
    with pytest.raises(RuntimeError, match="directive is not allowed here"):
        Nginx(program, Path('broken"; server {'), tmp_path).__enter__()


def test_expected_depths_and_links_are_those_a_visitor_would_count() -> None:
    pages = {
        "/": '<title> A\n b </title><a href="/b"></a><a href="b#x"></a><a href="?#top"></a>',
        "/b": '<base href="/deep/"><a href="c"></a><iframe src="d"></iframe><a>none</a>',
        "/deep/c": "<title>first</title><title>second</title>"
        '<area href="/old"><frame src="http://[bad"><a href="mailto:a@b"></a>',
        "/deep/d": '<a href="https://example.com/x#y"></a><img src="/never.png"><a href></a>',
        "/end": '<title>Caf&eacute; &amp; more</title><a href="/late"></a><a href="%28"></a>',
        "/late": '<a href="/deep/c"></a>',
        "/%28": '<a href="("></a>',
    }
    redirects = {"/old": "/older", "/older": "/end", "/deep/": "https://example.org/"}

    def answer_at(path: str) -> Answer:
        if path in redirects:
            return Answer(301, location=redirects[path])
        if path in pages:
            return Answer(200, html=pages[path])
        return Answer(404)

    truth = walk("/", answer_at)
    assert {path: url.depth for path, url in truth.urls.items()} == {
        "/": 0,
        "/b": 1,
        "/?": 1,
        "/deep/c": 2,
        "/deep/d": 2,
        "/old": 3,
        "/older": 3,
        "/end": 3,
        "/late": 4,
        "/%28": 4,
        "/(": 5,
    }
    assert truth.external == {"https://example.com/x"}
    assert truth.statuses == {200: 7, 301: 2, 404: 2}
    assert truth.urls["/"].title == "A b"
    assert truth.urls["/deep/c"].title == "first"
    assert truth.urls["/end"].title == "Café & more"
    assert truth.urls["/b"].title is None
    assert truth.urls["/old"].redirects_to == "/older"
    assert (truth.urls["/b"].inlinks, truth.urls["/b"].linking_pages) == (2, 1)
    assert truth.urls["/deep/d"].self_links == 1
    assert truth.urls["/deep/c"].linking_pages == 2


def test_redirect_lowers_the_depth_of_what_was_found_deeper() -> None:
    answers = {
        "/": Answer(200, html='<a href="/far"></a><a href="/jump">'),
        "/far": Answer(200, html='<a href="/near">'),
        "/jump": Answer(307, location="/near"),
        "/near": Answer(200, html='<a href="/jump">'),
    }
    depths = {path: url.depth for path, url in walk("/", answers.__getitem__).urls.items()}
    assert depths == {"/": 0, "/far": 1, "/jump": 1, "/near": 1}


def test_redirects_are_followed_up_to_the_limit_from_the_nearest_link() -> None:
    hops = {f"/{number}": f"/{number + 1}" for number in range(1, 6)}
    home = "<a href=/1>"

    def answer_at(path: str) -> Answer:
        if path == "/":
            return Answer(200, html=home)
        return Answer(301, location=hops[path]) if path in hops else Answer(200)

    limited = walk("/", answer_at, max_redirects=2)
    assert limited.redirects == {"/1": "/2", "/2": "/3", "/3": "/4"}
    assert limited.beyond_limit == {"/4"}
    home = "<a href=/1><a href=/3>"
    assert walk("/", answer_at, max_redirects=2).beyond_limit == {"/6"}
    home = "<a href=/1><a href=/4>"
    complete = walk("/", answer_at, max_redirects=2)
    assert complete.beyond_limit == frozenset()
    assert complete.urls["/6"].depth == 1
