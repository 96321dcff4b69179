"""OpenCode's plugin: it runs the shim, and throws. What gets no answer is blocked, unless a person chose otherwise."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PLUGIN = """\
// Lineclear's hook for OpenCode: asks before each tool, and throws where the call may not run. Written by
// `lineclear install opencode`; `lineclear install opencode --uninstall` removes it.
import { spawn } from "node:child_process"

const COMMAND = @COMMAND@
const FAIL = "@FAIL@"
const LONGEST_MS = 30_000

function ask(event, payload) {
  return new Promise((resolve) => {
    const [program, ...words] = COMMAND
    const fail = event !== "tool.execute.before" ? "pass" : FAIL === "open" ? "open" : "block"
    const child = spawn(program, [...words, "--event", event, "--fail", fail])
    let out = "", err = ""
    const late = setTimeout(() => child.kill("SIGKILL"), LONGEST_MS)
    child.stdout.on("data", (data) => (out += data))
    child.stderr.on("data", (data) => (err += data))
    child.stdin.on("error", () => {})
    const ended = (code) => {
      clearTimeout(late)
      resolve({ code, out, err })
    }
    child.on("error", (error) => {
      err += error.message
      ended(null)
    })
    child.on("close", ended)
    child.stdin.end(JSON.stringify({ event, ...payload }))
  })
}

// A sub-agent has a session of its own below its parent's: its calls belong to the topmost, and what "its user" said is
// the model's. Of a session that can't be looked up nothing counts as a person's word.
const above = new Map()

async function sessionOf(client, id) {
  try {
    for (let top = id, depth = 0; depth < 16; depth++) {
      if (!above.has(top)) above.set(top, (await client.session.get({ path: { id: top } })).data.parentID ?? null)
      if (above.get(top) === null) return { sessionID: top, agentID: top === id ? undefined : id }
      top = above.get(top)
    }
  } catch {}
  return { sessionID: id, agentID: id }
}

// What a person typed is the command; the text that stands for it is its file's.
const commands = new Map()

export const Lineclear = async ({ client, directory }) => ({
  "tool.execute.before": async ({ tool, sessionID, callID }, { args }) => {
    const { code, out, err } = await ask("tool.execute.before", {
      tool, ...(await sessionOf(client, sessionID)), callID, args, directory, cwd: directory,
    })
    let answer = null
    try {
      answer = code === 0 ? JSON.parse(out) : null
    } catch {}
    // Status 2 is what the shim ends with where nobody's choice lets the call pass: a model can bring that about.
    if (answer === null && (FAIL !== "open" || code === 2))
      throw new Error(err.trim() || "Lineclear gave no verdict: blocked")
    if (answer?.deny) throw new Error(answer.deny)
  },
  "tool.execute.after": async ({ tool, sessionID, callID, args }) => {
    const session = await sessionOf(client, sessionID)
    await ask("tool.execute.after", { tool, ...session, callID, args, directory, cwd: directory })
  },
  "command.execute.before": async ({ command, sessionID, arguments: rest }) => {
    commands.set(sessionID, `/${command} ${rest ?? ""}`.trim())
  },
  "chat.message": async ({ sessionID, messageID }, { message, parts }) => {
    const own = parts.filter((part) => part.type === "text" && !part.synthetic).map((part) => part.text)
    const text = commands.get(sessionID) ?? own.join("\\n")
    commands.delete(sessionID)
    if (text && (await sessionOf(client, sessionID)).agentID === undefined)
      await ask("chat.message", { sessionID, messageID: message?.id ?? messageID, text })
  },
})
"""


def plugin(command: Sequence[str], fail: str) -> str:
    """The plugin's source; ``command`` starts the shim for this host, ``fail`` is what happens without an answer."""
    return PLUGIN.replace("@COMMAND@", json.dumps(list(command))).replace("@FAIL@", fail)
