"""What is told of a crawl before, and while, it sends anything."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from gossamer.model.crawl_state import CrawlState
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.session.settings_warnings import cautions
from tests.gui.conftest import Run
from tests.gui.stage import Stage, staged, until

PLAIN = CrawlSettings(roots=("a.test",))
UNCHECKED = "This crawl does not check the certificates of a.test."


async def open_project(stage: Stage, folder: Path, settings: CrawlSettings) -> None:
    """Open a project that holds these settings, from somebody else."""
    path = folder / "theirs.gossamer"
    path.touch()
    stage.sessions.stored = settings
    count = len(stage.sessions.made)
    stage.crawl.open(path)
    await until(lambda: len(stage.sessions.made) > count)
    await until(lambda: stage.crawl.session is stage.sessions.last)
    await stage.shows("Paused")


def test_settings_that_redirect_requests_or_weaken_security_are_reported() -> None:
    assert cautions(PLAIN) == {}
    settings = replace(
        PLAIN,
        insecure_hosts=("a.test:443", *(f"b:{port}" for port in range(1, 8))),
        proxy="http://jo:secret@proxy.test:3128",
        obey_robots=False,
        public_headers=(("X-Extra", "value"),),
        browser="./chromium",
    )
    assert [str(said) for said in cautions(settings).values()] == [
        "This crawl does not check the certificates of a.test, b:1, b:2, b:3, b:4 and 3 more.",
        "This crawl sends all requests through the proxy http://proxy.test:3128.",
        "This crawl sends these headers to every server: X-Extra.",
        "Pages, logins and stored pages of this crawl open in the program ./chromium.",
        "This crawl ignores robots.txt.",
    ]


def test_trusted_servers_are_shown_and_revoked_with_one_click(
    tmp_path: Path, run: Run[None]
) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start("a.test")
            assert stage.message("certificates") == ""
            stage.crawl.trust("a.test:443")
            await until(lambda: stage.message("certificates") == UNCHECKED)
            assert session.changed == [{"insecure_hosts": ("a.test:443",)}]
            shown = stage.window.messages.about("certificates")
            assert shown is not None
            shown.dismiss()
            stage.window.messages.withdraw_newest()
            assert stage.message("certificates") == UNCHECKED, "nobody can wave it away"
            stage.answer("certificates", "Check again")
            await until(lambda: stage.message("certificates") == "")
            assert session.settings.insecure_hosts == ()

    run(scenario())


def test_trusting_a_server_after_the_crawl_resumes_it(tmp_path: Path, run: Run[None]) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start("a.test")
            session.tell(state=CrawlState.FINISHED)
            await stage.shows("Finished")
            stage.crawl.trust("a.test:443")
            await until(lambda: session.asked.count("start") == 2)

    run(scenario())


def test_trusting_a_server_does_not_start_a_crawl_that_is_cancelled_meanwhile(
    tmp_path: Path, run: Run[None], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            session = await stage.start("a.test")

            async def cancelled(changes: dict[str, object]) -> None:
                session.changed.append(changes)
                session.tell(state=CrawlState.CANCELLED)

            monkeypatch.setattr(session, "change", cancelled)
            session.asked.clear()
            stage.crawl.trust("a.test:443")
            await until(lambda: bool(session.changed))
            await until(lambda: "trust" not in stage.window.tasks.names())
            assert "start" not in session.asked

    run(scenario())


def test_trust_is_not_kept_for_other_crawls(tmp_path: Path, run: Run[None]) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            first = await stage.start("a.test")
            stage.crawl.trust("a.test:443")
            await until(lambda: bool(first.settings.insecure_hosts))
            stage.window.remember()
            first.tell(state=CrawlState.FINISHED)
            stage.crawl.leave()
            await until(lambda: stage.crawl.session is None)
            assert stage.message("certificates") == ""
            second = await stage.start("a.test")
            assert second.settings.insecure_hosts == ()
            assert stage.message("certificates") == ""
        assert stage.window.next_crawl.settings.insecure_hosts == ()

    run(scenario())


def test_risky_settings_of_a_project_are_reported_before_it_resumes(
    tmp_path: Path, run: Run[None]
) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            theirs = replace(PLAIN, proxy="http://proxy.test:3128", insecure_hosts=("a.test:443",))
            await open_project(stage, tmp_path, theirs)
            assert stage.message("brought") == (
                "This crawl sends all requests through the proxy http://proxy.test:3128."
            )
            assert stage.message("certificates") == UNCHECKED
            assert stage.session.asked == []
            stage.crawl.leave()
            await until(lambda: stage.crawl.session is None)
            assert (stage.message("brought"), stage.message("certificates")) == ("", "")

    run(scenario())


def test_settings_chosen_here_are_not_reported_again(tmp_path: Path, run: Run[None]) -> None:
    async def scenario() -> None:
        async with staged(tmp_path) as stage:
            stage.crawl.start(replace(PLAIN, proxy="http://proxy.test:3128"))
            await until(lambda: bool(stage.sessions.made))
            await stage.shows("Crawling")
            assert stage.message("brought") == ""

    run(scenario())
