"""The sample files that commands find: enough names, kinds, sizes and ages for a search to have something to find."""

from __future__ import annotations

import os
import socket
import time
from typing import TYPE_CHECKING

from benchmarks.truth.observe.archives import pack
from benchmarks.truth.observe.repository import commit_all

if TYPE_CHECKING:
    from pathlib import Path

DAY = 86_400

WORDS = """\
foo bar baz
The quick brown fox jumps over the lazy dog
error: something failed at line 42, see http://example.com/error
hello world 192.168.1.10 user@example.com
pattern string test text TODO fixme class function import main
name,age,city
alice,30,Berlin
bob,25,Paris
1 2 3 4 5
10:20:30 GET /index.html 200 1234
key=value
"""

TEXTS = (
    "file", "file1", "file2", "file3", "filename", "myfile", "infile", "test", "foo", "a", "b", "list", "data",
    "words", "README", "LICENSE", "Makefile", "Dockerfile", "TODO", "CHANGELOG", "names", "log", "datafile",
    "inputfile", "file.txt", "file1.txt", "file2.txt", "file3.txt", "a.txt", "b.txt", "foo.txt", "bar.txt",
    "input.txt", "in.txt", "output.txt", "out.txt", "test.txt", "text.txt", "words.txt", "names.txt", "list.txt",
    "notes.txt", "report.txt", "myfile.txt", "filename.txt", "temp.txt", "log.txt", "1.txt", "2.txt",
    "reference.txt", "original.txt", "README.md", "notes.md", "doc.md", "index.html", "page.htm", "style.css",
    "script.js", "app.ts", "main.jsx", "app.py", "main.py", "test.py", "hello.py", "file.py", "setup.py", "foo.c",
    "main.c", "hello.c", "foo.h", "main.cpp", "Main.java", "Test.java", "main.go", "lib.rs", "app.rb", "index.php",
    "config.php", "script.pl", "test.sh", "script.sh", "run.sh", "build.sh", "a.bash", "data.csv", "file.csv",
    "input.csv", "data.tsv", "app.log", "error.log", "access.log", "server.log", "file.log", "test.log", "app.conf",
    "httpd.conf", "file.conf", "config.ini", "file.ini", "file.tex", "file.bak", "old.bak", "a.tmp", "temp.tmp",
    "a.swp", "notes.txt~", "file.sql", "a.rpm", "a.deb", "a.dat", "input.dat", "file.dat", "hi.dat", "core",
    "file.lock", "a.pid", "file.ext", "my file.txt", "with space", ".hidden", ".bashrc", ".gitignore", ".htaccess",
    ".DS_Store", "file.orig", "fix.patch", "a.diff", "ips.txt", "urls.txt", "script.awk", "report-2012.csv",
    "IMG_001.jpg", "chapter1.html", "file-1.2.log", "a1", "file.properties", "Thumbs.db", "FILE.TXT", "Upper.Txt",
)  # fmt: skip

BINARIES = {
    "image.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x02\0\0\0\x90wS\xde",
    "image.jpg": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    "photo.JPG": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    "photo.jpeg": b"\xff\xd8\xff\xe0\0\x10JFIF\0",
    "image.gif": b"GIF89a\x01\0\x01\0",
    "song.mp3": b"ID3\x03\0\0\0",
    "video.mp4": b"\0\0\0 ftypisom",
    "video.avi": b"RIFF\0\0\0\0AVI ",
    "file.pdf": b"%PDF-1.4\n%%EOF\n",
    "doc.doc": b"\xd0\xcf\x11\xe0",
    "file.bin": bytes(range(256)),
    "main.o": b"\x7fELF\x02\x01\x01\0",
    "app.class": b"\xca\xfe\xba\xbe",
    "a.out": b"\x7fELF\x02\x01\x01\0",
    "module.pyc": b"\xa7\r\r\n",
}

DOCUMENTS = {
    "data.json": '{"name": "app", "version": "1.0", "items": [{"id": 1, "key": "a"}, {"id": 2, "key": "b"}]}\n',
    "file.json": '{"foo": {"bar": [1, 2, 3]}, "users": [{"name": "alice"}], "key": "value"}\n',
    "package.json": '{"name": "app", "version": "1.0.0", "scripts": {"test": "true"}, "dependencies": {}}\n',
    "file.yaml": "foo: bar\nlist:\n  - 1\n  - 2\n",
    "config.yml": "name: app\nsteps:\n  - run: build\n",
    "file.xml": "<root><item id='1'>foo</item></root>\n",
    "pom.xml": "<project><name>app</name></project>\n",
    "pyproject.toml": '[project]\nname = "app"\nversion = "1.0"\n',
    "script.sed": "s/foo/bar/\n",
}

