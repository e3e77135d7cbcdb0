"""What is measured: the same resources as each tool writes them down.

A way is apply (N times /bin/true), guarded (all of them satisfied by a file that is there), or noop. What a tool returns
for one is a function that writes its input into a folder and gives the command line, and its environment.
"""
import os
import shutil

WAYS = ("apply", "guarded", "noop")
CLEAN = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "HOME": "/root"}


def write(folder, name, text, mode=0o600):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)
    os.chmod(path, mode)
    return path


def manifest(count, guard="", need=False):
    lines = ["ccm:", "  resources:", "    - exec:"]
    for i in range(count):
        more = f', require: ["exec#r{i - 1}"]' if need and i else ""
        lines.append(f"        - r{i}: {{ command: /bin/true {i}{guard}{more} }}")
    return "\n".join(lines) + "\n"


class Writ:
    name = "writ"
    ways = WAYS

    def __init__(self, program, state):
        self.program = program
        self.environment = {**CLEAN, "WRIT_STATE_DIR": state, "WRIT_CONFIG_DIR": state + "/config",
                            "WRIT_SYSTEM_DIR": state + "/system", "WRIT_CACHE_DIR": state + "/cache"}

    def command(self, folder, way, count, need=False):
        path = write(folder, f"{way}-{count}{'-chain' if need else ''}.yaml",
                     manifest(count, ", creates: /" if way == "guarded" else "", need))
        return [self.program, "apply", *(["--noop"] if way == "noop" else []), path], self.environment


class Shell:
    name = "sh script"
    ways = ("apply", "guarded")

    def command(self, folder, way, count):
        guard = "[ -e / ] || " if way == "guarded" else ""
        return ["/bin/sh", write(folder, f"{way}-{count}.sh", "".join(f"{guard}/bin/true {i}\n" for i in range(count)))], CLEAN


class Make:
    name = "make"
    ways = WAYS

    def command(self, folder, way, count):
        names = " ".join(f"r{i}" for i in range(count))
        rules = "".join(f"r{i}:\n\t@/bin/true {i}\n" for i in range(count))
        phony = f".PHONY: {names}\n"
        if way == "guarded":
            # Targets that are there, and depend on nothing.
            names = " ".join(f"{folder}/made/r{i}" for i in range(count))
            rules = "".join(f"{folder}/made/r{i}:\n\t@/bin/true {i}\n" for i in range(count))
            phony = ""
            os.makedirs(folder + "/made", exist_ok=True)
            for i in range(count):
                write(folder + "/made", f"r{i}", "")
        path = write(folder, f"{way}-{count}.mk", f"all: {names}\n{phony}{rules}")
        return ["make", "-s", *(["-n"] if way == "noop" else []), "-f", path], CLEAN


class CFEngine:
    name = "CFEngine"
    ways = WAYS

    def command(self, folder, way, count):
        guard = ' if => not(fileexists("/etc"))' if way == "guarded" else ""
        text = 'body common control { bundlesequence => { "main" }; }\nbundle agent main\n{\n  commands:\n'
        text += "".join(f'    "/bin/true {i}"{guard};\n' for i in range(count)) + "}\n"
        return ["cf-agent", "-K", *(["-n"] if way == "noop" else []), "-f", write(folder, f"{way}-{count}.cf", text)], CLEAN


class Puppet:
    name = "Puppet"
    ways = WAYS

    def command(self, folder, way, count):
        guard = ", creates => '/'" if way == "guarded" else ""
        text = "".join(f"exec {{ '/bin/true {i}': logoutput => false{guard} }}\n" for i in range(count))
        return ["puppet", "apply", *(["--noop"] if way == "noop" else []), write(folder, f"{way}-{count}.pp", text)], CLEAN


class Ansible:
    name = "Ansible"
    ways = WAYS

    def command(self, folder, way, count):
        guard = ", creates: /" if way == "guarded" else ""
        text = "- hosts: localhost\n  connection: local\n  gather_facts: false\n  tasks:\n"
        text += "".join(f"    - command: {{ cmd: /bin/true {i}{guard} }}\n" for i in range(count))
        path = write(folder, f"{way}-{count}.yml", text)
        return ["ansible-playbook", *(["--check"] if way == "noop" else []), "-i", "localhost,", path], CLEAN


def known(program, state, slow):
    found = [Writ(program, state), Shell()]
    if shutil.which("make"):
        found.append(Make())
    if shutil.which("cf-agent"):
        found.append(CFEngine())
    if slow:
        found += [tool for tool, name in ((Puppet(), "puppet"), (Ansible(), "ansible-playbook")) if shutil.which(name)]
    return found
