"""The shim between an agent's hook and Lineclear: whatever goes wrong, the call is asked about or blocked.

    python3 -I -S lineclear_hook.py HOST [--socket PATH | --url URL] [--key-file FILE] [--event NAME]
                                         [--fail ask|block|open] [--timeout SECONDS]

It reads the host's payload from standard input, adds what only this machine can tell (real paths, whether git runs
nothing of the repository's here, what a person typed), asks the service, and prints the host's own answer. Standard
library only, and of that as little as can be, when it is needed: this starts before each tool call. It is one file, so
that it can be started by its path without a search for modules.
"""

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from _socket import socket

ASKS = {
    "claude-code": '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"ask",'
    '"permissionDecisionReason":"%s"}}',
    "cursor": '{"permission":"ask","user_message":"%s","agent_message":"%s"}',
    "copilot-cli": '{"permissionDecision":"ask","permissionDecisionReason":"%s"}',
}
"""How an *ask* looks where the host can ask; elsewhere ``--fail ask`` is ``block``."""
BLOCKS = {"cline": '{"cancel":true,"errorMessage":"%s"}'}
"""How a denial looks where it isn't exit status 2 with a text on standard error."""
PASSIVE = frozenset(
    {
        "UserPromptSubmit", "PostToolUse", "PostToolUseFailure", "SessionStart", "SessionEnd", "BeforeAgent",
        "AfterTool", "beforeSubmitPrompt", "sessionEnd", "userPromptSubmitted", "postToolUse", "pre_user_prompt",
        "userPromptSubmit", "chat.message", "tool.execute.after",
    }
)  # fmt: skip
"""Events that no call waits for: whatever fails there, the host goes on."""
TYPED = {"claude-code": b'"type":"user"', "codex": b'"type":"user_message"'}
"""What a line of the host's transcript holds that may be a person's."""
ROOTS = {"claude-code": "CLAUDE_PROJECT_DIR", "gemini-cli": "GEMINI_PROJECT_DIR", "cursor": "CURSOR_PROJECT_DIR"}
"""The variable in which the host names the folder that it was started for."""

HARMLESS = {
    "core": "repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode symlinks autocrlf eol "
    "safecrlf quotepath longpaths abbrev commentchar sparsecheckout sparsecheckoutcone untrackedcache preloadindex",
    "remote": "url fetch pushurl tagopt prune mirror promisor partialclonefilter gh-resolved",
    "branch": "remote merge rebase pushremote description vscode-merge-base gh-merge-base",
    "submodule": "url active",
    "user": "name email signingkey",
    "extensions": "objectformat refstorage partialclone",
    "pull": "rebase ff", "push": "default autosetupremote followtags", "fetch": "prune prunetags", "rebase":
    "autosquash autostash updaterefs", "merge": "conflictstyle ff", "diff": "algorithm renames colormoved noprefix "
    "mnemonicprefix", "init": "defaultbranch", "color": "ui", "lfs": "repositoryformatversion", "gc": "auto",
    "commit": "gpgsign", "rerere": "enabled", "maintenance": "auto strategy", "advice": "detachedhead",
}  # fmt: skip
"""Keys of a repository's own configuration that execute nothing. One that isn't here may."""

INPUTS = (
    "tool_input", "args", "toolArgs", "tool_info", "preToolUse", "command", "file_path"
)  # fmt: skip
"""Where hosts put what a tool is given."""
BLOCKED = 2
MAX_PAYLOAD = 16_000_000
MAX_ANSWER = 1_000_000
MAX_PATHS = 64
TAIL = 262_144
MOST_LINES, LONGEST_LINE, LONGEST_COMMAND, LONGEST_PATH = 20, 16_384, 10_000, 1024
KIND, PLAIN, FOLDER = 0o170000, 0o100000, 0o040000
"""Of a mode: which bits say what a file is, and what they are for a plain file and a folder."""
BREAKS = {ord(char): " " for char in "'\"`|&;<>()={},\n\t\\"}
NO_PATH = frozenset("*?[$~!")


class Failed(Exception):
    """There is no answer; the text says why, in words of our own."""