FOLDERS = ("src", "tests", "docs", "dir", "dir1", "dir2", "folder", "build", "lib", "bin", "logs", "data.d", "empty")

OWNERS = {"file3.txt": (0, 0), "file3": (33, 33), "notes.md": (4711, 4711), "access.log": (33, 4), "setuid": (0, 0)}
"""Files of others: root, a web server, and somebody whom nobody knows."""

MODES = {
    "script.sh": 0o755, "run.sh": 0o755, "test.sh": 0o755, "a.out": 0o755, "file.conf": 0o600, "Upper.Txt": 0o777,
    "setuid": 0o4755, "setgid": 0o2755, "open": 0o777, "only-read": 0o444, "none": 0o640, "build": 0o1777,
}  # fmt: skip

PLACES = (
    "path", "path/to", "path/to/dir", "path/to/directory", "path/to/folder", "path/to/files", "some/dir", "dir",
    "mydir", "myfiles", "data", "foo", "home/user", "home/peter", "home/www", "var/www", "var/www/html", "var/log",
    "opt/app", "usr-src", "root", "mnt/data", "media/disk", "srv/app", "directory", "folder",
)  # fmt: skip
"""Folders of the root where a smaller set lies, read-only: commands of the corpora name such places."""


def write_all(home: Path, tmp: Path, user: int) -> None:
    """The home folder with the repository in which commands run, and what lies in the folder for temporary files."""
    scratch = home / "repo"
    _everything(scratch)
    (scratch / "big.log").touch()
    os.truncate(scratch / "big.log", 101 << 20)
    commit_all(scratch)
    for folder in (home, home / "Documents", home / "junk"):
        _few(folder)
    tmp.mkdir(parents=True)
    _few(tmp / "stuff")
    _few(tmp, 12)
    for path in (home, *home.rglob("*"), *tmp.rglob("*")):
        os.chown(path, *OWNERS.get(path.name, (user, user)), follow_symlinks=False)
    for name, mode in MODES.items():
        (scratch / name).chmod(mode)
    tmp.chmod(0o1777)


def write_places(root: Path) -> None:
    """The same few files in each of the places that commands like to name."""
    for place in PLACES:
        _few(root / place)


def _everything(folder: Path) -> None:
    _few(folder, len(TEXTS))
    for index, name in enumerate(FOLDERS[:-1]):
        _few(folder / name, 16, (60 + index * 9) % 100)
        _few(folder / name / "sub" / "deep", 5, 30 + index * 5)
    (folder / "empty").mkdir(exist_ok=True)
    for name, data in BINARIES.items():
        (folder / name).write_bytes(data)
        (folder / "data.d" / name).write_bytes(data)
    for name, text in DOCUMENTS.items():
        (folder / name).write_text(text)
    for name, size in (("medium.dat", 60_000), ("large.dat", 1_500_000), ("huge.dat", 12_000_000)):
        (folder / "logs" / name).write_bytes(b"x" * 63 + b"\n")
        os.truncate(folder / "logs" / name, size)
    (folder / "nothing.txt").touch()
    (folder / "link").symlink_to("file.txt")
    (folder / "dirlink").symlink_to("dir1")
    (folder / "broken").symlink_to("nowhere")
    os.link(folder / "file1.txt", folder / "hardlink.txt")
    os.mkfifo(folder / "fifo")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "socket"))
    for name in MODES:
        (folder / name).touch()
    pack(folder)


def _few(folder: Path, most: int = 60, start: int = 0) -> None:
    """Up to ``most`` of the texts, with ages from minutes to two years."""
    folder.mkdir(parents=True, exist_ok=True)
    now = time.time()
    for index, name in enumerate(TEXTS[start : start + most]):
        path = folder / name
        path.write_text(WORDS * (1 + index % 7))
        age = (0.001, 0.02, 0.5, 1.5, 6, 12, 45, 100, 400, 800)[index % 10] * DAY
        os.utime(path, (now - age, now - age))
