/* SPDX-License-Identifier: Apache-2.0 */

/* Joins what the policies say besides rules: sandbox, network, limits,
 * environment, roots. */

#include "engine/decide/constraints.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "os/resolve.h"

#define STAGE           "policy"
#define DEFAULT_PROFILE "workspace"

void
w_constraints_done(struct w_constraints *constraints)
{
	w_arena_done(&constraints->arena);
	*constraints = (struct w_constraints){.count = 0};
}

/* ---- profiles ---- */

static const char *const walls_words[] = {
#define X(name, word) [W_WALLS_##name] = word,
    W_WALLS_MAP(X)
#undef X
};

struct constraints_found {
	enum w_walls walls;
	bool has_network;
	enum w_network network;
	const char *const *write;
	const char *const *hosts;
};

static writ_status
copy_hosts(struct w_constraints *constraints, const struct w_profile *profile,
    const char *const **out_hosts, writ_error *err)
{
	struct w_constraints_list list = {.constraints = constraints};

	for (size_t i = 0; i < profile->hosts.count; i++) {
		writ_error cause = {.status = WRIT_OK};
		writ_status status =
		    w_host_pattern_check(profile->hosts.items[i], &cause);

		if (status != WRIT_OK)
			return w_fail(err, status, STAGE, 0, "%s: %s",
			    profile->origin, cause.message);
		w_constraints_list_copy(&list, profile->hosts.items[i]);
	}
	*out_hosts = w_constraints_list_end(&list);
	return *out_hosts == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* A custom profile has the walls of the profile it extends. One that writes
 * nothing keeps the run read-only even if a stronger profile is taken. */
static writ_status
find_walls(struct w_constraints *constraints,
    const struct w_constraints_input *input, const char *name,
    struct constraints_found *out, writ_error *err)
{
	struct w_profile profile = {.name = NULL};

	for (size_t i = 0; i < sizeof(walls_words) / sizeof(*walls_words);
	     i++) {
		if (strcmp(walls_words[i], name) == 0) {
			*out = (struct constraints_found){
			    .walls = (enum w_walls)i};
			if (out->walls == W_WALLS_READONLY)
				constraints->is_readonly = true;
			return WRIT_OK;
		}
	}
	writ_status status =
	    w_profile_find(name, input->profile_dirs, &profile, err);
	if (status != WRIT_OK)
		return status;
	out->walls = profile.walls;
	if (out->walls == W_WALLS_READONLY)
		constraints->is_readonly = true;
	out->has_network = true;
	out->network = profile.network;
	out->write = NULL;
	out->hosts = NULL;
	if (profile.hosts.count > 0)
		status = copy_hosts(constraints, &profile, &out->hosts, err);
	if (status == WRIT_OK && profile.write.count > profile.builtins.write)
		status = w_constraints_roots(constraints, input,
		    (const char *const *)profile.write.items +
			profile.builtins.write,
		    &out->write, err);
	w_profile_done(&profile);
	return status;
}

static void
set_profile(struct w_constraints *constraints, const char *name,
    const struct constraints_found *found)
{
	constraints->profile = name;
	constraints->walls = found->walls;
	constraints->profile_write = found->write;
	constraints->has_network = found->has_network;
	constraints->network = found->network;
	constraints->profile_hosts = found->hosts;
}

/* The profile "container", or one on top of it: weaker walls in place of
 * WORKSPACE, which only somebody who may weaken them can choose. */
static bool
is_container(struct w_constraints *constraints,
    const struct w_constraints_input *input, const char *name)
{
	const bool is_readonly = constraints->is_readonly;
	struct constraints_found found;
	writ_error ignored;

	if (name == NULL)
		return false;
	const bool is_one =
	    find_walls(constraints, input, name, &found, &ignored) == WRIT_OK &&
	    found.walls == W_WALLS_CONTAINER;
	/* Nothing is taken yet. */
	constraints->is_readonly = is_readonly;
	return is_one;
}

/* What a policy names for the sandbox; NULL: nothing. A project is written by
 * others: it can tighten, so it gets no container. Where a trusted policy has
 * named one, it is the workspace of this machine, and a project that wants a
 * workspace has it. */
static const char *
name_of(struct w_constraints *constraints,
    const struct w_constraints_input *input, size_t tier, const char *name)
{
	if (constraints->tiers[tier].tier != W_TIER_PROJECT || name == NULL)
		return name;
	if (is_container(constraints, input, name))
		return NULL;
	return constraints->is_container && strcmp(name, DEFAULT_PROFILE) == 0
		   ? NULL
		   : name;
}

/* Whether a container is the workspace here: a policy of the machine, of the
 * user or of an option names one, and none of them names something else; or
 * the engine was opened with one. */
static bool
has_container(
    struct w_constraints *constraints, const struct w_constraints_input *input)
{
	bool is_named = is_container(constraints, input, input->sandbox);

	for (size_t i = 0; i < constraints->count; i++) {
		const struct w_policy *policy = constraints->tiers[i].policy;
		const char *name = policy->terms.sandbox;

		if (constraints->tiers[i].tier == W_TIER_PROJECT)
			continue;
		if (is_container(constraints, input, name))
			is_named = true;
		else if (name != NULL && input->sandbox == NULL)
			return false;
	}
	return is_named;
}

/* Takes the profile if its walls are stronger. */
static writ_status
take_profile(struct w_constraints *constraints,
    const struct w_constraints_input *input, const char *name, writ_error *err)
{
	struct constraints_found found;

	if (name == NULL)
		return WRIT_OK;
	writ_status status = find_walls(constraints, input, name, &found, err);
	if (status != WRIT_OK)
		return status;
	if (constraints->profile == NULL || found.walls > constraints->walls)
		set_profile(constraints, name, &found);
	return WRIT_OK;
}

static writ_status
take_agents(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < constraints->count && status == WRIT_OK; i++) {
		if (constraints->agents[i] != NULL)
			status = take_profile(constraints, input,
			    name_of(constraints, input, i,
				constraints->agents[i]->terms.sandbox),
			    err);
	}
	return status;
}

