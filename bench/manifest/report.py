"""The figures as tables of Markdown."""
import statistics

ORDER = ("writ", "sh script", "sh again", "make", "CFEngine", "Puppet", "Ansible")
WAYS = ("apply", "guarded", "noop")


def least(samples, name):
    return min(getattr(one, name) for one in samples)


def cell(samples):
    if not samples:
        return "–"
    if any(one.status != 0 for one in samples):
        return "ended after 300 s"
    return f"{least(samples, 'wall') * 1000:,.1f} / {least(samples, 'cpu') * 1000:,.1f} / {least(samples, 'rss') / 1024:.1f}"


def slope(figures, tool, way, counts):
    """What one more resource costs: processor time, in microseconds."""
    few, many = (figures.get((tool, way, count)) for count in (counts[-2], counts[-1]))
    if not few or not many:
        return "–"
    return f"{(least(many, 'cpu') - least(few, 'cpu')) / (counts[-1] - counts[-2]) * 1e6:,.0f}"


def by_turns(figures, key, floor, name):
    pairs = list(zip(figures.get(key, []), figures.get(floor, [])))
    if not pairs:
        return None
    return statistics.median(getattr(ours, name) / getattr(base, name) for ours, base in pairs)


def against_sh(figures, tool, way, count):
    key, floor = (tool, way, count), ("sh script", "apply", count)
    if way != "apply" or key not in figures:
        return "–"
    # What was measured once had no turn beside the script.
    turns = f"{by_turns(figures, key, floor, 'wall'):.2f}" if len(figures[key]) > 1 else "–"
    return (f"{turns} ({least(figures[key], 'wall') / least(figures[floor], 'wall'):.2f}; "
            f"CPU {least(figures[key], 'cpu') / least(figures[floor], 'cpu'):.2f})")


def verdict(value, aim, bar):
    return "aim" if value <= aim else "bar" if value <= bar else "**MISSED**"


def beside(figures, counts):
    lines = ["| tool | " + " | ".join(f"N={count}" for count in counts) + " | µs a resource | × sh |",
             "|---|" + "---|" * (len(counts) + 2)]
    for tool, way in ((tool, way) for tool in ORDER for way in WAYS):
        if (tool, way, counts[0]) not in figures:
            continue
        row = [cell(figures.get((tool, way, count))) for count in counts]
        lines.append(f"| {tool}, {way} | " + " | ".join(row) +
                     f" | {slope(figures, tool, way, counts)} | {against_sh(figures, tool, way, counts[-1])} |")
    return "\n".join(lines) + "\n"


def bars(figures, counts):
    most = counts[-1]
    one = figures["writ", "apply", 1]
    rows = [("N=1 apply, wall, least", least(one, "wall") * 1000, "ms", 4, 8),
            ("N=1 apply, memory", least(one, "rss") / 1024, "MB", 5, 9),
            (f"N={most} apply / sh script, least wall",
             least(figures["writ", "apply", most], "wall") / least(figures["sh script", "apply", most], "wall"), "", 1.10, 1.25),
            (f"N={most} apply / sh script, median of turns",
             by_turns(figures, ("writ", "apply", most), ("sh script", "apply", most), "wall"), "", 1.10, 1.25)]
    for way in ("guarded", "noop"):
        few, many = figures["writ", way, counts[-2]], figures["writ", way, most]
        rows.append((f"a {way} resource, CPU", (least(many, "cpu") - least(few, "cpu")) / (most - counts[-2]) * 1e6, "µs", 10, 25))
    for way in ("guarded", "chain"):
        sizes = sorted(count for _, kind, count in figures if kind == way and _ == "writ")[-2:]
        small, large = (figures["writ", way, size] for size in sizes)
        rows.append((f"{sizes[1]:,} resources, {way}, least wall", least(large, "wall"), "s", 2, 5))
        rows.append((f"{sizes[1]:,} / {sizes[0]:,}, {way}, CPU (10 is linear)", least(large, "cpu") / least(small, "cpu"), "", 10, 12))
        rows.append((f"{sizes[1]:,} resources, {way}, memory", least(large, "rss") / 1024, "MB", None, None))
    lines = ["| measure | writ | aim | bar | |", "|---|---|---|---|---|"]
    for name, value, unit, aim, bar in rows:
        said = ("", "", "") if aim is None else (f"{aim:g}", f"{bar:g}", verdict(value, aim, bar))
        lines.append(f"| {name} | {value:.2f} {unit} | " + " | ".join(said) + " |")
    return "\n".join(lines) + "\n"


def tables(figures, counts):
    return bars(figures, counts) + "\n" + beside(figures, counts)
