"""The figures as tables of Markdown."""
import statistics



def number(value, digits):
    return f"{value:,.{digits}f}".replace(",", " ")


def cell(figures, name, digits=1, best=min, scale=1):
    """The median, and in brackets the best."""
    values = [value for value in figures.get(name, []) if value is not None]
    if not values:
        return "–"
    return f"{number(statistics.median(values) / scale, digits)} ({number(best(values) / scale, digits)})"


def one(figures, name, digits=0, scale=1, unit=""):
    values = [value for value in figures.get(name, []) if value is not None]
    return number(statistics.median(values) / scale, digits) + unit if values else "–"


def left(figures):
    return " / ".join(one(figures, "after " + way) for way in ("timeout", "cancel", "disconnect"))


def ratio(figures, base, name):
    """The median of what each turn says: both were asked within moments."""
    pairs = list(zip(figures.get(name, []), base.get(name, [])))
    return f"{statistics.median(ours / floor for ours, floor in pairs):.2f}" if pairs else "–"


COLUMNS = [
    ("server", lambda name, f, _: name),
    ("start, ms", lambda _, f, __: cell(f, "start")),
    ("`tools/list`, ms", lambda _, f, __: cell(f, "list", 2)),
    ("its size", lambda _, f, __: one(f, "list bytes", 1, 1024, " K")),
    ("`echo`, ms", lambda _, f, __: cell(f, "echo", 2)),
    ("× floor", lambda _, f, base: ratio(f, base, "echo by turns")),
    ("16 at once, /s", lambda _, f, __: cell(f, "rate", 0, max)),
    ("× floor", lambda _, f, base: ratio(f, base, "rate")),
    ("50 × `sleep 0.2`, ms", lambda _, f, __: cell(f, "sleepers", 0)),
    ("memory idle, MB", lambda _, f, __: one(f, "idle", 1, 1024)),
    ("50 MiB: ms", lambda _, f, __: one(f, "flood")),
    ("answer", lambda _, f, __: one(f, "flood bytes", 0, 1024, " K")),
    ("memory, MB", lambda _, f, __: one(f, "flood memory", 1, 1024)),
    ("left running after timeout / cancel / disconnect", lambda _, f, __: left(f)),
]


def table(figures, base_name):
    base = figures.get(base_name, {})
    lines = ["| " + " | ".join(title for title, _ in COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for name, one_row in figures.items():
        lines.append("| " + " | ".join(make(name, one_row, base) for _, make in COLUMNS) + " |")
    return "\n".join(lines) + "\n"
