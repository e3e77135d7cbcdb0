/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPROVALS_ARGS_H
#define W_CLI_APPROVALS_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/approval.h>
#include <writ/config.h>

#include "cli/cli_command.h"

/*
 * What the commands of `writ approvals` share: their options, opening the
 * queue, and reporting errors.
 */
struct w_approvals_args {
	const struct w_cli_command *command;
	bool needs_id;
	writ_config *config;
	const char *id;
	bool is_json;
	bool has_all;
	bool has_ids;
	bool has_edit;
	const char *scope; /* as written; NULL: not given */
	const char *rule;
	const char *note;
	uint64_t for_ms; /* 0: not given */
};

/* clang-format off */
#define W_APPROVALS_JSON_ROW(text) \
	{.name = "json", W_TO(FLAG, struct w_approvals_args, is_json), .help = text}
#define W_APPROVALS_IDS_ROW \
	{.name = "ids", W_TO(FLAG, struct w_approvals_args, has_ids), \
	 .help = "Only the ids, one on a line."}
#define W_APPROVALS_ALL_ROW \
	{.name = "all", .letter = 'a', W_TO(FLAG, struct w_approvals_args, has_all), \
	 .help = "Those of the last day that are answered or over, too."}
#define W_APPROVALS_NOTE_ROW \
	{.name = "note", .arg = "TEXT", W_TO(TEXT, struct w_approvals_args, note), \
	 .help = "One line for the caller, and for the record."}
/* clang-format on */

/* Parses the command line, opens the queue, calls run and closes it. Returns
 * the exit status. */
int w_cli_approvals_run(struct w_approvals_args *args, int argc, char **argv,
    int (*run)(struct w_approvals_args *args, writ_approvals *approvals));

/* Reports an error, as JSON if asked, with the likely cause. Returns 1. */
int w_cli_approvals_fail(const struct w_approvals_args *args, writ_error *err);

/* Prints that there is nothing; inside a sandbox, that more may be hidden. */
void w_cli_approvals_note_none(const char *what);

extern const struct w_exit_row w_cli_approvals_exits[];

extern const struct w_cli_command w_cmd_approvals_approve;
extern const struct w_cli_command w_cmd_approvals_deny;
extern const struct w_cli_command w_cmd_approvals_grants;
extern const struct w_cli_command w_cmd_approvals_list;
extern const struct w_cli_command w_cmd_approvals_revoke;
extern const struct w_cli_command w_cmd_approvals_show;
extern const struct w_cli_command w_cmd_approvals_watch;

#endif /* W_CLI_APPROVALS_ARGS_H */
