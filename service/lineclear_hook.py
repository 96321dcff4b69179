"""The shim between an agent's hook and Lineclear: whatever goes wrong, the call is asked about or blocked.

    python3 -I -S lineclear_hook.py HOST [--socket PATH | --url URL] [--key-file FILE] [--event NAME]
                                         [--fail ask|block|open|pass] [--timeout SECONDS]

It adds to the host's payload what only this machine can tell, asks the service, and prints the host's own answer.
``--fail pass`` is for events that no call waits for. This starts before each tool call: hence one file, started by its
path without a search for modules, and of the standard library as little as can be, when it is needed.
"""

import sys

ASKS = {
    "claude-code": '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",'
    '"permissionDecisionReason":"%s"}}',
    "cursor": '{"permission":"ask","user_message":"%s","agent_message":"%s"}',
    "copilot-cli": '{"permissionDecision":"ask","permissionDecisionReason":"%s"}',
}
"""How an *ask* looks where the host can ask; elsewhere ``--fail ask`` is ``block``."""
BLOCKS = {"cline": '{"cancel":true,"errorMessage":"%s"}'}
"""How a denial looks where it isn't exit status 2 with a text on standard error."""
BY_EXIT = frozenset({"kiro", "windsurf"})  # they read no document, and show what is written, to the model too
TYPED = {"claude-code": b'"type":"user"', "codex": b'"type":"user_message"'}  # what a person's line in a transcript has
ROOTS = {"claude-code": "CLAUDE_PROJECT_DIR", "gemini-cli": "GEMINI_PROJECT_DIR", "cursor": "CURSOR_PROJECT_DIR"}
"""The variable in which the host names the folder that it was started for."""
INPUTS = ("tool_input", "args", "toolArgs", "tool_info", "preToolUse", "command", "file_path")  # what a tool is given

