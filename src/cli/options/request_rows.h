/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_REQUEST_ROWS_H
#define W_CLI_REQUEST_ROWS_H

#include "cli/options/request_args.h"

/*
 * The options that `writ run` and `writ call` share, group by group. Nearly
 * every row is a key of the JSON request, so that the command line can do
 * nothing that a request cannot. A default that differs between the commands
 * is an argument of the macro.
 */

/* clang-format off */
/* w_request_args is the first member of the command's struct, and
 * w_cli_request_store() the first of its stores. */
#define W_REQUEST_TO(kind_word, member) \
	W_TO(kind_word, struct w_request_args, member)
#define W_REQUEST_KEY(request_key) \
	.kind = W_OPTION_REQUEST, .key = request_key, \
	.store = 1
#define W_SETTING_KEY(setting_key) \
	.kind = W_OPTION_SETTING, .key = setting_key, \
	.store = 1

/* The words of the command. */
#define W_REQUEST_OPERAND \
	&(const struct w_option){.words = "@command", .arg = "WORD", W_REQUEST_KEY("argv")}


#define W_ROWS_POLICY() \
	{.heading = "Policy", \
	 .name = "policy", .arg = "FILE|PRESET", W_SETTING_KEY("policy"), \
	 .help = "Use this policy instead of the user's and the project's: a " \
	         "file, or the name of a preset. The machine's policy always " \
	         "applies as well.", \
	 .words = "@policy"}, \
	{.name = "agent", .arg = "NAME", W_REQUEST_KEY("agent"), \
	 .help = "The agent that this run is for: the policy decides by it, " \
	         "and the record names it.", \
	 .standard = "the policy's default agent"}, \
	{.name = "approval-session", .arg = "ID", W_REQUEST_KEY("session"), \
	 .help = "The session that an approval may apply to.", \
	 .standard = "the terminal's"}, \
	{.name = "explain", W_REQUEST_TO(FLAG, is_explained), \
	 .help = "First print, on standard error, what the policy decides, " \
	         "and why."}, \
	{.name = "dry-run", W_REQUEST_TO(FLAG, is_dry_run), \
	 .help = "Print what the policy decides, and run nothing: like 'writ " \
	         "policy explain'."}

#define W_ROWS_SANDBOX(sandbox_standard) \
	{.heading = "Sandbox", \
	 .name = "sandbox", .arg = "PROFILE", W_REQUEST_KEY("sandbox"), \
	 .help = "The sandbox profile: none, env, container, readonly, workspace, " \
	         "strict, a profile of your own, or a file with a '/' in its " \
	         "name. 'writ sandbox list' shows them.", \
	 .standard = sandbox_standard, \
	 .words = "@profile"}, \
	{.name = "read", .arg = "PATH", W_REQUEST_KEY("read"), \
	 .help = "Let the command read PATH and what is beneath it. May be " \
	         "repeated, like the next two; relative paths start at the " \
	         "working directory of the command.", \
	 .words = "@file"}, \
	{.name = "write", .arg = "PATH", W_REQUEST_KEY("write"), \
	 .help = "Let the command read and write PATH and what is beneath " \
	         "it.", \
	 .words = "@file"}, \
	{.name = "hide", .arg = "PATH", W_REQUEST_KEY("hide"), \
	 .help = "Hide PATH from the command, also inside what it may read " \
	         "or write.", \
	 .words = "@file"}, \
	{.name = "network", .arg = "MODE", W_REQUEST_KEY("network"), \
	 .help = "The network that the command can use: off, loopback " \
	         "(private to the run), hosts (those that --host and the " \
	         "policy name) or host (all that this machine reaches).", \
	 .standard = "as the policy and the profile say", \
	 .words = "off|loopback|hosts|host|default"}, \
	{.name = "host", .arg = "HOST", W_REQUEST_KEY("hosts"), \
	 .help = "Let the command reach HOST, and no other that is not named: a " \
	         "name, *.NAME, an address, a network like 192.0.2.0/24, each " \
	         "with :PORT or without, or the hosts of a package manager: " \
	         "@npm, @pip, @cargo, @go, @apt. May be repeated."}, \
	{.name = "tmp", .arg = "WHERE", W_REQUEST_KEY("tmp"), \
	 .help = "Where the private /tmp lies: in memory, or for large work on " \
	         "disk, where its size is sampled. It is removed at the end " \
	         "either way.", \
	 .standard = "as the policy and the profile say", \
	 .words = "memory|disk|default"}, \
	{.name = "tmp-size", .arg = "SIZE", W_REQUEST_KEY("tmp_size"), \
	 .help = "End the run when its private TMPDIR holds more than this.", \
	 .standard = "as the profile says"}, \
	{.name = "undo", .arg = "KIND", W_REQUEST_KEY("undo"), \
	 .help = "Run on a layer over the working directory, so that writ undo " \
	         "can take back what it changes. trial: the changes wait for " \
	         "writ trial accept. auto: under what deletes, overwrites or " \
	         "is not understood.", \
	 .standard = "as the policy says, else off", \
	 .words = "off|auto|on|trial|default"}, \
	{.name = "stays", W_REQUEST_KEY("stays"), \
	 .help = "The command is known to stay, as a server or a watcher does: " \
	         "with --undo auto it works on the project itself."}, \
	{.name = "best-effort", W_REQUEST_KEY("best_effort"), \
	 .help = "Run without the sandbox layers that this machine cannot " \
	         "build, instead of refusing to run. The result lists them."}, \
	{.name = "explain-denials", W_REQUEST_KEY("explain_denials"), \
	 .help = "Report afterwards what the sandbox refused, and which " \
	         "option would allow it. Makes the run slower."}