def main(arguments: list[str]) -> tuple[bytes, bytes, int]:
    """Answer one hook; returns (standard output, standard error, exit status)."""
    options: dict[str, str] = {"fail": "ask", "timeout": "25"}
    payload: dict[str, object] = {}
    try:
        host = _options(arguments, options)
        raw = _payload()
        payload = _object(raw)
        return _asked(host, options, payload, raw)
    except Failed as failure:
        why = str(failure)
    except BaseException as error:  # noqa: BLE001 - nothing may end in a traceback, which hosts take for a go-ahead
        why = f"the hook failed ({type(error).__name__})"
    return _failed(arguments[0] if arguments else "", options, payload, why)


def _options(arguments: list[str], options: dict[str, str]) -> str:
    if not arguments or arguments[0].startswith("-"):
        raise Failed("the hook was called without the name of a host")
    for name, value in zip(arguments[1::2], arguments[2::2]):  # noqa: B905 - an odd one out is told below
        if name[:2] != "--" or name[2:] not in {"socket", "url", "key-file", "event", "fail", "timeout"}:
            raise Failed("the hook was called with an unknown option")
        options[name[2:]] = value
    if len(arguments) % 2 == 0:
        raise Failed("an option of the hook has no value")
    if options["fail"] not in {"ask", "block", "open"}:
        options["fail"] = "block"
        raise Failed("--fail takes ask, block or open")
    return arguments[0]


class _Scanning:
    """What the C scanner wants to know."""

    strict, object_hook, object_pairs_hook, memo = True, None, None, None
    parse_float, parse_int, parse_constant = float, int, float


def _payload() -> bytes:
    import posix

    chunks, size = [], 0
    while chunk := posix.read(0, 1_048_576):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_PAYLOAD:
            raise Failed("the payload is too large")
    return b"".join(chunks)


def _object(raw: bytes) -> dict[str, object]:
    found = _loads(raw)
    if not isinstance(found, dict):
        raise Failed("it is no JSON object")
    return found


def _loads(raw: bytes) -> object:
    """JSON by the C scanner alone: importing ``json`` takes as long as starting Python."""
    try:
        text = raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise Failed("it is no UTF-8") from None
    try:
        from _json import make_scanner
    except ImportError:
        from json import loads

        return loads(text)

    try:
        value, end = make_scanner(_Scanning)(text, 0)  # type: ignore[arg-type]
    except (StopIteration, ValueError, RecursionError):
        raise Failed("it is no JSON") from None
    if end != len(text):
        raise Failed("it is no JSON")
    return value


def _asked(host: str, options: dict[str, str], payload: dict[str, object], raw: bytes) -> tuple[bytes, bytes, int]:
    facts = _quoted(_facts(host, payload)).encode()
    lines = _typed(host, payload)
    extra = b'"lineclear":' + facts[:-1] + b',"transcript":[' + b",".join(lines) + b"]}"
    body = raw.rstrip()[:-1] + (b"," if payload else b"") + extra + b"}"
    status, headers, answer = _posted(host, options, body)
    if status != b"200" or headers.get(b"lineclear-hook") != host.encode():
        raise Failed(f"what answered was not Lineclear, or it refused (status {status.decode('ascii', 'replace')})")
    code = headers.get(b"lineclear-exit")
    if code == b"2":
        return b"", answer, BLOCKED
    if code != b"0":
        raise Failed("the service's answer can't be read")
    _object(answer)
    return answer, b"", 0


