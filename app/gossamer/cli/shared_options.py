"""Declares typer arguments and options that several commands share."""

from pathlib import Path
from typing import Annotated, TypeAlias

import typer

ProjectFile: TypeAlias = Annotated[
    Path,
    # Whether it can be read is for the store to say, with the exit code of unusable projects.
    typer.Argument(metavar="FILE", help="A project file.", readable=False),
]
Exports: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--export",
        metavar="VIEW=FILE",
        help="Write a view when the crawl has ended; may be repeated.",
    ),
]
FailOn: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--fail-on",
        metavar="NAME[:N]",
        help="End with code 5 if there are more than N errors, redirects, skipped URLs, or URLs of"
        " an outcome such as client_error; may be repeated.",
    ),
]
Auth: TypeAlias = Annotated[
    list[str] | None,
    typer.Option(
        "--auth",
        metavar="[ORIGIN=]USER[:PASSWORD]",
        help="Basic authentication; asks for the password.",
    ),
]
Cookies: TypeAlias = Annotated[
    list[str] | None,
    typer.Option("--cookie", metavar="'[ORIGIN=]K=V'", help="A cookie to send; may be repeated."),
]
Remember: TypeAlias = Annotated[
    bool,
    typer.Option("--remember", help="Keep passwords, cookies and headers in the system's keyring."),
]
Json: TypeAlias = Annotated[bool, typer.Option("--json", help="The report as one JSON object.")]
Verbose: TypeAlias = Annotated[
    bool, typer.Option("--verbose", "-v", help="Say more on standard error.")
]
Quiet: TypeAlias = Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")]
ProfileName: TypeAlias = Annotated[
    str | None,
    typer.Option(
        "--profile",
        metavar="NAME",
        help="Settings that go together: polite, fast, links, one of your own, or 'defaults'.",
    ),
]
Settings: TypeAlias = Annotated[
    Path | None,
    typer.Option(
        "--settings",
        metavar="FILE",
        help="Settings from a TOML file or a project; options go before them.",
    ),
]
