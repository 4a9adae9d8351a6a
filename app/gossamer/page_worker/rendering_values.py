"""What is stored of the rendering of a page, from what the browser has shown."""

from typing import Final

from gossamer.extract.rendered_differences import (
    HtmlValues,
    MergedPage,
    has_files_blocked_by_robots,
    wants_web_sockets,
)
from gossamer.model.accessibility_report import accessibility_values
from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.fields.rendering_fields import RenderOutcome
from gossamer.model.rendering import Rendering, RenderingDetails
from gossamer.render.mobile_layout import layout_flags
from gossamer.render.rendered_page import RenderedPage

_SAME: Final = HtmlValues(None, None, None, None, None, None)


def rendering_of(
    page: RenderedPage, requested: str, outcome: RenderOutcome, both: MergedPage | None = None
) -> Rendering:
    """What is stored of the rendering of the page that was `requested`, and ended as `outcome`."""
    html = _SAME if both is None else both.html
    violations = [] if page.accessibility is None else page.accessibility.violations
    return Rendering(
        outcome,
        rendered_url=page.final_url if page.final_url not in {"", requested} else None,
        **html._asdict(),
        rendered_links=0 if both is None else both.rendered_links,
        page_requests=page.requests,
        blocked_requests=page.blocked,
        failed_requests=page.failed,
        console_errors=page.errors,
        console_warnings=page.warnings,
        dialogs=page.dialogs,
        load_ms=page.load_ms,
        render_ms=page.render_ms,
        details=RenderingDetails(
            page.resources, page.console, page.images, page.popups, violations
        ),
        **accessibility_values(page.accessibility),
        screenshot=page.screenshot,
    )


def rendering_flags(page: RenderedPage) -> int:
    """What is remarkable about a rendering: RenderFlag values."""
    return (
        has_files_blocked_by_robots(page.resources) * RenderFlag.BLOCKED_RESOURCES
        | bool(page.errors) * RenderFlag.ERRORS
        | bool(page.warnings) * RenderFlag.WARNINGS
        | wants_web_sockets(page.resources) * RenderFlag.WEB_SOCKETS
        | (layout_flags(page.layout) if page.layout is not None else 0)
    )
