"""Lists the crawlers of search engines and AI services: names, operators, purposes."""

from enum import StrEnum
from typing import Final

from msgspec import Struct

from gossamer.model.translatable import Sentence

EDITION: Final = "2026-11-23"
"""The date of this table: operators add crawlers and change what they say of them."""


class CrawlerPurpose(StrEnum):
    """What a crawler fetches pages for."""

    _value_: Sentence

    SEARCH = "Search"
    """The index of a search engine."""
    AI_SEARCH = "AI search"
    """The index from which an AI service answers, with links."""
    AI_TRAINING = "AI training"
    """Data to train models with."""
    USER_REQUEST = "User request"
    """A page that a user of an AI service asks about."""


_INDEXING: Final = frozenset({"noindex", "none"})
_IMAGES: Final = _INDEXING | {"noimageindex"}
_AMAZON_TRAINING: Final = _INDEXING | {"noarchive"}


class KnownCrawler(Struct, frozen=True, kw_only=True):
    """A crawler, or a name that sends no requests and only says what others' pages are used for.

    `family` are names of the operator's that count for it, too, in robots.txt and in robots meta
    elements, where its own is not named. `stand_in` is another operator's crawler whose group in
    robots.txt it follows if none is for itself.
    """

    name: str
    """Its product token: how robots.txt names it."""
    operator: str
    purpose: CrawlerPurpose
    documentation: str
    """A URL; "" if the operator publishes none."""
    family: tuple[str, ...] = ()
    stand_in: str = ""
    obeys: frozenset[str] = frozenset()
    """The directives of a page that forbid its purpose, as far as its operator documents any."""
    is_control: bool = False
    """Whether it is a mere name: the pages are fetched by another crawler."""
    may_ignore: bool = False
    """Whether the operator says that robots.txt may not apply to it, or says nothing at all."""

    @property
    def own_names(self) -> tuple[str, ...]:
        """The names that mean it, the most specific first."""
        return (self.name, *self.family)


_GOOGLE: Final = (
    "https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers"
)
_GOOGLE_FETCHERS: Final = (
    "https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers"
)
_APPLE: Final = "https://support.apple.com/en-us/119829"
_OPENAI: Final = "https://developers.openai.com/api/docs/bots"
_ANTHROPIC: Final = (
    "https://support.claude.com/en/articles/8896518-does-anthropic-crawl-data-from-the-web-and-"
    "how-can-site-owners-block-the-crawler"
)
_PERPLEXITY: Final = "https://docs.perplexity.ai/docs/resources/perplexity-crawlers"
_META: Final = "https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/"
_AMAZON: Final = "https://developer.amazon.com/amazonbot"
_MISTRAL: Final = "https://docs.mistral.ai/robots"
_DUCKDUCKGO: Final = "https://duckduckgo.com/duckduckgo-help-pages/results/"

