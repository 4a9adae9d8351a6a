"""Bad input: one sentence on standard error, the documented code, and nothing written."""

import os
import shutil
from pathlib import Path

import pytest

from gossamer.cli.main import run_cli
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.store.project import create
from tests.cases import each_case

NEW = ("-o", "new.gossamer")
PAGES = ("export", "old.gossamer", "pages", "-o", "x.csv")
LONG = f"{'x' * 300}.gossamer"
ALMOST_LONG = f"{'x' * 240}.gossamer"
SITEMAP = ("export", "old.gossamer", "sitemap", "-o", "x.xml")
LIFTED = ("--sitemap-include", "colour")


@pytest.fixture(scope="module")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a project, a damaged one, a text file, a subfolder."""
    made = tmp_path_factory.mktemp("made")
    create(made / "old.gossamer", CrawlSettings(roots=("a.test",)))
    # As a stranger may have made it:
    create(made / "endless.gossamer", CrawlSettings(roots=("a.test",), include=("(a+)+$",)))
    (made / "damaged.gossamer").write_bytes(b"SQLite format 3\0" + b"\xff" * 5000)
    (made / "text.gossamer").write_text("not a project")
    (made / "sub").mkdir()
    return made


@pytest.fixture(autouse=True)
def folder(made_once: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the folder we stand in, a copy of `made_once`."""
    shutil.copytree(made_once, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and not path.name.endswith(("-shm", "-wal"))
    }


def no_window(target: str | None) -> int:
    raise AssertionError(target)


