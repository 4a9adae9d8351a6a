"""`gossamer notify`, and crawls of the command line that tell by a program."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import keyring
import pytest

from gossamer.cli.main import run_cli
from gossamer.store.notification_outbox import DeliveryState
from tests.e2e.program import gossamer
from tests.fakes.keyring_backend import FileKeyring
from tests.integration.crawling import crawl_all
from tests.sites import Site

if TYPE_CHECKING:
    from subprocess import CompletedProcess

Cli = Callable[..., "CompletedProcess[str]"]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs the program with rules and an outbox of the test's own."""
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    return lambda *words: gossamer(*words, cwd=tmp_path)


def test_a_crawl_of_the_command_line_tells_by_a_program(
    cli: Cli, site: Site, tmp_path: Path
) -> None:
    site.page("/", links=["/gone"])
    out = tmp_path / "out.json"
    script = "import sys; open(sys.argv[1], 'a').write(sys.stdin.read() + '\\n')"
    words = ["notify", "add", "log", "--when", "ended", "--when", "errors:0", "--"]
    assert cli(*words, sys.executable, "-c", script, str(out)).returncode == 0
    done = cli("crawl", site.url("/"), "-o", str(tmp_path / "a.gossamer"), "--quiet")
    assert done.returncode == 0, done.stderr
    told = json.loads(out.read_text())
    (crawl,) = told["crawls"]
    assert [each["condition"] for each in crawl["conditions"]] == [
        *("ended:finished,failed,paused", "errors:0")
    ]
    assert crawl["errors"] == 1


def test_a_recrawl_whose_export_fails_is_told_all_the_same(
    cli: Cli, site: Site, tmp_path: Path
) -> None:
    site.page("/")
    project, out = tmp_path / "a.gossamer", tmp_path / "out.json"
    crawl_all(project, site.url("/"))
    script = "import sys; open(sys.argv[1], 'w').write(sys.stdin.read())"
    words = ["notify", "add", "log", "--when", "ended", "--"]
    assert cli(*words, sys.executable, "-c", script, str(out)).returncode == 0
    site.file("/", b"<title>A</title><meta name=robots content=noindex>", "text/html")
    done = cli("recrawl", str(project), "--export", "sitemap=map.xml", "--quiet")
    assert "no file was written" in done.stderr
    assert done.returncode == 2
    assert out.exists()


def test_an_update_without_pages_is_told_of_as_failed(cli: Cli, site: Site, tmp_path: Path) -> None:
    site.page("/")
    project, out = tmp_path / "a.gossamer", tmp_path / "out.json"
    crawl_all(project, site.url("/"))
    script = "import sys; open(sys.argv[1], 'w').write(sys.stdin.read())"
    words = ["notify", "add", "log", "--when", "ended", "--"]
    assert cli(*words, sys.executable, "-c", script, str(out)).returncode == 0
    site.status("/", 403)
    done = cli("recrawl", str(project), "--update", "--quiet")
    assert done.returncode == 3, done.stderr
    (crawl,) = json.loads(out.read_text())["crawls"]
    assert crawl["ending"] == "failed"


def test_what_cannot_be_delivered_is_told_kept_and_tried_again(
    cli: Cli, site: Site, tmp_path: Path
) -> None:
    site.page("/")
    cli("notify", "add", "bad", "--when", "ended", "--", "/no/such/program")
    done = cli("crawl", site.url("/"), "-o", str(tmp_path / "a.gossamer"), "--quiet")
    assert done.returncode == 0
    assert "Not delivered: command /no/such/program" in done.stderr
    (entry,) = json.loads(cli("notify", "outbox", "--json").stdout)["messages"]
    assert (entry["state"], entry["tries"]) == (DeliveryState.WAITING, 1)
    assert entry["rules"] == ["bad"]
    assert "[bad]" in cli("notify", "outbox").stdout
    assert "No such file" in entry["problem"]
    again = cli("notify", "retry")
    assert "Delivered 0 messages of 1" in again.stderr
    (entry,) = json.loads(cli("notify", "outbox", "--json").stdout)["messages"]
    assert entry["tries"] == 2
    assert entry["title"].startswith("http://127.0.0.1")
    assert entry["title"] in cli("notify", "outbox").stdout


def test_a_reason_that_is_a_sentence_ends_with_one_full_stop(
    cli: Cli, site: Site, tmp_path: Path
) -> None:
    site.page("/")
    assert cli("secrets", "file").returncode == 0
    hook = ["--webhook", site.url("/hook"), "--sign"]
    assert cli("notify", "add", "signed", "--when", "ended", *hook).returncode == 0
    (kept,) = (tmp_path / "config").rglob("secrets*.json")
    kept.unlink()  # now the secret would be in the keyring, and there is none
    tried = cli("notify", "test", "signed").stderr
    crawled = cli("crawl", site.url("/"), "-o", str(tmp_path / "a.gossamer"), "--quiet").stderr
    listed = cli("notify", "outbox").stdout
    assert "run 'gossamer secrets file' and add the rule again.\n" in tried
    assert "and add the rule again; see 'gossamer notify outbox'." in crawled
    assert "and add the rule again (tries: 1)" in listed


