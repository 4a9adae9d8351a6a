"""Documents with something of everything that `gossamer.extract.native_dom_walk` looks for."""

from gossamer.extract.parsed_elements import MAX_ELEMENTS, MAX_TEXT_NODES, MAX_TITLES

PAGES = [
    "",
    "<html lang>",
    "<html lang=de-CH><title>a</title><h1>b</h1>",
    "<title>a</title>" * (MAX_TITLES + 5),
    "<svg><title>tip</title></svg><title>late</title>",
    "<frameset><frame src=x></frameset>",
    "<title>\u00a0</title><h1> </h1><a href=/x>\n\u2003</a>",
    "<p style='background:uRL(x)'><x-y style=url></x-y><b style=none>",
    "<a href=/x><img alt='\u00a0'><img alt=' \u3000first '><img alt=second></a>",
    "<a href=/x>\u2003<svg><title> tip </title></svg></a>",
    "<a href=/x>\u0085\u180e<img alt=no></a>",
    "<h1>a<br>b<i>c</i></h1><h1>a<i>b</i>c</h1>",
    "<a href=/x>a<script>b</script><style>c</style></a>",
    "<a>" + "<i>x</i>" * MAX_TEXT_NODES + "</a>",
    "<a " + " ".join(f"a{n}={n}" for n in range(20)) + ">",
    "<a xlink:href=/no " + " ".join(f"a{n}={n}" for n in range(15)) + ">",
    "<svg><a xlink:href=/svg></a></svg><a xlink:href=/no></a><a xlink:href=/no href=/yes></a>",
    "<noscript><meta http-equiv=Refresh content=0></noscript><meta http-equiv=refresh>",
    "<div>" * 30 + "<noscript>" + "<div>" * 19 + "<meta http-equiv=refresh>",
    "<div>" * 30 + "<noscript>" + "<div>" * 25 + "<meta http-equiv=refresh>",
    "<iframe>a</iframe><noscript>b</noscript><script>c</script>d e<title>f</title>",
    "<template><a href=/x>x</a></template>",
    "<a href=/x>a</a><a href=>b</a><a href='/x #f'>c</a><a href=#>d</a><a href=#f>e</a><a href=?#>",
    "<a href='#\n'>a</a><a href='/x#\u00fc '>b</a><a rel='A b' href=/x>c</a><a href=/x rel>d</a>",
    "<a href=javascript:x>a</a><a href=/x>b</a><img src=/i><a href=mailto:x>c</a><a href=' /y '>d",
    "<a href=/x> a \n\t b\u00a0 </a><a href=/x>\x0b a\x7fb</a><a href=/x>\u2028a\x1c</a>",
    f"<a href=/x>{'long ' * 200}</a><a href=/x>{'ü' * 400}</a><a href=/x>{'x' * 500}</a>",
    "<a style='a:url(/s)' href=/x>a</a><a style=none href=/y>b</a><svg><a href=/z xlink:href=/w>c",
    "<p>don't stop\u2014now \u201cquoted\u201d 1_000 __ \u00bd \u00a0 x\u00a0y",
    "<p>words \u65e5\u672c \U0001f600 \u0e01\u0e02",
]
MANY_ELEMENTS = "<img>" * (MAX_ELEMENTS + 10)
"""More than either reads."""
CHARACTERS = "".join(
    map(chr, (*range(1, 0xD800), *range(0xE000, 0x11000), *range(0x1F600, 0x20010)))
)
