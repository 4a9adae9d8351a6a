"""The demo site has everything that a newcomer should see a crawler find."""

import http.client
import threading
import time
import xml.etree.ElementTree as ET
from collections import Counter
from contextlib import closing
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from gossamer.demo.page_folder import page_in
from gossamer.demo.server import serve, serve_forever
from gossamer.demo.site import DemoSite, build_site, target_of
from gossamer.model.errors import UsageError
from gossamer.model.program_resources import resource_path
from tests.cases import each_case
from tests.sites.demo_truth import NO_REAL_PAGES, ORIGIN, WORKSHOP, answer_of, expected, header
from tests.sites.link_scan import scanned
from tests.sites.truth import ExpectedUrl, resolve

DEADLINE_S = 10.0


@cache
def demo() -> DemoSite:
    return build_site(ORIGIN)


def museum() -> dict[str, ExpectedUrl]:
    """The pages without the workshop, whose faults are of all kinds."""
    pages = expected().pages.items()
    return {path: page for path, page in pages if not path.startswith(WORKSHOP)}


def connect(origin: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(origin).netloc, timeout=DEADLINE_S)


def page_at(path: str) -> str:
    html = answer_of(demo(), path).html
    assert html is not None
    return html


# --- what is there ---------------------------------------------------------------------------


def test_there_are_some_three_hundred_pages_in_folders() -> None:
    assert 260 <= len(museum()) <= 320
    folders = Counter(path.split("/")[1] for path in expected().pages)
    assert {"collections", "species", "journal", "visit", "shop", "zh", "ar", "de"} <= set(folders)
    assert 70 <= folders["workshop"] <= 110
    assert all(f"/journal/{year}/" in expected().pages for year in range(2019, 2027))
    assert max(expected().urls[path].depth for path in museum()) == 3


def test_the_same_texts_give_the_same_bytes() -> None:
    assert build_site(ORIGIN) == demo()


def test_the_origin_changes_nothing_but_itself() -> None:
    moved = build_site("http://127.0.0.1:1234")
    assert moved.responses.keys() == demo().responses.keys()
    for path, response in moved.responses.items():
        body = response.body.replace(b"http://127.0.0.1:1234", ORIGIN.encode())
        assert (body, response.status) == (
            demo().responses[path].body,
            demo().responses[path].status,
        )


def test_every_link_leads_to_something_the_site_knows() -> None:
    missing = {path for path, url in expected().urls.items() if url.status == 404}
    assert missing == {
        "/collections/dust/",
        "/journal/2018/",
        "/shop/silk-hat.html",
        "/visit/car-park.html",
    }
    assert set(expected().urls) - missing <= set(demo().responses)


def test_every_resource_exists() -> None:
    for path in expected().pages:
        resources = {resolve(path, link) for link in scanned(page_at(path)).resources}
        assert "/assets/museum.css" in resources
        closed_or_foreign = {"/staff/portrait.svg", "http://example.com/spin.js"}
        assert resources - closed_or_foreign <= set(demo().responses)


def test_all_but_the_notice_and_the_end_of_the_thread_can_be_reached() -> None:
    unreached = {path for path, url in demo().responses.items() if path not in expected().urls}
    assert {path for path in unreached if not path.startswith("/assets/")} == {
        "/robots.txt",
        "/sitemap.xml",
        "/workshop/sitemap.xml",
        "/workshop/files/large.js",
        "/workshop/files/large.svg",
        "/workshop/files/thumbnail.bmp",
        "/workshop/canonicals/alone.html",
        "/workshop/languages/unlinked.html",
        "/workshop/series/5.html",
        "/notices/quarantine.html",
        "/thread/12",
        "/thread/13",
        "/thread/14",
        "/thread/spider.html",
    }


def test_only_outsiders_are_external() -> None:
    hosts = {urlsplit(url).hostname for url in expected().external if "localhost" not in url}
    assert hosts == {"example.com"}
    assert len(expected().external) > 20


# --- redirects -------------------------------------------------------------------------------


def test_redirects_are_mixed() -> None:
    statuses = expected().statuses
    assert all(statuses[status] >= 2 for status in (301, 302, 303, 307, 308))


def test_five_redirects_meet_at_the_tickets() -> None:
    meeting = [
        path for path, target in expected().redirects.items() if target == "/visit/tickets.html"
    ]
    assert len(meeting) == 5
    assert {expected().urls[path].status for path in meeting} == {301, 302, 303, 307, 308}


def chain_from(path: str) -> list[str]:
    hops = [path]
    while (location := header(demo().respond(hops[-1]), "Location")) and len(hops) < 20:
        target = resolve(hops[-1], location)
        assert target is not None
        hops.append(target)
    return hops


@each_case(
    ("start", "redirects", "end"),
    [
        ("/museum", 5, "/"),
        ("/spider.php?id=1", 2, "/species/araneus-diadematus.html"),
        ("/ribbon/1", 5, "/thread/bow.html"),
        ("/yarn/1", 10, "/thread/ball.html"),
        ("/thread/1", 14, "/thread/spider.html"),
    ],
)
def test_chains_have_their_length(start: str, redirects: int, end: str) -> None:
    hops = chain_from(start)
    assert (len(hops) - 1, hops[-1]) == (redirects, end)


