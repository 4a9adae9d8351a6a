"""What a command line means, before anything is done."""

import re
from pathlib import Path

import pytest

from gossamer.cli.commands import parse
from gossamer.cli.invocation import (
    CrawlCommand,
    DemoCommand,
    ExportCommand,
    InfoCommand,
    OutputOptions,
    ResumeCommand,
)
from gossamer.model.errors import UsageError
from gossamer.model.settings import CrawlSettings
from gossamer.model.settings_requests import Parser
from gossamer.model.settings_scope import HostMatch
from tests.architecture.checkout import ROOT


def crawl(*arguments: str) -> CrawlCommand:
    asked = parse(["crawl", *arguments])
    assert isinstance(asked, CrawlCommand)
    return asked


def test_without_options_the_defaults_of_the_settings_hold() -> None:
    chosen = frozenset({"roots"})
    expected = CrawlCommand(CrawlSettings(roots=("example.com",)), chosen=chosen)
    assert crawl("example.com") == expected


def test_every_option_of_a_crawl_reaches_its_setting() -> None:
    asked = crawl(
        *("a.test", "b.test", "-o", "x.gossamer", "--workers", "3", "--max-redirects", "4"),
        *("--max-tries", "5", "--max-depth", "6", "--max-pages", "7", "--timeout", "8.5"),
        *("--include", "/in/", "--include", "/of/", "--exclude", "/out/", "--exclude", "/off/"),
        *("--host-match", "lenient", "--processes", "2", "--rate", "0.5", "--user-agent", "Me/1"),
        *(
            "--public-header",
            "Accept: text/html",
            "--public-header",
            "X-Time:12:30",
            "--no-robots",
            "--no-cookies",
        ),
        *("--accept-language", "de", "--proxy", "http://proxy.test:3128"),
        *("--insecure", "A.test", "--insecure", "https://b.test:8443/x"),
        *("--parser", "beautifulsoup", "--max-body-bytes", "4096", "--max-url-length", "100"),
        *("--max-links", "9", "--max-similar", "10", "--max-per-host", "2", "--no-guard"),
        *("--follow-kinds", "anchor", "--check-kinds", "Image, css", "--follow-nofollow"),
        *("--check-external", "--external-rate", "0.5", "--use-sitemaps", "--list-only"),
        *("--sitemaps", "a.test/1.xml", "--sitemaps", "a.test/2.xml"),
        *("--export", "pages=p.csv", "--export", "links=l.csv", "--json", "-v", "-q"),
    )
    assert asked == CrawlCommand(
        CrawlSettings(
            roots=("a.test", "b.test"),
            workers=3,
            max_redirects=4,
            max_tries=5,
            max_depth=6,
            max_pages=7,
            timeout_s=8.5,
            include=("/in/", "/of/"),
            exclude=("/out/", "/off/"),
            host_match=HostMatch.LENIENT,
            processes=2,
            rate=0.5,
            user_agent="Me/1",
            public_headers=(("Accept", "text/html"), ("X-Time", "12:30")),
            accept_language="de",
            proxy="http://proxy.test:3128",
            insecure_hosts=("a.test:443", "b.test:8443"),
            obey_robots=False,
            keep_cookies=False,
            parser=Parser.BEAUTIFULSOUP,
            max_body_bytes=4096,
            max_url_length=100,
            max_links=9,
            max_similar=10,
            max_per_host=2,
            follow_kinds=("anchor",),
            check_kinds=("image", "css"),
            follow_nofollow=True,
            check_external=True,
            external_rate=0.5,
            use_sitemaps=True,
            sitemaps=("a.test/1.xml", "a.test/2.xml"),
            list_only=True,
            guard=False,
        ),
        Path("x.gossamer"),
        ("pages=p.csv", "links=l.csv"),
        OutputOptions(json=True, verbose=True, quiet=True),
        chosen=frozenset(CrawlSettings.__struct_fields__) - {"headers", "needs_secrets", "turns"},
    )


def test_resume() -> None:
    asked = parse(["resume", "x.gossamer", "--export", "errors=e.csv", "--json", "-q"])
    assert asked == ResumeCommand(
        Path("x.gossamer"), ("errors=e.csv",), OutputOptions(json=True, verbose=False, quiet=True)
    )


def test_resume_with_other_settings() -> None:
    asked = parse(["resume", "x.gossamer", "--workers", "20", "--rate", "2", "--timeout", "5"])
    assert isinstance(asked, ResumeCommand)
    assert asked.changes == (("workers", 20), ("timeout_s", 5.0), ("rate", 2.0))


def test_trust_given_on_resume_comes_to_what_there_is_or_in_its_place() -> None:
    asked = parse(["resume", "x.gossamer", "--insecure", "a.test"])
    assert isinstance(asked, ResumeCommand)
    assert asked.changes == (("insecure_hosts", ("a.test:443",)),)
    assert "insecure_hosts" in asked.adding
    asked = parse(["resume", "x.gossamer", "--check-certificates"])
    assert isinstance(asked, ResumeCommand)
    assert asked.changes == (("insecure_hosts", ()),)
    assert "insecure_hosts" not in asked.adding


