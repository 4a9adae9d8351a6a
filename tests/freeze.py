"""Frozen samples of project files: one for each version of the tables there ever was.

`python -m tests.freeze` writes that of the present version anew, and describes the columns of
declared fields, flags, kinds of links, outcomes, details and warnings in docs/project-file.md. The
sample of a released version never changes.
"""

import ast
import inspect
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from enum import Enum, IntFlag
from pathlib import Path
from tempfile import TemporaryDirectory

from gossamer.model.archive_record import ArchiveRecord, RecordKind
from gossamer.model.crawl_state import CrawlState
from gossamer.model.fields.page_flags import ContentFlag, Directive, MarkupFlag
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.link_kinds import LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.outcome_details import DetailCode
from gossamer.model.rendering import PageResource, Rendering, RenderingDetails, ResourceType
from gossamer.model.response_warnings import ResponseWarning
from gossamer.model.server_certificate import ServerCertificate
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.site_checks import SiteCheck, SiteCheckRow
from gossamer.model.store_batch import RobotsRow, StoreBatch
from gossamer.model.visit import Link
from gossamer.store.field_sql import AUDIT_COLUMNS, LINK_TEXTS, RENDERING_COLUMNS, VISIT_COLUMNS
from gossamer.store.schema import APPLICATION_ID, VERSION
from gossamer.store.stored_settings import store_roots
from tests.fakes.crawled import Crawled

_RENDERING = Rendering(
    RenderOutcome.RENDERED,
    html_title="Loading…",
    rendered_links=1,
    page_requests=1,
    details=RenderingDetails([PageResource("https://example.com/a.js", ResourceType.SCRIPT, 200)]),
    screenshot=b"not really a JPEG",
)
_ARCHIVED = ArchiveRecord(
    RecordKind.REVISIT, "a-20261123120000-1-00000.warc.gz", 800, 400, bytes(32), 300
)
_FLAGS: dict[type[IntFlag], str] = {
    MarkupFlag: "Markup",
    ContentFlag: "Content",
    Directive: "Directives",
}
"""What facts are made of, and the sections that describe it."""
FOLDER = Path(__file__).with_name("data") / "projects"
RELEASED = 0
"""The latest version of the tables in a release; 0 before the first."""
DOCUMENT = Path(__file__).parents[1] / "docs" / "project-file.md"


def sample_path(version: int) -> Path:
    """Where the sample of a version is kept, as SQL."""
    return FOLDER / f"version-{version}.sql"


def frozen_versions() -> list[int]:
    """The versions that have a sample."""
    found = (re.fullmatch(r"version-(\d+)\.sql", path.name) for path in FOLDER.iterdir())
    return sorted(int(match[1]) for match in found if match)


def thaw(version: int, path: Path) -> Path:
    """Make the project file of a sample at `path`, as a program of that version left it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(f"PRAGMA application_id={APPLICATION_ID}")
        connection.executescript(sample_path(version).read_text(encoding="utf-8"))
        connection.execute(f"PRAGMA user_version={version}")
    return path


def freeze(released: int = RELEASED) -> None:
    """Write the sample of the present version, unless that is released."""
    if released >= VERSION:
        return
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sample.gossamer"
        _crawl(path)
        with closing(sqlite3.connect(path)) as connection:
            settings = CrawlSettings(roots=("https://example.com",), exclude=("/private/",))
            connection.execute(
                "UPDATE project"
                " SET program = 'Gossamer', created_at = 1.7e9, series = ?, settings = ?",
                ("5e" * 16, store_roots(connection, settings)),
            )
            text = "".join(f"{line}\n" for line in connection.iterdump())
    FOLDER.mkdir(exist_ok=True)
    sample_path(VERSION).write_text(text, encoding="utf-8")


def with_declarations(document: str) -> str:
    """The document as the declarations have it now."""
    return with_codes(with_kinds(with_fields(document)))


def with_fields(document: str) -> str:
    """The document with a row for each column that a declared field fills."""
    for columns in (VISIT_COLUMNS, LINK_TEXTS, AUDIT_COLUMNS, RENDERING_COLUMNS):
        table = columns[0].table
        section = re.search(rf"^### `{table}`\n.*?(?=^### )", document, re.MULTILINE | re.DOTALL)
        assert section
        names = {each.name for each in columns}
        rows = section[0].splitlines(keepends=True)
        first = next(i for i, row in enumerate(rows) if _column_in(row) in names)
        kept = [row for row in rows if _column_in(row) not in names]
        described = [
            f"| `{each.name}` | {each.field.field.doc}{' → `text`' * each.storage.pooled} |\n"
            for each in columns
        ]
        document = document.replace(section[0], "".join([*kept[:first], *described, *kept[first:]]))
    return document


def with_kinds(document: str) -> str:
    """The document with what the numbers in `link.kind` mean."""
    kinds = "; ".join(
        f"{LinkKind[name].value} {name.lower()}{said and f': {said[0].lower()}{said[1:]}'}"
        for name, said in _described(LinkKind).items()
    )
    head, title, section = document.partition("### `link`\n")
    before, row, after = section.partition("| `kind` | ")
    _, end, rest = after.partition(" |\n")
    return f"{head}{title}{before}{row}{kinds}{end}{rest}"


def with_codes(document: str) -> str:
    """The document with a row for each outcome, detail, warning, and flag of a page's facts."""
    tables = {
        "Outcomes": [f"{each.value} | `{each.name}` | {each.sentence}" for each in Outcome],
        "Details": [f"`{each.value}` | {each.template}" for each in DetailCode],
        "Warnings": [f"`{each.value}` | {each.label}" for each in ResponseWarning],
        **{title: list(_flag_rows(flags)) for flags, title in _FLAGS.items()},
    }
    for title, rows in tables.items():
        section = re.search(rf"^## {title}\n.*?\n\|(---\|)+\n", document, re.MULTILINE | re.DOTALL)
        assert section
        rest = re.sub(r"\A(\|.*\n)*", "", document[section.end() :])
        table = "".join(f"| {row} |\n" for row in rows)
        document = document[: section.end()] + table + rest
    return document


