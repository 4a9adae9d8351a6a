"""What PySide does when it is imported, and this program has no use for."""

import importlib
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Final

_SEARCH: Final = "_mod_uses_pyside"
"""In a module of PySide: says whether the source of a module has features to switch."""
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
    _skip_feature_search()


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


def _skip_feature_search() -> None:
    """Keep PySide from reading the source of the modules that are imported from now on.

    It searches each for its own name, in case features (`from __feature__ import snake_case`) are
    to be switched there. That takes a quarter of the time to import the window, and the sources, of
    five megabytes, stay in memory.
    """
    try:
        features = importlib.import_module("shibokensupport.feature")
    except ModuleNotFoundError:
        return
    if hasattr(features, _SEARCH):
        setattr(features, _SEARCH, _finds_nothing)


def _finds_nothing(_module: ModuleType) -> bool:
    return False