#define W_ROWS_ENVIRONMENT(env_standard) \
	{.heading = "Environment", \
	 .name = "env-mode", .arg = "MODE", W_REQUEST_KEY("env_mode"), \
	 .help = "What the environment starts from: minimal, clean, isolated " \
	         "or inherit.", \
	 .standard = env_standard, .words = "minimal|clean|isolated|inherit"}, \
	{.name = "env", .letter = 'e', .arg = "NAME=VALUE", W_REQUEST_KEY("env"), \
	 .help = "Set a variable. May be repeated."}, \
	{.name = "pass", .arg = "GLOB", W_REQUEST_KEY("env_pass"), \
	 .help = "Pass on variables whose names match. May be repeated."}, \
	{.name = "drop", .arg = "GLOB", W_REQUEST_KEY("env_drop"), \
	 .help = "Leave out variables whose names match. May be repeated."}

#define W_ROWS_STREAMS(stdin_standard) \
	{.heading = "Input and output", \
	 .name = "stdin", .arg = "SPEC", W_REQUEST_TO(TEXT, stdin_spec), \
	 .help = "What the command reads: null, inherit, attach (with " \
	         "--detach --pty), text:STRING, file:PATH or @PATH.", \
	 .standard = stdin_standard, \
	 .words = "null|inherit|attach|text:|file:"}, \
	{.name = "output-limit", .arg = "SIZE", W_REQUEST_KEY("output_limit"), \
	 .help = "Keep this much of each stream for the result: its head and " \
	         "its tail. Never cuts what is shown live.", \
	 .standard = "1MiB with --json, else nothing"}, \
	{.name = "spill-limit", .arg = "SIZE", W_REQUEST_KEY("spill_limit"), \
	 .help = "Write a stream that outgrows the output limit to a file of " \
	         "up to this size.", \
	 .standard = "1GiB with --json, else no file"}, \
	{.name = "max-output", .arg = "SIZE", W_REQUEST_KEY("max_output"), \
	 .help = "End the run when both streams together exceed this.", \
	 .standard = "as the policy says"}

#define W_ROWS_TIME(timeout_standard) \
	{.heading = "Time", \
	 .name = "timeout", .arg = "DURATION", W_REQUEST_KEY("timeout_ms"), \
	 .help = "End the run after this long, like 30s, 1h30m or 250ms.", \
	 .standard = timeout_standard}, \
	{.name = "idle-timeout", .arg = "DURATION", W_REQUEST_KEY("idle_timeout_ms"), \
	 .help = "End the run after this long without output.", \
	 .standard = "as the policy says"}, \
	{.name = "grace", .arg = "DURATION", W_REQUEST_KEY("grace_ms"), \
	 .help = "How long the processes may take to end after SIGTERM, " \
	         "before SIGKILL.", \
	 .standard = "5s"}

#define W_ROWS_LIMITS() \
	{.heading = "Limits", \
	 .name = "cpu", .arg = "DURATION", W_REQUEST_KEY("cpu_ms"), \
	 .help = "Processor time of the whole process tree.", \
	 .standard = "as the policy says"}, \
	{.name = "memory", .arg = "SIZE", W_REQUEST_KEY("memory"), \
	 .help = "Memory of the whole process tree, like 64MiB or 2GiB.", \
	 .standard = "as the policy says"}, \
	{.name = "processes", .arg = "N", W_REQUEST_KEY("processes"), \
	 .help = "Processes of the whole tree at one time.", \
	 .standard = "as the policy says"}, \
	{.name = "open-files", .arg = "N", W_REQUEST_KEY("open_files"), \
	 .help = "Open files of each process.", .standard = "that of writ"}, \
	{.name = "file-size", .arg = "SIZE", W_REQUEST_KEY("file_size"), \
	 .help = "Size of each file that is written.", \
	 .standard = "that of writ"}

