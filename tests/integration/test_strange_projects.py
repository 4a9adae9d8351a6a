"""Projects from strangers, and with a cell or a byte altered: used, or refused with a sentence."""

import os
import random
import sqlite3
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import partial
from itertools import compress, product
from pathlib import Path
from typing import Final

import pytest
from msgspec import Struct, convert

from gossamer.cli.main import run_cli
from gossamer.model.crawl_state import CrawlState
from gossamer.model.errors import KnownError, ProjectError
from gossamer.model.facets import FACETS
from gossamer.model.outcome import Outcome
from gossamer.model.project_queries import Filter, View
from gossamer.model.settings.crawl_settings import CrawlSettings
from gossamer.model.store_batch import RobotsRow, StoreBatch
from gossamer.session.session_factory import SessionFactory
from gossamer.store.locking.file_identity import BESIDE
from gossamer.store.project import create
from gossamer.store.reading.reader import Reader
from gossamer.store.row_validation import fault_of
from gossamer.store.schema import TABLES
from gossamer.store.writing.writer import Writer
from tests.cases import each_case
from tests.fakes.crawled import Crawled
from tests.fakes.damage import crawled_site
from tests.fakes.web import FakeWeb
from tests.integration.crawling import run
from tests.integration.hosting import Hosting

VALUES: Final = (
    None,
    -1,
    0,
    7,
    2**40,
    2**63 - 1,
    -(2**63),
    0.5,
    1e300,
    "",
    "text",
    "\x00",
    b"\xff",
)
"""What may stand in any cell of an SQLite file."""
LONG: Final = bool(os.environ.get("GOSSAMER_LONG_TESTS"))
FEW: Final = 1
"""Values that are tried in each column; in the long form, all."""
RESCUED: Final = 0.1
"""The share of them that is rescued too, which takes longest of all; in the long form, each."""
SHOWN: Final = 0.5
"""The share whose figures are shown; the others are exported. In the long form, all are both."""
VIEWS: Final = (
    ("links", "csv"),
    *(
        (
            ("report", "html"),
            ("pages", "xlsx"),
            ("redirects", "csv"),
            ("errors", "jsonl"),
            ("sitemap", "xml"),
        )
        if LONG
        else ()
    ),
)
FACETED: Final = tuple(View) if LONG else (View.ALL, View.PAGES, View.LINKS)
"""One view of each kind that facets are counted for in its own way: all rows, some, links."""
Use = Callable[..., set[int]]
CODES: Final = frozenset({0, 3, 4})
SAID: Final = ("because of an error in Gossamer", "An unexpected error occurred (")


def sample(path: Path) -> None:
    """A crawl that is not finished, with something in every table."""
    with Crawled(path) as crawled:
        crawled.page("/", "/a/b/c", "/a/d", "/old", "/gone", title="Home")
        crawled.page("/a/b/c", "/", "/a/e", title="C", canonical="https://example.com/")
        crawled.redirect("/old", "/a/d")
        crawled.failed("/gone", Outcome.CLIENT_ERROR, status=404)
        crawled.writer.commit(
            StoreBatch(
                robots=[RobotsRow("https://example.com", 200, "User-agent: *", None, 1.7e9)],
                budgets={"pattern": 3},
                owed=[1, 2],
                reach=0,
                state=CrawlState.PAUSED,
            )
        )


def columns() -> Iterator[tuple[str, str]]:
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.executescript(TABLES)
        tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")
        for (table,) in tables.fetchall():
            for _, name, *_ in connection.execute(f"PRAGMA table_info({table})").fetchall():
                yield table, name