def test_default_limit_ends_the_thread_but_not_the_yarn() -> None:
    assert "/thread/ball.html" in expected().pages
    assert expected().beyond_limit == {"/thread/12"}
    assert "/thread/spider.html" in expected(max_redirects=14).pages


def test_maze_never_ends() -> None:
    assert Counter(chain_from("/maze/left")).most_common(1)[0][1] > 5
    assert set(chain_from("/maze/mirror")) == {"/maze/mirror"}


def test_a_redirect_leads_nowhere_and_one_leads_out() -> None:
    redirects = expected().redirects
    assert [path for path, target in redirects.items() if target is None] == ["/shop/gift-card"]
    assert redirects["/friends"] == "https://example.com/friends-of-the-gossamer"


# --- errors, slowness, size ------------------------------------------------------------------


def test_errors_are_of_many_kinds_and_have_no_links() -> None:
    errors = {path: url for path, url in expected().urls.items() if (url.status or 0) >= 400}
    assert {url.status for url in errors.values()} == {403, 404, 410, 500, 503}
    assert all(not scanned(page_at(path)).links for path in errors)
    assert header(demo().respond("/live/web-cam"), "Retry-After") == "1"


def test_three_pages_are_slow() -> None:
    slow = {path: one.delay_s for path, one in demo().responses.items() if one.delay_s}
    assert slow == {"/live/hatching-room": 1.0, "/live/pond": 2.0, "/live/attic": 3.0}
    assert slow.keys() <= expected().urls.keys()


def test_one_page_is_large() -> None:
    museum = {path: one for path, one in demo().responses.items() if not path.startswith(WORKSHOP)}
    sizes = sorted((len(one.body), path) for path, one in museum.items())
    assert sizes[-1][1] == "/collections/register.html"
    assert 900_000 <= sizes[-1][0] <= 1_200_000
    assert sizes[-2][0] < 50_000


def test_some_files_are_no_pages() -> None:
    kinds = {
        header(demo().respond(path), "Content-Type")
        for path, url in expected().urls.items()
        if url.status == 200 and not url.is_html and path not in NO_REAL_PAGES
    }
    assert kinds == {"application/pdf", "application/rss+xml"}
    plan = demo().respond("/visit/floor-plan.pdf").body
    table_at = int(plan.split()[-2])
    assert plan.startswith(b"%PDF-1.4")
    assert plan[table_at:].startswith(b"xref")
    ET.fromstring(demo().respond("/assets/web-3.svg").body)  # noqa: S314 - our own file
    ET.fromstring(demo().respond("/journal/feed.xml").body)  # noqa: S314 - our own file


# --- what pages say about themselves ---------------------------------------------------------


def test_titles_are_duplicate_missing_and_long() -> None:
    titles = Counter(url.title for url in museum().values())
    assert titles["Postcard · The Gossamer Museum"] == 2
    assert [path for path, url in museum().items() if url.title is None] == ["/live/"]
    assert max(len(title) for title in titles if title) > 150
    assert sum(1 for count in titles.values() if count > 1) < 6


def test_headlines_and_descriptions_are_missing_or_double() -> None:
    headlines = {path: page_at(path).count("<h1>") for path in museum()}
    assert [path for path, count in headlines.items() if count == 0] == ["/events/", "/live/"]
    assert headlines["/shop/"] == 2
    without = [path for path in museum() if '<meta name="description"' not in page_at(path)]
    assert 15 <= len(without) <= 50


def test_head_holds_canonical_hreflang_noindex_and_refresh() -> None:
    assert f'<link rel="canonical" href="{ORIGIN}/shop/">' in page_at("/shop/?page=1")
    assert f'hreflang="de" href="{ORIGIN}/de/besuch.html"' in page_at("/visit/")
    assert '<meta name="robots" content="noindex">' in page_at("/visit/thank-you.html")
    assert 'content="0; url=/visit/getting-here.html"' in page_at("/visit/map.html")


def test_languages_and_charsets_differ() -> None:
    titles = {path: url.title or "" for path, url in expected().pages.items()}
    assert titles["/zh/"].startswith("游丝博物馆")
    assert titles["/ar/"].startswith("متحف خيط العنكبوت")
    assert 'dir="rtl"' in page_at("/ar/")
    assert titles["/de/chronik.html"].startswith("Chronik: Möwen, Stürme, Fäden")
    assert header(demo().respond("/de/chronik.html"), "Content-Type") == (
        "text/html; charset=iso-8859-1"
    )
    old = target_of("/zh/旧闻.html")
    assert titles[old].startswith("旧闻")
    assert header(demo().respond(old), "Content-Type") == "text/html"


