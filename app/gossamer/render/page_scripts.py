"""The scripts that are run in pages, in a world of their own which the page cannot reach."""

import json
from typing import Final

from msgspec import Struct


class PageScript(Struct, frozen=True):
    """A function in JavaScript."""

    source: str

    def call(self, options: dict[str, object]) -> str:
        """The expression that calls it with these options."""
        return f"({self.source})({json.dumps(options)})"


TWO_FRAMES: Final = (
    "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))"
)
"""Resolves when two frames have been painted."""

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
  const RAW = new Set(['script', 'style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext',
    'noscript']);
  const MOST_IMAGES = 500, MOST_ELEMENTS = 20000;
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
  const shadowOf = getter(Element, 'shadowRoot');
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
  // A stack of what is still to be written: a recursion would end at some thousand levels.
  const write = root => {
    const stack = [root];
    while (stack.length && left > 0) {
      const node = stack.pop();
      if (typeof node === 'string') { put(node); continue; }
      const type = typeOf(node);
      if (type === 3) {
        const parent = node.parentElement && nameOf(node.parentElement);
        put(RAW.has(parent) ? node.data : text(node.data));
        continue;
      }
      if (type === 8) { put('<!--' + node.data + '-->'); continue; }
      if (type !== 1) continue;
      const name = nameOf(node);
      let tag = '<' + name;
      for (const attribute of attributesOf(node))
        tag += ' ' + attribute.name + '="' + quoted(attribute.value) + '"';
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
    [url, ...natural, Math.round(box.width), Math.round(box.height), isBackground]);
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
  return {html: parts.join(''), cut, url: location.href, images};
}
"""
)
"""Writes the page as HTML, with open shadow roots and frames of its own origin in their places, and
tells of the images that are shown. Options: `shadow`, `frames`, `most` (characters)."""
