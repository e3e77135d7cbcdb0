/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TESTS_POLICY_TEXT_H
#define W_TESTS_POLICY_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "policy/policy.h"

/* Policies from texts of the tests. Files that one may include: "NAME" has the
 * text of the row with that name. */
struct policy_file {
	const char *name;
	const char *text;
};

static inline writ_status
policy_include(void *ctx, const char *name, const char *from, char **out_text,
    size_t *out_len, char **out_file, writ_error *err)
{
	const struct policy_file *file = ctx;
	const struct w_preset *preset = w_preset_find(name);
	char shown[64];

	(void)from;
	for (; file != NULL && file->name != NULL; file++) {
		if (strcmp(file->name, name) == 0)
			break;
	}
	if ((file == NULL || file->name == NULL) && preset == NULL)
		return w_fail(err, WRIT_E_INVALID, "policy", 0,
		    "there is no preset '%s'", name);
	(void)snprintf(shown, sizeof(shown), "%s%s",
	    preset != NULL ? "preset:" : "", name);
	*out_text = strdup(preset != NULL ? preset->text : file->text);
	*out_file = strdup(shown);
	assert_non_null(*out_text);
	assert_non_null(*out_file);
	*out_len = preset != NULL ? preset->len : strlen(file->text);
	return WRIT_OK;
}

/* Reads a policy that has to be in order. */
static inline struct w_policy *
policy_read(const char *text, struct policy_file *files)
{
	const struct w_policy_source source = {policy_include, files};
	struct w_policy_faults faults = {.items = NULL};
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};

	if (w_policy_read(text, strlen(text), "test.yaml", &source, &policy,
		&faults, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_int_equal(faults.count, 0);
	w_policy_faults_done(&faults);
	return policy;
}

static inline const struct w_rule *
policy_find(const struct w_policy *policy, enum w_rule_kind kind)
{
	for (size_t i = 0; i < policy->rule_count; i++) {
		if (policy->rules[i]->kind == kind)
			return policy->rules[i];
	}
	return NULL;
}

/* What is wrong with a policy that is not in order. */
static inline struct w_policy_faults
policy_faults_of(const char *text, struct policy_file *files)
{
	const struct w_policy_source source = {policy_include, files};
	struct w_policy_faults faults = {.items = NULL};
	struct w_policy *policy = NULL;
	writ_error err = {.status = WRIT_OK};

	if (w_policy_read(text, strlen(text), "test.yaml", &source, &policy,
		&faults, &err) != WRIT_E_INVALID)
		fail_msg("read: %s", text);
	assert_null(policy);
	assert_true(faults.count > 0);
	/* The first is what there is to say in one line. */
	assert_int_equal(err.status, WRIT_E_INVALID);
	assert_int_equal(err.line, faults.items[0].location.line);
	assert_int_equal(err.column, faults.items[0].location.column);
	assert_non_null(strstr(err.message, faults.items[0].message));
	return faults;
}

/* Where it is, what is wrong, and what to do: a beginning of "L:C: message
 * (suggestion)". */
static inline void
policy_check_fault(const struct w_policy_fault *fault, const char *wanted)
{
	char text[1024];

	(void)snprintf(text, sizeof(text), "%u:%u: %s (%s)",
	    fault->location.line, fault->location.column, fault->message,
	    fault->suggestion != NULL ? fault->suggestion : "");
	if (strncmp(text, wanted, strlen(wanted)) != 0)
		fail_msg("%s\nis not: %s", text, wanted);
	assert_false(fault->is_warning);
}

#endif /* W_TESTS_POLICY_TEXT_H */
