"""Decisions about single URLs and links, by settings, scope and rank alone."""

import pytest

from gossamer.engine.follow_policy import Policy, is_no_sitemap, is_unread
from gossamer.engine.seen_urls import pack
from gossamer.engine.target_ranks import ids_not_reached_better, positions_of_zeros, target_ranks
from gossamer.model.discovery_rank import (
    AS_FILE,
    JUST_NOFOLLOWED,
    JUST_RECORDED,
    LISTED,
    RECORDED,
    SITEMAP,
    UNLINKED,
    Rank,
)
from gossamer.model.fields.page_facts import PageFacts
from gossamer.model.link_kinds import LinkAction, LinkKind
from gossamer.model.outcome import Outcome
from gossamer.model.secrets import SecretNames
from gossamer.model.settings.folder_priority import FolderPriority, QueuePriority
from gossamer.model.visit import Link, PageLinks, Visit
from gossamer.urls.scope_and_limits import Scope
from tests.cases import each_case
from tests.fakes.engine import entry_of, settings_of
from tests.fakes.web import ROOT, absolute

ELSEWHERE = "http://other.test/"


def policy_of(**changes: object) -> Policy:
    settings = settings_of(**changes)
    return Policy(settings, Scope(settings))


# What becomes of a URL


@each_case(
    ("rank", "outcome"),
    [
        (Rank(0), Outcome.PENDING),
        (Rank(2), Outcome.PENDING),
        (Rank(3), Outcome.TOO_DEEP),
        (Rank(3, as_file=True), Outcome.PENDING_CHECK),
        (Rank(1, hops=2), Outcome.PENDING),
        (Rank(1, hops=3), Outcome.BEYOND_REDIRECT_LIMIT),
        (LISTED, Outcome.PENDING),
        (SITEMAP, Outcome.PENDING_SITEMAP),
        (AS_FILE, Outcome.PENDING_CHECK),
        (JUST_RECORDED, Outcome.NOT_FOLLOWED),
        (JUST_NOFOLLOWED, Outcome.NOFOLLOW),
    ],
)
def test_the_rank_decides_how_a_url_is_queued_or_why_it_is_not(
    rank: Rank, outcome: Outcome
) -> None:
    policy = policy_of(max_depth=2, max_redirects=2)
    assert policy.outcome_for(absolute("/a"), rank) is outcome


def test_without_a_limit_nothing_is_too_deep() -> None:
    assert not policy_of().too_deep(Rank(1_000))


def test_what_a_sitemap_lists_is_never_too_deep() -> None:
    policy = policy_of(max_depth=0)
    assert policy.too_deep(Rank(5))
    assert not policy.too_deep(Rank(5).merged(LISTED))


def test_a_url_on_another_host_is_out_of_scope() -> None:
    policy = policy_of()
    assert policy.outcome_for(ELSEWHERE, Rank(1)) is Outcome.OUT_OF_SCOPE
    assert policy.external(ELSEWHERE)
    assert not policy.external(absolute("/a"))


def test_a_url_on_another_host_is_only_checked_if_that_is_wanted() -> None:
    policy = policy_of(check_external=True)
    assert policy.outcome_for(ELSEWHERE, Rank(1)) is Outcome.PENDING_CHECK
    assert policy.outcome_for(ELSEWHERE, JUST_RECORDED) is Outcome.NOT_FOLLOWED


def test_an_excluded_url_on_another_host_is_not_checked() -> None:
    policy = policy_of(check_external=True, exclude=("other",))
    assert policy.outcome_for(ELSEWHERE, Rank(1)) is Outcome.EXCLUDED


def test_a_root_need_not_match_the_include_patterns() -> None:
    policy = policy_of(include=("/shop/",))
    assert policy.outcome_for(f"{ROOT}/", Rank(0), root=True) is Outcome.PENDING
    assert policy.outcome_for(absolute("/a"), Rank(1)) is Outcome.NOT_INCLUDED