BLOCKED, MAX_PAYLOAD, MAX_ANSWER, MAX_INDEX, TAIL = 2, 16_000_000, 1_000_000, 16_000_000, 262_144
MAX_PATHS, LONGEST_COMMAND, LONGEST_PATH, LONGEST_FOLDER, MOST_LINES, LONGEST_LINE = 64, 10_000, 1024, 4096, 20, 16_384
KIND, PLAIN, FOLDER, INNER = 0o170000, 0o100000, 0o040000, b"\0\0\xe0\0"
"""Of a mode: the bits that say what a file is; a plain file, a folder, and in git's index a repository within it."""
ELSEWHERE = {"GIT_DIR", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_EXTERNAL_DIFF", "GIT_CONFIG_COUNT", "GIT_EXEC_PATH"}
STRANGE = ("commondir", "config.worktree", "sharedindex.", "post-index-change")  # git would obey these, and those
BREAKS, NO_PATH = {ord(char): " " for char in "'\"`|&;<>()={},\n\t\\"}, frozenset("*?[$~!")


class Failed(Exception):
    """There is no answer; the text says why, in words of our own."""


class Final(Failed):
    """The same, and nothing to ask a person about."""


def main(arguments: list[str]) -> tuple[bytes, bytes, int]:
    """Answer one hook; returns (standard output, standard error, exit status)."""
    options = {"fail": "ask", "timeout": "25", "host": arguments[0] if arguments else ""}
    try:
        _options(arguments[1:], options)
        _hurried(float(options["timeout"]))
        return _asked(options, sys.stdin.buffer.read(MAX_PAYLOAD + 1))
    except Failed as failure:
        return _failed(options, str(failure), final=isinstance(failure, Final))
    except KeyboardInterrupt:
        return _failed(options, "there was no answer in time, or the hook was stopped", final=False)
    except BaseException as error:  # noqa: BLE001 - nothing may end in a traceback, which hosts take for a go-ahead
        return _failed(options, f"the hook failed ({type(error).__name__})", final=False)


def _options(words: list[str], options: dict[str, str]) -> None:
    known = {"--socket", "--url", "--key-file", "--event", "--fail", "--timeout"}
    options.update((name[2:], value) for name, value in zip(words[::2], words[1::2], strict=False))
    if len(words) % 2 or not known.issuperset(words[::2]) or options["fail"] not in {"ask", "block", "open", "pass"}:
        raise Final("the hook was called with options that it doesn't know")


def _hurried(seconds: float) -> None:
    """Bound all that follows, reading the payload and looking at files included: hosts go on without a late answer."""
    import _signal as signals  # type: ignore[import-not-found]

    for number in (signals.SIGALRM, signals.SIGTERM, signals.SIGHUP):
        signals.signal(number, signals.default_int_handler)  # raises what nothing on the way takes for its own fault
    signals.pthread_sigmask(signals.SIG_UNBLOCK, [signals.SIGALRM])
    signals.setitimer(signals.ITIMER_REAL, max(0.001, seconds))


def _object(raw: bytes) -> dict[str, object] | None:
    """JSON by the C scanner alone: importing ``json`` takes as long as starting Python. None where it is no object."""
    from _json import make_scanner

    class Context:
        strict, object_hook, object_pairs_hook, memo = True, None, None, None
        parse_float, parse_int, parse_constant = float, int, float

    try:
        text = raw.decode("utf-8").strip()
        value, end = make_scanner(Context)(text, 0)  # type: ignore[arg-type]
    except (StopIteration, ValueError, RecursionError, SystemError):  # the last: it looks for ``json``'s own error
        return None
    return value if isinstance(value, dict) and end == len(text) else None


def _written(value: object) -> bytes:
    """JSON by the C encoder alone."""
    from _json import encode_basestring_ascii, make_encoder

    encode = make_encoder(None, None, encode_basestring_ascii, None, ":", ",", False, False, True)  # type: ignore[arg-type]  # noqa: FBT003
    return "".join(encode(value, 0)).encode()


def _asked(options: dict[str, str], raw: bytes) -> tuple[bytes, bytes, int]:
    payload = _object(raw) if len(raw) <= MAX_PAYLOAD else None
    if payload is None:  # which a model can bring about: so nobody's choice of another answer holds
        raise Final("the payload is no JSON object in UTF-8, or it is too large")
    facts = _written(_facts(options["host"], payload))
    own = b'"lineclear":%b,"transcript":[%b]}' % (facts[:-1], b",".join(_typed(options["host"], payload)))
    body = b"%b%b%b}" % (raw.rstrip()[:-1], b"," if payload else b"", own)
    status, headers, answer = _posted(options, body)
    if status != b"200" or headers.get(b"lineclear-hook") != options["host"].encode():
        raise Failed(f"what answered was not Lineclear, or it refused (status {status.decode('ascii', 'replace')})")
    code = headers.get(b"lineclear-exit")
    if code == b"2" and answer.strip():  # without a text some hosts go on
        return b"", answer, BLOCKED
    if code != b"0" or _object(answer) is None:
        raise Failed("the service's answer can't be read")
    return b"" if options["host"] in BY_EXIT else answer, b"", 0


def _posted(options: dict[str, str], body: bytes) -> tuple[bytes, dict[bytes, bytes], bytes]:
    import _socket as net

    event = "".join(char for char in options.get("event", "") if char.isalnum() or char in "._")
    head = (
        f"POST /v1/hooks/{options['host']}{'?event=' + event if event else ''} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {_key(options)}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    path, port, answer, chunk = options.get("socket"), _port(options), b"", b"-"
    connection = net.socket(net.AF_INET if path is None else net.AF_UNIX, net.SOCK_STREAM)
    try:
        connection.connect(("127.0.0.1", port) if path is None else path)
        connection.sendall(head.encode("ascii") + body)
        while chunk and len(answer) <= MAX_ANSWER:
            chunk = connection.recv(65536)
            answer += chunk
    except OSError as error:
        raise Failed(f"the service can't be reached ({error.strerror or type(error).__name__})") from None
    top, _, content = answer.partition(b"\r\n\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (one.partition(b":") for one in top.split(b"\r\n"))}
    if headers.get(b"content-length") != str(len(content)).encode():
        raise Failed("the service's answer was cut off")
    return top[9:12], headers, content


def _port(options: dict[str, str]) -> int:
    name, _, port = options.get("url", "http://127.0.0.1:8642").rstrip("/").rpartition(":")
    if name not in {"http://127.0.0.1", "http://localhost"} or not port.isdigit():
        raise Final("--url takes http://127.0.0.1:PORT; the hook speaks to this machine only")
    return int(port)


def _key(options: dict[str, str]) -> str:
    import os

    file = options.get("key-file")
    try:
        key = (os.environ.get("LINECLEAR_KEY", "") if file is None else _read(file, 4096)[0].decode("ascii")).strip()
    except (OSError, UnicodeDecodeError):
        raise Failed("the file of --key-file can't be read") from None
    if not key or not key.isascii() or not key.isprintable():
        raise Failed("there is no key: give --key-file, or set LINECLEAR_KEY")
    return key


def _read(path: str, most: int) -> tuple[bytes, bool]:
    """The end of a plain file, and whether that is all of it; no pipe, no device, no link."""
    import os

    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(handle)
        if found.st_mode & KIND != PLAIN:
            raise OSError("no plain file")
        os.lseek(handle, max(0, found.st_size - most), 0)
        return os.read(handle, most), found.st_size <= most
    finally:
        os.close(handle)


def _facts(host: str, payload: dict[str, object]) -> dict[str, object]:
    """What only this machine can tell. What can't be found out is left out, which is the stricter reading."""
    import os

    told, cwd = [os.environ.get(name, "") for name in ("HOME", ROOTS.get(host, ""), "SHELL")], payload.get("cwd")
    home, root, shell = (text if text.isprintable() else "" for text in told)  # JSON can't hold every file's name
    facts: dict[str, object] = {"platform": sys.platform, "shell": shell.rpartition("/")[2], "home": home}
    facts["roots"] = [root] if root else []
    if isinstance(cwd, str) and cwd[:1] == "/" and len(cwd) <= LONGEST_FOLDER:
        found = _real_paths(cwd, home, root, payload).items()
        facts["resolved_paths"] = {path: real for path, real in found if (path + real).isprintable()}
        facts["git_config"] = _git_config(cwd)
    return facts


def _real_paths(cwd: str, home: str, root: str, payload: dict[str, object]) -> dict[str, str]:
    """Where paths lead that a call may mean: its texts, and their words, by the folder that they are read in."""
    from os.path import join, realpath

    found, base, looked_at = {place: realpath(place) for place in (cwd, home, root) if place}, cwd, 0
    for text in _texts([payload[key] for key in INPUTS if key in payload], 5, []):
        plain = text.translate(BREAKS)
        words = plain.split() if len(text) <= LONGEST_COMMAND else []
        if plain == text and len(words) > 1 and NO_PATH.isdisjoint(text):  # a path with spaces in it
            found[text] = realpath(join(cwd, text))
        for index, word in enumerate(words):
            spelled = home + word[1:] if word[:2] == "~/" and home else word
            if word[0] == "-" or len(word) > LONGEST_PATH or not NO_PATH.isdisjoint(spelled) or "://" in word:
                continue
            if looked_at >= MAX_PATHS:
                return found
            looked_at, place = looked_at + 1, join(base, spelled)
            found[word if base == cwd else place] = realpath(place)
            if index == 1 and words[0] == "cd":
                base = place
    return found


def _texts(value: object, depth: int, found: list[str]) -> list[str]:
    if isinstance(value, str) and "\0" not in value and value.encode("utf-8", "replace").decode() == value:
        found.append(value)
    for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        if not depth or len(found) >= MAX_PATHS:
            break
        _texts(one, depth - 1, found)
    return found


def _git_config(cwd: str) -> list[str] | None:
    """The lines of the repository's own configuration, without values: whether they are harmless the service tells.

    None where they don't tell it all: a git folder that is a link or not ours, a hook that reading runs, a repository
    within this one, which git looks through by that one's own configuration.
    """
    import os

    folder = cwd
    try:
        while not os.path.lexists(folder + "/.git"):
            above = os.path.dirname(folder)
            if os.path.lexists(folder + "/HEAD") or above == folder:  # a bare repository is what git would read here
                return None
            folder = above
        git = folder + "/.git/"
        found = os.lstat(git[:-1])
        if found.st_mode & KIND != FOLDER or found.st_uid != os.geteuid() or not ELSEWHERE.isdisjoint(os.environ):
            return None
        names = "/".join([*os.listdir(git), *(os.listdir(git + "hooks") if os.path.lexists(git + "hooks") else ())])
        index, known = _read(git + "index", MAX_INDEX) if os.path.lexists(git + "index") else (b"", True)
        content, whole = _read(git + "config", 65536)
        if INNER in index or b"\\\n" in content or not known or not whole or any(name in names for name in STRANGE):
            return None
        return [line.partition("=")[0] for line in content.decode().split("\n")]
    except (OSError, ValueError):
        return None


def _typed(host: str, payload: dict[str, object]) -> list[bytes]:
    """Lines of the transcript's end in which a person may speak; which do is the service's to tell."""
    marker, path = TYPED.get(host), payload.get("transcript_path")
    if marker is None or not isinstance(path, str) or "tool_name" not in payload:
        return []
    try:
        tail, whole = _read(path, TAIL)
    except (OSError, ValueError):
        return []
    lines = [line for line in tail.split(b"\n")[0 if whole else 1 :] if marker in line and len(line) <= LONGEST_LINE]
    return [line for line in lines if b'"tool_result"' not in line and _object(line)][-MOST_LINES:]


def _failed(options: dict[str, str], why: str, *, final: bool) -> tuple[bytes, bytes, int]:
    """The answer where there is none: what the person chose, in the host's own form. Needs no module at all."""
    host, fail, text = options["host"], options["fail"], f"Lineclear gave no verdict: {why}"
    text = "".join(char for char in text if " " <= char <= "~" and char not in '"\\%')
    if fail == "pass" or (fail == "open" and not final):
        return b"" if host in BY_EXIT else b"{}", f"{text}; it goes on, as --fail {fail} says\n".encode(), 0
    asked = fail == "ask" and host in ASKS and not final
    text += "; decide yourself" if asked else "; the call is blocked"
    form = ASKS[host] if asked else BLOCKS.get(host, "")
    return form.replace("%s", text).encode(), f"{text}\n".encode(), 0 if form else BLOCKED


def _finish(out: bytes, err: bytes, status: int) -> None:
    """Write and leave. What can't be written is no answer, and blocks."""
    import posix

    for name in ("stdout", "stderr"):
        try:
            if data := out if name == "stdout" else err:
                getattr(sys, name).buffer.write(data)
                getattr(sys, name).buffer.flush()
        except BaseException:  # noqa: BLE001 - closed, full, or nobody reads
            err, status = err or b"Lineclear: the answer can't be written; the call is blocked\n", BLOCKED
    posix._exit(status)  # noqa: SLF001 - the interpreter's own way out takes as long as asking the service did


if __name__ == "__main__":
    try:
        _finish(*main(sys.argv[1:]))
    except BaseException:  # noqa: BLE001 - blocked, with a text: without one some hosts go on
        _finish(b"", b"Lineclear: the hook failed; the call is blocked\n", BLOCKED)
