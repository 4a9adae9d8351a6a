"""What a command line means, before anything is done."""

import contextlib
import io
import re
from pathlib import Path

import pytest
import typer
from msgspec import structs

from gossamer.cli.command_parser import parse, whole_application
from gossamer.cli.help_listing import OrderedCommands, names_only
from gossamer.cli.parsed_commands import (
    CrawlCommand,
    DemoCommand,
    InfoCommand,
    OutputOptions,
    ResumeCommand,
)
from gossamer.cli.parsed_table_commands import ExportCommand
from gossamer.export.formats import TABLE_SUFFIXES
from gossamer.model.errors import UsageError
from gossamer.model.settings.crawl_settings import DEFAULTS, SETTINGS, CrawlSettings
from gossamer.model.settings.scope_settings import OUTLINK_NAMES, HostMatch
from gossamer.model.settings.setting_types import Switch
from gossamer.model.settings.user_agents import PRESETS
from gossamer.session.live_settings import CHANGEABLE, differing_settings
from tests.architecture.checkout import ROOT
from tests.cases import each_case
from tests.fakes.settings import another_value, as_typed


def crawl(*arguments: str) -> CrawlCommand:
    asked = parse(["crawl", *arguments])
    assert isinstance(asked, CrawlCommand)
    return asked


def test_without_options_the_defaults_of_the_settings_hold() -> None:
    chosen = frozenset({"roots"})
    expected = CrawlCommand(CrawlSettings(roots=("example.com",)), chosen=chosen)
    assert crawl("example.com") == expected


@each_case("name", [name for name, each in SETTINGS.items() if each.option and name != "headers"])
def test_an_option_reaches_its_setting(name: str) -> None:
    value = another_value(name)
    asked = crawl("a.test", *as_typed(name, value))
    assert asked.settings == structs.replace(DEFAULTS, roots=("a.test",), **{name: value})
    assert asked.chosen == {"roots", name}


def test_options_are_read_as_people_type_them() -> None:
    asked = crawl(
        *("a.test", "b.test", "-o", "x.gossamer", "--timeout", "8.5", "--host-match", "lenient"),
        *("--public-header", "Accept: text/html", "--public-header", "X-Time:12:30"),
        *("--no-robots", "--no-cookies", "--no-guard", "--user-agent", "GoogleBot"),
        *("--insecure", "A.test", "--insecure", "https://b.test:8443/x"),
        *("--check-kinds", "Image, css", "--follow-kinds", ""),
        *("--export", "pages=p.csv", "--export", "links=l.csv", "--json", "-v", "-q"),
    )
    settings = CrawlSettings(
        roots=("a.test", "b.test"),
        timeout_s=8.5,
        host_match=HostMatch.LENIENT,
        public_headers=(("Accept", "text/html"), ("X-Time", "12:30")),
        obey_robots=False,
        keep_cookies=False,
        guard=False,
        user_agent=PRESETS["googlebot"],
        insecure_hosts=("a.test:443", "b.test:8443"),
        check_kinds=("image", "css"),
        follow_kinds=(),
    )
    assert asked == CrawlCommand(
        settings,
        Path("x.gossamer"),
        ("pages=p.csv", "links=l.csv"),
        OutputOptions(json=True, verbose=True, quiet=True),
        chosen=differing_settings(settings, DEFAULTS),
    )


def test_an_option_typed_with_its_default_overrides_a_file(tmp_path: Path) -> None:
    file = tmp_path / "x.toml"
    file.write_text("workers = 4\n")
    assert crawl("a.test", "--settings", str(file), "--workers", "10").settings.workers == 10


def test_resume_has_the_options_of_what_can_change() -> None:
    names = [
        name
        for name, each in SETTINGS.items()
        if name in CHANGEABLE
        and name not in {"headers", "login_form"}
        and not isinstance(each.values, Switch)
    ]
    typed = [word for name in names for word in as_typed(name, another_value(name))]
    asked = parse(["resume", "x.gossamer", *typed])
    assert isinstance(asked, ResumeCommand)
    assert asked.changes == tuple((name, another_value(name)) for name in names)
    assert len(names) > 10


def test_resume_without_settings_changes_nothing() -> None:
    asked = parse(["resume", "x.gossamer", "--export", "errors=e.csv", "--json", "-q"])
    assert asked == ResumeCommand(
        Path("x.gossamer"), ("errors=e.csv",), OutputOptions(json=True, verbose=False, quiet=True)
    )


