"""packaging/dev.py in a checkout whose .venv holds a stand-in for Python that tells arguments."""

import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NATIVE = Path("app", "gossamer", "extract", "native")
EXIT_OF_PROGRAM = 7
TELLS_ITS_ARGUMENTS = f"""#!/bin/sh
echo "started: $*"
exit {EXIT_OF_PROGRAM}
"""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the stand-in is a shell script")


@pytest.fixture(scope="module")
def first_checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout that counts as set up, to be copied."""
    checkout = tmp_path_factory.mktemp("first") / "check out"
    scripts = ROOT / "packaging"
    shutil.copytree(scripts, checkout / "packaging", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / NATIVE, checkout / NATIVE)
    for name in ("pyproject.toml", "CHANGELOG.md"):
        shutil.copy(ROOT / name, checkout)
    shutil.copytree(ROOT / "resources" / "help", checkout / "resources" / "help")
    (checkout / "resources" / "help" / "pages" / "pages.json").touch()
    # What comes from npm, or that it could not be had a moment ago.
    if (axe := ROOT / "resources" / "axe").is_dir():
        shutil.copytree(axe, checkout / "resources" / "axe")
    else:
        (checkout / ".axe.given-up").touch()
    python = checkout / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(TELLS_ITS_ARGUMENTS)
    python.chmod(0o755)
    in_scripts(checkout, "environment.STAMP.write_text(json.dumps(environment.wanted_stamp()))")
    kept = "json.dumps({'recipe': lexbor_build.recipe()})"
    in_scripts(checkout, f"(environment.VENV / lexbor_build.STAMP_NAME).write_text({kept})")
    return checkout


@pytest.fixture
def checkout(first_checkout: Path, tmp_path: Path) -> Path:
    """Return a checkout that counts as set up: its stamp names its place."""
    checkout = tmp_path / "check out"
    shutil.copytree(first_checkout, checkout)
    stamp = checkout / ".venv" / "gossamer-setup.json"
    stamp.write_text(stamp.read_text().replace(str(first_checkout), str(checkout)))
    return checkout


def in_scripts(checkout: Path, expression: str) -> str:
    """Evaluate an expression about the scripts of that checkout and return what it prints."""
    program = f"import environment, json, lexbor_build; print({expression})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(checkout / "packaging")},
        check=True,
        capture_output=True,
        text=True,
    )
    return done.stdout.strip()


def dev(checkout: Path, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run dev.py there without a display unless `environment` sets one."""
    displays = {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}
    kept = {key: value for key, value in os.environ.items() if key not in displays}
    return subprocess.run(
        [sys.executable, "packaging/dev.py", *arguments],
        cwd=checkout,
        env=kept | environment,
        check=False,
        capture_output=True,
        text=True,
    )


def test_run_passes_arguments_and_exit_code_through(checkout: Path) -> None:
    done = dev(checkout, "run", "crawl", "http://127.0.0.1:1/", "--json")
    assert done.stdout == "started: -P -m gossamer crawl http://127.0.0.1:1/ --json\n"
    assert done.returncode == EXIT_OF_PROGRAM
    assert done.stderr == ""


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_run_compiles_the_c_library(checkout: Path) -> None:
    library = checkout / NATIVE / "libnativewalk.so"
    library.unlink(missing_ok=True)
    done = dev(checkout, "run", "--help", CFLAGS="-O0")  # to optimize takes GCC two seconds
    assert done.returncode == EXIT_OF_PROGRAM
    assert library.is_file()


def test_run_does_without_a_compiler(checkout: Path) -> None:
    library = checkout / NATIVE / "libnativewalk.so"
    library.unlink(missing_ok=True)
    done = dev(checkout, "run", "--help", CC="no-such-compiler")
    assert done.returncode == EXIT_OF_PROGRAM
    assert done.stderr == ""
    assert not library.exists()


def test_run_compiles_before_it_starts_the_program(checkout: Path) -> None:
    """Where Python writes no bytecode by itself, each process of a crawl would compile it all."""
    module = checkout / "app" / "gossamer" / "model" / "crawl_state.py"
    module.parent.mkdir(parents=True)
    module.write_text("STATE = 1\n")
    dev(checkout, "run", "--version", PYTHONDONTWRITEBYTECODE="1")
    compiled = importlib.util.cache_from_source(str(module))
    assert Path(compiled).stat().st_size > 0


@pytest.mark.parametrize("display", ["DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"])
def test_run_opens_the_window_where_it_can(checkout: Path, display: str) -> None:
    assert dev(checkout, "run", **{display: "x"}).stdout == "started: -P -m gossamer\n"


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS always has a display")
def test_run_without_a_display_says_so_and_crawls_the_demo(checkout: Path) -> None:
    done = dev(checkout, "run")
    assert done.stdout == "started: -P -m gossamer demo\n"
    assert "no display" in done.stderr
    assert done.stderr.count("\n") == 1


