"""PySide's Python modules, written into files so that Python keeps their bytecode."""

import importlib.util
import os
import shutil
import subprocess
import sys
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"
sys.path.append(str(PACKAGING))

from pyside_modules import WRITE_MODULES  # noqa: E402 - found only now

_WHERE = "import shiboken6; from shibokensupport.signature import parser; print(parser.__cached__)"


def test_pyside_imports_its_modules_with_bytecode_from_files(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("shiboken6")
    assert spec is not None
    assert spec.origin is not None
    installed = tmp_path / "shiboken6"
    shutil.copytree(Path(spec.origin).parent, installed)
    stale = installed / "files.dir" / "of_another_version.py"
    stale.parent.mkdir(exist_ok=True)
    stale.touch()

    def said_by(program: str) -> str:
        environment = {**os.environ, "PYTHONPATH": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
        command = [sys.executable, "-c", program]
        return subprocess.run(
            command, env=environment, check=True, stdout=subprocess.PIPE, text=True
        ).stdout.strip()

    said_by(WRITE_MODULES)
    bytecode = Path(said_by(_WHERE))
    assert bytecode.is_file()
    assert bytecode.is_relative_to(installed / "files.dir")
    assert not stale.exists()
