"""QtCore is imported without what only developers of PySide need, and works as it does with it."""

import json
import subprocess
import sys

from tests.patience import PATIENCE_S

PROGRAM = """
import builtins, json, sys
before = list(map(repr, sys.meta_path))
from gossamer.gui.runtime.qt_import import import_qt_core
import_qt_core()
import linecache
from gossamer.model.fields import page_flags
from PySide6.QtCore import QSize
try:
    QSize("a", "b")
except TypeError as e:
    said = str(e)
generators = [vars(module) for name, module in sys.modules.items() if "pyi_generator" in name]
print(json.dumps({
    "has generator": any("generate_pyi" in names for names in generators),
    "sources read": [name for name in linecache.cache if "gossamer" in name],
    "said": said,
    "sees every import": builtins.__import__ is getattr(builtins, "__feature_import__", None),
    "are finders as before": before == list(map(repr, sys.meta_path)),
}))
"""


def test_neither_the_stub_generator_nor_a_source_is_read_and_errors_name_the_signatures() -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    found = json.loads(done.stdout)
    assert "Supported signatures:" in found.pop("said")
    assert found == {
        "has generator": False,
        "sources read": [],
        "sees every import": False,
        "are finders as before": True,
    }
