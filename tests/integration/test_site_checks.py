"""Whole crawls of hosts that answer made-up URLs in all the ways that there are."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gossamer.audit.site_audit import run_site_audit
from gossamer.audit.soft_404_hosts import host_sentences
from gossamer.model.project_queries import View
from gossamer.model.site_checks import SiteCheckRow
from gossamer.store.reading.reader import Reader
from tests.integration.audited_sites import listed_urls
from tests.integration.crawling import crawl_all
from tests.sites import Site
from tests.sites.responses import Response, html_page

ROSES = "<p>Roses want sun and water and a friend who cuts them back in spring.</p>" * 5
SORRY = "<p>We looked everywhere in our garden and found nothing of that sort.</p>"


def a_site(site: Site) -> None:
    site.page("/", links=["/gone", "/roses", "/moved"], body=ROSES, title="Our garden of roses")
    site.page("/roses", body=ROSES + "<p>Red ones.</p>", title="Roses of all colours")
    site.redirect("/moved", "/roses")


def checks(path: Path) -> list[SiteCheckRow]:
    with Reader(path) as reader:
        return reader.site_checks()


def soft(path: Path, site: Site) -> set[str]:
    run_site_audit(path)
    found = listed_urls(path).get("Content: Soft 404 Pages", set())
    return {url.removeprefix(site.url("")) for url in found}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "a.gossamer"


def test_a_host_that_answers_everything_is_recognised(site: Site, path: Path) -> None:
    a_site(site)
    site.generate(lambda _: Response(body=html_page("Our garden", (), SORRY)))
    crawl_all(path, site.url("/"))
    assert soft(path, site) == {"/gone"}
    asked = sorted(request.path.rstrip("0123456789abcdef") for request in site.checks)
    assert asked == ["/gossamer-made-up-", "/gossamer-made-up-", "/llms.txt"]
    assert len(host_sentences(checks(path))) == 1


def test_a_made_up_url_is_in_no_list_and_no_count(site: Site, path: Path) -> None:
    a_site(site)
    site.status("/gone", 404)
    crawl_all(path, site.url("/"))
    with Reader(path) as reader:
        urls = {record.url.removeprefix(site.url("")) for record in reader.iterate(View.ALL)}
    assert urls == {"/", "/gone", "/roses", "/moved"}
    with closing(sqlite3.connect(path)) as connection:
        (answers,) = connection.execute("SELECT sum(urls) FROM status_count").fetchone()
    assert answers == 4
    assert len(site.checks) == 2


def test_a_host_that_repeats_the_url_in_its_answer_is_recognised(site: Site, path: Path) -> None:
    a_site(site)

    def answer(target: str) -> Response:
        name = target.strip("/")
        text = f"<p>Alas, {name} grows nowhere in our garden. Try our search instead.</p>"
        return Response(body=html_page(f"{name} is not here", (), text))

    site.generate(answer)
    crawl_all(path, site.url("/"))
    assert soft(path, site) == {"/gone"}


def test_a_host_that_redirects_everything_home_is_recognised(site: Site, path: Path) -> None:
    a_site(site)
    site.generate(lambda _: Response(302, b"", None, (("Location", "/"),)))
    crawl_all(path, site.url("/"))
    assert soft(path, site) == {"/gone"}


@pytest.mark.parametrize("parser", ["selectolax", "beautifulsoup"])
def test_a_shell_that_scripts_fill_is_told_of_once(site: Site, path: Path, parser: str) -> None:
    shell = Response(body=b"<title>App</title><div id=root></div><script src=/a.js></script>")
    site.page("/sitemap", links=[f"/p{n}" for n in range(5)])
    site.generate(lambda _: shell)
    crawl_all(path, site.url("/"), parser=parser)
    assert soft(path, site) == set()
    assert len(host_sentences(checks(path))) == 1


@pytest.mark.parametrize("status", [404, 410, 403, 429, 500, 503])
def test_errors_are_no_soft_errors(site: Site, path: Path, status: int) -> None:
    a_site(site)
    site.robots("")  # a host that has no answer to this is not crawled
    site.page("/gone", body=SORRY)
    site.generate(lambda _: Response(status, b"no", "text/plain"))
    crawl_all(path, site.url("/"), max_tries=1)
    assert {check.status for check in checks(path)} == {status}
    assert soft(path, site) == set()
    assert host_sentences(checks(path)) == []


def test_a_host_that_never_answers_a_made_up_url_does_not_hold_up_the_crawl(
    site: Site, path: Path
) -> None:
    a_site(site)
    site.status("/gone", 404)
    site.robots("")
    site.generate(lambda _: Response(delay_s=3600))
    crawl_all(path, site.url("/"), timeout_s=1, max_tries=1, llms_txt=False)
    (check,) = checks(path)
    assert (check.status, check.outcome is None) == (None, False)


def test_robots_txt_forbids_made_up_urls(site: Site, path: Path) -> None:
    a_site(site)
    site.robots("User-agent: *\nDisallow: /goss\nDisallow: /llms.txt\n")
    crawl_all(path, site.url("/"))
    assert site.checks == []
    assert {check.status for check in checks(path)} == {None}


def test_both_requests_can_be_turned_off(site: Site, path: Path) -> None:
    a_site(site)
    crawl_all(path, site.url("/"), soft_404_probe=False, llms_txt=False)
    assert site.checks == []
    assert checks(path) == []
