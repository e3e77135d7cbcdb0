/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_POLICY_LOOK_H
#define W_ENGINE_POLICY_LOOK_H

#include <writ/module.h>
#include <writ/policy.h>

#include "engine/decider.h"
#include "engine/request_reader.h"
#include "engine/sandbox.h"

/*
 * Looking at policies without a request. What is wrong with one is what is
 * looked for here, and no failure.
 */
struct w_policy_look {
	writ_config *config;
	char *cwd; /* canonical; NULL: there is none */
	struct w_request_reader reader;
	struct w_profile_dirs dirs;
	struct w_decider decider; /* judges lines of expect */
	struct w_policies policies;
	struct w_buf line; /* of a file, for faults */
};

/* ---- policy_look_json.c ---- */

/* Appends one policy: {"tier","file",...} with the members of the task. */
writ_status w_policy_look_add(struct w_policy_look *look, struct w_buf *buf,
    struct w_standing *one, writ_policy_task task, writ_error *err);

/* Appends what the policies say together: {"sandbox",...}; null when one of
 * them is not in order. */
writ_status w_policy_look_add_effective(
    struct w_policy_look *look, struct w_buf *buf, writ_error *err);

/* ---- lint_world.c ---- */

/* What lint asks about this machine. All zero has looked at nothing. */
struct w_lint_world {
	const writ_config *config;
	const char *path_list;
	struct w_known_commands known;
	writ_modules *modules; /* NULL: not read yet, or not to be had */
	bool has_modules;
	struct w_words programs; /* of PATH */
	bool has_programs;
};

void w_lint_world_init(struct w_lint_world *world, const writ_config *config);
void w_lint_world_done(struct w_lint_world *world);
struct w_lint_source w_lint_world_source(struct w_lint_world *world);

#endif /* W_ENGINE_POLICY_LOOK_H */
