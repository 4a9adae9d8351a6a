"""Rules about encryption, headers and cookies.

Those on headers concern every HTML page; the others, except HTTP URLs, indexable ones.
"""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import MatchingLinks, ResponseHeader
from gossamer.audit.site_rule import (
    HIGH,
    ISSUE,
    LOW,
    WARNING,
    Listed,
    PageRule,
    PageScope,
    RuleGroup,
    SiteRule,
    StageRule,
    has_content,
)
from gossamer.model.evidence_links import LinkTest
from gossamer.model.fields.page_flags import ContentFlag
from gossamer.model.link_kinds import HYPERLINK_KINDS, LOADED_KINDS, LinkKind
from gossamer.model.link_traits import LinkTrait, PathType

_HAS_FORM: Final = int(ContentFlag.HAS_FORM)
_MISSING_HSTS: Final = int(ContentFlag.MISSING_HSTS)
_HTTPS: Final = "https://web.dev/articles/why-https-matters"

_UNSAFE: Final = LinkTest(
    HYPERLINK_KINDS,
    LinkTrait.NEW_WINDOW,
    not_rel=("noopener", "noreferrer"),
)
_LOADED: Final = tuple(LOADED_KINDS)
_PROTOCOL_RELATIVE: Final = LinkTest(_LOADED, path_type=PathType.PROTOCOL_RELATIVE)

_rule = partial(SiteRule, group=RuleGroup.SECURITY)
_header = partial(_rule, kind=WARNING, priority=LOW)

