/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RUN_SANDBOX_H
#define W_RUN_RUN_SANDBOX_H

#include <writ/run.h>

#include "run/launch/session_walls.h"
#include "run/launch/spawn.h"
#include "run/resolve/identity.h"
#include "sandbox/path/name_index.h"
#include "sandbox/plan/plan_builder.h"
#include "sandbox/profile/resolved_profile.h"
#include "sandbox/profile/restriction.h"
#include "undo/change_owner.h"
#include "undo/layer_dir.h"

/*
 * A sandbox that an engine has built and may reuse: its profile, the resolved
 * paths, the sandbox plan, and from the second run on a fork server that has
 * entered the plan.
 *
 * Runs share a sandbox by reference. It is resolved again after
 * SANDBOX_FRESH_MS, since paths to hide may have appeared; when nothing has
 * changed, the fork server stays.
 */

/* A sandbox init that waits for its spec. */
struct w_ready_init {
	struct w_child child;
	int socket;      /* to its helper */
	int spec_socket; /* to the future command; -1: no sandbox init */
};

struct w_run_sandbox {
	struct w_run_sandbox *next;
	unsigned refs;
	char *key; /* what was requested */
	size_t key_len;
	uint64_t resolved_ns;
	struct w_profile_limits limits;
	struct w_resolved_profile resolved;
	char *cwd; /* canonical */
	uint32_t layers;
	uint32_t missing; /* dropped for best effort */
	bool is_late;     /* see struct w_sandbox_plan */
	bool may_keep;
	bool explains;
	uint64_t exec_pass; /* see struct w_seccomp_kind; 0: not judged */
	struct w_sandbox_plan *sandbox_plan;
	unsigned runs;
	struct w_child spawner;        /* the fork server */
	int fork_server_socket;        /* -1: none */
	struct w_fork_note *fork_note; /* shared with it; NULL: none */
	struct w_ready_init ready;
	bool is_asked;                 /* the fork server is making one */
	struct w_session_walls *walls; /* a reference; NULL: no session */
	struct w_undo_layer
	    *layer; /* of the one run that it is for; NULL: none */
};

/* What sandboxes are built from. All borrowed. */
struct w_run_sandbox_context {
	const char *const *profile_dirs;
	const char *state_dir;
	const char *spill_dir; /* NULL: nothing is spilled */
	const char *cwd;
	const char *home;
	bool is_late;       /* see struct w_sandbox_plan */
	bool may_keep;      /* background processes may outlive the command */
	uint64_t exec_pass; /* 0: starts of programs are not judged */
	uint32_t missing;   /* layers to leave out */
	/* A directory writable for this run alone, when there is no view; NULL:
	 * there is one. */
	const char *scratch;
	const struct w_restriction *restriction; /* NULL: none */
	struct w_session_walls *walls;           /* to join; NULL: none */
	struct w_name_index *name_index;         /* NULL: none */
	writ_undo undo;
	const char *layer_lack; /* why this run cannot have a layer; NULL: it
				   can, as far as the caller knows */
	const char *layer_root; /* what it should lie over, if that is granted;
				   NULL: what is around the directory */
	const char *must_cover; /* what its layer must lie over; NULL: any */
	struct timespec session_began;
	const char *session_name;           /* NULL: none */
	const struct w_undo_permit *permit; /* of the layer; NULL: none */
	struct w_undo_owner *owner; /* the session of the layer; NULL: none */
};

struct w_run_sandbox_cache {
	struct w_run_sandbox *first;
	size_t count;
	struct w_name_index name_index; /* for all lookups of the engine */
};

/*
 * The sandbox that restricts nothing: a pid namespace, and a user namespace for
 * users who need one to create it. *out_sandbox is a reference.
 */
writ_status w_run_sandbox_bare(struct w_run_sandbox_cache *sandbox_cache,
    bool is_late, bool may_keep, struct w_run_sandbox **out_sandbox,
    writ_error *err);

/* What a run gets: a reference, and a constant. */
struct w_run_found {
	struct w_run_sandbox *sandbox; /* release it with
					  w_run_sandbox_release(); NULL for the
					  profile "none" */
	const char *layer_lack; /* why it works on no layer; NULL: it does, or
				   was to have none */
};

/* Finds or builds the sandbox for a request. */
writ_status w_run_sandbox_find(struct w_run_sandbox_cache *sandbox_cache,
    const writ_request *request, const struct w_run_sandbox_context *context,
    struct w_run_found *out_found, writ_error *err);
void w_run_sandbox_release(struct w_run_sandbox *sandbox);

/* Forgets the sandboxes of a session. Live runs keep theirs. */
void w_run_sandbox_forget(struct w_run_sandbox_cache *sandbox_cache,
    const struct w_session_walls *walls);
void w_run_sandbox_cache_done(struct w_run_sandbox_cache *sandbox_cache);

#endif /* W_RUN_RUN_SANDBOX_H */