KNOWN_CRAWLERS: Final[tuple[KnownCrawler, ...]] = (
    KnownCrawler(
        name="Googlebot",
        operator="Google",
        purpose=CrawlerPurpose.SEARCH,
        documentation=_GOOGLE,
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="Googlebot-Image",
        operator="Google",
        purpose=CrawlerPurpose.SEARCH,
        documentation=_GOOGLE,
        family=("Googlebot",),
        obeys=_IMAGES,
    ),
    KnownCrawler(
        name="Googlebot-Video",
        operator="Google",
        purpose=CrawlerPurpose.SEARCH,
        documentation=_GOOGLE,
        family=("Googlebot",),
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="Googlebot-News",
        operator="Google",
        purpose=CrawlerPurpose.SEARCH,
        documentation=_GOOGLE,
        family=("Googlebot",),
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="Storebot-Google",
        operator="Google",
        purpose=CrawlerPurpose.SEARCH,
        documentation=_GOOGLE,
    ),
    KnownCrawler(
        name="Bingbot",
        operator="Microsoft",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0",
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="DuckDuckBot",
        operator="DuckDuckGo",
        purpose=CrawlerPurpose.SEARCH,
        documentation=_DUCKDUCKGO + "duckduckbot",
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="Applebot",
        operator="Apple",
        purpose=CrawlerPurpose.SEARCH,
        documentation=_APPLE,
        stand_in="Googlebot",
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="Baiduspider",
        operator="Baidu",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://www.baidu.com/search/spider.html",
    ),
    KnownCrawler(
        name="YandexBot",
        operator="Yandex",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://yandex.com/bots",
        family=("Yandex",),
        obeys=_INDEXING,
    ),
    # Its page, read 2026-11-22 in a copy under aspiegel.com/petalbot: obeys robots.txt, also for
    # what Huawei Assistant and AI Search show; says nothing of meta elements.
    KnownCrawler(
        name="PetalBot",
        operator="Huawei",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://webmaster.petalsearch.com/site/petalbot",
    ),
    # Its pages on crawling (changed 2025-01-29) and indexing control, read 2026-11-22: obeys
    # robots.txt, and noindex in the robots meta element.
    KnownCrawler(
        name="SeznamBot",
        operator="Seznam.cz",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://o-seznam.cz/napoveda/vyhledavani/en/crawling-control/",
        obeys=_INDEXING,
    ),
    # Naver's own pages could not be read; directories of crawlers, read 2026-11-23
    # (darkvisitors.com/agents/yeti, webmasterid.com/search-bots/naver-yeti,
    # siteline.ai/ai-agent-directory/naverbot), confirm the name and robots.txt. Naver's old help,
    # as adminplay.com/LETC/8449 quotes it, names NOINDEX in the robots meta element.
    KnownCrawler(
        name="Yeti",
        operator="Naver",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://naver.me/spd",
        obeys=_INDEXING,
    ),
    # "Sogou web spider", "Sogou inst spider" and others: a product token ends before the space.
    # Sogou's help as bninc.cn/wiki/post/id/1531 quotes it, read 2026-11-23: obeys robots.txt.
    # Directories (usehall.com/agents/sogou-web-spider) say the same; none tells of noindex.
    KnownCrawler(
        name="Sogou",
        operator="Sogou",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://www.sogou.com/docs/help/webmasters.htm",
    ),
    # Its page, read 2026-11-22: obeys robots.txt; says nothing of meta elements. Formerly Qwantify.
    KnownCrawler(
        name="Qwantbot",
        operator="Qwant",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://help.qwant.com/bot/",
    ),
    # Its page, read 2026-11-22: obeys robots.txt, and noindex in the robots meta element.
    KnownCrawler(
        name="MojeekBot",
        operator="Mojeek",
        purpose=CrawlerPurpose.SEARCH,
        documentation="https://www.mojeek.com/bot.html",
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="OAI-SearchBot",
        operator="OpenAI",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_OPENAI,
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="Claude-SearchBot",
        operator="Anthropic",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_ANTHROPIC,
    ),
    KnownCrawler(
        name="PerplexityBot",
        operator="Perplexity",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_PERPLEXITY,
    ),
    KnownCrawler(
        name="DuckAssistBot",
        operator="DuckDuckGo",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_DUCKDUCKGO + "duckassistbot",
    ),
    KnownCrawler(
        name="Meta-WebIndexer",
        operator="Meta",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_META,
    ),
    KnownCrawler(
        name="Amzn-SearchBot",
        operator="Amazon",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_AMAZON,
        obeys=_INDEXING,
    ),
    KnownCrawler(
        name="MistralAI-Index",
        operator="Mistral AI",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_MISTRAL,
    ),
    KnownCrawler(
        name="Google-CloudVertexBot",
        operator="Google",
        purpose=CrawlerPurpose.AI_SEARCH,
        documentation=_GOOGLE,
    ),
    KnownCrawler(
        name="GPTBot", operator="OpenAI", purpose=CrawlerPurpose.AI_TRAINING, documentation=_OPENAI
    ),
    KnownCrawler(
        name="ClaudeBot",
        operator="Anthropic",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation=_ANTHROPIC,
    ),
    KnownCrawler(
        name="Google-Extended",
        operator="Google",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation=_GOOGLE,
        is_control=True,
    ),
    KnownCrawler(
        name="Applebot-Extended",
        operator="Apple",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation=_APPLE,
        is_control=True,
    ),
    KnownCrawler(
        name="CCBot",
        operator="Common Crawl",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation="https://commoncrawl.org/ccbot",
    ),
    KnownCrawler(
        name="Bytespider",
        operator="ByteDance",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation="",
        may_ignore=True,
    ),
    KnownCrawler(
        name="Amazonbot",
        operator="Amazon",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation=_AMAZON,
        obeys=_AMAZON_TRAINING,
    ),
    KnownCrawler(
        name="Meta-ExternalAgent",
        operator="Meta",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation=_META,
    ),
    KnownCrawler(
        name="MistralAI-Training",
        operator="Mistral AI",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation=_MISTRAL,
    ),
    KnownCrawler(
        name="AI2Bot",
        operator="Ai2",
        purpose=CrawlerPurpose.AI_TRAINING,
        documentation="https://allenai.org/crawler",
    ),
    KnownCrawler(
        name="ChatGPT-User",
        operator="OpenAI",
        purpose=CrawlerPurpose.USER_REQUEST,
        documentation=_OPENAI,
        may_ignore=True,
    ),
    KnownCrawler(
        name="Claude-User",
        operator="Anthropic",
        purpose=CrawlerPurpose.USER_REQUEST,
        documentation=_ANTHROPIC,
    ),
    KnownCrawler(
        name="Perplexity-User",
        operator="Perplexity",
        purpose=CrawlerPurpose.USER_REQUEST,
        documentation=_PERPLEXITY,
        may_ignore=True,
    ),
    KnownCrawler(
        name="Meta-ExternalFetcher",
        operator="Meta",
        purpose=CrawlerPurpose.USER_REQUEST,
        documentation=_META,
        may_ignore=True,
    ),
    KnownCrawler(
        name="Amzn-User",
        operator="Amazon",
        purpose=CrawlerPurpose.USER_REQUEST,
        documentation=_AMAZON,
    ),
    KnownCrawler(
        name="MistralAI-User",
        operator="Mistral AI",
        purpose=CrawlerPurpose.USER_REQUEST,
        documentation=_MISTRAL,
    ),
    KnownCrawler(
        name="Google-NotebookLM",
        operator="Google",
        purpose=CrawlerPurpose.USER_REQUEST,
        documentation=_GOOGLE_FETCHERS,
        may_ignore=True,
    ),
)
"""In the order of lists: by purpose, then by how many people use them."""

META_NAMES: Final = frozenset(
    name.lower() for crawler in KNOWN_CRAWLERS if crawler.obeys for name in crawler.own_names
)
"""The names of robots meta elements, in lower case, that single crawlers are known to obey."""