def _flag_rows(flags: type[IntFlag]) -> Iterator[str]:
    for name, said in _described(flags).items():
        yield f"{flags[name].value} | {name} | {said}"


def _described(flags: type[Enum]) -> dict[str, str]:
    """The members of an enum in order, each with the text that stands below it."""
    (declared,) = ast.parse(inspect.getsource(flags)).body
    assert isinstance(declared, ast.ClassDef)
    found: dict[str, str] = {}
    name = ""
    for each in declared.body:
        match each:
            case ast.Assign(targets=[ast.Name(id=name)]):
                found[name] = ""
            case ast.Expr(value=ast.Constant(value=str(said))) if name:
                found[name] = " ".join(said.split()).removesuffix(".")
    return found


def _column_in(row: str) -> str | None:
    """The column that a row of a table of the document describes."""
    found = re.match(r"\| `(\w+)` \|", row)
    return found[1] if found else None


def _crawl(path: Path) -> None:
    """A little of everything that a project holds."""
    picture = Link(0, LinkKind.IMAGE, "a picture", element="img src", fragment="#top")
    about = Link(0, LinkKind.ANCHOR, "About us", rel="me", element="a")
    canonical = Link(0, LinkKind.CANONICAL, element="link")
    with Crawled(path) as crawled:
        crawled.page(
            "/",
            ("/about/us", about),
            ("/picture.png", picture),
            ("/", canonical),
            "/gone",
            "/later",
            title="Wëlcome 欢迎",
        )
        crawled.page(
            "/about/us", "/", "/about/us", title="", rendering=_RENDERING, archived=[_ARCHIVED]
        )
        crawled.redirect("/old", "/")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404, detail=DetailCode.CUT(size=10))
        crawled.known("mailto:me@example.com", Outcome.UNSUPPORTED_SCHEME, parent="/")
        crawled.known("/private/", Outcome.EXCLUDED, parent="/")
        robots = RobotsRow("https://example.com", 200, "User-agent: *\nDisallow:\n", None, 1e9)
        check = SiteCheckRow(
            robots.origin,
            SiteCheck.MADE_UP_URL,
            f"{robots.origin}/none",
            Outcome.PAGE,
            200,
            f"{robots.origin}/",
            fetched_at=1e9,
            title="Nothing here",
            word_count=2,
        )
        checks = [
            check,
            SiteCheckRow(robots.origin, SiteCheck.LLMS_TXT, f"{robots.origin}/llms.txt"),
        ]
        shown = ServerCertificate(
            *(robots.origin, 1e9, 9e8, 1.1e9, "example.com", "Example CA"),
            *(("example.com", "www.example.com"), "ab" * 32),
        )
        crawled.writer.commit(StoreBatch(site_checks=checks, certificates=[shown]))
        crawled.writer.commit(StoreBatch(robots=[robots], state=CrawlState.PAUSED, seconds=12.5))


if __name__ == "__main__":
    freeze()
    DOCUMENT.write_text(with_declarations(DOCUMENT.read_text(encoding="utf-8")), encoding="utf-8")