COLUMNS: Final = list(columns())
# In the long form a test of its own: all together would take longer than a test may.
each_column: Final[Callable[[Callable[..., None]], Callable[..., None]]] = (
    pytest.mark.parametrize(("table", "column"), COLUMNS)
    if LONG
    else each_case("table, column", COLUMNS)
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("sample") / "a.gossamer"
    sample(path)
    return path.read_bytes()


def rescuing(command: Callable[..., int], path: Path, rescued: Path, *, wanted: bool) -> set[int]:
    """The exit code of a rescue, if one is wanted."""
    codes = {command("rescue", str(path), "-o", str(rescued))} if wanted else set()
    rescued.unlink(missing_ok=True)
    return codes


@pytest.fixture
def use(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> Use:
    """Do with a project what can be done, in this process; each ends with a code and a sentence."""
    web = FakeWeb()
    for name in ("/", "/a/b/c", "/a/d", "/a/e"):
        web.page(name, "/", "/a/d", "/new" + name)
    hosting = Hosting(web)

    def resume(path: Path) -> int:
        try:
            SessionFactory().open(path)
        except KnownError as e:
            return e.exit_code
        told = hosting.run(path)
        for trouble in told.trouble:
            assert not any(words in str(trouble.sentence) for words in SAID), trouble
        return told.trouble[0].exit_code if told.trouble else 0

    def command(*arguments: str) -> int:
        code = run_cli(list(arguments), lambda _: 0)
        said = capfd.readouterr().err
        assert not any(words in said for words in SAID), said
        return code

    def all_of_it(
        path: Path, *, rescued: bool = True, shown: bool = True, exported: bool = True
    ) -> set[int]:
        out = tmp_path / "out"
        out.mkdir(exist_ok=True)
        codes = {command("info", "--json", str(path))} if shown else set()
        for view, end in VIEWS if exported else ():
            codes.add(command("export", str(path), view, "-o", str(out / f"{view}.{end}")))
        codes |= rescuing(command, path, out / "rescued.gossamer", wanted=rescued)
        codes.add(resume(path))
        assert codes <= CODES, codes
        return codes

    return all_of_it


def altered(path: Path, table: str, column: str, value: object) -> bool:
    """Put a value in the last cell of a column, as another program can; whether SQLite takes it."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA ignore_check_constraints=ON")
        (sql,) = connection.execute(
            "SELECT sql FROM sqlite_schema WHERE name = ?", (table,)
        ).fetchone()
        # The types and constraints that the tables have hold nobody back who wants to.
        loose = sql.replace("NOT NULL", "")
        for kind in ("INTEGER", "TEXT", "REAL"):
            loose = loose.replace(f"{column} {kind}", f"{column} BLOB")
        declare(connection, table, sql if f"{column} BLOB PRIMARY KEY" in loose else loose)
        try:
            with connection:
                connection.execute(
                    f"UPDATE {table} SET {column} = ?"  # noqa: S608 - names from our own schema
                    f" WHERE {column} IS (SELECT max({column}) FROM {table})",
                    (value,),
                )
        except (sqlite3.IntegrityError, OverflowError):
            return False
        declare(connection, table, sql)
    return True


def declare(connection: sqlite3.Connection, table: str, sql: str) -> None:
    """Have a table declared by that SQL, and what it holds left alone."""
    connection.execute("PRAGMA writable_schema=ON")
    with connection:
        connection.execute("UPDATE sqlite_schema SET sql = ? WHERE name = ?", (sql, table))
    connection.execute("PRAGMA writable_schema=RESET")


@each_column
def test_any_value_in_a_cell_is_read_or_refused(
    project: bytes, tmp_path: Path, use: Use, table: str, column: str
) -> None:
    tried = 0
    chance = random.Random(f"{table}.{column}")
    for number, value in enumerate(VALUES if LONG else chance.sample(VALUES, len(VALUES))):
        if tried == FEW and not LONG:
            break
        path = tmp_path / f"{table}.{column} {number}.gossamer"
        path.write_bytes(project)
        if altered(path, table, column, value):
            tried += 1
            shown = chance.random() < SHOWN
            rescued = LONG or chance.random() < RESCUED
            use(path, rescued=rescued, shown=LONG or shown, exported=LONG or not shown)
    assert tried, "SQLite takes some of them"


def of_its_type(value: object) -> None:
    """Look whether all that a reader gives has the type that it says."""
    if isinstance(value, list | tuple):
        for each in value:
            if isinstance(each, list | tuple | Struct):
                of_its_type(each)
    elif isinstance(value, Struct):
        values = [getattr(value, name) for name in value.__struct_fields__]
        array_like = value.__struct_config__.array_like
        named = dict(zip(value.__struct_fields__, values, strict=True))
        convert(values if array_like else named, type(value))
        of_its_type(values)


def rows_of(reader: Reader, view: View) -> object:
    ids = reader.ids(view)
    return reader.link_records(ids) if view.is_of_links else reader.records(ids)


def readings(reader: Reader) -> Iterator[Callable[[], object]]:
    """What a window reads, of a file so large that it was not looked through before."""
    yield reader.counts
    yield reader.figures
    yield reader.view_counts
    for view in View:
        yield partial(rows_of, reader, view)
    for view, facet in product(FACETED, FACETS):
        yield partial(reader.facet, view, Filter(), facet)
    for number in range(1, 7):
        for reading in (reader.children, reader.inlinks, reader.outlinks, reader.link_counts):
            yield partial(reading, number)
        for of_one in (reader.headers, reader.path_to, reader.chain, reader.redirect_sources):
            yield partial(of_one, number)
        yield partial(reader.folders, number)
        yield partial(reader.folder_urls, number)
        yield partial(reader.folder_address, number)
    yield lambda: [*reader.links(), *reader.chains()]


@pytest.fixture(scope="module")
def columns_read(
    project: bytes, tmp_path_factory: pytest.TempPathFactory
) -> Sequence[set[tuple[str | None, str | None]]]:
    """The columns that each of the `readings` reads: what it gives depends on no other.

    Each has a reader of its own, which has looked up nothing before.
    """
    path = tmp_path_factory.mktemp("read") / "a.gossamer"
    path.write_bytes(project)
    with Reader(path) as reader:
        count = len(list(readings(reader)))
    return [read_by(path, number) for number in range(count)]


def read_by(path: Path, number: int) -> set[tuple[str | None, str | None]]:
    """The columns that one of the `readings` reads, by what SQLite asks leave for."""
    read = set()

    def allow(action: int, table: str | None, column: str | None, *_: object) -> int:
        if action == sqlite3.SQLITE_READ:
            read.add((table, column))
        return sqlite3.SQLITE_OK

    with Reader(path) as reader:
        reader._connection.set_authorizer(allow)  # noqa: SLF001 - of no reader is it asked otherwise
        list(readings(reader))[number]()
    return read


@each_column
def test_values_read_have_their_declared_types(
    project: bytes,
    columns_read: Sequence[set[tuple[str | None, str | None]]],
    tmp_path: Path,
    table: str,
    column: str,
) -> None:
    path = tmp_path / "a.gossamer"
    chance = random.Random(f"{column} of {table}")
    concerned = [(table, column) in read for read in columns_read]
    if not any(concerned):
        return
    for value in chance.sample(VALUES, len(VALUES) if LONG else FEW):
        path.write_bytes(project)
        if not altered(path, table, column, value):
            continue
        with suppress(ProjectError), Reader(path) as reader:
            for reading in compress(readings(reader), concerned):
                with suppress(ProjectError):
                    of_its_type(reading())


@pytest.mark.parametrize("value", [0.5, b"\xff"])
def test_a_folder_with_an_invalid_id(project: bytes, tmp_path: Path, value: object) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)
    assert altered(path, "url", "folder", value)
    with Reader(path) as reader, pytest.raises(ProjectError, match="is damaged"):
        of_its_type(reader.facet(View.ALL, Filter(), "folder"))


@pytest.mark.parametrize(
    "circle", ["UPDATE folder SET parent = 3 WHERE id = 1", "UPDATE folder SET parent = id"]
)
def test_reading_circular_folders_terminates(project: bytes, tmp_path: Path, circle: str) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)
    changed(path, circle)
    with Reader(path) as reader:
        for reading in readings(reader):
            with suppress(ProjectError):
                reading()


def changed(path: Path, *statements: str) -> None:
    with closing(sqlite3.connect(path)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize(
    "statements",
    [
        ("UPDATE folder SET parent = 3 WHERE id = 1",),
        ("UPDATE folder SET parent = 1 WHERE id = 1",),
        ("UPDATE folder SET parent = id",),
    ],
    ids=["a circle", "itself", "each itself"],
)
def test_circular_folders(
    project: bytes, tmp_path: Path, use: Use, statements: tuple[str, ...]
) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)
    changed(path, *statements)
    assert 4 in use(path)


def test_urls_with_circular_parents(project: bytes, tmp_path: Path, use: Use) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)
    changed(path, "UPDATE url SET parent = CASE id WHEN 1 THEN 2 ELSE 1 END")
    use(path)


def test_a_url_with_an_altered_byte(project: bytes, tmp_path: Path, use: Use) -> None:
    path = tmp_path / "a.gossamer"
    altered_byte = project.replace(b"https://example.com/a/d", b"https://example.com/a/t")
    assert altered_byte != project
    path.write_bytes(altered_byte)
    assert use(path) == {0, 4}, "a rescue works"
    path.write_bytes(altered_byte)
    with Writer(path) as writer, pytest.raises(ProjectError, match="is damaged"):
        writer.lookup(["https://example.com/a/d"])


@pytest.mark.parametrize("size", [100_000, 60_000_000])
def test_a_root_that_is_too_long(project: bytes, tmp_path: Path, size: int) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)
    changed(path, f"UPDATE root SET url = 'https://' || hex(zeroblob({size // 2}))")  # noqa: S608 - a number
    with pytest.raises(ProjectError, match="is longer than 65,536 characters"):
        SessionFactory().open(path)


@pytest.mark.parametrize("seed", range(20))
def test_a_project_with_any_byte_altered(
    project: bytes, tmp_path: Path, use: Use, seed: int
) -> None:
    path = tmp_path / "a.gossamer"
    chance = random.Random(seed)
    data = bytearray(project)
    for _ in range(chance.choice([1, 1, 3, 20])):
        data[chance.randrange(100, len(data))] ^= chance.randrange(1, 256)
    path.write_bytes(data)
    use(path)


def test_our_own_projects_are_valid(project: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)
    assert fault_of(path) is None
    with crawled_site(tmp_path / "b.gossamer"):
        assert fault_of(tmp_path / "b.gossamer") is None, "nor while it is written"
    assert fault_of(tmp_path / "b.gossamer") is None


def test_a_bug_is_not_blamed_on_the_file(
    project: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    web = FakeWeb()
    hosting = Hosting(web)
    monkeypatch.setattr(Writer, "budgets", fails)
    (trouble,) = hosting.run(path).trouble
    assert trouble.exit_code == 1


@pytest.mark.skipif(sys.platform == "win32", reason="has no pipes with names")
@pytest.mark.parametrize("suffix", ["", ".lock", *BESIDE])
@pytest.mark.parametrize("verb", ["info", "resume", "rescue", "copy", "export", "delete"])
def test_no_command_waits_for_a_named_pipe(
    project: bytes, tmp_path: Path, suffix: str, verb: str
) -> None:
    path = tmp_path / "a.gossamer"
    path.write_bytes(project)
    path.with_name(path.name + suffix).unlink(missing_ok=True)
    os.mkfifo(path.with_name(path.name + suffix))
    more = {"rescue": ["-o", str(tmp_path / "new.gossamer")], "delete": ["--yes"]}
    more |= {"copy": more["rescue"], "export": ["pages", "-o", str(tmp_path / "new.csv")]}
    code = run_cli([verb, str(path), *more.get(verb, [])], lambda _: 0)
    assert code in CODES


def test_a_failed_change_leaves_no_process(tmp_path: Path) -> None:
    # A pattern that no project of ours has.
    project = tmp_path / "a.gossamer"
    create(project, CrawlSettings(roots=("http://127.0.0.1:9/",), include=("(a+)+$",)))
    session = SessionFactory().open(project)

    async def main() -> None:
        with pytest.raises(KnownError, match="could take forever"):
            await session.change({"exclude": ("/a/",)})
        assert session.host_pid is None

    run(main())
    assert session.settings.exclude == ()
