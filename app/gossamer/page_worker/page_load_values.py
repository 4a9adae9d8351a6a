"""The values of `PageLoadFields`, as measured of a rendered page in the browser."""

from collections.abc import Iterable
from typing import Any, Final

from msgspec.structs import asdict

from gossamer.model.rendering import PageResource, ResourceType
from gossamer.model.visit import Visit
from gossamer.render.page_load_measurement import load_metrics
from gossamer.render.rendered_page import RenderedPage
from gossamer.urls.domains import registrable_domain
from gossamer.urls.url_parsing import host_and_port, is_http, origin

_BY_TYPE: Final = {
    "script_bytes": ResourceType.SCRIPT,
    "style_bytes": ResourceType.STYLESHEET,
    "image_bytes": ResourceType.IMAGE,
    "font_bytes": ResourceType.FONT,
}


def page_load_values(visit: Visit, page: RenderedPage, url: str) -> dict[str, Any]:
    """The values for a page that was requested as `url`, by their names."""
    values: dict[str, Any] = {"dom_elements": page.elements}
    values |= transfer_values(url, visit.raw_bytes, page.resources)
    if (layout := page.layout) is not None:
        values |= {
            "small_targets": layout.small_targets,
            "content_width": round(layout.width),
            "small_text_percent": round(100 * layout.small_text),
            "covered_percent": round(100 * layout.covered),
        }
    if page.load is not None:
        values |= asdict(load_metrics(page.load, visit.elapsed_ms))
    return values


def transfer_values(
    url: str, document_bytes: int, resources: Iterable[PageResource]
) -> dict[str, int]:
    """The transferred bytes of a page and its resources, by type and by party."""
    resources = [each for each in resources if is_http(each.url)]
    others = [each for each in resources if _owner(each.url) != _owner(url)]
    return {
        "page_bytes": document_bytes + _transferred(resources),
        **{
            name: _transferred(each for each in resources if each.type is of_type)
            for name, of_type in _BY_TYPE.items()
        },
        "third_party_requests": len(others),
        "third_party_bytes": _transferred(others),
    }


def _transferred(resources: Iterable[PageResource]) -> int:
    return sum(each.transferred_bytes for each in resources)


def _owner(url: str) -> str:
    host, _ = host_and_port(origin(url))
    return registrable_domain(host) or host
