"""``python -m benchmarks.distribution``: all real input through a service, and what became of it as Markdown."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
from benchmarks import given
from benchmarks.distribution import realinput, table
from benchmarks.service import NotStarted, Service, serving

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def answered(service: Service, asked: Iterable[realinput.Asked]) -> Iterator[table.Answered]:
    """The answers of a service, one call at a time, as its host."""
    headers = {"authorization": f"Bearer {service.key()}"}
    with httpx.Client(base_url=service.url, headers=headers, timeout=30) as client:
        for one in asked:
            reply = client.post("/v1/decisions", json=one.body)
            yield table.Answered(one, reply.status_code, reply.json())


def main() -> int:
    """Run; 0 if every call got a verdict, 1 if one didn't, 2 where it can't be run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.distribution", description=__doc__)
    parser.add_argument("--corpora", type=Path, default=given.corpora(), help="folder of the corpora")
    parser.add_argument("--check", type=int, default=0, metavar="N", help="list N single calls to be checked by hand")
    options = parser.parse_args()
    try:
        asked = realinput.all_requests(options.corpora)
    except FileNotFoundError as error:
        print(f"no corpora in `{options.corpora}` ({error}); set LINECLEAR_CORPORA", file=sys.stderr)
        return 2
    try:
        with serving() as service:
            found = list(answered(service, asked))
    except NotStarted as error:
        print(error, file=sys.stderr)
        return 2
    print(*table.by_source(found), sep="\n")
    if options.check:
        print("", *table.each(table.chosen(found, options.check)), sep="\n")
    refused = [one for one in found if not one.decided]
    for one in refused:
        print(f"no verdict: {one.asked.row}: {one.status} {one.answer}", file=sys.stderr)
    return 1 if refused else 0


if __name__ == "__main__":
    sys.exit(main())
