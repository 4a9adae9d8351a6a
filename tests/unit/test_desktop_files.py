"""What desktops are told agrees with what the program does, and their own tools accept it."""

import shutil
import struct
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from PySide6.QtGui import QImageReader

from gossamer import DESKTOP_ID, __version__
from gossamer.session.default_paths import SUFFIX
from gossamer.store.schema import APPLICATION_ID

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.append(str(PACKAGING))

import desktop_files  # noqa: E402 - found only now
import desktop_metadata as about  # noqa: E402 - likewise
import program_icons  # noqa: E402 - likewise
import releases  # noqa: E402 - likewise

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"


@pytest.fixture
def prefix(tmp_path: Path) -> Path:
    desktop_files.write_desktop_files(tmp_path)
    return tmp_path


def only(prefix: Path, pattern: str) -> Path:
    [found] = prefix.rglob(pattern)
    return found


def test_it_goes_by_the_names_that_the_program_has(prefix: Path) -> None:
    assert (DESKTOP_ID, __version__) == (about.DESKTOP_ID, about.VERSION)
    assert (about.PROJECT.suffix, about.PROJECT.application_id) == (SUFFIX, APPLICATION_ID)
    assert only(prefix, "*.desktop").stem == DESKTOP_ID


def test_every_icon_that_is_named_is_there(prefix: Path) -> None:
    icons = {path.stem for path in prefix.rglob("*.svg")}
    entry = dict(
        line.split("=", 1) for line in only(prefix, "*.desktop").read_text().splitlines()[1:]
    )
    named = {entry["Icon"], *(each.attrib["name"] for each in mime(prefix).iter(f"{MIME}icon"))}
    assert named == icons


def mime(prefix: Path) -> ET.Element:
    path = only(prefix, f"{DESKTOP_ID}.xml")
    return ET.parse(path).getroot()  # noqa: S314 - our own


@pytest.mark.skipif(not shutil.which("desktop-file-validate"), reason="desktop-file-utils")
def test_the_desktop_entry_is_valid(prefix: Path) -> None:
    command = ["desktop-file-validate", "--warn-kde", str(only(prefix, "*.desktop"))]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.stdout == ""
    assert done.returncode == 0


@pytest.mark.skipif(not shutil.which("appstreamcli"), reason="appstream")
def test_the_component_is_valid(tmp_path: Path) -> None:
    said = subprocess.run(["appstreamcli", "--version"], check=True, capture_output=True, text=True)
    old = said.stdout.rpartition(" ")[2].startswith("0.")
    desktop_files.write_desktop_files(tmp_path, old_appstream=old)
    component = only(tmp_path, "*.metainfo.xml")
    command = ["appstreamcli", "validate", "--strict", "--no-net", str(component)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_releases_are_those_of_the_changelog(tmp_path: Path) -> None:
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(
        "# Changelog\n\nHead.\n\n## [Unreleased]\n\nFaster\nthan.\n\n### Crawling\n\n- This.\n\n"
        "## [0.0.9] - 2026-01-02\n\nThe ninth.\n\nIn two paragraphs.\n\n## [0.0.8] - 2025-12-31\n"
    )
    coming, ninth, eighth = releases.releases(changelog)
    assert (coming.version, coming.is_released) == (__version__, False)
    assert coming.paragraphs == ["Faster than."]
    assert (ninth.version, ninth.date, ninth.is_released) == ("0.0.9", "2026-01-02", True)
    assert ninth.paragraphs == ["The ninth.", "In two paragraphs."]
    assert eighth.paragraphs == []
    assert "<release " in desktop_files.metainfo([eighth])
    assert "<description />" not in desktop_files.metainfo([eighth])


def test_nothing_unreleased_is_no_release(tmp_path: Path) -> None:
    changelog = tmp_path / "CHANGELOG.md"
    changelog.write_text(
        "# Changelog\n\n## [Unreleased]\n\n## [0.0.9] - 2026-01-02\n\nThe ninth.\n"
    )
    assert [each.version for each in releases.releases(changelog)] == ["0.0.9"]


def test_windows_reads_every_size_of_the_icon(tmp_path: Path) -> None:
    program_icons.write_ico(tmp_path / "gossamer.ico")
    reader = QImageReader(str(tmp_path / "gossamer.ico"))
    sizes = []
    for number in range(reader.imageCount()):
        reader.jumpToImage(number)
        image = reader.read()
        sizes.append(image.width())
        # The drawing's corners are round, and it stands upright: the dot is in the upper right.
        dot = image.pixelColor(image.width() * 13 // 16, image.height() * 5 // 16)
        assert image.pixelColor(0, 0).alpha() == 0
        assert dot.red() > dot.blue()
    assert tuple(sizes) == program_icons.WINDOWS_SIZES


def test_macos_finds_a_picture_of_each_kind(tmp_path: Path) -> None:
    program_icons.write_icns(tmp_path / "gossamer.icns")
    data = (tmp_path / "gossamer.icns").read_bytes()
    assert struct.unpack(">4sI", data[:8]) == (b"icns", len(data))
    found, at = {}, 8
    while at < len(data):
        kind, size = struct.unpack(">4sI", data[at : at + 8])
        width, height = struct.unpack(">II", data[at + 24 : at + 32])
        assert width == height
        found[kind] = width
        at += size
    assert found == program_icons.MACOS_TYPES
