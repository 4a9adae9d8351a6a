"""Measures how a phone's screen shows a page: targets, text, width, overlays."""

from collections.abc import Awaitable
from typing import Any, Final, Protocol

from msgspec import Struct

from gossamer.model.fields.page_flags import RenderFlag
from gossamer.render.page_scripts import PageScript, returned

MOST_SMALL_TEXT: Final = 0.4
"""Share of the text of a page that may be illegible: Lighthouse requires 60% to be legible."""
MOST_COVERED: Final = 0.5
"""Share of the screen that overlays may cover."""

_LOOK_AT_LAYOUT: Final = PageScript(
    r"""
function (options) {
  const LEGIBLE = 12, TARGET = 24, MOST_ELEMENTS = 20000, MOST_TARGETS = 2000;
  const root = document.documentElement, body = document.body;
  const none = {small_text: 0, width: options.width, screen: options.width, small_targets: 0,
    covered: 0};
  if (!body) return none;
  const styleOf = element => getComputedStyle(element);
  const boxOf = element => Element.prototype.getBoundingClientRect.call(element);
  // A field of a form that is called so would be its parent.
  const parentOf = element => Object.getOwnPropertyDescriptor(
    Node.prototype, 'parentElement').get.call(element);
  const isShown = element => element.checkVisibility(
    {opacityProperty: true, visibilityProperty: true});
  const scale = visualViewport ? Math.min(1, visualViewport.scale) : 1;

  // Text: the share of its characters that are too small on the screen.
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const sizes = new Map();
  let characters = 0, small = 0, looked = 0;
  for (let text = walker.nextNode(); text && ++looked < MOST_ELEMENTS; text = walker.nextNode()) {
    const parent = text.parentElement, length = text.data.trim().replace(/\s+/g, ' ').length;
    if (!length || !parent || /^(script|style|noscript|template)$/.test(parent.localName)) continue;
    if (!sizes.has(parent))
      sizes.set(parent, isShown(parent) ? parseFloat(styleOf(parent).fontSize) : NaN);
    const size = sizes.get(parent) * scale;
    if (Number.isNaN(size)) continue;
    characters += length;
    if (size < LEGIBLE - 0.01) small += length;
  }

  // Width: of what can be scrolled to, or is shown when the page is zoomed out.
  const hides = element => /hidden|clip/.test(styleOf(element).overflowX);
  const scrolled = hides(root) || hides(body) ? 0 : (document.scrollingElement || root).scrollWidth;
  const width = scrolled > options.width ? scrolled : innerWidth;

  // Targets smaller than 24 px whose circles of 24 px meet another target: WCAG 2.2, 2.5.8.
  const selector = 'a[href], button, input:not([type=hidden]), select, textarea, summary,' +
    '[role=button], [role=link], [role=checkbox], [role=radio], [role=tab], [role=menuitem],' +
    '[role=switch], [onclick]';
  const isInline = element => {
    if (styleOf(element).display !== 'inline') return false;
    const block = element.parentElement;
    const own = element.textContent.trim().length;
    return !!block && block.textContent.trim().length > own && [...block.childNodes].some(
      node => node.nodeType === 3 && node.data.trim().length > 1);
  };
  const targets = [];
  for (const element of document.querySelectorAll(selector)) {
    if (targets.length >= MOST_TARGETS) break;
    if (element.disabled || !isShown(element)) continue;
    const box = boxOf(element);
    if (!box.width || !box.height) continue;
    targets.push({element, box, inline: isInline(element)});
  }
  const RADIUS = TARGET / 2;
  const isSmall = ({box}) => box.width < TARGET - 0.5 || box.height < TARGET - 0.5;
  const middle = ({box}) => [box.left + box.width / 2, box.top + box.height / 2];
  const meets = (one, other) => {
    if (one.element.contains(other.element) || other.element.contains(one.element)) return false;
    const [x, y] = middle(one);
    if (isSmall(other)) {
      const [a, b] = middle(other);
      return Math.hypot(x - a, y - b) < TARGET;
    }
    const dx = Math.max(other.box.left - x, 0, x - other.box.right);
    const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
    return Math.hypot(dx, dy) < RADIUS;
  };
  const smallTargets = targets.filter(one => isSmall(one) && !one.inline &&
    targets.some(other => other !== one && meets(one, other))).length;

  // What stays above the page while it is scrolled: the share of points of the screen that show it.
  const COLUMNS = 7, ROWS = 13;
  const screenWidth = innerWidth, screenHeight = innerHeight;
  const isAbove = element => {
    for (let at = element; at && at !== body && at !== root; at = parentOf(at)) {
      const position = styleOf(at).position;
      if (position === 'fixed') return true;
      if (at.localName === 'dialog' && at.open && at.matches(':modal')) return true;
    }
    return false;
  };
  let covered = 0;
  for (let column = 0; column < COLUMNS; column++)
    for (let row = 0; row < ROWS; row++) {
      const found = document.elementFromPoint(
        (column + 0.5) * screenWidth / COLUMNS, (row + 0.5) * screenHeight / ROWS);
      covered += !!found && isAbove(found);
    }
  const behind = [...body.querySelectorAll('*')].slice(0, MOST_ELEMENTS).some(
    element => !isAbove(element) && element.childElementCount === 0 &&
      element.textContent.trim().length > 20 && isShown(element));
  return {
    small_text: characters ? small / characters : 0, width, screen: options.width,
    small_targets: smallTargets, covered: behind ? covered / (COLUMNS * ROWS) : 0,
  };
}
"""
)
"""Measures the layout of a page, as a `MobileLayout`. Option: `width` of the screen."""


class MobileLayout(Struct):
    """How a page is laid out on the screen of a phone."""

    small_text: float
    """The share of its characters that are less than 12 px high there."""
    width: float
    """Of its content, in px."""
    screen: float
    """The width of the screen, likewise."""
    small_targets: int
    """Links and buttons that are too small and too close to others (WCAG 2.2, 2.5.8)."""
    covered: float
    """The share of the screen that something covers wherever the page is scrolled to; 0 if there is
    nothing else."""


class _Look(Protocol):
    def __call__(self, script: str) -> Awaitable[Any]: ...


async def layout_of(look: _Look, width: int) -> MobileLayout:
    """The layout of a page on a screen of that width. Raises DevtoolsError.

    `look` runs a script of ours in the page.
    """
    return returned(await look(_LOOK_AT_LAYOUT.call({"width": width})), MobileLayout)


def layout_flags(layout: MobileLayout) -> int:
    """The members of RenderFlag that hold for a page."""
    return (
        bool(layout.small_targets) * RenderFlag.SMALL_TARGETS
        | (layout.width >= layout.screen + 1) * RenderFlag.WIDE_CONTENT
        | (layout.small_text > MOST_SMALL_TEXT) * RenderFlag.SMALL_TEXT
        | (layout.covered > MOST_COVERED) * RenderFlag.OVERLAY
    )
