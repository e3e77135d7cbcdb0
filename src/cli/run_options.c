/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The options of `writ run`: one row each, and each row but a few is a key of
 * the JSON request, so the command line cannot do what a request cannot.
 */

#include "cli/command.h"

/* clang-format off */
#define REQUEST(request_key) .target = W_TO_REQUEST, .key = request_key
#define SETTING(setting_key) .target = W_TO_SETTING, .key = setting_key

const struct w_option w_run_options[] = {
	{.heading = "What runs",
	 .name = "shell", .arg = "STRING", REQUEST("shell"),
	 .help = "Run this string with /bin/sh -c instead of a PROGRAM."},
	{.name = "request", .arg = "FILE", .id = W_RUN_REQUEST,
	 .help = "Read the request as JSON from FILE, or from standard input "
	         "for '-'. Options beside it override its keys.",
	 .words = "@file"},
	{.name = "trace-id", .arg = "ID", REQUEST("trace_id"),
	 .help = "A word of yours that the result carries."},

	{.heading = "Where and as whom",
	 .name = "cwd", .arg = "DIR", REQUEST("cwd"),
	 .help = "The working directory.", .standard = "the current one",
	 .words = "@dir"},
	{.name = "root", .arg = "DIR", REQUEST("roots"),
	 .help = "The working directory must lie beneath DIR, whatever links "
	         "are on the way. May be repeated.",
	 .standard = "the working directory itself", .words = "@dir"},
	{.name = "user", .arg = "USER", REQUEST("user"),
	 .help = "Run as this user, by name or number. Needs root.",
	 .words = "@user"},
	{.name = "group", .arg = "GROUP", REQUEST("group"),
	 .help = "Run as this group, by name or number. Needs root.",
	 .words = "@group"},
	{.name = "umask", .arg = "MODE", REQUEST("umask"),
	 .help = "The file mode mask, in octal.",
	 .standard = "that of writ"},
	{.name = "nice", .arg = "N", REQUEST("nice"),
	 .help = "Add N to the niceness."},

	{.heading = "Sandbox",
	 .name = "sandbox", .arg = "PROFILE", REQUEST("sandbox"),
	 .help = "The walls around the command: none, env, readonly, "
	         "workspace, strict, a profile of your own, or a file with a "
	         "'/' in its name. 'writ sandbox list' shows them.",
	 .standard = "none",
	 .words = "@profile"},
	{.name = "read", .arg = "PATH", REQUEST("read"),
	 .help = "Let the command read PATH and what is beneath it. May be "
	         "repeated, like the next two; relative paths start at the "
	         "working directory of the command.",
	 .words = "@file"},
	{.name = "write", .arg = "PATH", REQUEST("write"),
	 .help = "Let the command read and write PATH and what is beneath "
	         "it.",
	 .words = "@file"},
	{.name = "hide", .arg = "PATH", REQUEST("hide"),
	 .help = "Hide PATH from the command, also inside what it may read "
	         "or write.",
	 .words = "@file"},
	{.name = "network", .arg = "MODE", REQUEST("network"),
	 .help = "What the command reaches: off, loopback (its own, with "
	         "nobody else on it) or host.",
	 .standard = "as the profile says",
	 .words = "off|loopback|host|default"},
	{.name = "tmp-size", .arg = "SIZE", REQUEST("tmp_size"),
	 .help = "End the run when its private TMPDIR holds more than this.",
	 .standard = "as the profile says"},
	{.name = "best-effort", REQUEST("best_effort"),
	 .help = "Do without walls that this machine cannot build, instead of "
	         "refusing to run. The result lists them."},
	{.name = "explain-denials", REQUEST("explain_denials"),
	 .help = "Say afterwards what the walls refused, and which option "
	         "would allow it. Makes the run slower."},

	{.heading = "Environment",
	 .name = "env-mode", .arg = "MODE", REQUEST("env_mode"),
	 .help = "What the environment starts from: minimal, clean, isolated "
	         "or inherit.",
	 .standard = "minimal", .words = "minimal|clean|isolated|inherit"},
	{.name = "env", .letter = 'e', .arg = "NAME=VALUE", REQUEST("env"),
	 .help = "Set a variable. May be repeated."},
	{.name = "pass", .arg = "GLOB", REQUEST("env_pass"),
	 .help = "Pass on variables whose names match. May be repeated."},
	{.name = "drop", .arg = "GLOB", REQUEST("env_drop"),
	 .help = "Leave out variables whose names match. May be repeated."},

	{.heading = "Input and output",
	 .name = "stdin", .arg = "SPEC", .id = W_RUN_STDIN,
	 .help = "What the command reads: null, inherit, text:STRING, "
	         "file:PATH or @PATH.",
	 .standard = "that of writ, or null when that is a terminal",
	 .words = "null|inherit|text:|file:"},
	{.name = "output-limit", .arg = "SIZE", REQUEST("output_limit"),
	 .help = "Keep this much of each stream for the result: its head and "
	         "its tail. Never cuts what is shown live.",
	 .standard = "1MiB with --json, else nothing"},
	{.name = "spill-limit", .arg = "SIZE", REQUEST("spill_limit"),
	 .help = "Write a stream that outgrows the output limit to a file of "
	         "up to this size.",
	 .standard = "1GiB with --json, else no file"},
	{.name = "max-output", .arg = "SIZE", REQUEST("max_output"),
	 .help = "End the run when both streams together exceed this.",
	 .standard = "none"},

	{.heading = "Time",
	 .name = "timeout", .arg = "DURATION", REQUEST("timeout_ms"),
	 .help = "End the run after this long, like 30s, 1h30m or 250ms.",
	 .standard = "none"},
	{.name = "idle-timeout", .arg = "DURATION", REQUEST("idle_timeout_ms"),
	 .help = "End the run after this long without output.",
	 .standard = "none"},
	{.name = "grace", .arg = "DURATION", REQUEST("grace_ms"),
	 .help = "How long the processes may take to end after SIGTERM, "
	         "before SIGKILL.",
	 .standard = "5s"},

	{.heading = "Limits",
	 .name = "cpu", .arg = "DURATION", REQUEST("cpu_ms"),
	 .help = "Processor time of the whole process tree.",
	 .standard = "none"},
	{.name = "memory", .arg = "SIZE", REQUEST("memory"),
	 .help = "Memory of the whole process tree, like 64MiB or 2GiB.",
	 .standard = "none"},
	{.name = "processes", .arg = "N", REQUEST("processes"),
	 .help = "Processes of the whole tree at one time.",
	 .standard = "none"},
	{.name = "open-files", .arg = "N", REQUEST("open_files"),
	 .help = "Open files of each process.", .standard = "that of writ"},
	{.name = "file-size", .arg = "SIZE", REQUEST("file_size"),
	 .help = "Size of each file that is written.",
	 .standard = "that of writ"},

	{.heading = "Ending",
	 .name = "background", .arg = "kill|keep", REQUEST("background"),
	 .help = "What becomes of processes that still run when the command "
	         "has ended by itself.",
	 .standard = "kill", .words = "kill|keep"},
	{.name = "tree", .arg = "HOW", REQUEST("tree"),
	 .help = "What holds the process tree together: auto, cgroup, pidns, "
	         "keeper or caller.",
	 .standard = "auto", .words = "auto|cgroup|pidns|keeper|caller"},

	{.name = "detach", .letter = 'd', .id = W_RUN_DETACH,
	 .help = "Start the command in a process of its own, print the id of "
	         "the run and return. It goes on without the caller and its "
	         "terminal; its output is kept. See writ ps, output, wait and "
	         "kill."},

	{.heading = "Record",
	 .name = "agent", .arg = "NAME", REQUEST("agent"),
	 .help = "Who asks for this run; the record says so."},
	{.name = "secret", .arg = "SPEC", .id = W_RUN_SECRET,
	 .help = "A value that no record shows, wherever in the request it "
	         "stands: env:NAME, file:PATH or text:STRING. May be "
	         "repeated. Values of variables like API_TOKEN are kept out "
	         "by themselves.",
	 .words = "env:|file:|text:"},
	{.name = "keep", .arg = "SIZE", REQUEST("keep"),
	 .help = "Keep this much of the output, with its timing, for writ "
	         "output and writ audit replay.",
	 .standard = "1MiB"},
	{.name = "record", .id = W_RUN_RECORD,
	 .help = "Keep all of the output, up to 1GiB: --keep 1GiB."},
	{.name = "audit-durability", .arg = "MODE", SETTING("audit_durability"),
	 .help = "When the record is on the disk: sync (before the command "
	         "starts), batch (some milliseconds later) or none (whenever "
	         "the kernel writes it).",
	 .standard = "batch", .words = "sync|batch|none"},
	{.name = "audit-failure", .arg = "MODE", SETTING("audit_failure"),
	 .help = "What to do when the record cannot be written: refuse to "
	         "run, or run without one.",
	 .standard = "refuse", .words = "refuse|run"},
	{.name = "audit-key", .arg = "FILE", SETTING("audit_key"),
	 .help = "Hash records under the key in FILE.",
	 .standard = "none", .words = "@file"},

	{.heading = "Output of writ",
	 .name = "json", .id = W_RUN_JSON,
	 .help = "Print one JSON object when the run has ended, instead of "
	         "its output as it comes. Spill files are kept."},
	{.name = "quiet", .letter = 'q', .id = W_RUN_QUIET,
	 .help = "No status line and no notes on standard error."},
	{.name = "state-dir", .arg = "DIR", SETTING("state_dir"),
	 .help = "Where writ keeps its state; see writ config show.",
	 .words = "@dir"},
	{.name = "spill-dir", .arg = "DIR", SETTING("spill_dir"),
	 .help = "Where spill files are written.",
	 .standard = "outputs in the state directory", .words = "@dir"},
	W_HELP_ROW,
	{.name = NULL},
};
/* clang-format on */
