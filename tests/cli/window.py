# A window of so many rows and columns, for the tests of `writ watch` and `writ
# attach`; follows seat.py. It knows the sequences that these may write, and no
# others: any other one fails the test.
import codecs
import subprocess


class Window(Seat):
    def __init__(self, *argv, rows=24, columns=80):
        super().__init__(*argv, rows=rows, columns=columns)
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.rest_of_sequence = ""
        self.bells = 0
        self.is_alternate, self.has_cursor, self.wraps = False, True, True
        self.is_new_size = False
        self.shape(rows, columns)

    def shape(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = 0

    def resize(self, rows, columns):
        super().resize(rows, columns)
        self.shape(rows, columns)
        # What was written for the size before may still come.
        self.is_new_size = True

    def lines(self):
        return ["".join(row).rstrip() for row in self.cells]

    def text(self):
        return "\n".join(self.lines())

    def newline(self):
        self.row += 1
        if self.row >= self.rows:
            self.cells = self.cells[1:] + [[" "] * self.columns]
            self.row = self.rows - 1

    def put(self, char):
        if self.column >= self.columns:
            if not self.wraps and self.is_new_size:
                return
            if not self.wraps:
                self.fail_with("written beyond the right edge: %r" % char)
            self.column = 0
            self.newline()
        self.cells[self.row][self.column] = char
        self.column += 1

    def fail_with(self, what):
        sys.exit("%s; in the window:\n%s" % (what, self.text()))

    def mode(self, parameters, is_on):
        if parameters == "?1049":
            self.is_alternate = is_on
        elif parameters == "?25":
            self.has_cursor = is_on
        elif parameters == "?7":
            self.wraps = is_on
        else:
            self.fail_with("an unexpected mode: %s" % parameters)

    def control(self, parameters, final):
        number = int(parameters) if parameters.isdigit() else 0
        if final == "H":
            row, _, column = parameters.partition(";")
            self.row, self.column = int(row or 1) - 1, int(column or 1) - 1
            # The size may have changed since this was written.
            self.row = min(self.row, self.rows - 1)
        elif final == "A":
            self.row = max(0, self.row - max(1, number))
        elif final == "C":
            self.column += max(1, number)
        elif final == "J":
            if number != 2:
                self.cells[self.row][self.column:] = [" "] * max(0, self.columns - self.column)
            for i in range(0 if number == 2 else self.row + 1, self.rows):
                self.cells[i] = [" "] * self.columns
        elif final == "K":
            self.cells[self.row][self.column:] = [" "] * max(0, self.columns - self.column)
        elif final in "hl" and parameters.startswith("?"):
            self.mode(parameters, final == "h")
        elif final != "m":
            self.fail_with("an unexpected sequence: %s%s" % (parameters, final))

    def feed(self, data):
        text = self.rest_of_sequence + self.decoder.decode(data)
        cut = re.search(r"\x1b(\[[0-9;:?]*)?$", text)
        self.rest_of_sequence = cut.group() if cut else ""
        text = text[:cut.start()] if cut else text
        for part in re.finditer(r"\x1b\[([0-9;:?]*)([A-Za-z])|(.)", text, re.DOTALL):
            char = part.group()
            if part.group(2):
                self.control(part.group(1), part.group(2))
            elif char == "\n":
                self.newline()
            elif char == "\r":
                self.column = 0
            elif char == "\a":
                self.bells += 1
            elif char < " " or "\x7f" <= char < "\xa0":
                self.fail_with("a control character: %r" % char)
            else:
                self.put(char)

    # Reads what is there, or waits for something. false: nothing came.
    def take(self, seconds):
        ready, _, _ = select.select([self.fd], [], [], max(0, seconds))
        if not ready:
            return False
        try:
            data = os.read(self.fd, 65536)
        except OSError:
            data = b""
        if not data:
            return None
        self.feed(data)
        return True

    # Waits until the pattern is in the window; returns the match.
    def until(self, pattern, seconds=30):
        end = time.monotonic() + seconds
        while True:
            match = re.search(pattern, self.text(), re.MULTILINE)
            if match:
                self.is_new_size = False
                return match
            if not self.take(end - time.monotonic()):
                self.fail_with("never seen: %s" % pattern)

    def until_not(self, pattern, seconds=30):
        end = time.monotonic() + seconds
        while re.search(pattern, self.text(), re.MULTILINE):
            if not self.take(end - time.monotonic()):
                self.fail_with("still seen: %s" % pattern)

    # Reads to the end; the status of the command.
    def leaves(self):
        while self.take(30):
            pass
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def begin(*words, **more):
    return subprocess.Popen([WRIT, "run", *words], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, **more)


def run_ids(*words):
    return subprocess.run([WRIT, "ps", "--ids", *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          check=True).stdout.decode().split()
