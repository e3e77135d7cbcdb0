/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_WARD_H
#define W_EXEC_WARD_H

#include <writ/run.h>

#include "exec/identity.h"
#include "exec/spawn.h"
#include "sandbox/confine.h"
#include "sandbox/narrow.h"
#include "sandbox/realm.h"

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
struct w_ready {
	struct w_child child;
	int socket; /* to its helper */
	int order;  /* to the process that will be the command; -1: no cell */
};

struct w_ward {
	struct w_ward *next;
	unsigned refs;
	char *key; /* what was asked for */
	size_t key_len;
	uint64_t resolved_ns;
	struct w_profile_limits limits;
	struct w_confine confine;
	uint32_t layers;
	uint32_t missing; /* given up for best effort */
	bool is_late;     /* see struct w_realm */
	bool may_keep;
	bool explains;
	struct w_realm *realm;
	unsigned runs;
	struct w_child spawner;
	int spawner_socket; /* -1: none */
	struct w_ready ready;
	bool is_asked; /* the spawner is making one */
};

/* What wards are made from. All borrowed. */
struct w_ward_context {
	const char *const *profile_dirs;
	const char *state_dir;
	const char *spill_dir; /* NULL: nothing is spilled */
	const char *cwd;
	const char *home;
	bool is_late; /* see struct w_realm */
	bool may_keep;
	uint32_t missing; /* layers to do without */
	/* Writable for this run alone, where there will be no view; NULL: there
	 * will. */
	const char *scratch;
	const struct w_narrow *narrow; /* NULL: nobody decided */
};

struct w_wards {
	struct w_ward *first;
	size_t count;
};

/* The ward without walls: a pid namespace, and a user namespace for those who
 * need one to have it. *out_ward is a reference. */
writ_status w_ward_bare(struct w_wards *wards, bool is_late, bool may_keep,
    struct w_ward **out_ward, writ_error *err);

/* Finds or makes the ward for a request. *out_ward is a reference: give it
 * back with w_ward_release(). NULL for the profile "none". */
writ_status w_ward_find(struct w_wards *wards, const writ_request *request,
    const struct w_ward_context *context, struct w_ward **out_ward,
    writ_error *err);
void w_ward_release(struct w_ward *ward);
void w_wards_done(struct w_wards *wards);

#endif /* W_EXEC_WARD_H */
