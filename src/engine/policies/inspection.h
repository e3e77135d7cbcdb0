/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_INSPECTION_H
#define W_ENGINE_INSPECTION_H

#include <writ/module.h>
#include <writ/policy.h>

#include "engine/decide/decider.h"
#include "engine/profile/shown_profile.h"
#include "engine/request/request_reader.h"

/*
 * Inspects policies without a request. Faults of a policy are the result here,
 * not a failure.
 */
struct w_inspection {
	writ_config *config;
	char *cwd; /* canonical; NULL: none */
	struct w_request_reader reader;
	struct w_config_profile_dirs dirs;
	struct w_decider decider; /* evaluates lines of expect */
	struct w_policies policies;
	struct w_buf line; /* a line of a file, for faults */
};

/* ---- inspection_json.c ---- */

/* Appends one policy: {"tier","file",...} with the members of the task. */
writ_status w_inspection_add(struct w_inspection *inspection, struct w_buf *buf,
    struct w_loaded_policy *one, writ_policy_task task, writ_error *err);

/* Appends what the policies say together: {"sandbox",...}; null if one of
 * them is invalid. */
writ_status w_inspection_add_effective(
    struct w_inspection *inspection, struct w_buf *buf, writ_error *err);

/* ---- inspection_allows.c ---- */

/* Adds a warning for each allow of the policy that can never apply, and for
 * each rule that has ended. */
writ_status w_inspection_lint_allows(struct w_inspection *inspection,
    const struct w_loaded_policy *one, struct w_policy_faults *faults,
    writ_error *err);

/* ---- inventory.c ---- */

/* What lint needs to know about this machine. All zero is empty. */
struct w_inventory {
	const writ_config *config;
	const char *path_list;
	struct w_known_commands known;
	writ_modules *modules; /* NULL: not loaded yet, or not available */
	bool has_modules;
	struct w_words programs; /* in PATH */
	bool has_programs;
};

void w_inventory_init(struct w_inventory *inventory, const writ_config *config);
void w_inventory_done(struct w_inventory *inventory);
struct w_lint_source w_inventory_lint_source(struct w_inventory *inventory);

#endif /* W_ENGINE_INSPECTION_H */