def test_robots_and_site_map() -> None:
    assert [path for path, url in expected().urls.items() if url.status is None] == [
        "/staff/rota.html"
    ]
    assert f"Sitemap: {ORIGIN}/sitemap.xml".encode() in demo().respond("/robots.txt").body
    tree = ET.fromstring(demo().respond("/sitemap.xml").body)  # noqa: S314 - our own file
    located = {(element.text or "").removeprefix(ORIGIN) for element in tree.findall(".//{*}loc")}
    assert located - expected().pages.keys() == {"/notices/quarantine.html", "/thread/spider.html"}
    assert "/staff/rota.html" not in located
    assert "/visit/thank-you.html" not in located


# --- the server ------------------------------------------------------------------------------


def test_server_answers_as_the_site_says() -> None:
    with serve() as origin, closing(connect(origin)) as connection:
        site = build_site(origin)
        for path in ["/", "/maze/mirror", "/shop/?page=2", "/live/web-cam", "/nowhere"]:
            connection.request("GET", path)
            response = connection.getresponse()
            told = site.respond(path)
            assert (response.status, response.read()) == (told.status, told.body)
            assert set(told.headers) <= set(response.getheaders())
        # The connection is still the first one: it was kept alive.
        assert connection.sock is not None


def test_head_is_get_without_its_body() -> None:
    with serve() as origin, closing(connect(origin)) as connection:
        connection.request("HEAD", "/collections/register.html")
        response = connection.getresponse()
        assert int(response.headers["Content-Length"]) > 900_000
        assert response.read() == b""


def test_slow_pages_take_their_time_and_stopping_does_not_wait() -> None:
    answered = threading.Barrier(2, timeout=DEADLINE_S)
    cut: list[Exception] = []

    def ask_slow(origin: str) -> None:
        with closing(connect(origin)) as connection:
            connection.request("GET", "/live/hatching-room")
            begun_s = time.monotonic()
            assert connection.getresponse().read()
            assert time.monotonic() - begun_s >= 0.9
            connection.request("GET", "/live/attic")
            answered.wait()
            try:
                connection.getresponse()
            except (http.client.RemoteDisconnected, ConnectionError) as problem:
                cut.append(problem)

    with serve() as origin:
        thread = threading.Thread(target=ask_slow, args=[origin])
        thread.start()
        answered.wait()
    thread.join(DEADLINE_S)
    assert len(cut) == 1, "the answer was not waited for"


def test_serve_forever_tells_where_and_ends_when_told() -> None:
    told: list[str] = []

    def crawl() -> None:
        with closing(connect(told[0])) as connection:
            connection.request("GET", "/robots.txt")
            assert connection.getresponse().status == 200

    serve_forever(announce=told.append, until=crawl)
    with closing(connect(told[0])) as connection, pytest.raises(ConnectionRefusedError):
        connection.connect()


@pytest.mark.parametrize(
    ("target", "body"),
    [
        ("/collections/dust/", b"dust"),
        ("/collections/dust/?page=2", b"dust"),
        ("/visit/caf%C3%A9.html", b"coffee"),
        ("/", b"home"),
        ("/collections/dust", None),
        ("/visit/", None),
        ("/../secret.html", None),
        ("/%2e%2e/secret.html", None),
        ("/visit/%00", None),
        ("/leak.html", None),
    ],
)
def test_files_of_a_folder_take_the_place_of_pages(
    tmp_path: Path, target: str, body: bytes | None
) -> None:
    folder = tmp_path / "museum"
    (folder / "collections" / "dust").mkdir(parents=True)
    (folder / "visit").mkdir()
    (folder / "collections" / "dust" / "index.html").write_bytes(b"dust")
    (folder / "visit" / "café.html").write_bytes(b"coffee")
    (folder / "index.html").write_bytes(b"home")
    (tmp_path / "secret.html").write_bytes(b"secret")
    (folder / "leak.html").symlink_to(tmp_path / "secret.html")
    found = page_in(folder, target)
    assert (found and found.body) == body


def test_a_page_can_be_mended_while_it_is_served(tmp_path: Path) -> None:
    with serve(folder=tmp_path) as origin, closing(connect(origin)) as connection:

        def status() -> int:
            connection.request("GET", "/shop/silk-hat.html")
            response = connection.getresponse()
            response.read()
            return response.status

        assert status() == 404
        (tmp_path / "shop").mkdir()
        (tmp_path / "shop" / "silk-hat.html").write_text("<title>Silk hat</title>")
        assert status() == 200


def test_port_that_is_taken_is_a_sentence() -> None:
    with serve() as origin:
        port = urlsplit(origin).port
        assert port is not None
        with (
            pytest.raises(UsageError, match=rf"cannot use port {port}; choose"),
            serve(port),
        ):
            pytest.fail("two servers on one port")


def test_missing_resource_is_a_sentence() -> None:
    assert resource_path("demo", "museum.css").is_file()
    with pytest.raises(FileNotFoundError, match=r"own file resources/demo/moths\.toml is missing"):
        resource_path("demo", "moths.toml")
