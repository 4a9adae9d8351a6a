"""Parsed commands as plain values: parsing creates them, `cli.main` executes them."""

from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from msgspec import Struct

from gossamer.cli.parsed_notify_commands import OfNotifications
from gossamer.cli.parsed_project_commands import OfProjects
from gossamer.cli.parsed_schedule_commands import OfSchedules
from gossamer.cli.parsed_search_command import SearchCommand
from gossamer.cli.parsed_series_commands import OfSeries
from gossamer.cli.parsed_settings_commands import ProfilesCommand, SettingsCommand
from gossamer.cli.parsed_shard_commands import MergeCommand
from gossamer.cli.parsed_table_commands import ExportCommand, SqlCommand

if TYPE_CHECKING:  # it declares all settings, which help needs not
    from gossamer.model.settings.crawl_settings import CrawlSettings


class OutputOptions(Struct, frozen=True):
    """Output options of a crawl: the report as JSON, more on stderr, no progress."""

    json: bool = False
    verbose: bool = False
    quiet: bool = False
    report: bool = True
    """Whether there is a report at all."""
    roots: bool = True
    """Whether roots with problems are reported one by one."""


class TypedSecret(NamedTuple):
    """A secret as typed, with its origin, "" if none was given.

    With `is_digest` it is only for Digest authentication.
    """

    origin: str
    text: str
    is_digest: bool = False


class CredentialOptions(Struct, frozen=True):
    """Secrets as typed. `auth` are USER or USER:PASSWORD, `headers` 'Name: value'.

    `remember` saves them in the keyring. With `login`, somebody logs in first in a browser window;
    with the address `login_form`, in the terminal. The file `login_values`, "-" for standard input,
    has the values for a login form.
    """

    auth: tuple[TypedSecret, ...] = ()
    cookies: tuple[TypedSecret, ...] = ()
    headers: tuple[TypedSecret, ...] = ()
    remember: bool = False
    login: bool = False
    login_form: str = ""
    login_values: str = ""
    certificates: tuple[TypedSecret, ...] = ()
    """Files of client certificates."""

    def __repr__(self) -> str:
        """Without the secrets."""
        return f"{type(self).__name__}(remember={self.remember})"


class CrawlCommand(Struct, frozen=True):
    """Crawl to the end, into a new project unless `output` is given.

    `exports` are as typed, VIEW=FILE; so is `fail_on`, NAME or NAME:N. `chosen` names the settings
    that were typed, and need no caution. It `begins_series` of its own, or continues the usual one.
    """

    settings: "CrawlSettings"
    output: Path | None = None
    exports: tuple[str, ...] = ()
    output_options: OutputOptions = OutputOptions()
    credentials: CredentialOptions = CredentialOptions()
    fail_on: tuple[str, ...] = ()
    chosen: frozenset[str] = frozenset()
    begins_series: bool = False


ADDED: Final = frozenset({"exclude", "insecure_hosts"})
"""Settings with several values: what is typed on resume is added to those of the project."""


class ResumeCommand(Struct, frozen=True):
    """Resume a project's crawl, with the settings of a file and `changes` by name.

    Changes in `adding` are added to the values of the project.
    """

    project: Path
    exports: tuple[str, ...] = ()
    output_options: OutputOptions = OutputOptions()
    credentials: CredentialOptions = CredentialOptions()
    changes: tuple[tuple[str, object], ...] = ()
    settings_file: Path | None = None
    fail_on: tuple[str, ...] = ()
    adding: frozenset[str] = ADDED


class CrawlShardsCommand(Struct, frozen=True):
    """Crawl in this many shards, and merge them into its `output`."""

    crawl: CrawlCommand
    shards: int
    on_nodes: bool = False
    """Whether each shard is crawled on a node of the cluster."""


class ResumeShardsCommand(Struct, frozen=True):
    """Resume a crawl in shards; its `project` is the folder of these."""

    resume: ResumeCommand
    on_nodes: bool = False


def crawl_of(
    command: CrawlCommand, shards: int | None, *, on_nodes: bool
) -> CrawlCommand | CrawlShardsCommand:
    """The crawl itself, or in shards."""
    is_divided = shards is not None or on_nodes
    return CrawlShardsCommand(command, shards or 0, on_nodes=on_nodes) if is_divided else command


def resume_of(command: ResumeCommand, *, on_nodes: bool) -> ResumeCommand | ResumeShardsCommand:
    """The crawl of a project, or of the folder of its shards."""
    is_divided = command.project.is_dir() or on_nodes
    return ResumeShardsCommand(command, on_nodes=on_nodes) if is_divided else command


class RecrawlCommand(Struct, frozen=True):
    """Crawl a project again into `output`, by default a new project; or `update` it.

    The settings of a file and `changes` by name override those of the project.
    """

    project: Path
    output: Path | None = None
    update: bool = False
    exports: tuple[str, ...] = ()
    output_options: OutputOptions = OutputOptions()
    credentials: CredentialOptions = CredentialOptions()
    changes: tuple[tuple[str, object], ...] = ()
    settings_file: Path | None = None
    fail_on: tuple[str, ...] = ()


class ImportCommand(Struct, frozen=True):
    """Make a project from archives, as `crawl` would of a site.

    `captures` is as typed: "last", "first" or a date.
    """

    archives: tuple[Path, ...]
    crawl: CrawlCommand
    captures: str = "last"
    linked_only: bool = False


