/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_CHANGES_ARGS_H
#define W_CLI_CHANGES_ARGS_H

#include <stdbool.h>
#include <stdint.h>

#include <writ/undo.h>

#include "base/words.h"
#include "cli/cli_command.h"

enum {
	W_CHANGES_TEXT_MAX = 256 << 20 /* of a report */
};

/*
 * What `writ diff`, `undo`, `redo`, `trial` and `quarantine` share: their
 * options, finding the run that is meant, and reports.
 */
struct w_changes_args {
	const struct w_cli_command *command;
	writ_config *config;
	struct w_words operands; /* RUN, then paths */
	struct w_words paths;    /* these, relative to the project */
	bool is_json;
	bool is_dry_run;
	bool has_text;
	bool shows_held;     /* only what is held back */
	uint64_t since_us;   /* 0: not given */
	const char *session; /* NULL: not given */
};

/* clang-format off */
#define W_CHANGES_JSON_ROW \
	{.name = "json", W_TO(FLAG, struct w_changes_args, is_json), \
	 .help = "Print a JSON object."}
#define W_CHANGES_DRY_ROW \
	{.name = "dry-run", W_TO(FLAG, struct w_changes_args, is_dry_run), \
	 .help = "Only show what would be moved."}
#define W_CHANGES_STATE_ROW \
	W_STATE_DIR_ROW("", W_TO(SETTING, struct w_changes_args, config))
/* clang-format on */

/* Parses the command line, checks that a person gave it, calls run, and frees
 * all. Returns the exit status. */
int w_cli_changes_begin(struct w_changes_args *args, int argc, char **argv,
    int (*run)(struct w_changes_args *args));

int w_cli_changes_fail(const struct w_changes_args *args, writ_error *err);

/* Opens the run that the first operand names; without one the newest that
 * action is for, whose project the current directory lies in. Sets
 * args->paths. */
writ_status w_cli_changes_open(struct w_changes_args *args,
    writ_changes_action action, writ_changes **out_changes, writ_error *err);

/* Whether it has changes that the action is for. */
bool w_cli_changes_can(const writ_changes *changes, writ_changes_action action);

/* NULL-ended; NULL: all. */
const char *const *w_cli_changes_paths(const struct w_changes_args *args);

/* Whether the current directory lies in the project. */
bool w_cli_changes_is_here(const writ_changes *changes);

/* Does it, or with --dry-run only says what it would do, and reports. Returns
 * the exit status: 1 if something was left alone. */
int w_cli_changes_move(struct w_changes_args *args, writ_changes *changes,
    writ_changes_action action);

/* changes_report.c */
int w_cli_changes_print(
    const struct w_changes_args *args, const writ_changes *changes);
int w_cli_changes_print_texts(
    const struct w_changes_args *args, const writ_changes *changes);
void w_cli_changes_add_json(struct w_buf *buf, const writ_changes *changes);
/* The changes of a run in a few words: "2 made, 1 deleted". */
void w_cli_changes_add_counts(struct w_buf *buf, const writ_changes *changes);
/* What was left alone, on standard error. Returns how many. */
size_t w_cli_changes_print_troubles(const writ_changes *changes);

extern const struct w_exit_row w_cli_changes_exits[];

extern const struct w_cli_command w_cmd_quarantine_list;
extern const struct w_cli_command w_cmd_quarantine_show;
extern const struct w_cli_command w_cmd_quarantine_restore;

extern const struct w_cli_command w_cmd_trial_list;
extern const struct w_cli_command w_cmd_trial_diff;
extern const struct w_cli_command w_cmd_trial_accept;
extern const struct w_cli_command w_cmd_trial_drop;

#endif /* W_CLI_CHANGES_ARGS_H */
