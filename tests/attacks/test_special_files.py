"""What a process or a device shows isn't read by a pattern, or by a folder in which it lies."""

from __future__ import annotations

import pytest

from support.judging import in_default

SHOWN = [
    "cat /proc/self/env?ron",
    "cat /proc/[0-9]*/env*",
    "cat /proc/[!a-z]*/env*",
    "cat /proc/[[:digit:]]*/environ",
    "cat /pro?/self/environ",
    "cat /p*/self/environ",
    "cat /*/self/*",
    "cat /*/*/environ",
    "cat /proc/self/c[w]d/a",
    "cat /proc/k*",
    "cd /proc/self && cat e*",
    "cd /proc && grep -a . [0-9]*/environ",
    'for f in /proc/*/env*; do cat "$f"; done',
    "head -c 512 /d*/sda",
    "head -c 512 /de[v]/sda",
    "find /dev -type b -exec head -c 512 {} ';'",
    "find /dev/ -type b | xargs head -c 512",
    "grep -ra KEY /dev",
    "find /d* -type b -exec head -c 512 {} ';'",
    "grep -ra KEY /proc/self",
    "grep -r KEY /proc",
    "grep -ra KEY /",
    "cd / && grep -ra KEY .",
    "rg -a KEY /",
    "find / -name environ | xargs cat",
    "find / -name 'e*n' -print0 | xargs -0 cat",
    "find / -type f -exec cat {} +",
    "find / -name environ -exec cat {} +",
    "find / -name sda -exec head -c 512 {} +",
    "find / -path '*/proc/12*/*' | xargs cat",
    "find ./../../proc -name environ | xargs cat",
    "cd / && find proc -name environ | xargs cat",
    "find //proc/self -name environ | xargs cat",
    "find /work/a.b/../.. -path '*a.b*' | xargs cat",
    "find /p* -name environ -exec cat {} +",
    "cat $(find / -name 'env*')",
    "for f in $(find / -type f); do cat $f; done",
    'find / | while read f; do cat "$f"; done',
    "grep -rl KEY / | xargs cat",
    "cd /proc/self && ls | xargs cat",
    "cd /dev && ls | xargs head -c 512",
    "ls | (cd /proc/self && xargs cat)",
    "find . -name e | (cd /; xargs cat)",
    "for f in $(ls); do cd /proc/self; cat $f; done",
]
UNTOUCHED = [
    "cat /proc/cpuinfo",
    "grep -r x /proc/sys",
    "find /proc -name cpuinfo",
    "find / -name x",
    "du -sh /",
    "find / -name '*.conf' | xargs grep x",
    "find / -name nginx.conf -exec ls -l {} +",
    "find . -type f | xargs cat",
    "cat ./*/environ",
    "grep -r x .",
]


@pytest.mark.parametrize("command", SHOWN)
def test_a_special_file_is_never_proven(command):
    assert in_default(command) != "allow read_only_command"


@pytest.mark.parametrize("command", UNTOUCHED)
def test_others_are_read(command):
    assert in_default(command) == "allow read_only_command"