#define W_ROWS_RECORD() \
	{.heading = "Record", \
	 .name = "secret", .arg = "SPEC", .store = 1, \
	 .help = "A secret that is kept out of the record, wherever it occurs " \
	         "in the request: env:NAME, file:PATH or text:STRING. May be " \
	         "repeated. Values of variables like API_TOKEN are kept out " \
	         "automatically.", \
	 .words = "env:|file:|text:"}, \
	{.name = "keep", .arg = "SIZE", W_REQUEST_KEY("keep"), \
	 .help = "Keep this much of the output, with its timing, for writ " \
	         "output and writ audit replay.", \
	 .standard = "1MiB"}, \
	{.name = "record", W_REQUEST_TO(FLAG, is_recorded), \
	 .help = "Keep all of the output, up to 1GiB: --keep 1GiB."}, \
	{.name = "audit-durability", .arg = "MODE", W_SETTING_KEY("audit_durability"), \
	 .help = "When the record is written to the disk: sync (before the " \
	         "command starts), batch (some milliseconds later) or none " \
	         "(whenever the kernel writes it).", \
	 .standard = "batch", .words = "sync|batch|none"}, \
	{.name = "audit-failure", .arg = "MODE", W_SETTING_KEY("audit_failure"), \
	 .help = "What to do when the record cannot be written: refuse to " \
	         "run, or run without one.", \
	 .standard = "refuse", .words = "refuse|run"}, \
	{.name = "audit-key", .arg = "FILE", W_SETTING_KEY("audit_key"), \
	 .help = "Hash records under the key in FILE.", \
	 .standard = "none", .words = "@file"}

#define W_ROWS_ASKING() \
	{.heading = "Asking", \
	 .name = "no-ask", W_REQUEST_TO(FLAG, never_asks), \
	 .help = "Do not ask: what needs a person's approval fails at once."}, \
	{.name = "ask-timeout", .arg = "DURATION", \
	 W_REQUEST_TO(TEXT, ask_timeout), \
	 .help = "How long to wait for an approval; 0: like --no-ask.", \
	 .standard = "5m at a terminal and while somebody watches; else it " \
	             "fails at once, with the id of the question"}, \
	{.name = "approval", .arg = "ID", W_REQUEST_KEY("approval"), \
	 .help = "The approval that was given for exactly this request; see " \
	         "writ approvals.", \
	 .words = "@approval"}

#define W_ROWS_OUTPUT() \
	{.heading = "Output of writ", \
	 .name = "json", W_REQUEST_TO(FLAG, is_json), \
	 .help = "Print one JSON object when the run has ended, instead of " \
	         "its output as it comes. Spill files are kept."}, \
	{.name = "quiet", .letter = 'q', W_REQUEST_TO(FLAG, is_quiet), \
	 .help = "No status line and no notes on standard error."}, \
	{.name = "raw", W_REQUEST_TO(FLAG, is_raw), \
	 .help = "Pass the output to a terminal unchanged, with all control " \
	         "sequences. Otherwise only text and colours reach it. Files " \
	         "and pipes always get every byte."}

#define W_ROWS_PLACES() \
	{.name = "state-dir", .arg = "DIR", W_SETTING_KEY("state_dir"), \
	 .help = "Where writ keeps its state; see writ config show.", \
	 .words = "@dir"}, \
	{.name = "spill-dir", .arg = "DIR", W_SETTING_KEY("spill_dir"), \
	 .help = "Where spill files are written.", \
	 .standard = "outputs in the state directory", .words = "@dir"}

/* The exit statuses after a signal to the command or to writ. */
#define W_EXIT_ROWS_SIGNALS \
	{"128+N", "signal N ended the command, including one that writ sent " \
	          "for a limit"}, \
	{"130", "Ctrl-C; likewise 129 after SIGHUP, 131 after SIGQUIT, 143 " \
	        "after SIGTERM"}, \
	{"141", "the reader of the output went away"}
/* clang-format on */

#endif /* W_CLI_REQUEST_ROWS_H */
