"""Test cases as functions, with TAP on standard output.

    @case("a sentence that is true")
    def _():
        equal(1 + 1, 2)

    @case("what takes seconds", full=True)      # WRIT_TEST_TAGS='!full' leaves it out

    run()      # at the end of the file; `FILE WORD` runs those with the word in their names

A case that cannot run says so with skip("why"); where nothing may be left out
(WRIT_MUST_RUN=1) that is a failure, unless it runs elsewhere: as another user,
or from another directory. `./check` fails for a case that ran nowhere.
"""
import os
import sys
import traceback

CASES = []


class Skipped(Exception):
    def __init__(self, why, runs_elsewhere=False):
        super().__init__(why)
        self.runs_elsewhere = runs_elsewhere


def case(name, full=False):
    def keep(function):
        if not full or os.environ.get("WRIT_TEST_TAGS") != "!full":
            CASES.append((name, function))
        return function
    return keep


def skip(why, runs_elsewhere=False):
    raise Skipped(why, runs_elsewhere)


def equal(got, wanted, what=""):
    if got != wanted:
        raise AssertionError(f"{what + ': ' if what else ''}got {got!r}, wanted {wanted!r}")


def holds(claim, what):
    if not claim:
        raise AssertionError(what if isinstance(what, str) else repr(what))


def is_in(part, whole):
    if part not in whole:
        raise AssertionError(f"{part!r} is not in {whole!r}")


def fails(kind, function, *args, **named):
    """The exception of that kind which it raises."""
    try:
        result = function(*args, **named)
    except kind as error:
        return error
    raise AssertionError(f"no {kind.__name__}, but {result!r}")


def run_one(number, name, function):
    try:
        function()
    except Skipped as why:
        if why.runs_elsewhere or os.environ.get("WRIT_MUST_RUN") != "1":
            print(f"ok {number} - {name} # SKIP {why}", flush=True)
            return True
        print(f"not ok {number} - {name}\n# {why}", flush=True)
        return False
    except Exception:  # pylint: disable=broad-except
        print(f"not ok {number} - {name}")
        print("# " + traceback.format_exc().rstrip().replace("\n", "\n# "), flush=True)
        return False
    print(f"ok {number} - {name}", flush=True)
    return True


def run():
    chosen = [one for one in CASES if all(word in one[0] for word in sys.argv[1:])]
    print(f"1..{len(chosen)}", flush=True)
    results = [run_one(number, *one) for number, one in enumerate(chosen, 1)]
    sys.exit(0 if all(results) and results else 1)
