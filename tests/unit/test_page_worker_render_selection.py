"""Which pages are rendered where only those are that need it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.fields.page_flags import RenderFlag
from gossamer.model.fields.rendering_fields import RenderReason
from gossamer.model.outcome import Outcome
from gossamer.model.visit import Visit
from gossamer.page_worker.render_selection import (
    DIFFERENCES,
    FIRST_PAGES,
    LITTLE_TEXT_WORDS,
    MAX_SECTIONS,
    MUCH_SCRIPT_BYTES,
    ONE_IN,
    RenderSelection,
    is_in_sample,
    reason_by_itself,
    script_bytes,
)
from gossamer.urls.url_folders import section_of
from tests.cases import each_case
from tests.fakes.virtual_loop import run_virtual

T = TypeVar("T")
A_FILE = b'<script src="/app.js"></script>'
ENOUGH = Visit(outcome=Outcome.PAGE, facts=PageFacts(word_count=LITTLE_TEXT_WORDS))
OUTSIDE = [url for url in (f"https://a.test/{n}" for n in range(200)) if not is_in_sample(url)]
INSIDE = [url for url in (f"https://a.test/{n}" for n in range(200)) if is_in_sample(url)]


def page(words: int, outcome: Outcome = Outcome.PAGE) -> Visit:
    return Visit(outcome=outcome, facts=PageFacts(word_count=words))


@each_case(
    ("visit", "html", "reason"),
    [
        (page(0, Outcome.PAGE_NEEDS_SCRIPTS), A_FILE, RenderReason.NEEDS_SCRIPTS),
        (page(LITTLE_TEXT_WORDS - 1), A_FILE, RenderReason.LITTLE_TEXT),
        (page(0), A_FILE, RenderReason.LITTLE_TEXT),
        (page(LITTLE_TEXT_WORDS), A_FILE, None),
        (page(0), b"<p>no scripts", None),
        (page(0), b"<script>" + b"x" * MUCH_SCRIPT_BYTES + b"</script>", RenderReason.LITTLE_TEXT),
        (page(0), b"<script>" + b"x" * (MUCH_SCRIPT_BYTES - 1) + b"</script>", None),
    ],
)
def test_little_text_and_much_script_need_rendering(
    visit: Visit, html: bytes, reason: RenderReason | None
) -> None:
    assert reason_by_itself(visit, html) is reason


@each_case(
    ("html", "size"),
    [
        (b"", 0),
        (b"<p>text</p>", 0),
        (b"<script>12345</script><SCRIPT type=module>678</SCRIPT>", 8),
        (b"<script defer src=/a.js></script>", MUCH_SCRIPT_BYTES),
        (b'<script data-src="/a.js">1</script>', 1),
        (b'<script type="text/javascript">123</script>', 3),
        (b'<script type="application/ld+json">{"a": 1}</script>', 0),
        (b'<script id=__NEXT_DATA__ type=application/json>{"a": 1}</script>', 0),
        (b'<script type="text/template"><b>1</b></script><script>12</script>', 2),
        (b"<script src=/json.js></script>", MUCH_SCRIPT_BYTES),
        (b"<script>12345", 5),
        (b"<script", 0),
    ],
)
def test_scripts_are_measured_and_data_is_not(html: bytes, size: int) -> None:
    assert script_bytes(html) == size


def test_scripts_that_are_never_closed_are_looked_at_once() -> None:
    assert script_bytes(b"<script>" * 30_000) == 8 * 30_000 - len(b"<script>")


def test_one_page_in_twenty_is_in_the_sample() -> None:
    count = sum(is_in_sample(f"https://a.test/page/{number}") for number in range(10_000))
    assert abs(count - 10_000 / ONE_IN) < 10_000 / ONE_IN / 4
    assert is_in_sample(INSIDE[0])


async def reasons(
    selection: RenderSelection, urls: list[str], flags: int = 0, visit: Visit = ENOUGH
) -> list[RenderReason | None]:
    """Why each page is rendered, one after the other; `flags` are found on all that are."""
    found = []
    for url in urls:
        async with selection.page(visit, url, b"") as selected:
            selected.flags = flags
        found.append(selected.reason)
    return found


def run(main: Coroutine[Any, Any, T]) -> T:
    return run_virtual(main)


def test_the_first_pages_of_a_host_and_later_ones_are_its_sample() -> None:
    urls = [*OUTSIDE[:8], INSIDE[0], OUTSIDE[8]]
    expected = [RenderReason.SAMPLE] * FIRST_PAGES + [None] * 3 + [RenderReason.SAMPLE, None]
    assert run(reasons(RenderSelection(), urls)) == expected


@pytest.mark.parametrize("flag", [flag for flag in RenderFlag if flag & DIFFERENCES])
def test_if_a_page_of_the_sample_differs_its_host_is_rendered_from_then_on(
    flag: RenderFlag,
) -> None:
    async def main() -> list[RenderReason | None]:
        selection = RenderSelection()
        before = await reasons(selection, OUTSIDE[:6])
        differing = await reasons(selection, INSIDE[:1], flag)
        after = await reasons(selection, [*OUTSIDE[6:8], INSIDE[1], "https://b.test/"])
        return [*before[-1:], *differing, *after]

    differs = RenderReason.SITE_DIFFERS
    assert run(main()) == [
        *(None, RenderReason.SAMPLE),
        *(differs, differs, differs, RenderReason.SAMPLE),
    ]


@each_case(
    ("url", "section"),
    [
        ("https://a.test/", ("https://a.test",)),
        ("https://a.test/page?a=/b/c", ("https://a.test",)),
        ("https://a.test/page/", ("https://a.test",)),
        ("https://a.test/app/", ("https://a.test",)),
        ("https://a.test/app/view", ("https://a.test", "app")),
        ("https://a.test/app/deep/view/", ("https://a.test", "app")),
        ("http://a.test:8080/app/view", ("http://a.test:8080", "app")),
    ],
)
def test_a_section_is_the_outermost_folder_of_a_host(url: str, section: tuple[str, ...]) -> None:
    assert section_of(url) == section


def in_folder(name: str, count: int) -> list[str]:
    urls = (f"https://a.test/{name}/{number}" for number in range(200))
    return [url for url in urls if not is_in_sample(url)][:count]


def test_an_application_in_a_folder_does_not_have_the_documents_rendered() -> None:
    async def main() -> list[RenderReason | None]:
        selection = RenderSelection()
        await reasons(selection, in_folder("docs", FIRST_PAGES))
        await reasons(selection, in_folder("app", 1), RenderFlag.LINKS)
        urls = [in_folder("docs", 7)[-1], in_folder("app", 2)[-1], OUTSIDE[0]]
        return await reasons(selection, urls)

    assert run(main()) == [None, RenderReason.SITE_DIFFERS, RenderReason.SAMPLE]


def test_many_folders_of_a_host_are_one_section() -> None:
    async def main() -> list[RenderReason | None]:
        selection = RenderSelection()
        urls = [in_folder(f"f{number}", 1)[0] for number in range(MAX_SECTIONS + 7)]
        return await reasons(selection, urls)

    assert run(main()) == [RenderReason.SAMPLE] * (MAX_SECTIONS + FIRST_PAGES) + [None] * 2


def test_other_differences_do_not_matter() -> None:
    others = ~DIFFERENCES & sum(RenderFlag)
    assert run(reasons(RenderSelection(), OUTSIDE[:7], others))[FIRST_PAGES:] == [None, None]


def test_pages_that_need_scripts_say_nothing_of_their_host() -> None:
    async def main() -> list[RenderReason | None]:
        selection = RenderSelection()
        scripts = page(0, Outcome.PAGE_NEEDS_SCRIPTS)
        found = await reasons(selection, OUTSIDE[:9], RenderFlag.LINKS, scripts)
        return found + await reasons(selection, OUTSIDE[9:16])

    expected = [RenderReason.NEEDS_SCRIPTS] * 9 + [RenderReason.SAMPLE] * 5 + [None] * 2
    assert run(main()) == expected


def test_pages_wait_for_the_first_of_their_host() -> None:
    async def main() -> list[RenderReason | None]:
        selection, let_go = RenderSelection(), asyncio.Event()

        async def one(number: int) -> RenderReason | None:
            async with selection.page(ENOUGH, OUTSIDE[number], b"") as selected:
                if number < FIRST_PAGES:
                    await let_go.wait()
                selected.flags = RenderFlag.LINKS if number == FIRST_PAGES - 1 else 0
            return selected.reason

        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(number)) for number in range(FIRST_PAGES + 2)]
            await asyncio.sleep(1)
            assert not any(task.done() for task in tasks)
            let_go.set()
        return [task.result() for task in tasks]

    differs = RenderReason.SITE_DIFFERS
    assert run(main()) == [RenderReason.SAMPLE] * FIRST_PAGES + [differs, differs]


def test_pages_that_fail_do_not_keep_others_waiting() -> None:
    async def main() -> list[RenderReason | None]:
        selection = RenderSelection()
        for url in OUTSIDE[:FIRST_PAGES]:
            with pytest.raises(ValueError, match="broken"):
                async with selection.page(ENOUGH, url, b""):
                    raise ValueError("broken")
        return await reasons(selection, OUTSIDE[5:6])

    assert run(main()) == [None]