/* The profile that an untrusted caller names. If it is weaker than the usual
 * one, the rules must allow that: w_constraints_excess(). The profile set
 * for the agent stays. */
static writ_status
take_asked(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err)
{
	const char *name = input->asked->sandbox;
	struct constraints_found found;

	if (strchr(name, '/') != NULL) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the sandbox '%.64s' is a file, and an agent chooses a "
		    "profile by its name",
		    name);
		w_suggest(err, "writ sandbox list");
		return WRIT_E_INVALID;
	}
	writ_status status = find_walls(constraints, input, name, &found, err);
	if (status != WRIT_OK || strcmp(name, constraints->profile) == 0)
		return status;
	constraints->profile = NULL;
	status = take_agents(constraints, input, err);
	/* A custom profile is only as strong as itself. */
	if (status != WRIT_OK || (constraints->profile != NULL &&
				     (constraints->has_network ||
					 constraints->walls >= found.walls)))
		return status;
	set_profile(constraints, name, &found);
	return WRIT_OK;
}

/* First the usual profile, then the one that the request names. A trusted
 * caller gets that one, unless the policy sets a stronger one for the agent. */
static writ_status
plan_profile(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err)
{
	writ_status status = WRIT_OK;

	constraints->is_container = has_container(constraints, input);
	if (input->sandbox != NULL) {
		status = take_profile(constraints, input, input->sandbox, err);
		if (status == WRIT_OK)
			status = take_agents(constraints, input, err);
	} else {
		status = take_agents(constraints, input, err);
		for (size_t i = 0; i < constraints->count && status == WRIT_OK;
		     i++) {
			const char *own = name_of(constraints, input, i,
			    constraints->tiers[i].policy->terms.sandbox);

			if (own == NULL && constraints->is_container)
				continue;
			status = take_profile(constraints, input,
			    own == NULL ? DEFAULT_PROFILE : own, err);
		}
	}
	if (status != WRIT_OK)
		return status;
	constraints->usual_profile = constraints->profile;
	constraints->usual_walls = constraints->walls;
	constraints->has_usual_network = constraints->has_network;
	constraints->usual_network = constraints->network;
	if (input->asked->sandbox == NULL)
		return WRIT_OK;
	if (input->asked->caller != WRIT_CALLER_TRUSTED)
		return take_asked(constraints, input, err);
	constraints->profile = NULL;
	constraints->is_readonly = false;
	status = take_profile(constraints, input, input->asked->sandbox, err);
	return status == WRIT_OK ? take_agents(constraints, input, err)
				 : status;
}

/* ---- numbers and words ---- */

static void
constraints_lower(uint64_t *value, uint64_t limit)
{
	if (limit != 0 && (*value == 0 || *value > limit))
		*value = limit;
}

