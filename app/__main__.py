"""Program entry: the window without arguments, otherwise the command line; and our children."""

import sys

from app.ipc import CHILD_FLAG


def main() -> int:
    """Run the program and return its exit code. Each role imports no more than it needs."""
    arguments = sys.argv[1:]
    if arguments[:1] == [CHILD_FLAG]:
        return _child(*arguments[1:])
    from app.cli.main import run_cli  # a child needs no command line

    return run_cli(arguments, _window)


def _window(target: str | None) -> int:
    from app.gui.main import run_window

    return run_window(target)


def _child(role: str, *arguments: str) -> int:
    if role == "demo-site":
        from app.demo.child import serve_parent

        return serve_parent()
    if role == "host":
        return _host(*map(int, arguments))
    from app.host import page_worker
    from app.host.loop import run_child

    return run_child(page_worker.main)


def _host(page_workers: int) -> int:
    from app.host.ahead import launch_workers

    workers = launch_workers(page_workers)  # they come up while this process does
    from app.host import crawl_host
    from app.host.loop import run_child

    return run_child(lambda: crawl_host.main(workers))


if __name__ == "__main__":
    sys.exit(main())
