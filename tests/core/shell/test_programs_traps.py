"""Programs that look as if they only read, in the forms in which they don't."""

from __future__ import annotations

from collections import Counter

import pytest

from .conftest import shipped

TRAPS = {
    "a second reading shows the environment": [
        "ps -axe",
        "ps -xe",
        "ps -aux -e",
        "ps -aue",
        "ps -ef -o args",
        "ps -e -u nobody",
        "ps auxe",
        "ps aux e",
    ],
    "a column that isn't known": ["ps -eo pid,environ", "ps -o 'pid environ'", "ps -o pid,"],
    "options from a file": [
        "nm @more",
        "strings @more",
        "objdump -d @more",
        *("nm -t @more a.o", "nm --target @more a.o", "objdump -j @more -d a.o"),
        *("readelf -x @more a", "strings -e @more a"),
        "ar t @more",
        "7zz l @list",
        "gcc --version @more",
    ],
    "a plug-in is loaded": ["nm --plugin ./x.so a.o", "ar --plugin ./x.so t a.a", "openssl x509 -engine ./x -in a"],
    "a helper starts": [
        "tar tzf a.tgz",
        "tar tf a.tar.gz",
        "zcat a.gz",
        "egrep x a",
        "diff -l a b",
        "dpkg -l",
        "gunzip -c a.gz",
        "uncompress -c a.Z",
        "bat --paging=always a",
        "getconf -v POSIX_V7_LP64_OFF64 PATH",
        "diff3 a b c",
        "fd -l",
        "systemctl is-enabled a",
    ],
    "a remote archive": [
        "tar tf host:a.tar",
        "cpio -tF host:a.cpio",
        "xmllint --noout http://example.com/a.xml",
        "exiftool https://x.y/a",
    ],
    "a file's name is a connection": [
        "awk 1 /inet/tcp/0/example.com/80",
        "gawk '{print}' a /inet6/udp/0/::1/53",
        "awk 1 /inet/tcp/0/example.com/8?",
        "f=/inet4/tcp/0/example.com/80; awk 1 $f",
    ],
    "a name is looked up": [
        "hostname -f",
        "who --lookup",
        "lsof -i :80",
        "netstat -tlp",
        "getent hosts example.com",
        "last -d",
        "ss -r",
    ],
    "the next word isn't the value": [
        "zstd -c -T -o b a",
        "git shortlog --committer --output=x",
        "git blame --reverse --output=x a",
        "date --resolution 01020304",
    ],
    "another version or subcommand doesn't know the option, and opens what seems to be its value": [
        "git log --group --output=x",
        "git show --decorate-refs --output=x",
        "git diff -L --output=x",
        "git diff --diff-merges --output=x",
        "git diff --inter-hunk-context --output=x",
        "git reflog --group --output=x",
        "git log -n --output=x",
    ],
    "a signature is checked by another program": [
        "git log --format=%G?",
        "git log --format='%+G?'",
        "git log --pretty=tformat:'% GK'",
        "git rev-list --format=%-GS HEAD",
        "git shortlog --format=%GK HEAD",
        "git shortlog --group=format:%G? HEAD",
    ],
    "a word that is a subcommand to a newer version": [
        "git reflog drop HEAD",
        "git reflog write refs/heads/x a b c",
        "git reflog frobnicate",
    ],
    "another version passes over the option, and its value is a program": [
        "awk --assign 'system(\"x\")' '{print}' a",
        "awk --field-separator '{system(\"x\")}' '{print}' a",
        "awk -bF '{system(\"x\")}' '{print}' a",
        "awk -Vv '{system(\"x\")}' '{print}' a",
    ],
    "each option counts for what follows": ["dos2unix a -i b", "dos2unix -i a -n b c", "dos2unix -i a -o b"],
    "the version is told by making or starting something": [
        "mpv --version",
        "mplayer -version",
        "yt-dlp -version",
        "gst-launch-1.0 --version",
        "distcc --version",
        "ccache -c --version",
        "musl-gcc --version",
        "tsx --version",
        "glab --version",
    ],
    "the name of a file becomes part of a command": [
        "diffstat a.patch.gz",
        "diffstat 'a$(touch p).gz'",
        "diffstat src/*",
    ],
    "the last mode counts": [
        "bzip2 -tz a.txt",
        "bzip2 -t -d a.bz2",
        "pigz --test --decompress a.gz",
        "xz -lz a.txt",
        "xz -t -d a.xz",
        "zstd -t -d a.zst",
        "zstd -l --decompress a.zst",
        "lz4 -t -d a.lz4",
        "ar ts lib.a",
    ],
    "an operand writes": [
        "uniq a b",
        "xxd a b",
        "xxd -r a b",
        "pdftotext a.pdf",
        "git symbolic-ref HEAD refs/heads/x",
        "sysctl a=b",
        "ifconfig eth0 up",
    ],
    "an option writes": [
        "sort -o b a",
        "diffstat -o b a",
        "iconv -o b a",
        "zstd -c --rm a",
        "xmllint -o b a",
        "pmap -N f",
        "plutil -p a -o b",
        "codesign -d --entitlements out a.app",
        "codesign -d -r out a.app",
        "dmesg -c",
        "patch --dry-run -o b a a.patch",
    ],
    "an option runs something": [
        "fzf -f x --preview 'rm {}'",
        "fzf -f x --bind 'start:execute(rm a)'",
        "rg --pre ./x a",
        "bat --pager ./x a",
        "dpkg --pre-invoke=./x -C",
    ],
    "behind what only prints": [
        "docker --version ps",
        "gh --version pr list",
        "pip --version install x",
        "systemctl --version stop x",
        "python3 --version x.py",
        "make --version all",
    ],
    "what a later word means": ["set -a", "set -f", "set", "shopt -s extglob", "shopt -s dotglob", "alias ls='rm x'"],
    "a list names what is shown": [
        "sort --files0-from=list",
        "sort --files0-from list a",
        "shellcheck -a a.sh",
        "shellcheck -ax a.sh",
    ],
    "another program of the name": [
        *("ts ls", "ts ./x", "ts '%/../x'", "ts -r", "tar tf a.tar -W use-compress-program=./x"),
    ],
    "what is read is opened for writing": ["tidy -e -q a.html", "tidy a.html"],
    "a list holds more options": ["tar tf a.tar -T list", "tar --list --files-from=list -f a.tar"],
    "a name is more than a path": [
        "openssl x509 -noout -in http://example.com/a.crt",
        "openssl crl -text -in http://example.com/a.crl",
        "openssl x509 -noout -in org.openssl.engine:../../../tmp/x:key",
        "openssl x509 -noout -in ORG.OPENSSL.ENGINE:../../../tmp/x:key",
        "hdiutil imageinfo http://example.com/a.dmg",
        "lsof -n -i @example.com",
        "lsof -t -i TCP@example.com:80",
    ],
    "what a pattern leaves isn't a word": [
        "shopt -s nullglob; find . -name *.x -path -delete",
        "shopt -s nullglob && find . -name *.x -path -delete",
    ],
    "a start-up file runs": ["bash -errexit -c ls", "sh -errexit -c ls"],
    "only its version, and still": [
        *("hg --version", "latexmk --version", "jekyll --version", "groff --version", "nroff --version"),
        *("ps2pdf --version", "jruby -v", "glow --version", "saxon --version", "avro-tools --version"),
        *("pandoc --version", "yq -V"),
    ],
    "the project's own code or a cache": ["pytest --version", "flake8 --version", "black --version", "cargo --version"],
    "what is asked over a connection": ["kubectl get pods", "docker ps", "aws s3 ls", "gh issue list", "docker --help"],
}


