/* SPDX-License-Identifier: Apache-2.0 */

/* Decides about requests: constraints first, then the rules, then grants and
 * approvals. */

#include "engine/decide/decider.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "audit/record/request_hash.h"
#include "base/auto.h"
#include "base/hex.h"
#include "engine/config/project_dir.h"
#include "engine/decide/decider_isolated.h"
#include "engine/execs/judge.h"
#include "os/file.h"
#include "os/loop.h"
#include "os/proc.h"
#include "run/resolve/environ.h"

#define STAGE     "policy"
#define US_PER_MS 1000

void
w_decider_init(struct w_decider *decider)
{
	*decider = (struct w_decider){.config = NULL};
	(void)clock_gettime(CLOCK_REALTIME_COARSE, &decider->began);
	decider->policies.expect = w_decider_expect;
	decider->policies.ctx = decider;
}

static void
decider_forget(char **text)
{
	free(*text);
	*text = NULL;
}

void
w_decider_finish(struct w_decider *decider)
{
	if (decider->has_decision)
		w_decision_done(&decider->decision);
	decider->has_decision = false;
	w_constraints_done(&decider->constraints);
	w_access_set_done(&decider->access_set);
	w_analysis_free(decider->certain);
	decider->certain = NULL;
	decider->facts = (struct w_policy_facts){.count = 0};
	w_host_list_done(&decider->given_hosts);
	decider->cwd = NULL;
	decider->undo_root = NULL;
	decider->restriction = (struct w_restriction){.has_write = false};
	decider->grant = NULL;
	decider->approval = NULL;
	decider->trouble = NULL;
	decider_forget(&decider->home);
	decider_forget(&decider->rule);
}

void
w_decider_done(struct w_decider *decider)
{
	w_decider_finish(decider);
	w_decider_forget_module_runner(decider);
	w_policies_done(&decider->policies);
	w_grant_cache_done(&decider->grants);
	w_managers_free(decider->managers);
	decider->managers = NULL;
	w_denied_programs_forget(&decider->denied);
	w_hidden_home_forget(&decider->hidden);
	decider_forget(&decider->json);
	decider_forget(&decider->question);
	decider_forget(&decider->shown);
	decider_forget(&decider->shape);
	decider_forget(&decider->agent);
	decider_forget(&decider->session);
	decider_forget(&decider->project);
}

void
w_decider_accept(struct w_decider *decider, const writ_request *asked)
{
	w_decider_finish(decider);
	w_decider_forget_module_runner(decider);
	decider->asked = *asked;
	decider->has_used = false;
	decider->hash[0] = '\0';
	decider_forget(&decider->json);
	decider_forget(&decider->question);
	decider_forget(&decider->shown);
	decider_forget(&decider->shape);
}

/* ---- constraints ---- */

static void
notify(struct w_decider *decider, const char *text)
{
	if (decider->on_notice != NULL)
		decider->on_notice(decider->notice_ctx, text);
}

/* Once for each state directory: a notice with every command is noise. */
static bool
claim_first_notice(struct w_decider *decider)
{
	const char *state_dir = w_config_path(decider->config, W_SET_STATE_DIR);
	const bool is_repeat = decider->has_reported_default;
	char path[PATH_MAX];

	decider->has_reported_default = true;
	if (is_repeat || decider->is_dry_run || state_dir == NULL)
		return !is_repeat && !decider->is_dry_run;
	int len = snprintf(path, sizeof(path), "%s/no-policy-told", state_dir);
	if (len < 0 || (size_t)len >= sizeof(path))
		return true;
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	const bool was_reported = fd < 0 && errno == EEXIST;
	w_close(&fd);
	return !was_reported;
}

/* Reports once that there is no policy, and with every run that one is
 * invalid. */
static void
report_policies(struct w_decider *decider)
{
	const struct w_policies *policies = &decider->policies;

	if (policies->is_default && claim_first_notice(decider)) {
		notify(decider,
		    "no policy found; using the built-in preset 'developer' "
		    "(writ init writes one)");
	}
	for (size_t i = 0; i < policies->count; i++) {
		const struct w_loaded_policy *one = policies->loaded[i];
		char text[sizeof(one->fault.message) + 160];

		if (one->fault.status == WRIT_OK)
			continue;
		(void)snprintf(text, sizeof(text),
		    "a policy has changed and is invalid; the previous one "
		    "still "
		    "applies: %s",
		    one->fault.message);
		notify(decider, text);
	}
}

