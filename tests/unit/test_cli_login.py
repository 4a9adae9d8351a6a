"""Which login a crawl on the command line goes with: a saved one, or one from a window."""

from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest

from gossamer.cli.crawl_command import conclude
from gossamer.cli.foreground_crawl import RunResult
from gossamer.cli.login_command import login_for
from gossamer.cli.parsed_commands import OutputOptions
from gossamer.model.crawl_state import CrawlState
from gossamer.model.discovery_rank import Rank
from gossamer.model.errors import NoBrowserError
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import NO_SECRETS, Login, LoginCookie, OriginSecrets, Secrets
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import StoreBatch, UrlRow, VisitRow
from gossamer.model.translatable import Translatable
from gossamer.model.visit import Visit
from gossamer.session.keyring import remember
from gossamer.store.project import create
from gossamer.store.reading.reader import Reader
from gossamer.store.writing.writer import Writer
from tests.fakes.keyring_backend import MemoryKeyring

SITE = "https://a.test"
SETTINGS = CrawlSettings(roots=(f"{SITE}/",))
TAKEN_S = 1_000.0
LOGIN = Login(cookies=(LoginCookie("id", "s3cret"),), taken_s=TAKEN_S)


@pytest.fixture(autouse=True)
def _saved(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A keyring that has the login, and no screen."""
    before = keyring.get_keyring()
    keyring.set_keyring(MemoryKeyring())
    remember(Secrets({SITE: OriginSecrets(login=LOGIN)}))
    monkeypatch.delenv("DISPLAY", raising=False)
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    yield
    keyring.set_keyring(before)


def test_a_saved_login_is_used(capsys: pytest.CaptureFixture[str]) -> None:
    assert login_for(SETTINGS, NO_SECRETS).of(SITE).login == LOGIN
    assert login_for(SETTINGS, NO_SECRETS, TAKEN_S - 1).of(SITE).login == LOGIN
    assert f"Using the saved login for {SITE}" in capsys.readouterr().err


def test_a_saved_login_that_the_site_has_refused_since_opens_the_window(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with pytest.raises(NoBrowserError, match="Logging in needs a screen") as refused:
        login_for(SETTINGS, NO_SECRETS, TAKEN_S + 1)
    assert refused.value.exit_code == 6
    assert "saved login has expired" in capsys.readouterr().err


def test_a_project_tells_when_it_was_last_asked_for_the_login(tmp_path: Path) -> None:
    path = tmp_path / "x.gossamer"
    create(path, SETTINGS)
    expired = Outcome.LOGIN_REQUIRED
    visits = [VisitRow(n, Visit(expired, fetched_at=float(n)), expired, 1) for n in (1, 2)]
    rows = [UrlRow(n, f"{SITE}/{n}", Rank(0), Outcome.PENDING) for n in (1, 2)]
    with Writer(path) as writer:
        writer.commit(StoreBatch(new=rows, visits=visits, state=CrawlState.PAUSED))
    with Reader(path) as reader:
        assert reader.last_fetched(expired) == 2.0
        assert reader.last_fetched(Outcome.TIMEOUT) == 0.0


def test_a_crawl_that_paused_for_a_login_is_resumed_with_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.gossamer"
    create(path, SETTINGS)
    ending = RunResult(notice=Translatable("Paused: it asks."), wants_login=True)
    conclude(path, ending, (), OutputOptions(report=False), "gossamer resume x.gossamer")
    said = capsys.readouterr().err
    assert said == "gossamer: Paused: it asks. Resume with: gossamer resume x.gossamer --login\n"
