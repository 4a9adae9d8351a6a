"""What a user does with the issues of a large project that was audited: see `large_probe`."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from gossamer.audit.rule_catalogue import RULES
from gossamer.audit.site_rule import SiteRule
from gossamer.gui.actions.window_actions import WindowAction
from gossamer.gui.main_window import MainWindow
from gossamer.gui.tables.table_tabs import ISSUES
from tests.bench.large_step import Step, readable

_LISTED: Final = 6
"""So many issues are looked at: those with most URLs."""
_PLACES: Final = (0.5, 0.9999)


def issue_steps(window: MainWindow) -> Iterator[Step]:
    """What a user does in the Issues tab and in the tree of issues by group."""
    table, counts = window.workspace.table, window.workspace.table.issue_counts
    yield Step("turn to the issues", partial(table.show_rows, ISSUES), lambda: bool(counts.urls))
    yield Step("shares of issues", counts.request_totals, lambda: _has_totals(window))
    largest = sorted(counts.problems(), key=lambda rule: -counts.urls[rule.number])[:_LISTED]
    scroll = table.view.verticalScrollBar()
    for rule in largest:
        yield _listing(window, rule, "list an issue", partial(table.issues.choose, rule))
        for place in _PLACES:
            to = partial(scroll.setValue, int(place * scroll.maximum()))
            yield Step("scroll in an issue", to, partial(readable, window))
    yield from _tree_steps(window, largest)


def _tree_steps(window: MainWindow, rules: list[SiteRule]) -> Iterator[Step]:
    space = window.workspace
    tree, counts = space.rules, space.table.issue_counts
    tabs = space.side
    pages = [tabs.widget(number) for number in range(tabs.count())]
    place = next(n for n, page in enumerate(pages) if page and page.isAncestorOf(tree))

    def turn() -> None:
        space.docks.show_panels(WindowAction.SIDE, shown=True)
        tabs.setCurrentIndex(place)

    yield Step("turn to the issues by group", turn, lambda: bool(counts.content))
    yield Step("expand the issues by group", tree.expandAll, lambda: True)
    for rule in rules:
        click = partial(tree.target_wanted.emit, rule)
        yield _listing(window, rule, "click on a rule in the tree", click)
    yield Step("turn to the charts", partial(tabs.setCurrentIndex, 0), lambda: True)


def _listing(window: MainWindow, rule: SiteRule, what: str, act: Callable[[], object]) -> Step:
    bar = window.workspace.table.bar
    return Step(what, act, lambda: bar.rule == rule.number and readable(window))


def _has_totals(window: MainWindow) -> bool:
    counts = window.workspace.table.issue_counts
    return any(counts.total(RULES[number]) for number in counts.urls)
