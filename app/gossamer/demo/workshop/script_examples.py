"""Example pages that scripts change: their faults show where pages are rendered."""

import struct
from typing import Final

from gossamer.demo.workshop.example_page import HERE, ExamplePage, canonical

THUMBNAIL_PATH: Final = "/workshop/files/thumbnail.bmp"
_LATE: Final = "scripts/late.html"
_CHANGES: Final = f"""<script>
document.title = 'A page that its script has changed · Gossamer Museum Workshop';
document.querySelector('meta[name=description]').content =
  'A script has written this description, and readers of the HTML know only the one before.';
document.querySelector('link[rel=canonical]').href = '{HERE}{_LATE}';
document.querySelector('h1').textContent = 'Changed by a script';
document.querySelector('main').insertAdjacentHTML('beforeend',
  '<p>A script has written this, and <a href="/workshop/answers/scripts.html">this link</a>.</p>');
new WebSocket('/workshop/live').onmessage = (message) => document.body.append(message.data);
unspunThread();
</script>"""
_ADDITIONS: Final = f"""<script>
document.querySelector('meta[name=robots]').remove();
document.title = 'A page that its script has written · Gossamer Museum Workshop';
document.head.insertAdjacentHTML('beforeend',
  '<meta name="description" content="A script has written this description of the page, and its '
  + 'title and heading as well.">'
  + '<link rel="canonical" href="{HERE}scripts/only.html">');
document.querySelector('main').insertAdjacentHTML('afterbegin', '<h1>Written by a script</h1>');
</script>"""
SCRIPT_PAGES: Final = (
    ExamplePage(
        path=_LATE,
        name="A page that changes its mind",
        fault="A script changes the title, the description, the heading, the canonical and the "
        "text, waits for more by a WebSocket, and fails. Its picture is larger than its place.",
        rules=(
            "JavaScript: Canonical Mismatch",
            "JavaScript: Page Title Updated by JavaScript",
            "JavaScript: Meta Description Updated by JavaScript",
            "JavaScript: H1 Updated by JavaScript",
            "JavaScript: Contains JavaScript Links",
            "JavaScript: Contains JavaScript Content",
            "JavaScript: Pages with Chrome Console Log Errors/Warnings",
            "JavaScript: Uses WebSockets",
            "Images: Incorrectly Sized Images",
        ),
        head=canonical("scripts/only.html"),
        body=f'<p><img src="{THUMBNAIL_PATH}" alt="A web in the dawn" width="32" height="24"></p>'
        + _CHANGES,
    ),
    ExamplePage(
        path="scripts/only.html",
        name="A page that begins without a name",
        fault="The HTML has no title, no description, no heading and no canonical, and keeps "
        "robots out. A script mends all that, but not every robot waits for it.",
        rules=(
            "JavaScript: Noindex Only in Original HTML",
            "JavaScript: Nofollow Only in Original HTML",
            "JavaScript: Canonical Only in Rendered HTML",
            "JavaScript: Page Title Only in Rendered HTML",
            "JavaScript: Meta Description Only in Rendered HTML",
            "JavaScript: H1 Only in Rendered HTML",
        ),
        title="",
        headline="",
        description="",
        head='<meta name="robots" content="noindex, nofollow">',
        body=_ADDITIONS,
    ),
    ExamplePage(
        path="scripts/leaves.html",
        name="A page that sends you on by a script",
        fault="A script sends visitors on at once. A redirect would do it better.",
        rules=("Response Codes: Internal Redirection (JavaScript)",),
        body="<script>location.replace('/visit/');</script>",
    ),
)


def thumbnail(width: int = 128, height: int = 96) -> bytes:
    """A picture of dawn, a bitmap of three bytes per pixel."""
    rows = b"".join(
        bytes((220 - line, 150 + line // 2, 120 + line)) * width for line in range(height)
    )
    file_head = struct.pack("<2sIHHI", b"BM", 54 + len(rows), 0, 0, 54)
    more = (len(rows), 0, 0, 0, 0)
    return file_head + struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, *more) + rows
