"""The pattern process: what it says, and when."""

import asyncio
from typing import TYPE_CHECKING, Any, cast

from gossamer.child_processes.pattern_evaluator import PatternEvaluator
from gossamer.model.custom_definitions import CustomExtraction, CustomResult
from gossamer.model.messages.pattern_messages import (
    READY,
    ApplyPatterns,
    ConfigurePatterns,
    PatternJob,
    PatternResults,
)
from gossamer.model.settings.request_settings import Parser

if TYPE_CHECKING:
    from gossamer.ipc.channel import Channel


class Sent:
    """A channel that keeps what is sent."""

    def __init__(self) -> None:
        self.messages: asyncio.Queue[PatternResults] = asyncio.Queue()

    def send(self, message: PatternResults) -> None:
        self.messages.put_nowait(message)


def test_it_says_that_it_is_ready_before_any_page_and_then_answers_for_each() -> None:
    heading = CustomExtraction("Heading", "h1")
    sent: list[PatternResults] = []

    async def main() -> None:
        channel = Sent()
        evaluator = PatternEvaluator()
        to_worker = cast("Channel[PatternJob]", cast("Any", channel))
        async with asyncio.TaskGroup() as group:
            serving = group.create_task(evaluator.serve(to_worker), name="patterns")
            evaluator.receive([ConfigurePatterns((), (heading,), Parser.SELECTOLAX)])
            sent.append(await channel.messages.get())
            evaluator.receive([ApplyPatterns(1, b"<h1>Silk</h1>", None, [heading.number])])
            sent.append(await channel.messages.get())
            serving.cancel()

    asyncio.run(main())
    ready, answer = sent
    assert ready == PatternResults(READY, [], [])
    assert (answer.page, answer.results) == (1, [CustomResult(heading.number, ["Silk"])])