def test_excluding_a_folder_counts_at_once_and_can_be_taken_back() -> None:
    policy = policy_of()
    before = policy.settings
    policy.change(settings_of(exclude=("/blog/",)))
    assert policy.outcome_for(absolute("/blog/a"), Rank(1)) is Outcome.EXCLUDED
    policy.change(before)
    assert policy.outcome_for(absolute("/blog/a"), Rank(1)) is Outcome.PENDING


def test_of_nested_folders_the_innermost_tells_when_a_url_gets_its_turn() -> None:
    policy = policy_of(
        turns=(
            FolderPriority(absolute("/a/"), QueuePriority.HELD),
            FolderPriority(absolute("/a/b/"), QueuePriority.FIRST),
        )
    )
    turns = [policy.priority(absolute(path)) for path in ("/", "/a/x", "/a/b/x")]
    assert turns == [QueuePriority.USUAL, QueuePriority.HELD, QueuePriority.FIRST]


@each_case(
    ("waits_for", "rank", "better"),
    [
        (Outcome.PENDING_CHECK, Rank(1, as_file=True), Outcome.PENDING),
        (Outcome.PENDING_CHECK, AS_FILE, None),
        (Outcome.PENDING, Rank(1).merged(SITEMAP), Outcome.PENDING_SITEMAP),
        (Outcome.PENDING, Rank(1), None),
        (Outcome.PENDING_SITEMAP, SITEMAP, None),
    ],
)
def test_a_better_rank_may_ask_for_more_than_a_queued_url_waits_for(
    waits_for: Outcome, rank: Rank, better: Outcome | None
) -> None:
    entry = entry_of(2, "/a", rank)
    entry.outcome = waits_for
    assert policy_of().better_outcome(entry) is better


def test_a_refused_way_undoes_neither_an_answer_nor_a_check() -> None:
    assert Policy.stands(Outcome.PAGE, Outcome.TOO_DEEP)
    assert Policy.stands(Outcome.CHECKED, Outcome.PENDING_CHECK)
    assert not Policy.stands(Outcome.CHECKED, Outcome.PENDING)
    assert not Policy.stands(Outcome.TOO_DEEP, Outcome.PENDING_CHECK)


# Redirects


def test_a_redirect_is_followed_up_to_the_limit() -> None:
    policy = policy_of(max_redirects=1)
    assert policy.redirect(absolute("/b"), Rank(1)) is Outcome.REDIRECT
    assert policy.redirect(absolute("/b"), Rank(1, hops=1)) is Outcome.REDIRECT_LIMIT


def test_a_redirect_to_another_host_counts_as_such_unless_that_is_checked() -> None:
    assert policy_of().redirect(ELSEWHERE, Rank(1)) is Outcome.REDIRECT_OUT_OF_SCOPE
    assert policy_of(check_external=True).redirect(ELSEWHERE, Rank(1)) is Outcome.REDIRECT


# Links


def linking(*links: Link, robots: str | None = None) -> Visit:
    targets = [absolute(f"/{number}") for number in range(len(links))]
    facts = PageFacts(robots=robots)
    return Visit(Outcome.PAGE, facts=facts, targets=targets, links=PageLinks.of(links))


PLAIN = Link(0, LinkKind.ANCHOR)
DISTRUSTED = Link(1, LinkKind.ANCHOR, rel="ugc nofollow")
NAMED = Link(2, LinkKind.SITEMAP)


def test_a_link_with_nofollow_is_not_followed() -> None:
    actions = policy_of().actions(linking(PLAIN, DISTRUSTED))
    assert list(actions) == [LinkAction.FOLLOW, LinkAction.NOFOLLOW]


def test_nofollow_may_stand_between_commas() -> None:
    links = (PLAIN, Link(1, LinkKind.ANCHOR, rel="ugc,nofollow"))
    actions = policy_of().actions(linking(*links))
    assert list(actions) == [LinkAction.FOLLOW, LinkAction.NOFOLLOW]


