/* SPDX-License-Identifier: Apache-2.0 */

/* Applies the constraints to a request, before its program is looked up. */

#include "engine/decide/constraints.h"

#include <string.h>
#include <unistd.h>

#include "os/machine.h"
#include "run/resolve/environ.h"
#include "sandbox/mounts/mount_plan.h"

#define STAGE             "policy"
#define VARIABLE_NAME_MAX 256

unsigned
w_constraints_env_rank(writ_env_mode mode)
{
	static const unsigned ranks[] = {
	    [WRIT_ENV_ISOLATED] = 0,
	    [WRIT_ENV_CLEAN] = 1,
	    [WRIT_ENV_MINIMAL] = 2,
	    [WRIT_ENV_INHERIT] = 3,
	};

	return ranks[mode];
}

static void
constraints_apply_lower(uint64_t *value, uint64_t limit)
{
	if (limit != 0 && (*value == 0 || *value > limit))
		*value = limit;
}

/* Limits for an untrusted caller where no policy sets any, whatever it asks
 * for: the machine must stay usable. */
static void
apply_defaults(struct w_constraints *constraints, writ_request *request)
{
	const uint64_t machine = w_machine_memory();
	const uint64_t memory = machine - machine / 4;

	if (constraints->limits.memory == 0 && request->memory != 0)
		constraints_apply_lower(&request->memory, memory);
	else if (constraints->limits.memory == 0 &&
		 w_walls_hold(constraints->walls))
		constraints->default_memory = memory;
	if (constraints->limits.tmp == 0 && request->tmp_size != 0)
		constraints_apply_lower(
		    &request->tmp_size, w_mount_tmp_default());
}

static void
apply_limits(struct w_constraints *constraints, const writ_request *asked,
    writ_request *request)
{
	const struct w_policy_limits *limits = &constraints->limits;

	if (asked->timeout_ms == 0)
		request->timeout_ms = limits->timeout_ms;
	constraints_apply_lower(&request->timeout_ms, limits->max_timeout_ms);
	constraints_apply_lower(&request->idle_timeout_ms, limits->idle_ms);
	if (asked->output_limit == 0 && limits->output != 0)
		request->output_limit = limits->output;
	if (request->output_limit != 0)
		constraints_apply_lower(&request->output_limit, limits->output);
	if (asked->spill_limit == 0 && limits->spill != 0)
		request->spill_limit = limits->spill;
	if (request->spill_limit != 0)
		constraints_apply_lower(&request->spill_limit, limits->spill);
	constraints_apply_lower(&request->max_output, limits->max_output);
	constraints_apply_lower(&request->cpu_ms, limits->cpu_ms);
	constraints_apply_lower(&request->memory, limits->memory);
	constraints_apply_lower(&request->processes, limits->processes);
	constraints_apply_lower(&request->open_files, limits->open_files);
	constraints_apply_lower(&request->file_size, limits->file_size);
	/* Without a private TMPDIR there is nothing to limit. */
	if (constraints->walls >= W_WALLS_ENV)
		constraints_apply_lower(&request->tmp_size, limits->tmp);
	/* An agent does not choose otherwise. */
	if (limits->tmp_on != WRIT_TMP_DEFAULT &&
	    constraints->walls >= W_WALLS_READONLY &&
	    (asked->tmp == WRIT_TMP_DEFAULT ||
		asked->caller != WRIT_CALLER_TRUSTED))
		request->tmp = (writ_tmp)limits->tmp_on;
	if (asked->caller != WRIT_CALLER_TRUSTED)
		apply_defaults(constraints, request);
	/* An agent can ask for more of it. */
	if (asked->undo == WRIT_UNDO_DEFAULT ||
	    (asked->caller != WRIT_CALLER_TRUSTED &&
		asked->undo < constraints->undo))
		request->undo = constraints->undo;
}

/* Values for variables that the caller's environment does not have. */
static void
add_standard(struct w_constraints_list *set, const char *const *standard)
{
	for (; standard != NULL && *standard != NULL; standard++) {
		char name[VARIABLE_NAME_MAX];
		const size_t len = strcspn(*standard, "=");

		if (len >= sizeof(name))
			continue;
		memcpy(name, *standard, len);
		name[len] = '\0';
		if (w_environ_get(environ, name) == NULL)
			w_constraints_list_add(set, *standard);
	}
}

/* A project policy can only tighten: its author must not read the caller's
 * variables or set LD_PRELOAD. */
static void
constraints_apply_add_env(struct w_constraints_list lists[3],
    const struct w_policy_environment *env, enum w_tier tier)
{
	w_constraints_list_add_all(&lists[1], env->drop);
	if (tier == W_TIER_PROJECT)
		return;
	w_constraints_list_add_all(&lists[0], env->pass);
	add_standard(&lists[2], env->standard);
	w_constraints_list_add_all(&lists[2], env->set);
}

/* Lists of the policies come before those of the request, so that the
 * request's own values win. */
static writ_status
apply_lists(
    struct w_constraints *constraints, writ_request *request, writ_error *err)
{
	struct w_constraints_list lists[3] = {{.constraints = constraints},
	    {.constraints = constraints}, {.constraints = constraints}};

	for (size_t i = 0; i < constraints->count; i++) {
		const struct w_policy_tier *tier = &constraints->tiers[i];

		constraints_apply_add_env(
		    lists, &tier->policy->terms.environment, tier->tier);
		if (constraints->agents[i] != NULL)
			constraints_apply_add_env(lists,
			    &constraints->agents[i]->terms.environment,
			    tier->tier);
	}
	if (lists[0].count + lists[1].count + lists[2].count == 0)
		return WRIT_OK;
	w_constraints_list_add_all(&lists[0], request->env_pass);
	w_constraints_list_add_all(&lists[1], request->env_drop);
	w_constraints_list_add_all(&lists[2], request->env);
	request->env_pass = w_constraints_list_end(&lists[0]);
	request->env_drop = w_constraints_list_end(&lists[1]);
	request->env = w_constraints_list_end(&lists[2]);
	return request->env_pass == NULL || request->env_drop == NULL ||
		       request->env == NULL
		   ? w_fail_nomem(err, STAGE)
		   : WRIT_OK;
}

writ_status
w_constraints_apply(struct w_constraints *constraints,
    const struct w_constraints_input *input, writ_request *request,
    writ_error *err)
{
	const writ_env_mode asked = input->asked->env_mode;

	apply_limits(constraints, input->asked, request);
	/* MINIMAL is also the default of a request that sets no mode. Only a
	 * local caller gets more than the policy allows. */
	if (asked == WRIT_ENV_MINIMAL ||
	    (!input->is_local &&
		w_constraints_env_rank(asked) >
		    w_constraints_env_rank(constraints->env_mode)))
		request->env_mode = constraints->env_mode;
	return apply_lists(constraints, request, err);
}
