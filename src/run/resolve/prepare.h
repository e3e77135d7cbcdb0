/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_PREPARE_H
#define W_RUN_PREPARE_H

#include <writ/run.h>

#include "base/words.h"
#include "run/execs/execve_watch.h"
#include "run/launch/launch.h"
#include "run/launch/run_sandbox.h"
#include "run/launch/session_view.h"
#include "run/resolve/identity.h"
#include "run/resolve/program.h"
#include "run/resolve/settings_copy.h"
#include "run/result/left_state.h"
#include "sandbox/profile/restriction.h"
#include "trigger/trigger.h"
#include "undo/change_owner.h"
#include "undo/layer_dir.h"

/* The policy's decision about a request, for its result. Borrowed; NULL: no
 * policy was asked. */
struct w_run_decision {
	const char *verdict;
	const char *rule;
	const char *grant;
	const char *approval;
	enum w_trigger_reach reach; /* where it may have changed triggers */
	const char *layer_root;     /* the project that a layer should lie over;
				       NULL: not known */
	const char *must_cover; /* it does not run without a layer over this;
				   NULL: it does */
	const char
	    *layer_lack;      /* why it gets no layer; NULL: it may have one */
	const char *stays_in; /* the project in which it is known to stay; NULL:
				 it is not */
	struct timespec session_began; /* what was in refs then is not held
					  back */
	bool gets_more;   /* than the usual walls: it leaves nothing behind in a
			     session */
	bool is_outsider; /* for that it joins no session: its HOME would lie
			     where other runs write */
};

enum {
	W_STATE_FILE_MAX = 40
};

/* A resolved request: everything that is determined before a process exists.
 * W_PREPARED_INIT is the empty one. */
struct w_prepared {
	struct w_identity identity;
	int cwd_fd;
	char *cwd;
	bool is_cwd_shared;  /* it lies in the directories of a session, or is
				seen through its layer */
	bool is_cwd_written; /* and its runs made it */
	struct w_session_view view; /* of the session; no walls: none */
	char *scratch;              /* private directory; NULL: none */
	const char *shell; /* the shell for shell texts, borrowed; NULL: sh */
	struct w_words env;
	struct w_words argv;
	struct w_program program;
	struct w_child_limit limits[W_CHILD_LIMITS_MAX];
	size_t limit_count;
	struct w_run_sandbox *sandbox; /* a reference; NULL: no sandbox */
	/* Walls of this run alone: its /tmp lies on disk, or it is in a session
	 * with a fresh layer over HOME. NULL: none. */
	struct w_session_walls *own_walls;
	struct w_host_ports host_ports; /* with the network HOSTS */
	char *program_path; /* path inside the sandbox; NULL: not needed */
	/* The file in a session's /tmp to which the shell writes what it leaves
	 * behind; "": none. */
	char state_file[W_STATE_FILE_MAX];
	/* The decision, and how it restricts the sandbox. Lists and texts are
	 * borrowed until the run has begun. */
	struct w_restriction restriction;
	struct w_settings_copy *settings; /* NULL: none */
	struct w_run_decision decision;
	struct w_undo_permit permit; /* of its layer */
	const char *layer_lack;      /* why it has none; NULL: see struct
					w_run_found */
	/* Judges the programs that the run starts; ctx is NULL: nobody does. */
	struct w_execve_judge execve_judge;
	/* Memory limit in bytes for a run whose request has none, if a control
	 * group can enforce it. Never sampled. 0: none. */
	uint64_t default_memory;
};

#define W_PREPARED_INIT                              \
	{                                            \
		.cwd_fd = -1, .program = {.fd = -1 } \
	}

/* What an engine provides for all its requests. */
struct w_prepare_context {
	struct w_launcher *launcher;
	struct w_run_sandbox_cache *sandbox_cache;
	const char *const *profile_dirs;
	const char *state_dir;
	const char *spill_dir;      /* NULL: nothing is spilled */
	struct w_undo_owner *owner; /* of layers: its session; NULL: none */
	uint32_t missing;           /* layers that best effort leaves out */
	w_left_state_risky_fn is_risky_variable;
};

/*
 * The steps from a checked request to a launch, in this order. engine/start.c
 * goes through them, with the policy in between.
 *
 * A working directory or program that does not exist is reported in *missing,
 * whose status is WRIT_OK before, and is no failure yet: a denial comes first.
 */

/* The user and the working directory. base: the directory that the walls of a
 * session were chosen for; NULL: unknown, and then none of its directories can
 * be worked in. */
writ_status w_run_locate(struct w_prepared *prepared,
    const writ_request *request, const char *base, writ_error *missing,
    writ_error *err);

/* The environment, the arguments and the program. */
writ_status w_run_resolve(struct w_prepared *prepared,
    const writ_request *request, const struct w_prepare_context *context,
    writ_error *missing, writ_error *err);

/* The sandbox and the limits. Limits of the request are lowered to those of its
 * profile. */
writ_status w_run_apply_profile(struct w_prepared *prepared,
    writ_request *request, const struct w_prepare_context *context,
    writ_error *err);

/* Whether the run goes on while processes that its command left behind are
 * alive. */
bool w_run_waits(
    const struct w_prepared *prepared, const writ_request *request);

/* Releases all of it and deletes the private directory unless taken. */
void w_prepared_done(struct w_prepared *prepared);

#endif /* W_RUN_PREPARE_H */
