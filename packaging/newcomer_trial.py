"""Tries what newcomers do, with the Debian packages of dist/ and what the documentation says.

Usage: sudo python3 packaging/newcomer_trial.py [RELEASE...]

RELEASE is deb12, deb13 or what else chroots.py knows; without any, those that dist/ has packages
for. In a fresh system without this checkout, somebody without rights does fifteen tasks by the
commands of the how-to guides: the demo site takes the place of www.example.com. Exit code 1 if
something went wrong.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from deb_trial import copy_packages, packaged_releases
from trial_steps import CLUSTER_IS_REFUSED, SITE, Step, add_person, failures, try_in_each

if TYPE_CHECKING:
    from collections.abc import Sequence

    from chroots import Chroot

_LOGIN: Final = "http://127.0.0.1:8099"
_LOGIN_SITE: Final = """
import http.server
FIELDS = "<input name=username><input type=password name=password>"
FORM = f"<form method=post>{FIELDS}<button>Log in</button></form>"
class Members(http.server.BaseHTTPRequestHandler):
    def answer(self, code, body="", *headers):
        text = f"<!doctype html><title>Members</title>{body}".encode()
        self.send_response(code)
        for name, value in (*headers, ("Content-Type", "text/html"), ("Content-Length", len(text))):
            self.send_header(name, str(value))
        self.end_headers()
        self.wfile.write(text)
    def do_GET(self):
        if self.path == "/login":
            self.answer(200, FORM)
        elif "sid=jo" in self.headers.get("Cookie", ""):
            self.answer(200, "<a href=/members/news>News</a> <a href=/logout>Log out</a>")
        else:
            self.answer(302, "", ("Location", "/login"))
    def do_POST(self):
        sent = self.rfile.read(int(self.headers["Content-Length"]))
        good = sent == b"username=jo&password=the+password"
        cookie = ("Set-Cookie", "sid=jo; Path=/; HttpOnly")
        self.answer(303, "", ("Location", "/members/"), cookie) if good else self.answer(200, FORM)
http.server.ThreadingHTTPServer(("127.0.0.1", 8099), Members).serve_forever()
"""
_MEMBERS: Final = "SELECT address FROM internal_html"


def task(sentence: str, script: str) -> Step:
    """What a newcomer does while the demo site is served."""
    return Step(sentence, SITE + script)


TASKS: Final = (
    task(
        "1. find broken links",
        """
        gossamer crawl "$url" -o site.gossamer > report
        gossamer export site.gossamer broken-links --where status=404 -o not-found.csv
        grep -q silk-hat.html not-found.csv
        """,
    ),
    task(
        "2. make a sitemap and check the one there is",
        """
        gossamer export site.gossamer sitemap -o sitemap.xml; grep -q '<loc>' sitemap.xml
        gossamer crawl "$url" -o checked.gossamer --use-sitemaps > report
        gossamer export checked.gossamer sitemap-check -o differences.csv
        test "$(wc -l < differences.csv)" -gt 1
        """,
    ),
    task(
        "3. crawl again and compare",
        """
        gossamer crawl "$url" -o before.gossamer > report
        gossamer recrawl before.gossamer -o after.gossamer > report
        gossamer compare before.gossamer after.gossamer -o report.html; test -s report.html
        """,
    ),
    task(
        "4. crawl on a schedule",
        """
        gossamer schedule add shop "$url" --weekly sunday 03:00 --timer none
        gossamer schedule run shop
        gossamer schedule list | grep finished
        gossamer notify add shop-is-broken --when errors:20 --when issue:high --desktop
        gossamer notify list | grep shop-is-broken
        """,
    ),
    Step(
        "5. log in",
        f"""
        cat > site.py <<'END'
{_LOGIN_SITE}
END
        python3 site.py 2> /dev/null & site=$!
        trap 'kill $site' EXIT
        for i in $(seq 100); do (: > /dev/tcp/127.0.0.1/8099) 2> /dev/null && break; sleep 0.1; done
        printf 'username=jo\\npassword=the password\\n' > values.txt; chmod 600 values.txt
        gossamer crawl {_LOGIN}/members/ -o members.gossamer --login-form {_LOGIN}/login \\
            --login-values values.txt > report
        gossamer sql members.gossamer "{_MEMBERS}" | grep /members/news
        """,
    ),
    task(
        "6. render",
        """
        gossamer browser | grep 'renders pages'
        gossamer crawl "$url" -o rendered.gossamer --render on --max-pages 5 > report
        gossamer export rendered.gossamer javascript_all -o javascript.csv
        test "$(wc -l < javascript.csv)" = 6
        """,
    ),
    task(
        "7. fail a pipeline",
        """
        code=0; gossamer audit "$url" -o ci.gossamer -q --fail-on high \\
            --junit audit.xml > report || code=$?
        test $code = 5; grep -q '<testsuite' audit.xml
        gossamer audit ci.gossamer --fail-on "Page Titles: Missing:100" > report
        """,
    ),
    task(
        "8. search for words",
        """
        gossamer crawl "$url" -o texts.gossamer --full-text-search > report
        gossamer search texts.gossamer 'museum dust' > found; grep -q /collections/ found
        """,
    ),
    Step(
        "9. ask in SQL",
        """
        gossamer sql site.gossamer "SELECT address FROM internal WHERE status_code = 404" > gone
        grep -q silk-hat.html gone
        gossamer sql site.gossamer --template broken-links -o broken.xlsx; test -s broken.xlsx
        """,
    ),
    task(
        "10. keep pages",
        """
        gossamer crawl "$url" -o kept.gossamer --archive > report
        gossamer audit kept.gossamer --again > issues; grep -q H1 issues
        gossamer export kept.gossamer offline -o copy; test -s copy/index.html
        """,
    ),
    task(
        "11. check a table of redirects",
        """
        printf 'Old,New\\n/book-now,/visit/tickets.html\\n/old,/new\\n' > moves.csv
        gossamer redirects moves.csv --base "$url" -o checked.csv > told
        grep -q 'right  *1' told; grep -q 'broken  *1' told
        """,
    ),
    Step(
        "12. test an edited robots.txt",
        """
        gossamer crawlers site.gossamer | grep Googlebot
        printf 'User-agent: *\\nDisallow: /staff/\\nDisallow: /shop/\\n' > robots.txt
        gossamer robots site.gossamer --try robots.txt --crawler Googlebot > told
        grep -q 'line 3: Disallow: /shop/' told
        """,
    ),
    task(
        "13. extract what is wanted",
        """
        gossamer crawl "$url" -o found.gossamer --extract 'Heading=css:h1' > report
        gossamer export found.gossamer custom_extraction -o headings.csv
        head -1 headings.csv | grep 'Heading 1'
        """,
    ),
    replace(CLUSTER_IS_REFUSED, sentence=f"14. crawl on a cluster: {CLUSTER_IS_REFUSED.sentence}"),
    Step(
        "15. delete all data",
        """
        gossamer schedule remove shop
        rm -rf ~/.local/share/gossamer ~/.local/state/gossamer ~/.cache/gossamer ~/.config/gossamer
        test -z "$(find ~/.local ~/.cache ~/.config -name '*ossamer*')"
        """,
    ),
)


def main(arguments: Sequence[str]) -> int:
    """Try them in each release; return the exit code."""
    return try_in_each(arguments, __doc__, packaged_releases, tried)


def tried(system: Chroot, release: str) -> int:
    """Do all tasks in a fresh system; returns how many failed."""
    system.install("python3")
    system.install(*copy_packages(system), "chromium-headless-shell")
    add_person(system)
    return failures(system, release, TASKS)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