@each_case(
    ("arguments", "code", "sentence"),
    [
        # What is no UTF-8, as bytes of the command line
        (["crawl", "a.test", "--include", "\udcff", *NEW], 2, "'--include': it is not UTF-8 text"),
        (["crawl", "a.test", "--cookie", "a=\udcff", *NEW], 2, "'--cookie': it is not UTF-8 text"),
        (["crawl", "a.test", "--dictionaries", "\udcff", *NEW], 2, "not Unicode text"),
        (["crawl", "a.test", "--browser", "\udcff", *NEW], 2, "not Unicode text"),
        (["sql", "old.gossamer", "SELECT '\udcff'"], 2, "it is not UTF-8 text"),
        ([*PAGES, "--where", "origin=\udcff"], 2, "it is not UTF-8 text"),
        ([*PAGES, "--where", "depth=99999999999999999999"], 2, "depth cannot be '9999"),
        # Roots
        (["crawl", "http://", *NEW], 2, "has no host"),
        (["crawl", "", *NEW], 2, "Enter the URL of a website"),
        (["crawl", "https://exa mple.com/", *NEW], 2, "is not a URL"),
        (["crawl", "http://a.test:99999/", *NEW], 2, "port"),
        (["crawl", "ftp://a.test/", *NEW], 2, "Only http and https"),
        (["crawl", "a.test", "mailto:me@a.test", *NEW], 2, "Only http and https"),
        # Settings
        (["crawl", "a.test", "--workers", "0", *NEW], 2, "Workers must be between 1 and 10,000"),
        (["crawl", "a.test", "--timeout", "nan", *NEW], 2, "Timeout must be between"),
        (["crawl", "a.test", "--workers", "x"], 2, "'--workers': enter a whole number; see"),
        (["crawl", "a.test", "--rate", "1,5"], 2, "'--rate': enter a number; see"),
        (["crawl", "--auth"], 2, "requires an argument; see 'gossamer crawl --help'"),
        (["crawl", "a.test", "--include", "(", *NEW], 2, "not a regular expression"),
        (["crawl", "a.test", "--exclude", "*", *NEW], 2, "not a regular expression"),
        (["crawl", "a.test", "--header", "nonsense", *NEW], 2, "'Name: value'"),
        (["crawl", "a.test", "--header", "a b: c", *NEW], 2, "not a header name"),
        (["crawl", "a.test", "--header", "a: b\r\nc: d", *NEW], 2, "control character"),
        (["crawl", "a.test", "--user-agent", "x\ny", *NEW], 2, "control character"),
        (["crawl", "a.test", "--exclude", "", *NEW], 2, "An empty pattern matches every URL"),
        (["crawl", "a.test", "--include", "", *NEW], 2, "An empty pattern matches every URL"),
        (["crawl", "a.test", "--header", "Content-Length: 5", *NEW], 2, "remove it"),
        (["crawl", "a.test", "--public-header", "accept-encoding: br", *NEW], 2, "remove it"),
        (
            ["crawl", "a.test", "--header", f"X-Pass: {'x' * 70_000}", *NEW],
            2,
            "is longer than 65,536",
        ),
        # Whom a secret is for
        (["crawl", "a.test", "--header", "https://a.test/p=K: v", *NEW], 2, "without a path"),
        (["crawl", "a.test", "--header", "ftp://a.test=K: v", *NEW], 2, "without a path"),
        (["crawl", "a.test", "--header", "https://=K: v", *NEW], 2, "without a path"),
        (["crawl", "a.test", "--cookie", "https://a.test/p=id=1", *NEW], 2, "without a path"),
        (["crawl", "a.test", "--auth", "https://a.test/p=jo:x", *NEW], 2, "without a path"),
        (["crawl", "a.test", "--auth", "", *NEW], 2, "The user name is empty"),
        (["crawl", "a.test", "--auth", ":x", *NEW], 2, "The user name is empty"),
        (["crawl", "a.test", "--auth", "https://a.test=", *NEW], 2, "The user name is empty"),
        (["resume", "old.gossamer", "--auth", ":x"], 2, "The user name is empty"),
        (["crawl", "a.test", "--cookie", "", *NEW], 2, "The cookie is empty"),
        (["crawl", "a.test", "--cookie", "https://a.test=", *NEW], 2, "The cookie is empty"),
        (["crawl", "a.test", "--insecure", "*", *NEW], 2, "write HOST or HOST:PORT"),
        # Sitemaps
        (["crawl", "a.test", "--sitemaps", "", *NEW], 2, "Enter the URL"),
        (["crawl", "a.test", "--sitemaps", "ftp://a.test/s.xml", *NEW], 2, "Only http and https"),
        (["crawl", "a.test", "--sitemaps", "x y", *NEW], 2, "is not a URL"),
        # What a project may become
        (["resume", "old.gossamer", "--exclude", "(a+)+$"], 2, "could take forever"),
        (["resume", "old.gossamer", "--exclude", ""], 2, "An empty pattern"),
        (["resume", "old.gossamer", "--header", "Transfer-Encoding: x"], 2, "remove it"),
        (["resume", "old.gossamer", "--insecure", "*"], 2, "write HOST or HOST:PORT"),
        # The project file
        (["crawl", "a.test", "-o", "old.gossamer"], 4, "resume that crawl: gossamer resume"),
        (["crawl", "a.test", "-o", "sub"], 4, "choose another name"),
        (["crawl", "a.test", "-o", "none/x.gossamer"], 4, "The folder none does not exist"),
        (["crawl", "a.test", "-o", "old.gossamer/x.gossamer"], 4, "is not a folder"),
        (["crawl", "a.test", "-o", "pages.csv"], 2, "--export pages=pages.csv"),
        (["crawl", "a.test", "-o", LONG], 4, "is too long"),
        (["copy", "old.gossamer", "-o", LONG], 4, "is too long"),
        (["copy", "old.gossamer", "-o", ALMOST_LONG], 4, "is too long"),
        (["copy", "old.gossamer", "-o", "none/x.gossamer"], 4, "The folder none does not exist"),
        (["copy", "old.gossamer", "-o", "old.gossamer/x"], 4, "is not a folder"),
        (["rescue", "old.gossamer", "-o", LONG], 4, "is too long"),
        (["rescue", "old.gossamer", "-o", "old.gossamer/x"], 4, "is not a folder"),
        (["rescue", LONG, "-o", "new.gossamer"], 4, "cannot be read"),
        (["delete", "-y", LONG], 4, "File name too long"),
        (["resume", "none.gossamer"], 4, "none.gossamer"),
        (["resume", "text.gossamer"], 4, "is not a Gossamer project"),
        (["resume", "sub"], 4, "sub"),
        (["resume", "endless.gossamer", "--exclude", "/a/"], 4, "could take forever"),
        (["info"], 2, "Missing argument 'FILE'"),
        (["info", "damaged.gossamer"], 4, "damaged.gossamer"),
        (["info", "none.gossamer"], 4, "none.gossamer"),
        (["info", "https://a.test/"], 4, "https://a.test is a URL; crawl it first"),
        (["compare", "old.gossamer", "http://a.test:80/b"], 4, "http://a.test:80/b is a URL"),
        (["recrawl", "http://a.test"], 4, "http://a.test is a URL"),
        (["note", "list", "http://a.test"], 4, "http://a.test is a URL"),
        (["series", "show", "http://a.test"], 4, "http://a.test is a URL"),
        (["resume", "http://a.test"], 4, "http://a.test is a URL"),
        (["copy", "http://a.test", "-o", "x.gossamer"], 4, "http://a.test is a URL"),
        (["rescue", "http://a.test", "-o", "x.gossamer"], 4, "http://a.test is a URL"),
        (["delete", "-y", "http://a.test"], 4, "http://a.test is a URL"),
        (["export", "http://a.test", "pages", "-o", "x.csv"], 4, "http://a.test is a URL"),
        (["export", "text.gossamer", "pages", "-o", "x.csv"], 4, "is not a Gossamer project"),
        # Exports
        (["export", "old.gossamer", "pictures", "-o", "x.csv"], 2, "Unknown view 'pictures'"),
        (["export", "old.gossamer", "pages", "-o", "x.doc"], 2, "an unknown format"),
        (
            ["export", "old.gossamer", "pages", "-o", "none/x.csv"],
            2,
            "does not exist; create it first",
        ),
        (
            ["export", "old.gossamer", "pages", "-o", "sub.csv/x.csv"],
            2,
            "does not exist; create it first",
        ),
        (["export", "old.gossamer", "pages", "-o", "x.xml"], 2, "can only hold the view sitemap"),
        ([*PAGES, "--columns", "Colour"], 2, "pages has no column 'Colour'"),
        ([*PAGES, "--delimiter", "#"], 2, "choose comma, semicolon, tab or pipe"),
        ([*PAGES, "--sitemap-include", "files"], 2, "require the view sitemap"),
        (["export", "old.gossamer", "sitemap", "-o", "x.xml", "--bom"], 2, "byte order mark"),
        (["export", "old.gossamer", "sitemap", "-o", "x.xml", *LIFTED], 2, "takes noindex, "),
        ([*SITEMAP, "--sitemap-base", "https://a.test/?x=1"], 2, "no query and no fragment"),
        ([*SITEMAP, "--sitemap-base", "a.test/maps/#x"], 2, "no query and no fragment"),
        (["crawl", "a.test", "--export", "pages", *NEW], 2, "is not VIEW=FILE"),
        (["crawl", "a.test", "--export", "pages=", *NEW], 2, "is not VIEW=FILE"),
        (["crawl", "a.test", "--export", "pictures=x.csv", *NEW], 2, "Unknown view 'pictures'"),
        (["crawl", "a.test", "--export", "pages=x.doc", *NEW], 2, "an unknown format"),
        (
            ["crawl", "a.test", "--export", "pages=none/x.csv", *NEW],
            2,
            "does not exist; create it first",
        ),
        (["resume", "old.gossamer", "--export", "pages=x.doc"], 2, "an unknown format"),
    ],
)
def test_a_mistake_is_reported_in_one_sentence_and_nothing_is_written(
    arguments: list[str],
    code: int,
    sentence: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    before = contents(folder)
    assert run_cli(arguments, no_window) == code
    said = capsys.readouterr()
    (line,) = said.err.splitlines()
    assert line.startswith("gossamer: ")
    assert sentence in line
    assert said.out == ""
    assert contents(folder) == before


def test_two_exports_to_one_file_are_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = contents(folder)
    exports = ("--export", "pages=x.csv", "--export", "links=sub/../x.csv")
    assert run_cli(["crawl", "a.test", *exports, *NEW], no_window) == 2
    assert "Two exports write to" in capsys.readouterr().err
    assert contents(folder) == before


def test_a_project_without_read_permission_is_an_unusable_project(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    for command in (["info"], ["resume"], ["copy", "-o", "new.gossamer"]):
        assert run_cli([*command, "text.gossamer"], no_window) == 4
        assert "is not a Gossamer project" in capsys.readouterr().err
