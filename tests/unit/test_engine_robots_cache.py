"""Whether a URL may be asked: robots.txt as it was fetched, or as it could not be."""

import asyncio

import pytest
from msgspec.structs import replace

from gossamer.engine.robots_cache import RobotsCache, RobotsUnreachableError
from gossamer.model.freshness import NO_CONDITIONS, Conditions
from gossamer.model.outcome import Outcome
from gossamer.model.store_batch import RobotsRow
from gossamer.model.visit import Visit
from gossamer.robots.robots_txt import rules_for
from tests.fakes.virtual_loop import run_virtual
from tests.fakes.web import LOST, ROOT, FakeWeb, absolute

ROBOTS = f"{ROOT}/robots.txt"


class Served(FakeWeb):
    """A site with a robots.txt; `fetched` are the URLs that were asked for as text."""

    def __init__(self, *answers: tuple[Visit, str]) -> None:
        super().__init__()
        self.answers = list(answers)
        self.fetched: list[str] = []

    async def fetch_text(
        self,
        url: str,
        conditions: Conditions = NO_CONDITIONS,
    ) -> tuple[Visit, str]:
        assert not conditions
        self.fetched.append(url)
        await asyncio.sleep(0.01)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def gate_of(web: FakeWeb, kept: list[RobotsRow] | None = None) -> RobotsCache:
    rows = [] if kept is None else kept
    return RobotsCache(web, rules_for, "gossamer", lambda _site, _rules, row: rows.append(row))


def learnt(web: FakeWeb, *urls: str) -> RobotsCache:
    """The gate once these were asked for."""

    async def main() -> RobotsCache:
        gate = gate_of(web)
        async with asyncio.TaskGroup() as group:
            for url in urls:
                group.create_task(gate.learn(url), name=url)
        return gate

    return run_virtual(main())


