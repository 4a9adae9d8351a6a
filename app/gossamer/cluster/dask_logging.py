"""Redirects Dask's log to ours: by default it prints to standard error."""

import logging
from typing import Final

_NAMES: Final = ("distributed", "dask", "tornado", "bokeh")


def log_as_ours() -> None:
    """To be called when `distributed` has been imported, which sets its handlers."""
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in _NAMES:
            logger = logging.getLogger(name)
            logger.handlers.clear()
            logger.propagate = True
            logger.setLevel(logging.NOTSET)
    for name in _NAMES:
        logging.getLogger(name).setLevel(logging.ERROR)
