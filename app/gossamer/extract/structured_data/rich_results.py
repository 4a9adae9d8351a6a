"""What search engines require of structured data before they show a rich result.

From Google's documentation as of May 2026: each entry names its page. FAQ, which Google retired
that month, has none. A requirement is a property; `a|b` is met by either, `a.b` by items as `a`
that each have a `b`. What Google recommends "if applicable" is left out for the most part.
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
        required=("author", "author.name", "datePublished", "text|image|video"),
        recommended=("author.url", "comment", "headline", "interactionStatistic", "url"),
    ),
    RichResult(
        "Discussion forum",
        ("SocialMediaPosting",),
        _GOOGLE + "discussion-forum",
        required=("author", "author.name", "datePublished", "text|image|video"),
        recommended=("author.url", "comment", "interactionStatistic", "url"),
        is_exact=True,
    ),
    RichResult(
        "Education Q&A",
        ("Quiz",),
        _GOOGLE + "education-qa",
        required=(
            *("hasPart", "hasPart.eduQuestionType", "hasPart.text"),
            "hasPart.acceptedAnswer.text",
        ),
        recommended=("about.name", "educationalAlignment"),
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
        "Image metadata",
        ("ImageObject",),
        _GOOGLE + "image-license-metadata",
        required=("contentUrl|url", "creator|creditText|copyrightNotice|license"),
        recommended=("acquireLicensePage", "creator", "creditText", "copyrightNotice", "license"),
        with_property="creator|creditText|copyrightNotice|license|acquireLicensePage",
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
        "Job posting",
        ("JobPosting",),
        _GOOGLE + "job-posting",
        required=("jobLocation.address.addressCountry",),
        with_property="jobLocation",
    ),
    RichResult(
        "Local business",
        ("LocalBusiness",),
        _GOOGLE + "local-business",
        required=("name", "address"),
        recommended=("geo", "openingHoursSpecification", "priceRange", "telephone", "url"),
        excluded=("VacationRental",),
    ),
    RichResult(
        "Math solver",
        ("MathSolver",),
        _GOOGLE + "math-solvers",
        required=(
            *("url", "usageInfo", "potentialAction", "potentialAction.target"),
            "potentialAction.mathExpression-input",
        ),
        recommended=("inLanguage", "potentialAction.eduQuestionType"),
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
        "Product variants",
        ("ProductGroup",),
        _GOOGLE + "product-variants",
        required=("name",),
        recommended=("hasVariant", "productGroupID|hasVariant.inProductGroupWithID", "variesBy"),
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
            *("mainEntity", "mainEntity.name", "mainEntity.answerCount"),
            "mainEntity.acceptedAnswer|mainEntity.suggestedAnswer",
        ),
        recommended=(
            *("mainEntity.author", "mainEntity.datePublished", "mainEntity.text"),
            "mainEntity.upvoteCount",
        ),
    ),
    RichResult(
        "Q&A",
        ("QAPage",),
        _GOOGLE + "qapage",
        required=("mainEntity.acceptedAnswer.text",),
        with_property="mainEntity.acceptedAnswer",
    ),
    RichResult(
        "Q&A",
        ("QAPage",),
        _GOOGLE + "qapage",
        required=("mainEntity.suggestedAnswer.text",),
        with_property="mainEntity.suggestedAnswer",
    ),
    RichResult(
        "Recipe",
        ("Recipe",),
        _GOOGLE + "recipe",
        required=("name", "image"),
        recommended=(
            *("aggregateRating", "author", "cookTime", "datePublished", "description", "keywords"),
            *("nutrition.calories", "prepTime", "recipeCategory", "recipeCuisine"),
            *("recipeIngredient", "recipeInstructions", "recipeYield", "totalTime", "video"),
        ),
    ),
    RichResult(
        "Recipe",
        ("Recipe",),
        _GOOGLE + "recipe",
        required=("recipeYield",),
        with_property="nutrition.calories",
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
        "Vacation rental",
        ("VacationRental",),
        _GOOGLE + "vacation-rental",
        required=(
            *("containsPlace", "containsPlace.occupancy.value", "identifier", "image", "name"),
            *("latitude|geo.latitude", "longitude|geo.longitude"),
        ),
        recommended=(
            *("additionalType", "address", "aggregateRating", "brand", "checkinTime"),
            *("checkoutTime", "containsPlace.additionalType", "containsPlace.amenityFeature"),
            *("containsPlace.bed", "description", "knowsLanguage", "review"),
        ),
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
        excluded=("EmployerAggregateRating",),
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
        "Discussion forum",
        ("Comment",),
        _GOOGLE + "discussion-forum",
        required=("author", "datePublished", "text|image|video"),
        part_of="DiscussionForumPosting",
    ),
    RichResult(
        "Key moments",
        ("Clip",),
        _GOOGLE + "video",
        required=("name", "startOffset", "url"),
        recommended=("endOffset",),
        part_of="VideoObject",
    ),
    RichResult(
        "Key moments",
        ("SeekToAction",),
        _GOOGLE + "video",
        required=("target", "startOffset-input"),
        part_of="VideoObject",
    ),
    RichResult(
        "Live badge",
        ("BroadcastEvent",),
        _GOOGLE + "video",
        required=("isLiveBroadcast", "startDate"),
        recommended=("endDate",),  # required once the broadcast is over
        part_of="VideoObject",
    ),
    RichResult(
        "Loyalty program",
        ("MemberProgram",),
        _GOOGLE + "loyalty-program",
        required=("name", "description", "hasTiers", "hasTiers.name", "hasTiers.hasTierBenefit"),
        part_of="Organization",
    ),
    RichResult(
        "Merchant return policy",
        ("MerchantReturnPolicy",),
        _GOOGLE + "return-policy",
        required=(
            "returnPolicyCategory|merchantReturnLink",
            "applicableCountry|merchantReturnLink",
        ),
        part_of="Organization",
    ),
)
