"""How the truth run reads strace: nothing that a line tells is lost, and what can't be read counts."""

from __future__ import annotations

import pytest
from benchmarks.truth.forbidden import forbidden
from benchmarks.truth.idle import absent, idle
from benchmarks.truth.observe.events import events
from benchmarks.truth.observe.exceptions import counted
from benchmarks.truth.observe.line import Exit, read
from benchmarks.truth.observe.processes import processes
from benchmarks.truth.observe.watched import Kind
from benchmarks.truth.unset import unset

START = 'execve("/bin/bash", ["/bin/bash", "-c", "x"], 0x1 /* 9 vars */) = 0\n'


def seen(tmp_path, *lines, command="x"):
    (tmp_path / "t.10").write_text(START + "".join(f"{line}\n" for line in lines))
    return [(event.kind, event.target) for event in counted(events(processes(tmp_path)), command)]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('openat(AT_FDCWD</d>, "a", O_WRONLY|O_TRUNC) = 3</d/a>', (Kind.WRITE, "/d/a")),
        ('openat(AT_FDCWD</d>, "a", O_RDONLY|O_CREAT, 0666) = 3</d/a>', (Kind.CREATE, "/d/a")),
        ('openat(AT_FDCWD</d>, "a", O_RDWR) = -1 EACCES (Permission denied)', (Kind.WRITE, "a")),
        ('openat2(AT_FDCWD</d>, "a", {flags=O_RDWR, resolve=0}, 24) = 3</d/a>', (Kind.WRITE, "/d/a")),
        ('openat(AT_FDCWD</d>, ") = 3</dev/null>", O_WRONLY) = 3</d/x>', (Kind.WRITE, "/d/x")),
        ('openat(AT_FDCWD</O_RDONLY>, "/dev/nul\\154", O_WRONLY) = -1 ENOENT (No such file or directory)', None),
        ('unlink("a\\nb") = -1 ENOENT (No such file or directory)', (Kind.REMOVE, "a\nb")),
        ('rename("a", "b") = 0', (Kind.RENAME, "a -> b")),
        ("fchmod(3</d/a>, 0600) = 0", (Kind.ATTRIBUTES, "/d/a")),
        ('execve("/usr/bin/id", ["id"], 0x1 /* 9 vars */) = 0', (Kind.START, "/usr/bin/id")),
        ('execve("/bin/id", ["id"], 0x1 /* 9 vars */) = -1 EACCES (Permission denied)', (Kind.START, "/bin/id")),
        ("socket(AF_INET6, SOCK_DGRAM, 0) = 3<socket:[1]>", (Kind.CONNECT, "AF_INET6, SOCK_DGRAM, 0")),
        ('connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/run/x"}, 110) = 0', (Kind.CONNECT, "/run/x")),
        ("kill(1, SIGTERM) = -1 EPERM (Operation not permitted)", (Kind.SIGNAL, "1, SIGTERM")),
        ("kill(-1, SIGTERM) = 0", (Kind.SIGNAL, "-1, SIGTERM")),
        ("syslog(SYSLOG_ACTION_CLEAR, NULL, 0) = 0", (Kind.SYSTEM, "SYSLOG_ACTION_CLEAR, NULL, 0")),
        ("syslog(5 /* SYSLOG_ACTION_CLEAR */, NULL, 0) = 0", (Kind.SYSTEM, "5 /* SYSLOG_ACTION_CLEAR */, NULL, 0")),
        ("syslog(0x3, NULL, 0) = 0", (Kind.SYSTEM, "0x3, NULL, 0")),
        ("io_uring_setup(8, {flags=0}) = 3<anon_inode:[io_uring]>", (Kind.UNSEEN, "8, {flags=0}")),
        ("syscall_0x1c4(0xffffff9c, 0x1) = 0", (Kind.UNSEEN, "syscall_0x1c4")),
        ("no line of strace", (Kind.UNSEEN, "no line of strace")),
        ('openat(AT_FDCWD</d>, "a", O_WRONLY <unfinished ...>', (Kind.WRITE, "a")),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_mark_is_an_event(tmp_path, line, expected):
    assert seen(tmp_path, line) == ([expected] if expected else [])


@pytest.mark.parametrize(
    "line",
    [
        'openat(AT_FDCWD</d>, "O_WRONLY", O_RDONLY|O_CLOEXEC) = 3</d/O_WRONLY>',
        'openat(AT_FDCWD</O_CREAT>, "a", O_RDONLY) = 3</O_CREAT/a>',
        'openat(AT_FDCWD</d>, "null", O_WRONLY|O_CREAT|O_TRUNC, 0666) = 3</dev/null<char 1:3>>',
        'openat(AT_FDCWD</d>, "/dev/stderr", O_WRONLY|O_CREAT, 0666) = 3<pipe:[17]>',
        'connect(3<socket:[1]>, {sa_family=AF_UNIX, sun_path="/var/run/nscd/socket"}, 110) = -1 ENOENT (No such file)',
        "kill(10, SIGTERM) = 0",
        "syslog(SYSLOG_ACTION_READ_ALL, 0x1, 8) = 0",
        "syslog(3 /* SYSLOG_ACTION_READ_ALL */, 0x1, 8) = -1 EPERM (Operation not permitted)",
        "kill(77, 0) = -1 ESRCH (No such process)",
        "ioctl(0</dev/null>, TCGETS, 0x1) = -1 ENOTTY (Inappropriate ioctl for device)",
        'execve("/usr/local/bin/id", ["id"], 0x1 /* 9 vars */) = -1 ENOENT (No such file or directory)',
        "--- SIGCHLD {si_signo=SIGCHLD, si_code=CLD_EXITED, si_pid=3, si_uid=1, si_status=0} ---",
    ],
)  # fmt: skip
def test_reading_is_none(tmp_path, line):
    assert seen(tmp_path, line) == []


