"""docs/command-line.md says what the command line does, no more and no less."""

import re
import runpy
import shlex
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

import typer

from gossamer.cli import EXIT_GATE, EXIT_INTERRUPTED, EXIT_NO_BROWSER, EXIT_NO_ROOT
from gossamer.cli.command_parser import parse, whole_application
from gossamer.export.view_bundles import view_labels
from gossamer.model import errors
from gossamer.scheduling.scheduled_run import EXIT_INCOMPLETE
from tests.architecture.checkout import ROOT

OF_REQUESTS = {
    *("--auth", "--header", "--public-header", "--proxy", "--insecure", "--user-agent"),
    *("--cluster", "--insecure-cluster", "--rate", "--external-rate", "--max-per-host"),
    "--no-cookies",
}
"""Settings that say how servers are asked, which an import never does."""
CRAWLING = {"crawl", "recrawl", "audit", "redirects"}
"""Commands that have an option for each setting."""
DOCUMENT = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
SETTINGS = (ROOT / "docs" / "settings.md").read_text(encoding="utf-8")


def section(heading: str) -> str:
    return DOCUMENT.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def first_cells(text: str) -> list[str]:
    """Return the first cells of the table in `text`, without its header."""
    return re.findall(r"^\| ([^|]+) \|", text, flags=re.MULTILINE)[1:]


def commands() -> dict[str, Any]:
    """Return the visible commands of the command line, by name."""
    whole = typer.main.get_command(whole_application())
    return {
        name: command
        for name, command in getattr(whole, "commands", {}).items()
        if not command.hidden
    }


def options(command: Any) -> set[str]:  # noqa: ANN401 - typer does not publish its command's type
    """Return the spellings of the visible options of a command, or of those of a group."""
    if (members := getattr(command, "commands", None)) is not None:
        return set().union(*map(options, members.values()))
    return {
        spelling
        for parameter in command.params
        if parameter.param_type_name == "option" and not parameter.hidden
        for spelling in (*parameter.opts, *parameter.secondary_opts)
    }


def documented_options(name: str) -> set[str]:
    cells = first_cells(section(f"`gossamer {name}`"))
    own = {option for cell in cells for option in re.findall(r"`(--?[\w-]+)", cell)}
    return own | documented_setting_options(name)


def documented_setting_options(name: str) -> set[str]:
    """Return those that docs/settings.md has in its table for `crawl` and `resume`."""
    rows = re.findall(
        r"^\| `\w+` \| `(--[\w-]+)` \|([^|]*)\|[^|]*\|[^|]*\|([^|]*)\|", SETTINGS, re.MULTILINE
    )
    if name == "resume":
        return {
            option for option, default, changes in rows if changes.strip() and not on_off(default)
        }
    if name == "import":
        return {option for option, *_ in rows} - OF_REQUESTS
    return {option for option, *_ in rows} if name in CRAWLING else set()


def on_off(default: str) -> bool:
    return default.strip() in {"on", "off"}


def test_every_command_is_documented() -> None:
    documented = re.findall(r"^## `gossamer (\w+)`$", DOCUMENT, flags=re.MULTILINE)
    assert sorted(commands()) == sorted(documented)


def test_options_of_each_command_are_the_documented_ones() -> None:
    existing = {name: options(command) for name, command in commands().items()}
    assert existing == {name: documented_options(name) for name in existing}
    assert existing


def test_errors_end_with_a_documented_exit_code() -> None:
    documented = {int(cell) for cell in first_cells(section("Exit codes"))}
    used = {
        kind.exit_code
        for kind in vars(errors).values()
        if isinstance(kind, type) and issubclass(kind, errors.KnownError)
    } | {EXIT_GATE, EXIT_INCOMPLETE, EXIT_NO_ROOT, EXIT_NO_BROWSER, EXIT_INTERRUPTED}
    assert {0, 2, 3, 4, 5, 6, 7, 8, 9, 130} == documented
    assert used <= documented


def test_every_view_that_can_be_exported_is_documented() -> None:
    views = section("`gossamer export`").partition("### Views")[2].partition("### Formats")[0]
    documented = {
        name
        for line in views.splitlines()
        if line.startswith("| ")
        for name in re.findall(r"`([^`]+)`", line.partition(" | ")[0])
    }
    assert documented == set(view_labels())


GATHERED = runpy.run_path(str(ROOT / "packaging" / "documentation_pages.py"))
PAGES: dict[str, str] = GATHERED["pages"]()
UNKNOWN = re.compile(r"No such (option|command)|is not one of|Invalid value")


def written_commands(text: str) -> Iterator[str]:
    """The command lines in a page, in blocks and in sentences; not `gossamer note add|list`."""
    whole = re.sub(r"\\\n\s*", "", text)
    in_blocks = re.findall(r"^(?: {4})?(gossamer \S+(?: \S+)*)$", whole, flags=re.MULTILINE)
    sentences = re.sub(r"^```.*?^```", "", whole, flags=re.MULTILINE | re.DOTALL)
    for command in (*in_blocks, *re.findall(r"`(gossamer [^`]+)`", sentences)):
        if not re.search(r"\w\|\w", command):
            yield " ".join(command.split())


def why_unknown(command: str) -> str:
    """What the parser says of a command or option that it does not know."""
    words = takewhile(lambda word: word not in {"|", ">"}, shlex.split(command))
    try:
        parse(list(words)[1:])
    except errors.KnownError as error:
        return str(error) if UNKNOWN.search(str(error)) else ""
    except SystemExit:  # the help was asked for
        return ""
    return ""


def test_commands_in_the_documentation_exist() -> None:
    wrong = {
        (name, command): why
        for name, text in PAGES.items()
        if not name.startswith("adr/")
        for command in written_commands(text)
        if (why := why_unknown(command))
    }
    assert wrong == {}


OF_DEVELOPERS = (
    "adr/",
    "architecture",
    "cluster-recipes",
    "contributing",
    "packaging",
    "performance",
    "scale",
)
"""Pages that name options of our scripts."""
OTHERS = {"--find-links", "--help"}
"""Of pip, and of every command."""


def named_options(text: str) -> set[str]:
    """The options that sentences of a page name by themselves, without a command before them."""
    sentences = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return set(re.findall(r"`(--[a-z][\w-]*)", sentences))


def test_options_in_sentences_exist() -> None:
    existing = set().union(*map(options, commands().values()))
    wrong = {
        name: unknown
        for name, text in PAGES.items()
        if not name.startswith(OF_DEVELOPERS)
        if (unknown := named_options(text) - existing - OTHERS)
    }
    assert wrong == {}


def test_an_option_that_does_not_exist_is_noticed() -> None:
    assert named_options("Add `--no-such-thing 2`.") == {"--no-such-thing"}


def test_a_command_that_does_not_exist_is_noticed() -> None:
    (line,) = written_commands("Try\n\n    gossamer crawl x \\\n        --no-such-thing\n")
    assert "--no-such-thing" in why_unknown(line)
    (other,) = written_commands("Try `gossamer no-such\nthing` now.")
    assert "no-such" in why_unknown(other)
