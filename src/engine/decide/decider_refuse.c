/* SPDX-License-Identifier: Apache-2.0 */

/* What is reported about a request that may not run, and what a person is
 * asked to approve. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "engine/approval/grant.h"
#include "engine/decide/decider.h"

#define STAGE       "policy"
#define COMMAND_MAX 120
#define SHAPE_MAX   65536

/* ---- the reasons ---- */

static writ_status
judge_again(struct w_decider *decider, writ_error *err)
{
	const struct w_policy_set policy_set = {
	    .tiers = decider->constraints.tiers,
	    .count = decider->constraints.count};
	struct w_decision fully;

	writ_status status =
	    w_policy_evaluate_fully(&policy_set, &decider->facts, &fully, err);
	if (status != WRIT_OK)
		return status;
	w_decision_done(&decider->decision);
	decider->decision = fully;
	return w_decision_find_nearest(
	    &policy_set, &decider->facts, &decider->decision, err);
}

static void
put_command(struct w_buf *buf, const writ_request *request)
{
	if (request->shell != NULL) {
		w_buf_add_str(buf, "--shell ");
		w_words_quote(buf, request->shell);
		return;
	}
	w_buf_add_str(buf, "--");
	for (size_t i = 0; request->argv[i] != NULL; i++) {
		w_buf_add_char(buf, ' ');
		w_words_quote(buf, request->argv[i]);
	}
}

/* Suggests the nearest allowed command, or the command that explains, unless
 * it is too long for a line. An agent is told what it can do: it may not run
 * writ itself. */
static void
decider_refuse_suggest(
    const struct w_decider *decider, writ_status status, writ_error *err)
{
	const char *nearest = decider->decision.nearest_allowed;
	W_AUTO_BUF struct w_buf command;

	w_buf_init(&command, COMMAND_MAX);
	if (nearest != NULL) {
		w_suggest(err, "would be allowed: %s", nearest);
		return;
	}
	if (decider->checked.agent != NULL) {
		w_suggest(err, "%s",
		    status == WRIT_E_APPROVAL
			? "ask the user to approve it, or do it another way"
			: "do it another way, or tell the user");
		return;
	}
	put_command(&command, &decider->checked);
	if (command.failed)
		w_suggest(err, "writ policy explain says why");
	else
		w_suggest(err, "writ policy explain %s", command.data);
}

writ_status
w_decider_explain(const struct w_decider *decider, writ_status status,
    const char *instead, writ_error *err)
{
	(void)w_fail(err, status, STAGE, 0, "%s%s%s", decider->decision.message,
	    instead == NULL ? "" : "; ", instead == NULL ? "" : instead);
	decider_refuse_suggest(decider, status, err);
	return status;
}

writ_status
w_decider_deny(struct w_decider *decider, const char *instead, writ_error *err)
{
	writ_status status = judge_again(decider, err);

	if (status == WRIT_OK)
		status = w_decider_json(decider, &decider->json, NULL, err);
	return status == WRIT_OK
		   ? w_decider_explain(decider, WRIT_E_DENIED, instead, err)
		   : status;
}

/* ---- the question ---- */

/* Whether the request would be allowed if the rule were granted. */
static bool
would_allow(const struct w_decider *decider, const char *text)
{
	const struct w_constraints *constraints = &decider->constraints;
	struct w_grant grant = {.id = "proposed"};
	struct w_policy *policy = NULL;
	struct w_decision decision;
	bool is_allowed = false;

	if (w_grant_rule_read(text, &policy, &grant.rule, NULL) != WRIT_OK)
		return false;
	const struct w_policy_set set = {.tiers = constraints->tiers,
	    .count = constraints->count,
	    .grants = &grant,
	    .grant_count = 1};
	if (w_policy_evaluate(&set, &decider->facts, &decision, NULL) ==
	    WRIT_OK) {
		is_allowed = decision.verdict == W_ALLOW;
		w_decision_done(&decision);
	}
	w_policy_free(policy);
	return is_allowed;
}

