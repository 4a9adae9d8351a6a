"""What the Debian packages are made of: their versions, texts and files."""

import sys
from pathlib import Path

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.append(str(PACKAGING))

import axe_core  # noqa: E402 - found only now
import chroots  # noqa: E402 - likewise
import deb  # noqa: E402 - likewise
import deb_contents  # noqa: E402 - likewise
import debian_copyright  # noqa: E402 - likewise
import manual_page  # noqa: E402 - likewise
import qt_files  # noqa: E402 - likewise
from deb import DebianRelease  # noqa: E402 - likewise
from typer.main import get_command  # noqa: E402 - likewise

from gossamer.cli.command_parser import whole_application  # noqa: E402 - likewise
from tests.cases import each_case  # noqa: E402 - likewise

BOOKWORM = 'ID=debian\nVERSION_CODENAME=bookworm\nVERSION_ID="12"\nPRETTY_NAME="Debian (12)"\n'
TESTING = 'ID=debian\nVERSION_CODENAME=forky\nPRETTY_NAME="Debian forky/sid"\n'
NOBLE = 'ID=ubuntu\nID_LIKE=debian\nVERSION_CODENAME=noble\nVERSION_ID="24.04"\n'


@pytest.mark.parametrize(
    ("os_release", "label", "old"),
    [(BOOKWORM, "deb12", True), (TESTING, "debforky", False), (NOBLE, "ubuntu24.04", False)],
)
def test_packages_are_named_after_their_release(os_release: str, label: str, old: bool) -> None:
    target = DebianRelease.of(os_release, "python3.11")
    assert target.label == label
    assert target.version.endswith(f"-1~{label}")
    assert target.has_old_appstream == old


@pytest.mark.parametrize(
    ("version", "debian"), [("1.2.0", "1.2.0"), ("1.2.0rc1", "1.2.0~rc1"), ("1.2.dev3", "1.2~dev3")]
)
def test_a_version_before_a_release_is_older_for_debian_too(version: str, debian: str) -> None:
    assert deb.debian_version(version) == debian


def test_ubuntu_is_installed_with_universe_and_new_releases_by_the_script_of_all(
    tmp_path: Path,
) -> None:
    scripts, folder = tmp_path / "scripts", tmp_path / "system"
    scripts.mkdir()
    (scripts / "jammy").touch()
    ubuntu, universe = "http://a.test/ubuntu", "--components=main,universe"
    noble = chroots.debootstrap("noble", folder, ubuntu, scripts)
    assert noble[-4:] == ["noble", str(folder), ubuntu, str(scripts / "gutsy")]
    assert universe in noble
    assert chroots.debootstrap("jammy", folder, ubuntu, scripts)[-1] == ubuntu
    debian = chroots.debootstrap("deb13", folder, "http://a.test/debian", scripts)
    assert debian[-3:] == ["trixie", str(folder), "http://a.test/debian"]
    assert universe not in debian


def test_the_source_tree_leaves_nothing_to_fill_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    deb.lay_out(tmp_path, DebianRelease.of(BOOKWORM, "python3.11"))
    files = [path for path in (tmp_path / "debian").iterdir() if path.is_file()]
    texts = {path.name: path.read_text() for path in files}
    assert not [name for name, text in texts.items() if "@P" in text or "@D" in text]
    assert "python3.11 -m compileall" in texts["gossamer-core.postinst"]
    assert texts["changelog"].startswith("gossamer (0.1.0-1~deb12) bookworm; urgency=medium\n")
    assert texts["changelog"].endswith("  Thu, 01 Jan 2026 00:00:00 +0000\n")
    assert (tmp_path / "packaging" / "deb_contents.py").exists()
    assert not [*tmp_path.rglob("__pycache__")]


def test_licences_that_debian_has_are_named_and_others_given_in_full(tmp_path: Path) -> None:
    apache = (
        "Apache License\n  Version 2.0, January 2004\n\nTERMS AND CONDITIONS FOR USE\n"
        "END OF TERMS AND CONDITIONS\n\nCopyright by Alpha\n"
    )
    make_library(tmp_path, "alpha", "License-Expression: Apache-2.0", apache)
    make_library(tmp_path, "beta", "Classifier: License :: OSI Approved :: MIT License", "Free!\n")
    make_library(tmp_path, "qt", "License: LGPL-3.0-only OR GPL-2.0-only OR GPL-3.0-only", None)
    axe = tmp_path / "gossamer" / "resources" / "axe"
    axe.mkdir(parents=True)
    (axe / "LICENSE").write_text("Of axe itself.\n")
    text = debian_copyright.copyright_file(tmp_path)
    assert "TERMS AND CONDITIONS" not in text
    assert "Copyright by Alpha" in text
    assert "alpha 1.0 (Apache-2.0)" in text
    assert f"axe-core {axe_core.VERSION} (MPL-2.0)" in text
    assert "  Of axe itself." in text
    assert "/usr/share/common-licenses/Apache-2.0" in text
    assert "beta 1.0 (MIT License)\n======================\n\n  Free!" in text
    assert "/usr/share/common-licenses/LGPL-3" in text
    assert "Permission is hereby granted" in text


