/* SPDX-License-Identifier: Apache-2.0 */

/* What the policies say besides rules, joined. */

#include "engine/plan.h"

#include <fcntl.h>
#include <string.h>

#include "os/resolve.h"

#define STAGE           "policy"
#define DEFAULT_PROFILE "workspace"
#define DEFAULT_AGENT   "local"

void
w_plan_done(struct w_plan *plan)
{
	w_arena_done(&plan->arena);
	*plan = (struct w_plan){.count = 0};
}

/* ---- profiles ---- */

static const char *const walls_words[] = {
#define X(name, word) [W_WALLS_##name] = word,
    W_WALLS_MAP(X)
#undef X
};

struct found {
	enum w_walls walls;
	bool has_network;
	enum w_network network;
	const char *const *write;
};

/* A profile of one's own has the walls of what it extends. One that writes
 * nothing keeps the run from it, even if stronger walls are taken. */
static writ_status
find_walls(struct w_plan *plan, const struct w_plan_input *input,
    const char *name, struct found *out, writ_error *err)
{
	struct w_profile profile = {.name = NULL};

	for (size_t i = 0; i < sizeof(walls_words) / sizeof(*walls_words);
	     i++) {
		if (strcmp(walls_words[i], name) == 0) {
			*out = (struct found){.walls = (enum w_walls)i};
			if (out->walls == W_WALLS_READONLY)
				plan->is_readonly = true;
			return WRIT_OK;
		}
	}
	writ_status status =
	    w_profile_find(name, input->profile_dirs, &profile, err);
	if (status != WRIT_OK)
		return status;
	out->walls = profile.walls;
	if (out->walls == W_WALLS_READONLY)
		plan->is_readonly = true;
	out->has_network = true;
	out->network = profile.network;
	out->write = NULL;
	if (profile.write.count > profile.builtins.write)
		status = w_plan_roots(plan, input,
		    (const char *const *)profile.write.items +
			profile.builtins.write,
		    &out->write, err);
	w_profile_done(&profile);
	return status;
}

static void
set_profile(struct w_plan *plan, const char *name, const struct found *found)
{
	plan->profile = name;
	plan->walls = found->walls;
	plan->profile_write = found->write;
	plan->has_network = found->has_network;
	plan->network = found->network;
}

/* Takes the profile if it has the stronger walls. */
static writ_status
take_profile(struct w_plan *plan, const struct w_plan_input *input,
    const char *name, writ_error *err)
{
	struct found found;

	if (name == NULL)
		return WRIT_OK;
	writ_status status = find_walls(plan, input, name, &found, err);
	if (status != WRIT_OK)
		return status;
	if (plan->profile == NULL || found.walls > plan->walls)
		set_profile(plan, name, &found);
	return WRIT_OK;
}

static writ_status
take_agents(
    struct w_plan *plan, const struct w_plan_input *input, writ_error *err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0; i < plan->count && status == WRIT_OK; i++) {
		if (plan->agents[i] != NULL)
			status = take_profile(
			    plan, input, plan->agents[i]->terms.sandbox, err);
	}
	return status;
}

static writ_status
take_policies(
    struct w_plan *plan, const struct w_plan_input *input, writ_error *err)
{
	writ_status status = take_agents(plan, input, err);

	for (size_t i = 0; i < plan->count && status == WRIT_OK; i++) {
		const char *own = plan->seats[i].policy->terms.sandbox;

		status = take_profile(
		    plan, input, own == NULL ? DEFAULT_PROFILE : own, err);
	}
	return status;
}

/* The profile that an untrusted caller names. If it is weaker than the usual,
 * that is for the rules to allow: w_plan_more(). What its agent is held to
 * stays. */
static writ_status
take_asked(
    struct w_plan *plan, const struct w_plan_input *input, writ_error *err)
{
	const char *name = input->asked->sandbox;
	struct found found;

	if (strchr(name, '/') != NULL) {
		(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the sandbox '%.64s' is a file, and an agent chooses a "
		    "profile by its name",
		    name);
		w_suggest(err, "writ sandbox list");
		return WRIT_E_INVALID;
	}
	writ_status status = find_walls(plan, input, name, &found, err);
	if (status != WRIT_OK || strcmp(name, plan->profile) == 0)
		return status;
	plan->profile = NULL;
	status = take_agents(plan, input, err);
	/* A profile of its own is as strong as nothing but itself. */
	if (status != WRIT_OK ||
	    (plan->profile != NULL &&
		(plan->has_network || plan->walls >= found.walls)))
		return status;
	set_profile(plan, name, &found);
	return WRIT_OK;
}

