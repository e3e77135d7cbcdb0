/* SPDX-License-Identifier: Apache-2.0 */

/* Decisions of an engine without running anything. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <writ/policy.h>

#include "base/auto.h"
#include "engine/engine_state.h"
#include "run/resolve/request_check.h"

#define STAGE "policy"

/* The steps of engine/start.c up to the decision. */
static writ_status
engine_decision_look_at(writ_engine *engine, const writ_request *request,
    w_engine_decided_fn tell, void *ctx, writ_error *err)
{
	struct w_decider *decider = &engine->decider;
	const struct w_prepare_context context =
	    w_runner_context(&engine->runner);
	struct w_prepared prepared = W_PREPARED_INIT;
	writ_error missing = {.status = WRIT_OK};
	writ_request checked;

	writ_status status = w_run_check_request(request, &checked, err);
	if (status == WRIT_OK)
		status = w_run_locate(
		    &prepared, &checked, engine->base, &missing, err);
	if (status == WRIT_OK)
		status = w_decider_constrain(decider, &prepared, &checked, err);
	if (status == WRIT_OK)
		status =
		    w_run_resolve(&prepared, &checked, &context, &missing, err);
	if (status == WRIT_OK)
		status = w_decider_decide(
		    decider, &prepared, &missing, &checked, err);
	/* Without a directory nobody knows what the paths are. */
	if (status == WRIT_OK && prepared.cwd == NULL &&
	    decider->decision.verdict != W_DENY) {
		if (err != NULL)
			*err = missing;
		status = missing.status;
	}
	if (status == WRIT_OK)
		status = tell(ctx, decider, err);
	w_prepared_done(&prepared);
	return status;
}

writ_status
w_engine_evaluate(writ_engine *engine, const writ_request *request,
    w_engine_decided_fn tell, void *ctx, writ_error *err)
{
	writ_status status = w_engine_accept(engine, request, err);

	if (status == WRIT_OK) {
		engine->decider.is_dry_run = true;
		status =
		    engine_decision_look_at(engine, request, tell, ctx, err);
		engine->decider.is_dry_run = false;
	}
	w_recorder_finish(&engine->recorder, request, NULL);
	w_decider_finish(&engine->decider);
	return status;
}

struct json {
	char *text;
	size_t len;
};

static writ_status
take_json(void *ctx, struct w_decider *decider, writ_error *err)
{
	struct json *json = ctx;

	return w_decider_json(decider, &json->text, &json->len, err);
}

writ_status
writ_decide(writ_engine *engine, const writ_request *request, char **out_json,
    size_t *out_len, writ_error *err)
{
	struct json json = {.text = NULL};
	writ_error unseen = {0};
	/* The layers below need it even if the caller does not. */
	writ_status status = w_engine_evaluate(
	    engine, request, take_json, &json, err == NULL ? &unseen : err);

	if (status != WRIT_OK)
		return status;
	*out_json = json.text;
	if (out_len != NULL)
		*out_len = json.len;
	return WRIT_OK;
}

/* The first policy that sets it wins: it neither loosens nor tightens. */
static const char *
find_shape(const struct w_policies *policies)
{
	for (size_t i = 0; i < policies->count; i++) {
		const struct w_policy *policy = policies->loaded[i]->policy;

		if (policy != NULL && policy->exec_shape != NULL)
			return policy->exec_shape;
	}
	return "argv";
}

/* The policies of a directory. w_decider_finish() afterwards. */
static writ_status
find_policies(writ_engine *engine, const char *cwd, writ_error *err)
{
	struct w_decider *decider = &engine->decider;
	W_AUTO_FREE char *dir = realpath(cwd == NULL ? "." : cwd, NULL);

	if (dir == NULL)
		return w_fail(err, WRIT_E_INVALID, "cwd", errno,
		    "cannot use working directory '%.256s'",
		    cwd == NULL ? "." : cwd);
	writ_status status = w_engine_find_paths(engine, err);
	if (status == WRIT_OK)
		status = w_decider_find_home(decider, err);
	decider->policies.home = decider->home;
	return status == WRIT_OK ? w_policies_find(&decider->policies,
				       decider->config, dir, err)
				 : status;
}