def make_library(site: Path, name: str, said: str, licence: str | None) -> None:
    folder = site / f"{name}-1.0.dist-info"
    folder.mkdir()
    head = f"Metadata-Version: 2.4\nName: {name}\nVersion: 1.0\n{said}\n"
    (folder / "METADATA").write_text(head)
    names = ["METADATA"]
    if licence is not None:
        (folder / "LICENSE").write_text(licence)
        names.append("LICENSE")
    (folder / "RECORD").write_text("".join(f"{folder.name}/{each},,\n" for each in names))


def test_only_what_the_window_uses_of_qt_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Libraries are kept for those that are linked with them, however far away."""
    links = {
        "QtCore.abi3.so": ["libQt6Core.so.6", "libc.so.6"],
        "libqxcb.so": ["libQt6XcbQpa.so.6"],
        "libQt6XcbQpa.so.6": ["libQt6Core.so.6", "libQt6Gui.so.6"],
    }
    monkeypatch.setattr(qt_files, "linked_libraries", lambda path: links.get(path.name, []))
    home = tmp_path / "PySide6"
    window = tmp_path / "gossamer" / "gui"
    kept = {
        home / "__init__.py",
        home / "QtCore.abi3.so",
        home / "Qt" / "lib" / "libQt6Core.so.6",
        home / "Qt" / "lib" / "libQt6Gui.so.6",
        home / "Qt" / "lib" / "libQt6XcbQpa.so.6",
        home / "Qt" / "plugins" / "platforms" / "libqxcb.so",
        home / "Qt" / "translations" / "qtbase_zh_CN.qm",
        home / "support" / "deprecated.py",
    }
    left_out = {
        home / "QtQml.abi3.so",
        home / "designer",
        home / "QtCore.pyi",
        home / "Qt" / "lib" / "libQt6Quick.so.6",
        home / "Qt" / "plugins" / "platforms" / "libqeglfs.so",
        home / "Qt" / "plugins" / "platforminputcontexts" / "libqtvirtualkeyboardplugin.so",
        home / "Qt" / "plugins" / "wayland-graphics-integration-server" / "libqt-vulkan-server.so",
        home / "Qt" / "translations" / "qtbase_de.qm",
        home / "Qt" / "qml" / "QtQuick" / "qmldir",
    }
    for path in (*kept, *left_out, window / "view.py"):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    (window / "view.py").write_text("from PySide6.QtCore import Qt\n")
    assert set(qt_files.unneeded_qt_files(tmp_path)) == left_out


@each_case(
    ("path", "left_out"),
    [
        ("numpy/tests/test_all.py", True),
        ("numpy/testing/__init__.py", False),
        ("numpy/_core/_umath_tests.cpython-311-x86_64-linux-gnu.so", True),
        ("numpy/linalg/lapack_lite.cpython-311-x86_64-linux-gnu.so", True),
        ("numpy/linalg/_umath_linalg.cpython-311-x86_64-linux-gnu.so", False),
        ("lxml/etree.pyx", True),
        ("numpy/_core/include/numpy/arrayobject.h", True),
        ("gossamer/resources/demo/tests.html", False),
        ("aiohttp/client.py", False),
    ],
)
def test_what_only_tests_and_compilers_need_is_left_out(path: str, left_out: bool) -> None:
    assert deb_contents.is_for_tests(Path(path)) == left_out


def test_the_manual_page_has_every_command_and_option() -> None:
    page = manual_page.manual_page()
    program = get_command(whole_application())
    for name, command in program.commands.items():  # type: ignore[attr-defined]  # it is a group
        assert f'.SS "gossamer {name} ' in page
        for each in command.params:
            for option in each.opts if each.param_type_name == "option" else ():
                assert option.replace("-", "\\-") in page, option
    lines = page.splitlines()
    requests = {line.split()[0] for line in lines if line.startswith(".")}
    assert requests == {".TH", ".SH", ".SS", ".PP", ".TP", ".B", ".I", ".br"}
