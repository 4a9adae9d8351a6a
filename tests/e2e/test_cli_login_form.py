"""Logging in with a form on the command line: prompts, files, and what is printed and written."""

import os
import signal
import tomllib
from collections.abc import Iterable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.e2e.program import gossamer
from tests.e2e.terminal import at_terminal, said_until
from tests.patience import PATIENCE_S
from tests.sites import Site
from tests.sites.cookie_sites import told
from tests.sites.login_site import CODE, PASSWORD, SESSION, USER, LoginSite

QUICK = ("--processes", "1", "--no-robots", "-q")
TYPED = f"user={USER}\npassword={PASSWORD}\ncode={CODE}\n"


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


def assert_unsaid(done: CompletedProcess[str], folder: Path) -> None:
    """Neither what was printed nor any file but that of the values has a secret in it."""
    texts = [done.stdout.encode(), done.stderr.encode()]
    texts += [p.read_bytes() for p in folder.rglob("*") if p.is_file() and p.name != "typed"]
    assert not [text for text in texts if PASSWORD.encode() in text or SESSION.encode() in text]


def test_a_form_is_recorded_once_and_a_crawl_logs_in_with_it(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    (tmp_path / "typed").write_text(TYPED, encoding="utf-8")
    done = gossamer(
        *("login", site.url("/login"), "--form", "--values", "typed", "--save", "form.toml"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "cookies: csrf, half, session" in done.stdout
    assert "taken from the page each time: csrf" in done.stderr
    saved = tomllib.loads((tmp_path / "form.toml").read_text(encoding="utf-8"))["login_form"]
    assert [step["secret"] for step in saved["steps"]] == [["password"], []]
    crawl = gossamer(
        *("crawl", site.url("/"), "-o", "x.gossamer", "--settings", "form.toml"),
        *("--login-values", "typed", *QUICK),
        cwd=tmp_path,
    )
    assert crawl.returncode == 0, crawl.stderr
    assert told(site.requests[-1]).get("session") == SESSION
    assert_unsaid(crawl, tmp_path)
    assert (
        f"login_form{' ' * 19}{site.url('/login')}"
        in gossamer("info", "x.gossamer", cwd=tmp_path).stdout
    )


def typed_at_terminal(folder: Path, *words: str, lines: Iterable[tuple[str, str]]) -> str:
    """What a command that exits with 0 says when each line is typed where its words are said."""
    with at_terminal(*words, cwd=folder) as (process, keys):
        shown = ""
        for asked, line in lines:
            shown += said_until(process, asked)  # echo is off by then, if it has to be
            os.write(keys, f"{line}\n".encode())
        out, err = process.communicate(timeout=PATIENCE_S)
        echoed = os.read(keys, 4096).decode()
    assert process.returncode == 0, err
    return shown + out + err + echoed


def test_a_terminal_is_prompted_for_the_fields_of_the_form(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    said = typed_at_terminal(
        *(tmp_path, "crawl", site.url("/"), "-o", "x.gossamer", *QUICK),
        *("--login-form", site.url("/login")),
        lines=[("Enter user: ", USER), ("password: ", PASSWORD), ("code: ", CODE)],
    )
    assert PASSWORD not in said
    assert told(site.requests[-1]).get("session") == SESSION


def test_an_interrupt_at_a_prompt_ends_the_login(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    with at_terminal("login", site.url("/login"), "--form", cwd=tmp_path) as (process, _):
        said_until(process, "Enter user: ")
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, err) == (130, "gossamer: Interrupted.\n")


def test_a_crawl_that_is_resumed_asks_for_what_its_form_wants(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    (tmp_path / "typed").write_text(TYPED, encoding="utf-8")
    recorded = ("login", site.url("/login"), "--form", "--values", "typed", "--save", "form.toml")
    assert gossamer(*recorded, cwd=tmp_path).returncode == 0
    begun = ("crawl", site.url("/"), "-o", "x.gossamer", "--settings", "form.toml", *QUICK)
    unasked = gossamer(*begun, cwd=tmp_path)
    assert unasked.returncode == 2
    assert "needs the field user of the login form" in unasked.stderr
    before = len(site.requests)
    at = f"of the login for {site.url('/').rstrip('/')}: "
    fields = [("user", USER), ("password", PASSWORD), ("code", CODE)]
    said = typed_at_terminal(
        *(tmp_path, "resume", "x.gossamer"),
        lines=[(f"Enter the field {name} {at}", value) for name, value in fields],
    )
    assert PASSWORD not in said
    assert [told(each).get("session") for each in site.requests[before:]][-1:] == [SESSION]


def test_without_a_terminal_what_is_missing_is_named(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    done = gossamer("login", site.url("/login"), "--form", cwd=tmp_path)
    assert done.returncode == 2
    assert "no terminal to ask for the field user" in done.stderr
    assert [request.method for request in site.requests] == ["GET"]


def test_a_password_as_an_argument_is_refused_unread(site: Site, tmp_path: Path) -> None:
    LoginSite(site)
    done = gossamer(
        "login", site.url("/login"), "--form", "--field", f"password={PASSWORD}", cwd=tmp_path
    )
    assert done.returncode == 2
    assert "is for a password" in done.stderr
    assert PASSWORD not in done.stderr


def test_options_of_forms_want_a_form(site: Site, tmp_path: Path) -> None:
    done = gossamer("login", site.url("/login"), "--field", "a=b", cwd=tmp_path)
    assert done.returncode == 2
    assert "add --form" in done.stderr
    assert site.requests == []


def test_a_crawl_without_a_login_says_that_the_site_asks_for_one(
    site: Site, tmp_path: Path
) -> None:
    LoginSite(site)
    crawl = gossamer("crawl", site.url("/login"), "-o", "x.gossamer", *QUICK, cwd=tmp_path)
    assert crawl.returncode == 0
    assert f"{site.url('/login')} asks for a login." in crawl.stderr
    assert "--login-form URL" in crawl.stderr