def test_a_page_with_nofollow_says_so_of_all_its_links_but_not_of_a_sitemaps() -> None:
    actions = policy_of().actions(linking(PLAIN, DISTRUSTED, NAMED, robots="NoFollow, noindex"))
    assert list(actions) == [LinkAction.NOFOLLOW, LinkAction.NOFOLLOW, LinkAction.FOLLOW]


def test_nofollow_can_be_ignored() -> None:
    policy = policy_of(follow_nofollow=True)
    actions = policy.actions(linking(PLAIN, DISTRUSTED, robots="nofollow"))
    assert list(actions) == [LinkAction.FOLLOW] * 2


def test_images_are_checked_where_that_is_set_and_recorded_otherwise() -> None:
    visit = linking(Link(0, LinkKind.IMAGE))
    assert list(policy_of(check_kinds=("image",)).actions(visit)) == [LinkAction.CHECK]
    assert list(policy_of().actions(visit)) == [LinkAction.RECORD]


def test_a_list_of_urls_follows_no_links() -> None:
    assert list(policy_of(list_only=True).actions(linking(PLAIN))) == [LinkAction.RECORD]


@each_case(
    ("links", "rank"),
    [
        ([(LinkKind.ANCHOR, LinkAction.FOLLOW)], Rank(3)),
        ([(LinkKind.IMAGE, LinkAction.CHECK)], AS_FILE),
        ([(LinkKind.ANCHOR, LinkAction.RECORD)], JUST_RECORDED),
        ([(LinkKind.ANCHOR, LinkAction.NOFOLLOW)], JUST_NOFOLLOWED),
        ([(LinkKind.SITEMAP, LinkAction.FOLLOW)], LISTED),
        ([(LinkKind.SITEMAP_INDEX, LinkAction.FOLLOW)], SITEMAP),
        (
            [(LinkKind.IMAGE, LinkAction.CHECK), (LinkKind.ANCHOR, LinkAction.FOLLOW)],
            Rank(3, as_file=True),
        ),
        ([(LinkKind.ANCHOR, LinkAction.NOFOLLOW), (LinkKind.ANCHOR, LinkAction.FOLLOW)], Rank(3)),
    ],
)
def test_all_links_to_a_target_together_say_how_it_is_reached(
    links: list[tuple[LinkKind, LinkAction]], rank: Rank
) -> None:
    found = PageLinks.of(Link(0, kind) for kind, _ in links)
    visit = Visit(Outcome.PAGE, targets=[absolute("/a")], links=found)
    ranked = target_ranks(Rank(2), visit, bytes(action for _, action in links)).to(0)
    assert ranked.rank == rank


@pytest.mark.parametrize("action", [LinkAction.CHECK, LinkAction.FOLLOW])
def test_what_style_sheets_load_without_end_is_cut_off(action: LinkAction) -> None:
    found = PageLinks.of([Link(0, LinkKind.CSS)])
    visit = Visit(Outcome.FILE, targets=[absolute("/a.css")], links=found)
    rank = AS_FILE
    for hops in range(1, 4):
        ranked = target_ranks(rank, visit, bytes([action])).to(0)
        rank = ranked.rank
        assert rank == Rank(RECORDED, hops, as_file=True)
    limited = policy_of(max_redirects=2)
    assert limited.outcome_for(absolute("/a.css"), rank) is Outcome.BEYOND_REDIRECT_LIMIT


def test_a_target_that_no_link_leads_to_is_just_recorded() -> None:
    found = PageLinks.of([Link(1, LinkKind.ANCHOR)])
    visit = Visit(Outcome.PAGE, targets=[absolute("/a"), absolute("/b")], links=found)
    ranks = target_ranks(Rank(2), visit, bytes([LinkAction.FOLLOW]))
    assert [ranks.to(0).rank, ranks.to(1).rank] == [JUST_RECORDED, Rank(3)]


