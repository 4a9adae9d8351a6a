"""The counters and figures of a crawl that has something to show in each chart."""

from gossamer.model.crawl_state import CrawlState
from gossamer.model.messages.crawl_messages import HostState, Progress
from gossamer.model.outcome import Outcome
from gossamer.model.overview_data import ExtremePage, OverviewData

PROGRESS = Progress(
    state=CrawlState.RUNNING,
    fetched=100,
    statuses={200: 80, 204: 1, 301: 5, 302: 2, 404: 6, 429: 1, 503: 2, 999: 1},
    outcomes={
        Outcome.PENDING: 500,
        Outcome.PAGE: 70,
        Outcome.OUT_OF_SCOPE: 300,
        Outcome.TIMEOUT: 2,
        Outcome.FILE: 0,
    },
    hosts=[
        HostState("busy.test", active=3, queued=40),
        HostState("tired.test", rests_s=11.6, delay_s=2.0),
    ],
)
FIGURES = OverviewData(
    depths={0: 1, 2: 5, 12: 3, 13: 4, 900: 2},
    times={40: 900, 150: 50, 700: 40, 9000: 10},
    types={"text/html": 70, "image/png": 8},
    slowest=[
        ExtremePage(7, "https://a.test/caf%C3%A9/slow", 9000),
        ExtremePage(8, "https://a.test/", 9),
    ],
    largest=[ExtremePage(9, "https://a.test/large", 5 << 20)],
)