HTTP_URLS: Final = _rule(
    number=200,
    name="HTTP URLs",
    kind=ISSUE,
    priority=HIGH,
    decision=StageRule(Listed.INTERNAL_URLS, is_live=True),
    meaning="The URL begins with http:// and so is not encrypted.",
    reason=(
        "Others on the network can read and change what is sent. Browsers call the page not "
        "secure, and search engines prefer HTTPS."
    ),
    remedy="Serve the site over HTTPS, redirect http:// to https://, and update the links.",
    reference=_HTTPS,
    fields=("status", "redirect"),
    definition=(
        "Every URL of the site counts, whether it is a page or not, and whether it redirects or "
        "not."
    ),
)
MIXED_CONTENT: Final = _rule(
    number=201,
    evidence=MatchingLinks("Insecure Resource", LinkTest(_LOADED, targets=("http:*",))),
    name="Mixed Content",
    kind=ISSUE,
    priority=HIGH,
    decision=has_content(ContentFlag.MIXED_CONTENT),
    meaning="The page is encrypted, but loads images, scripts, styles or other files over http://.",
    reason=(
        "Browsers block such scripts and styles, and load images over HTTPS or not at all, so "
        "the page may look or work wrong."
    ),
    remedy="Load the files over https://. Links to other pages do not matter here.",
    reference="https://www.w3.org/TR/mixed-content/",
)
INSECURE_FORM: Final = _rule(
    number=202,
    evidence=MatchingLinks("Form Action", LinkTest((LinkKind.FORM,), targets=("http:*",))),
    name="Form URL Insecure",
    kind=ISSUE,
    priority=HIGH,
    decision=has_content(ContentFlag.INSECURE_FORM),
    meaning="The page is encrypted, but has a form that is sent to an http:// URL.",
    reason=(
        "What visitors type, such as a password, travels unencrypted. Browsers warn before they "
        "send such a form."
    ),
    remedy="Make the action of the form an https:// URL.",
    reference="https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#attr-fs-action",
)
FORM_ON_HTTP: Final = _rule(
    number=203,
    evidence=MatchingLinks("Form Action", LinkTest((LinkKind.FORM,))),
    name="Form on HTTP URL",
    kind=ISSUE,
    priority=HIGH,
    decision=PageRule(
        lambda page, _: (
            bool((page.facts.content or 0) & _HAS_FORM) and page.url.startswith("http://")
        ),
        facts=(),
    ),
    meaning="A page that is not encrypted has a form.",
    reason=(
        "Others on the network can change the page, and so the address to which visitors send "
        "what they type. Browsers mark such forms as not secure."
    ),
    remedy="Serve the page over HTTPS, and redirect its http:// URL.",
    reference=_HTTPS,
)
UNSAFE_CROSS_ORIGIN: Final = _rule(
    number=204,
    evidence=MatchingLinks("Unsafe Link", _UNSAFE),
    name="Unsafe Cross-Origin Links",
    kind=WARNING,
    priority=LOW,
    decision=has_content(ContentFlag.UNSAFE_CROSS_ORIGIN),
    meaning="A link to another site opens a new tab and has neither rel=noopener nor noreferrer.",
    reason=(
        "In browsers from before 2021, the other site can then send the tab with your page to an "
        "address of its own. Newer ones prevent this."
    ),
    remedy='Add rel="noopener" to links with target="_blank" if your visitors use old browsers.',
    reference="https://html.spec.whatwg.org/multipage/links.html#link-type-noopener",
)
PROTOCOL_RELATIVE: Final = _rule(
    number=205,
    evidence=MatchingLinks("Protocol-Relative Resource", _PROTOCOL_RELATIVE),
    name="Protocol-Relative Resource Links",
    kind=WARNING,
    priority=LOW,
    decision=has_content(ContentFlag.PROTOCOL_RELATIVE),
    meaning="The page loads a file from a URL without a scheme, such as //cdn.example/a.js.",
    reason=(
        "Where the page is opened over http://, the file is, too, and others on the network can "
        "change it. HTTPS works for both."
    ),
    remedy="Write https:// in front.",
    reference="https://url.spec.whatwg.org/#scheme-relative-url-string",
    definition="Files that the page loads count. Links that visitors follow do not.",
)
MISSING_HSTS: Final = _header(
    number=206,
    name="Missing HSTS Header",
    decision=PageRule(
        lambda page, _: (
            bool((page.facts.content or 0) & _MISSING_HSTS) and page.url.startswith("https://")
        ),
        PageScope.ALL,
        facts=(),
    ),
    meaning="The response has no Strict-Transport-Security header.",
    reason=(
        "With it, browsers never again request anything from this site over http://, so that "
        "nobody can intercept a first, unencrypted request."
    ),
    remedy=(
        "When all of the site works over HTTPS, send the header, first with a max-age of some "
        "minutes, then of a year."
    ),
    reference="https://www.rfc-editor.org/rfc/rfc6797",
    definition="Every HTML page that was fetched over https:// counts, indexable or not.",
)
MISSING_CSP: Final = _header(
    number=207,
    name="Missing Content-Security-Policy Header",
    decision=has_content(ContentFlag.MISSING_CSP, PageScope.ALL),
    meaning="The response has no Content-Security-Policy header.",
    reason=(
        "The header tells browsers which scripts, styles and frames belong to the page. If "
        "somebody smuggles in a script, they then refuse to run it."
    ),
    remedy=(
        "Begin with Content-Security-Policy-Report-Only, see what it would block, then enforce "
        "the policy."
    ),
    reference="https://www.w3.org/TR/CSP3/",
    definition="Every HTML page counts, indexable or not.",
)
MISSING_CONTENT_TYPE_OPTIONS: Final = _header(
    number=208,
    evidence=ResponseHeader("X-Content-Type-Options", "X-Content-Type-Options"),
    name="Missing X-Content-Type-Options Header",
    decision=has_content(ContentFlag.MISSING_CONTENT_TYPE_OPTIONS, PageScope.ALL),
    meaning="The response has no header X-Content-Type-Options: nosniff.",
    reason=(
        "Without it, browsers may guess what a file is, and run as a script what was uploaded as "
        "an image."
    ),
    remedy="Send X-Content-Type-Options: nosniff with every response, and correct content types.",
    reference="https://fetch.spec.whatwg.org/#x-content-type-options-header",
    definition="Every HTML page counts, indexable or not.",
)
MISSING_FRAME_OPTIONS: Final = _header(
    number=209,
    evidence=ResponseHeader("X-Frame-Options", "X-Frame-Options"),
    name="Missing X-Frame-Options Header",
    decision=has_content(ContentFlag.MISSING_FRAME_OPTIONS, PageScope.ALL),
    meaning=(
        "The response has neither an X-Frame-Options header nor frame-ancestors in its "
        "Content-Security-Policy."
    ),
    reason=(
        "Other sites can show the page in an invisible frame, and make visitors click what they "
        "do not see."
    ),
    remedy=(
        "Send Content-Security-Policy: frame-ancestors 'self', and X-Frame-Options: SAMEORIGIN "
        "for old browsers."
    ),
    reference="https://www.w3.org/TR/CSP3/#directive-frame-ancestors",
    definition=(
        "Browsers understand DENY and SAMEORIGIN alone; a header with another value counts as "
        "missing. Every HTML page counts, indexable or not."
    ),
)
MISSING_REFERRER_POLICY: Final = _header(
    number=210,
    evidence=ResponseHeader("Referrer-Policy", "Referrer-Policy"),
    name="Missing Secure Referrer-Policy Header",
    decision=has_content(ContentFlag.MISSING_REFERRER_POLICY, PageScope.ALL),
    meaning="The response has no Referrer-Policy header, or the policy unsafe-url.",
    reason=(
        "The policy decides how much of the page's URL other sites learn when visitors follow a "
        "link. A URL can hold names, searches or keys."
    ),
    remedy="Send Referrer-Policy: strict-origin-when-cross-origin, or a stricter one.",
    reference="https://www.w3.org/TR/referrer-policy/",
    definition=(
        "Every policy but unsafe-url counts as secure; one in a meta element is not a header. "
        "Every HTML page counts, indexable or not."
    ),
)
BAD_CONTENT_TYPE: Final = _header(
    number=211,
    evidence=ResponseHeader("Content-Type Header", "Content-Type"),
    name="Bad Content Type",
    decision=StageRule(Listed.INTERNAL_URLS, is_live=True),
    meaning="The Content-Type header is missing or malformed, or does not fit the content.",
    reason=(
        "Browsers have to guess what the file is. With X-Content-Type-Options: nosniff they may "
        "refuse it, and without a charset they may show wrong letters."
    ),
    remedy="Send Content-Type: text/html; charset=utf-8 for pages, and fitting types otherwise.",
    reference="https://www.rfc-editor.org/rfc/rfc9110#name-content-type",
    fields=("content_type", "charset"),
    definition=(
        "Every HTML page counts, indexable or not, and every file: what pages use as an image, a "
        "script or a style sheet has to have a type of that kind, all others any well-formed type."
    ),
)
INSECURE_COOKIE: Final = _header(
    number=212,
    evidence=ResponseHeader("Cookies", "Set-Cookie"),
    name="Cookie Without Secure, HttpOnly or SameSite",
    decision=has_content(ContentFlag.INSECURE_COOKIE, PageScope.ALL),
    meaning="The response sets a cookie that lacks one of Secure, HttpOnly and SameSite.",
    reason=(
        "Without Secure it also travels unencrypted, without HttpOnly any script can read it, and "
        "without SameSite browsers differ in when they send it from other sites."
    ),
    remedy=("Set all three. Leave out HttpOnly only if a script of the page needs the cookie."),
    reference="https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie",
    definition="Every HTML page counts, indexable or not.",
)