/* The rule that would grant it; none if that would show a secret. */
static writ_status
make_shape(struct w_decider *decider, writ_error *err)
{
	W_AUTO_BUF struct w_buf rule;
	W_AUTO_BUF struct w_buf shown;
	struct w_redactor *redactor = decider->redactor;
	const bool had_redacted = redactor->has_redacted;

	w_buf_init(&rule, SHAPE_MAX);
	w_buf_init(&shown, 2 * SHAPE_MAX);
	/* More than the walls is never remembered beyond the session. */
	if (decider->facts.more != NULL && decider->facts.more[0] != NULL)
		return WRIT_OK;
	w_policy_generalise_hosts(&rule, &decider->facts);
	if (rule.len == 0 || !would_allow(decider, rule.data)) {
		rule.len = 0;
		w_policy_generalise(&rule, &decider->facts);
	}
	if (decider->facts.shell != NULL &&
	    (rule.len == 0 || !would_allow(decider, rule.data))) {
		rule.len = 0;
		w_policy_generalise_text(&rule, &decider->facts);
	}
	redactor->has_redacted = redactor->span_count > 0;
	w_redact_text(redactor, &shown, rule.data, rule.len);
	const bool is_secret = redactor->has_redacted;
	redactor->has_redacted = had_redacted;
	if (is_secret || rule.failed || rule.len == 0)
		return WRIT_OK;
	decider->shape = w_buf_take(&rule, NULL);
	return decider->shape == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

/* The decision object has the words of the command: if secrets are among
 * them, only its gist is shown to others. */
static writ_status
make_shown(struct w_decider *decider, writ_error *err)
{
	struct w_redactor *redactor = decider->redactor;
	const bool had_redacted = redactor->has_redacted;
	W_AUTO_BUF struct w_buf shown;

	w_buf_init(&shown, 2 * strlen(decider->json) + SHAPE_MAX);
	redactor->has_redacted = redactor->span_count > 0;
	w_redact_text(redactor, &shown, decider->json, strlen(decider->json));
	const bool is_secret = redactor->has_redacted;
	if (is_secret) {
		shown.len = 0;
		w_buf_add_str(&shown, "{\"decision\":\"ask\",\"message\":");
		w_redact_add_message(
		    redactor, &shown, decider->decision.message);
		w_buf_add_str(&shown, ",\"rule\":");
		w_redact_add(redactor, &shown, decider->rule);
		w_buf_add_char(&shown, '}');
	}
	redactor->has_redacted = had_redacted;
	decider->shown = w_buf_take(&shown, NULL);
	return decider->shown == NULL ? w_fail_nomem(err, STAGE) : WRIT_OK;
}

static writ_status
decider_refuse_copy(char **slot, const char *text, writ_error *err)
{
	free(*slot);
	*slot = text == NULL ? NULL : strdup(text);
	return text != NULL && *slot == NULL ? w_fail_nomem(err, STAGE)
					     : WRIT_OK;
}

static writ_status
keep_asker(struct w_decider *decider, writ_error *err)
{
	char session[64];
	writ_status status =
	    decider_refuse_copy(&decider->agent, decider->decision.agent, err);
	if (status == WRIT_OK)
		status = decider_refuse_copy(
		    &decider->project, decider->constraints.base, err);
	return status == WRIT_OK ? decider_refuse_copy(&decider->session,
				       w_decider_session(decider, session), err)
				 : status;
}

writ_status
w_decider_ask(struct w_decider *decider, const struct w_prepared *prepared,
    writ_error *err)
{
	writ_status status = judge_again(decider, err);

	if (status == WRIT_OK)
		status = w_decider_json(decider, &decider->json, NULL, err);
	if (status == WRIT_OK)
		status = w_decider_request_json(
		    decider, prepared, &decider->question, err);
	if (status == WRIT_OK)
		status = make_shown(decider, err);
	if (status == WRIT_OK)
		status = make_shape(decider, err);
	if (status == WRIT_OK)
		status = keep_asker(decider, err);
	return status == WRIT_OK
		   ? w_decider_explain(decider, WRIT_E_APPROVAL, NULL, err)
		   : status;
}
