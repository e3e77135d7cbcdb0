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
#include <time.h>
#include <unistd.h>

#include "audit/record/request_hash.h"
#include "base/auto.h"
#include "base/hex.h"
#include "engine/decide/decider_isolated.h"
#include "os/file.h"
#include "os/proc.h"
#include "run/resolve/environ.h"
#include "trigger/trigger.h"

#define STAGE     "policy"
#define MS_PER_S  1000
#define NS_PER_MS 1000000

void
w_decider_init(struct w_decider *decider)
{
	*decider = (struct w_decider){.config = NULL};
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
	decider->c = (struct w_policy_facts){.count = 0};
	decider->cwd = NULL;
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
	w_decider_forget_runner(decider);
	w_policies_done(&decider->policies);
	w_grant_cache_done(&decider->grants);
	decider_forget(&decider->json);
	decider_forget(&decider->question);
	decider_forget(&decider->shown);
	decider_forget(&decider->shape);
	decider_forget(&decider->agent);
	decider_forget(&decider->session);
}

void
w_decider_accept(struct w_decider *decider, const writ_request *asked)
{
	w_decider_finish(decider);
	w_decider_forget_runner(decider);
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
is_first_time(struct w_decider *decider)
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

	if (policies->is_default && is_first_time(decider)) {
		notify(decider,
		    "there is no policy yet: the preset 'developer' "
		    "counts (writ init writes one)");
	}
	for (size_t i = 0; i < policies->count; i++) {
		const struct w_loaded_policy *one = policies->loaded[i];
		char text[sizeof(one->fault.message) + 160];

		if (one->fault.status == WRIT_OK)
			continue;
		(void)snprintf(text, sizeof(text),
		    "a policy has changed and is not in order; the one before "
		    "it goes on to count: %s",
		    one->fault.message);
		notify(decider, text);
	}
}