static void
lower_all(struct w_policy_limits *limits, const struct w_policy_limits *by)
{
	constraints_lower(&limits->timeout_ms, by->timeout_ms);
	constraints_lower(&limits->max_timeout_ms, by->max_timeout_ms);
	constraints_lower(&limits->idle_ms, by->idle_ms);
	constraints_lower(&limits->output, by->output);
	constraints_lower(&limits->spill, by->spill);
	constraints_lower(&limits->max_output, by->max_output);
	constraints_lower(&limits->cpu_ms, by->cpu_ms);
	constraints_lower(&limits->memory, by->memory);
	constraints_lower(&limits->processes, by->processes);
	constraints_lower(&limits->open_files, by->open_files);
	constraints_lower(&limits->file_size, by->file_size);
	constraints_lower(&limits->tmp, by->tmp);
	if (limits->tmp_on == WRIT_TMP_DEFAULT)
		limits->tmp_on = by->tmp_on;
}

static void
lower_network(struct w_constraints *constraints, const char *word)
{
	static const char *const words[] = {
#define X(name, text) [W_NETWORK_##name] = text,
	    W_NETWORK_MAP(X)
#undef X
	};

	for (size_t i = 0; word != NULL && i < sizeof(words) / sizeof(*words);
	     i++) {
		if (i < constraints->network_max && strcmp(words[i], word) == 0)
			constraints->network_max = (enum w_network)i;
	}
}

static void
take_env_mode(
    struct w_constraints *constraints, const char *word, bool *is_said)
{
	static const char *const words[] = {
#define X(name, text) [WRIT_ENV_##name] = text,
	    WRIT_ENV_MODE_MAP(X)
#undef X
	};

	for (size_t i = 0; word != NULL && i < sizeof(words) / sizeof(*words);
	     i++) {
		const writ_env_mode mode = (writ_env_mode)i;

		if (strcmp(words[i], word) != 0)
			continue;
		if (!*is_said ||
		    w_constraints_env_rank(mode) <
			w_constraints_env_rank(constraints->env_mode))
			constraints->env_mode = mode;
		*is_said = true;
	}
}

/* A policy can only ask for more of it. */
static void
take_undo(struct w_constraints *constraints, const char *word)
{
	static const char *const words[] = {
#define X(name, text) [WRIT_UNDO_##name] = text,
	    WRIT_UNDO_MAP(X)
#undef X
	};

	for (size_t i = constraints->undo + 1;
	     word != NULL && i < sizeof(words) / sizeof(*words); i++) {
		if (strcmp(words[i], word) == 0)
			constraints->undo = (writ_undo)i;
	}
}

static void
take_terms(struct w_constraints *constraints,
    const struct w_policy_terms *terms, bool *has_mode)
{
	lower_all(&constraints->limits, &terms->limits);
	lower_network(constraints, terms->network);
	take_env_mode(constraints, terms->environment.mode, has_mode);
	if (terms->judge != NULL && strcmp(terms->judge, "exec") == 0)
		constraints->judge = "exec";
	take_undo(constraints, terms->undo);
}

static void
join_terms(struct w_constraints *constraints, bool prefers_bash)
{
	bool has_mode = false;

	constraints->network_max = W_NETWORK_HOST;
	constraints->env_mode = WRIT_ENV_MINIMAL;
	constraints->shell = NULL;
	constraints->judge = "request";
	constraints->undo = WRIT_UNDO_OFF;
	for (size_t i = 0; i < constraints->count; i++) {
		const struct w_policy *policy = constraints->tiers[i].policy;

		if (constraints->tiers[i].tier != W_TIER_PROJECT &&
		    policy->knows_hosts)
			constraints->knows_hosts = true;
		take_terms(constraints, &policy->terms, &has_mode);
		if (constraints->agents[i] != NULL)
			take_terms(constraints, &constraints->agents[i]->terms,
			    &has_mode);
		/* bash before sh, if policies differ. */
		if (policy->names_shell &&
		    (constraints->shell == NULL ||
			strcmp(policy->shell_program, "bash") == 0))
			constraints->shell = policy->shell_program;
	}
	if (constraints->shell == NULL)
		constraints->shell =
		    prefers_bash && access("/bin/bash", X_OK) == 0 ? "bash"
								   : "sh";
}

/* ---- tiers ---- */

static writ_status
add_tiers(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err)
{
	const struct w_policies *policies = input->policies;

	for (size_t i = 0; i < policies->count; i++) {
		const struct w_loaded_policy *one = policies->loaded[i];
		struct w_policy_tier *tier =
		    &constraints->tiers[constraints->count];
		const struct w_policy_agent *agent = w_policy_agent_find(
		    one->policy, input->asked->agent == NULL
				     ? w_policy_default_agent(one->policy)
				     : input->asked->agent);
		const char *const *roots = one->policy->terms.roots;

		if (agent != NULL && agent->terms.roots != NULL)
			roots = agent->terms.roots;
		tier->tier = one->tier;
		tier->policy = one->policy;
		constraints->agents[constraints->count++] = agent;
		writ_status status = w_constraints_roots(
		    constraints, input, roots, &tier->roots, err);
		if (status != WRIT_OK)
			return status;
	}
	return w_constraints_join_roots(constraints, input, err);
}

