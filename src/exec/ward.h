/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_EXEC_WARD_H
#define W_EXEC_WARD_H

#include <writ/run.h>

#include "exec/identity.h"
#include "exec/spawn.h"
#include "sandbox/confine.h"
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

/* The private directory of a run that shares its view, by its path there, and
 * the rules for it. */
struct w_nest {
	char *path;
	int ruleset_fd;
};

enum {
	W_NESTS_MAX = 16
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
	bool is_direct;   /* no cell: the runs enter one view by themselves */
	int view_fd;      /* of a direct ward: the mount namespace */
	bool explains;
	struct w_realm *realm;
	unsigned runs;
	struct w_child spawner;
	int spawner_socket;               /* -1: none */
	struct w_nest nests[W_NESTS_MAX]; /* free ones, of a direct ward */
	size_t nest_count;
};

/* What wards are made from. All borrowed. */
struct w_ward_context {
	const char *const *profile_dirs;
	const char *state_dir;
	const char *cwd;
	const char *home;
	bool can_direct;  /* this run could do without a cell */
	uint32_t missing; /* layers to do without */
};

struct w_wards {
	struct w_ward *first;
	size_t count;
};

/* Finds or makes the ward for a request. *out_ward is a reference: give it
 * back with w_ward_release(). NULL for the profile "none". */
writ_status w_ward_find(struct w_wards *wards, const writ_request *request,
    const struct w_ward_context *context, struct w_ward **out_ward,
    writ_error *err);
void w_ward_release(struct w_ward *ward);
void w_wards_done(struct w_wards *wards);

#endif /* W_EXEC_WARD_H */
