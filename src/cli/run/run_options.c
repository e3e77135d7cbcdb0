/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The options of `writ run`.
 */

#include "cli/options/request_rows.h"
#include "cli/run/run_args.h"

/* clang-format off */
const struct w_option w_cli_run_options[] = {
	{.heading = "What runs",
	 .name = "shell", .arg = "STRING", W_REQUEST_KEY("shell"),
	 .help = "Run this string with /bin/sh -c instead of a PROGRAM."},
	{.name = "request", .arg = "FILE", W_TO(TEXT, struct w_run_args, request_path),
	 .help = "Read the request as JSON from FILE, or from standard input "
	         "for '-'. Options given with it override its keys.",
	 .words = "@file"},
	{.name = "trace-id", .arg = "ID", W_REQUEST_KEY("trace_id"),
	 .help = "An id of your own, copied into the result."},
	{.name = "description", .arg = "TEXT", W_REQUEST_KEY("description"),
	 .help = "Why, for the record and for a person who is asked."},

	{.heading = "Where and as whom",
	 .name = "cwd", .arg = "DIR", W_REQUEST_KEY("cwd"),
	 .help = "The working directory.", .standard = "the current one",
	 .words = "@dir"},
	{.name = "root", .arg = "DIR", W_REQUEST_KEY("roots"),
	 .help = "The working directory must be beneath DIR, with all links "
	         "followed. May be repeated.",
	 .standard = "the working directory itself", .words = "@dir"},
	{.name = "user", .arg = "USER", W_REQUEST_KEY("user"),
	 .help = "Run as this user, by name or number. Needs root.",
	 .words = "@user"},
	{.name = "group", .arg = "GROUP", W_REQUEST_KEY("group"),
	 .help = "Run as this group, by name or number. Needs root.",
	 .words = "@group"},
	{.name = "umask", .arg = "MODE", W_REQUEST_KEY("umask"),
	 .help = "The file mode mask, in octal.",
	 .standard = "that of writ"},
	{.name = "nice", .arg = "N", W_REQUEST_KEY("nice"),
	 .help = "Add N to the niceness."},

	{.name = "session", .arg = "NAME", W_TO(NAME, struct w_run_args, session),
	 .help = "Run in this session, which 'writ session start' has started: "
	         "with its /tmp and its loopback network, and where its last "
	         "shell was.",
	 .words = "@live-session"},
	{.name = "publish", .arg = "[HOST_PORT:]PORT", W_TO(LIST, struct w_run_args, publish),
	 .help = "Let the machine reach a port of this run, on its own "
	         "127.0.0.1. May be repeated, like the next. Both are for a "
	         "person, and for the network loopback."},
	{.name = "connect", .arg = "ADDRESS", W_TO(LIST, struct w_run_args, connect),
	 .help = "Let this run reach a service of the machine, at the same "
	         "place: 127.0.0.1:PORT, or the path of a local socket below "
	         "/run."},

	W_ROWS_POLICY(),
	W_ROWS_SANDBOX("as the policy says"),
	W_ROWS_ENVIRONMENT("as the policy says, else minimal"),
	W_ROWS_STREAMS("that of writ, or null when that is a terminal and "
	               "there is no --pty"),
	{.name = "pty", W_REQUEST_KEY("pty"),
	 .help = "Give the command a terminal of its own, as large as the "
	         "current one. All that it writes is standard output. It gets "
	         "every key, also Ctrl-C and Ctrl-Z; Ctrl-] three times "
	         "within a second ends it."},
	{.name = "rows", .arg = "N", W_REQUEST_KEY("rows"),
	 .help = "The size of that terminal, instead of the current one's.",
	 .standard = "24"},
	{.name = "columns", .arg = "N", W_REQUEST_KEY("columns"),
	 .help = "Likewise.", .standard = "80"},
	W_ROWS_TIME("as the policy says"),
	W_ROWS_LIMITS(),

	{.heading = "Ending",
	 .name = "background", .arg = "kill|keep", W_REQUEST_KEY("background"),
	 .help = "What happens to processes that still run when the command "
	         "has ended by itself.",
	 .standard = "kill", .words = "kill|keep"},
	{.name = "tree", .arg = "HOW", W_REQUEST_KEY("tree"),
	 .help = "How the process tree is contained: auto, cgroup, pidns, "
	         "keeper or caller.",
	 .standard = "auto", .words = "auto|cgroup|pidns|keeper|caller"},

	{.name = "detach", .letter = 'd', W_TO(FLAG, struct w_run_args, request.is_detached),
	 .help = "Start the command in a process of its own, print the id of "
	         "the run and return. It goes on without the caller and its "
	         "terminal; its output is kept. See writ ps, output, wait and "
	         "kill."},

	W_ROWS_ASKING(),
	W_ROWS_RECORD(),
	W_ROWS_OUTPUT(),
	W_ROWS_PLACES(),
	W_HELP_ROW,
	{.name = ""},
};
/* clang-format on */
