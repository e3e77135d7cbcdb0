"""The figures that are kept in the tree: bench/gate.tsv.

A row is a scene on a kind of machine: scene, instructions, system calls, what it was counted on, and why the figure last
changed. Lines that begin with '#' are comments.
"""
import os
import tempfile

LIMIT = 3.0   # percent that a count may be above its figure
SAME = 0.5    # percent that a count differs from itself
WORDS = ("instructions", "system calls")


class Bad(Exception):
    """The file cannot be used."""


class Row:
    def __init__(self, scene, counts, kind, reason):
        self.scene = scene
        self.counts = counts
        self.kind = kind
        self.reason = reason

    def text(self):
        return "\t".join([self.scene, *map(str, self.counts), self.kind, self.reason])


def read_row(path, number, line):
    cells = line.split("\t")
    if len(cells) != 5:
        raise Bad(f"{path}:{number}: {len(cells)} columns instead of 5 (scene, instructions, system calls, on, reason)")
    if not (cells[1].isdigit() and cells[2].isdigit()):
        raise Bad(f"{path}:{number}: instructions and system calls must be whole numbers")
    return Row(cells[0], (int(cells[1]), int(cells[2])), cells[3], cells[4])


def read(path):
    """The lines of the file: each a Row, or the text of a comment."""
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().splitlines()
    except FileNotFoundError:
        return []
    rows = [line if line.startswith("#") or not line.strip() else read_row(path, number, line)
            for number, line in enumerate(lines, 1)]
    places = [(row.scene, row.kind) for row in rows if isinstance(row, Row)]
    twice = [place for place in places if places.count(place) > 1]
    if twice:
        raise Bad(f"{path}: '{twice[0][0]}' occurs twice for '{twice[0][1]}'")
    return rows


def write(path, rows):
    """As a whole or not at all."""
    text = "".join((row.text() if isinstance(row, Row) else row) + "\n" for row in rows)
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=os.path.dirname(os.path.abspath(path)), delete=False) as file:
        file.write(text)
    os.chmod(file.name, 0o644)
    os.replace(file.name, path)


def find(rows, scene, kind):
    return next((row for row in rows if isinstance(row, Row) and (row.scene, row.kind) == (scene, kind)), None)


def rise(count, figure):
    """In percent."""
    return (count - figure) / figure * 100 if figure else (100.0 if count else 0.0)


def rises(row, counts):
    return [rise(count, figure) for count, figure in zip(counts, row.counts)]


def update(rows, counted, kind, reason):
    """New figures where they changed. All other rows stay what and where they are. The names of those that changed."""
    changed = []
    for scene, counts in counted.items():
        row = find(rows, scene, kind)
        if row is None:
            rows.append(Row(scene, counts, kind, reason))
        elif max(map(abs, rises(row, counts))) > SAME:
            row.counts, row.reason = counts, reason
        else:
            continue
        changed.append(scene)
    return changed
