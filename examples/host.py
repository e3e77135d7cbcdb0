#!/usr/bin/env python3
"""A host in Python: commands under a policy, a tool for a model, a module, a manifest, and the record.

    PYTHONPATH=/usr/share/writ/python python3 host.py
"""
import writ

POLICY = """
version: 1
include: [denylist]
agents: {manifest: {}}
"""
BINDINGS = """
spec_version: "1.0"
bindings:
- module_id: my.echo
  target: exec:///bin/echo
  input_schema: {type: object, properties: {message: {type: string}}}
"""

with writ.Engine(policy=POLICY) as engine:
    print(engine.run(["echo", "hello"], timeout=10).text, end="")
    try:
        engine.run(["sudo", "whoami"])
    except writ.Error as error:
        print(error.code, error.message)

    tool = engine.tool("story")
    print(tool.call({"command": "echo", "args": ["$(literal); it is"]}).text)

    modules = writ.Modules(text=BINDINGS)
    print(modules.call(engine, "my.echo", {"message": "hi"})["stdout"], end="")

    made = writ.Manifest(type="exec", properties={"name": "/bin/mkdir /srv/app", "creates": "/srv/app"})
    event = made.apply(engine, noop=True, in_memory=True).events[0]
    print(event["noop_message"] if event["changed"] else event["decided_by"])

print([record["kind"] for record in writ.audit(limit=2)])
