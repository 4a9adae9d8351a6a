"""The HTML parser is compiled anew from the release that is installed, or stays as it is."""

import json
import shutil
import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.append(str(PACKAGING))

from lexbor_build import (  # noqa: E402 - found only now
    STAMP_NAME,
    VERSION,
    build_lexbor,
    is_current,
    is_genuine,
    recipe,
    seal,
)

STAMP = Path(sys.prefix, STAMP_NAME)


@pytest.fixture
def library(tmp_path: Path) -> Path:
    path = tmp_path / "lexbor.so"
    path.write_bytes(b"of the wheel")
    return path


def told_of(library: Path, *, is_built: bool = True) -> dict[str, object]:
    return {
        "recipe": recipe(),
        "path": str(library),
        "library": seal(library),
        "is_built": is_built,
    }


def test_the_sources_are_of_the_release_that_is_installed() -> None:
    assert f'"selectolax=={VERSION}"' in (PACKAGING.parent / "pyproject.toml").read_text()


def test_what_was_compiled_stays_until_the_library_or_the_recipe_is_another(library: Path) -> None:
    told = told_of(library)
    assert is_current(told, retry=True)

    assert not is_current({**told, "recipe": "of an earlier version"})
    library.write_bytes(b"of a newer wheel")
    assert not is_current(told)
    library.unlink()
    assert not is_current(told)
    assert not is_current({})


def test_what_could_not_be_compiled_is_tried_again_only_when_asked(library: Path) -> None:
    told = told_of(library, is_built=False)

    assert is_current(told)
    assert not is_current(told, retry=True)


def test_other_sources_than_those_looked_at_are_not_compiled(tmp_path: Path) -> None:
    package = tmp_path / f"selectolax-{VERSION}.tar.gz"
    assert not is_genuine(package)
    package.write_bytes(b"something else")
    assert not is_genuine(package)


@pytest.mark.skipif(sys.platform != "linux", reason="the library of the wheel stays elsewhere")
@pytest.mark.skipif(shutil.which("gcc") is None, reason="there is no GCC")
@pytest.mark.parametrize(
    "said",
    ['["0.9.0", "{library}", "/"]', f'["{VERSION}", "{{library}}", "/"]', "no list", "[]", ""],
    ids=["other release", "no headers", "no JSON", "too little", "nothing"],
)
def test_without_the_release_or_headers_the_library_of_the_wheel_stays(
    said: str,
    library: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("CC", "gcc")
    python = tmp_path / "bin" / "python"
    python.parent.mkdir()
    python.write_text(f"#!/bin/sh\necho '{said.format(library=library)}'\n")
    python.chmod(0o700)

    assert not build_lexbor(python)

    assert library.read_bytes() == b"of the wheel"
    assert not json.loads((tmp_path / STAMP_NAME).read_text())["is_built"]
    assert "pages are parsed by the library of selectolax's wheel" in capsys.readouterr().err
    assert not build_lexbor(python)
    assert capsys.readouterr().err == ""  # not tried again, and not told again


@pytest.mark.skipif(
    not STAMP.exists() or not json.loads(STAMP.read_text())["is_built"],
    reason="the parser of this environment is that of the wheel",
)
def test_the_parser_of_these_tests_is_the_one_that_was_compiled() -> None:
    from selectolax import lexbor  # noqa: PLC0415 - for this alone

    told = json.loads(STAMP.read_text())
    assert Path(lexbor.__file__).samefile(told["path"])
    assert told["library"] == seal(Path(lexbor.__file__))
