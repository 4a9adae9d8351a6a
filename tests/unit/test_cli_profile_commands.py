"""Profiles from the command line: the same files that the window has."""

import tomllib
from pathlib import Path

import pytest

from gossamer.cli.command_parser import parse
from gossamer.cli.main import run_cli
from gossamer.cli.parsed_commands import CrawlCommand
from gossamer.cli.parsed_settings_commands import ProfilesCommand
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.project import create


@pytest.fixture(autouse=True)
def _own_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


def gossamer(*arguments: str) -> int:
    return run_cli([*arguments], lambda _target: 9)


def crawled_with(*arguments: str) -> CrawlSettings:
    asked = parse(["crawl", "a.test", *arguments])
    assert isinstance(asked, CrawlCommand)
    return asked.settings


def test_built_in_profiles_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert gossamer("profiles") == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["polite", "fast", "links"]
    assert lines[2] == "links   built in: follow_kinds, check_kinds"


def test_a_profile_is_saved_shown_used_renamed_and_deleted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    project = tmp_path / "x.gossamer"
    settings = CrawlSettings(roots=("b.test",), max_depth=3, insecure_hosts=("b.test:443",))
    create(project, settings)
    values = ("--set", "rate=2", "--set", "max_depth=none", "--set", "user-agent=Mine/1")
    assert gossamer("profiles", "shop", "--from", str(project), *values) == 0
    assert gossamer("profiles", "shop") == 0
    shown = tomllib.loads(capsys.readouterr().out)
    assert (shown["rate"], shown["user_agent"]) == (2.0, "Mine/1")
    assert list(shown)[:3] == ["settings_version", "workers", "max_redirects"]
    assert {"roots", "insecure_hosts", "sitemaps"}.isdisjoint(shown)
    wanted = CrawlSettings(roots=("a.test",), rate=2.0, user_agent="Mine/1")
    assert crawled_with("--profile", "shop") == wanted
    assert gossamer("profiles", "shop", "--rename", "store") == 0
    assert gossamer("profiles") == 0
    assert "store   " in capsys.readouterr().out
    assert gossamer("profiles", "store", "--delete") == 0
    assert gossamer("crawl", "a.test", "--profile", "store") == 2
    assert (
        "no profile named 'store'; the profiles are polite, fast, links." in capsys.readouterr().err
    )


def test_the_profile_defaults_stands_for_the_defaults_of_the_window(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert gossamer("profiles", "defaults", "--set", "workers=3") == 0
    assert crawled_with().workers == 10
    assert crawled_with("--profile", "defaults").workers == 3
    assert gossamer("profiles") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "defaults  workers"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("polite", "--set", "rate=1"), "is built in; choose another name."),
        (("polite", "--delete"), "is built in."),
        (("a/b", "--set", "rate=1"), "'a/b' is not a valid profile name"),
        (("x", "--set", "roots=['a.test']"), "is not a profile setting"),
        (("x", "--set", "insecure_hosts=['a.test:443']"), "is not a profile setting"),
        (("x", "--set", "rate"), "write SETTING=VALUE"),
        (("x", "--set", "rate=fast"), "rate"),
        (("x", "--set", "workers=0"), "Workers must be between"),
        (("x", "--from", "none.toml"), "name a settings file or a project"),
        (("x",), "There is no profile named 'x'"),
        (("x", "--rename", "y"), "There is no profile named 'x'"),
        (("x", "--set", "rate=1", "--delete"), "one at a time"),
        (("--delete",), "Specify a profile"),
    ],
)
def test_mistakes_are_one_sentence_and_code_2(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gossamer("profiles", *arguments) == 2
    err = capsys.readouterr().err
    assert said in err
    assert err.count("\n") == 1
    assert err.startswith("gossamer: ")


def test_an_existing_profile_is_only_overwritten_with_replace(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert gossamer("profiles", "x", "--set", "rate=1") == 0
    assert gossamer("profiles", "x", "--set", "rate=2") == 2
    assert "A profile named x already exists" in capsys.readouterr().err
    assert gossamer("profiles", "x", "--set", "rate=2", "--replace") == 0
    assert crawled_with("--profile", "x").rate == 2.0


def test_an_unreadable_profile_is_listed_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert gossamer("profiles", "x", "--set", "rate=1") == 0
    [file] = (tmp_path / "config").rglob("x.toml")
    file.write_text("rate = ")
    assert gossamer("profiles") == 0
    assert "x.toml is not a settings file" in capsys.readouterr().out
    assert gossamer("crawl", "a.test", "--profile", "x") == 2


def test_an_invalid_value_of_a_profile_is_explained() -> None:
    asked = parse(["profiles", "x", "--set", "user_agent=a\\b 'c'"])
    assert asked == ProfilesCommand("x", values=("user_agent=a\\b 'c'",))
    assert gossamer("profiles", "x", "--set", "user_agent=a\\b 'c'") == 0
    assert crawled_with("--profile", "x").user_agent == "a\\b 'c'"