def test_resume_changes_the_settings_that_are_typed() -> None:
    asked = parse(["resume", "x.gossamer", "--workers", "20", "--rate", "2", "--timeout", "5"])
    assert isinstance(asked, ResumeCommand)
    assert asked.changes == (("workers", 20), ("timeout_s", 5.0), ("rate", 2.0))


def test_insecure_adds_to_the_servers_of_the_project_unless_certificates_are_checked_again() -> (
    None
):
    asked = parse(["resume", "x.gossamer", "--insecure", "a.test"])
    assert isinstance(asked, ResumeCommand)
    assert asked.changes == (("insecure_hosts", ("a.test:443",)),)
    assert "insecure_hosts" in asked.adding
    asked = parse(["resume", "x.gossamer", "--check-certificates"])
    assert isinstance(asked, ResumeCommand)
    assert asked.changes == (("insecure_hosts", ()),)
    assert "insecure_hosts" not in asked.adding


@pytest.mark.parametrize("server", ["http://a.test", "", "a b", "a.test:99999"])
def test_insecure_with_an_invalid_server_is_refused(server: str) -> None:
    with pytest.raises(UsageError, match=r"is not an HTTPS server; write HOST or HOST:P"):
        parse(["crawl", "a.test", "--insecure", server])


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        (
            "--host-match",
            "Host match cannot change once a crawl has started: it has already been applied",
        ),
        ("--max-redirects", "Max redirects cannot change once a crawl has started"),
        ("--parser", "some pages have already been parsed with the old value"),
        ("--speed", "No such option"),
    ],
)
def test_resume_refuses_fixed_settings_with_the_reason(option: str, reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        parse(["resume", "x.gossamer", option, "1"])


def test_options_override_a_settings_file(tmp_path: Path) -> None:
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


def test_export_command() -> None:
    asked = parse(["export", "x.gossamer", "sitemap", "-o", "out.csv"])
    assert asked == ExportCommand(Path("x.gossamer"), "sitemap", Path("out.csv"))


def test_info_command() -> None:
    assert parse(["info", "x.gossamer", "--json"]) == InfoCommand(Path("x.gossamer"), json=True)
    assert parse(["info", "x.gossamer"]) == InfoCommand(Path("x.gossamer"), json=False)
    assert parse(["info", "--diagnostics"]) == InfoCommand(None, diagnostics=True)


def test_demo_command() -> None:
    assert parse(["demo"]) == DemoCommand(serve=False)
    assert parse(["demo", "--serve"]) == DemoCommand(serve=True)


@each_case(
    ("arguments", "expected"),
    [
        (["crawl", "a.test", "--speed", "1"], "No such option"),
        (["crawl", "a.test", "--workers", "many"], "'--workers'"),
        (["crawl", "a.test", "--workers"], "'--workers'"),
        (["crawl", "a.test", "--host-match", "any"], "'any' is not one of 'strict', 'lenient'"),
        (["crawl", "a.test", "--header", "Accept"], "write headers as 'Name: value'"),
        (
            ["export", "x.gossamer", "all", "-o", "x.csv", "--columns", " ,"],
            "--columns needs names",
        ),
        (["exprot"], "Did you mean 'export'?"),
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


def test_the_help_is_listed_without_the_options_of_each_command() -> None:
    listed = typer.main.get_command(names_only(whole_application()))
    assert isinstance(listed, OrderedCommands)
    whole = typer.main.get_command(whole_application())
    assert isinstance(whole, OrderedCommands)
    assert listed.commands.keys() == whole.commands.keys()
    assert not any(command.params for command in listed.commands.values())
    assert any(command.params for command in whole.commands.values())


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


@each_case("command", ["export", "sql", "search", "compare", "redirects"])
def test_help_of_a_command_that_writes_tables_names_every_format(command: str) -> None:
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        assert parse([command, "--help"]) == 0
    words = {each.lstrip(".") for each in re.findall(r"[.\w]+\w", told.getvalue())}
    assert words >= {suffix.removeprefix(".") for suffix in TABLE_SUFFIXES}


def test_options_override_a_profile_which_overrides_a_file(tmp_path: Path) -> None:
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
    only_links = CrawlSettings(roots=("a.example",), follow_kinds=OUTLINK_NAMES, check_kinds=())
    assert alone.settings == only_links