/* Rules about '~/' must apply even if HOME is not set. */
writ_status
w_decider_find_home(struct w_decider *decider, writ_error *err)
{
	decider_forget(&decider->home);
	return w_home_find(&decider->home, err);
}

static writ_status
prepare_walls(const struct w_decider *decider, writ_error *err)
{
	if (decider->no_walls.status != WRIT_OK) {
		*err = decider->no_walls;
		return err->status;
	}
	/* A missing directory cannot be hidden. If this fails, nothing can be
	 * spilled there either. */
	if (decider->spill_dir != NULL)
		(void)w_file_make_dirs(decider->spill_dir, 0700, NULL);
	return WRIT_OK;
}

writ_status
w_decider_constrain(struct w_decider *decider, struct w_prepared *prepared,
    writ_request *request, writ_error *err)
{
	const char *door = decider->door;

	w_decider_finish(decider);
	decider->checked =
	    decider->call == NULL ? *request : decider->call_checked;
	decider->cwd = prepared->cwd;
	writ_status status = w_decider_find_home(decider, err);
	decider->policies.home = decider->home;
	if (status == WRIT_OK)
		status = w_policies_find(
		    &decider->policies, decider->config, decider->base, err);
	if (status != WRIT_OK)
		return status;
	report_policies(decider);
	struct w_constraints_input input = {
	    .policies = &decider->policies,
	    .asked = &decider->asked,
	    .base = decider->base,
	    .sandbox = decider->sandbox,
	    .home = decider->home,
	    .cwd = prepared->is_cwd_shared ? NULL : prepared->cwd,
	    .profile_dirs = decider->profile_dirs,
	    .is_local = door == NULL || strcmp(door, "library") == 0 ||
			(strcmp(door, "cli") == 0 &&
			    decider->asked.caller == WRIT_CALLER_TRUSTED),
	};
	status = w_constraints_make(&decider->constraints, &input, err);
	if (status == WRIT_OK &&
	    decider->constraints.walls == W_WALLS_CONTAINER)
		decider->policies.keeps_project = true;
	if (status == WRIT_OK && decider->constraints.walls != W_WALLS_NONE)
		status = prepare_walls(decider, err);
	input.asked = &decider->outer;
	if (status == WRIT_OK)
		status = w_constraints_apply(
		    &decider->constraints, &input, request, err);
	if (status == WRIT_OK && strcmp(decider->constraints.shell, "sh") != 0)
		prepared->shell = decider->constraints.shell;
	return status;
}

/* ---- the decision ---- */

static void
make_hash(struct w_decider *decider, const struct w_prepared *prepared)
{
	const struct w_identity *identity = &prepared->identity;
	const struct w_audit_request_facts facts = {
	    .program = prepared->program.path,
	    .cwd = prepared->cwd,
	    .env = (const char *const *)prepared->env.items,
	    .uid = identity->uid,
	    .gid = identity->gid,
	};
	uint8_t hash[W_SHA256_SIZE];

	decider->hash[0] = '\0';
	if (decider->request_key == NULL)
		return;
	w_audit_request_hash(
	    decider->request_key, &decider->checked, &facts, hash);
	w_hex_put(decider->hash, hash, sizeof(hash));
	decider->hash[W_SHA256_HEX] = '\0';
}

static writ_status
evaluate_rules(struct w_decider *decider, const struct w_grant *grants,
    size_t count, writ_error *err)
{
	const struct w_policy_set policy_set = {
	    .tiers = decider->constraints.tiers,
	    .count = decider->constraints.count,
	    .grants = grants,
	    .grant_count = count,
	};

	if (decider->has_decision)
		w_decision_done(&decider->decision);
	writ_status status =
	    decider->is_dry_run ? w_policy_evaluate_fully(&policy_set,
				      &decider->facts, &decider->decision, err)
				: w_policy_evaluate(&policy_set,
				      &decider->facts, &decider->decision, err);
	decider->has_decision = status == WRIT_OK;
	if (status == WRIT_OK && decider->is_dry_run &&
	    decider->decision.verdict != W_ALLOW)
		status = w_decision_find_nearest(
		    &policy_set, &decider->facts, &decider->decision, err);
	return status;
}

const char *
w_decider_session(const struct w_decider *decider, char storage[64])
{
	if (decider->checked.session != NULL)
		return decider->checked.session;
	w_tty_session_id(storage);
	return storage;
}

static struct w_grant_query
query_of(const struct w_decider *decider, char session[64])
{
	return (struct w_grant_query){
	    .agent = decider->decision.agent,
	    .session = w_decider_session(decider, session),
	    .request_hash = decider->hash,
	    .project = decider->constraints.base,
	    .now_ms = w_unix_us() / US_PER_MS,
	};
}

