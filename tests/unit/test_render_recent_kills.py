"""Which crash of a page is that of a process that was killed for its memory."""

from gossamer.render.page_renderer import CRASH_S, RecentKills


def test_each_kill_explains_one_crash_soon_after_it() -> None:
    kills = RecentKills()
    assert not kills.explains_crash(0)
    kills.add(2, 10)
    assert kills.explains_crash(10)
    assert kills.explains_crash(10 + CRASH_S)
    assert not kills.explains_crash(10 + CRASH_S)


def test_a_kill_without_a_crash_explains_no_later_one() -> None:
    kills = RecentKills()
    kills.add(1, 10)  # of a process that no page needed, say
    later_s = 11 + CRASH_S
    kills.add(1, later_s)
    assert kills.explains_crash(later_s)
    assert not kills.explains_crash(later_s)
