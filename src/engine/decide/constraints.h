/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CONSTRAINTS_H
#define W_ENGINE_CONSTRAINTS_H

#include <writ/run.h>

#include "engine/decide/access_set.h"
#include "engine/decide/denied_programs.h"
#include "engine/decide/hidden_home.h"
#include "engine/policies/policies.h"
#include "policy/evaluate/decision.h"
#include "sandbox/path/name_index.h"
#include "sandbox/profile/profile.h"
#include "sandbox/profile/restriction.h"

/*
 * What the policies say besides rules, joined: sandbox profile, network,
 * environment, limits, and the directories a run may write. Made before the
 * rules are evaluated, since rules test it.
 *
 * Of several policies, and of a policy and its agent, the stricter applies to
 * each setting by itself.
 */
struct w_constraints_input {
	const struct w_policies *policies;
	const writ_request *asked; /* as received; not checked, current size */
	const char *base;          /* canonical; NULL: none */
	const char *sandbox; /* of the engine; NULL: the policies decide */
	const char *home;    /* canonical; NULL: none */
	const char *cwd; /* a directory of the machine that has just been opened
			    by this path without links; NULL: none */
	const char *const *profile_dirs;
	bool is_local;   /* from the library, or a person at the command line */
	bool is_dry_run; /* nothing will run: who can change a policy does not
			    matter */
};

/* All zero is empty. Everything in it lives in its arena or is borrowed from
 * the policies. */
struct w_constraints {
	struct w_arena arena;
	struct w_policy_tier tiers[W_LOADED_POLICIES_MAX];
	const struct w_policy_agent
	    *agents[W_LOADED_POLICIES_MAX]; /* NULL: none */
	size_t count;

	const char *profile;
	enum w_walls walls;
	/* One of the joined profiles writes nothing; the strongest walls
	 * apply, and nothing is writable in them. */
	bool is_readonly;
	/* Somebody who may weaken the sandbox has named a container: it is the
	 * workspace of this machine. */
	bool is_container;
	/* What a custom profile makes writable besides the working
	 * directory; NULL-ended; NULL: nothing. */
	const char *const *profile_write;
	bool has_network; /* a custom profile sets network: */
	enum w_network network;
	const char *const *profile_hosts; /* with the network HOSTS */
	bool knows_hosts; /* a policy, other than a project's, speaks of
			     hosts */
	/* What applies if the caller asks for no other profile. */
	const char *usual_profile;
	enum w_walls usual_walls;
	bool has_usual_network;
	enum w_network usual_network;
	enum w_network network_max;
	struct w_policy_limits limits; /* the lowest of each */
	uint64_t default_memory;       /* if no policy sets one; 0: none */
	writ_env_mode env_mode;
	const char *shell; /* "sh", "bash" */
	const char *judge; /* "request", "exec" */
	writ_undo undo;    /* the most of all policies; OFF: none says */
	const char *base; /* what "." means in roots; NULL: not looked up yet */
	/* Where runs may write by all policies; NULL-ended. */
	const char *const *roots;
	/* What the request asks to be writable, resolved. */
	const char *const *asked_write;
};

void w_constraints_done(struct w_constraints *constraints);

/* Fills empty constraints. WRIT_E_INVALID: no such profile, or a policy file
 * lies where runs may write. */
writ_status w_constraints_make(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err);

/* Applies limits and environment to the request, which then borrows from the
 * constraints. */
writ_status w_constraints_apply(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_request *request,
    writ_error *err);

/* The walls that rules see: for a container that is the workspace of this
 * machine, those of a workspace. */
unsigned w_constraints_rule_walls(
    const struct w_constraints *constraints, enum w_walls walls);

/* The network that a request gets. needed: by w_constraints_needed(). */
enum w_network w_constraints_network(const struct w_constraints *constraints,
    const writ_request *asked, enum w_network needed);

/* The same for a request that does not set it. */
enum w_network w_constraints_usual_network(
    const struct w_constraints *constraints, enum w_network needed);

/* ---- constraints_hosts.c ---- */

/* The network that commands need: OFF, if none connects for certain; HOSTS, if
 * it is known where to; HOST. */
enum w_network w_constraints_needed(const struct w_constraints *constraints,
    const struct w_policy_command *commands, size_t count);

/* The hosts of a run with the network HOSTS, as patterns: what the request
 * names, what its profile lists, and where the commands connect. Those of
 * `network: {hosts: ...}` and of rules are looked up with each connection. */