def test_targets_that_are_new_or_better_reached_have_no_id_yet() -> None:
    kinds = [LinkKind.ANCHOR, LinkKind.ANCHOR, LinkKind.ANCHOR, LinkKind.IMAGE, LinkKind.IMAGE]
    found = PageLinks.of(Link(target, kind) for target, kind in enumerate(kinds))
    visit = Visit(Outcome.PAGE, targets=[absolute(f"/{n}") for n in range(5)], links=found)
    actions = [LinkAction.CHECK if kind is LinkKind.IMAGE else LinkAction.FOLLOW for kind in kinds]
    ranks = target_ranks(Rank(2), visit, bytes(actions))
    known = [pack(7, Rank(3)), pack(8, Rank(4)), 0, pack(9, AS_FILE), pack(10, Rank(1))]
    ids = ids_not_reached_better(known, ranks)
    assert ids == [7, 0, 0, 9, 0]
    assert list(positions_of_zeros(ids)) == [1, 2, 4]


# Sitemaps


def test_a_sitemap_read_as_something_else_is_unread() -> None:
    assert is_unread(SITEMAP, Outcome.PAGE)
    assert not is_unread(LISTED, Outcome.PAGE)
    assert not is_unread(SITEMAP, Outcome.CLIENT_ERROR)


def test_what_was_no_sitemap_is_looked_at_again_when_a_page_links_to_it() -> None:
    assert not is_unread(SITEMAP, Outcome.NO_SITEMAP)
    assert is_unread(SITEMAP.merged(Rank(1)), Outcome.NO_SITEMAP)


@each_case(
    ("path", "rank", "visit", "in_vain"),
    [
        ("/sitemap.xml", SITEMAP, Visit(Outcome.CLIENT_ERROR, status=404), True),
        ("/sitemap.xml", SITEMAP, Visit(Outcome.CLIENT_ERROR, status=410), True),
        ("/sitemap.xml", SITEMAP, Visit(Outcome.PAGE, status=200), True),
        ("/sitemap.xml", SITEMAP, Visit(Outcome.FILE, status=200), False),
        ("/sitemap.xml", SITEMAP, Visit(Outcome.SERVER_ERROR, status=500), False),
        ("/other.xml", SITEMAP, Visit(Outcome.CLIENT_ERROR, status=404), False),
        ("/sitemap.xml", SITEMAP.merged(Rank(1)), Visit(Outcome.CLIENT_ERROR, status=404), False),
    ],
)
def test_a_sitemap_is_looked_for_in_vain_at_its_usual_place_alone(
    path: str, rank: Rank, visit: Visit, *, in_vain: bool
) -> None:
    assert rank.depth <= UNLINKED
    assert is_no_sitemap(absolute(path), rank, visit) is in_vain


# What may end a login


def test_with_a_login_what_signs_out_is_listed_and_not_followed() -> None:
    needs = (SecretNames(origin=ROOT.rstrip("/"), login=True),)
    policy = policy_of(needs_secrets=needs)
    url = absolute("/user/logout")
    assert policy.outcome_for(url, Rank(1)) is Outcome.ENDS_SESSION
    assert str(policy.detail(url, Outcome.ENDS_SESSION)) == "logout"
    assert policy.outcome_for(url, Rank(0), root=True) is Outcome.PENDING
    assert policy.outcome_for(absolute("/a"), Rank(1)) is Outcome.PENDING


def test_the_text_of_a_link_says_that_it_signs_out() -> None:
    needs = (SecretNames(origin=ROOT.rstrip("/"), cookies=("id",)),)
    policy = policy_of(needs_secrets=needs)
    url = absolute("/session/end")
    links = PageLinks.of([Link(target=0, kind=LinkKind.ANCHOR, text="Abmelden")])
    policy.actions(Visit(Outcome.PAGE, targets=[url], links=links))
    assert policy.outcome_for(url, Rank(1)) is Outcome.ENDS_SESSION