def test_a_program_s_own_temporary_file_does_not_count(tmp_path):
    lines = ('openat(AT_FDCWD</d>, "/tmp/t1", O_RDWR|O_CREAT|O_EXCL, 0600) = 3</tmp/t1>', 'unlink("/tmp/t1") = 0')
    assert seen(tmp_path, *lines) == []
    assert seen(tmp_path, *lines, command="f /tmp/t1") != []
    assert seen(tmp_path, lines[0]) == [(Kind.CREATE, "/tmp/t1")]
    assert seen(tmp_path, lines[1]) == [(Kind.REMOVE, "/tmp/t1")]


def test_a_child_is_its_parent_s_program_until_it_starts_another(tmp_path):
    (tmp_path / "t.10").write_text(START + "clone(child_stack=NULL, flags=SIGCHLD) = 11\n+++ exited with 3 +++\n")
    (tmp_path / "t.11").write_text(
        'execve("/usr/bin/tee", ["tee"], 0x1 /* 9 vars */) = 0\n'
        'openat(AT_FDCWD</d>, "a", O_WRONLY) = 3</d/a>\n'
        'write(1<pipe:[1]>, "hi"..., 20) = 20\n+++ killed by SIGPIPE +++\n'
    )
    shell, child = processes(tmp_path)
    assert (shell.program, shell.status, shell.became) == ("/bin/bash", 3, False)
    assert (child.program, child.status, child.written) == ("/usr/bin/tee", 141, 20)
    assert [event.program for event in events([shell, child])] == ["/bin/bash", "/usr/bin/tee"]


def test_a_run_that_never_reached_the_command_has_no_processes(tmp_path):
    (tmp_path / "t.10").write_text('execve("/usr/bin/setpriv", ["setpriv"], 0x1) = 0\n+++ exited with 1 +++\n')
    assert processes(tmp_path) == []
    assert read("+++ exited with 1 +++") == Exit(1)


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("env | sort", "shows the environment"),
        ("cat ~/.ssh/config", "names a secret"),
        ("sudo ls", "acts as another user"),
        ("ls | python3 -c 'print(1)'", "an interpreter runs code"),
        ("./configure --help", "a program outside the system's folders"),
        ("git -C /elsewhere log", "another repository or configuration of git"),
        ("LD_PRELOAD=x ls", "an assignment that isn't harmless"),
        ("PS1=x", "an assignment that isn't harmless"),
        ("export A=1", "an assignment that isn't harmless"),
        ("env A=1 ls", "an assignment that isn't harmless"),
        ("env -0", "shows the environment"),
        ("ls | sh", "an interpreter runs code"),
        ("sed -f x.sed a", "an interpreter runs code"),
        ("alias ll='ls -l'", "changes what later words mean"),
        ("shopt -s extglob", "changes what later words mean"),
        ("unset 'a[0]' a[0]", "a name with a subscript"),
        ("env -i ls", None),
        ("x=1; ls", None),
        ("shopt -s nullglob", None),
        ("alias", None),
        ("bash -c 'ls'", None),
        ("sed -n -e 5p a", None),
        ("LC_ALL=C ls", None),
        ("echo 'sudo ls'", None),
        ("/usr/bin/grep env file", None),
        ("cat .env.example", None),
        ("python3 --version", None),
    ],
)
def test_classes_that_are_never_to_be_proven(command, reason):
    assert forbidden(command) == reason


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ('cat "$file"', "file"),
        ("ls ${dir}/x", "dir"),
        ("wc -l $1", "1"),
        ("for f in *; do cat $f; done", None),
        ("ls | while read -r a b; do echo $b; done", None),
        ("x=1; echo $x $HOME", None),
        ("awk '{print $1}' file", None),
        ('awk "{print \\$1}" file', None),
    ],
)
def test_what_nobody_set_is_found(command, name):
    assert unset(command) == name


INPUT, WRITER = "its work is on its input, which was empty", "it is made to write, and found nothing to write"


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("xargs -I {} ls {}", INPUT),
        ("xargs -n 1 cat | head", INPUT),
        ("split -l 100", INPUT),
        ("echo $(gzip | wc -c)", INPUT),
        ("find . -name '*.bak' -exec rm -i {} \\;", WRITER),
        ("rename 's/a/b/' *.png", WRITER),
        ("ls | xargs -n1 mv -t x", WRITER),
        ("ls | xargs cat", None),
        ("gzip -l a.gz", None),
        ("gzip --help", None),
        ("unzip -l a.zip", None),
        ("xargs --help", None),
        ("echo rm -i", None),
        ("grep 'rm x' a", None),
        ("rm --version", None),
    ],
)
def test_what_had_nothing_to_do_is_no_evidence(command, reason):
    assert idle(command) == reason


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("no-such-program 2>&1 | head", "no-such-program"),
        ("ls 2>/dev/null; no-such-program 2>/dev/null", "no-such-program"),
        ("ls | sort", None),
        ("cd x && ls", None),
        ("cat <<E\nno-such-program\nE", None),
        ("echo 'a | no-such-program'", None),
        ("x=1; ls", None),
    ],
)
def test_a_program_is_missed_though_the_shell_s_word_on_it_is_lost(command, name):
    assert absent(command) == name