/* First the usual profile, then the one that the request names. A trusted
 * caller gets that, unless the policy holds the agent to a stronger one. */
static writ_status
plan_profile(
    struct w_plan *plan, const struct w_plan_input *input, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (input->sandbox != NULL) {
		status = take_profile(plan, input, input->sandbox, err);
		if (status == WRIT_OK)
			status = take_agents(plan, input, err);
	} else {
		status = take_policies(plan, input, err);
	}
	if (status != WRIT_OK)
		return status;
	plan->usual_profile = plan->profile;
	plan->usual_walls = plan->walls;
	plan->has_usual_network = plan->has_network;
	plan->usual_network = plan->network;
	if (input->asked->sandbox == NULL)
		return WRIT_OK;
	if (input->asked->caller != WRIT_CALLER_TRUSTED)
		return take_asked(plan, input, err);
	plan->profile = NULL;
	plan->is_readonly = false;
	status = take_profile(plan, input, input->asked->sandbox, err);
	return status == WRIT_OK ? take_agents(plan, input, err) : status;
}

/* ---- numbers and words ---- */

static void
lower(uint64_t *value, uint64_t limit)
{
	if (limit != 0 && (*value == 0 || *value > limit))
		*value = limit;
}

static void
lower_all(struct w_policy_limits *limits, const struct w_policy_limits *by)
{
	lower(&limits->timeout_ms, by->timeout_ms);
	lower(&limits->max_timeout_ms, by->max_timeout_ms);
	lower(&limits->idle_ms, by->idle_ms);
	lower(&limits->output, by->output);
	lower(&limits->spill, by->spill);
	lower(&limits->max_output, by->max_output);
	lower(&limits->cpu_ms, by->cpu_ms);
	lower(&limits->memory, by->memory);
	lower(&limits->processes, by->processes);
	lower(&limits->open_files, by->open_files);
	lower(&limits->file_size, by->file_size);
	lower(&limits->tmp, by->tmp);
}

static void
lower_network(struct w_plan *plan, const char *word)
{
	static const char *const words[] = {
#define X(name, text) [W_NETWORK_##name] = text,
	    W_NETWORK_MAP(X)
#undef X
	};

	for (size_t i = 0; word != NULL && i < sizeof(words) / sizeof(*words);
	     i++) {
		if (strcmp(words[i], word) == 0 && i < plan->network_max)
			plan->network_max = (enum w_network)i;
	}
}

static void
take_env_mode(struct w_plan *plan, const char *word, bool *is_said)
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
		    w_plan_env_rank(mode) < w_plan_env_rank(plan->env_mode))
			plan->env_mode = mode;
		*is_said = true;
	}
}

static void
take_terms(
    struct w_plan *plan, const struct w_policy_terms *terms, bool *has_mode)
{
	lower_all(&plan->limits, &terms->limits);
	lower_network(plan, terms->network);
	take_env_mode(plan, terms->environment.mode, has_mode);
}

static void
join_terms(struct w_plan *plan)
{
	bool has_mode = false;

	plan->network_max = W_NETWORK_HOST;
	plan->env_mode = WRIT_ENV_MINIMAL;
	plan->shell = "sh";
	for (size_t i = 0; i < plan->count; i++) {
		const struct w_policy *policy = plan->seats[i].policy;

		take_terms(plan, &policy->terms, &has_mode);
		if (plan->agents[i] != NULL)
			take_terms(plan, &plan->agents[i]->terms, &has_mode);
		if (policy->shell_program != NULL &&
		    strcmp(policy->shell_program, "bash") == 0)
			plan->shell = "bash";
	}
}

/* ---- seats ---- */

static const char *
agent_of(const struct w_policy *policy, const writ_request *asked)
{
	if (asked->agent != NULL)
		return asked->agent;
	return policy->default_agent == NULL ? DEFAULT_AGENT
					     : policy->default_agent;
}

