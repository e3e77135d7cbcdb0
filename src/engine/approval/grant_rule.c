/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The rule of a grant: one rule in policy syntax, on one line, that allows
 * something. It is parsed as the only rule of its own policy, so that a grant
 * can say whatever a policy can, and nothing else.
 */

#include <string.h>

#include "base/encode.h"
#include "engine/approval/grant.h"

#define RULE_MAX 4096

static writ_status
check_line(const char *text, writ_error *err)
{
	const size_t len = strlen(text);

	if (len == 0 || len > RULE_MAX || !w_utf8_valid(text, len) ||
	    strpbrk(text, "\n\r") != NULL)
		return w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "a rule is one line of up to %d bytes", RULE_MAX);
	return WRIT_OK;
}

/* The rule of the text; the others are in every policy. */
static const struct w_rule *
find_rule(const struct w_policy *policy)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (policy->rules[i]->kind == W_RULE_PLAIN)
			return policy->rules[i];
	}
	return NULL;
}

static bool
has_no_condition(const struct w_rule *rule)
{
	for (size_t i = 0; i < 4; i++) {
		if (rule->paths[i] != NULL)
			return false;
	}
	return rule->programs == NULL && rule->called_as == NULL &&
	       rule->modules == NULL && rule->called == NULL &&
	       rule->input_count == 0 && rule->effects == 0 &&
	       rule->hosts == NULL && rule->variables == NULL &&
	       rule->shape_count == 0 && rule->shell_text == NULL;
}

static writ_status
check_rule(const struct w_rule *rule, writ_error *err)
{
	if (rule == NULL || rule->verdict != W_ALLOW) {
		(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "what is granted is a rule that allows something");
		w_suggest(err, "rules that ask or deny belong in a policy");
		return WRIT_E_INVALID;
	}
	if ((rule->effects & W_EFFECT_MORE) != 0) {
		(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
		    "what goes beyond the sandbox is not granted by a rule");
		w_suggest(err, "approve it for once or for the session");
		return WRIT_E_INVALID;
	}
	if (!has_no_condition(rule))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, "approval", 0,
	    "this would allow every command");
	w_suggest(err, "name a shape, a program, an effect, a path or a host");
	return WRIT_E_INVALID;
}

writ_status
w_grant_rule_read(const char *text, struct w_policy **out_policy,
    const struct w_rule **out_rule, writ_error *err)
{
	static const char before[] = "version: 1\nrules:\n  - ";
	const struct w_policy_source source = {.include = NULL};
	struct w_policy_faults faults = {.count = 0};
	struct w_policy *policy;
	W_AUTO_BUF struct w_buf document;

	w_buf_init(&document, RULE_MAX + sizeof(before));
	writ_status status = check_line(text, err);
	if (status != WRIT_OK)
		return status;
	w_buf_add_str(&document, before);
	w_buf_add_str(&document, text);
	w_buf_add_char(&document, '\n');
	if (document.failed)
		return w_fail_nomem(err, "approval");
	status = w_policy_read(document.data, document.len, "the rule", &source,
	    &policy, &faults, err);
	w_policy_faults_done(&faults);
	if (status != WRIT_OK)
		return status;
	status = check_rule(find_rule(policy), err);
	if (status != WRIT_OK) {
		w_policy_free(policy);
		return status;
	}
	*out_rule = find_rule(policy);
	*out_policy = policy;
	return WRIT_OK;
}
