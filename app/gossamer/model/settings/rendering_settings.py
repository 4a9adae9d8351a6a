"""Declares the settings of rendering: whether a browser runs the pages' scripts, and how."""

import os
from typing import Annotated, Final, NamedTuple

from gossamer.model.axe_rules import AccessibilityLevel
from gossamer.model.settings.proofreading_settings import ProofreadingSettings
from gossamer.model.settings.rendering_choices import RenderDevice, RenderMode, RenderWait
from gossamer.model.settings.setting_declaration import ChangePolicy, Option, Section, Setting
from gossamer.model.settings.setting_types import Choice, Number, ProgramPath, Switch, Viewport

_MOST_TABS: Final = 64


class ViewportSize(NamedTuple):
    """The size of a page as it is shown, in CSS pixels."""

    width: int
    height: int


_VIEWPORTS: Final = {
    RenderDevice.DESKTOP: ViewportSize(1024, 768),
    RenderDevice.MOBILE: ViewportSize(411, 731),
}
"""Those of Googlebot, as crawlers take them (screamingfrog.co.uk, user guide, rendering)."""


class RenderingSettings(
    ProofreadingSettings, frozen=True, kw_only=True, forbid_unknown_fields=True
):
    """Rendering, off by default. A part of CrawlSettings."""

    render: Annotated[
        RenderMode,
        Setting(
            "Render pages",
            "Runs the JavaScript of pages in a browser: at most about 5 pages per second and "
            "core, with 300 MB of memory.",
            Section.RENDERING,
            Choice(("Never", "Where needed", "Always")),
            Option("Render pages in a browser: never, where needed, or always."),
            change=ChangePolicy.NEVER_READ_PAGES,
        ),
    ] = RenderMode.OFF
    """Render pages in a browser, so that the crawl sees what scripts make of them: `off`, `auto`
    (where needed) or `on`. It takes a Chromium, Chrome or Edge of this computer.
    """
    device: Annotated[
        RenderDevice,
        Setting(
            "Device",
            "",
            Section.RENDERING,
            Choice(("Desktop", "Mobile")),
            Option("Render pages as this device shows them."),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = RenderDevice.DESKTOP
    """The device that pages believe they are shown on: `desktop` (1024 by 768 pixels) or `mobile`
    (411 by 731).
    """
    viewport: Annotated[
        str,
        Setting(
            "Viewport",
            "Width and height such as 1280x800; empty: that of the device.",
            Section.RENDERING,
            Viewport(),
            Option("Size of the page in CSS pixels, such as 1280x800.", metavar="WIDTHxHEIGHT"),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = ""
    """Size in which pages are rendered, in CSS pixels, such as `1280x800`; empty: that of the
    device.
    """
    render_wait: Annotated[
        RenderWait,
        Setting(
            "Wait for scripts",
            "Virtual time is fast: timers of the page run at once.",
            Section.RENDERING,
            Choice(("In virtual time", "In real time")),
            Option("Wait for scripts in virtual or in real time."),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = RenderWait.VIRTUAL
    """How scripts are waited for: in `virtual` time, in which the timers of a page run at once
    while nothing is loaded, or in `real` time.
    """
    ajax_timeout_s: Annotated[
        float,
        Setting(
            "Time for scripts",
            "After the page has loaded.",
            Section.RENDERING,
            Number(0, 60, unit=" s"),
            Option(
                "Seconds that scripts have after the page has loaded.",
                name="--ajax-timeout",
                metavar="SECONDS",
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = 5.0
    """Seconds that the scripts of a page have after it has loaded."""
    render_timeout_s: Annotated[
        float,
        Setting(
            "Longest rendering",
            "A page that takes longer is read in its state at that time.",
            Section.RENDERING,
            Number(1, 300, unit=" s"),
            Option(
                "Seconds after which a page is read as it is.",
                name="--render-timeout",
                metavar="SECONDS",
            ),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = 20.0
    """Seconds of real time after which a page is read as it is."""
    render_tabs: Annotated[
        int | None,
        Setting(
            "Pages at once",
            "Each takes about 20 MB of memory.",
            Section.RENDERING,
            Number(1, _MOST_TABS, none="two per core"),
            Option("Pages rendered at once.", default="two per core"),
            change=ChangePolicy.WITH_NEW_WORKERS,
            needs="render",
            changes_results=False,
            decides_reading=False,
        ),
    ] = None
    """Number of pages that are rendered at once. None: two per core."""
    screenshots: Annotated[
        bool,
        Setting(
            "Keep screenshots",
            "One of each rendered page, about 50 KB each.",
            Section.RENDERING,
            Switch(),
            Option("Keep a screenshot of every rendered page."),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
            changes_results=False,
        ),
    ] = False
    """Keep a screenshot of every rendered page, as large as the viewport, some 50 KB each."""
    lab_metrics: Annotated[
        bool,
        Setting(
            "Measure loading",
            "Renders one page at a time, in real time: about 2 s more per page.",
            Section.RENDERING,
            Switch(),
            Option("Measure how each page loads: FCP, LCP, CLS and TBT."),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = False
    """Measure how each rendered page loads: First and Largest Contentful Paint, Cumulative Layout
    Shift and Total Blocking Time. Pages are rendered one at a time, each in real time until it has
    been quiet for a second.
    """
    flatten_shadow_dom: Annotated[
        bool,
        Setting(
            "Read shadow DOM",
            "The content of web components counts as part of the page.",
            Section.RENDERING,
            Switch(),
            Option("Leave out what web components show.", name="--no-flatten-shadow-dom"),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = True
    """Read the open shadow roots of web components as a part of the page."""
    flatten_frames: Annotated[
        bool,
        Setting(
            "Read frames",
            "The content of frames of the page's own site counts as part of the page.",
            Section.RENDERING,
            Switch(),
            Option("Leave out what frames show.", name="--no-flatten-frames"),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = True
    """Read frames of the page's own origin as a part of the page."""
    hash_routes: Annotated[
        bool,
        Setting(
            "Crawl hash routes",
            "What a link shows behind #/ or #! is a page of its own; search engines see one page.",
            Section.RENDERING,
            Switch(),
            Option("Crawl addresses that differ behind '#/' or '#!' as pages of their own."),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = False
    """Crawl addresses of the site that differ behind `#/` or `#!` as pages of their own, each with
    what its scripts show there. Search engines see one page.
    """
    accessibility: Annotated[
        AccessibilityLevel,
        Setting(
            "Check accessibility",
            "Checks rendered pages with axe-core: about 0.3 s more per page.",
            Section.RENDERING,
            Choice(
                (
                    "Off",
                    "WCAG A",
                    "WCAG A and AA",
                    "WCAG A, AA and AAA",
                    "WCAG A and AA, best practices",
                    "All rules",
                )
            ),
            Option("Check rendered pages for accessibility, up to this level of WCAG."),
            change=ChangePolicy.NEVER_READ_PAGES,
            needs="render",
        ),
    ] = AccessibilityLevel.OFF
    """Check rendered pages for accessibility with axe-core: `off`, `a` (level A of WCAG 2.0 to
    2.2), `aa` (A and AA), `aaa`, `best-practice` (A, AA and best practices) or `all`. Without it,
    or where pages are not rendered, only the rules that can be decided from the HTML alone are
    checked.
    """
    browser: Annotated[
        str,
        Setting(
            "Browser",
            "Path of a Chromium, Chrome or Edge; empty: the one of this computer.",
            Section.RENDERING,
            ProgramPath(),
            Option(
                "Path or name of the Chromium, Chrome or Edge to render with.", metavar="PROGRAM"
            ),
            change=ChangePolicy.WITH_NEW_WORKERS,
            decides_reading=False,
        ),
    ] = ""
    """Path or name of the Chromium, Chrome or Edge that renders pages and opens the window of a
    login; empty: the best one of this computer. `gossamer browser` shows which one that is.
    """

    @property
    def renders_pages(self) -> bool:
        """Whether any pages are rendered."""
        return self.render is not RenderMode.OFF

    @property
    def crawls_hash_routes(self) -> bool:
        """Whether the hash routes of the site are pages of their own."""
        return self.renders_pages and self.hash_routes

    @property
    def renders_for_mobile(self) -> bool:
        """Whether any pages are rendered as a phone shows them."""
        return self.renders_pages and self.device is RenderDevice.MOBILE

    def with_rendering(self, *, is_wanted: bool) -> "RenderMode":
        """The mode that renders pages, or not, as requested: this one, if it does."""
        if self.renders_pages == is_wanted:
            return self.render
        return RenderMode.ON if is_wanted else RenderMode.OFF

    @property
    def checks_accessibility(self) -> bool:
        """Whether pages that are rendered are checked for accessibility."""
        return self.renders_pages and self.accessibility is not AccessibilityLevel.OFF

    @property
    def render_tabs_at_once(self) -> int:
        """How many pages are rendered at once; one if their loading is measured."""
        if self.lab_metrics:
            return 1
        return self.render_tabs or 2 * (os.cpu_count() or 1)

    @property
    def viewport_size(self) -> ViewportSize:
        """The size in which pages are rendered."""
        if not self.viewport:
            return _VIEWPORTS[self.device]
        width, _, height = self.viewport.partition("x")
        return ViewportSize(int(width), int(height))
