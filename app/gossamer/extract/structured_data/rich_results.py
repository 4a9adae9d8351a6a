"""What search engines require of structured data before they show a rich result.

From Google's documentation as of 2025: each entry names its page. A requirement is a property;
`a|b` is met by either, `a.b` by items as `a` that each have a `b`.
"""

from typing import Final, NamedTuple

ANY: Final = "*"
_GOOGLE: Final = "https://developers.google.com/search/docs/appearance/structured-data/"


class RichResult(NamedTuple):
    """A kind of rich result. `types` include all that are one of these, unless `is_exact`."""

    name: str
    types: tuple[str, ...]
    source: str
    required: tuple[str, ...] = ()
    required_before_last: tuple[str, ...] = ()
    """Requirements of the form `a.b` that do not hold for the last `a`, by position."""
    recommended: tuple[str, ...] = ()
    with_property: str = ""
    """Only items that have this property are meant to be one."""
    excluded: tuple[str, ...] = ()
    """Types that are one of `types`, but not meant."""
    is_exact: bool = False
    part_of: str = ""
    """The type of the items that it is a part of, and no feature without. ANY for all types."""


RICH_RESULTS: Final = (
    RichResult(
        "Article",
        ("Article", "NewsArticle", "BlogPosting"),
        _GOOGLE + "article",
        recommended=(
            *("author", "author.name", "author.url|author.sameAs", "datePublished"),
            *("dateModified", "headline", "image"),
        ),
        is_exact=True,
    ),
    RichResult(
        "Breadcrumb",
        ("BreadcrumbList",),
        _GOOGLE + "breadcrumb",
        required=("itemListElement",),
        required_before_last=("itemListElement.item",),
    ),
    RichResult(
        "Course list",
        ("Course",),
        _GOOGLE + "course",
        required=("name", "description"),
        recommended=("provider",),
    ),
    RichResult(
        "Dataset",
        ("Dataset",),
        _GOOGLE + "dataset",
        required=("name", "description"),
        recommended=("creator", "distribution", "identifier", "keywords", "license", "url"),
    ),
    RichResult(
        "Discussion forum",
        ("DiscussionForumPosting",),
        _GOOGLE + "discussion-forum",
        required=("author", "author.name", "datePublished", "text|image|video|sharedContent"),
        recommended=("author.url", "comment", "headline", "interactionStatistic", "url"),
    ),
    RichResult(
        "Employer rating",
        ("EmployerAggregateRating",),
        _GOOGLE + "employer-rating",
        required=("itemReviewed", "itemReviewed.name", "ratingValue", "ratingCount|reviewCount"),
        recommended=("bestRating", "worstRating"),
    ),
    RichResult(
        "Event",
        ("Event",),
        _GOOGLE + "event",
        required=("name", "startDate", "location", "location.address|location.url"),
        recommended=(
            *("description", "endDate", "eventStatus", "image", "location.name", "offers"),
            *("organizer", "performer"),
        ),
    ),
    RichResult(
        "FAQ",
        ("FAQPage",),
        _GOOGLE + "faqpage",
        required=("mainEntity", "mainEntity.name", "mainEntity.acceptedAnswer"),
    ),
    RichResult(
        "Job posting",
        ("JobPosting",),
        _GOOGLE + "job-posting",
        required=(
            *("title", "description", "datePosted", "hiringOrganization"),
            "jobLocation|applicantLocationRequirements",
        ),
        recommended=("baseSalary", "directApply", "employmentType", "identifier", "validThrough"),
    ),
    RichResult(
        "Local business",
        ("LocalBusiness",),
        _GOOGLE + "local-business",
        required=("name", "address"),
        recommended=("geo", "openingHoursSpecification", "priceRange", "telephone", "url"),
    ),
    RichResult(
        "Movie",
        ("Movie",),
        _GOOGLE + "movie",
        required=("name", "image"),
        recommended=("aggregateRating", "dateCreated", "director", "review"),
    ),
    RichResult(
        "Organization",
        ("Organization",),
        _GOOGLE + "organization",
        recommended=("name", "url", "logo", "address", "contactPoint", "description", "sameAs"),
        excluded=("LocalBusiness",),
    ),
    RichResult(
        "Product snippet",
        ("Product",),
        _GOOGLE + "product-snippet",
        required=("name", "review|aggregateRating|offers"),
        recommended=("review", "aggregateRating", "offers"),
        excluded=("ProductGroup",),
    ),
    RichResult(
        "Merchant listing",
        ("Product",),
        _GOOGLE + "merchant-listing",
        required=(
            *("name", "image", "offers"),
            "offers.priceCurrency|offers.priceSpecification.priceCurrency",
        ),
        recommended=("brand", "description", "gtin|gtin8|gtin12|gtin13|gtin14|isbn|mpn|sku"),
        with_property="offers.price|offers.priceSpecification",
        excluded=("ProductGroup",),
    ),
    RichResult(
        "Profile page",
        ("ProfilePage",),
        _GOOGLE + "profile-page",
        required=("mainEntity", "mainEntity.name|mainEntity.alternateName"),
        recommended=("dateCreated", "dateModified"),
    ),
    RichResult(
        "Q&A",
        ("QAPage",),
        _GOOGLE + "qapage",
        required=(
            *("mainEntity", "mainEntity.name|mainEntity.text", "mainEntity.answerCount"),
            "mainEntity.acceptedAnswer|mainEntity.suggestedAnswer",
        ),
        recommended=("mainEntity.author", "mainEntity.datePublished", "mainEntity.upvoteCount"),
    ),
    RichResult(
        "Recipe",
        ("Recipe",),
        _GOOGLE + "recipe",
        required=("name", "image"),
        recommended=(
            *("aggregateRating", "author", "cookTime", "datePublished", "description", "keywords"),
            *("nutrition", "prepTime", "recipeCategory", "recipeCuisine", "recipeIngredient"),
            *("recipeInstructions", "recipeYield", "totalTime", "video"),
        ),
    ),
    RichResult(
        "Review snippet",
        ("Review",),
        _GOOGLE + "review-snippet",
        required=("itemReviewed", "itemReviewed.name"),
        excluded=("ClaimReview", "MediaReview"),
    ),
    RichResult(
        "Review snippet",
        ("AggregateRating",),
        _GOOGLE + "review-snippet",
        required=("itemReviewed", "itemReviewed.name"),
        excluded=("EmployerAggregateRating",),
    ),
    RichResult(
        "Software app",
        ("SoftwareApplication",),
        _GOOGLE + "software-app",
        required=("name", "offers.price", "aggregateRating|review"),
        recommended=("applicationCategory", "operatingSystem"),
    ),
    RichResult(
        "Video",
        ("VideoObject",),
        _GOOGLE + "video",
        required=("name", "thumbnailUrl", "uploadDate"),
        recommended=("contentUrl|embedUrl", "description", "duration", "interactionStatistic"),
    ),
    RichResult(
        "Video",
        ("VideoObject",),
        _GOOGLE + "recipe",
        required=("name", "thumbnailUrl", "uploadDate"),
        recommended=("contentUrl|embedUrl", "description", "duration"),
        part_of="Recipe",
    ),
    RichResult(
        "Review snippet",
        ("Review",),
        _GOOGLE + "review-snippet",
        required=("author", "reviewRating", "reviewRating.ratingValue"),
        recommended=("datePublished",),
        excluded=("ClaimReview", "MediaReview"),
        part_of=ANY,
    ),
    RichResult(
        "Review snippet",
        ("AggregateRating",),
        _GOOGLE + "review-snippet",
        required=("ratingValue", "ratingCount|reviewCount"),
        part_of=ANY,
    ),
    RichResult(
        "Offer",
        ("Offer",),
        _GOOGLE + "product-snippet",
        excluded=("AggregateOffer",),
        required=("price|priceSpecification.price",),
        recommended=("priceCurrency|priceSpecification.priceCurrency", "availability"),
        part_of="Product",
    ),
    RichResult(
        "Offer",
        ("AggregateOffer",),
        _GOOGLE + "product-snippet",
        required=("lowPrice", "priceCurrency"),
        recommended=("highPrice", "offerCount"),
        part_of="Product",
    ),
    RichResult(
        "Breadcrumb",
        ("ListItem",),
        _GOOGLE + "breadcrumb",
        required=("position", "name|item.name"),
        part_of="BreadcrumbList",
    ),
    RichResult(
        "FAQ",
        ("Answer",),
        _GOOGLE + "faqpage",
        required=("text",),
        part_of="Question",
    ),
)
