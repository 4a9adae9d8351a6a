"""Checks a page in the browser for accessibility, with axe-core in a world of its own."""

import logging
from collections.abc import Awaitable, Sequence
from functools import cache
from typing import Final, Protocol

import msgspec

from gossamer.model.accessibility_report import (
    MAX_MESSAGE,
    MAX_NODES,
    MAX_NODES_OF_PAGE,
    MAX_SELECTOR,
    MAX_SNIPPET,
    AccessibilityReport,
    Violation,
)
from gossamer.model.axe_rules import AXE_RULES, COLOR_RULES
from gossamer.model.fields.rendering_fields import AccessibilityOutcome
from gossamer.model.program_resources import resource_path
from gossamer.render.devtools_connection import BrowserGoneError, DevtoolsError, Params
from gossamer.render.page_scripts import PIXELS, PageScript

DEADLINE_S: Final = 10.0
"""For all rules; then the same time again without those about contrast, which take longest."""
_LOAD_S: Final = 5.0
_log = logging.getLogger(__name__)

_RUN_AXE: Final = PageScript(
    r"""
async function (options) {
  const IMPACTS = {minor: 1, moderate: 2, serious: 3, critical: 4}, pixels = """
    + PIXELS
    + r""";
  const found = await axe.run(document, {
    runOnly: {type: 'rule', values: options.rules}, resultTypes: ['violations'],
    iframes: false, preload: false, elementRef: true});
  let left = options.mostNodes;
  // A phone shows a page that is wider than its screen smaller.
  const {scale, offsetLeft, offsetTop} = visualViewport;
  const node = each => {
    const box = each.element ? each.element.getBoundingClientRect() : {};
    const why = [...each.any, ...each.all, ...each.none].map(check => check.message)[0] || '';
    return [each.target.flat(Infinity).join(' >>> ').slice(0, options.selector),
      each.html.slice(0, options.snippet), why.slice(0, options.message),
      ...[box.left - offsetLeft, box.top - offsetTop, box.width, box.height].map(
        side => pixels(side * scale))];
  };
  return found.violations.map(each => {
    const nodes = each.nodes.slice(0, Math.min(options.nodesOfRule, left)).map(node);
    left -= nodes.length;
    return [each.id, IMPACTS[each.impact] || 0, each.nodes.length, nodes];
  });
}
"""
)


class CallBrowser(Protocol):
    """Calls a method of the tab; raises DevtoolsError if that fails or takes too long."""

    def __call__(self, method: str, params: Params | None, timeout_s: float) -> Awaitable[Params]:
        """Returns its result."""


async def check_accessibility(
    call: CallBrowser,
    frame: str,
    rules: Sequence[str],
    *,
    is_slow: bool = False,
    deadline_s: float = DEADLINE_S,
) -> AccessibilityReport:
    """What axe finds in the main `frame` of a tab, whose virtual time must not be paused.

    A page that `is_slow` is not checked for contrast. Raises BrowserGoneError.
    """
    try:
        source = axe_source()
    except FileNotFoundError:
        return AccessibilityReport(AccessibilityOutcome.NO_AXE)
    quick = tuple(rule for rule in rules if rule not in COLOR_RULES)
    tries = [quick] if is_slow else list(dict.fromkeys((tuple(rules), quick)))
    for wanted in tries:
        try:
            violations = await _violations(call, frame, source, wanted, deadline_s)
        except BrowserGoneError:
            raise
        except (DevtoolsError, msgspec.ValidationError) as e:
            _log.debug("a page was not checked for accessibility", extra={"why": str(e)})
            continue
        is_whole = len(wanted) == len(rules)
        outcome = (
            AccessibilityOutcome.CHECKED if is_whole else AccessibilityOutcome.WITHOUT_CONTRAST
        )
        return AccessibilityReport(outcome, wanted, violations)
    return AccessibilityReport(AccessibilityOutcome.FAILED)


@cache
def axe_source() -> str:
    """The script of axe-core. FileNotFoundError if set-up could not get it from npm."""
    return resource_path("axe", "axe.min.js").read_text("utf-8")


async def _violations(
    call: CallBrowser, frame: str, source: str, rules: Sequence[str], deadline_s: float
) -> list[Violation]:
    # A new world: axe refuses to run after an interrupted run.
    world = await call(
        "Page.createIsolatedWorld", {"frameId": frame, "worldName": "gossamer-axe"}, _LOAD_S
    )
    context = int(world["executionContextId"])
    await call("Runtime.evaluate", {"expression": source, "contextId": context}, _LOAD_S)
    options: dict[str, object] = {
        "rules": rules,
        "nodesOfRule": MAX_NODES,
        "mostNodes": MAX_NODES_OF_PAGE,
        "selector": MAX_SELECTOR,
        "snippet": MAX_SNIPPET,
        "message": MAX_MESSAGE,
    }
    check: Params = {
        "expression": _RUN_AXE.call(options),
        "contextId": context,
        "returnByValue": True,
        "awaitPromise": True,
    }
    try:
        result = await call("Runtime.evaluate", check, deadline_s)
    except DevtoolsError:
        await call("Runtime.terminateExecution", None, _LOAD_S)
        raise
    if "exceptionDetails" in result:
        details = result["exceptionDetails"]
        raise DevtoolsError(str(details.get("exception", {}).get("description", details)))
    found = msgspec.convert(result["result"].get("value"), list[Violation])
    return [each for each in found if each.rule in AXE_RULES]
