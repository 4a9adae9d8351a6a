"""Digest authentication on the wire: who is sent which answer, and who is sent nothing."""

from pathlib import Path

import pytest

from gossamer.fetch import HttpFetcher
from gossamer.fetch.resource_exchange import ResourceRequest
from gossamer.model.crawl_state import CrawlState
from gossamer.model.outcome import PAGES, Outcome
from gossamer.model.secrets import HttpAuth, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.settings.rendering_choices import RenderMode
from gossamer.model.visit import Visit
from tests.fakes.browsers import NEEDS_BROWSER
from tests.integration.crawling import closing, records, run, sessions, until_rest
from tests.integration.fetching import run as run_fetcher
from tests.sites import Site
from tests.sites.digest_site import DigestSite

AUTH = HttpAuth("jo", "s3cret", is_digest=True)
PAGES_OF_SITE = ["/", *(f"/{number}" for number in range(30))]


def secrets_for(site: Site, auth: HttpAuth = AUTH) -> Secrets:
    return Secrets({site.url("/").rstrip("/"): OriginSecrets(auth=auth)})


def fetched(site: Site, *paths: str, auth: HttpAuth = AUTH) -> list[Visit]:
    """One after the other, with one fetcher."""

    async def act(fetcher: HttpFetcher) -> list[Visit]:
        return [await fetcher.fetch(site.url(path)) for path in paths]

    return run_fetcher(act, secrets=secrets_for(site, auth))


@pytest.mark.parametrize("algorithm", ["MD5", "MD5-sess", "SHA-256", "SHA-256-sess"])
def test_a_challenge_is_answered_and_later_requests_answer_it_at_once(
    site: Site, algorithm: str
) -> None:
    members = DigestSite(site, "jo", "s3cret", ["/", "/a"], algorithm=algorithm)
    visits = fetched(site, "/", "/a", "/a?x=1&y=%20")
    assert [visit.status for visit in visits] == [200, 200, 404]
    assert members.granted == ["/", "/a"]
    assert members.challenged == 1


def test_the_password_itself_is_never_sent(site: Site) -> None:
    DigestSite(site, "jo", "s3cret")
    fetched(site, "/")
    sent = [request.header("Authorization") for request in site.requests]
    assert sent[0] is None
    assert all(header is None or header.startswith("Digest ") for header in sent)


def test_a_password_for_both_is_sent_as_digest_once_a_server_asks_for_it(site: Site) -> None:
    members = DigestSite(site, "jo", "s3cret", ["/", "/a"])
    fetched(site, "/", "/a", auth=HttpAuth("jo", "s3cret"))
    schemes = [(request.header("Authorization") or "").split()[0] for request in site.requests]
    assert schemes == ["Basic", "Digest", "Digest"]
    assert members.granted == ["/", "/a"]


def test_a_wrong_password_is_sent_once_for_each_request(site: Site) -> None:
    DigestSite(site, "jo", "other", ["/", "/a"])
    visits = fetched(site, "/", "/a")
    assert [visit.status for visit in visits] == [401, 401]
    assert site.paths == ["/", "/", "/a"]


def test_a_nonce_that_runs_out_is_replaced(site: Site) -> None:
    members = DigestSite(site, "jo", "s3cret", PAGES_OF_SITE, uses=3)
    visits = fetched(site, *PAGES_OF_SITE[:8])
    assert {visit.status for visit in visits} == {200}
    assert members.challenged == 3


def test_a_user_name_in_utf_8_is_let_in(site: Site) -> None:
    DigestSite(site, "j\u00f6", "p\u00e4ss")
    [visit] = fetched(site, "/", auth=HttpAuth("j\u00f6", "p\u00e4ss", is_digest=True))
    assert visit.status == 200


def test_no_other_server_is_answered(site: Site) -> None:
    with Site() as other:
        members = DigestSite(other, "jo", "s3cret")

        async def act(fetcher: HttpFetcher) -> Visit:
            return await fetcher.fetch(other.url("/"))

        assert run_fetcher(act, secrets=secrets_for(site)).status == 401
        assert members.granted == []
        assert [request.header("Authorization") for request in other.requests] == [None]


def test_what_a_rendered_page_loads_is_let_in_too(site: Site) -> None:
    members = DigestSite(site, "jo", "s3cret", ["/data"])

    async def act(fetcher: HttpFetcher) -> int | None:
        _, answer = await fetcher.fetch_resource(ResourceRequest(site.url("/data")), 100_000)
        return answer.status

    assert run_fetcher(act, secrets=secrets_for(site)) == 200
    assert members.granted == ["/data"]


def crawled(site: Site, path: Path, **changes: object) -> dict[str, Outcome]:
    settings = CrawlSettings(roots=(site.url("/"),), **changes)  # type: ignore[arg-type]  # field by field

    async def main() -> None:
        bound = secrets_for(site)
        async with closing(sessions().create(settings, path, bound=bound)) as session:
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())
    return {url: row.outcome for url, row in records(path).items()}


def test_many_workers_are_let_in_at_once(site: Site, tmp_path: Path) -> None:
    members = DigestSite(site, "jo", "s3cret", PAGES_OF_SITE, uses=5)
    outcomes = crawled(site, tmp_path / "a.gossamer", workers=16, processes=2)
    assert len(outcomes) == len(PAGES_OF_SITE)
    assert set(outcomes.values()) <= PAGES
    assert set(members.granted) >= set(PAGES_OF_SITE)


@NEEDS_BROWSER
def test_a_crawl_that_renders_is_let_in(site: Site, tmp_path: Path) -> None:
    members = DigestSite(site, "jo", "s3cret", ["/", "/a"])
    outcomes = crawled(site, tmp_path / "a.gossamer", render=RenderMode.ON)
    assert set(outcomes.values()) <= PAGES
    assert set(members.granted) == {"/", "/a"}


def test_a_project_asks_for_the_password_and_keeps_it_for_digest(
    site: Site, tmp_path: Path
) -> None:
    DigestSite(site, "jo", "s3cret")
    crawled(site, tmp_path / "a.gossamer")
    [needed] = sessions().open(tmp_path / "a.gossamer").missing_secrets
    assert (needed.user, needed.is_digest) == ("jo", True)
