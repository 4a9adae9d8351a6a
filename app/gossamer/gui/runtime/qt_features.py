"""PySide's features (`from __feature__ import snake_case`), of which we use none."""

import importlib
from types import ModuleType
from typing import Final

_SEARCH: Final = "_mod_uses_pyside"
"""In a module of PySide: says whether the source of a module has features to switch."""


def skip_feature_search() -> None:
    """Keep PySide from reading the source of the modules that are imported from now on.

    It searches each for its own name, in case features are to be switched there. That takes a
    quarter of the time to import the window, and the sources, of five megabytes, stay in memory. A
    PySide without such a search is left as it is. Raises ImportError if Qt cannot be loaded.
    """
    importlib.import_module("PySide6.QtCore")
    try:
        features = importlib.import_module("shibokensupport.feature")
    except ModuleNotFoundError:
        return
    if hasattr(features, _SEARCH):
        setattr(features, _SEARCH, _finds_nothing)


def _finds_nothing(_module: ModuleType) -> bool:
    return False
