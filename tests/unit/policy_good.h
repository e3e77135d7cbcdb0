/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TESTS_POLICY_GOOD_H
#define W_TESTS_POLICY_GOOD_H

/* Policies that are in order, with every key in every form. */
static const char *const policy_good[] = {
    "version: 1",
    "version: 1\ninclude: developer",
    "version: 1\ninclude: [denylist, developer]",
    "version: 1\ninclude: []",
    "version: 1\ndefault: allow",
    "version: 1\ndefault: { decision: deny, message: \"no {command}\", "
    "because: x }",
    "version: 1\nsandbox: my-own",
    "version: 1\nnetwork: loopback",
    "version: 1\njudge: exec",
    "version: 1\njudge: request",
    "version: 1\nroots: .",
    "version: 1\nroots: [., ./sub, ~/work, /srv/x]",
    "version: 1\nroots: { paths: [.], message: \"not {cwd}\" }",
    "version: 1\nroots: { message: \"not {cwd}\" }",
    "version: 1\nlimits: { timeout: 2m, max_timeout: 1h30m, idle: 1.5s, "
    "output: 1MiB, spill: 64MB, max_output: 4096, cpu: 250ms, memory: 1.5GiB, "
    "processes: 64, open_files: 4294967295, file_size: 1k, tmp: 1T }",
    "version: 1\nlimits: {}",
    "version: 1\nlimits: { tmp: disk }",
    "version: 1\nlimits: { tmp: { size: 20GiB, on: disk } }",
    "version: 1\nlimits: { tmp: { on: memory } }",
    "version: 1\nlimits: { tmp: {} }",
    "version: 1\nenvironment: inherit",
    "version: 1\nenvironment: { mode: clean, pass: [LANG, \"LC_*\"], drop: "
    "SECRET, set: { A: \"\", _b1: x=y } }",
    "version: 1\narguments: strict-modules",
    "version: 1\narguments: { mode: strict-exec, message: no }",
    "version: 1\nshell: deny",
    "version: 1\nshell: { mode: ask, program: bash, message: \"{agent} may "
    "not\" }",
    "version: 1\nprograms: []",
    "version: 1\nprograms: [ls, /usr/bin/git, \"python3*\"]",
    "version: 1\nprograms: { only: ls, allow: false, message: no, because: b }",
    "version: 1\nexec_shape: argv",
    "version: 1\nexec_shape: story",
    "version: 1\nexec_shape: oxios",
    "version: 1\ndefault_agent: me",
    "version: 1\nundo: on",
    "version: 1\nundo: auto",
    "version: 1\nagents: {}",
    "version: 1\nagents: { a: , \"b*\": {}, c: { tools: [ls, \"cli.git.*\"], "
    "message: \"{binary}\", because: x, sandbox: strict, network: off, judge: "
    "exec, undo: trial, roots: "
    "[./c], limits: { cpu: 1s }, environment: minimal, shell: { mode: deny, "
    "message: m }, rules: [ { deny: {} } ] } }",
    "version: 1\nrules: []",
    "version: 1\nrules: [ { allow: git log ... } ]",
    "version: 1\nrules: [ { allow: { shape: [ls, \"git log * ...\"] } } ]",
    "version: 1\nrules: [ { deny: { agent: a, program: [\"*sudo\", /bin/su], "
    "called_as: \"*/*\", module: \"cli.*\", called: \"my.*\", effect: [priv, "
    "unknown], host: "
    "\"*.example.org\", variable: LD_*, shell: false, sandbox: \"< "
    "workspace\", network: [loopback, host] }, because: b, message: \"{cwd} "
    "{program} {binary} {}\" } ]",
    "version: 1\nrules: [ { ask: { inputs: { force: true, count: [1, 2.5], "
    "name: \"x*\", none: null } } } ]",
    "version: 1\nrules: [ { deny: { read: /, write: [\"/**\", \"~/x\"], "
    "delete: \"./**\", exec: \"**/bin/*\" } } ]",
    "version: 1\nrules: [ { ask: { time: { days: mon-fri, from: \"08:00\", "
    "to: 24:00 } } } ]",
    "version: 1\nrules: [ { ask: { time: { days: [sat, sun] } } } ]",
    "version: 1\nrules: [ { ask: { shell: \"\" } }, { ask: { shell: \"*x*\" } "
    "} ]",
    "version: 1\nexpect: [ { allow: ls -l }, { deny: { shell: a | b } }, { "
    "ask: { command: x, agent: y } } ]",
};

#define policy_good_count (sizeof(policy_good) / sizeof(policy_good[0]))

#endif /* W_TESTS_POLICY_GOOD_H */
