/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CONSTRAINTS_H
#define W_ENGINE_CONSTRAINTS_H

#include <writ/run.h>

#include "engine/decide/access_set.h"
#include "engine/policies/policies.h"
#include "policy/evaluate/decision.h"
#include "sandbox/profile/profile.h"
#include "sandbox/profile/restriction.h"

/*
 * What the policies say besides rules, joined: within which walls a request
 * runs, with how much network, in which environment and limits, and in which
 * directories it may write. Made before judging, since rules speak about it.
 *
 * Of several policies, and of a policy and the agent in it, the stricter counts
 * for each thing by itself.
 */
struct w_constraints_input {
	const struct w_policies *policies;
	const writ_request *asked; /* as it came; not checked, today's size */
	const char *base;          /* canonical; NULL: there is none */
	const char *sandbox;       /* of the engine; NULL: as policies say */
	const char *home;          /* canonical; NULL: there is none */
	const char *const *profile_dirs;
	bool is_local;   /* from the library or a person at the command line */
	bool is_dry_run; /* nothing will run: who could change a policy does not
			  matter */
};

/* All zero is none. Everything in it lives in its arena or is borrowed from the
 * policies. */
struct w_constraints {
	struct w_arena arena;
	struct w_policy_tier tiers[W_LOADED_POLICIES_MAX];
	const struct w_policy_agent
	    *agents[W_LOADED_POLICIES_MAX]; /* NULL: none */
	size_t count;

	const char *profile;
	enum w_walls walls;
	/* One of those joined writes nothing; the strongest walls count, and
	 * nothing is writable in them. */
	bool is_readonly;
	/* What a profile of one's own makes writable besides the working
	 * directory; NULL-ended; NULL: nothing. */
	const char *const *profile_write;
	bool has_network; /* a profile of one's own says how much: */
	enum w_network network;
	/* What it would be had the caller not asked for another. */
	const char *usual_profile;
	enum w_walls usual_walls;
	bool has_usual_network;
	enum w_network usual_network;
	enum w_network network_max;
	struct w_policy_limits limits; /* the lowest of each */
	uint64_t default_memory;       /* where nobody says any; 0: none */
	writ_env_mode env_mode;
	const char *shell; /* "sh", "bash" */
	const char *base;  /* where "." of roots is; NULL: not looked for yet */
	/* In which runs may write, by all policies; NULL-ended. */
	const char *const *roots;
	/* What the request itself names to be writable, looked up. */
	const char *const *asked_write;
};

void w_constraints_done(struct w_constraints *constraints);

/* The plan was empty. WRIT_E_INVALID: a profile that there is not, a policy
 * that lies where runs may write. */
writ_status w_constraints_make(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err);

/* Puts limits and environment into the request. What it then points to is the
 * plan's. */
writ_status w_constraints_apply(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_request *request,
    writ_error *err);

/* How much network a request with these effects gets. */
enum w_network w_constraints_network(const struct w_constraints *constraints,
    const writ_request *asked, unsigned effects);

/* And if the request does not say. */
enum w_network w_constraints_usual_network(
    const struct w_constraints *constraints, unsigned effects);

/* ---- constraints_excess.c ---- */

/* What an untrusted caller asks for beyond the walls, in words: see struct
 * w_policy_facts. *out_more is NULL: nothing. */
writ_status w_constraints_excess(struct w_constraints *constraints,
    const writ_request *asked, const struct w_policy_facts *c,
    const char *const **out_more, writ_error *err);

/* ---- constraints_apply.c ---- */

/* The more of the environment passes, the higher. */
unsigned w_constraints_env_rank(writ_env_mode mode);

/* ---- constraints_roots.c ---- */

/* Looks up the roots of a policy (NULL: "."). Those that are not there are left
 * out. */
writ_status w_constraints_roots(struct w_constraints *constraints,
    const struct w_constraints_input *input, const char *const *written,
    const char *const **out_roots, writ_error *err);

/* What lies in a root of every seat. */
writ_status w_constraints_join_roots(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err);

/* ---- constraints_walls.c ---- */

/* What was decided, for the walls. */
struct w_constraints_walls {
	struct w_constraints *constraints;
	const struct w_policy_facts *c;
	const char *path_list;
	bool is_agreed; /* a person said yes to this very request, or would */
	struct w_restriction *restriction;
	writ_request *request;
};

/* After an allow: gives the request its profile and network, narrows the walls
 * to what the command says it writes, to the fences, and hides programs that
 * nobody may run. */
writ_status w_constraints_restrict(
    const struct w_constraints_walls *walls, writ_error *err);

/* ---- constraints_programs.c ---- */

/* The files of the fences; *out_files is NULL: there is no fence. */
writ_status w_constraints_allowlist(const struct w_constraints_walls *walls,
    const char *const **out_files, writ_error *err);

/* The files and directories that the programs at hand execute by themselves. */
writ_status w_constraints_helper_programs(
    const struct w_constraints_walls *walls, const char *const **out_files,
    writ_error *err);

/* The files of programs that are denied whatever they do. */
writ_status w_constraints_denied_programs(
    const struct w_constraints_walls *walls, const char *const **out_files,
    writ_error *err);

/* ---- constraints_outside.c ---- */

/* Whether a path outside of the roots may become writable. */
bool w_constraints_may_write(const struct w_constraints_walls *walls,
    const struct w_policy_command *command, const struct w_policy_path *path);

/* ---- constraints_list.c ---- */

/* A list in the plan's arena that grows. */
struct w_constraints_list {
	struct w_constraints *constraints;
	const char **items; /* NULL-ended once something was added */
	size_t count;
	size_t cap;
	bool has_failed;
};

/* Appends a text, borrowed or a copy, unless it is there already. */
void w_constraints_list_add(struct w_constraints_list *list, const char *text);
void w_constraints_list_copy(struct w_constraints_list *list, const char *text);
bool w_constraints_list_has(
    const struct w_constraints_list *list, const char *text);
/* All of a NULL-ended list, which may be NULL. */
void w_constraints_list_add_all(
    struct w_constraints_list *list, const char *const *texts);
/* NULL-ended, never NULL unless it has failed. */
const char *const *w_constraints_list_end(struct w_constraints_list *list);

#endif /* W_ENGINE_CONSTRAINTS_H */
