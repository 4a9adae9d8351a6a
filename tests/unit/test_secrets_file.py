"""Secrets in a private file, for computers without a keyring."""

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import keyring
import pytest
from keyring.backends.fail import Keyring as NoKeyring

from gossamer.model.errors import UsageError
from gossamer.model.secrets import HttpAuth, OriginSecrets, Secrets
from gossamer.session.keyring import (
    forget,
    move_to_keyring,
    recalled,
    recalled_text,
    remember,
    remember_text,
    secrets_location,
)
from gossamer.session.secrets_file import SecretsFile, secrets_path
from tests.fakes.keyring_backend import MemoryKeyring

SECRETS = Secrets({"https://a.example": OriginSecrets(auth=HttpAuth("jo", "hush"))})
posix_only = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    before = keyring.get_keyring()
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call] # keyring does not annotate it
    yield
    keyring.set_keyring(before)


def test_without_a_keyring_a_file_is_not_made_unless_it_is_chosen() -> None:
    with pytest.raises(UsageError, match="gossamer secrets file"):
        remember_text("hook", "hush")
    with pytest.raises(UsageError, match="gossamer secrets file"):
        remember(SECRETS)
    assert not secrets_path().exists()


@posix_only
def test_the_chosen_file_keeps_secrets_of_crawls_and_notifications_for_its_owner_alone() -> None:
    SecretsFile().choose()
    remember(SECRETS)
    remember_text("hook", "hush")
    assert recalled(["https://a.example", "https://b.example"]) == SECRETS
    assert (recalled_text("hook"), str(secrets_path()) in str(secrets_location())) == ("hush", True)
    assert stat.S_IMODE(secrets_path().stat().st_mode) == 0o600
    SecretsFile().choose()  # which it is: nothing is lost
    remember_text("hook", "")
    assert forget(["https://a.example", "https://b.example"]) == ("https://a.example",)
    assert json.loads(secrets_path().read_bytes()) == {"version": 1, "secrets": {}}


def test_a_file_that_cannot_be_read_is_named_with_the_reason() -> None:
    secrets_path().mkdir(parents=True, mode=0o700)
    with pytest.raises(UsageError) as caught:
        recalled_text("hook")
    assert str(secrets_path()) in str(caught.value)


@posix_only
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o622])
def test_a_file_that_others_can_use_is_refused_and_left_as_it_is(mode: int) -> None:
    SecretsFile().choose()
    remember_text("hook", "hush")
    secrets_path().chmod(mode)
    for use in (
        lambda: recalled_text("hook"),
        lambda: recalled(["https://a.example"]),
        lambda: remember_text("hook", "more"),
        SecretsFile().choose,
    ):
        with pytest.raises(UsageError, match="chmod 600"):
            use()
    assert stat.S_IMODE(secrets_path().stat().st_mode) == mode
    secrets_path().chmod(0o600)
    assert recalled_text("hook") == "hush"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"version": 2}', "newer"),
        ("hush{", "cannot be read"),
        ('{"version": 1, "x": "hush"}', "cannot be read"),
    ],
)
def test_a_file_that_cannot_be_read_is_told_without_quoting_it(text: str, why: str) -> None:
    SecretsFile().choose()
    secrets_path().write_text(text)
    with pytest.raises(UsageError, match=why) as caught:
        remember_text("hook", "more")
    assert "hush" not in str(caught.value)
    assert secrets_path().read_text() == text


def test_what_the_file_has_not_comes_from_the_keyring_and_it_can_go_back_there() -> None:
    ring = MemoryKeyring()
    keyring.set_keyring(ring)
    remember_text("old", "of the ring")
    SecretsFile().choose()
    remember_text("new", "of the file")
    assert (recalled_text("old"), recalled_text("new")) == ("of the ring", "of the file")
    keyring.set_keyring(NoKeyring())  # type: ignore[no-untyped-call] # keyring does not annotate it
    with pytest.raises(UsageError, match="stay in"):
        move_to_keyring()
    keyring.set_keyring(ring)
    assert move_to_keyring() == 1
    assert not secrets_path().exists()
    assert sorted(ring.entries.values()) == ["of the file", "of the ring"]


def test_two_processes_lose_nothing() -> None:
    SecretsFile().choose()
    script = (
        "import sys; from gossamer.session.secrets_file import SecretsFile\n"
        "for each in range(20): SecretsFile().put('s', f'{sys.argv[1]} {each}', 'hush')"
    )
    both = [subprocess.Popen([sys.executable, "-c", script, name], env=os.environ) for name in "ab"]
    assert [each.wait() for each in both] == [0, 0]
    assert len(SecretsFile().entries()["s"]) == 40
