"""Which robots.txt files are kept for those who want their rules again."""

import asyncio

from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from gossamer.page_worker.robots_texts import MAX_CHARACTERS, MAX_TEXTS, RobotsTexts

ROBOTS = "https://site.test/robots.txt"
FOUND = Visit(Outcome.FILE, 200)


class Server:
    def __init__(self) -> None:
        self.asked: list[str] = []

    async def fetch_text(self, url: str) -> tuple[Visit, str]:
        self.asked.append(url)
        return FOUND, "asked"


def texts_of(texts: RobotsTexts, *urls: str) -> list[str]:
    async def main() -> list[str]:
        return [(await texts.fetch_text(url))[1] for url in urls]

    return asyncio.run(main())


def test_what_the_crawl_has_fetched_is_not_asked_for_again() -> None:
    texts = RobotsTexts(Server())
    texts.note(ROBOTS, FOUND, "kept")
    assert texts_of(texts, ROBOTS, ROBOTS) == ["kept", "asked"]


def test_other_texts_and_failures_that_may_pass_are_not_kept() -> None:
    texts = RobotsTexts(Server())
    texts.note("https://site.test/llms.txt", FOUND, "kept")
    texts.note(ROBOTS, Visit(Outcome.SERVER_ERROR, 503, transient=True), "kept")
    assert texts_of(texts, "https://site.test/llms.txt", ROBOTS) == ["asked", "asked"]


def test_a_bounded_number_is_kept() -> None:
    texts = RobotsTexts(Server())
    for number in range(MAX_TEXTS + 1):
        texts.note(f"https://{number}.test/robots.txt", FOUND, "kept")
    first, last = "https://0.test/robots.txt", f"https://{MAX_TEXTS}.test/robots.txt"
    assert texts_of(texts, first, last) == ["asked", "kept"]


def test_texts_that_would_take_much_memory_are_not_kept() -> None:
    texts = RobotsTexts(Server())
    texts.note(ROBOTS, FOUND, "#" * (MAX_CHARACTERS + 1))
    assert texts_of(texts, ROBOTS) == ["asked"]
