"""Each process must start without the libraries that belong to another one.

The libraries are there when the tests run; an import hook in a fresh interpreter makes them
look as if they were not.
"""

import json
import subprocess
import sys

import pytest

from tests.architecture.checkout import ROOT

QT = ["PySide6", "shiboken6", "qasync"]
FETCH_AND_PARSE = ["aiohttp", "bs4", "selectolax", "lxml"]

# Prints the modules that were imported; fails when one of them needs what is blocked.
IMPORT_ALL = """
import importlib, json, pkgutil, sys

packages, blocked = json.loads(sys.argv[1])

class NotInstalled:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in blocked:
            raise ModuleNotFoundError(f"{name} is not installed", name=name)

sys.meta_path.insert(0, NotInstalled())
imported = []
for package in packages:
    root = importlib.import_module(package)
    imported.append(package)
    for found in pkgutil.walk_packages(getattr(root, "__path__", []), package + "."):
        importlib.import_module(found.name)
        imported.append(found.name)
json.dump(imported, sys.stdout)
"""


def imported_without(blocked: list[str], packages: list[str]) -> list[str]:
    """Import packages with all their modules while `blocked` libraries look uninstalled.

    Returns the names of the imported modules; AssertionError with the traceback if one fails.
    """
    done = subprocess.run(
        [sys.executable, "-c", IMPORT_ALL, json.dumps([packages, blocked])],
        cwd=ROOT,
        check=False,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    modules: list[str] = json.loads(done.stdout)
    return modules


def loaded_by(*modules: str) -> set[str]:
    """The names of everything that importing these loads, in a fresh interpreter."""
    script = f"import json, sys, {', '.join(modules)}; json.dump(list(sys.modules), sys.stdout)"
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, check=True, capture_output=True, text=True
    )
    return set(json.loads(done.stdout))


def test_the_list_of_commands_needs_no_setting() -> None:
    """Whoever asks for help waits for every module that it imports."""
    program = (
        "import json, sys\n"
        "from gossamer.cli.command_parser import parse\n"
        "parse(['--help'])\n"
        "print(json.dumps(list(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, check=True, capture_output=True, text=True
    )
    loaded = set(json.loads(done.stdout.splitlines()[-1]))
    assert "gossamer.cli.audit_options" in loaded
    needless = {"gossamer.model.settings.crawl_settings", "gossamer.model.outcome", "rich"}
    assert loaded & needless == set()


def packages_but(*left_out: str) -> list[str]:
    folders = sorted(path.parent.name for path in (ROOT / "app" / "gossamer").glob("*/__init__.py"))
    return ["gossamer.__main__", *(f"gossamer.{name}" for name in folders if name not in left_out)]


def test_window_runs_with_aiohttp_and_parsers_uninstalled() -> None:
    modules = imported_without(FETCH_AND_PARSE, ["gossamer.__main__", "gossamer.gui"])
    assert "gossamer.gui.look.theme" in modules


def test_command_line_runs_with_aiohttp_and_parsers_uninstalled() -> None:
    """It drives the same session as the window: only page workers fetch and parse."""
    assert "gossamer.cli" in imported_without(
        FETCH_AND_PARSE, ["gossamer.__main__", "gossamer.cli"]
    )


def test_crawl_host_runs_with_aiohttp_and_parsers_uninstalled() -> None:
    assert imported_without(FETCH_AND_PARSE, ["gossamer.crawl_host.crawl_host"])


def test_everything_but_the_window_runs_with_qt_uninstalled() -> None:
    modules = imported_without(QT, packages_but("gui"))
    assert {
        "gossamer.engine",
        "gossamer.fetch",
        "gossamer.extract",
        "gossamer.crawl_host",
        "gossamer.cli",
    } <= set(modules)


@pytest.mark.parametrize("library", [*QT, *FETCH_AND_PARSE])
def test_blocked_packages_cannot_be_imported(library: str) -> None:
    with pytest.raises(AssertionError, match=f"{library} is not installed"):
        imported_without([library], [library])


@pytest.mark.parametrize(
    ("modules", "needless"),
    [
        (
            ["gossamer.session.crawl_host_pool"],
            {"asyncio", "msgspec", "gossamer.store", "rich", "typer"},
        ),
        (
            ["gossamer.ipc.process_start"],
            {"asyncio", "msgspec", "gossamer.store", "gossamer.engine"},
        ),
        (
            ["gossamer.cli.command_parser", "gossamer.cli.crawl_command"],
            {
                *("rich", "keyring", "regex", "tomllib"),
                *("gossamer.export", "gossamer.store.reading.search_hits"),
                "gossamer.store.searching.incremental_indexing",
            },
        ),
        (
            ["gossamer.ipc.child_loop", "gossamer.crawl_host.crawl_host"],
            {"aiohttp", "yarl", "gossamer.fetch", "rich"},
        ),
        (
            ["gossamer.ipc.child_loop", "gossamer.page_worker.page_worker"],
            {
                "bs4",
                "lxml",
                "charset_normalizer",
                "python_socks",
                "rich",
                "sqlite3",
                "gossamer.engine",
            },
        ),
        (
            ["gossamer.session.crawl_session"],
            {"gossamer.store.writing.writer"},
        ),
        (
            ["gossamer.gui.application"],
            {
                "statistics",
                "gossamer.export",
                "gossamer.store.database",
                "gossamer.store.project",
                "gossamer.store.reading",
                "sqlite3",
                "gossamer.store.writing",
                "gossamer.gui.details.images_view",
                "gossamer.gui.issues.issues_pane",
                "gossamer.gui.notes",
                "tomllib",
                "gossamer.gui.details.rendered_page_view",
                "gossamer.gui.details.source_view",
            },
        ),
    ],
    ids=lambda value: value[-1] if isinstance(value, list) else "",
)
def test_no_process_imports_optional_modules_at_its_start(
    modules: list[str], needless: set[str]
) -> None:
    """All of them start together, on as few cores as there are: each import delays the crawl."""
    loaded = loaded_by(*modules)
    assert set(modules) <= loaded
    assert loaded & needless == set()
