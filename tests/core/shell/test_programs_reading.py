"""Programs that read their own words otherwise than most do: a proof has to read them in the same way."""

from __future__ import annotations

import pytest

from lineclear.core.effects import Proof

from .conftest import shipped

OTHERWISE = {
    "what stands behind an operand is the next operand": [
        "xxd a -b",
        "xxd a -p",
        "xxd -l 8 a -r",
        "uniq a -c",
        "unzip a.zip -l",
        "unzip a.zip -t",
        "unzip a.zip -p b",
    ],
    "what is attached are more options": [
        "tree -Po x out.txt",
        "tree -Io x out.txt src",
        "tree -aTo x out.txt",
        "tree -Ho x out.txt",
        "tree -Lo 2 out.txt",
        "zstd -c -Do dict out a",
        "zstd -cDo dict out a",
        "zstd -c -T0o out a",
        "unzip -l -Pa -P-l a.zip",
    ],
    "what is no number is a name": [
        "read -n PATH",
        "read -t PATH < a",
        "echo /tmp/x | read -n PATH; ls",
        "timeout x ls",
    ],
    "a dash is a file of this name": [
        *("rm -", "rm -f -", "rm -- -", "rmdir -", "unlink -", "mkdir -", "touch -", "tee -", "tee -a -"),
        *("chmod +x -", "sed -i s/a/b/ -", "sponge -", "sort -o - a", "shuf -o - a", "ls > -", "ls >> -", "ls 2> -"),
    ],
    "the input may be a file": [
        *("echo x < a > /dev/stdin", "echo x < a >> /dev/fd/0", "tee /dev/stdin < a", "xxd a /dev/fd/0 < b"),
        *("{ echo x > /dev/stdin; } < a", "while read -r l; do echo x > /dev/stdin; done < a", "uniq a /dev/stdin"),
    ],
    "a device that takes any text is still a file": [
        *("rm /dev/null", "rm -f /dev/stdout", "unlink /dev/null", "touch /dev/null", "mkdir /dev/null"),
        *("chmod 644 /dev/null", "chmod +x /dev/stdout", "mv /dev/null a"),
    ],
}


@pytest.mark.parametrize(
    "command",
    [pytest.param(command, id=f"{why}: {command}") for why, commands in OTHERWISE.items() for command in commands],
)
def test_not_proven(analysed, command):
    assert not analysed(command).read_only


@pytest.mark.parametrize(
    "command",
    [
        "xxd -b a",
        "xxd -r -p",
        "uniq -c a",
        "unzip -l a.zip -x b",
        "unzip -p a.zip b.txt",
        "tree -P '*.py' src",
        "tree -aP '*.py' -I node_modules -L 2",
        *("zstd -dc -D dict a.zst", "zstd -c -T0 a"),
        *("bash --version", "tar --version", "patch --version"),
        *("cat -", "sort - < a", "uniq a -", "xxd a -", "xxd -r -p - -", "pdftotext a.pdf -", "grep foo -"),
        *("openssl x509 -noout -in a.pem", 'for c in *.pem; do openssl x509 -noout -enddate -in "$c"; done'),
        *(
            "ls > /dev/null",
            "ls 2>> /dev/null",
            "ls >&2",
            "tee /dev/stderr",
            "ls 2>&-",
            "cat /dev/stdin",
            "grep x /dev/fd/0 < a",
        ),
    ],
)
def test_proven(analysed, command):
    assert analysed(command).read_only


@pytest.mark.parametrize(
    ("command", "path", "deed"),
    [
        ("xxd a -b", "-b", "overwrite"),
        ("uniq a -c", "-c", "overwrite"),
        ("unzip a.zip -d out", "out", "write"),
        ("unzip a.zip b -dout", "out", "write"),
        ("tree -Po x out.txt", "out.txt", "overwrite"),
        ("zstd -c -Do dict out a", "out", "overwrite"),
        ("ls > -", "-", "overwrite"),
        ("rm -f -", "-", "remove"),
        ("rm /dev/null", "/dev/null", "remove"),
        ("pg_dump -f a.sql db", "a.sql", "overwrite"),
        ("patch --dry-run -o b a a.patch", "b", "overwrite"),
        ("rsync -n --log-file=a.log a b", "a.log", "write"),
        ("mysqldump --tab=out db", "out", "write"),
        ("jar cf a.jar src", "a.jar", "write"),
        ("sphinx-build docs out", "out", "write"),
        ("ps2pdf a.ps b.pdf", "b.pdf", "write"),
        ("pdflatex -output-directory out a", "out", "write"),
        ("xattr -w k v a", "a", "write"),
        ("xattr -d k a", "a", "write"),
    ],
)
def test_what_is_written_so_is_seen(analysed, command, path, deed):
    assert (path, deed) in {(touch.spelled, touch.deed.value) for touch in analysed(command).touches}


@pytest.mark.parametrize(
    "command", ["tar cf - src", "zip -r - src", "gzip -9 -", "curl -o - https://example.com", "black -"]
)
def test_a_dash_that_is_the_output_is_no_file(analysed, command):
    assert "-" not in {touch.spelled for touch in analysed(command).touches}


@pytest.mark.parametrize("command", ["mv a /dev/null", "mv -f a /dev/stdout", "touch /dev/null", "chmod 644 /dev/null"])
def test_what_is_done_to_a_device_is_no_edit(analysed, command):
    assert [part.proof for part in analysed(command).commands] == [Proof.NONE]


@pytest.mark.parametrize(
    "command",
    [
        *("openssl s_client host.example.com:443", "openssl ocsp -url http://host.example.com/"),
        *("openssl x509 -noout -in http://host.example.com/a", "mount -t nfs host.example.com:/x /mnt"),
        *("mongodump --host host.example.com", "mongodump --uri mongodb://host.example.com"),
        *("pip install --proxy host.example.com:80 x", "lftp -u a,b host.example.com", "scutil -r host.example.com"),
    ],
)
def test_hosts_are_seen(analysed, command):
    assert any("host.example.com" in host.url for host in analysed(command).hosts)


def test_a_value_that_is_the_next_word_is_no_part_of_a_cluster():
    tree = next(program for program in shipped() if program.name == "tree")
    assert {tree.level.options[name].form.value for name in ("-P", "-I", "-H", "-T", "-o")} == {"separate"}
