#!/usr/bin/env python3
"""Types command lines into a shell on a terminal, presses TAB at the end of each,
and prints the words that the shell then makes of the line, in parentheses.

    typed.py bash|zsh|fish SCRIPT LINE...
"""
import os
import pty
import re
import select
import sys
import time

START = {
    "bash": (["bash", "--norc", "--noprofile", "-i"], ". '%s'"),
    "zsh": (["zsh", "-f", "-i"], "autoload -Uz compinit; compinit -u -D; . '%s'"),
    "fish": (["fish", "--no-config", "-i"], "source '%s'"),
}
# The shells write the digits as characters; the line as it is typed has none of these.
READY = r"printf '\x28%s\x29\n' ready"
WORDS = r"printf '\x28%s\x29' "


def read_until(fd, pattern):
    seen, end = b"", time.monotonic() + 30
    while not re.search(pattern, seen, re.DOTALL):
        if time.monotonic() > end or not select.select([fd], [], [], 30)[0]:
            sys.exit(f"no {pattern} in {seen}")
        seen += os.read(fd, 65536)
    return re.search(pattern, seen, re.DOTALL)


def main(shell, script, *lines):
    argv, load = START[shell]
    child, fd = pty.fork()
    if child == 0:
        os.execvp(argv[0], argv)
    os.write(fd, (load % script + "; " + READY + "\r").encode())
    read_until(fd, rb"\(ready\)\r\n")
    for line in lines:
        # Control-A and control-E go to the beginning and to the end of the line.
        os.write(fd, line.encode() + b"\t\x01" + WORDS.encode() + b"\x05 '|'\r")
        words = read_until(fd, rb"(\(writ\).*)\(\|\)").group(1)
        print(words.decode().replace("\r\n", "\n"))
    os.close(fd)
    os.waitpid(child, 0)


main(*sys.argv[1:])