/* An agent that can write its own policy has none. Files in .writ are
 * protected. */
static bool
is_reachable(const struct w_constraints *constraints, const char *file)
{
	const char *const *roots = constraints->roots;

	if (strstr(file, "/.writ/") != NULL)
		return false;
	for (; *roots != NULL; roots++) {
		if (w_resolve_is_in(file, *roots))
			return true;
	}
	return false;
}

static writ_status
check_files(const struct w_constraints *constraints, writ_error *err)
{
	if (!w_walls_can_write(constraints->walls))
		return WRIT_OK;
	for (size_t i = 0; i < constraints->count; i++) {
		const char *const *file = constraints->tiers[i].policy->files;

		for (; file != NULL && *file != NULL; file++) {
			if (strcmp(*file, W_POLICY_MEMORY) == 0)
				continue;
			struct w_resolved_path place;
			w_resolve(AT_FDCWD, *file, false, &place);
			if (!is_reachable(constraints, place.path))
				continue;
			(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the policy '%s' is in a place where runs may "
			    "write",
			    *file);
			w_suggest(err, "put it into .writ, or elsewhere");
			return WRIT_E_INVALID;
		}
	}
	return WRIT_OK;
}

writ_status
w_constraints_make(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_error *err)
{
	writ_status status = add_tiers(constraints, input, err);

	if (status != WRIT_OK)
		return status;
	join_terms(constraints, input->asked->prefers_bash);
	status = plan_profile(constraints, input, err);
	if (status == WRIT_OK && !input->is_dry_run)
		status = check_files(constraints, err);
	/* A read-only workspace is named by its own profile, in the sandbox
	 * and in reports. Rules still see the stronger walls: what they allow
	 * in WORKSPACE is no less safe here. */
	if (status == WRIT_OK && constraints->is_readonly &&
	    constraints->profile != NULL &&
	    strcmp(constraints->profile, walls_words[W_WALLS_WORKSPACE]) == 0)
		constraints->profile = walls_words[W_WALLS_READONLY];
	return status;
}

unsigned
w_constraints_rule_walls(
    const struct w_constraints *constraints, enum w_walls walls)
{
	return (
	    unsigned)(walls == W_WALLS_CONTAINER && constraints->is_container
			  ? W_WALLS_WORKSPACE
			  : walls);
}

/* What a run gets that asks for no network. In a workspace it may use its own
 * loopback: servers and clients of a test reach each other, and nobody else. */
static enum w_network
default_network(enum w_walls walls, enum w_network needed)
{
	if (needed == W_NETWORK_HOSTS)
		return walls == W_WALLS_CONTAINER ? W_NETWORK_HOST : needed;
	if (needed == W_NETWORK_HOST)
		return W_NETWORK_HOST;
	return walls == W_WALLS_WORKSPACE ? W_NETWORK_LOOPBACK : W_NETWORK_OFF;
}

enum w_network
w_constraints_usual_network(
    const struct w_constraints *constraints, enum w_network needed)
{
	enum w_network usual =
	    default_network(constraints->usual_walls, needed);

	if (constraints->usual_walls <= W_WALLS_ENV)
		return W_NETWORK_HOST;
	if (constraints->has_usual_network)
		usual = constraints->usual_network;
	return usual < constraints->network_max ? usual
						: constraints->network_max;
}

enum w_network
w_constraints_network(const struct w_constraints *constraints,
    const writ_request *asked, enum w_network needed)
{
	static const enum w_network by_request[] = {
	    [WRIT_NETWORK_OFF] = W_NETWORK_OFF,
	    [WRIT_NETWORK_LOOPBACK] = W_NETWORK_LOOPBACK,
	    [WRIT_NETWORK_HOSTS] = W_NETWORK_HOSTS,
	    [WRIT_NETWORK_HOST] = W_NETWORK_HOST,
	};
	enum w_network wanted = default_network(constraints->walls, needed);

	/* Without a sandbox nothing would enforce it. */
	if (constraints->walls <= W_WALLS_ENV)
		return W_NETWORK_HOST;
	if (asked->network != WRIT_NETWORK_DEFAULT)
		wanted = by_request[asked->network];
	else if (asked->hosts != NULL && asked->hosts[0] != NULL)
		wanted = W_NETWORK_HOSTS;
	else if (constraints->has_network)
		wanted = constraints->network;
	return wanted < constraints->network_max ? wanted
						 : constraints->network_max;
}