def test_a_link_to_a_part_of_a_page_says_nothing_of_the_page() -> None:
    needs = (SecretNames(origin=ROOT.rstrip("/"), cookies=("id",)),)
    policy = policy_of(needs_secrets=needs)
    link = Link(target=0, kind=LinkKind.ANCHOR, text="Delete", fragment="#")
    url = absolute("/a")
    policy.actions(Visit(Outcome.PAGE, targets=[url], links=PageLinks.of([link])))
    assert policy.outcome_for(url, Rank(1)) is Outcome.PENDING


def test_other_words_of_a_link_say_that_it_signs_out_unless_it_is_an_article() -> None:
    needs = (SecretNames(origin=ROOT.rstrip("/"), cookies=("id",)),)
    policy = policy_of(needs_secrets=needs)
    url, article = absolute("/a"), absolute("/blog/a")
    policy.actions(Visit(Outcome.PAGE, acts={url: "fa-sign-out", article: "Delete"}))
    assert policy.outcome_for(url, Rank(1)) is Outcome.ENDS_SESSION
    assert str(policy.detail(url, Outcome.ENDS_SESSION)) == "fa-sign-out"
    assert policy.outcome_for(article, Rank(1)) is Outcome.PENDING


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"needs_secrets": (SecretNames(origin="http://other.test", login=True),)},
        {
            "needs_secrets": (SecretNames(origin=ROOT.rstrip("/"), login=True),),
            "follow_sign_out": True,
        },
    ],
)
def test_without_a_login_there_or_if_it_is_wanted_it_is_followed(
    changes: dict[str, object],
) -> None:
    assert policy_of(**changes).outcome_for(absolute("/logout"), Rank(1)) is Outcome.PENDING


def test_the_text_of_a_link_does_not_count_where_a_script_deletes_what_another_link_shows() -> None:
    needs = (SecretNames(origin=ROOT.rstrip("/"), cookies=("id",)),)
    policy = policy_of(needs_secrets=needs)
    shown, deleted = absolute("/posts/5"), absolute("/posts/6")
    links = PageLinks.of([Link(0, LinkKind.ANCHOR, "Delete"), Link(1, LinkKind.ANCHOR, "Delete")])
    targets = [shown, deleted]
    policy.actions(Visit(Outcome.PAGE, targets=targets, links=links, acts_by_method={shown: ""}))
    assert policy.outcome_for(shown, Rank(1)) is Outcome.PENDING
    assert policy.outcome_for(deleted, Rank(1)) is Outcome.ENDS_SESSION


def test_a_url_that_was_queued_without_a_login_is_examined_when_it_is_taken() -> None:
    queued = [entry_of(2, "/logout?from=home"), entry_of(3, "/news")]
    assert [policy_of().risk_met(entry) for entry in queued] == [False, False]
    needs = (SecretNames(origin=ROOT.rstrip("/"), cookies=("id",)),)
    policy = policy_of(needs_secrets=needs)
    assert [policy.risk_met(entry) for entry in queued] == [True, False]
    assert str(policy.detail(queued[0].url, Outcome.ENDS_SESSION)) == "logout"


def test_what_a_script_deletes_is_no_page_unless_another_link_led_there() -> None:
    needs = (SecretNames(origin=ROOT.rstrip("/"), cookies=("id",)),)
    policy = policy_of(needs_secrets=needs)
    sent, followed = absolute("/posts/5"), absolute("/end")
    said = {sent: 'data-method="delete"'}
    policy.actions(Visit(Outcome.PAGE, acts={followed: "Sign out"}, acts_by_method=said))
    assert policy.outcome_for(sent, Rank(1)) is Outcome.ENDS_SESSION
    assert str(policy.detail(sent, Outcome.ENDS_SESSION)) == said[sent]
    queued = [entry_of(2, "/posts/5"), entry_of(3, "/end")]
    assert [policy.risk_met(entry) for entry in queued] == [False, True]
