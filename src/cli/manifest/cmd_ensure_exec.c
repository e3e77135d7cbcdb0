/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ ensure exec`: runs a command only if needed.
 */

#include <string.h>

#include "base/error.h"
#include "base/words.h"
#include "cli/manifest/cmd_ensure.h"
#include "cli/manifest/ensure_args.h"
#include "cli/options/options.h"
#include "data/json.h"

#define NAME_MAX_LEN ((size_t)1 << 20)
#define TIMEOUT      "1m"

/* Used instead of a name that would show the command. */
#define HIDDEN_NAME "(sensitive)"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "name", .arg = "NAME", W_ENSURE_TO(NAME),
	 .help = "The name of the resource. With --sensitive the command "
	         "cannot be the name.",
	 .standard = "the command"},
	{.name = "creates", .arg = "PATH", W_ENSURE_TO(LIST),
	 .key = "creates", .words = "@file",
	 .help = "Do not run it if this path exists. If repeated: if all of "
	         "them exist."},
	{.name = "removes", .arg = "PATH", W_ENSURE_TO(LIST),
	 .key = "removes", .words = "@file",
	 .help = "Run it only if this path exists. If repeated: if one of "
	     "them exists."},
	{.name = "exec-if", .arg = "COMMAND", W_ENSURE_TO(LIST),
	 .key = "onlyif", .words = "@command",
	 .help = "Run it only if this command succeeds (onlyif in a "
	         "manifest). May be repeated."},
	{.name = "exec-unless", .arg = "COMMAND", W_ENSURE_TO(LIST),
	 .key = "unless", .words = "@command",
	 .help = "Do not run it if this command succeeds (unless in a "
	         "manifest). May be repeated."},
	{.name = "refresh-only", W_ENSURE_TO(SWITCH), .key = "refreshonly",
	 .help = "Run it only when something that it subscribes to changed."},
	{.name = "subscribe", .letter = 'S', .arg = "TYPE#NAME",
	 W_ENSURE_TO(LIST), .key = "subscribe",
	 .help = "Run it when that resource of the session changed, even if "
	         "other conditions say no. May be repeated."},
	{.name = "refresh", .arg = "COMMAND", W_ENSURE_TO(TEXT),
	 .key = "refresh", .words = "@command",
	 .help = "The command to run in that case instead."},
	{.heading = "The command",
	 .name = "returns", .arg = "N", W_ENSURE_TO(NUMBERS),
	 .key = "returns", .standard = "0",
	 .help = "An exit status that is a success. May be repeated."},
	{.name = "timeout", .arg = "DURATION", W_ENSURE_TO(TEXT),
	 .key = "timeout", .standard = TIMEOUT,
	 .help = "End it after this long."},
	{.name = "tries", .arg = "N", W_ENSURE_TO(NUMBER), .key = "tries",
	 .standard = "1", .help = "Try up to this many times until it succeeds."},
	{.name = "try-sleep", .arg = "DURATION", W_ENSURE_TO(TEXT),
	 .key = "try_sleep", .help = "How long to wait in between."},
	{.name = "provider", .arg = "NAME", W_ENSURE_TO(TEXT),
	 .key = "provider", .words = "posix|shell", .standard = "posix",
	 .help = "posix: no shell. shell: all of COMMAND is a text for "
	         "/bin/sh."},
	{.name = "cwd", .arg = "DIR", W_ENSURE_TO(TEXT), .key = "cwd",
	 .words = "@dir", .standard = "/", .help = "The working directory."},
	{.name = "environment", .letter = 'e', .arg = "NAME=VALUE",
	 W_ENSURE_TO(LIST), .key = "environment",
	 .help = "Set a variable. May be repeated."},
	{.name = "path", .arg = "DIRS", W_ENSURE_TO(TEXT), .key = "path",
	 .help = "Where programs are looked for, with ':' in between."},
	{.name = "stdin", .arg = "TEXT", W_ENSURE_TO(TEXT), .key = "stdin",
	 .help = "What the command reads.", .standard = "nothing"},
	{.name = "user", .arg = "USER", W_ENSURE_TO(TEXT), .key = "user",
	 .words = "@user", .help = "Run it as this user."},
	{.name = "group", .arg = "GROUP", W_ENSURE_TO(TEXT), .key = "group",
	 .words = "@group", .help = "Run it as this group."},
	{.name = "umask", .arg = "MODE", W_ENSURE_TO(TEXT), .key = "umask",
	 .standard = "022", .help = "Its file creation mask."},
	{.name = "logoutput", W_ENSURE_TO(SWITCH), .key = "logoutput",
	 .help = "Show what it writes, as it comes."},
	{.heading = "Sandbox and limits",
	 .name = "sandbox", .arg = "PROFILE", W_ENSURE_TO(TEXT),
	 .key = "sandbox", .words = "@profile",
	 .standard = "as the policy says",
	 .help = "The sandbox profile; 'writ sandbox list' shows them."},
	{.name = "memory", .arg = "SIZE", W_ENSURE_TO(LIMIT),
	 .key = "memory", .help = "Memory of the whole process tree."},
	{.name = "cpu", .arg = "DURATION", W_ENSURE_TO(LIMIT), .key = "cpu",
	 .help = "Processor time of the whole process tree."},
	{.name = "processes", .arg = "N", W_ENSURE_TO(LIMIT_NUMBER),
	 .key = "processes", .help = "Processes at one time."},
	{.name = "max-output", .arg = "SIZE", W_ENSURE_TO(LIMIT),
	 .key = "max_output", .help = "End it when it writes more than this."},
	W_ENSURE_ROWS_COMMON(),
};

static const struct w_example examples[] = {
	{"writ ensure exec 'tar xzf /tmp/app.tgz -C /opt' --creates /opt/app",
	 "run it unless that is there"},
	{"writ ensure exec --exec-unless 'id -u app' -- useradd --system app",
	 "words instead of a line: nothing in them is split"},
	{"writ ensure exec 'systemctl reload nginx' --refresh-only "
	 "-S file#/etc/nginx/nginx.conf",
	 "only when an earlier 'writ ensure file' of the session changed it"},
	{"writ ensure exec 'sort /etc/passwd | tail -1 >/tmp/last' "
	 "--provider shell",
	 "with a shell, because it says so"},
	{.line = ""},
};
/* clang-format on */

/* Whether the words follow a "--": then a single word is a program, not a
 * command line to be split. */
static bool
is_behind_dashes(char **argv, const char *word)
{
	for (size_t i = 1; argv[i] != NULL; i++) {
		if (argv[i] == word)
			return strcmp(argv[i - 1], "--") == 0;
	}
	return false;
}

static void
ensure_exec_add_words(const struct w_ensure_args *args, struct w_buf *buf)
{
	size_t added = 0;

	w_buf_add_str(buf, ",\"argv\":[");
	for (size_t i = 0; i < args->count; i++) {
		if (args->given[i].option != NULL)
			continue;
		w_buf_add_str(buf, added++ > 0 ? "," : "");
		w_json_add_path(buf, args->given[i].value);
	}
	w_buf_add_char(buf, ']');
}

/* The default name: the words, quoted. */
static void
add_words_name(const struct w_ensure_args *args, struct w_buf *buf)
{
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, NAME_MAX_LEN);
	for (size_t i = 0; i < args->count; i++) {
		if (args->given[i].option != NULL)
			continue;
		w_buf_add_str(&name, name.len > 0 ? " " : "");
		w_words_quote(&name, args->given[i].value);
	}
	buf->failed |= name.failed;
	w_json_add_path(buf, name.data);
}

static writ_status
ensure_exec_make(const struct w_ensure_args *args, char **argv,
    struct w_buf *buf, writ_error *err)
{
	const char *name = w_ensure_value(args, "name");
	const char *first = NULL;
	size_t words = 0;

	for (size_t i = 0; i < args->count; i++) {
		if (args->given[i].option != NULL)
			continue;
		if (words++ == 0)
			first = args->given[i].value;
	}
	if (first == NULL)
		return w_usage_fail(&w_cmd_ensure_exec, err,
		    "nothing to run: give a COMMAND, or -- and its words");

	const bool is_line = words == 1 && !is_behind_dashes(argv, first);

	if (name == NULL && w_ensure_has(args, "sensitive"))
		name = HIDDEN_NAME;
	w_buf_add_str(buf, "\"name\":");
	if (name != NULL)
		w_json_add_path(buf, name);
	else if (is_line)
		w_json_add_path(buf, first);
	else
		add_words_name(args, buf);
	if (!is_line)
		ensure_exec_add_words(args, buf);
	else if (name != NULL)
		w_json_add_path_member(buf, "command", first);
	if (w_ensure_value(args, "timeout") == NULL)
		w_json_add_text_member(buf, "timeout", TIMEOUT);
	return WRIT_OK;
}

static int
ensure_exec_run(int argc, char **argv)
{
	struct w_ensure_args args = {
	    .run = {.command = &w_cmd_ensure_exec}, .type = "exec"};

	return w_ensure_run(&args, argc, argv, ensure_exec_make);
}

const struct w_cli_command w_cmd_ensure_exec = {
    .name = "ensure exec",
    .summary = "Run a command, if it has to run",
    .usage = "ensure exec [OPTION]... (COMMAND | -- PROGRAM [ARGUMENT]...)",
    .about = "Runs a command unless a guard says that there is nothing to "
	     "do. COMMAND is one text that is split into words as a shell "
	     "would, without any expansion; after -- the words are taken "
	     "as they are. Expressions, {{ }} and ${ }, are filled in as "
	     "in a manifest.",
    .options = options,
    .stores = W_ENSURE_STORES,
    .examples = examples,
    .exits = w_ensure_exits,
    .operand = &(const struct w_option){.words = "@command", .store = 1},
    .usage_exit = W_APPLY_ABORTED,
    .run = ensure_exec_run,
};
