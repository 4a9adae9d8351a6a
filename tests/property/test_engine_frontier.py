"""The frontier and its window over the file, against a model that is a set of ids.

Whatever is found, taken, put back, withdrawn, committed and read again, in whatever order and with
however little memory: no URL is handed out twice, none is forgotten, and memory stays bounded.
"""

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
)

from gossamer.engine.pending_batch import PendingBatch
from gossamer.engine.queue.frontier import Frontier
from gossamer.engine.url_tracker import FrontierEntry, UrlStage, UrlTracker
from gossamer.model.discovery_rank import Rank
from gossamer.model.outcome import Outcome

HOSTS = [f"{letter}.test" for letter in "abcde"]
hosts = st.sampled_from(HOSTS)
picks = st.integers(0, 10_000)


class FrontierMachine(RuleBasedStateMachine):
    """`queued` is the truth; the file lags behind it until `commit`."""

    @initialize(capacity=st.sampled_from([1, 2, 3, 8, 50]), old=st.lists(hosts, max_size=30))
    def begin(self, capacity: int, old: list[str]) -> None:
        """Begin with a project in which some URLs are queued."""
        self.capacity = capacity
        self.batch = PendingBatch(last_id=len(old))
        self.tracker = UrlTracker(self.batch)
        self.frontier = Frontier(self.tracker, capacity)
        self.frontier.restore(len(old))
        self.host = dict(enumerate(old, 1))
        self.file = set(self.host)
        self.queued = set(self.host)
        self.flying: list[FrontierEntry] = []
        self.done: set[int] = set()
        self.put_back_ever = 0
        self.now = 0.0

    def entry(self, url_id: int) -> FrontierEntry:
        host = self.host[url_id]
        return FrontierEntry(url_id, f"http://{host}/{url_id}", Rank(1), None, host)

    @rule(host=hosts, count=st.integers(1, 8))
    def find(self, host: str, count: int) -> None:
        """Find new URLs of a host."""
        for _ in range(count):
            url_id = len(self.host) + 1
            self.host[url_id] = host
            self.queued.add(url_id)
            self.frontier.add_new(self.entry(url_id))

    @rule(count=st.integers(1, 8))
    def take(self, count: int) -> None:
        """Take what is next."""
        for _ in range(count):
            entry = self.frontier.take(self.now)
            if entry is None:
                break
            assert entry.id in self.queued, "neither taken already nor withdrawn"
            self.queued.remove(entry.id)
            self.flying.append(entry)

    @precondition(lambda self: self.flying)
    @rule(pick=picks)
    def answer(self, pick: int) -> None:
        """An answer comes: its URL is done."""
        entry = self.flying.pop(pick % len(self.flying))
        self.frontier.release(entry)
        self.tracker.move(entry, UrlStage.DECIDED)
        self.tracker.decide(entry.id, Outcome.PAGE, None)
        self.done.add(entry.id)

    @precondition(lambda self: self.flying)
    @rule(pick=picks, later=st.booleans())
    def put_back(self, pick: int, *, later: bool) -> None:
        """A task is cancelled, or is to be tried again later."""
        entry = self.flying.pop(pick % len(self.flying))
        self.put_back_ever += 1
        self.frontier.release(entry)
        if later:
            self.frontier.postpone(entry, self.now + 10.0)
        else:
            self.frontier.requeue(entry)
        self.queued.add(entry.id)

    @precondition(lambda self: self.queued)
    @rule(pick=picks)
    def withdraw(self, pick: int) -> None:
        """A user takes a URL out that waits in memory."""
        entry = self.tracker.entry(sorted(self.queued)[pick % len(self.queued)])
        if entry is not None:
            self.frontier.withdraw(entry)
            self.tracker.decide(entry.id, Outcome.CANCELLED, None)
            self.queued.remove(entry.id)
            self.done.add(entry.id)

    @precondition(lambda self: self.done)
    @rule(pick=picks)
    def queue_again(self, pick: int) -> None:
        """A URL that was done is to be asked again."""
        url_id = sorted(self.done)[pick % len(self.done)]
        self.done.remove(url_id)
        self.queued.add(url_id)
        self.tracker.decide(url_id, Outcome.PENDING, None)
        self.frontier.add_known(self.entry(url_id))

    @precondition(lambda self: self.queued)
    @rule(pick=picks)
    def prefer(self, pick: int) -> None:
        """A user wants a URL first that waits in memory."""
        entry = self.tracker.entry(sorted(self.queued)[pick % len(self.queued)])
        if entry is not None and self.frontier.room_first > 0:
            self.frontier.prefer(entry)

    @rule(limit=st.sampled_from([1, 3, 1_000]))
    def commit_and_read(self, limit: int) -> None:
        """What is decided is committed; then the frontier is filled from the file."""
        wanted = self.frontier.wanted(limit)
        self.batch.take()
        self.file = self.queued | {entry.id for entry in self.flying}
        up_to = len(self.host)
        for part in wanted:
            rows = self.of_host(part.host, part.after)[: part.limit]
            waiting = [self.entry(row) for row in rows if self.tracker.is_on_file(row)]
            whole = len(rows) < part.limit
            self.frontier.loaded(part, waiting, up_to if whole else rows[-1])
        if self.frontier.to_search is not None:
            after, most = self.frontier.to_search
            names = [name for name in HOSTS if name > after and self.of_host(name, 0)][:most]
            firsts = [self.entry(self.of_host(name, 0)[0]) for name in names]
            self.frontier.searched(firsts, to_the_end=len(names) < most)

    def of_host(self, host: str, after: int) -> list[int]:
        return sorted(one for one in self.file if one > after and self.host[one] == host)

    @rule()
    def wait(self) -> None:
        """Time passes."""
        self.now += 5.0

    @invariant()
    def memory_is_bounded(self) -> None:
        """By the capacity, a host's least share, and what was put back, which has to stay."""
        if hasattr(self, "frontier"):
            kept = len(self.frontier)
            assert kept == sum(1 for one in self.queued if self.tracker.entry(one) is not None)
            assert kept <= self.capacity + len(HOSTS) + self.put_back_ever

    def teardown(self) -> None:
        """In the end every URL is handed out."""
        if not hasattr(self, "frontier"):
            return
        for _ in range(10 * len(self.host) + 10):
            self.now += 10.0
            self.take(1_000)
            while self.flying:
                self.answer(0)
            self.commit_and_read(1_000)
            if not self.queued:
                break
        assert not self.queued, "some are forgotten in the file"
        assert not self.frontier.spilled or self.frontier.wants_hosts


FrontierMachine.TestCase.settings = settings(max_examples=50, stateful_step_count=30)
TestFrontierAgainstItsModel = FrontierMachine.TestCase
