# Somebody at a terminal, for the tests of `writ run --pty`: types, looks at
# what appears, and changes the size of the window.
import fcntl
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

WRIT = os.environ["WRIT"]


class Seat:
    def __init__(self, *argv, rows=30, columns=100):
        self.seen = b""
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP, signal.SIGTTOU):
                signal.signal(number, signal.SIG_DFL)
            # The size is there before the command looks at it.
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.environ["TERM"] = "xterm"
            os.environ["PS1"] = "PROMPT> "
            os.execvp(argv[0], argv)

    def resize(self, rows, columns):
        fcntl.ioctl(self.fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, text):
        os.write(self.fd, text.encode())

    def fail(self, what):
        sys.exit("%s; on the screen: %r" % (what, self.seen[-2000:]))

    # Waits until the pattern appears; what was before it is forgotten.
    def sees(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while True:
            match = re.search(pattern.encode(), self.seen)
            if match:
                self.seen = self.seen[match.end():]
                return match.group().decode()
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            if not ready:
                self.fail("never seen: %s" % pattern)
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                more = b""
            if not more:
                self.fail("ended before: %s" % pattern)
            self.seen += more

    def is_raw(self):
        flags = termios.tcgetattr(self.fd)[3]
        return flags & (termios.ICANON | termios.ECHO | termios.ISIG) == 0

    def waits_raw(self, wanted=True):
        for _ in range(500):
            if self.is_raw() == wanted:
                return
            time.sleep(0.02)
        self.fail("the terminal is %s" % ("raw" if self.is_raw() else "not raw"))

    # Everything that appears up to the end, and the status.
    def rest(self):
        seen, self.seen = self.seen, b""
        while True:
            try:
                more = os.read(self.fd, 65536)
            except OSError:
                more = b""
            if not more:
                return seen, os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
            seen += more

    # The status of what was started, once all that it writes was read.
    def status(self):
        while True:
            try:
                if not os.read(self.fd, 65536):
                    break
            except OSError:
                break
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


# A shell with job control, as a person has it.
def shell():
    seat = Seat("bash", "--norc", "--noprofile", "--noediting", "-i")
    seat.sees("PROMPT> ")
    return seat


def is_there(pid):
    try:
        os.kill(pid, 0)
        return True
    except ProcessLookupError:
        return False
