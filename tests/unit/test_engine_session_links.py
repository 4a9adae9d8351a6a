"""Which links look like they sign out or delete, and which merely tell of it."""

import pytest

from gossamer.engine.session_links import risky_text, risky_url

SITE = "https://example.com"


@pytest.mark.parametrize(
    "path",
    [
        "/logout",
        "/user/logout/",
        "/users/sign_out",
        "/accounts/log-out.php",
        "/wp-login.php?action=logout&_wpnonce=8d5",
        "/index.php?title=Special:UserLogout",
        "/ucp.php?mode=logout&sid=1",
        "/?task=user.logout",
        "/protocol/openid-connect/logout?state=1",
        "/abmelden",
        "/d%C3%A9connexion",
        "/cerrar-sesion",
        "/wyloguj",
        "/%E9%80%80%E5%87%BA",
        "/posts/5/delete",
        "/delete.php?id=5",
        "/delete_post/5",
        "/item?do=remove",
        "/cart/removeItem/7",
        "/eintrag/l%C3%B6schen/3",
        "/supprimer/3",
        "/%E5%88%A0%E9%99%A4/1",
    ],
)
def test_a_url_that_signs_out_or_deletes_is_risky(path: str) -> None:
    assert risky_url(f"{SITE}{path}")


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "/login",
        "/blog/how-to-delete-your-account",
        "/docs/what-happens-after-you-log-out",
        "/removed-items?page=2",
        "/undelete-everything-now-and-then",
        "/catalogue/logistics",
        "/deleted",
        "/signposts",
        "/out/log",
    ],
)
def test_a_url_that_merely_resembles_one_is_not(path: str) -> None:
    assert not risky_url(f"{SITE}{path}")


@pytest.mark.parametrize(
    "text",
    ["Log out", "Sign out ", "Abmelden", "Se déconnecter", "Cerrar sesión", "Выйти", "ログアウト"],
)
def test_a_text_says_so_in_many_languages(text: str) -> None:
    assert risky_text(text)


@pytest.mark.parametrize(
    "text", ["", "Home", "How to delete a page in five steps", "Read more", "Log in", "退" * 50]
)
def test_other_texts_do_not(text: str) -> None:
    assert not risky_text(text)