/* Rules about '~/' must apply even if HOME is not set. */
writ_status
w_decider_find_home(struct w_decider *decider, writ_error *err)
{
	const char *said = secure_getenv("HOME");
	struct w_account account = {0};

	decider_forget(&decider->home);
	if (said == NULL || said[0] != '/') {
		writ_status status = w_account_find(geteuid(), &account, err);

		if (status != WRIT_OK)
			return status;
		said = account.home;
	}
	errno = 0;
	decider->home = said == NULL ? NULL : realpath(said, NULL);
	const bool is_short = errno == ENOMEM;
	w_account_done(&account);
	return is_short ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
prepare_walls(const struct w_decider *decider, writ_error *err)
{
	if (decider->no_walls.status != WRIT_OK) {
		*err = decider->no_walls;
		return err->status;
	}
	/* Only what exists can be hidden. If it cannot be created, nothing
	 * is spilled into it either. */
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
	    .profile_dirs = decider->profile_dirs,
	    .is_local = door == NULL || strcmp(door, "library") == 0 ||
			(strcmp(door, "cli") == 0 &&
			    decider->asked.caller == WRIT_CALLER_TRUSTED),
	};
	status = w_constraints_make(&decider->constraints, &input, err);
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
	    .uid = identity->is_set ? identity->uid : geteuid(),
	    .gid = identity->is_set ? identity->gid : getegid(),
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
decider_judge(struct w_decider *decider, const struct w_grant *grants,
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
	writ_status status = decider->is_dry_run
				 ? w_policy_evaluate_fully(&policy_set,
				       &decider->c, &decider->decision, err)
				 : w_policy_evaluate(&policy_set, &decider->c,
				       &decider->decision, err);
	decider->has_decision = status == WRIT_OK;
	if (status == WRIT_OK && decider->is_dry_run &&
	    decider->decision.verdict != W_ALLOW)
		status = w_decision_find_nearest(
		    &policy_set, &decider->c, &decider->decision, err);
	return status;
}

static struct w_grant_query
query_of(const struct w_decider *decider, char session[64])
{
	const char *said = decider->checked.session;
	struct timespec now;

	if (said == NULL)
		w_session_id(session);
	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (struct w_grant_query){
	    .agent = decider->decision.agent,
	    .session = said == NULL ? session : said,
	    .request_hash = decider->hash,
	    .now_ms = (uint64_t)now.tv_sec * MS_PER_S +
		      (uint64_t)now.tv_nsec / NS_PER_MS,
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
		status = decider_judge(decider, grants, count, err);
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
	writ_status status = WRIT_OK;

	/* Only to say what differs. */
	if (!decider->has_used &&
	    w_decider_request_json(decider, prepared, &json, NULL) == WRIT_OK)
		query.request_json = json;
	if (!decider->has_used)
		status = w_approval_use(
		    w_config_path(decider->config, W_SET_STATE_DIR), id, &query,
		    err);
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
	char text[128];

	/* What cannot run is nothing to ask a person about, and uses up no
	 * approval. */
	if (decider->is_decided || is_missing)
		return WRIT_OK;
	/* A command outside a sandbox could answer for the person. */
	if (decider->hash[0] == '\0' || decider->redactor == NULL ||
	    (decider->constraints.walls <= W_WALLS_ENV &&
		!decider->has_terminal)) {
		(void)snprintf(text, sizeof(text),
		    "nobody can be asked under profile '%.64s'",
		    decider->constraints.profile);
		return w_decider_deny(decider, text, err);
	}
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
confine(struct w_decider *decider, struct w_prepared *prepared,
    writ_request *request, writ_error *err)
{
	if (decider->call != NULL && request != &decider->granted) {
		/* What the call gets, for reports; the runner itself is
		 * restricted by w_decider_allow_runner(). */
		decider->granted = *request;
		decider->granted.write = decider->checked.write;
		return confine(decider, prepared, &decider->granted, err);
	}
	const struct w_constraints_walls walls = {
	    .constraints = &decider->constraints,
	    .c = &decider->c,
	    .path_list = prepared->env.items == NULL
			     ? NULL
			     : w_environ_get(prepared->env.items, "PATH"),
	    .is_agreed =
		decider->decision.verdict == W_ASK || decider->grant != NULL,
	    .restriction = &decider->restriction,
	    .request = request,
	};
	writ_status status = w_constraints_restrict(&walls, err);

	prepared->default_memory = decider->constraints.default_memory;
	if (decider->call == NULL) {
		prepared->restriction = decider->restriction;
		decider->granted = *request;
	}
	return status;
}

/* The verdict, after grants and approvals. */
static writ_status
decider_decide(struct w_decider *decider, struct w_prepared *prepared,
    const writ_request *request, bool is_missing, writ_error *err)
{
	writ_request would = *request;
	writ_status status = decider_judge(decider, NULL, 0, err);

	/* Without /proc no path is known to lie where a rule allows it. */
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
	return decider->decision.verdict == W_ASK
		   ? answer_ask(decider, prepared, is_missing, err)
		   : WRIT_OK;
}

/* A command that names everything it writes changes a trigger only by its
 * name, by a directory, or where git's settings say. */
static enum w_trigger_reach
reach_of(const struct w_policy_command *command)
{
	const unsigned reads =
	    W_EFFECT_READ | W_EFFECT_EXEC | W_EFFECT_NET | W_EFFECT_PUBLISH;
	const unsigned known = reads | W_EFFECT_WRITE | W_EFFECT_DELETE;
	const struct w_analysis *analysis = command->analysis;
	bool has_target = false;

	if (!analysis->is_understood || command->program.is_own ||
	    (analysis->effects & ~known) != 0)
		return W_TRIGGER_ANYWHERE;
	if ((analysis->effects & ~reads) == 0)
		return W_TRIGGER_NOWHERE;
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_policy_path *path = &command->paths[i];

		if ((analysis->touches[i].effect & reads) != 0)
			continue;
		has_target = true;
		if (path->resolved == NULL || path->is_directory ||
		    w_trigger_in_path(path->resolved) != NULL)
			return W_TRIGGER_ANYWHERE;
	}
	return has_target ? W_TRIGGER_NAMED : W_TRIGGER_ANYWHERE;
}

static enum w_trigger_reach
find_reach(const struct w_policy_facts *c)
{
	enum w_trigger_reach reach =
	    c->count == 0 ? W_TRIGGER_ANYWHERE : W_TRIGGER_NOWHERE;

	for (size_t i = 0; i < c->count; i++) {
		const enum w_trigger_reach one = reach_of(&c->commands[i]);

		if (one < reach)
			reach = one;
	}
	return reach;
}

writ_status
w_decider_decide(struct w_decider *decider, struct w_prepared *prepared,
    const writ_error *missing, writ_request *request, writ_error *err)
{
	writ_status status = WRIT_OK;

	if (decider->call != NULL && !w_decider_is_writ(decider, prepared)) {
		status = w_decider_drop_runner(decider, err);
		if (status == WRIT_OK)
			status = w_decider_constrain(
			    decider, prepared, request, err);
	}
	if (status == WRIT_OK)
		status = w_decider_make_facts(decider, prepared, err);
	if (status != WRIT_OK)
		return status;
	make_hash(decider, prepared);
	status = decider_decide(
	    decider, prepared, request, missing->status != WRIT_OK, err);
	if (status == WRIT_OK)
		status = confine(decider, prepared, request, err);
	if (status == WRIT_OK && decider->call != NULL)
		status =
		    w_decider_allow_runner(decider, prepared, request, err);
	if (status != WRIT_OK)
		return status;
	prepared->said = (struct w_run_decision){
	    .decision = w_verdict_word(W_ALLOW),
	    .rule = decider->rule,
	    .grant = decider->grant,
	    .approval = decider->approval,
	    .reach = find_reach(&decider->c),
	};
	return WRIT_OK;
}
