"""Logging in with forms, without a browser: what comes back, and where nothing is sent."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qs

import pytest

from gossamer.model.crawl_state import ALLOWED, Command, CrawlState
from gossamer.model.errors import UsageError
from gossamer.model.login_form import FormStep, LoginForm, step_of
from gossamer.model.messages.crawl_messages import BulkActionKind, Progress, UrlSelection
from gossamer.model.outcome import PAGES
from gossamer.model.secrets import OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.form_login import FormLogin
from tests.integration.crawling import closing, records, run, sessions, until_rest
from tests.sites import Response, Site
from tests.sites.cookie_sites import told
from tests.sites.ledger import Request
from tests.sites.login_site import (
    CODE,
    FORM,
    PASSWORD,
    SESSION,
    USER,
    LoginSite,
    answering,
    by_post,
)

if TYPE_CHECKING:
    from gossamer.model.html_forms import PageForm

VALUES = {"user": USER, "password": PASSWORD, "code": CODE}


def recorded(site: Site) -> LoginForm:
    """The form of `LoginSite`."""
    return LoginForm(
        page=site.url("/login"),
        steps=(
            FormStep(submit_url=site.url("/login"), typed=("user",), secret=("password",)),
            FormStep(submit_url=site.url("/code"), codes=("code",)),
        ),
    )


def tried(site: Site, path: str = "/login", **values: str) -> FormLogin:
    """Log in at `path` with its likeliest form, and what follows it."""
    typed = VALUES | values

    async def main() -> FormLogin:
        async with FormLogin(CrawlSettings(roots=(site.url("/"),))) as login:
            form: PageForm | None = (await login.find(site.url(path)))[0]
            while form is not None:
                form = await login.submit(form, step_of(form), typed)
        return login

    return run(main())


def refusal(main: Callable[[], object]) -> str:
    with pytest.raises(UsageError) as caught:
        main()
    return str(caught.value)


def test_a_login_with_token_cookie_and_code_ends_with_the_cookies_of_the_session(
    site: Site,
) -> None:
    LoginSite(site)
    login = tried(site)
    [(origin, secrets)] = login.page.login.origins.items()
    assert origin == site.url("/").rstrip("/")
    assert {each.name: each.value for each in secrets.login.cookies}["session"] == SESSION
    assert login.page.title.startswith("members")


def test_a_wrong_password_is_told_from_a_login(site: Site) -> None:
    LoginSite(site)
    assert "shows the form again" in refusal(lambda: tried(site, password="wrong"))  # noqa: S106 - of a site that is made up


def test_the_form_again_with_status_200_is_no_login(site: Site) -> None:
    form = FORM.format("/login")
    by_post(site, "/login", form, answering(("Set-Cookie", "tries=1"), body=form))
    assert "shows the form again" in refusal(lambda: tried(site))


def test_a_captcha_is_left_to_a_person(site: Site) -> None:
    form = FORM.format("/login").replace("</form>", "<div class=g-recaptcha></div></form>")
    by_post(site, "/login", form, answering(("Set-Cookie", "tries=1"), body=form))
    said = refusal(lambda: tried(site))
    assert "with a captcha; log in in a browser window instead: 'gossamer login URL'" in said


def test_a_name_and_then_a_password_are_two_steps(site: Site) -> None:
    by_post(
        site,
        "/login",
        "<form method=post><input name=user></form>",
        answering(
            body="<form method=post action=/word><input name=user value=jo readonly>"
            "<input type=password name=password></form>"
        ),
    )
    site.answer("/word", lambda _: answering(("Set-Cookie", "session=1; Path=/")))
    login = tried(site)
    assert login.page.login
    fields = [parse_qs(request.body.decode()) for request in site.requests if request.body]
    assert fields == [{"user": [USER]}, {"user": [USER], "password": [PASSWORD]}]


def test_a_redirect_to_another_site_ends_the_login_and_is_not_asked_for(site: Site) -> None:
    with Site("localhost") as other:
        other.page("/sso")
        site.redirect("/login", other.url("/sso"))
        assert "another site that people log in at" in refusal(lambda: tried(site))
        assert other.requests == []


def test_a_form_that_is_sent_to_another_site_is_not_filled_in(site: Site) -> None:
    with Site("localhost") as other:
        site.answer("/login", lambda _: answering(body=FORM.format(other.url("/in"))))
        assert "is sent to localhost" in refusal(lambda: tried(site))
        assert other.requests == []


def test_a_password_is_not_sent_on_to_another_server(site: Site) -> None:
    with Site() as other:
        on = Response(307, b"", None, (("Location", other.url("/in")),))
        by_post(site, "/login", FORM.format("/login"), on)
        assert "leads to" in refusal(lambda: tried(site))
        assert other.requests == []


def test_a_server_that_wants_to_be_left_alone_is(site: Site) -> None:
    by_post(site, "/login", FORM.format("/login"), answering(("Retry-After", "120"), status=429))
    assert "try again in 2 minute(s)" in refusal(lambda: tried(site))


def test_an_error_after_the_form_is_told_with_its_status(site: Site) -> None:
    by_post(site, "/login", FORM.format("/login"), answering(status=500))
    assert "status 500" in refusal(lambda: tried(site))


def test_a_login_page_that_is_not_there_is_told_with_its_status(site: Site) -> None:
    site.status("/login", 404)
    assert "status 404" in refusal(lambda: tried(site))


def test_a_server_that_does_not_answer_is_told(site: Site) -> None:
    site.reset("/login")
    assert site.url("/login") in refusal(lambda: tried(site))


def test_a_page_whose_form_scripts_make_leads_to_the_browser_login(site: Site) -> None:
    site.page("/login", body="<div id=app></div><script src=/app.js></script>")
    message = refusal(lambda: tried(site))
    assert "has no login form" in message
    assert "gossamer login URL" in message


def test_a_login_without_a_cookie_is_left_to_scripts(site: Site) -> None:
    by_post(site, "/login", FORM.format("/login"), answering())
    assert "set no cookie" in refusal(lambda: tried(site))


def test_cookies_for_a_host_that_is_not_crawled_are_told(site: Site) -> None:
    with Site("localhost") as other:
        by_post(other, "/login", FORM.format("/login"), answering(("Set-Cookie", "session=1")))

        async def main() -> None:
            async with FormLogin(CrawlSettings(roots=(site.url("/"),))) as login:
                [form] = await login.find(other.url("/login"))
                await login.submit(form, step_of(form), VALUES)

        assert "are for localhost" in refusal(lambda: run(main()))


def test_an_answer_for_scripts_is_a_login_only_if_it_sets_a_cookie(site: Site) -> None:
    first = ("Set-Cookie", "seen=1; Path=/")
    answer = Response(200, b'{"error": "wrong"}', "application/json")

    def respond(request: Request) -> Response:
        return answer if request.method == "POST" else answering(first, body=FORM.format("/login"))

    site.answer("/login", respond)
    assert "not a page" in refusal(lambda: tried(site))
    session = ("Set-Cookie", "session=1; Path=/")
    answer = Response(200, b"{}", "application/json", (session,))
    assert tried(site).page.login


def test_a_form_in_a_frame_of_the_site_is_found(site: Site) -> None:
    site.page("/login", body="<iframe src=/frame></iframe>")
    by_post(site, "/frame", FORM.format("/frame"), answering(("Set-Cookie", "session=1")))
    assert tried(site).page.login


def test_a_form_in_a_frame_of_another_site_is_not_looked_for(site: Site) -> None:
    with Site("localhost") as other:
        site.page("/login", body=f"<iframe src={other.url('/frame')}></iframe>")
        assert "only frames" in refusal(lambda: tried(site))
        assert other.requests == []


def test_a_form_by_get_logs_in_too(site: Site) -> None:
    site.answer("/login", lambda _: answering(body=FORM.format("/in").replace("post", "get")))
    site.generate(
        lambda path: answering(("Set-Cookie", "session=1")) if path.startswith("/in?") else None
    )
    assert tried(site).page.login
    assert site.paths[-1] == f"/in?user={USER}&password={PASSWORD}"


def crawled(site: Site, path: Path, values: dict[str, str]) -> None:
    """A crawl that logs in with the recorded form."""
    settings = CrawlSettings(roots=(site.url("/"),), login_form=recorded(site))
    origin = site.url("/").rstrip("/")

    async def main() -> None:
        async with closing(sessions().create(settings, path)) as session:
            assert [set(names.form) for names in session.missing_secrets] == [set(VALUES)]
            typed = OriginSecrets(form=tuple(values.items()))
            session.add_secrets(Secrets({origin: typed}))
            await session.start()
            assert await until_rest(session) is CrawlState.FINISHED

    run(main())


def test_a_crawl_logs_in_with_its_form_before_it_starts(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    path = tmp_path / "a.gossamer"
    crawled(site, path, VALUES)
    assert records(path)[site.url("/account")].outcome in PAGES
    asked = [told(request) for request in site.requests if request.path == "/account"]
    assert asked[-1]["session"] == SESSION
    assert PASSWORD.encode() not in path.read_bytes()
    assert SESSION.encode() not in path.read_bytes()


def test_a_crawl_whose_login_fails_makes_no_other_request(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    with pytest.raises(UsageError, match="shows the form again"):
        crawled(site, tmp_path / "a.gossamer", VALUES | {"password": "wrong"})
    assert set(site.paths) == {"/login"}


def test_a_project_asks_for_what_its_form_needs_again(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    path = tmp_path / "a.gossamer"
    crawled(site, path, VALUES)
    session = sessions().open(path)
    assert session.settings.login_form == recorded(site)
    with pytest.raises(UsageError, match="the field user of the login form"):
        run(session.start())


@pytest.mark.parametrize("ends_by", ["cancel", "close"])
def test_a_login_ends_at_once_with_its_crawl(site: Site, tmp_path: Path, ends_by: str) -> None:
    site.slow("/login")
    path = tmp_path / "a.gossamer"
    settings = CrawlSettings(roots=(site.url("/"),), login_form=recorded(site))

    async def main() -> CrawlState:
        async with closing(sessions().create(settings, path)) as session:
            typed = OriginSecrets(form=tuple(VALUES.items()))
            session.add_secrets(Secrets({site.url("/").rstrip("/"): typed}))
            async with asyncio.TaskGroup() as tasks:
                tasks.create_task(session.start(), name="start")
                await site.wait_for_in_flight(1)
                assert Command.CANCEL in ALLOWED[session.state]
                assert str(session.progress.starting) == "Logging in…"
                await (session.cancel() if ends_by == "cancel" else session.close())
            await site.wait_for_disconnect()
            assert session.progress.starting is None
            return session.state

    ended = CrawlState.CANCELLED if ends_by == "cancel" else CrawlState.NEW
    assert run(main()) is ended
    assert site.paths == ["/login"]
    assert sessions().open(path).state is ended


def test_a_login_that_fails_lets_no_finished_crawl_finish_again(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    path = tmp_path / "a.gossamer"
    crawled(site, path, VALUES)
    session = sessions().open(path)
    typed = OriginSecrets(form=tuple({**VALUES, "password": "wrong"}.items()))
    session.add_secrets(Secrets({site.url("/").rstrip("/"): typed}))
    seen: list[tuple[CrawlState, str]] = []

    async def main() -> None:
        async with closing(session), asyncio.TaskGroup() as tasks:

            async def follow() -> None:
                async for report in session.updates():
                    assert isinstance(report, Progress)
                    seen.append((report.state, str(report.starting or "")))

            following = tasks.create_task(follow(), name="follow")
            with pytest.raises(UsageError):
                await session.perform(BulkActionKind.RECRAWL, UrlSelection(ids=(1,)))
            following.cancel()

    run(main())
    assert (CrawlState.FINISHED, "Logging in…") in seen
    assert {state for state, _ in seen} == {CrawlState.FINISHED}


def test_a_form_that_has_changed_is_to_be_recorded_again(site: Site) -> None:
    site.answer("/login", lambda _: answering(body=FORM.format("/login").replace("user", "mail")))

    async def main() -> None:
        async with FormLogin(CrawlSettings(roots=(site.url("/"),))) as login:
            await login.repeat(recorded(site), VALUES)

    assert "no longer has the login form" in refusal(lambda: run(main()))


def test_cookies_of_the_crawl_do_not_go_with_a_new_login(site: Site) -> None:
    LoginSite(site)
    origin = site.url("/").rstrip("/")
    login = tried(site).page.login

    async def main() -> Secrets:
        settings = CrawlSettings(roots=(site.url("/"),))
        async with FormLogin(settings, login) as again:
            return await again.repeat(recorded(site), VALUES)

    assert run(main()).of(origin).login
    first = [request for request in site.requests if request.path == "/login"][2]
    assert told(first) == {}
