"""Rules about images. Their URLs are listed, not those of the pages that show them."""

from functools import partial
from typing import Final

from gossamer.audit.rule_evidence import OtherUrl
from gossamer.audit.site_rule import (
    ISSUE,
    LOW,
    MEDIUM,
    OPPORTUNITY,
    Listed,
    RuleGroup,
    SiteRule,
    StageRule,
)
from gossamer.model.link_traits import LinkTrait

_ALT: Final = "https://www.w3.org/WAI/tutorials/images/"
_LAYOUT: Final = "https://web.dev/articles/optimize-cls"

_decision = partial(StageRule, Listed.IMAGES, names_url=True)
_rule = partial(
    SiteRule,
    group=RuleGroup.IMAGES,
    decision=_decision(),
    fields=("content_type", "size_bytes", "inlinks"),
)

TOO_LARGE: Final = _rule(
    number=900,
    name="Over {limit} kB",
    decision=StageRule(Listed.IMAGES, is_live=True),
    kind=OPPORTUNITY,
    priority=MEDIUM,
    meaning="The file of the image is large.",
    reason=(
        "Images are most of what many pages transfer. Large ones make a page slow, above all on "
        "phones, and cost visitors with a limited plan money."
    ),
    remedy=(
        "Scale the image to the size at which it is shown, compress it, or use WebP or AVIF. Offer "
        "several sizes in srcset."
    ),
    reference="https://web.dev/learn/performance/image-performance",
    limit="image_max_kib",
    definition="A kB is 1,024 bytes.",
)
MISSING_ALT_TEXT: Final = _rule(
    number=901,
    decision=_decision(link_trait=LinkTrait.EMPTY_ALT),
    evidence=OtherUrl("Shown On"),
    name="Missing Alt Text",
    kind=ISSUE,
    priority=LOW,
    meaning=(
        "An image in the content, or alone in a link, has an empty alt attribute, which marks "
        "it as decorative."
    ),
    reason=(
        "Screen readers skip the image, a link has no name, and search engines learn less of what "
        "it shows."
    ),
    remedy=(
        "Say in alt what the image shows, or for a link where it leads. Leave alt empty if the "
        "image really is decoration."
    ),
    reference=_ALT,
    definition=(
        "Images in header, footer and navigation do not count. An image without the attribute is "
        "reported as Missing Alt Attribute instead."
    ),
)
MISSING_ALT_ATTRIBUTE: Final = _rule(
    number=902,
    decision=_decision(link_trait=LinkTrait.NO_ALT),
    evidence=OtherUrl("Shown On"),
    name="Missing Alt Attribute",
    kind=ISSUE,
    priority=LOW,
    meaning="A page shows the image by an element that has no alt attribute at all.",
    reason="Screen readers then read out the name of the file, which helps nobody.",
    remedy='Add alt with a text that replaces the image, or alt="" if it is decoration.',
    reference=_ALT,
)
ALT_TEXT_TOO_LONG: Final = _rule(
    number=903,
    evidence=OtherUrl("Shown On"),
    name="Alt Text Over {limit} Characters",
    kind=OPPORTUNITY,
    priority=LOW,
    meaning="A page shows the image with a long alternative text.",
    reason=(
        "Screen readers read it without a pause, and listeners cannot skim it. Long ones are often "
        "lists of keywords."
    ),
    remedy="Say the essential in a sentence, and move the rest into the text or a caption.",
    reference=_ALT,
    limit="alt_max_length",
    definition="Characters are Unicode code points, after white space is collapsed.",
)
MISSING_SIZE: Final = _rule(
    number=904,
    decision=_decision(link_trait=LinkTrait.NO_SIZE),
    evidence=OtherUrl("Shown On"),
    name="Missing Size Attributes",
    kind=OPPORTUNITY,
    priority=LOW,
    meaning="A page shows the image by an element that lacks width or height.",
    reason=(
        "The browser does not know how much room to leave. When the image arrives, the text jumps, "
        "which annoys readers and counts in Core Web Vitals."
    ),
    remedy="Add both attributes, in pixels of the image. Style sheets may still scale it.",
    reference=_LAYOUT,
    definition="One missing attribute is enough. Sizes in style sheets do not count.",
)
INCORRECT_SIZE: Final = _rule(
    number=905,
    evidence=OtherUrl("Shown On"),
    name="Incorrectly Sized Images",
    kind=OPPORTUNITY,
    priority=LOW,
    decision=_decision(needs_rendering=True, link_trait=LinkTrait.WRONG_SIZE),
    meaning="The image is much larger, or smaller, than the area in which a page shows it.",
    reason="A larger one is transferred for nothing; a smaller one looks blurred.",
    remedy="Offer the image in the sizes in which it is shown, with srcset and sizes.",
    reference="https://web.dev/articles/serve-responsive-images",
    definition=(
        "The file is estimated to be 4 kB or more larger or smaller than one with as many pixels "
        "as the area has. SVG images, which have no pixels, do not count."
    ),
)
BACKGROUND: Final = _rule(
    number=906,
    evidence=OtherUrl("Shown On"),
    name="Background Images",
    kind=OPPORTUNITY,
    priority=LOW,
    meaning="The image is the background of an element, by a style.",
    reason=(
        "Background images have no alternative text, and Google does not list them. That is right "
        "for decoration, but not for images that say something."
    ),
    remedy="Use <img> with alt for images that belong to the content.",
    reference="https://developers.google.com/search/docs/appearance/google-images",
    definition=(
        "Without rendering, styles in the HTML count; with rendering, those of style sheets and "
        "scripts as well."
    ),
)
