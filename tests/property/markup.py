"""Markup that is seldom whole, to be put together at random."""

from hypothesis import strategies as st

markup = st.sampled_from(
    [
        *("<", ">", "</", "/>", "<!--", "-->", "<!doctype html>", "<![CDATA[", "]]>", "<?xml ?>"),
        *(
            "<html lang=de>",
            "<head>",
            "<body>",
            "</body>",
            "</html>",
            "<frameset>",
            "<frame src=f>",
        ),
        *(
            "<a href=/a>",
            "<a href=#>",
            "<a href='/a# '>",
            "<a href>",
            "</a>",
            "<a href='",
            "'>",
            '"',
            "<img src=i alt=I>",
            "<base href=",
        ),
        *(
            "<title>",
            "<title style=url>",
            "</title>",
            "<h1>",
            "</h1>",
            "<table>",
            "<tr>",
            "<td>",
            "</table>",
            "<p>",
        ),
        *(
            "<svg>",
            "<svg><title>t</title>",
            "</svg>",
            "<svg><a xlink:href=/s>",
            "<a xlink:href=/h>",
        ),
        *(
            "<b>",
            "</b>",
            "<br>",
            "<div>",
            "</div>",
            "<img alt='\u00a0 I \u2003'>",
            "<x-y style=URL>",
        ),
        *(
            "<object><a href=/n>",
            "<h1 lang=fr>",
            "<title>\u00a0",
            "<i a a=b c=''>",
            "<li lang=\ud800>",
        ),
        *("<svg>", "</svg>", "<math>", "<template>", "</template>", "<noscript>", "</noscript>"),
        *("<script>", "</script>", "<style>", "</style>", "<textarea>", "<plaintext>", "<select>"),
        *("<meta charset=utf-16>", "<meta charset=koi8-r>", "<meta name=robots content=x>"),
        *("<style>a{b:url(", "<p style='a:url(x)'>", "<img srcset='a 1x, b'>", "<video poster=p>"),
        *(
            "<meta http-equiv=refresh content='0;",
            "<meta http-equiv=REFRESH>",
            "<meta property=og:image content=",
            "#f",
        ),
        *("<link rel=canonical href=/c>", "<iframe src=x>", "<object data=o>", "<form action=f>"),
        *(
            "\x00",
            "\ud800",
            "\u202e",
            "ü",
            "日本",
            "&amp;",
            "&#0;",
            "&#xD800;",
            "&",
            " ",
            "\n",
            "x",
        ),
    ]
)
pages = st.one_of(
    st.binary(max_size=200),
    st.lists(markup, max_size=30).map(
        lambda parts: "".join(parts).encode("utf-8", "surrogatepass")
    ),
    st.lists(markup, max_size=30).map(lambda parts: "".join(parts).encode("utf-16-le", "replace")),
)
"""Bytes of pages, in UTF-8, in UTF-16 and in nothing."""