writ_status
writ_engine_exec_shape(writ_engine *engine, const char *cwd,
    const char **out_shape, writ_error *err)
{
	writ_status status = find_policies(engine, cwd, err);

	if (status == WRIT_OK)
		*out_shape = find_shape(&engine->decider.policies);
	w_decider_finish(&engine->decider);
	return status;
}

static void
lower(uint64_t *value, uint64_t limit)
{
	if (limit != 0 && (*value == 0 || *value > limit))
		*value = limit;
}

writ_status
writ_engine_timeouts(writ_engine *engine, const char *cwd, const char *agent,
    uint64_t *out_timeout_ms, uint64_t *out_max_ms, writ_error *err)
{
	const struct w_policies *policies = &engine->decider.policies;
	uint64_t timeout_ms = 0;
	uint64_t max_ms = 0;
	writ_status status = find_policies(engine, cwd, err);

	for (size_t i = 0; status == WRIT_OK && i < policies->count; i++) {
		const struct w_policy *policy = policies->loaded[i]->policy;

		if (policy == NULL)
			continue;
		lower(&timeout_ms, policy->terms.limits.timeout_ms);
		lower(&max_ms, policy->terms.limits.max_timeout_ms);
		const struct w_policy_agent *section =
		    w_policy_agent_find(policy,
			agent != NULL ? agent : w_policy_default_agent(policy));
		if (section == NULL)
			continue;
		lower(&timeout_ms, section->terms.limits.timeout_ms);
		lower(&max_ms, section->terms.limits.max_timeout_ms);
	}
	w_decider_finish(&engine->decider);
	if (status != WRIT_OK)
		return status;
	lower(&timeout_ms, max_ms);
	*out_timeout_ms = timeout_ms;
	*out_max_ms = max_ms;
	return WRIT_OK;
}

const char *
writ_engine_decision(const writ_engine *engine)
{
	return engine->decider.json;
}

void
writ_engine_on_notice(writ_engine *engine, writ_notice_fn on_notice, void *ctx)
{
	engine->decider.on_notice = on_notice;
	engine->decider.notice_ctx = ctx;
}

/* ---- for approvals ---- */

static bool
engine_decision_is_same(const char *const *left, const char *const *right)
{
	if (left == NULL || right == NULL)
		return left == right;
	while (*left != NULL && *right != NULL && strcmp(*left, *right) == 0) {
		left++;
		right++;
	}
	return *left == NULL && *right == NULL;
}

/* Whether this is the request that was refused. Cheap: the hash decides
 * later. */
static bool
is_last(const struct w_decider *decider, const writ_request *request)
{
	writ_request asked;

	w_request_copy(request, &asked);
	return asked.shell == NULL || decider->asked.shell == NULL
		   ? asked.shell == decider->asked.shell &&
			 engine_decision_is_same(
			     asked.argv, decider->asked.argv)
		   : strcmp(asked.shell, decider->asked.shell) == 0;
}

writ_status
w_engine_question(writ_engine *engine, const writ_request *request,
    struct w_question *out_question, writ_error *err)
{
	const struct w_decider *decider = &engine->decider;

	if (decider->question == NULL ||
	    (request != NULL && !is_last(decider, request)))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the last request of this engine was another one, or needs "
		    "no approval");
	*out_question = (struct w_question){
	    .request_json = decider->question,
	    .decision_json = decider->shown,
	    .rule = decider->shape,
	    .project = decider->project,
	    .request_hash = decider->hash,
	    .agent = decider->agent,
	    .session = decider->session,
	    .door = engine->door,
	    .timeout_ms =
		w_config_number(engine->config, W_SET_APPROVAL_TIMEOUT),
	};
	return WRIT_OK;
}

const char *
w_engine_state_dir(const writ_engine *engine)
{
	return engine->config == NULL
		   ? NULL
		   : w_config_path(engine->config, W_SET_STATE_DIR);
}

struct w_recorder *
w_engine_recorder(writ_engine *engine)
{
	return engine->is_unaudited ? NULL : &engine->recorder;
}
