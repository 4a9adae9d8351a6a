"""axe-core is taken from a package of npm as it is, and only the one that was looked at."""

import sys
import tarfile
from io import BytesIO
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.append(str(PACKAGING))

from axe_core import FILES, VERSION, is_genuine, is_prepared, unpack  # noqa: E402 - found only now

SCRIPT = f"/*! axe v{VERSION}\n * licence\n */\n".encode()


def packed(path: Path, contents: dict[str, bytes]) -> Path:
    package = path / "package.tgz"
    with tarfile.open(package, "w:gz") as archive:
        for name, content in contents.items():
            entry = tarfile.TarInfo(f"package/{name}")
            entry.size = len(content)
            archive.addfile(entry, BytesIO(content))
    return package


def test_what_is_wanted_of_a_package_is_put_into_the_folder_unchanged(tmp_path: Path) -> None:
    contents = {FILES[0]: SCRIPT, **dict.fromkeys(FILES[1:], b"licence"), "axe.js": b"more"}
    folder = tmp_path / "resources" / "axe"

    unpack(packed(tmp_path, contents), folder)

    assert is_prepared(folder)
    assert {file.name: file.read_bytes() for file in folder.iterdir()} == {
        name: contents[name] for name in FILES
    }


def test_an_older_version_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "axe"
    unpack(packed(tmp_path, dict.fromkeys(FILES, b"/*! axe v4.0.0\n")), folder)
    assert not is_prepared(folder)

    unpack(packed(tmp_path, dict.fromkeys(FILES, SCRIPT)), folder)

    assert is_prepared(folder)


def test_the_file_without_its_licence_is_not_enough(tmp_path: Path) -> None:
    (tmp_path / FILES[0]).write_bytes(SCRIPT)
    assert not is_prepared(tmp_path)


def test_a_package_without_a_licence_leaves_what_was_there(tmp_path: Path) -> None:
    folder = tmp_path / "axe"
    unpack(packed(tmp_path, dict.fromkeys(FILES, SCRIPT)), folder)

    with pytest.raises(KeyError):
        unpack(packed(tmp_path, {FILES[0]: b"new"}), folder)

    assert is_prepared(folder)


def test_any_other_package_is_refused(tmp_path: Path) -> None:
    assert not is_genuine(packed(tmp_path, {FILES[0]: SCRIPT}))
