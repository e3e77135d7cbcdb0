/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_APPLY_COMMAND_H
#define W_CLI_APPLY_COMMAND_H

#include <stdbool.h>

#include <writ/config.h>

#include "base/words.h"
#include "cli/cli_command.h"
#include "cli/manifest/loaded_manifest.h"

/*
 * An apply from the command line, for `writ apply` and `writ ensure`: the
 * settings, the session, the engine, the display and the exit status.
 */
enum {
	W_APPLY_OK = 0,
	W_APPLY_ABORTED = 1, /* wrong usage, a bad manifest, interrupted */
	W_APPLY_CHANGED = 2, /* with --detailed-exitcode */
	W_APPLY_FAILED = 4,  /* a bit, like W_APPLY_CHANGED */
};

/* clang-format off */
#define W_APPLY_ROW_NOOP \
	{.name = "noop", W_TO(FLAG, struct w_cli_apply, is_noop), \
	 .help = "Show what would be done, and change nothing: guards and " \
	         "checks run where they cannot write."}
#define W_APPLY_ROW_DETAILED \
	{.name = "detailed-exitcode", W_TO(FLAG, struct w_cli_apply, is_detailed), \
	 .help = "Exit with 2 when something changed, 4 when something " \
	         "failed, 6 for both."}
#define W_APPLY_ROW_MONITOR \
	{.name = "monitor-only", W_TO(FLAG, struct w_cli_apply, is_health_only), \
	 .help = "Only run the health checks."}
#define W_APPLY_ROW_QUIET \
	{.name = "quiet", .letter = 'q', W_TO(FLAG, struct w_cli_apply, is_quiet), \
	 .help = "Show only failures."}
#define W_APPLY_ROW_RAW \
	{.name = "raw", W_TO(FLAG, struct w_cli_apply, is_raw), \
	 .help = "Pass the output of commands to a terminal unchanged, with " \
	         "all control sequences, not only text and colours."}
#define W_APPLY_ROWS_PLACES() \
	{.heading = "Policy and places", \
	 .name = "policy", .arg = "FILE|PRESET", \
	 W_TO(TEXT, struct w_cli_apply, policy), .words = "@policy", .standard = "manifest", \
	 .help = "Use this policy: a file, or the name of a preset. The " \
	         "machine's policy always applies as well."}, \
	W_STATE_DIR_ROW("", W_TO(TEXT, struct w_cli_apply, state_dir))
/* clang-format on */

/* Stores --session; args is a struct w_cli_apply. */
writ_status w_cli_apply_store_session(void *args, const struct w_option *option,
    const char *value, writ_error *err);

/* All zero except command. */
struct w_cli_apply {
	const struct w_cli_command *command;
	bool is_noop;
	bool is_detailed;
	bool is_health_only;
	bool is_json;
	bool is_quiet;
	bool is_raw;         /* output goes to the terminal unsanitized */
	bool is_ensure;      /* one resource: no summary, and a session only if
			      * one is named */
	const char *file;    /* for the record, and for resuming */
	const char *resume;  /* NULL: a new session */
	const char *session; /* its directory; NULL: the default */
	const char *policy;
	const char *state_dir;
	uint64_t wait_ms; /* for another apply */
	struct w_words only;
	struct w_words tags;
	struct w_words skip_tags;
	struct w_fact_args facts;
	struct w_loaded_manifest loaded;
	writ_config *config;
	writ_apply_options options; /* of the apply */
	writ_apply *apply;
};

/* Loads the settings; without --policy the policy for manifests applies. */
writ_status w_cli_apply_settings(struct w_cli_apply *run, writ_error *err);

/* Opens the apply of run->loaded: its lock and its session. */
writ_status w_cli_apply_open(struct w_cli_apply *run, writ_error *err);

/* Applies it. Returns the exit status. */
int w_cli_apply_run(struct w_cli_apply *run);

/* Reports why nothing can be applied. */
int w_cli_apply_abort(const struct w_cli_apply *run, const writ_error *err);

void w_cli_apply_done(struct w_cli_apply *run);

#endif /* W_CLI_APPLY_COMMAND_H */
