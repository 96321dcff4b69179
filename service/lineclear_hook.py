"""The shim between an agent's hook and Lineclear: whatever goes wrong, the call is asked about or blocked.

    python3 -I -S lineclear_hook.py HOST [--socket PATH | --url URL] [--key-file FILE] [--event NAME]
                                         [--fail ask|block|open] [--timeout SECONDS]

It reads the host's payload from standard input, adds what only this machine can tell (real paths, whether git runs
nothing of the repository's here, what a person typed), asks the service, and prints the host's own answer. Standard
library only, and of that as little as can be: it starts before each tool call, so it imports C modules directly.
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
PASSIVE = frozenset(
    "UserPromptSubmit PostToolUse PostToolUseFailure SessionStart SessionEnd Stop Notification BeforeAgent AfterTool "
    "beforeSubmitPrompt afterShellExecution afterMCPExecution afterFileEdit sessionStart sessionEnd stop "
    "userPromptSubmitted postToolUse pre_user_prompt post_run_command userPromptSubmit agentSpawn TaskStart".split()
)
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

MAX_PAYLOAD = 16_000_000
MAX_ANSWER = 1_000_000
MAX_PATHS = 64
TAIL = 262_144
MOST_LINES, LONGEST_LINE, LONGEST_COMMAND = 20, 16_384, 10_000
BREAKS = {ord(char): " " for char in "'\"`|&;<>()={},\n\t\\"}
NO_PATH = frozenset("*?[$~!")


class Failed(Exception):
    """There is no answer; the text says why, in words of our own."""


def main(arguments):
    """Answer one hook; returns (standard output, standard error, exit status)."""
    options, payload = {"fail": "ask", "timeout": "25"}, {}
    try:
        host = _options(arguments, options)
        raw = _payload()
        found = _loads(raw)
        if not isinstance(found, dict):
            raise Failed("the payload is no JSON object")
        payload = found
        return _asked(host, options, payload, raw)
    except Failed as failure:
        why = str(failure)
    except BaseException as error:  # noqa: BLE001 - nothing may end in a traceback, which hosts take for a go-ahead
        why = "the hook failed (%s)" % type(error).__name__
    return _failed(arguments[0] if arguments else "", options, payload, why)


def _options(arguments, options):
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


def _payload():
    import posix  # noqa: PLC0415 - C modules only, and only once nothing can end in a traceback

    chunks, size = [], 0
    while chunk := posix.read(0, 1_048_576):
        chunks.append(chunk)
        size += len(chunk)
        if size > MAX_PAYLOAD:
            raise Failed("the payload is too large")
    return b"".join(chunks)


def _loads(raw):
    """JSON by the C scanner alone: importing ``json`` takes as long as starting Python."""
    try:
        text = raw.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise Failed("the payload is no UTF-8") from None
    try:
        from _json import make_scanner  # noqa: PLC0415
    except ImportError:
        from json import loads  # noqa: PLC0415

        return loads(text)

    class Context:
        strict, object_hook, object_pairs_hook, memo = True, None, None, None
        parse_float, parse_int, parse_constant = float, int, float

    try:
        value, end = make_scanner(Context)(text, 0)
    except (StopIteration, ValueError, RecursionError):
        raise Failed("the payload is no JSON") from None
    if end != len(text):
        raise Failed("the payload is no JSON")
    return value


def _asked(host, options, payload, raw):
    facts = _quoted(_facts(host, payload)).encode()
    lines = _typed(host, payload)
    extra = b'"lineclear":' + facts[:-1] + b',"transcript":[' + b",".join(lines) + b"]}"
    body = raw.rstrip()[:-1] + (b"," if payload else b"") + extra + b"}"
    status, headers, answer = _posted(host, options, body)
    if status != b"200" or headers.get(b"lineclear-hook") != host.encode():
        raise Failed("what answered was not Lineclear, or it refused (status %s)" % status.decode("ascii", "replace"))
    code = headers.get(b"lineclear-exit")
    if code == b"2":
        return b"", answer, 2
    if code != b"0" or not isinstance(_loads(answer), dict):
        raise Failed("the service's answer can't be read")
    return answer, b"", 0


def _posted(host, options, body):
    import _socket as net  # noqa: PLC0415
    from time import monotonic  # noqa: PLC0415

    until = monotonic() + float(options["timeout"])
    event = options.get("event", "")
    head = (
        f"POST /v1/hooks/{host}{'?event=' + event if event.isalnum() else ''} HTTP/1.1\r\nHost: localhost\r\n"
        f"Authorization: Bearer {_key(options)}\r\nContent-Type: application/json\r\n"
        f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    try:
        connection = _connected(net, options, until - monotonic())
        connection.sendall(head.encode("ascii") + body)
        answer = b""
        while True:
            left = until - monotonic()
            if left <= 0:
                raise TimeoutError
            connection.settimeout(left)
            chunk = connection.recv(65536)
            if not chunk or len(answer) > MAX_ANSWER:
                break
            answer += chunk
    except TimeoutError:
        raise Failed("the service did not answer in time") from None
    except OSError as error:
        raise Failed("the service can't be reached (%s)" % (error.strerror or type(error).__name__)) from None
    top, _, content = answer.partition(b"\r\n\r\n")
    lines = top.split(b"\r\n")
    headers = {name.lower(): value.strip() for name, _, value in (line.partition(b":") for line in lines[1:])}
    if headers.get(b"content-length") != str(len(content)).encode():
        raise Failed("the service's answer was cut off")
    return lines[0][9:12], headers, content


def _connected(net, options, seconds):
    if (path := options.get("socket")) is not None:
        connection = net.socket(net.AF_UNIX, net.SOCK_STREAM)
        address = path
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


def _key(options):
    import os  # noqa: PLC0415

    file = options.get("key-file")
    try:
        key = os.environ.get("LINECLEAR_KEY", "") if file is None else _read(os, file, 4096)[0].decode("ascii")
    except (OSError, UnicodeDecodeError):
        raise Failed("the file of --key-file can't be read") from None
    if not key.strip().isprintable() or not key.strip():
        raise Failed("there is no key: give --key-file, or set LINECLEAR_KEY")
    return key.strip()


def _read(os, path, most):
    """The end of a plain file, and whether that is all of it; no pipe, no device, no link."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        found = os.fstat(handle)
        if found.st_mode & 0o170000 != 0o100000:
            raise OSError("no plain file")
        os.lseek(handle, max(0, found.st_size - most), 0)
        return os.read(handle, most), found.st_size <= most
    finally:
        os.close(handle)


