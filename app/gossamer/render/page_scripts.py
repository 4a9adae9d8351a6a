"""The scripts that run in pages, in an isolated world that the page cannot reach."""

import json
from typing import Final, TypeVar

import msgspec
from msgspec import Struct

from gossamer.model.rendering import RenderedImage
from gossamer.render.devtools_connection import DevtoolsError

_T = TypeVar("_T")


class PageScript(Struct, frozen=True):
    """A function in JavaScript."""

    source: str

    def call(self, options: dict[str, object]) -> str:
        """The expression that calls it with these options."""
        return f"({self.source})({json.dumps(options)})"


def returned(value: object, kind: type[_T]) -> _T:
    """What a script has returned. DevtoolsError if it is something else."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as e:
        raise DevtoolsError(f"the page was not read: {e}") from e


PAINT: Final = PageScript(
    r"""
function (options) {
  const toEnd = () => document.getAnimations().filter(each => each.timeline === document.timeline &&
    (each.pending || each.playState === 'running') && each.playbackRate > 0 &&
    each.effect && each.effect.getComputedTiming().endTime <= options.most);
  const ending = toEnd();
  for (const each of ending) each.finish();
  if (document.activeViewTransition) document.activeViewTransition.skipTransition();
  if (options.frames)
    for (const frame of document.querySelectorAll('iframe[loading="lazy" i]'))
      if (frame.src.startsWith(location.origin + '/')) frame.loading = 'eager';
  return new Promise(done => requestAnimationFrame(
    () => requestAnimationFrame(() => done(ending.length > 0 || toEnd().length > 0))));
}
"""
)
"""Resolves when two frames have been painted: whether animations ended with that, or are to end.

With `frames`, those of the page's own site that would load when somebody scrolls there load now.

Animations end that take at most so many milliseconds. In virtual time they stand still, as hardly
anything is painted, and scripts that wait for their end would wait for ever. A change of views is
ended, too: before, nothing is painted, and we would wait for ever."""

PIXELS: Final = "side => Math.max(-1e6, Math.min(1e6, Math.round(side) || 0))"
"""Clamps a length, which a page can make arbitrarily large, to a small whole number."""

FILL_STORAGE: Final = PageScript(
    r"""
function (options) {
  if (location.origin !== options.origin || window !== window.top) return;
  for (const [storage, items] of [[localStorage, options.local], [sessionStorage, options.session]])
    for (const [key, value] of items) storage.setItem(key, value);
}
"""
)
"""Fills the storage of the page, if it is of the origin `origin`, with the pairs `local` and
`session`. It runs before the page's scripts, in a world where they cannot read it."""

