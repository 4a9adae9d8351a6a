"""How fast hosts are asked."""

from dataclasses import dataclass
from typing import Self

from gossamer.model.settings import CrawlSettings


@dataclass(frozen=True, slots=True)
class HostRate:
    """How hosts are asked: seconds between two requests, and how many at once (None: any)."""

    delay_s: float = 0.0
    external_delay_s: float = 0.0
    slots: int | None = None

    @classmethod
    def of(cls, settings: CrawlSettings) -> Self:
        """The pace that the person asked for."""
        return cls(
            delay_s=1.0 / settings.rate if settings.rate else 0.0,
            external_delay_s=1.0 / settings.external_rate,
            slots=settings.max_per_host,
        )
