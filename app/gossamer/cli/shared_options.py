"""Declares typer arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, Final, TypeAlias

import typer

# Not read from `export.formats`: help would wait for what the formats import.
TABLE_FILES: Final = ".csv, .tsv, .xlsx, .jsonl or .parquet"
"""The suffixes of files that hold any table, as help lists them."""
TABLE_FORMATS: Final = TABLE_FILES.replace(".", "")
"""The same as names of formats."""
ProjectFile: TypeAlias = Annotated[
    Path,
    # Whether it can be read is for the store to say, with the exit code of unusable projects.
    typer.Argument(metavar="FILE", help="The project file.", readable=False),
]
Exports: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--export",
        metavar="VIEW=FILE",
        help="Export a view when the crawl ends; repeatable.",
    ),
]
FailOn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        metavar="NAME[:N]",
        help="Exit with code 5 if there are more than N (default 0) errors, redirects, skipped "
        "URLs, URLs with an outcome such as client_error, URLs of an issue such as 'H1: Missing', "
        "or issues of priority high, medium or low and above; repeatable.",
    ),
]
NewSeries: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--new-series", help="Begin a series, apart from earlier crawls of the same URLs."
    ),
]
Shards: TypeAlias = Annotated[
    int | None,
    typer.Option(
        "--shards",
        metavar="N",
        min=1,
        help="Divide the sites among N crawl processes with a project file each, and merge them "
        "in the end.",
    ),
]
ShardsOnNodes: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--shards-on-nodes",
        help="Run the crawl process of each shard on a node of the cluster, which sees the folder "
        "of the shards at the same path.",
    ),
]
Auth: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--auth",
        metavar="[ORIGIN=]USER[:PASSWORD]",
        help="HTTP authentication, Basic or Digest; prompts for the password.",
    ),
]
Digest: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--digest",
        metavar="[ORIGIN=]USER[:PASSWORD]",
        help="Digest authentication alone: the password itself is never sent.",
    ),
]
Cookies: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--cookie", metavar="'[ORIGIN=]K=V'", help="Cookie to send; repeatable."),
]
ClientCertificateOption: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--client-certificate",
        metavar="'[ORIGIN=]FILE'",
        help="Certificate with its key, PEM or PKCS#12, to show to the site; prompts for a "
        "passphrase.",
    ),
]
LoginOption: TypeAlias = Annotated[
    bool,
    typer.Option(
        "--login",
        help="Log in first: with what 'gossamer login --remember' saved, else in a browser window.",
    ),
]
LoginFormOption: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--login-form",
        metavar="URL",
        help="Log in first with the form of that page; prompts for its fields.",
    ),
]
LoginValues: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--login-values",
        metavar="FILE",
        help="What to type into the login form, NAME=VALUE on each line; - for standard input.",
    ),
]
Remember: TypeAlias = Annotated[
    bool,
    typer.Option("--remember", help="Save passwords, cookies and headers in the system's keyring."),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="Print the report as JSON.")]
Verbose: TypeAlias = Annotated[
    bool, typer.Option("--verbose", "-v", help="Print more details to standard error.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="Do not show progress.")]
ProfileName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="Settings profile: polite, fast, links, one of your own, or 'defaults'.",
    ),
]
Settings: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="Settings from a TOML file or a project; command-line options override them.",
    ),
]