/* Evaluates again with the grants that people gave before. */
static writ_status
look_for_grants(struct w_decider *decider, writ_error *err)
{
	char session[64];
	const struct w_grant_query query = query_of(decider, session);
	const char *state_dir = w_config_path(decider->config, W_SET_STATE_DIR);
	const struct w_grant *grants = NULL;
	size_t count = 0;

	if (state_dir == NULL || decider->hash[0] == '\0')
		return WRIT_OK;
	w_decider_set_time(decider);
	writ_status status = w_grants_find(&decider->grants, state_dir, &query,
	    &grants, &count, &decider->trouble, err);
	if (status == WRIT_OK && count > 0)
		status = evaluate_rules(decider, grants, count, err);
	if (status == WRIT_OK && decider->decision.grant != NULL)
		decider->grant = decider->decision.grant->id;
	return status;
}

static writ_status
use_approval(struct w_decider *decider, const struct w_prepared *prepared,
    writ_error *err)
{
	char session[64];
	struct w_grant_query query = query_of(decider, session);
	W_AUTO_FREE char *json = NULL;
	const char *id = decider->checked.approval;

	/* A retry of the same start. */
	if (decider->has_used) {
		decider->approval = id;
		return WRIT_OK;
	}
	/* Only to say what differs. */
	if (w_decider_request_json(decider, prepared, &json, NULL) == WRIT_OK)
		query.request_json = json;
	writ_status status = w_approval_use(
	    w_config_path(decider->config, W_SET_STATE_DIR), id, &query, err);
	if (status != WRIT_OK)
		return status;
	decider->has_used = true;
	decider->approval = id;
	return WRIT_OK;
}

static writ_status
answer_ask(struct w_decider *decider, const struct w_prepared *prepared,
    bool is_missing, writ_error *err)
{
	char text[512];

	/* What cannot run is nothing to ask a person about, and uses up no
	 * approval. */
	if (decider->is_decided || is_missing)
		return WRIT_OK;
	/* A command outside a sandbox could answer for the person. */
	if (decider->hash[0] == '\0' || decider->redactor == NULL ||
	    (decider->constraints.walls <= W_WALLS_ENV &&
		!decider->has_terminal)) {
		(void)snprintf(text, sizeof(text),
		    decider->constraints.walls <= W_WALLS_ENV
			? "nobody can be asked: there is no terminal, and "
			  "profile '%.64s' has no sandbox"
			: "nobody can be asked under profile '%.64s'",
		    decider->constraints.profile);
		return w_decider_deny(decider, text, err);
	}
	if (w_decider_is_void(decider, text, sizeof(text)))
		return w_decider_deny(decider, text, err);
	if (decider->checked.approval == NULL)
		return w_decider_ask(decider, prepared, err);
	return use_approval(decider, prepared, err);
}

static writ_status
keep_rule(struct w_decider *decider, writ_error *err)
{
	const struct w_policy_location *location =
	    &decider->decision.reasons[0].rule->location;
	int len = location->line == 0
		      ? asprintf(&decider->rule, "%s", location->file)
		      : asprintf(&decider->rule, "%s:%u:%u", location->file,
			    location->line, location->column);

	if (len >= 0)
		return WRIT_OK;
	decider->rule = NULL;
	return w_fail_nomem(err, STAGE);
}

static writ_status
restrict_request(struct w_decider *decider, const struct w_prepared *prepared,
    writ_request *request, writ_error *err)
{
	const struct w_constraints_walls walls = {
	    .constraints = &decider->constraints,
	    .denied = &decider->denied,
	    .hidden = &decider->hidden,
	    .name_index = decider->name_index,
	    .facts = &decider->facts,
	    .path_list = prepared->env.items == NULL
			     ? NULL
			     : w_environ_get(prepared->env.items, "PATH"),
	    .is_agreed =
		decider->decision.verdict == W_ASK || decider->grant != NULL,
	    .restriction = &decider->restriction,
	    .request = request,
	};

	return w_constraints_restrict(&walls, err);
}

static writ_status
confine(struct w_decider *decider, struct w_prepared *prepared,
    writ_request *request, writ_error *err)
{
	writ_status status;

	prepared->default_memory = decider->constraints.default_memory;
	if (decider->call != NULL) {
		/* What the call gets, for reports; the runner itself is
		 * restricted by w_decider_allow_module_runner(). */
		decider->granted = *request;
		decider->granted.write = decider->checked.write;
		return restrict_request(
		    decider, prepared, &decider->granted, err);
	}
	status = restrict_request(decider, prepared, request, err);
	prepared->restriction = decider->restriction;
	decider->granted = *request;
	return status;
}

