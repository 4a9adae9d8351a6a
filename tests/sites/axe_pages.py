"""Pages for the rules of axe-core: what breaks each, and what just does not.

Rules about an element stand on one page for what breaks them, and on one for what does not; in each
snippet, the element in question has the name of its rule as its id (`@`). Rules about a whole page
have few pages that break several at once, and one that keeps to all.
"""

from typing import Final

_IMG: Final = "/a.gif"
_TAB: Final = 'tabindex="0"'
ELEMENT_RULES: Final[dict[str, tuple[str, str]]] = {
    "accesskeys": (
        '<button @ accesskey="s">Send</button><button accesskey="s">Save</button>',
        '<button @ accesskey="s">Send</button><button accesskey="v">Save</button>',
    ),
    "area-alt": (
        f'<img src="{_IMG}" alt="Plan" usemap="#m"><map name="m"><area @ href="/x"></map>',
        f'<img src="{_IMG}" alt="Plan" usemap="#m"><map name="m"><area @ href="/x" alt="x"></map>',
    ),
    "aria-allowed-attr": (
        f'<div @ role="button" aria-checked="true" {_TAB}>On</div>',
        f'<div @ role="button" aria-pressed="true" {_TAB}>On</div>',
    ),
    "aria-allowed-role": (
        f'<aside @ role="radio" aria-checked="true" {_TAB}>One</aside>',
        '<aside @ role="note">One</aside>',
    ),
    "aria-command-name": (
        f'<div @ role="button" {_TAB}></div>',
        f'<div @ role="button" {_TAB}>x</div>',
    ),
    "aria-conditional-attr": (
        '<label><input @ type="checkbox" aria-checked="true">c</label>',
        '<label><input @ type="checkbox" aria-checked="false">c</label>',
    ),
    "aria-deprecated-role": (
        '<div @ role="directory">x</div>',
        '<div @ role="list"><div role="listitem">x</div></div>',
    ),
    "aria-hidden-focus": (
        '<div @ aria-hidden="true"><a href="/x">x</a></div>',
        '<div @ aria-hidden="true"><a href="/x" tabindex="-1">x</a></div>',
    ),
    "aria-input-field-name": (
        f'<div @ role="textbox" {_TAB}></div>',
        f'<div @ role="textbox" aria-label="x" {_TAB}></div>',
    ),
    "aria-meter-name": (
        '<div @ role="meter" aria-valuenow="4"></div>',
        '<div @ role="meter" aria-valuenow="4" aria-label="x"></div>',
    ),
    "aria-progressbar-name": (
        '<div @ role="progressbar"></div>',
        '<div @ role="progressbar" title="x"></div>',
    ),
    "aria-prohibited-attr": (
        '<span @ aria-label="x"></span>',
        '<span @ role="img" aria-label="x"></span>',
    ),
    "aria-required-attr": (
        f'<div @ role="slider" aria-label="x" {_TAB}></div>',
        f'<div @ role="slider" aria-label="x" aria-valuenow="1" {_TAB}></div>',
    ),
    "aria-required-children": (
        '<div @ role="list"><div role="heading" aria-level="2">x</div></div>',
        '<div @ role="list"><div role="none"><div role="listitem">x</div></div></div>',
    ),
    "aria-required-parent": (
        '<div @ role="option" aria-selected="false">x</div>',
        '<div role="listbox" title="x"><div @ role="option" aria-selected="false">x</div></div>',
    ),
    "aria-roles": ('<div @ role="banana">x</div>', '<div @ role="banana note">x</div>'),
    "aria-tab-name": (
        f'<div role="tablist"><div @ role="tab" {_TAB}></div></div>',
        f'<div role="tablist"><div @ role="tab" {_TAB}>x</div></div>',
    ),
    "aria-text": (
        '<p @ role="text">x <a href="/x">x</a></p>',
        '<p @ role="text">x <b>x</b></p>',
    ),
    "aria-toggle-field-name": (
        f'<div @ role="switch" aria-checked="true" {_TAB}></div>',
        f'<div @ role="switch" aria-checked="true" {_TAB}>x</div>',
    ),
    "aria-tooltip-name": ('<div @ role="tooltip"></div>', '<div @ role="tooltip">x</div>'),
    "aria-treeitem-name": (
        f'<div role="tree" aria-label="x"><div @ role="treeitem" {_TAB}></div></div>',
        f'<div role="tree" aria-label="x"><div @ role="treeitem" {_TAB}>x</div></div>',
    ),
    "aria-valid-attr": ('<p @ aria-labeled="x">x</p>', '<p @ aria-describedby="x">x</p>'),
    "aria-valid-attr-value": ('<p @ aria-live="loud">x</p>', '<p @ aria-live="polite">x</p>'),
    "autocomplete-valid": (
        '<label>x<input @ type="text" autocomplete="nothing"></label>',
        '<label>x<input @ type="text" autocomplete="section-a given-name"></label>',
    ),
    "avoid-inline-spacing": (
        '<p @ style="letter-spacing:1px !important">x</p>',
        '<p @ style="letter-spacing:1px">x</p>',
    ),
    "blink": ("<blink @>x</blink>", "<span @>x</span>"),
    "button-name": ("<button @></button>", '<button @ title="x"></button>'),
    "color-contrast": (
        '<p @ style="color:#777777;background:#fff">Silk</p>',
        '<p @ style="color:#767676;background:#fff">Silk</p>',
    ),
    "color-contrast-enhanced": (
        '<p @ style="color:#5a5a5a;background:#fff">Silk</p>',
        '<p @ style="color:#595959;background:#fff">Silk</p>',
    ),
    "definition-list": (
        "<dl @><p>x</p></dl>",
        "<dl @><div><dt>x</dt><dd>x</dd></div></dl>",
    ),
    "dlitem": ("<div><dt @>x</dt></div>", "<dl><dt @>x</dt><dd>x</dd></dl>"),
    "empty-heading": ("<h2 @></h2>", f'<h2 @><img src="{_IMG}" alt="x"></h2>'),
    "empty-table-header": (
        "<table><tr><th @></th><th>x</th></tr><tr><td>x</td><td>x</td></tr></table>",
        "<table><tr><td @></td><th>x</th></tr><tr><th>x</th><td>x</td></tr></table>",
    ),
    "frame-title": (
        '<iframe @ srcdoc="x"></iframe>',
        '<iframe @ srcdoc="x" title="x"></iframe>',
    ),
    "heading-order": ("<h2>x</h2><h4 @>x</h4>", "<h2>x</h2><h3 @>x</h3>"),
    "image-alt": (f'<img @ src="{_IMG}">', f'<img @ src="{_IMG}" alt="">'),
    "image-redundant-alt": (
        f'<a href="/x"><img @ src="{_IMG}" alt="Visit us">Visit us</a>',
        f'<a href="/x"><img @ src="{_IMG}" alt="A web">Visit us</a>',
    ),
    "input-button-name": ('<input @ type="button">', '<input @ type="submit">'),
    "input-image-alt": (
        f'<input @ type="image" src="{_IMG}">',
        f'<input @ type="image" src="{_IMG}" alt="x">',
    ),
    "label": ('<input @ type="text">', '<input @ type="text" aria-label="x">'),
    "label-content-name-mismatch": (
        '<button @ aria-label="Something else">Weave the web</button>',
        '<button @ aria-label="Weave the web now">Weave the web</button>',
    ),
    "label-title-only": (
        '<input @ type="text" title="x">',
        '<label>x<input @ type="text" title="x"></label>',
    ),
    "link-in-text-block": (
        (
            '<p>A sentence long enough to have <a @ href="/x" style="color:#222;'
            'text-decoration:none">a link that looks like text</a> in the middle of it.</p>'
        ),
        (
            '<p>A sentence long enough to have <a @ href="/x" style="color:#222">a link that is'
            " underlined</a> in the middle of it.</p>"
        ),
    ),
    "link-name": ('<a @ href="/x"></a>', '<a @ href="/x" aria-label="x"></a>'),
    "list": ("<ul @><div>x</div></ul>", "<ul @><li>x</li><template></template></ul>"),
    "listitem": ("<div><li @>x</li></div>", "<menu><li @>x</li></menu>"),
    "marquee": ("<marquee @>x</marquee>", "<span @>x</span>"),
    "nested-interactive": (
        '<button @><a href="/x">x</a></button>',
        "<button @><span>x</span></button>",
    ),
    "object-alt": (
        '<object @ type="text/html" data="/x"></object>',
        '<object @ type="text/html" data="/x" title="x"></object>',
    ),
    "presentation-role-conflict": (
        f'<h2 @ role="presentation" {_TAB}>x</h2>',
        '<h2 @ role="presentation">x</h2>',
    ),
    "role-img-alt": ('<div @ role="img"></div>', '<div @ role="img" title="x"></div>'),
    "scope-attr-valid": (
        '<table><tr><th @ scope="left">x</th></tr><tr><td>x</td></tr></table>',
        '<table><tr><th @ scope="col">x</th></tr><tr><td>x</td></tr></table>',
    ),
    "select-name": (
        "<select @><option>x</option></select>",
        "<label>x<select @><option>x</option></select></label>",
    ),
    "summary-name": (
        "<details><summary @></summary><p>x</p></details>",
        "<details><summary @>x</summary><p>x</p></details>",
    ),
    "svg-img-alt": (
        '<svg @ role="img" width="9" height="9"></svg>',
        '<svg @ role="img" width="9" height="9"><title>x</title></svg>',
    ),
    "tabindex": ('<p @ tabindex="1">x</p>', '<p @ tabindex="0">x</p>'),
    "table-duplicate-name": (
        '<table @ summary="x"><caption>x</caption><tr><th>x</th></tr><tr><td>x</td></tr></table>',
        '<table @ summary="y"><caption>x</caption><tr><th>x</th></tr><tr><td>x</td></tr></table>',
    ),
    "target-size": (
        (
            '<div style="font-size:8px;line-height:9px"><a @ href="/x" style="display:block">a</a>'
            '<a href="/y" style="display:block">b</a></div>'
        ),
        (
            '<div style="font-size:8px;line-height:24px"><a @ href="/x" style="display:block">a</a>'
            '<a href="/y" style="display:block">b</a></div>'
        ),
    ),
    "td-headers-attr": (
        '<table @><tr><th id="h1">x</th></tr><tr><td headers="gone">x</td></tr></table>',
        '<table @><tr><th id="h2">x</th></tr><tr><td headers="h2">x</td></tr></table>',
    ),
    "valid-lang": ('<p @ lang="zz-zz">x</p>', '<p @ lang="de-ZZ">x</p>'),
}
"""What breaks a rule about an element, and what just does not."""
_KEEPS: Final = (
    '<!doctype html><html lang="en-GB" xml:lang="en"><head><title>x</title>'
    '<meta name="viewport" content="width=device-width, maximum-scale=5"></head><body>'
    '<a href="#main" style="position:absolute;left:-999px">Skip</a>'
    "<header>x</header>"
    '<main id="main"><h1>x</h1><article><header>x</header><footer>x</footer></article>'
    '<div role="dialog" aria-label="x"><p>x</p></div></main>'
    '<nav aria-label="a"><p>x</p></nav><nav aria-label="b"><p>x</p></nav><footer>x</footer>'
    "</body></html>"
)
_START: Final = '<!doctype html><html lang="en"><title>x</title>'
PAGES: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "bare": (
        "<!doctype html><html><meta name=viewport content='user-scalable=no'><p>x</p>",
        (
            *("document-title", "html-has-lang", "landmark-one-main", "page-has-heading-one"),
            *("region", "meta-viewport"),
        ),
    ),
    "large": (
        f"{_START}<meta name=viewport content='maximum-scale=4.9'><main><h1>x</h1></main>",
        ("meta-viewport-large",),
    ),
    "language": (
        (
            '<!doctype html><html lang="zz-zz"><title>x</title>'
            '<meta http-equiv="refresh" content="72001"><main><h1>x</h1></main>'
        ),
        ("html-lang-valid", "meta-refresh-no-exceptions"),
    ),
    "languages": (
        (
            '<!doctype html><html lang="en" xml:lang="de"><title>x</title>'
            '<meta http-equiv="refresh" content="71999"><main><h1>x</h1></main>'
        ),
        ("html-xml-lang-mismatch", "meta-refresh"),
    ),
    "hidden": (f'{_START}<body aria-hidden="true"><main><h1>x</h1></main>', ("aria-hidden-body",)),
    "skip": (
        f'{_START}<a href="#gone" style="position:absolute;left:-999px">Skip</a><main><h1>x</h1>',
        ("skip-link",),
    ),
    # On a page of its own: while a dialog is open, axe does not decide what is hidden.
    "dialog": (f'{_START}<main><h1>x</h1><div role="dialog"><p>x</p></div>', ("aria-dialog-name",)),
    "landmarks": (
        (
            f"{_START}<main><h1>x</h1><main><p>x</p></main>"
            '<div role="banner">x</div><div role="contentinfo">x</div></main>'
            "<nav><p>x</p></nav><nav><p>x</p></nav><header>x</header><footer>x</footer>"
        ),
        (
            *("landmark-banner-is-top-level", "landmark-contentinfo-is-top-level"),
            *("landmark-main-is-top-level", "landmark-no-duplicate-banner"),
            *("landmark-no-duplicate-contentinfo", "landmark-no-duplicate-main"),
            "landmark-unique",
        ),
    ),
}
"""Pages that break rules about whole pages: name, HTML, and these rules."""
PAGE_RULES: Final = frozenset(rule for _, rules in PAGES.values() for rule in rules)


UNDECIDED: Final = {
    *("aria-braille-equivalent", "bypass", "duplicate-id-aria", "form-field-multiple-labels"),
    *("frame-title-unique", "identical-links-same-purpose", "server-side-image-map"),
    *("th-has-data-cells", "video-caption"),
    # The others: media are not loaded, frames are checked from outside, Chromium scrolls by keys.
    *("no-autoplay-audio", "frame-focusable-content", "scrollable-region-focusable"),
}
"""Rules of axe that no page breaks: most only ask for a review by a user."""


def page_of(which: int) -> str:
    """The page on which all rules about elements are broken (0), or just not (1)."""
    snippets = (
        "<div>" + pair[which].replace("@", f'id="{rule}"') + "</div>"
        for rule, pair in ELEMENT_RULES.items()
    )
    style = "<style>div { margin: 30px }</style>"
    return f"{_START}{style}<main><h1>x</h1>{''.join(snippets)}</main>"


def axe_pages() -> dict[str, str]:
    """All pages by their paths."""
    return {
        "/elements/broken": page_of(0),
        "/elements/kept": page_of(1),
        "/kept": _KEEPS,
        **{f"/{name}": html for name, (html, _) in PAGES.items()},
    }