def _facts(host, payload):
    """What only this machine can tell. What can't be found out is left out, which is the stricter reading."""
    import os  # noqa: PLC0415

    home = os.environ.get("HOME", "")
    facts = {"platform": sys.platform, "shell": os.path.basename(os.environ.get("SHELL", "")) or None}
    facts["home"] = home or None
    if root := os.environ.get(ROOTS.get(host, ""), ""):
        facts["workspace_roots"] = [root]
    cwd = payload.get("cwd")
    if isinstance(cwd, str) and cwd[:1] == "/":
        facts["repository_trusted"] = _trusted(os, cwd)
        facts["resolved_paths"] = _real_paths(os, cwd, home, root, payload)
    return {name: value for name, value in facts.items() if value is not None}


def _real_paths(os, cwd, home, root, payload):
    real, found, folders, base = os.path.realpath, {}, {}, cwd
    for place in (cwd, home, root):
        if place:
            found[place] = real(place)
    for text in _texts(payload, 4):
        words = text.translate(BREAKS).split() if len(text) <= LONGEST_COMMAND else ()
        before = ""
        for word in (text, *words) if len(words) > 1 and "\n" not in text else words:
            if len(found) > MAX_PATHS:
                return found
            spelled = home + word[1:] if word[:2] == "~/" and home else word
            if word[0] == "-" or len(word) > 1024 or not NO_PATH.isdisjoint(spelled) or "://" in word:
                continue
            place = os.path.join(base, spelled)
            folder, name = os.path.split(place)
            if name in {"", ".", ".."}:
                target = real(place)
            else:
                if folder not in folders:
                    folders[folder] = real(folder)
                try:
                    os.readlink(place)
                    target = real(place)
                except (OSError, ValueError):  # no link, or nothing there yet: then its folder tells
                    target = os.path.join(folders[folder], name)
            found[word if base == cwd else place] = target
            base = place if before == "cd" and word == words[1] else base
            before = word
    return found


def _texts(value, depth):
    """Texts of a call's input, wherever the host puts it; what tools return isn't there yet."""
    if isinstance(value, str):
        if value.strip():
            yield value
    elif depth and isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _texts(inner, depth - 1)


def _trusted(os, cwd):
    """Whether git executes nothing of the repository's own here: a real folder of ours, and only harmless keys."""
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
        if found.st_mode & 0o170000 != 0o040000 or found.st_uid != os.geteuid():
            return False
        if any(os.path.lexists(git + name) for name in ("commondir", "config.worktree", "hooks/post-index-change")):
            return False
        content, whole = _read(os, git + "config", 65536)
        return whole and _harmless(content.decode("utf-8"))
    except (OSError, ValueError):
        return False


def _harmless(config):
    allowed = ()
    for line in config.split("\n"):
        line = line.strip()  # noqa: PLW2901
        if not line or line[0] in "#;":
            continue
        if line[-1] == "\\":
            return False
        if line[0] == "[":
            section, _, rest = line[1:].partition(" ")
            if not line.endswith("]") or line.count("[") + line.count("]") != 2 or (rest and rest[0] != '"'):
                return False
            allowed = HARMLESS.get(section.rstrip("]").lower(), "").split()
        elif line.partition("=")[0].strip().lower() not in allowed:
            return False
    return True


def _typed(host, payload):
    """Lines of the transcript's end in which a person may speak; which do is the service's to tell."""
    marker, path = TYPED.get(host), payload.get("transcript_path")
    if marker is None or not isinstance(path, str) or "tool_name" not in payload:
        return []
    import os  # noqa: PLC0415

    found = []
    try:
        tail, whole = _read(os, path, TAIL)
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


def _quoted(value):
    """JSON of texts, booleans, lists and objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        try:
            from _json import encode_basestring_ascii as quote  # noqa: PLC0415
        except ImportError:
            from json import dumps as quote  # noqa: PLC0415
        return quote(value)
    if isinstance(value, list):
        return "[" + ",".join(map(_quoted, value)) + "]"
    return "{" + ",".join(_quoted(name) + ":" + _quoted(inner) for name, inner in value.items()) + "}"


def _failed(host, options, payload, why):
    """The answer where there is none: what the person chose, in the host's own form. Needs no module at all."""
    text = "".join(c for c in "Lineclear gave no verdict: %s" % why if " " <= c <= "~" and c not in '"\\%')
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
    return b"", (text + "; the call is blocked\n").encode(), 2


def _finish(out, err, status):
    import posix  # noqa: PLC0415

    for handle, data in ((1, out), (2, err)):
        while data:
            data = data[posix.write(handle, data) :]
    posix._exit(status)  # the interpreter's own way out takes as long as asking the service did


if __name__ == "__main__":
    try:
        _finish(*main(sys.argv[1:]))
    except BaseException:  # noqa: BLE001 - not even told of, so blocked
        sys.exit(2)
