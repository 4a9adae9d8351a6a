"""An event loop whose clock jumps: hours of back-off pass in milliseconds, always alike."""

import asyncio
import selectors
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


class _JumpingSelector(selectors.SelectSelector):
    """Where the loop would wait for a timer, the clock is moved there instead.

    Only for tests without I/O: it waits for real (up to `PATIENCE_S`) only if there is no timer,
    which is when another thread is to wake the loop. While something is to be run the system is not
    asked: what a thread has the loop call is in its queue already.
    """

    PATIENCE_S = 30.0

    def __init__(self) -> None:
        super().__init__()
        self.now_s = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            ready = super().select(self.PATIENCE_S)
            if not ready:
                raise TimeoutError("the test waits for something that nothing will bring about")
            return ready
        if timeout <= 0:
            return []
        self.now_s += timeout
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop with a clock of its own that starts at 0."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        return self._jumping.now_s

    async def shutdown_default_executor(self, timeout: float | None = None) -> None:  # noqa: ARG002, ASYNC109 - as asyncio has it since Python 3.12
        """Wait for the threads: a time limit would be over at once on this clock."""
        await super().shutdown_default_executor()

    def jump(self, seconds: float) -> None:
        """Let time pass in which nothing runs, as when the process is stopped."""
        self._jumping.now_s += seconds


def run_virtual(main: Coroutine[Any, Any, T]) -> T:
    """Run `main` on a virtual clock.

    Not by `Runner.run`, which looks whether its handler of Ctrl+C is still there: in an error that
    it takes no notice of, `signal` writes out the handler, with all that `main` has returned.
    """
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        return runner.get_loop().run_until_complete(main)