writ_status w_constraints_hosts(struct w_constraints *constraints,
    const struct w_policy_facts *facts, const writ_request *asked,
    const char *const **out_hosts, writ_error *err);

/* ---- constraints_excess.c ---- */

/* What an untrusted caller asks for beyond the usual sandbox, in words: see
 * struct w_policy_facts. *out_more is NULL: nothing. */
writ_status w_constraints_excess(struct w_constraints *constraints,
    const writ_request *asked, const struct w_policy_facts *facts,
    const char *const **out_more, writ_error *err);

/* ---- constraints_apply.c ---- */

/* The higher, the more of the environment passes. */
unsigned w_constraints_env_rank(writ_env_mode mode);

/* ---- constraints_roots.c ---- */

/* Resolves the roots of a policy (NULL: "."). Missing ones are left out. */
writ_status w_constraints_roots(struct w_constraints *constraints,
    const struct w_constraints_input *input, const char *const *written,
    const char *const **out_roots, writ_error *err);

/* What lies in a root of every tier. */
writ_status w_constraints_join_roots(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err);

/* After w_constraints_join_roots(). */
bool w_constraints_is_in_roots(
    const struct w_constraints *constraints, const char *path);

/* ---- constraints_walls.c ---- */

/* A decision, as input for the restriction of the sandbox. */
struct w_constraints_walls {
	struct w_constraints *constraints;
	struct w_denied_programs *denied; /* of the engine */
	struct w_hidden_home *hidden;     /* likewise */
	struct w_name_index *name_index;  /* likewise; NULL: none */
	const struct w_policy_facts *facts;
	const char *path_list;
	bool is_agreed; /* a person agreed to this very request, or would be
			   asked */
	struct w_restriction *restriction;
	writ_request *request;
};

/* After an allow: sets profile and network of the request, restricts writing
 * to what the command says it writes, restricts programs to the allowlists,
 * and hides programs that every rule denies. */
writ_status w_constraints_restrict(
    const struct w_constraints_walls *walls, writ_error *err);

/* ---- constraints_hide.c ---- */

/* Hides other projects and the rest of the home directory from a run that
 * reaches hosts, or that shares a session with one that may. WRIT_E_SANDBOX:
 * there is too much of it. */
writ_status w_constraints_hide_home(
    const struct w_constraints_walls *walls, writ_error *err);

/* ---- constraints_programs.c ---- */

/* The files of the program allowlists; *out_files is NULL: no allowlist. */
writ_status w_constraints_allowlist(const struct w_constraints_walls *walls,
    const char *const **out_files, writ_error *err);

/* The files and directories that the commands' programs execute themselves. */
writ_status w_constraints_helper_programs(
    const struct w_constraints_walls *walls, const char *const **out_files,
    writ_error *err);

/* The files of programs that are denied whatever they do. */
writ_status w_constraints_denied_programs(
    const struct w_constraints_walls *walls, const char *const **out_files,
    writ_error *err);

/* ---- constraints_settings.c ---- */

struct w_constraints_list;

/* Names the settings of the repository that a command is understood to change
 * by git's lock, in the restriction; adds its directory to the list. */
void w_constraints_settings(
    const struct w_constraints_walls *walls, struct w_constraints_list *list);

/* ---- constraints_outside.c ---- */

/* Whether a path outside the roots may become writable. */
bool w_constraints_may_write(const struct w_constraints_walls *walls,
    const struct w_policy_command *command, const struct w_policy_path *path);

/* ---- constraints_list.c ---- */

/* A growing list in the arena of the constraints. */
struct w_constraints_list {
	struct w_constraints *constraints;
	const char **items; /* NULL-ended by w_constraints_list_end() */
	size_t count;
	size_t cap;
	bool has_failed;
};

/* Appends a text, borrowed or copied, unless it is in the list. */
void w_constraints_list_add(struct w_constraints_list *list, const char *text);
void w_constraints_list_copy(struct w_constraints_list *list, const char *text);
bool w_constraints_list_has(
    const struct w_constraints_list *list, const char *text);
/* Adds a NULL-ended list; NULL: nothing. */
void w_constraints_list_add_all(
    struct w_constraints_list *list, const char *const *texts);
/* NULL-ended; NULL: out of memory. */
const char *const *w_constraints_list_end(struct w_constraints_list *list);

#endif /* W_ENGINE_CONSTRAINTS_H */
