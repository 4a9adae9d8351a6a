"""Explains why pages are not rendered without a browser, and what to do."""

from collections.abc import Callable

from gossamer.gui.text.local_formatting import translator
from gossamer.gui.text.translated_sentences import sentences, spoken
from gossamer.model.errors import UsageError
from gossamer.model.translatable import Translatable
from gossamer.render.browser_discovery import BrowserProgram, find_browsers
from gossamer.render.browser_installation import (
    INSTALL_YOURSELF,
    NO_BROWSER,
    BrowserPackage,
    browser_package,
)

FindBrowsers = Callable[[str], list[BrowserProgram]]
_tr = translator("RenderingNotice")


def what_to_install(package: BrowserPackage | None) -> str:
    """A sentence that there is no browser, and how to get one."""
    advice = Translatable(INSTALL_YOURSELF) if package is None else package.said
    return sentences([spoken(Translatable(NO_BROWSER)), spoken(advice)])


def missing_browser(chosen: str, find: FindBrowsers = find_browsers) -> str:
    """Why there is no browser to start, if `chosen` was chosen; "" if there is one."""
    try:
        return "" if find(chosen) else what_to_install(browser_package())
    except UsageError as e:
        return spoken(e.said)


def browser_trouble(chosen: str = "", find: FindBrowsers = find_browsers) -> str:
    """Why a page was not rendered without a browser: there is none, or it does not start."""
    return missing_browser(chosen, find) or _tr(
        "The browser does not start. Install another one, or choose one in the settings; the log "
        "says why."
    )
