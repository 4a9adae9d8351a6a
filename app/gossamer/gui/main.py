"""Entry point of the window: checks for a usable display before it imports Qt.

Qt itself aborts the process if there is no display or a library is missing.
"""

import ctypes
import gc
import importlib.util
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gossamer.gui.runtime.qt_import import import_qt_core
from gossamer.session.crawl_host_pool import CrawlHostPool
from gossamer.session.default_paths import SUFFIX

_EXIT: Final = 2
_NO_DISPLAY: Final = (
    "gossamer: there is no display to open a window on; run it in a desktop session,"
    " or crawl in the terminal with 'gossamer crawl URL'.\n"
)
_OTHER_VERSION: Final = (
    "gossamer: the window is of version {window} and gossamer-core of {core};"
    " install one version of both with 'pip install --upgrade gossamer'.\n"
)
_NO_QT: Final = (
    "gossamer: Qt cannot be loaded ({reason}); install what is missing,"
    " or crawl in the terminal with 'gossamer crawl URL'.\n"
)


def run_window(target: str | None) -> int:
    """Open the window, on `target` (a root URL or a project file) if there is one.

    Returns the exit code: 0, or 2 after one sentence on standard error if a window cannot be
    opened.
    """
    if not has_display(os.environ, sys.platform):
        sys.stderr.write(_NO_DISPLAY)
        return _EXIT
    gc.disable()  # imports leave no garbage; looking for it takes a tenth of their time
    with CrawlHostPool() as hosts:
        if target is not None and Path(target).suffix != SUFFIX:
            hosts.prepare()  # it starts while the window does
        try:
            import_qt_core()
            if uses_x11(os.environ, sys.platform):
                load_x11_plugin()
            from gossamer.gui.application import run  # noqa: PLC0415 - Qt may be missing
        except (ImportError, OSError) as e:
            sys.stderr.write(_no_window(e))
            return _EXIT
        finally:
            gc.freeze()  # what was imported stays: searching it for garbage takes 20 ms
            gc.enable()
        return run(target, hosts)


def _no_window(reason: Exception) -> str:
    """Why it cannot be opened: a part of Qt is missing, or only half of Gossamer was upgraded."""
    from importlib import metadata  # noqa: PLC0415 - only now

    try:
        window, core = map(metadata.version, ("gossamer", "gossamer-core"))
    except metadata.PackageNotFoundError:  # installed by other means than pip
        return _NO_QT.format(reason=reason)
    if window != core:
        return _OTHER_VERSION.format(window=window, core=core)
    return _NO_QT.format(reason=reason)


def has_display(environ: Mapping[str, str], platform: str) -> bool:
    """Whether a window can be shown; only Linux and its like may lack a display."""
    if platform in {"win32", "darwin"}:
        return True
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return any(environ.get(name) for name in names)


def uses_x11(environ: Mapping[str, str], platform: str) -> bool:
    """Whether Qt will choose its X11 plugin."""
    if platform in {"win32", "darwin"}:
        return False
    chosen = environ.get("QT_QPA_PLATFORM")
    return chosen.startswith("xcb") if chosen else not environ.get("WAYLAND_DISPLAY")


def load_x11_plugin() -> None:
    """Load Qt's X11 plugin as Qt will; OSError names the missing library.

    ImportError if PySide6 itself is not there. A plugin that is somewhere else (PySide6 of a
    distribution) is left to Qt.
    """
    found = importlib.util.find_spec("PySide6")
    if found is None or found.origin is None:
        raise ImportError("PySide6 is not installed")
    from PySide6 import QtGui  # noqa: F401, PLC0415 - brings the Qt libraries the plugin wants

    plugin = Path(found.origin).parent / "Qt" / "plugins" / "platforms" / "libqxcb.so"
    if plugin.exists():
        ctypes.CDLL(str(plugin))