@pytest.mark.parametrize(
    "command",
    [pytest.param(command, id=f"{trap}: {command}") for trap, commands in TRAPS.items() for command in commands],
)
def test_never_proven(analysed, command):
    assert not analysed(command).read_only


@pytest.mark.parametrize(
    ("command", "path", "deed"),
    [
        ("tar czf out.tar src", "out.tar", "write"),
        ("gzip notes.txt", "notes.txt", "remove"),
        ("sqlite3 app.db .dump", "app.db", "write"),
        ("gcc -o app main.c", "app", "overwrite"),
        ("ruff check src", ".ruff_cache", "write"),
        ("shfmt -w a.sh", "a.sh", "overwrite"),
        ("pdftotext a.pdf b.txt", "b.txt", "overwrite"),
        ("zstd -d a.zst -o b", "b", "overwrite"),
        ("chattr +i a.txt", "a.txt", "write"),
    ],
)
def test_what_is_written_is_seen(analysed, command, path, deed):
    assert (path, deed) in {(touch.spelled, touch.deed.value) for touch in analysed(command).touches}


def test_no_name_is_described_twice():
    counted = Counter(name for program in shipped() for name in (program.name, *program.aliases))
    assert [name for name, times in counted.items() if times > 1] == []


def test_every_entry_says_what_it_doesn_t_prove():
    assert [program.name for program in shipped() if not program.not_read_only] == []
