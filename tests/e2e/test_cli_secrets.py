"""Passwords, cookies and tokens on the command line: sent to the site, seen nowhere else."""

import os
import pty
import subprocess
from pathlib import Path

import pytest

from tests.architecture.checkout import ROOT
from tests.e2e.program import command, gossamer, gossamer_started, started
from tests.patience import PATIENCE_S
from tests.sites import Site
from tests.sites.certificates import Authority

PASSWORD, COOKIE, TOKEN = "pass-s3cret", "cookie-s3cret", "token-s3cret"
BASIC = "Basic am86cGFzcy1zM2NyZXQ="
SPELLINGS = (PASSWORD, COOKIE, TOKEN, BASIC.partition(" ")[2])
QUICK = ("--processes", "1", "--no-robots")


@pytest.fixture(autouse=True)
def _own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "keyring.backends.fail.Keyring")


def told(site: Site) -> list[str | None]:
    """What the last request carried."""
    request = site.requests[-1]
    return [request.header(name) for name in ("Authorization", "Cookie", "X-Pass")]


def assert_unsaid(done: "subprocess.CompletedProcess[str]", folder: Path) -> None:
    """Neither what was printed nor any file has a secret in it."""
    texts = {"stdout": done.stdout.encode(), "stderr": done.stderr.encode()}
    texts |= {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    for place, data in texts.items():
        assert [secret for secret in SPELLINGS if secret.encode() in data] == [], place


def test_secrets_are_sent_to_the_site_and_written_to_no_file(site: Site, tmp_path: Path) -> None:
    site.page("/")
    done = gossamer(
        *("crawl", site.url("/").replace("//", f"//jo:{PASSWORD}@"), "-o", "x.gossamer", "-v"),
        *("--cookie", f"id={COOKIE}", "--header", f"X-Pass: {TOKEN}", *QUICK),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert told(site) == [BASIC, f"id={COOKIE}", TOKEN]
    assert "the password of jo" in done.stderr
    assert_unsaid(done, tmp_path)
    for asked_for in ([], ["--json"]):
        shown = gossamer("info", "x.gossamer", *asked_for, cwd=tmp_path)
        assert "jo" in shown.stdout
        assert_unsaid(shown, tmp_path)


def test_the_password_comes_from_the_environment(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_PASSWORD", PASSWORD)
    site.page("/")
    done = gossamer(
        "crawl", site.url("/"), "-o", "x.gossamer", "--auth", "jo", *QUICK, cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert told(site) == [BASIC, None, None]
    assert_unsaid(done, tmp_path)


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc")
def test_no_child_process_inherits_the_password_in_its_environment(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOSSAMER_PASSWORD", PASSWORD)
    site.page("/", links=["/held"])
    site.slow("/held")
    words = ("crawl", site.url("/"), "-o", "x.gossamer", "--auth", "jo", "-q")
    with started(*words, cwd=tmp_path) as process:
        site.block_until(lambda: "/held" in site.paths)
        children = descendants(process.pid)
        environments = [Path(f"/proc/{child}/environ").read_bytes() for child in children]
        process.kill()
    assert len(children) >= 2, "the host and a page worker"
    assert told(site)[0] == BASIC
    assert all(b"PATH=" in each and PASSWORD.encode() not in each for each in environments)


def descendants(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").glob("*/children")
    children = [int(child) for task in tasks for child in task.read_text().split()]
    return [*children, *(below for child in children for below in descendants(child))]


def test_a_terminal_is_prompted_for_the_password(site: Site, tmp_path: Path) -> None:
    site.page("/")
    ours, theirs = pty.openpty()
    words = command("crawl", site.url("/"), "-o", "x.gossamer", "-q", "--auth", "jo", *QUICK)
    with subprocess.Popen(
        words,
        cwd=tmp_path,
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that there is no other terminal to ask at
    ) as process:
        assert process.stderr is not None
        prompt = process.stderr.read(len("Enter the password of jo: "))  # echo is off by then
        os.write(ours, f"{PASSWORD}\n".encode())
        out, err = process.communicate(timeout=PATIENCE_S)
        os.close(theirs)
        os.close(ours)
    assert process.returncode == 0, err
    assert prompt == "Enter the password of jo: "
    assert told(site) == [BASIC, None, None]
    assert PASSWORD not in out + err


def test_without_a_terminal_a_missing_password_is_a_usage_error(tmp_path: Path) -> None:
    done = gossamer("crawl", "http://127.0.0.1:1/", "--auth", "jo", cwd=tmp_path)
    assert done.returncode == 2
    assert "GOSSAMER_PASSWORD" in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("--header", f"Authorization {TOKEN}"),
        ("--cookie", COOKIE),
        ("--cookie", f"id={COOKIE}\x01"),
        ("--header", f"X-Pass: {TOKEN}\x01"),
    ],
)
def test_an_error_in_a_secret_does_not_quote_it(arguments: tuple[str, str], tmp_path: Path) -> None:
    done = gossamer("crawl", "http://127.0.0.1:1/", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert_unsaid(done, tmp_path)


def test_a_resumed_crawl_prompts_for_its_secrets(site: Site, tmp_path: Path) -> None:
    site.page("/", links=["/a"])
    site.page("/a")
    first = gossamer(
        *("crawl", site.url("/"), "-o", "x.gossamer", "--max-pages", "1", "--auth"),
        *(f"jo:{PASSWORD}", *QUICK),
        cwd=tmp_path,
    )
    assert first.returncode == 0, first.stderr
    lacking = gossamer("resume", "x.gossamer", cwd=tmp_path)
    assert lacking.returncode == 2
    assert "needs the password of jo" in lacking.stderr
    assert "--auth" in lacking.stderr
    given = gossamer("resume", "x.gossamer", "--auth", f"jo:{PASSWORD}", cwd=tmp_path)
    assert given.returncode == 0, given.stderr
    assert_unsaid(given, tmp_path)


def test_the_keyring_remembers_for_the_next_crawl(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tmp_path.parent / f"{tmp_path.name}-keyring.json"
    monkeypatch.setenv("TEST_KEYRING", str(vault))
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.fakes.keyring_backend.FileKeyring")
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    site.page("/", links=["/a"])
    site.page("/a")
    done = gossamer_started(
        *("crawl", site.url("/"), "-o", "x.gossamer", "--auth", f"jo:{PASSWORD}", "--remember"),
        *("--max-pages", "1", *QUICK),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    resumed = gossamer_started("resume", "x.gossamer", cwd=tmp_path)
    assert resumed.returncode == 0, resumed.stderr
    assert PASSWORD in vault.read_text("utf-8")
    assert_unsaid(done, tmp_path)
    home = site.url("").rstrip("/")
    forgotten = gossamer_started("forget", "x.gossamer", "example.com", cwd=tmp_path)
    assert forgotten.returncode == 0, forgotten.stderr
    assert forgotten.stdout.splitlines() == [
        f"Removed the credentials stored for {home}",
        "No credentials stored for https://example.com",
    ]
    assert vault.read_text("utf-8") == "{}"
    assert gossamer_started("forget", site.url("/x"), cwd=tmp_path).stdout == (
        f"No credentials stored for {home}\n"
    )


def test_the_password_is_sent_to_one_site_of_a_url_list_only(site: Site, tmp_path: Path) -> None:
    with Site() as other:
        for each in (site, other):
            each.page("/")
        addresses = "\n".join(each.url("/") for each in (site, other))
        (tmp_path / "list.txt").write_text(addresses, "utf-8")
        words = ("crawl", "--list", "list.txt", "-o", "x.gossamer", *QUICK)
        to_all = gossamer(*words, "--auth", f"jo:{PASSWORD}", cwd=tmp_path)
        assert to_all.returncode == 2
        home = site.url("").rstrip("/")
        assert f"--auth {home}=USER" in to_all.stderr
        assert [*site.requests, *other.requests] == []
        named = gossamer(
            *words,
            *("--auth", f"{home}=jo:{PASSWORD}", "--cookie", f"{home}/=id={COOKIE}"),
            *("--header", f"{home}=X-Pass: {TOKEN}"),
            cwd=tmp_path,
        )
        assert named.returncode == 0, named.stderr
        assert told(site) == [BASIC, f"id={COOKIE}", TOKEN]
        assert told(other) == [None, None, None]
    assert_unsaid(named, tmp_path)


def test_headers_are_sent_to_the_site_only_unless_public(site: Site, tmp_path: Path) -> None:
    """Images, external links, their robots.txt and redirect targets are other people's."""
    with Site() as other:
        site.page(
            "/", links=[other.url("/linked"), "/away"], body=f"<img src='{other.url('/image')}'>"
        )
        site.redirect("/away", other.url("/target"))
        for path in ("/linked", "/image", "/target"):
            other.page(path)
        headers = ("--header", f"X-Pass: {TOKEN}", "--public-header", "X-Team: blue")
        options = ("--check-external", "--external-rate", "100", "--processes", "1", "-v")
        first = gossamer(
            *("crawl", site.url("/"), "-o", "x.gossamer", *headers, *options), cwd=tmp_path
        )
        assert first.returncode == 0, first.stderr
        assert {request.path for request in other.requests} >= {"/robots.txt", "/linked", "/image"}
        for request in (*site.requests, *other.requests):
            assert request.header("X-Team") == "blue", request.path
            mine = TOKEN if request in site.requests else None
            assert request.header("X-Pass") == mine, request.path
    resumed = gossamer("resume", "x.gossamer", "--max-tries", "2", cwd=tmp_path)
    assert resumed.returncode == 2
    assert "needs the header X-Pass" in resumed.stderr
    given = gossamer(
        *("resume", "x.gossamer", "--max-tries", "2", "--header", f"X-Pass: {TOKEN}"), cwd=tmp_path
    )
    assert given.returncode == 0, given.stderr
    kept = gossamer("settings", "x.gossamer", cwd=tmp_path)
    assert 'public_headers = ["X-Team: blue"]' in kept.stdout
    gossamer("export", "x.gossamer", "links", "-o", "links.csv", cwd=tmp_path)
    for done in (first, resumed, given, kept):
        assert_unsaid(done, tmp_path)


def test_a_header_in_a_settings_file_is_sent_to_the_site_only(site: Site, tmp_path: Path) -> None:
    site.page("/")
    settings = tmp_path.parent / f"{tmp_path.name}.toml"
    settings.write_text(f'headers = ["X-Pass: {TOKEN}"]', "utf-8")
    done = gossamer(
        *("crawl", site.url("/"), "-o", "x.gossamer", "--settings", str(settings), "-v", *QUICK),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert told(site) == [None, None, TOKEN]
    assert_unsaid(done, tmp_path)


def test_without_a_keyring_nothing_can_be_forgotten(tmp_path: Path) -> None:
    done = gossamer("forget", "https://example.com", cwd=tmp_path)
    assert done.returncode == 2
    assert "keyring is missing or locked" in done.stderr


def test_without_a_keyring_the_crawl_goes_on(site: Site, tmp_path: Path) -> None:
    site.page("/")
    done = gossamer(
        *("crawl", site.url("/"), "-o", "x.gossamer", "--auth", f"jo:{PASSWORD}", "--remember"),
        *QUICK,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "keyring" in done.stderr
    assert told(site) == [BASIC, None, None]
    assert_unsaid(done, tmp_path)


def test_on_a_server_without_a_keyring_a_private_file_remembers(site: Site, tmp_path: Path) -> None:
    chosen = gossamer("secrets", "file", cwd=tmp_path)
    file = tmp_path / "config" / "gossamer" / "secrets.json"
    assert chosen.stdout.startswith(f"Secrets are kept in the file {file}, which only you")
    site.page("/", links=["/a"])
    site.page("/a")
    done = gossamer(
        *("crawl", site.url("/"), "-o", "x.gossamer", "--auth", f"jo:{PASSWORD}", "--remember"),
        *("--max-pages", "1", *QUICK),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert f"Remembered in the file {file}" in done.stderr
    assert gossamer("recrawl", "x.gossamer", "-o", "y.gossamer", cwd=tmp_path).returncode == 0
    assert told(site)[0] == BASIC
    file.chmod(0o644)
    refused = gossamer("recrawl", "x.gossamer", "-o", "z.gossamer", cwd=tmp_path)
    assert (refused.returncode, f"chmod 600 {file}" in refused.stderr) == (2, True)
    assert not (tmp_path / "z.gossamer").exists()
    file.chmod(0o600)
    hook = ("--when", "ended", "--webhook", site.url("/hook"), "--sign")
    added = gossamer("notify", "add", "hook", *hook, cwd=tmp_path)
    assert f"Its secret is in the file {file}" in added.stderr
    site.page("/hook")
    tested = gossamer("notify", "test", "hook", cwd=tmp_path)
    assert site.requests[-1].header("webhook-signature"), tested.stderr
    assert "2 secrets" in gossamer("secrets", cwd=tmp_path).stdout
    kept = gossamer("secrets", "keyring", cwd=tmp_path)
    assert (kept.returncode, "stay in" in kept.stderr) == (2, True)
    assert gossamer("secrets", "cloud", cwd=tmp_path).returncode == 2


def test_a_user_agent_can_be_chosen_by_name(site: Site, tmp_path: Path) -> None:
    site.page("/")
    site.robots("User-agent: *\nDisallow: /\nUser-agent: Googlebot\nAllow: /\n")
    done = gossamer(
        "crawl", site.url("/"), "--user-agent", "googlebot", "--processes", "1", cwd=tmp_path
    )
    assert done.returncode == 0, done.stderr
    assert "Googlebot/2.1" in (site.requests[-1].header("User-Agent") or "")


def test_a_client_certificate_that_cannot_be_used_ends_before_the_first_request(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.pem").write_text("nothing", encoding="utf-8")
    done = gossamer(
        *("crawl", "https://127.0.0.1:1/", "-o", "x.gossamer", "--client-certificate", "a.pem"),
        cwd=tmp_path,
    )
    assert done.returncode == 2
    assert "a.pem is not a PEM file" in done.stderr or "must have a certificate" in done.stderr


def test_a_client_certificate_with_a_passphrase_is_shown_to_its_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    file = authority.client("jo", passphrase=PASSWORD)
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.path))
    monkeypatch.setenv("GOSSAMER_PASSPHRASE", PASSWORD)
    with Site(tls=authority.demanding("127.0.0.1")) as site:
        site.page("/")
        done = gossamer(
            *("crawl", site.url("/"), "-o", "x.gossamer", "--client-certificate", str(file)),
            *QUICK,
            cwd=tmp_path,
        )
        assert site.paths[-1] == "/"
    assert done.returncode == 0, done.stderr
    assert_unsaid(done, tmp_path)
