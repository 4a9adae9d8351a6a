"""Program entry: the window without arguments, otherwise the command line; and our children."""

import sys

from app.ipc import CHILD_FLAG


def main() -> int:
    """Run the program and return its exit code. Each role imports no more than it needs."""
    arguments = sys.argv[1:]
    if arguments[:1] == [CHILD_FLAG]:
        return _child(arguments[1])
    from app.cli.main import run_cli  # a child needs no command line

    return run_cli(arguments, _window)


def _window(target: str | None) -> int:
    from app.gui.main import run_window

    return run_window(target)


def _child(role: str) -> int:
    if role == "demo-site":
        from app.demo.child import serve_parent

        return serve_parent()
    from app.host.loop import run_child

    if role == "host":
        from app.host import crawl_host

        return run_child(crawl_host.main)
    from app.host import page_worker

    return run_child(page_worker.main)


if __name__ == "__main__":
    sys.exit(main())