class AuditCommand(Struct, frozen=True):
    """List the issues of a project, or of what `crawl` makes.

    `changes` are other thresholds by name, and with `again` any other settings: then all pages of
    the archive are read again. `format` is that of standard output, one of `audit_options.FORMATS`;
    `junit` and `sarif` are files to write. `exports` and `fail_on` are as typed, so are the issues
    to `ignore` for a `reason`, and those to `stop_ignoring`. Only issues of `segment` count, if
    that is given, and of URLs that pass `where` and `saved_filter`.
    """

    project: Path | None = None
    crawl: CrawlCommand | None = None
    changes: tuple[tuple[str, object], ...] = ()
    again: bool = False
    format: str = "text"
    junit: Path | None = None
    sarif: Path | None = None
    exports: tuple[str, ...] = ()
    fail_on: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    reason: str = ""
    stop_ignoring: tuple[str, ...] = ()
    include_ignored: bool = False
    segment: str | None = None
    where: tuple[str, ...] = ()
    saved_filter: str | None = None
    quiet: bool = False


class CompareCommand(Struct, frozen=True):
    """Compare two projects. `tables`, `where`, `fields`, `mapping` and `fail_on` are as typed.

    It `audits` projects whose issues are not up to date. The comparison is written to `outputs`,
    each in the format of its suffix, and single `tables` of it (TABLE=FILE).
    """

    before: Path
    after: Path
    outputs: tuple[Path, ...] = ()
    tables: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    mapping: tuple[str, ...] = ()
    fail_on: tuple[str, ...] = ()
    audits: bool = True
    json: bool = False
    quiet: bool = False


class CrawlersCommand(Struct, frozen=True):
    """Print which crawlers may fetch a URL, by default the first root of the project."""

    project: Path
    url: str | None = None
    json: bool = False


class RobotsCommand(Struct, frozen=True):
    """Print what the robots.txt in the file `edited` would change for the URLs of an origin."""

    project: Path
    edited: Path
    origin: str | None = None
    crawler: str = ""
    """The only one whose access is compared."""
    json: bool = False


class RedirectsCommand(Struct, frozen=True):
    """Check the expected redirects of a table, "-" for standard input, by a project or a `crawl`.

    `base` is the site of paths, "" for none. The results are written to `outputs`, each in the
    format of its suffix; `exports` and `fail_on` are as typed.
    """

    table: str
    project: Path | None = None
    crawl: CrawlCommand | None = None
    outputs: tuple[Path, ...] = ()
    base: str = ""
    exports: tuple[str, ...] = ()
    fail_on: tuple[str, ...] = ()
    json: bool = False
    quiet: bool = False


class FormChoice(Struct, frozen=True):
    """How to fill in a login form: values of fields as typed, NAME=VALUE, none of them secret.

    `button` is the name of the one to press, `number` that of the form, from 1, if it is not the
    likeliest; `values` is a file with secret values, "-" for standard input.
    """

    fields: tuple[str, ...] = ()
    button: str = ""
    number: int = 0
    values: str = ""


class LoginCommand(Struct, frozen=True):
    """Log in to the first root of `settings` in a browser window, or with the `form` there.

    `remember` it in the keyring, `save` the form in a new file of settings.
    """

    settings: "CrawlSettings"
    remember: bool = False
    form: FormChoice | None = None
    save: Path | None = None


class ForgetCommand(Struct, frozen=True):
    """Remove secrets from the keyring: `targets` are sites, proxies or project files, as typed."""

    targets: tuple[str, ...]


class SecretsCommand(Struct, frozen=True):
    """Show where secrets are kept, or have them kept in `place`: "file" or "keyring"."""

    place: str | None = None


class InfoCommand(Struct, frozen=True):
    """Print a project's contents; with `diagnostics`, information for bug reports.

    Diagnostics without a project are only about the program.
    """

    project: Path | None
    json: bool = False
    diagnostics: bool = False


class BrowserCommand(Struct, frozen=True):
    """List the browsers that can render pages; `install` one if there is none."""

    install: bool = False
    json: bool = False


class UpdatesCommand(Struct, frozen=True):
    """Check whether there is a newer version."""

    json: bool = False


class MeasureCommand(Struct, frozen=True):
    """Measure how pages load: each of `urls`, as typed, `runs` times."""

    urls: tuple[str, ...]
    settings: "CrawlSettings"
    runs: int
    json: bool = False


class DemoCommand(Struct, frozen=True):
    """Crawl the demo site, or only serve it, with the pages of `folder` instead of its own."""

    serve: bool = False
    folder: Path | None = None


class CompletionCommand(Struct, frozen=True):
    """Print the script with which a shell, as typed, completes our command lines."""

    shell: str


Crawling = (
    CrawlCommand
    | CrawlShardsCommand
    | ResumeCommand
    | ResumeShardsCommand
    | RecrawlCommand
    | ImportCommand
)
Invocation = (
    Crawling
    | ExportCommand
    | SqlCommand
    | InfoCommand
    | ForgetCommand
    | SecretsCommand
    | LoginCommand
    | DemoCommand
    | CompletionCommand
    | SettingsCommand
    | ProfilesCommand
    | MergeCommand
    | AuditCommand
    | CompareCommand
    | CrawlersCommand
    | RobotsCommand
    | RedirectsCommand
    | BrowserCommand
    | UpdatesCommand
    | MeasureCommand
    | SearchCommand
    | OfSeries
    | OfSchedules
    | OfNotifications
    | OfProjects
)
