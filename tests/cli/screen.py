# A person who looks at a screen, for the tests of questions; follows seat.py.
# The screen knows the sequences that a question is drawn with, and no others.
import subprocess

KEYS = r"\[\?\] > $"

class Screen:
    def __init__(self, columns):
        self.columns, self.lines, self.row, self.column, self.bells = columns, [""], 0, 0, 0

    def put(self, char):
        line = self.lines[self.row].ljust(self.column)
        self.lines[self.row] = line[:self.column] + char + line[self.column + 1:]
        self.column += 1

    def control(self, number, final):
        if final == "A":
            self.row = max(0, self.row - number)
        elif final == "C":
            self.column += number
        elif final == "J":
            self.lines[self.row:] = [self.lines[self.row][:self.column]]
        elif final == "K":
            self.lines[self.row] = self.lines[self.row][:self.column]
        elif final != "m":
            raise SystemExit("an unexpected sequence: %r" % final)

    def feed(self, text):
        for part in re.finditer(r"\x1b\[([0-9;]*)([A-Za-z])|\r\n|(.)", text, re.DOTALL):
            if part.group(2):
                number = part.group(1)
                self.control(int(number) if number.isdigit() else 1, part.group(2))
            elif part.group() == "\r\n":
                self.row, self.column = self.row + 1, 0
                self.lines[self.row:] = self.lines[self.row:] or [""]
            elif part.group() == "\r":
                self.column = 0
            elif part.group() == "\a":
                self.bells += 1
            elif part.group() < " ":
                raise SystemExit("a control character: %r" % part.group())
            else:
                self.put(part.group())

class Person(Seat):
    def __init__(self, *argv, rows=24, columns=80):
        super().__init__(*argv, rows=rows, columns=columns)
        self.screen = Screen(columns)

    # Waits until the screen ends so, and returns its lines.
    def until(self, pattern, seconds=20):
        end = time.monotonic() + seconds
        while not re.search(pattern, "\n".join(self.screen.lines)):
            ready, _, _ = select.select([self.fd], [], [], max(0, end - time.monotonic()))
            try:
                more = os.read(self.fd, 65536) if ready else b""
            except OSError:
                more = b""
            if not more:
                sys.exit("never seen: %s; on the screen: %s" % (pattern, "\n".join(self.screen.lines)))
            self.screen.feed(more.decode())
        return list(self.screen.lines)

    def wraps(self, columns):
        self.screen = Screen(columns)

# The first line of the question, the last line of the command, and the keys.
def parts(lines):
    first = max(i for i, line in enumerate(lines) if line.startswith("writ: approval "))
    keys = next(i for i, line in enumerate(lines) if i > first and line.startswith("[y]"))
    return lines[first:], lines[first:keys], lines[keys:]

def fits(lines, columns):
    block, above, keys = parts(lines)
    assert len(block) <= 12, block
    assert all(len(line) <= columns for line in block), block
    return above, keys
