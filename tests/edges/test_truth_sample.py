"""A sample of the truth run with commands of our own: what the sandbox sees, and that the analysis agrees.

The whole run is `make truth`; see docs/truth.md.
"""

from __future__ import annotations

import shutil

import pytest
from benchmarks.truth import probes
from benchmarks.truth.analysis import Analysis
from benchmarks.truth.confirm import Standing, judge
from benchmarks.truth.observe import prerequisites, rootfs
from benchmarks.truth.observe.watched import Kind
from benchmarks.truth.proven import Outcome, tried

REASON = prerequisites.missing()
pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")

READERS = (
    "ls -la src",
    "cat README.md | head -3",
    "grep -rn foo src 2>/dev/null | wc -l",
    "find . -name '*.py' -type f",
    "find . -type f -print0 | sort -z | head -z -n 1",
    "sort -S 1K logs/large.dat | tail -1",
    "awk '{print $2}' data.csv",
    "sed -n '1,2p' file.txt",
    "jq .name data.json",
    "tar -tf archive.tar",
    "stat README.md && du -sh src",
    "diff file.txt file1.txt || true",
    "timeout 2 nice cat file.txt",
    "sh -c 'ls src'",
    "cd src && ls",
    "cat <<'END'\nrm -rf /\nEND",
    "git status --short",
    "git log --oneline -3",
    "git diff HEAD~1 --stat",
    "echo 'rm -rf /'",
    "find . -name '*.py' | xargs wc -l",
    "find src -type f -print0 | sort -z | xargs -0 cat",
    "cat $(find . -name '*.py')",
    "ls -l $(which sort) && sort $(which ls) | head -c 1",
    "find . -maxdepth 1 -name '*.txt' -execdir wc -l {} +",
    "env -C src -u HOME ls",
    "ls; [ $? -eq 0 ] && ls -l $0 2>/dev/null || echo $$",
)

HARMFUL = (
    ("echo x > new.txt", Kind.CREATE),
    ("echo x >> file.txt", Kind.CREATE),
    ("sort -o new.txt file.txt", Kind.CREATE),
    ("sed -n 'w new.txt' file.txt", Kind.CREATE),
    ("awk '{print > \"new.txt\"}' file.txt", Kind.CREATE),
    ("awk 'BEGIN{system(\"id\")}'", Kind.START),
    ("find . -name '*.tmp' -delete", Kind.REMOVE),
    ("find . -maxdepth 1 -name file.txt -fprint new.txt", Kind.CREATE),
    ("uniq file.txt new.txt", Kind.CREATE),
    ("find file.txt file1.txt -exec uniq {} +", Kind.CREATE),
    ("find file.txt -exec uniq file.txt + \\;", Kind.CREATE),
    ("find file.txt file1.txt -print0 | xargs -0 uniq", Kind.CREATE),
    ("dash -c '[[ a > new.txt ]]'", Kind.CREATE),
    ("git diff --output=new.txt HEAD~1", Kind.CREATE),
    ("git branch new", Kind.CREATE),
    ("git -c core.fsmonitor='touch new' status", Kind.START),
    ("touch -d yesterday file.txt", Kind.ATTRIBUTES),
    ("chmod 700 file.txt", Kind.ATTRIBUTES),
    ("ln -s file.txt new", Kind.LINK),
    ("mv file.txt new.txt", Kind.RENAME),
    ("rm -f nothing-of-this-name", Kind.REMOVE),
    ("date -s 10:00", Kind.SYSTEM),
    ("tar -xzf archive.tar.gz -C empty", Kind.CREATE),
    ("tar -tf archive.tar.gz -I 'sh -c id'", Kind.START),
    ("exec 3<>/dev/tcp/127.0.0.1/9", Kind.CONNECT),
    ("cat file.txt > /dev/udp/127.0.0.1/9", Kind.CONNECT),
    ("kill -TERM 1", Kind.SIGNAL),
)

BUILTINS = frozenset({"cd", "echo", "true"})

OWN_MARKS = (
    "ls > /dev/null 2>&1",
    "echo x | tee /dev/stderr",
    "sort -S 1K --parallel=1 logs/large.dat | head -1",
    "cat <<END\n" + "x" * 70_000 + "\nEND",
    "ls -l",
    "timeout 0.2 sleep 5 || true",
)
"""Commands that leave a mark which is excepted by name."""


@pytest.fixture(scope="module")
def sandbox(tmp_path_factory):
    folder = tmp_path_factory.mktemp("truth")
    folder.chmod(0o755)
    return rootfs.make(folder)


@pytest.fixture(scope="module")
def analysis():
    return Analysis()


@pytest.mark.parametrize("probe", [probe for probe in probes.PROBES if probe.quick], ids=lambda probe: probe.name)
def test_the_sandbox_holds_off_an_attack(sandbox, probe):
    assert probes.held(sandbox, probe) is None


@pytest.mark.parametrize("command", READERS)
def test_a_reader_is_proven_and_only_reads(sandbox, analysis, command):
    opinion = analysis.opinion(command)
    assert opinion.proven, opinion.why
    absent = [name for name in opinion.programs - BUILTINS if shutil.which(name) is None]
    if absent:
        pytest.skip(f"{', '.join(absent)}: not installed")
    found = tried(sandbox.run(command), opinion.programs)
    assert found.outcome is Outcome.HELD, found.why


@pytest.mark.parametrize(("command", "kind"), HARMFUL)
def test_what_does_more_is_seen_and_never_proven(sandbox, analysis, command, kind):
    assert not analysis.opinion(command).proven
    assert kind in {event.kind for event in sandbox.run(command).events}


@pytest.mark.parametrize("command", OWN_MARKS, ids=lambda command: command[:40])
def test_marks_that_are_excepted_by_name_do_not_count(sandbox, command):
    assert {event.kind for event in sandbox.run(command).events} <= {Kind.START}


def test_a_search_without_a_hit_confirms_nothing(sandbox):
    assert judge(sandbox.run("find . -name no-such-name"), "find . -name no-such-name").standing is Standing.NO_HIT
    assert judge(sandbox.run("find . -name '*.py'"), "find . -name '*.py'").standing is Standing.CONFIRMED


def test_a_program_that_the_text_does_not_name_is_another_one(sandbox):
    command = 'awk \'BEGIN{c="i" "d"; c | getline x; print x}\''
    assert judge(sandbox.run(command), command).standing is Standing.DID