READ_PAGE: Final = PageScript(
    r"""
function (options) {
  const VOID = new Set(['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta',
    'param', 'source', 'track', 'wbr']);
  const RAW = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);
  const MOST_IMAGES = 500, MOST_ELEMENTS = 20000, pixels = """
    + PIXELS
    + r""";
  const text = value => value.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;')
    .replace(/</g, '&lt;').replace(/>/g, '&gt;');
  const quoted = value => value.replace(/&/g, '&amp;').replace(/\u00a0/g, '&nbsp;')
    .replace(/"/g, '&quot;');
  const frameBody = element => {
    try { return element.contentDocument && element.contentDocument.body; } catch { return null; }
  };
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return node => get.call(node);
  };
  // In a form, `form.attributes` would be the field that is called "attributes".
  const typeOf = getter(Node, 'nodeType'), childrenOf = getter(Node, 'childNodes');
  const nameOf = getter(Element, 'localName'), attributesOf = getter(Element, 'attributes');
  const shadowOf = getter(Element, 'shadowRoot'), documentOf = getter(Node, 'ownerDocument');
  const boxOf = element => Element.prototype.getBoundingClientRect.call(element);
  let left = options.most, cut = false;
  const parts = [];
  const put = part => {
    if (left <= 0) { cut = true; return; }
    if (part.length > left) { part = part.slice(0, left); cut = true; }
    left -= part.length;
    parts.push(part);
  };
  const children = (element, name) => {
    if (options.shadow && shadowOf(element)) return [...shadowOf(element).childNodes];
    if (options.shadow && name === 'slot' && element.assignedNodes) {
      const assigned = element.assignedNodes({flatten: true});
      if (assigned.length) return assigned;
    }
    if (name === 'template' && element.content) return [...element.content.childNodes];
    return childrenOf(element);
  };
  // What stands in a frame is written into the page, whose addresses begin elsewhere.
  const ADDRESSES = new Set(['href', 'src', 'action', 'formaction', 'poster', 'data', 'cite']);
  const absolute = (value, base) => {
    try { return new URL(value, base).href; } catch { return value; }
  };
  const inPage = (node, attribute) => {
    const owner = documentOf(node), value = attribute.value;
    if (owner === document || node.isConnected === false) return value;
    if (ADDRESSES.has(attribute.name)) return absolute(value, owner.baseURI);
    if (attribute.name !== 'srcset') return value;
    return value.replace(/(^|,)(\s*)([^\s,]\S*)/g,
      (_, comma, gap, url) => comma + gap + absolute(url, owner.baseURI));
  };
  // A stack of what is still to be written: a recursion would end at some thousand levels.
  const write = root => {
    const stack = [root];
    while (stack.length && left > 0) {
      const node = stack.pop();
      if (typeof node === 'string') { put(node); continue; }
      const type = typeOf(node);
      if (type === 3) {
        const parent = node.parentElement && nameOf(node.parentElement);
        // Where scripts run, the markup in it is a text, which is neither shown nor followed.
        if (parent === 'noscript' && !node.parentElement.childElementCount) continue;
        put(RAW.has(parent) ? node.data : text(node.data));
        continue;
      }
      if (type === 8) { put('<!--' + node.data + '-->'); continue; }
      if (type !== 1) continue;
      const name = nameOf(node);
      let tag = '<' + name;
      for (const attribute of attributesOf(node))
        tag += ' ' + attribute.name + '="' + quoted(inPage(node, attribute)) + '"';
      put(tag + '>');
      if (VOID.has(name)) continue;
      if (options.frames && name === 'iframe') {
        const body = frameBody(node);
        put('</iframe>');
        if (body) for (const child of [...body.childNodes].reverse()) stack.push(child);
        continue;
      }
      stack.push('</' + name + '>');
      const inside = children(node, name);
      for (let at = inside.length - 1; at >= 0; at--) stack.push(inside[at]);
    }
    if (stack.length) cut = true;
  };
  const images = [];
  const see = (url, natural, box, isBackground) => images.push(
    [url, ...natural, pixels(box.width), pixels(box.height), isBackground]);
  for (const image of document.images) {
    if (images.length >= MOST_IMAGES) break;
    if (!image.complete || !image.naturalWidth || !/^https?:/.test(image.currentSrc)) continue;
    const natural = [image.naturalWidth, image.naturalHeight];
    see(image.currentSrc, natural, boxOf(image), false);
  }
  let looked = 0;
  for (const element of document.querySelectorAll('body, body *')) {
    if (images.length >= MOST_IMAGES || ++looked > MOST_ELEMENTS) break;
    const background = getComputedStyle(element).backgroundImage;
    if (background === 'none') continue;
    for (const [, url] of background.matchAll(/url\("([^"]+)"\)/g))
      if (/^https?:/.test(url)) see(url, [0, 0], boxOf(element), true);
  }
  if (document.doctype) put('<!DOCTYPE ' + document.doctype.name + '>');
  if (document.documentElement) write(document.documentElement);
  const elements = Document.prototype.getElementsByTagName.call(document, '*').length;
  return {html: parts.join(''), cut, url: location.href, images, elements};
}
"""
)
"""Writes the page as HTML, with open shadow roots and frames of its own origin in place, and lists
the images shown. Options: `shadow`, `frames`, `most` (characters)."""


class PageRead(Struct):
    """What `READ_PAGE` returns."""

    html: str
    cut: bool
    url: str
    images: list[RenderedImage]
    elements: int