def test_test_command_runs_off_screen_and_passes_arguments_to_pytest(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.write_text('#!/bin/sh\necho "$QT_QPA_PLATFORM: $*"\n')
    assert dev(checkout, "test", "-k", "redirect").stdout.startswith("offscreen: -m pytest ")
    assert dev(checkout, "test", "-k", "redirect").stdout.endswith("-k redirect\n")


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere xdist shares tests out")
@pytest.mark.parametrize(
    ("arguments", "is_shared_out"),
    [
        ([], True),
        (["tests/unit"], True),
        (["tests/unit", "tests/property"], True),
        (["tests/unit", "-k", "redirect"], False),
        (["tests/unit", "--pdb"], False),
        (["tests/unit", "tests/property/test_urls.py"], False),
        (["tests/unit/test_urls.py"], False),
    ],
)
def test_the_whole_suite_and_its_folders_are_shared_out_among_processes(
    checkout: Path, arguments: list[str], is_shared_out: bool
) -> None:
    for folder in ("unit", "property"):
        (checkout / "tests" / folder).mkdir(parents=True)
        (checkout / "tests" / folder / "test_urls.py").touch()
    words = dev(checkout, "test", *arguments).stdout.split()
    assert ("--forks" in words) is is_shared_out
    assert words[len(words) - len(arguments) :] == arguments


def test_generate_names_the_script_that_failed(checkout: Path) -> None:
    done = dev(checkout, "generate")
    assert done.returncode == 1
    assert done.stdout == "started: packaging/translations.py\n"
    assert "packaging/translations.py failed" in done.stderr


def test_without_a_verb_the_usage_is_told(checkout: Path) -> None:
    done = dev(checkout)
    assert done.returncode == 2
    assert done.stdout == ""
    assert "dev.py package KIND" in done.stderr


def change_pins(checkout: Path) -> None:
    with (checkout / "packaging" / "constraints.txt").open("a") as pins:
        pins.write("# changed\n")


def lose_python(checkout: Path) -> None:
    (checkout / ".venv" / "bin" / "python").unlink()


def cut_off_pip(checkout: Path) -> None:
    (checkout / ".venv" / "gossamer-installing").touch()


def spoil_stamp(checkout: Path) -> None:
    (checkout / ".venv" / "gossamer-setup.json").write_text("{")


def move_checkout(checkout: Path) -> None:
    stamp = checkout / ".venv" / "gossamer-setup.json"
    stamp.write_text(stamp.read_text().replace("check out", "elsewhere"))


DAMAGES = [change_pins, lose_python, cut_off_pip, spoil_stamp, move_checkout]


def is_ready(checkout: Path) -> bool:
    return in_scripts(checkout, "environment.is_ready(environment.wanted_stamp())") == "True"


def must_be_made(checkout: Path) -> bool:
    return in_scripts(checkout, "environment.must_be_made(environment.wanted_stamp())") == "True"


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_unsuitable_venv_is_detected(checkout: Path, damage: Callable[[Path], None]) -> None:
    assert is_ready(checkout)
    damage(checkout)
    assert not is_ready(checkout)


@pytest.mark.parametrize("damage", [lose_python, cut_off_pip, move_checkout])
def test_a_broken_venv_is_recreated(checkout: Path, damage: Callable[[Path], None]) -> None:
    use_real_python(checkout)
    damage(checkout)
    assert must_be_made(checkout)


@pytest.mark.parametrize("damage", [change_pins, spoil_stamp])
def test_sound_venv_is_only_updated(checkout: Path, damage: Callable[[Path], None]) -> None:
    use_real_python(checkout)
    damage(checkout)
    assert not must_be_made(checkout)


@pytest.mark.skipif(sys.platform != "linux", reason="distributions of Linux have a Python")
def test_the_systems_python_is_preferred_to_one_compiled_without_profiles(
    checkout: Path, tmp_path: Path
) -> None:
    def faster(configured: str, folder: Path) -> str:
        call = f"environment.faster_python({configured!r}, environment.Path({str(folder)!r}))"
        return in_scripts(checkout, call)

    programs = tmp_path / "bin"
    programs.mkdir()
    assert faster("--enable-shared", programs) == "None"
    name = f"python{sys.version_info[0]}.{sys.version_info[1]}"
    theirs = programs / name
    theirs.write_text("#!/bin/sh\nexit 0\n")
    theirs.chmod(0o755)
    assert faster("--enable-shared", programs) == str(theirs)
    assert faster("--enable-shared --enable-optimizations", programs) == "None"
    theirs.unlink()
    theirs.symlink_to(Path(in_scripts(checkout, "environment.base_python()")).resolve())
    assert faster("--enable-shared", programs) == "None"


def use_real_python(checkout: Path) -> None:
    python = checkout / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
