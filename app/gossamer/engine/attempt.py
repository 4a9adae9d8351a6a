"""One URL, asked: robots.txt first, then one hop, and whatever goes wrong as a value."""

import asyncio
import logging
from collections.abc import Callable

from gossamer.engine.host_queues import FrontierEntry
from gossamer.engine.policy import DEATHS_ALLOWED
from gossamer.engine.ports import Fetcher, Rules, RulesFor, WorkerDiedError
from gossamer.engine.robots_gate import RobotsGate, RobotsUnreachableError
from gossamer.model.messages import FetchKind
from gossamer.model.outcome import Outcome
from gossamer.model.page import Visit
from gossamer.model.settings import CrawlSettings
from gossamer.model.store_batch import RobotsRow
from gossamer.urls.parse import without_userinfo

_WANTED = {
    Outcome.PENDING: FetchKind.PAGE,
    Outcome.PENDING_CHECK: FetchKind.CHECK,
    Outcome.PENDING_SITEMAP: FetchKind.SITEMAP,
}
UNREACHABLE_S = 5.0
_log = logging.getLogger(__name__)


class FetchAttempt:
    """Asks for entries of the frontier. Only cancellation comes out as an exception."""

    def __init__(
        self,
        fetcher: Fetcher,
        rules_for: RulesFor,
        settings: CrawlSettings,
        on_rules: Callable[[str, Rules, RobotsRow], None],
        back_off: Callable[[str, float], None],
    ) -> None:
        """Take the ports.

        `on_rules` gets the rules of each origin asked for, `back_off` each host that does not
        answer at all, and until when to leave it alone.
        """
        self._fetcher = fetcher
        self._back_off = back_off
        self._robots = (
            RobotsGate(fetcher, rules_for, settings.user_agent, on_rules)
            if settings.obey_robots
            else None
        )
        # Of the URLs that were in a worker when it died one is to blame. Asked again together,
        # it would take the others with it for good.
        self._suspects = asyncio.Lock()

    def refusal(self, url: str) -> Visit | None:
        """That, and by what, a robots.txt fetched before forbids `url`; None if it does not."""
        return None if self._robots is None else self._robots.refusal(url)

    async def ask(self, entry: FrontierEntry) -> Visit | None:
        """Ask once. Counts the try, and the worker if one is lost over it.

        None when a robots.txt had to be waited for, or the URL is to be asked in another manner:
        the entry is to take its turn again, at the pace that is known now. Each happens once.
        """
        try:
            entry.tries += 1
            if not entry.deaths:
                return await self._ask(entry)
            async with self._suspects:
                return await self._ask(entry)
        except asyncio.CancelledError:
            entry.tries -= 1  # a pause is not the server's failure
            raise
        except RobotsUnreachableError as e:
            # Left alone for a while, or those who wait for it would hold every slot.
            self._back_off(entry.host, asyncio.get_running_loop().time() + UNREACHABLE_S)
            return e.visit
        except WorkerDiedError as e:
            # Whose fault it was is not known: the others in that worker get their try back.
            entry.deaths += 1
            entry.tries -= 1
            url = without_userinfo(entry.url)[0]
            _log.warning("page worker died", extra={"url": url, "deaths": entry.deaths})
            again = entry.deaths <= DEATHS_ALLOWED
            return Visit(Outcome.WORKER_DIED, detail=str(e), transient=again)
        except Exception as e:  # noqa: BLE001 - one URL's failure is never the crawl's
            _log.exception("unexpected error", extra={"url": without_userinfo(entry.url)[0]})
            return Visit(Outcome.UNEXPECTED_ERROR, detail=f"{type(e).__name__}: {e}")

    async def _ask(self, entry: FrontierEntry) -> Visit | None:
        if self._robots is not None:
            had_to_wait = await self._robots.learn(entry.url)
            refusal = self.refusal(entry.url)
            if refusal is not None:
                entry.tries -= 1
                return refusal
            if had_to_wait and not entry.waited:
                entry.waited = True
                entry.tries -= 1
                return None
        visit = await self._fetcher.fetch(entry.url, _WANTED[entry.outcome], entry.manner)
        if visit.again and not entry.manner:
            entry.manner = visit.again
            entry.tries -= 1
            return None
        return visit
