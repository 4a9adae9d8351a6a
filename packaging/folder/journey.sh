#!/bin/sh
# What a person does, with a packaged Gossamer on a system that may have no Python; exit code 1 if a step fails.
# Usage: sh journey.sh [COMMAND], by default /opt/gossamer/gossamer. It works in a new folder below /tmp.
gossamer=${1:-/opt/gossamer/gossamer}
failed=0
folder=$(mktemp -d /tmp/journey.XXXXXX)
cd "$folder" || exit 1
export HOME="$folder" LC_ALL=C.UTF-8

must() { # the exit code, then the command
    wanted=$1
    shift
    "$@" >output 2>&1
    got=$?
    if [ "$got" = "$wanted" ]; then
        echo "passed: $*"
    else
        echo "FAILED with $got, not $wanted: $*"
        tail -n 5 output
        failed=1
    fi
}

interrupted() { # the signal, then the project: a slow crawl that gets it in the middle
    "$gossamer" crawl "$site" --output "$2" --rate 20 >output 2>&1 &
    crawl=$!
    until [ -s "$2" ]; do sleep 0.2; done
    sleep 2
    kill "-$1" "$crawl"
    wait "$crawl"
}

"$gossamer" demo --serve >address 2>&1 &
server=$!
until grep -q http address; do sleep 0.2; done
site=$(grep -o 'http[^ ]*' address | head -n 1)

must 0 "$gossamer" --version
must 0 "$gossamer" crawl "$site" --output a.gossamer --export pages=pages.csv --export links=links.xlsx
must 0 "$gossamer" audit a.gossamer
must 5 "$gossamer" audit a.gossamer --fail-on high
must 0 "$gossamer" export a.gossamer pages --output pages.jsonl
must 0 "$gossamer" recrawl a.gossamer --output b.gossamer
must 0 "$gossamer" compare a.gossamer b.gossamer
must 0 "$gossamer" crawl "$site" --output k.gossamer --archive --full-text-search
must 0 "$gossamer" search k.gossamer workshop
must 0 "$gossamer" sql k.gossamer 'SELECT address FROM internal WHERE status_code = 404'
must 0 "$gossamer" export k.gossamer wacz --output k.wacz
must 0 "$gossamer" export k.gossamer offline --output copy
must 0 "$gossamer" import k.wacz --output i.gossamer
must 0 "$gossamer" audit --again k.gossamer
interrupted KILL c.gossamer
must 0 "$gossamer" resume c.gossamer
must 0 "$gossamer" info c.gossamer --diagnostics
must 130 interrupted TERM d.gossamer
must 0 "$gossamer" resume d.gossamer
if "$gossamer" browser >output 2>&1; then
    must 0 "$gossamer" crawl "$site" --output e.gossamer --render on --max-depth 1
fi

kill "$server"
wait "$server"
cd / && rm -r "$folder"
exit "$failed"