def _posted(host: str, options: dict[str, str], body: bytes) -> tuple[bytes, dict[bytes, bytes], bytes]:
    from time import monotonic

    until = monotonic() + float(options["timeout"])
    event = "".join(char for char in options.get("event", "") if char.isalnum() or char in "._")
    head = (
        f"POST /v1/hooks/{host}{'?event=' + event if event else ''} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {_key(options)}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    try:
        connection = _connected(options, until - monotonic())
        connection.sendall(head.encode("ascii") + body)
        answer, chunk = b"", b"-"
        while chunk and len(answer) <= MAX_ANSWER:
            connection.settimeout(max(0.001, until - monotonic()))
            chunk = connection.recv(65536)
            answer += chunk
    except TimeoutError:
        raise Failed("the service did not answer in time") from None
    except OSError as error:
        raise Failed(f"the service can't be reached ({error.strerror or type(error).__name__})") from None
    top, _, content = answer.partition(b"\r\n\r\n")
    lines = top.split(b"\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
    if headers.get(b"content-length") != str(len(content)).encode():
        raise Failed("the service's answer was cut off")
    return lines[0][9:12], headers, content


def _connected(options: dict[str, str], seconds: float) -> "socket":
    import _socket as net

    address: str | tuple[str, int] | None = options.get("socket")
    if address is not None:
        connection = net.socket(net.AF_UNIX, net.SOCK_STREAM)
    else:
        url = options.get("url", "http://127.0.0.1:8642").rstrip("/")
        name, _, port = url.removeprefix("http://").rpartition(":")
        if name not in {"127.0.0.1", "localhost", "[::1]"} or not port.isdigit():
            raise Failed("--url takes http://127.0.0.1:PORT; the hook speaks to this machine only")
        connection = net.socket(net.AF_INET6 if name[0] == "[" else net.AF_INET, net.SOCK_STREAM)
        address = (name.strip("[]").replace("localhost", "127.0.0.1"), int(port))
    connection.settimeout(max(0.001, seconds))
    connection.connect(address)
    return connection


def _key(options: dict[str, str]) -> str:
    import os

    file = options.get("key-file")
    try:
        key = os.environ.get("LINECLEAR_KEY", "") if file is None else _read(file, 4096)[0].decode("ascii")
    except (OSError, UnicodeDecodeError):
        raise Failed("the file of --key-file can't be read") from None
    if not key.strip().isprintable() or not key.strip():
        raise Failed("there is no key: give --key-file, or set LINECLEAR_KEY")
    return key.strip()


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

    home = os.environ.get("HOME", "")
    facts: dict[str, object] = {"platform": sys.platform, "home": home or None}
    facts["shell"] = os.environ.get("SHELL", "").rpartition("/")[2] or None
    if root := os.environ.get(ROOTS.get(host, ""), ""):
        facts["workspace_roots"] = [root]
    cwd = payload.get("cwd")
    if isinstance(cwd, str) and cwd[:1] == "/":
        facts["repository_trusted"] = _trusted(cwd)
        facts["resolved_paths"] = _real_paths(cwd, home, root, payload)
    return {name: value for name, value in facts.items() if value is not None}


def _real_paths(cwd: str, home: str, root: str, payload: dict[str, object]) -> dict[str, str]:
    """Where paths lead that a call may mean: its texts, and their words, by the folder that they are read in."""
    from os import path as paths

    real, base = paths.realpath, cwd
    found: dict[str, str] = {}
    folders: dict[str, str] = {}
    for place in (cwd, home, root):
        if place:
            found[place] = real(place)
    for text in _texts([payload[key] for key in INPUTS if key in payload], 5):
        plain = text.translate(BREAKS)
        words = plain.split() if len(text) <= LONGEST_COMMAND else ()
        before = ""
        for word in (text, *words) if plain == text and len(words) > 1 else words:
            if len(found) > MAX_PATHS:
                return found
            spelled = home + word[1:] if word[:2] == "~/" and home else word
            if word[0] == "-" or len(word) > LONGEST_PATH or not NO_PATH.isdisjoint(spelled) or "://" in word:
                continue
            place = paths.join(base, spelled)
            found[word if base == cwd else place] = _target(place, folders)
            base = place if before == "cd" and words.index(word) == 1 else base
            before = word
    return found


def _target(place: str, folders: dict[str, str]) -> str:
    """The real path; each folder is looked up once."""
    import os

    folder, name = os.path.split(place)
    if name in {"", ".", ".."}:
        return os.path.realpath(place)
    if folder not in folders:
        folders[folder] = os.path.realpath(folder)
    try:
        os.readlink(place)
    except (OSError, ValueError):  # no link, or nothing there yet: then its folder tells
        return os.path.join(folders[folder], name)
    return os.path.realpath(place)


def _texts(value: object, depth: int) -> list[str]:
    """All texts in a value."""
    if isinstance(value, str):
        return [value] if value.strip() else []
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return [text for one in inner for text in _texts(one, depth - 1)] if depth else []


def _trusted(cwd: str) -> bool:
    """Whether git executes nothing of the repository's own here: a real folder of ours, and only harmless keys."""
    import os

    if os.environ.get("GIT_DIR"):
        return False
    folder = cwd
    try:
        while True:
            try:
                found = os.lstat(folder + "/.git")
                break
            except FileNotFoundError:
                if os.path.exists(folder + "/HEAD") or folder == "/":  # a bare repository: its folder is what git reads
                    return False
                folder = os.path.dirname(folder)
        git = folder + "/.git/"
        if found.st_mode & KIND != FOLDER or found.st_uid != os.geteuid():
            return False
        if any(os.path.lexists(git + name) for name in ("commondir", "config.worktree", "hooks/post-index-change")):
            return False
        content, whole = _read(git + "config", 65536)
        return whole and _harmless(content.decode("utf-8"))
    except (OSError, ValueError):
        return False


def _harmless(config: str) -> bool:
    allowed: list[str] = []
    for line in map(str.strip, config.split("\n")):
        if not line or line[0] in "#;":
            continue
        if line[-1] == "\\":
            return False
        if line[0] == "[":
            section, _, rest = line[1:].partition(" ")
            if not line.endswith("]") or line.count("[") + line.count("]") != len("[]") or (rest and rest[0] != '"'):
                return False
            allowed = HARMLESS.get(section.rstrip("]").lower(), "").split()
        elif line.partition("=")[0].strip().lower() not in allowed:
            return False
    return True


def _typed(host: str, payload: dict[str, object]) -> list[bytes]:
    """Lines of the transcript's end in which a person may speak; which do is the service's to tell."""
    marker, path = TYPED.get(host), payload.get("transcript_path")
    if marker is None or not isinstance(path, str) or "tool_name" not in payload:
        return []
    found = []
    try:
        tail, whole = _read(path, TAIL)
        for line in tail.split(b"\n")[0 if whole else 1 :]:
            if marker in line and b'"tool_result"' not in line and len(line) <= LONGEST_LINE:
                try:
                    _loads(line)
                except Failed:  # half-written
                    continue
                found.append(line.strip())
    except OSError:
        return []
    return found[-MOST_LINES:]


def _quoted(value: object) -> str:
    """JSON of texts, booleans, lists and objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        try:
            from _json import encode_basestring_ascii as quote
        except ImportError:
            from json import dumps as quote
        return quote(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_quoted, value)) + "]"
    assert isinstance(value, dict)
    return "{" + ",".join(_quoted(name) + ":" + _quoted(inner) for name, inner in value.items()) + "}"


def _failed(host: str, options: dict[str, str], payload: dict[str, object], why: str) -> tuple[bytes, bytes, int]:
    """The answer where there is none: what the person chose, in the host's own form. Needs no module at all."""
    text = "".join(c for c in f"Lineclear gave no verdict: {why}" if " " <= c <= "~" and c not in '"\\%')
    said = payload.get("hook_event_name") or payload.get("agent_action_name") or payload.get("hookName")
    event = said if isinstance(said, str) else options.get("event", "")
    if event in PASSIVE:
        return b"{}", (text + "\n").encode(), 0
    if options["fail"] == "open":
        return b"{}", (text + "; the call goes ahead, as --fail open says\n").encode(), 0
    if options["fail"] == "ask" and host in ASKS:
        form = "{}" if event == "PermissionRequest" else ASKS[host].replace("%s", text + "; decide yourself")
        return form.encode(), (text + "\n").encode(), 0
    if host in BLOCKS:
        return BLOCKS[host].replace("%s", text + "; the call is blocked").encode(), (text + "\n").encode(), 0
    return b"", (text + "; the call is blocked\n").encode(), BLOCKED


def _finish(out: bytes, err: bytes, status: int) -> None:
    import posix

    for handle, data in ((1, out), (2, err)):
        done = 0
        while done < len(data):
            done += posix.write(handle, data[done:])
    posix._exit(status)  # noqa: SLF001 - the interpreter's own way out takes as long as asking the service did


if __name__ == "__main__":
    try:
        _finish(*main(sys.argv[1:]))
    except BaseException:  # noqa: BLE001 - blocked, with a text: without one some hosts go on
        sys.stderr.write("Lineclear: the hook failed; the call is blocked\n")
        sys.exit(BLOCKED)
