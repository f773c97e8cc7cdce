#!/usr/bin/env bash
# The REPL on a terminal: prompts, definitions over several lines, completion of names, history over two sessions, and a
# history file only where it belongs.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

python3 - "$root/build/sluice" "$scratch" <<'PYTHON'
import os, pty, re, select, signal, sys, termios, time

sluice, scratch = sys.argv[1:]
env = {"PATH": os.environ["PATH"], "TERM": "xterm", "HOME": scratch, "XDG_STATE_HOME": scratch + "/state"}


class Session:
    def __init__(self):
        self.pid, self.terminal = pty.fork()
        if self.pid == 0:
            os.chdir(scratch)
            os.execve(sluice, ["sluice", "repl"], env)
        self.text = ""

    def wait_for(self, pattern):
        """Everything up to the pattern, without control sequences."""
        deadline = time.monotonic() + 60
        while True:
            plain = re.sub(r"\x1b\[[0-9;]*[A-Za-z]|[\r\x07]", "", self.text)
            found = re.search(pattern, plain)
            if found:
                self.text = plain[found.end():]
                return plain[:found.end()]
            if time.monotonic() > deadline:
                sys.exit(f"repl_terminal: waited in vain for {pattern!r}; got {plain!r}")
            if select.select([self.terminal], [], [], 1)[0]:
                self.text += os.read(self.terminal, 4096).decode()

    def type(self, keys):
        # The prompt stands before the terminal is switched to single keys, and what comes before that can be lost.
        deadline = time.monotonic() + 60
        while termios.tcgetattr(self.terminal)[3] & termios.ICANON and time.monotonic() < deadline:
            time.sleep(0.01)
        os.write(self.terminal, keys.encode())

    def end(self):
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid != 0:
                if status != 0:
                    sys.exit(f"repl_terminal: status {status}")
                return
            time.sleep(0.01)
        os.kill(self.pid, signal.SIGKILL)
        sys.exit("repl_terminal: the session did not end")


one = Session()
one.wait_for(r"`:help` for the commands\n.*sluice> ")
one.type("1 + 2\n")
one.wait_for(r"\n3 : number\nsluice> ")
one.type("fn twice(n: number) -> number =\n")
one.wait_for(r"\n\.\.\.\.> ")
one.type("n * 2\n")
one.wait_for(r"\nsluice> ")
one.type("twi\t")  # a name that was just defined
one.wait_for(r"twice")
one.type("(21)\n")
one.wait_for(r"^\(21\)\n42 : number\nsluice> ")
one.type(":qu\t\n")
one.end()

two = Session()
two.wait_for(r"sluice> ")
two.type("\x1b[A\x1b[A\n")  # the line before `:quit`
two.wait_for(r"no function is called `twice`[\s\S]*sluice> ")
two.type("\x04")  # the end of the input
two.end()

if os.listdir(scratch) != ["state"] or os.listdir(scratch + "/state/sluice") != ["history"]:
    sys.exit("repl_terminal: files beside the history")
PYTHON

# Through a pipe no history is kept.
mkdir "$scratch/piped"
printf '1 + 2\n' | HOME="$scratch/piped" XDG_STATE_HOME="$scratch/piped" "$root/build/sluice" repl >"$scratch/out"
[ "$(cat "$scratch/out")" = "3 : number" ] || { echo "repl_terminal: in a pipe: $(cat "$scratch/out")" >&2; exit 1; }
[ -z "$(ls -A "$scratch/piped")" ] || { echo "repl_terminal: a pipe left files" >&2; exit 1; }
