/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_SANDBOX_H
#define W_RUN_RUN_SANDBOX_H

#include <writ/run.h>

#include "run/launch/spawn.h"
#include "run/resolve/identity.h"
#include "sandbox/plan/plan_builder.h"
#include "sandbox/profile/resolved_profile.h"
#include "sandbox/profile/restriction.h"

/*
 * A sandbox that an engine has built and may use again: the profile looked
 * up, its paths resolved, its realm laid out, and from the second run on a
 * spawner that has entered it.
 *
 * Runs share a ward by reference. It is looked up anew after WARD_FRESH_MS,
 * since paths to hide may have come into being; when nothing has changed, the
 * spawner goes on.
 */

/* A cell that waits for its order. */
struct w_ready_init {
	struct w_child child;
	int socket;      /* to its helper */
	int spec_socket; /* to the process that will be the command; -1: no cell
			  */
};

struct w_run_sandbox {
	struct w_run_sandbox *next;
	unsigned refs;
	char *key; /* what was asked for */
	size_t key_len;
	uint64_t resolved_ns;
	struct w_profile_limits limits;
	struct w_resolved_profile resolved;
	uint32_t layers;
	uint32_t missing; /* given up for best effort */
	bool is_late;     /* see struct w_sandbox_plan */
	bool may_keep;
	bool explains;
	struct w_sandbox_plan *sandbox_plan;
	unsigned runs;
	struct w_child spawner;
	int fork_server_socket; /* -1: none */
	struct w_ready_init ready;
	bool is_asked; /* the spawner is making one */
};

/* What wards are made from. All borrowed. */
struct w_run_sandbox_context {
	const char *const *profile_dirs;
	const char *state_dir;
	const char *spill_dir; /* NULL: nothing is spilled */
	const char *cwd;
	const char *home;
	bool is_late; /* see struct w_sandbox_plan */
	bool may_keep;
	uint32_t missing; /* layers to do without */
	/* Writable for this run alone, where there will be no view; NULL: there
	 * will. */
	const char *scratch;
	const struct w_restriction *restriction; /* NULL: nobody decided */
};

struct w_run_sandbox_cache {
	struct w_run_sandbox *first;
	size_t count;
};

/* The ward without walls: a pid namespace, and a user namespace for those who
 * need one to have it. *out_ward is a reference. */
writ_status w_run_sandbox_bare(struct w_run_sandbox_cache *sandbox_cache,
    bool is_late, bool may_keep, struct w_run_sandbox **out_sandbox,
    writ_error *err);

/* Finds or makes the ward for a request. *out_ward is a reference: give it
 * back with w_run_sandbox_release(). NULL for the profile "none". */
writ_status w_run_sandbox_find(struct w_run_sandbox_cache *sandbox_cache,
    const writ_request *request, const struct w_run_sandbox_context *context,
    struct w_run_sandbox **out_sandbox, writ_error *err);
void w_run_sandbox_release(struct w_run_sandbox *sandbox);
void w_run_sandbox_cache_done(struct w_run_sandbox_cache *sandbox_cache);

#endif /* W_RUN_RUN_SANDBOX_H */
