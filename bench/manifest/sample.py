"""One sample: how long a command took, what it cost with all that it started, and how large it became."""
import collections
import ctypes
import os
import signal
import time

Sample = collections.namedtuple("Sample", "wall cpu rss status")
PR_SET_CHILD_SUBREAPER = 36


def adopt():
    """What outlives its parent comes to us, so that its cost is counted too."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def start(command, environment):
    nothing = os.open(os.devnull, os.O_RDWR)
    try:
        return os.posix_spawnp(command[0], command, environment, file_actions=[
            (os.POSIX_SPAWN_DUP2, nothing, 0), (os.POSIX_SPAWN_DUP2, nothing, 1), (os.POSIX_SPAWN_DUP2, nothing, 2)])
    finally:
        os.close(nothing)


def reap():
    """The rest of the tree; its processor time, in seconds."""
    cpu = 0.0
    while True:
        try:
            _, _, usage = os.wait4(-1, 0)
        except ChildProcessError:
            return cpu
        cpu += usage.ru_utime + usage.ru_stime


def take(command, environment, limit=None):
    began = time.perf_counter()
    pid = start(command, environment)
    if limit:
        signal.signal(signal.SIGALRM, lambda *_: os.kill(pid, signal.SIGKILL))
        signal.alarm(limit)
    _, status, usage = os.wait4(pid, 0)
    wall = time.perf_counter() - began
    signal.alarm(0)
    return Sample(wall, usage.ru_utime + usage.ru_stime + reap(), usage.ru_maxrss, os.waitstatus_to_exitcode(status))
