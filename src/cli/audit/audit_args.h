/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_AUDIT_ARGS_H
#define W_CLI_AUDIT_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/audit.h>
#include <writ/config.h>

#include "cli/cli_command.h"

/*
 * Shared by the commands of `writ audit`: options, the filter, opening the
 * trail, reporting errors. Each command has a table of the options it accepts.
 */

struct w_audit_args {
	const struct w_cli_command *command;
	const char *operand_name; /* "RUN"; NULL: it takes none */
	bool needs_operand;
	int failed_exit; /* the exit status if the trail cannot be read */
	writ_config *config;
	uint64_t now_us;
	const char *operand;
	writ_audit_filter filter;
	bool is_json;
	bool has_ids;
	bool is_csv;
	bool is_asciicast;
	bool has_follow;
	bool has_no_index;
	bool has_outputs;
	bool is_dry_run;
	bool is_strict;
	bool is_raw;
	bool is_safe;
	bool only_stream[2]; /* by writ_stream */
	const char *key_file;
	const char *anchor_file;
	const char *public_key;
	const char *sign_key;
	const char *file; /* to write to */
	const char *by;
	const char *size;        /* of a terminal: "80x24" */
	uint64_t speed_milli;    /* 0: not given */
	uint64_t max_pause_ms;   /* 0: not given */
	uint64_t outputs_age_ms; /* 0: not given */
	uint64_t outputs_bytes;
	uint64_t records_age_ms;
};

/* Stores --outcome; ctx is a struct w_audit_args. The first of the stores of
 * a command with the rows of a filter. */
writ_status w_cli_audit_store_outcome(void *ctx, const struct w_option *option,
    const char *value, writ_error *err);

/* clang-format off */
#define W_AUDIT_KINDS                                                     \
	"begin|input|end|net|refused|ask|answer|closed|revoke|changes|checkpoint|"     \
	"prune|recovery|segment|seal"
#define W_AUDIT_JSON_ROW(text) \
	{.name = "json", W_TO(FLAG, struct w_audit_args, is_json), .help = text, \
	 .heading = "Output"}

#define W_AUDIT_FILTER_ROWS \
	{.name = "since", .arg = "TIME", W_TO(SINCE, struct w_audit_args, filter.since_us), \
	 .heading = "Which", .words = "today|yesterday", \
	 .help = "Only since then: 2h or 3d ago, today, yesterday, " \
	         "2026-11-16, 2026-11-16T04:20 (local time), or with a zone."}, \
	{.name = "until", .arg = "TIME", W_TO(UNTIL, struct w_audit_args, filter.until_us), \
	 .words = "today|yesterday", \
	 .help = "Only until then; a day is included to its end."}, \
	{.name = "agent", .arg = "NAME", W_TO(NAME, struct w_audit_args, filter.agent), \
	 .help = "Asked for by this agent."}, \
	{.name = "program", .arg = "NAME", W_TO(NAME, struct w_audit_args, filter.program), \
	 .words = "@command", \
	 .help = "Of this program: its path, the last part of it, or the " \
	         "word that was asked for."}, \
	{.name = "outcome", .arg = "WORD", W_TO(WORD, struct w_audit_args, filter.outcome), \
	 .store = 1, \
	 .words = W_AUDIT_OUTCOMES, \
	 .help = "Ended like this: ok (exit status 0), failed (every " \
	         "other end), exited, signaled, timed_out, idle_timed_out, cancelled, " \
	         "limited, refused, running, lost; or the code of an error, " \
	         "like not_found."}, \
	{.name = "text", .arg = "TEXT", W_TO(NAME, struct w_audit_args, filter.text), \
	 .help = "With this text somewhere in its records; letters in " \
	         "either case."}

#define W_AUDIT_ORDER_ROWS(limit_text) \
	{.name = "limit", .letter = 'n', .arg = "COUNT", W_TO(COUNT, struct w_audit_args, filter.limit), \
	 .standard = limit_text, .help = "This many at most; 0: all."}, \
	{.name = "oldest-first", W_TO(FLAG, struct w_audit_args, filter.oldest_first), \
	 .help = "The oldest first, not the newest."}

#define W_AUDIT_INDEX_ROW \
	{.name = "no-index", W_TO(FLAG, struct w_audit_args, has_no_index), \
	 .help = "Read the trail itself and leave the index alone."}
/* clang-format on */

#define W_AUDIT_OUTCOMES                                                \
	"ok|failed|exited|signaled|timed_out|idle_timed_out|cancelled|" \
	"limited|refused|running|lost"

/* The exit statuses of most of the commands. */
extern const struct w_exit_row w_cli_audit_exits[];

/* Parses the command line, opens the trail, calls run, closes the trail.
 * Returns the exit status. */
int w_cli_audit_begin(struct w_audit_args *args, int argc, char **argv,
    int (*run)(struct w_audit_args *args, writ_audit *audit));

/* Prints an error, as JSON if --json was given. Returns failed_exit. */
int w_cli_audit_fail(const struct w_audit_args *args, const writ_error *err);

extern const struct w_cli_command w_cmd_audit_checkpoint;
extern const struct w_cli_command w_cmd_audit_export;
extern const struct w_cli_command w_cmd_audit_list;
extern const struct w_cli_command w_cmd_audit_net;
extern const struct w_cli_command w_cmd_audit_prune;
extern const struct w_cli_command w_cmd_audit_replay;
extern const struct w_cli_command w_cmd_audit_search;
extern const struct w_cli_command w_cmd_audit_show;
extern const struct w_cli_command w_cmd_audit_stats;
extern const struct w_cli_command w_cmd_audit_tail;
extern const struct w_cli_command w_cmd_audit_triggers;
extern const struct w_cli_command w_cmd_audit_verify;

#endif /* W_CLI_AUDIT_ARGS_H */
