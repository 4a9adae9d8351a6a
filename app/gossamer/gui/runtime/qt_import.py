"""Imports QtCore without the import-time work of PySide that this program does not need."""

import builtins
import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

_IMPORT_BEFORE: Final = "__orig_import__"
"""Where PySide keeps the function that it replaces."""
_STUB_GENERATOR: Final = "shibokensupport.signature.lib.pyi_generator"


def import_qt_core() -> None:
    """Import QtCore without what only developers of PySide need. Call it before all other imports.

    A PySide without these modules is left as it is. Raises ImportError if Qt cannot be loaded.
    """
    finder = _EmptyStubGenerator()
    sys.meta_path.insert(0, finder)
    try:
        importlib.import_module("PySide6.QtCore")
    finally:
        sys.meta_path.remove(finder)
    _import_as_before()


class _EmptyStubGenerator:
    """Finds an empty module in place of the generator of `.pyi` files.

    PySide imports it at every start, twice, and never calls it. It compiles its patterns for 6 ms.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """That of a package of no files, for one name."""
        del path, target
        return ModuleSpec(fullname, None, is_package=True) if fullname == _STUB_GENERATOR else None


def _import_as_before() -> None:
    """Have modules imported without PySide's search, which has each import go through its own code.

    That is for features (`from __feature__ import snake_case`), which nobody uses here: it looks
    for them in the source of every module that is imported. That takes a quarter of the time to
    import the window, and the sources, of five megabytes, stay in memory. Any other import, as in a
    function, takes four microseconds longer by it.
    """
    builtins.__import__ = getattr(builtins, _IMPORT_BEFORE, builtins.__import__)
