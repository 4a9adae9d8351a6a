"""Rules of axe about texts, images, media, links, forms and controls."""

from typing import Final

from gossamer.audit.rules.axe_rule_declaration import (
    COLOR_ALONE,
    CONFUSED_FOCUS,
    FAINT_TEXT,
    MOVING_CONTENT,
    NO_ALTERNATIVE,
    NO_CAPTIONS,
    NO_KEYBOARD,
    NO_NAME,
    NO_ZOOM,
    READ_TWICE,
    SAME_LINKS,
    SMALL_TARGETS,
    SUDDEN_SOUND,
    UNCLEAR_FIELDS,
    UNSPEAKABLE,
    WRONG_ARIA,
    axe_rule,
)

AXE_RULES: Final = (
    axe_rule(
        "accesskeys",
        name="accesskey Values Should Be Unique",
        meaning="Several elements have the same accesskey.",
        reason=NO_KEYBOARD,
        remedy="Give each accesskey attribute a value of its own, or remove the attribute.",
    ),
    axe_rule(
        "area-alt",
        name="Active <area> Elements Must Have Alternative Text",
        meaning="An area of an image map that is a link has no text alternative.",
        reason=NO_ALTERNATIVE,
        remedy="Name the target in the alt attribute of each <area>.",
    ),
    axe_rule(
        "autocomplete-valid",
        name="autocomplete Attribute Must Be Used Correctly",
        meaning=(
            "A form field has an autocomplete value that does not exist, or does not fit the field."
        ),
        reason=UNCLEAR_FIELDS,
        remedy="Use the values of the HTML Standard, such as email, tel or street-address.",
    ),
    axe_rule(
        "avoid-inline-spacing",
        name="Inline Text Spacing Must Be Adjustable",
        meaning="A style attribute fixes the spacing of letters, words or lines with !important.",
        reason=NO_ZOOM,
        remedy="Remove !important, or set the spacing in a style sheet.",
    ),
    axe_rule(
        "blink",
        name="<blink> Elements Must Not Be Used",
        meaning="The page has <blink> elements.",
        reason=MOVING_CONTENT,
        remedy="Replace them with text that does not move.",
    ),
    axe_rule(
        "color-contrast-enhanced",
        name="Elements Must Meet Enhanced Color Contrast Ratio",
        meaning=(
            "The contrast between a text and its background is less than 7:1, or 4.5:1 for large "
            "text."
        ),
        reason=FAINT_TEXT,
        remedy="Choose a darker text or a lighter background, or the reverse.",
    ),
    axe_rule(
        "color-contrast",
        name="Elements Must Meet Minimum Color Contrast Ratio",
        meaning=(
            "The contrast between a text and its background is less than 4.5:1, or 3:1 for large "
            "text."
        ),
        reason=FAINT_TEXT,
        remedy="Choose a darker text or a lighter background, or the reverse.",
    ),
    axe_rule(
        "duplicate-id-aria",
        name="IDs Used in ARIA and Labels Must Be Unique",
        meaning="An id that a label or an ARIA attribute refers to is there more than once.",
        reason=WRONG_ARIA,
        remedy="Give each of these elements an id of its own.",
    ),
    axe_rule(
        "form-field-multiple-labels",
        name="Form Fields Must Not Have Multiple Labels",
        meaning=(
            "A form field has several <label> elements, of which some screen readers read one "
            "alone."
        ),
        reason=UNCLEAR_FIELDS,
        remedy="Join the labels to one, and refer to hints with aria-describedby.",
    ),
    axe_rule(
        "identical-links-same-purpose",
        name="Links With the Same Name Must Have a Similar Purpose",
        meaning="Links with the same text lead to different pages.",
        reason=SAME_LINKS,
        remedy="Give each link a text that distinguishes its target from the others.",
    ),
    axe_rule(
        "image-redundant-alt",
        name="Alternative Text Should Not Be Repeated as Text",
        meaning="An image in a link or button has the same alternative text as the text beside it.",
        reason=READ_TWICE,
        remedy='Leave the alt attribute of the image empty: alt="".',
    ),
    axe_rule(
        "input-button-name",
        name="Input Buttons Must Have Discernible Text",
        meaning="An <input> of the type button, submit or reset has no text.",
        reason=NO_NAME,
        remedy="Put the text into its value attribute.",
    ),
    axe_rule(
        "input-image-alt",
        name="Image Buttons Must Have Alternative Text",
        meaning='An <input type="image"> has no text alternative.',
        reason=NO_ALTERNATIVE,
        remedy="Say in its alt attribute what the button does.",
    ),
    axe_rule(
        "label-content-name-mismatch",
        name="Visible Text Must Be Part of the Accessible Name",
        meaning=(
            "The visible text of a link, button or field is not part of the name that assistive "
            "technologies know."
        ),
        reason=UNSPEAKABLE,
        remedy="Begin the aria-label with the visible text, or remove the aria-label.",
    ),
    axe_rule(
        "label-title-only",
        name="Form Elements Should Have a Visible Label",
        meaning="A form field is described by its title attribute or aria-describedby alone.",
        reason=UNCLEAR_FIELDS,
        remedy="Add a visible <label>.",
    ),
    axe_rule(
        "link-in-text-block",
        name="Links Must Be Distinguishable Without Relying on Color",
        meaning="A link within a text differs from it by color alone, and not much.",
        reason=COLOR_ALONE,
        remedy="Underline links in texts.",
    ),
    axe_rule(
        "marquee",
        name="<marquee> Elements Must Not Be Used",
        meaning="The page has <marquee> elements.",
        reason=MOVING_CONTENT,
        remedy="Replace them with text that does not move.",
    ),
    axe_rule(
        "nested-interactive",
        name="Interactive Controls Must Not Be Nested",
        meaning="A link, button or other control contains another one.",
        reason=CONFUSED_FOCUS,
        remedy="Put the controls beside each other.",
    ),
    axe_rule(
        "no-autoplay-audio",
        name="<video> or <audio> Elements Must Not Play Automatically",
        meaning="A sound of more than three seconds starts by itself, without a way to stop it.",
        reason=SUDDEN_SOUND,
        remedy="Remove autoplay, add muted, or add controls.",
    ),
    axe_rule(
        "object-alt",
        name="<object> Elements Must Have Alternative Text",
        meaning="An <object> has no text alternative.",
        reason=NO_ALTERNATIVE,
        remedy="Put a text between its tags, or add an aria-label or title.",
    ),
    axe_rule(
        "presentation-role-conflict",
        name="Presentational Elements Should Be Consistently Ignored",
        meaning=(
            'An element with role="none", role="presentation" or an empty alt can be focused or '
            "has a global ARIA attribute, so it is not ignored."
        ),
        reason=WRONG_ARIA,
        remedy="Remove the role, or remove tabindex and ARIA attributes.",
    ),
    axe_rule(
        "role-img-alt",
        name='Elements With role="img" Must Have Alternative Text',
        meaning="An element with the role img or image has no text alternative.",
        reason=NO_ALTERNATIVE,
        remedy="Describe it with aria-label or aria-labelledby.",
    ),
    axe_rule(
        "scrollable-region-focusable",
        name="Scrollable Regions Must Have Keyboard Access",
        meaning="A region that scrolls cannot be focused, and contains nothing that can.",
        reason=NO_KEYBOARD,
        remedy='Add tabindex="0" to the region, with a role and a name.',
    ),
    axe_rule(
        "select-name",
        name="Select Elements Must Have an Accessible Name",
        meaning="A <select> has no label.",
        reason=UNCLEAR_FIELDS,
        remedy="Associate a <label> with it, or add an aria-label.",
    ),
    axe_rule(
        "server-side-image-map",
        name="Server-Side Image Maps Must Not Be Used",
        meaning=(
            "An image in a link has the attribute ismap: where it is clicked decides where it "
            "leads."
        ),
        reason=NO_KEYBOARD,
        remedy="Use links, or a client-side image map with <area> elements.",
    ),
    axe_rule(
        "summary-name",
        name="Summary Elements Must Have Discernible Text",
        meaning="A <summary> has no text.",
        reason=NO_NAME,
        remedy="Say in the <summary> what the <details> hold.",
    ),
    axe_rule(
        "svg-img-alt",
        name="<svg> Images Must Have Alternative Text",
        meaning=(
            "An <svg> with the role img, graphics-document or graphics-symbol has no text "
            "alternative."
        ),
        reason=NO_ALTERNATIVE,
        remedy="Add a <title> as its first child, or an aria-label.",
    ),
    axe_rule(
        "tabindex",
        name="Elements Should Not Have a tabindex Greater Than Zero",
        meaning="An element has a tabindex over 0, which puts it before all others.",
        reason=CONFUSED_FOCUS,
        remedy='Use tabindex="0", and put the elements into a sensible order.',
    ),
    axe_rule(
        "target-size",
        name="Touch Targets Must Be 24 Pixels Large or Have Enough Space",
        meaning="A link or button is smaller than 24 by 24 CSS pixels, and others are too close.",
        reason=SMALL_TARGETS,
        remedy="Enlarge the target with padding, or add space around it.",
    ),
    axe_rule(
        "video-caption",
        name="<video> Elements Must Have Captions",
        meaning="A <video> with sound has no captions track.",
        reason=NO_CAPTIONS,
        remedy='Add a <track kind="captions">.',
    ),
)
