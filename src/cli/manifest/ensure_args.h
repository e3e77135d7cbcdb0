/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_ENSURE_ARGS_H
#define W_CLI_ENSURE_ARGS_H

#include "cli/manifest/apply_command.h"

/*
 * Converts the command line of `writ ensure` to a manifest of one resource.
 *
 * Each option has a property's name as its key, and its id is the kind of
 * value. The result is a JSON document that is parsed like any manifest: the
 * command line can do nothing that a manifest cannot, and all checks are in one
 * place.
 */
enum w_ensure_kind {
	W_ENSURE_TEXT = 1200, /* "cwd": "/opt" */
	W_ENSURE_LIST,        /* one string each time it is given */
	W_ENSURE_NUMBERS,     /* likewise whole numbers */
	W_ENSURE_NUMBER,
	W_ENSURE_TRUTH, /* "enable": false */
	W_ENSURE_SWITCH,
	W_ENSURE_LIMIT, /* a member of "limits" */
	W_ENSURE_LIMIT_NUMBER,
	W_ENSURE_CONTROL, /* of "control" */
	W_ENSURE_CHECK,   /* of the one in "health_checks" */
	W_ENSURE_CHECK_NUMBER,
	W_ENSURE_NAME,  /* of the resource */
	W_ENSURE_OWNER, /* "owner", and "group" after a colon */
};

/* The stores of the rows. */
#define W_ENSURE_STORES                                   \
	{                                                 \
		w_ensure_store, w_cli_apply_store_session \
	}

/* clang-format off */
#define W_ENSURE_TO(kind) .id = W_ENSURE_##kind, .store = 1

#define W_ENSURE_ROWS_COMMON() \
	{.heading = "When, and afterwards", \
	 .name = "if", .arg = "EXPR", W_ENSURE_TO(CONTROL), .key = "if", \
	 .help = "Only if this expression holds, like \"Facts.os.id == " \
	         "'debian'\"."}, \
	{.name = "unless", .arg = "EXPR", W_ENSURE_TO(CONTROL), \
	 .key = "unless", .help = "Not if this expression holds."}, \
	{.name = "require", .arg = "TYPE#NAME", W_ENSURE_TO(LIST), \
	 .key = "require", \
	 .help = "Only if that resource of the session has not failed. May " \
	         "be repeated."}, \
	{.name = "check", .arg = "COMMAND", W_ENSURE_TO(CHECK), \
	 .key = "command", .words = "@command", \
	 .help = "A health check to run afterwards: 0 is good, 1 a warning, 2 " \
	         "critical."}, \
	{.name = "check-tries", .arg = "N", W_ENSURE_TO(CHECK_NUMBER), \
	 .key = "tries", .standard = "5", \
	 .help = "How many times the check is tried until it is good."}, \
	{.name = "check-sleep", .arg = "DURATION", W_ENSURE_TO(CHECK), \
	 .key = "try_sleep", .standard = "1s", \
	 .help = "How long to wait in between."}, \
	{.name = "alias", .arg = "NAME", W_ENSURE_TO(TEXT), .key = "alias", \
	 .help = "A second name, for --require and --subscribe."}, \
	{.name = "sensitive", W_ENSURE_TO(SWITCH), .key = "sensitive", \
	 .help = "Keep its values out of everything that is shown or kept."}, \
	W_FACT_ROWS("Facts", struct w_cli_apply, facts), \
	{.heading = "Output and session", \
	 .name = "session", .arg = "DIR", W_TO(TEXT, struct w_cli_apply, session), \
	 .store = 2, \
	 .words = "@dir", .standard = "that of $WRIT_SESSION_STORE, or none", \
	 .help = "The session that this is a part of; see 'writ session'."}, \
	W_APPLY_ROW_NOOP, \
	{.name = "json", W_TO(FLAG, struct w_cli_apply, is_json), \
	 .help = "Print the event as a JSON object."}, \
	W_APPLY_ROW_QUIET, \
	W_APPLY_ROW_RAW, \
	W_APPLY_ROW_DETAILED, \
	W_APPLY_ROWS_PLACES(), \
	W_HELP_ROW, \
	{.name = ""}
/* clang-format on */

extern const struct w_exit_row w_ensure_exits[];

struct w_ensure_given {
	const struct w_option *option; /* NULL: an operand */
	const char *value;
};

struct w_ensure_args {
	struct w_cli_apply run;
	const char *type;             /* "exec" */
	struct w_ensure_given *given; /* room for one per word of argv */
	size_t count;
};

/* Remembers a property, or an operand; ctx is a struct w_ensure_args. */
writ_status w_ensure_store(void *ctx, const struct w_option *option,
    const char *value, writ_error *err);

/* Parses the command line and applies the resource. make appends the members of
 * the type, name first, each with a comma before it. Returns the exit
 * status. */
int w_ensure_run(struct w_ensure_args *args, int argc, char **argv,
    writ_status (*make)(const struct w_ensure_args *args, char **argv,
	struct w_buf *buf, writ_error *err));

bool w_ensure_has(const struct w_ensure_args *args, const char *name);

/* The value of the last option with that name; NULL: not given. */
const char *w_ensure_value(const struct w_ensure_args *args, const char *name);

#endif /* W_CLI_ENSURE_ARGS_H */