/* Nobody needs to be asked about a text that no shell runs. */
static writ_status
check_syntax(const struct w_decider *decider, writ_error *err)
{
	const struct w_policy_facts *facts = &decider->facts;

	for (size_t i = 0; i < facts->count; i++) {
		const struct w_analysis *analysis = facts->commands[i].analysis;

		if (analysis->is_syntax_error && analysis->reason != NULL)
			return w_fail(err, WRIT_E_INVALID, "shell", 0, "%s",
			    analysis->reason);
	}
	return WRIT_OK;
}

/* The verdict, after grants and approvals. */
static writ_status
find_verdict(struct w_decider *decider, struct w_prepared *prepared,
    const writ_request *request, bool is_missing, writ_error *err)
{
	writ_request would = *request;
	writ_status status = evaluate_rules(decider, NULL, 0, err);

	/* Paths are resolved through /proc. If it is missing, say that instead
	 * of blaming a rule. */
	if (status == WRIT_OK && decider->decision.verdict != W_ALLOW)
		status = w_proc_check(err);
	if (status == WRIT_OK && decider->decision.verdict == W_ASK)
		status = look_for_grants(decider, err);
	if (status == WRIT_OK)
		status = keep_rule(decider, err);
	/* What would be granted, for the report of a refusal. */
	if (status == WRIT_OK && !decider->is_dry_run &&
	    decider->decision.verdict != W_ALLOW)
		status = confine(decider, prepared, &would, err);
	if (status != WRIT_OK || decider->is_dry_run)
		return status;
	if (decider->decision.verdict == W_DENY)
		return w_decider_deny(decider, NULL, err);
	if (decider->decision.verdict == W_ASK) {
		status = check_syntax(decider, err);
		if (status != WRIT_OK)
			return status;
	}
	return decider->decision.verdict == W_ASK
		   ? answer_ask(decider, prepared, is_missing, err)
		   : WRIT_OK;
}

/* Whether somebody agreed to it, or it gets more than the usual walls. */
static bool
gets_more(const struct w_decider *decider, const writ_request *request)
{
	return decider->facts.more != NULL || decider->grant != NULL ||
	       decider->approval != NULL ||
	       request->network == WRIT_NETWORK_HOST ||
	       decider->constraints.walls <= W_WALLS_ENV;
}

writ_status
w_decider_decide(struct w_decider *decider, struct w_prepared *prepared,
    const writ_error *missing, writ_request *request, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (decider->call != NULL && !w_decider_is_writ(decider, prepared)) {
		status = w_decider_drop_module_runner(decider, err);
		if (status == WRIT_OK)
			status = w_decider_constrain(
			    decider, prepared, request, err);
	}
	if (status == WRIT_OK)
		status = w_decider_make_facts(decider, prepared, err);
	if (status != WRIT_OK)
		return status;
	make_hash(decider, prepared);
	w_decider_find_undo(decider, prepared, request);
	status = find_verdict(
	    decider, prepared, request, missing->status != WRIT_OK, err);
	/* A rule asks for the strictest kind. */
	if (status == WRIT_OK && decider->decision.is_trial)
		request->undo = WRIT_UNDO_TRIAL;
	if (status == WRIT_OK)
		status =
		    w_decider_permit_named(decider, prepared, request, err);
	if (status == WRIT_OK)
		status = confine(decider, prepared, request, err);
	if (status == WRIT_OK && decider->call != NULL)
		status = w_decider_allow_module_runner(
		    decider, prepared, request, err);
	if (status != WRIT_OK)
		return status;
	const bool is_more = gets_more(decider, request);
	prepared->decision = (struct w_run_decision){
	    .verdict = w_verdict_word(W_ALLOW),
	    .rule = decider->rule,
	    .grant = decider->grant,
	    .approval = decider->approval,
	    .reach = w_decider_reach(&decider->facts),
	    .layer_root = decider->undo_root,
	    .must_cover = w_decider_must_cover(decider),
	    .layer_lack = prepared->decision.layer_lack,
	    .stays_in = decider->stays_in,
	    .session_began = w_decider_session_began(decider),
	    .gets_more = is_more,
	    .is_outsider =
		is_more && (decider->constraints.walls == W_WALLS_STRICT ||
			       request->env_mode == WRIT_ENV_ISOLATED),
	};
	return decider->is_dry_run
		   ? WRIT_OK
		   : w_judge_prepare(decider, prepared, request, err);
}
