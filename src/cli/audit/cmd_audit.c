/* SPDX-License-Identifier: Apache-2.0 */

/*
 * `writ audit`: reads, searches, verifies and prunes the audit trail. Each
 * subcommand has a file of its own.
 */

#include "cli/audit/audit_args.h"

/* clang-format off */
static const struct w_option options[] = {
	W_HELP_ROW,
	{.name = ""},
};

static const struct w_example examples[] = {
	{"writ audit list", "the newest runs"},
	{"writ audit show -", "everything about the newest"},
	{"writ audit search --since 2h --outcome failed",
	 "what went wrong in the last two hours"},
	{"writ audit verify", "prove that nothing was changed or removed"},
	{"writ audit replay -", "see the newest run again, as it went"},
	{.line = ""},
};
/* clang-format on */

static const struct w_cli_command *const subs[] = {
    &w_cmd_audit_list,
    &w_cmd_audit_show,
    &w_cmd_audit_tail,
    &w_cmd_audit_search,
    &w_cmd_audit_stats,
    &w_cmd_audit_net,
    &w_cmd_audit_triggers,
    &w_cmd_audit_verify,
    &w_cmd_audit_replay,
    &w_cmd_audit_export,
    &w_cmd_audit_prune,
    &w_cmd_audit_checkpoint,
    NULL,
};

const struct w_cli_command w_cmd_audit = {
    .name = "audit",
    .summary = "Read, search and prove the record of every run",
    .about = "Every run leaves a record before its process starts and "
	     "another when it ends; a request that was refused leaves one "
	     "too. The records are chained by their hashes, so that a change "
	     "shows.",
    .options = options,
    .examples = examples,
    .exits = w_cli_audit_exits,
    .usage_exit = 2,
    .subs = subs,
};
