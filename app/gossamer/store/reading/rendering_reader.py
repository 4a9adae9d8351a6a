"""Reads what rendered pages loaded, wrote to the console and showed, and their screenshots."""

from collections.abc import Sequence

from gossamer.model.rendering import NO_DETAILS, RenderingDetails
from gossamer.model.rendering_encoding import decode_details
from gossamer.store.bulk_insert import chunks, marks
from gossamer.store.reading.project_connection import ProjectConnection


class RenderingReader(ProjectConnection):
    """Reads details of rendered pages. Raises as `Reader` does."""

    def has_renderings(self) -> bool:
        """Whether any page was rendered, or was to be."""
        return self._row("SELECT 1 FROM rendering LIMIT 1", ()) is not None

    def rendering_details(self, url_id: int) -> RenderingDetails:
        """What a page loaded, wrote to the console, shows and tried to open; else nothing."""
        return self.rendering_details_among([url_id]).get(url_id, NO_DETAILS)

    def rendering_details_among(self, ids: Sequence[int]) -> dict[int, RenderingDetails]:
        """Those of these pages that have any."""
        found: dict[int, RenderingDetails] = {}
        for chunk in chunks(ids):
            query = f"SELECT id, details FROM rendering_detail WHERE id IN ({marks(len(chunk))})"  # noqa: S608 - marks only
            rows = self._rows(query, chunk)
            found.update((url_id, decode_details(details)) for url_id, details in rows)
        return found

    def screenshot(self, url_id: int) -> bytes | None:
        """The picture of a rendered page, a JPEG; None if there is none."""
        row = self._row("SELECT jpeg FROM screenshot WHERE id = ?", (url_id,))
        return None if row is None else bytes(row[0])