@pytest.mark.parametrize("server", ["http://a.test", "", "a b", "a.test:99999"])
def test_trust_in_what_is_no_server_is_refused(server: str) -> None:
    with pytest.raises(UsageError, match=r"is no server that speaks HTTPS; write HOST or HOST:P"):
        parse(["crawl", "a.test", "--insecure", server])


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--host-match", "Host match cannot change once a crawl has begun: it decides"),
        ("--max-redirects", "Max redirects cannot change once a crawl has begun"),
        ("--parser", "pages that were read already were read in the other way"),
        ("--speed", "No such option"),
    ],
)
def test_what_cannot_change_any_more_is_refused_with_the_reason(option: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        parse(["resume", "x.gossamer", option, "1"])


def test_settings_from_a_file_and_options_before_them(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("workers = 4\nrate = 9.0\ninclude = ['/docs/']\nguard = false\n")
    asked = parse(["crawl", "a.test", "--settings", str(file), "--rate", "2", "--workers", "10"])
    assert isinstance(asked, CrawlCommand)
    assert asked.settings == CrawlSettings(
        roots=("a.test",), workers=10, rate=2.0, include=("/docs/",), guard=False
    )
    file.write_text("roots = ['b.test']\n")
    asked = parse(["crawl", "--settings", str(file), "--no-robots"])
    assert isinstance(asked, CrawlCommand)
    assert asked.settings == CrawlSettings(roots=("b.test",), obey_robots=False)


def test_export() -> None:
    asked = parse(["export", "x.gossamer", "sitemap", "-o", "out.csv"])
    assert asked == ExportCommand(Path("x.gossamer"), "sitemap", Path("out.csv"))


def test_info() -> None:
    assert parse(["info", "x.gossamer", "--json"]) == InfoCommand(Path("x.gossamer"), json=True)
    assert parse(["info", "x.gossamer"]) == InfoCommand(Path("x.gossamer"), json=False)


def test_demo() -> None:
    assert parse(["demo"]) == DemoCommand(serve=False)
    assert parse(["demo", "--serve"]) == DemoCommand(serve=True)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["crawl", "a.test", "--speed", "1"], "No such option"),
        (["crawl", "a.test", "--workers", "many"], "'--workers'"),
        (["crawl", "a.test", "--workers"], "'--workers'"),
        (["crawl", "a.test", "--host-match", "any"], "'any' is not one of 'strict', 'lenient'"),
        (["crawl", "a.test", "--header", "Accept"], "write headers as 'Name: value'"),
        (["crwal"], "Did you mean 'crawl'?"),
        (["export", "x.gossamer", "pages"], "Missing option '--output' / '-o'"),
        (["resume"], "Missing argument 'FILE'; see 'gossamer resume --help'."),
        (["resume", "x.gossamer", "y.gossamer"], "y.gossamer"),
        (["--workers", "3"], "see 'gossamer --help'."),
        ([], "Missing command"),
    ],
)
def test_a_mistake_gets_one_sentence(arguments: list[str], expected: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(arguments)
    sentence = str(caught.value)
    assert expected in sentence
    assert "\n" not in sentence
    assert sentence.endswith((".", "?"))


def test_help_lists_the_commands_in_the_order_of_the_documentation(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert parse(["--help"]) == 0
    listed = capsys.readouterr().out.partition("Commands:\n")[2].partition("\n\n")[0]
    documented = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    names = re.findall(r"^    gossamer (\w+)", documented, re.MULTILINE)
    assert re.findall(r"^  (\w+)", listed, re.MULTILINE) == names
    assert "..." not in listed


@pytest.mark.parametrize("flag", ["-h", "--help"])
def test_help_names_every_command(flag: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert parse([flag]) == 0
    shown = capsys.readouterr().out
    for command in ("crawl", "resume", "export", "info", "demo"):
        assert f"\n  {command} " in shown
    assert "130 interrupted" in shown


def test_help_of_a_command_shows_defaults(capsys: pytest.CaptureFixture[str]) -> None:
    assert parse(["crawl", "--help"]) == 0
    assert "[default: 10]" in capsys.readouterr().out


def test_what_is_typed_goes_before_a_profile_and_that_before_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("workers = 7\nrate = 9.0\nmax_depth = 4\n")
    command = ["crawl", "a.example", "--settings", str(file), "--profile", "polite", "--rate", "3"]
    asked = parse(command)
    assert isinstance(asked, CrawlCommand)
    settings = asked.settings
    assert (settings.workers, settings.rate, settings.max_depth) == (2, 3.0, 4)
    assert settings.roots == ("a.example",)
    alone = parse(["crawl", "a.example", "--profile", "links"])
    assert isinstance(alone, CrawlCommand)
    assert alone.settings == CrawlSettings(roots=("a.example",), check_kinds=())