static writ_status
seat_all(struct w_plan *plan, const struct w_plan_input *input, writ_error *err)
{
	const struct w_policies *policies = input->policies;

	for (size_t i = 0; i < policies->count; i++) {
		const struct w_standing *one = policies->standing[i];
		struct w_bench_seat *seat = &plan->seats[plan->count];
		const struct w_policy_agent *agent = w_policy_agent_find(
		    one->policy, agent_of(one->policy, input->asked));
		const char *const *roots = one->policy->terms.roots;

		if (agent != NULL && agent->terms.roots != NULL)
			roots = agent->terms.roots;
		seat->tier = one->tier;
		seat->policy = one->policy;
		plan->agents[plan->count++] = agent;
		writ_status status =
		    w_plan_roots(plan, input, roots, &seat->roots, err);
		if (status != WRIT_OK)
			return status;
	}
	return w_plan_join_roots(plan, input, err);
}

/* Whoever could write his own policy has none. What lies in a .writ is
 * protected. */
static bool
is_reachable(const struct w_plan *plan, const char *file)
{
	const char *const *roots = plan->roots;

	if (strstr(file, "/.writ/") != NULL)
		return false;
	for (; *roots != NULL; roots++) {
		if (w_resolve_is_in(file, *roots))
			return true;
	}
	return false;
}

static writ_status
check_files(const struct w_plan *plan, writ_error *err)
{
	struct w_resolved place;

	if (plan->walls != W_WALLS_WORKSPACE && plan->walls != W_WALLS_STRICT)
		return WRIT_OK;
	for (size_t i = 0; i < plan->count; i++) {
		const char *const *file = plan->seats[i].policy->files;

		for (; file != NULL && *file != NULL; file++) {
			w_resolve(AT_FDCWD, *file, false, &place);
			if (!is_reachable(plan, place.path))
				continue;
			(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "the policy '%s' lies where runs may write", *file);
			w_suggest(err, "put it into .writ, or elsewhere");
			return WRIT_E_INVALID;
		}
	}
	return WRIT_OK;
}

/* The built-in walls in which nothing can be written are those of READONLY, and
 * that is what runs and what is told. Rules still see the stronger walls: what
 * they allow in WORKSPACE is no less safe here. */
static void
name_readonly(struct w_plan *plan)
{
	if (plan->is_readonly && plan->profile != NULL &&
	    strcmp(plan->profile, walls_words[W_WALLS_WORKSPACE]) == 0)
		plan->profile = walls_words[W_WALLS_READONLY];
}

writ_status
w_plan_make(
    struct w_plan *plan, const struct w_plan_input *input, writ_error *err)
{
	writ_status status = seat_all(plan, input, err);

	if (status != WRIT_OK)
		return status;
	join_terms(plan);
	status = plan_profile(plan, input, err);
	if (status == WRIT_OK && !input->is_trial)
		status = check_files(plan, err);
	if (status == WRIT_OK)
		name_readonly(plan);
	return status;
}

enum w_network
w_plan_usual_network(const struct w_plan *plan, unsigned effects)
{
	const bool needs = (effects & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0;
	enum w_network usual = needs ? W_NETWORK_HOST : W_NETWORK_OFF;

	if (plan->usual_walls <= W_WALLS_ENV)
		return W_NETWORK_HOST;
	if (plan->has_usual_network)
		usual = plan->usual_network;
	return usual < plan->network_max ? usual : plan->network_max;
}

enum w_network
w_plan_network(
    const struct w_plan *plan, const writ_request *asked, unsigned effects)
{
	static const enum w_network by_request[] = {
	    [WRIT_NETWORK_OFF] = W_NETWORK_OFF,
	    [WRIT_NETWORK_LOOPBACK] = W_NETWORK_LOOPBACK,
	    [WRIT_NETWORK_HOST] = W_NETWORK_HOST,
	};
	const bool needs = (effects & (W_EFFECT_NET | W_EFFECT_PUBLISH)) != 0;
	enum w_network wanted = needs ? W_NETWORK_HOST : W_NETWORK_OFF;

	/* Nothing would hold it. */
	if (plan->walls <= W_WALLS_ENV)
		return W_NETWORK_HOST;
	if (asked->network != WRIT_NETWORK_DEFAULT)
		wanted = by_request[asked->network];
	else if (plan->has_network)
		wanted = plan->network;
	return wanted < plan->network_max ? wanted : plan->network_max;
}
