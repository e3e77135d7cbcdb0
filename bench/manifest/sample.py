"""One sample: how long a command took, what it cost with all that it started, and how large it became."""
import collections
import subprocess

Sample = collections.namedtuple("Sample", "wall cpu rss status")
LIMIT = 300  # seconds


def take(cost, command, environment):
    """cost is the program of bench/programs/cost.c. Seconds, seconds, KiB, exit status."""
    said = subprocess.run([cost, str(LIMIT), *command], env=environment, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, check=True, text=True).stdout.split()
    return Sample(float(said[0]), float(said[3]), int(said[1]), int(said[2]))
