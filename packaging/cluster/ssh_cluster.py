"""Starts a Dask cluster on machines that are reached by SSH, and prints its address.

Usage: python ssh_cluster.py [--python PATH] [--cores N] [--known-hosts FILE] [--key FILE]
                             [--user NAME] [--port N] SCHEDULER NODE...

The scheduler is started on the first machine, a node on each other one; to have a node on the first
too, name it twice. Each needs Python with gossamer-core[cluster], at PATH (default:
gossamer/bin/python in the home folder there). It ends with this program: press Ctrl+C.

    python ssh_cluster.py crawl0 crawl1 crawl2 crawl3
    gossamer crawl https://example.com/ --cluster tcp://crawl0:8786

Whoever reaches these ports can run programs on the machines: let none but them reach each other.
Needs, where it is run: pip install 'gossamer-core[cluster]' asyncssh.
"""

import argparse
import asyncio
import signal
import sys

from distributed import SSHCluster

PORT = 8786


def parser() -> argparse.ArgumentParser:
    """The command line."""
    made = argparse.ArgumentParser(prog="ssh_cluster.py", description=__doc__.partition("\n")[0])
    made.add_argument(
        "hosts", nargs="+", metavar="HOST", help="the scheduler's machine, then nodes"
    )
    made.add_argument("--python", default="gossamer/bin/python", help="Python on these machines")
    made.add_argument("--cores", type=int, default=2, help="page workers on each node (default 2)")
    made.add_argument("--scheduler-port", type=int, default=PORT, help=f"default {PORT}")
    made.add_argument("--known-hosts", help="a file with their keys (default ~/.ssh/known_hosts)")
    made.add_argument("--key", help="your key (default: those of ~/.ssh and the agent)")
    made.add_argument("--user", help="who to log in as (default: you)")
    made.add_argument("--port", type=int, help="of the SSH servers (default 22)")
    return made


def connection(options: argparse.Namespace) -> dict[str, object]:
    """What asyncssh is told, as far as it was said."""
    said = {
        "known_hosts": options.known_hosts,
        "client_keys": [options.key] if options.key else None,
        "username": options.user,
        "port": options.port,
    }
    return {name: value for name, value in said.items() if value is not None}


async def serve(options: argparse.Namespace) -> None:
    """Have the cluster until a signal comes."""
    stopped = asyncio.Event()
    for each in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(each, stopped.set)
    async with SSHCluster(
        options.hosts,
        connect_options=connection(options),
        remote_python=options.python,
        scheduler_options={"port": options.scheduler_port, "dashboard": False},
        # What pages need is the memory of other processes.
        worker_options={"nthreads": options.cores, "n_workers": 1, "memory_limit": "0"},
        asynchronous=True,
    ) as cluster:
        sys.stdout.write(f"{cluster.scheduler_address}\n")
        sys.stdout.flush()
        await stopped.wait()


def main(arguments: list[str]) -> int:
    """Start, serve, and end it."""
    options = parser().parse_args(arguments)
    if len(options.hosts) == 1:
        parser().error("name the scheduler's machine and at least one node")
    asyncio.run(serve(options))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