def answered(text: str, status: int = 200) -> tuple[Visit, str]:
    outcome = {2: Outcome.FILE, 4: Outcome.CLIENT_ERROR, 5: Outcome.SERVER_ERROR}[status // 100]
    return Visit(outcome, status=status), text


def test_nothing_is_refused_while_robots_txt_is_not_known() -> None:
    gate = gate_of(Served(answered("User-agent: *\nDisallow: /a")))
    assert gate.refusal(absolute("/a")) is None
    assert gate.rules(absolute("/a")) is None


def test_a_refusal_names_file_line_and_rule() -> None:
    gate = learnt(Served(answered("User-agent: *\nDisallow: /a")), absolute("/"))
    refusal = gate.refusal(absolute("/a"))
    assert refusal is not None
    assert refusal.outcome is Outcome.BLOCKED_BY_ROBOTS
    assert all(part in str(refusal.detail) for part in (ROBOTS, "2", "Disallow: /a"))
    assert gate.refusal(absolute("/b")) is None


def test_all_who_ask_for_one_origin_wait_for_one_fetch() -> None:
    web = Served(answered(""))
    learnt(web, *(absolute(f"/{n}") for n in range(5)))
    assert web.fetched == [ROBOTS]


def test_origins_have_a_robots_txt_each() -> None:
    web = Served(answered(""))
    learnt(web, "http://a.test/", "https://a.test/", "http://a.test:81/")
    assert sorted(web.fetched) == [
        "http://a.test/robots.txt",
        "http://a.test:81/robots.txt",
        "https://a.test/robots.txt",
    ]


@pytest.mark.parametrize(("status", "is_allowed"), [(404, True), (403, True), (500, False)])
def test_no_file_allows_everything_and_a_failing_server_nothing(
    status: int, *, is_allowed: bool
) -> None:
    gate = learnt(Served(answered("", status)), absolute("/"))
    refusal = gate.refusal(absolute("/a"))
    assert (refusal is None) is is_allowed
    if refusal is not None:
        assert refusal.outcome is Outcome.ROBOTS_UNAVAILABLE


def test_a_robots_txt_elsewhere_is_followed_to() -> None:
    moved = Visit(Outcome.REDIRECT, status=301, location="http://www.site.test/robots.txt")
    web = Served((moved, ""), answered("User-agent: *\nDisallow: /"))
    gate = learnt(web, absolute("/"))
    assert web.fetched == [ROBOTS, "http://www.site.test/robots.txt"]
    assert gate.refusal(absolute("/a")) is not None


def test_a_robots_txt_that_redirects_for_ever_counts_as_none() -> None:
    web = Served((Visit(Outcome.REDIRECT, status=301, location=ROBOTS), ""))
    assert learnt(web, absolute("/")).refusal(absolute("/a")) is None
    assert len(web.fetched) == 6


def test_a_failure_that_may_pass_is_tried_again() -> None:
    busy = Visit(Outcome.SERVER_ERROR, status=503, transient=True)
    web = Served((busy, ""), (busy, ""), answered(""))
    assert learnt(web, absolute("/")).refusal(absolute("/a")) is None
    assert len(web.fetched) == 3


def test_of_files_that_broke_off_the_longest_counts() -> None:
    broken = Visit(Outcome.FILE_INCOMPLETE, status=200, transient=True)
    web = Served((broken, "User-agent: *\nDisallow: /a"), (broken, "User-agent: *"), (broken, ""))
    assert learnt(web, absolute("/")).refusal(absolute("/a")) is not None


def test_without_an_answer_nothing_may_be_asked_and_all_who_waited_hear_of_it() -> None:
    web = Served((LOST, ""))

    async def main() -> list[object]:
        gate = gate_of(web)
        urls = (absolute("/a"), absolute("/b"))
        return await asyncio.gather(*map(gate.learn, urls), return_exceptions=True)

    errors = run_virtual(main())
    assert [isinstance(error, RobotsUnreachableError) for error in errors] == [True, True]
    assert len(web.fetched) == 1


def test_whoever_comes_later_has_an_unreachable_robots_txt_fetched_again() -> None:
    web = Served((LOST, ""), answered(""))

    async def main() -> bool:
        gate = gate_of(web)
        with pytest.raises(RobotsUnreachableError):
            await gate.learn(absolute("/a"))
        return await gate.learn(absolute("/a"))

    assert run_virtual(main()) is True


def test_robots_txt_in_use_and_those_of_the_roots_stay_known() -> None:
    others = [f"http://{n}.test/" for n in range(50)]
    web, used = Served(answered("")), "http://used.test/"

    async def main() -> None:
        gate = RobotsCache(web, rules_for, "gossamer", lambda *_: None, 10, {ROOT})
        for url in (absolute("/"), used, *others):
            await gate.learn(url)
            assert gate.refusal(used) is None
        assert not await gate.learn(absolute("/a"))
        assert not await gate.learn(used)
        assert await gate.learn(others[0])

    run_virtual(main())


def test_when_the_one_who_fetches_is_cancelled_the_next_in_line_fetches() -> None:
    web = Served(answered(""))

    async def main() -> bool:
        gate = gate_of(web)
        async with asyncio.TaskGroup() as group:
            first = group.create_task(gate.learn(absolute("/a")), name="first")
            second = group.create_task(gate.learn(absolute("/b")), name="second")
            await asyncio.sleep(0.005)
            first.cancel()
        return second.result()

    assert run_virtual(main()) is True
    assert web.fetched == [ROBOTS, ROBOTS]


def test_the_row_to_keep_has_what_came() -> None:
    rows: list[RobotsRow] = []
    web = Served(answered("User-agent: *", 200))

    async def main() -> bool:
        return await gate_of(web, rows).learn(absolute("/a"))

    run_virtual(main())
    [row] = rows
    assert (row.origin, row.status, row.text) == (ROOT, 200, "User-agent: *")


def test_the_file_itself_is_kept_with_what_it_can_be_asked_for_again_by() -> None:
    headers = [("ETag", '"a"'), ("Last-Modified", "Sat, 01 Jan 2022 00:00:00 GMT")]
    file = Visit(Outcome.FILE, status=200, headers=headers, fetched_at=1.7e9)
    moved = Visit(Outcome.REDIRECT, status=301, location=f"{ROOT}/elsewhere", headers=headers)
    broken = replace(file, outcome=Outcome.FILE_INCOMPLETE)
    kept = [rows_of(Served((answer, ""))) for answer in (file, broken)]
    kept.append(rows_of(Served((moved, ""), (file, "User-agent: *"))))
    assert [row.etag for row in kept] == ['"a"', "", ""]
    assert kept[0].last_modified == headers[1][1]


def rows_of(web: FakeWeb) -> RobotsRow:
    kept: list[RobotsRow] = []
    asyncio.run(gate_of(web, kept).learn(f"{ROOT}/"))
    return kept[0]
