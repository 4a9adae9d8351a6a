"""Profiles of browsers: removed with their browser, or by the next one."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gossamer.render.browser_profile import BrowserProfile, remove_abandoned

_OWNER = """
import sys
from pathlib import Path

import pytest
from gossamer.render.browser_profile import BrowserProfile
BrowserProfile(Path(sys.argv[1]))
print("made", flush=True)
sys.stdin.read()
"""


def test_a_profile_is_removed_with_all_that_is_in_it(tmp_path: Path) -> None:
    profile = BrowserProfile(tmp_path)
    (profile.path / "Default").mkdir()
    (profile.path / "Default" / "Cookies").write_text("x")
    profile.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_profile_begins_with_the_preferences_that_are_written(tmp_path: Path) -> None:
    profile = BrowserProfile(tmp_path)
    profile.write_preferences({"credentials_enable_service": False})
    written = profile.path / "Default" / "Preferences"
    assert json.loads(written.read_text("utf-8")) == {"credentials_enable_service": False}
    profile.remove()
    assert list(tmp_path.iterdir()) == []


def test_a_profile_in_use_stays(tmp_path: Path) -> None:
    profile = BrowserProfile(tmp_path)
    remove_abandoned(tmp_path)
    assert profile.path.is_dir()
    profile.remove()


def test_the_profile_of_a_killed_process_is_removed_by_the_next_browser(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", _OWNER, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    ) as owner:
        assert owner.stdout is not None
        assert owner.stdout.readline().strip() == b"made"
        (abandoned,) = tmp_path.iterdir()
        BrowserProfile(tmp_path).remove()
        assert abandoned.is_dir()
        owner.kill()
    next_one = BrowserProfile(tmp_path)
    assert list(tmp_path.iterdir()) == [next_one.path]
    next_one.remove()


def test_a_folder_that_is_just_being_made_is_left_alone(tmp_path: Path) -> None:
    young = tmp_path / "gossamer-browser-young"
    old = tmp_path / "gossamer-browser-old"
    young.mkdir()
    old.mkdir()
    os.utime(old, (0, 0))
    remove_abandoned(tmp_path)
    assert list(tmp_path.iterdir()) == [young]


def test_what_belongs_to_others_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "gossamer-projects").mkdir()
    remove_abandoned(tmp_path)
    assert (tmp_path / "gossamer-projects").is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="where each user has a folder of their own")
def test_what_another_user_has_made_of_that_name_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pipe keeps who reads it waiting for ever, and so the end of every crawl."""
    folder = tmp_path / "gossamer-browser-theirs"
    folder.mkdir()
    os.mkfifo(folder / "owner.lock")
    other = os.geteuid() + 1
    monkeypatch.setattr(os, "geteuid", lambda: other)
    remove_abandoned(tmp_path)
    assert folder.is_dir()