def test_rules_are_listed_tried_and_removed(cli: Cli) -> None:
    good = ["--", sys.executable, "-c", "pass"]
    assert cli("notify", "add", "Ours", "--when", "issue", *good).returncode == 0
    twice = cli("notify", "add", "ours", "--when", "robots", *good)
    assert (twice.returncode, "already" in twice.stderr) == (2, True)
    assert cli("notify", "add", "ours", "--when", "robots", "--replace", *good).returncode == 0
    (kept,) = json.loads(cli("notify", "list", "--json").stdout)["rules"]
    assert (kept["name"], kept["when"]) == ("ours", ["robots"])
    assert cli("notify", "test", "OURS").returncode == 0
    assert cli("notify", "remove", "ours").returncode == 0
    gone = cli("notify", "test", "ours")
    assert (gone.returncode, "no rule" in gone.stderr) == (2, True)


def test_a_rule_is_edited_and_switched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("GOSSAMER_PASSWORD", "hush")
    monkeypatch.setenv("TEST_KEYRING", str(tmp_path / "keys"))
    before = keyring.get_keyring()
    keyring.set_keyring(FileKeyring())  # type: ignore[no-untyped-call] # keyring does not annotate it

    def cli(*words: str, code: int = 0) -> str:
        assert run_cli(["notify", *words], lambda _: 0) == code
        told = capfd.readouterr()
        return told.out + told.err

    def kept() -> dict[str, object]:
        (found,) = json.loads(cli("list", "--json"))["rules"]
        return dict(found)

    try:
        hook = ["--webhook", "https://a.example/x", "--sign"]
        cli("add", "Mine", "--when", "page:/a", "--when", "ended", "--interval", "5", *hook)
        assert len(json.loads((tmp_path / "keys").read_text())) == 1
        assert "Say what to change" in cli("edit", "mine", code=2)
        cli("edit", "mine", "--field", "title", "--repeat", "--desktop")
        assert kept() == {
            "for": "all crawls",
            "name": "Mine",
            "when": ["page:/a", "ended:finished,failed,paused"],
            "fields": ["title"],
            "channels": ["desktop notification", "webhook a.example/x"],
            "interval_s": 300.0,
            "repeat": True,
            "language": "en",
            "enabled": True,
            "invalid": None,
        }
        mail = [
            "--email",
            "a@b.example",
            "--smtp",
            "smtps://me@mail.example",
            "--from",
            "c@b.example",
        ]
        cli("edit", "Mine", "--name", "Ours", "--without", "webhook", "--when", "robots", *mail)
        assert list(json.loads((tmp_path / "keys").read_text()).values()) == ["hush"]
        assert (kept()["name"], kept()["when"]) == ("Ours", ["robots"])
        assert kept()["channels"] == ["desktop notification", "e-mail to a@b.example"]
        cli("disable", "ours")
        assert kept()["enabled"] is False
        cli("enable", "ours")
        assert kept()["enabled"] is True
        assert "There is no way to notify" in cli("edit", "ours", "--without", "pigeon", code=2)
        cli("remove", "ours")
        assert json.loads((tmp_path / "keys").read_text()) == {}
    finally:
        keyring.set_keyring(before)


def test_rules_of_a_series_are_listed_and_found_by_their_names(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("DATA", "CONFIG", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))

    def cli(*words: str) -> tuple[int, str]:
        code = run_cli(["notify", *words], lambda _: 0)
        told = capfd.readouterr()
        return code, told.out + told.err

    program = ["--when", "ended", "--", sys.executable, "-c", "pass"]
    for name in ("a", "b"):
        site.page(f"/{name}")
        crawl_all(tmp_path / f"{name}.gossamer", site.url(f"/{name}"), soft_404_probe=False)
        cli("add", "twice", "--for", f"{name}.gossamer", *program)
    cli("add", "once", "--for", "b.gossamer", *program)
    cli("add", "all", *program)
    rules = json.loads(cli("list", "--json")[1])["rules"]
    assert sorted(each["name"] for each in rules) == ["all", "once", "twice", "twice"]
    assert len({each["for"] for each in rules}) == 3
    rules = json.loads(cli("list", "--for", "a.gossamer", "--json")[1])["rules"]
    assert [each["name"] for each in rules] == ["all", "twice"]
    assert cli("test", "ONCE")[0] == 0
    code, told = cli("remove", "twice")
    assert (code, told.count("--for ")) == (2, 2)
    code, told = cli("test", "none")
    assert (code, "there are all, " in told, "once" in told) == (2, True, True)
    assert cli("remove", "twice", "--for", "a.gossamer")[0] == 0
    assert cli("remove", "twice")[0] == 0
    assert cli("remove", "once")[0] == 0
    assert [each["name"] for each in json.loads(cli("list", "--json")[1])["rules"]] == ["all"]


def test_a_removed_rule_leaves_nothing_in_the_outbox(cli: Cli, site: Site, tmp_path: Path) -> None:
    site.page("/")
    for name in ("bad", "same"):
        cli("notify", "add", name, "--when", "ended", "--", "/no/such/program")
    cli("crawl", site.url("/"), "-o", str(tmp_path / "a.gossamer"), "--quiet")
    for name, left in (("bad", [DeliveryState.WAITING]), ("same", [])):
        assert cli("notify", "remove", name).returncode == 0
        entries = json.loads(cli("notify", "outbox", "--json").stdout)["messages"]
        assert [each["state"] for each in entries] == left
