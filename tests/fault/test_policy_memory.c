/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once while a policy is read, looked over and shown.
 * What leaks is found by the address sanitizer, in a build that has it.
 */

#include "surviving.h"

#include <string.h>

#include "policy/policy.h"

static const char text[] =
    "version: 1\n"
    "include: other.yaml\n"
    "default: { decision: deny, message: \"no {command}\" }\n"
    "sandbox: strict\n"
    "roots: [., ./a]\n"
    "limits: { timeout: 2m, memory: 1GiB }\n"
    "environment: { mode: clean, pass: [A], set: { B: c } }\n"
    "arguments: strict-exec\n"
    "shell: { mode: deny, message: x }\n"
    "programs: [ls, git]\n"
    "agents:\n"
    "  a: { tools: [ls], roots: ./a, rules: [ { deny: { effect: net } } ] }\n"
    "rules:\n"
    "  - deny: { program: [rm, sudo], write: [\"~/.ssh/**\"] }\n"
    "  - allow: git log ...\n"
    "  - ask: { inputs: { a: [1, x] }, time: { days: mon } }\n"
    "  - deny: { program: rm, write: [\"~/.ssh/**\"] }\n"
    "expect: [ { deny: rm x }, { allow: { shell: ls } } ]\n";

static writ_status
include(void *ctx, const char *name, const char *from, char **out_text,
    size_t *out_len, char **out_file, writ_error *err)
{
	static const char other[] = "version: 1\nrules: [ { deny: x } ]\n";
	char *copy = strdup(other);
	char *file = strdup(name);

	(void)ctx;
	(void)from;
	if (copy == NULL || file == NULL) {
		free(copy);
		free(file);
		return w_fail_nomem(err, "policy");
	}
	*out_text = copy;
	*out_len = strlen(other);
	*out_file = file;
	return WRIT_OK;
}

static const struct w_policy_source source = {.include = include};

static writ_status
show(const struct w_policy *policy, writ_error *err)
{
	struct w_buf buf;

	w_buf_init(&buf, 65536);
	w_policy_add_json(&buf, policy);
	const bool failed = buf.failed;
	w_buf_done(&buf);
	return failed ? w_fail_nomem(err, "policy") : WRIT_OK;
}

static writ_status
read_lint_and_show(writ_error *err)
{
	struct w_policy *policy = NULL;
	struct w_policy_faults faults = {.items = NULL};
	writ_status status = w_policy_read(
	    text, sizeof(text) - 1, "a.yaml", &source, &policy, &faults, err);

	assert_int_equal(status == WRIT_OK, policy != NULL);
	if (status == WRIT_OK)
		status = w_policy_lint(policy, NULL, &faults, err);
	if (status == WRIT_OK)
		status = show(policy, err);
	w_policy_faults_done(&faults);
	w_policy_free(policy);
	return status;
}

/* What is wrong is told, or that there is no memory: never half of it. */
static writ_status
read_what_is_wrong(writ_error *err)
{
	static const char wrong[] =
	    "version: 1\nrulez: 1\nrules: [ { den: x } ]\n"
	    "default: yes\n";
	struct w_policy *policy = NULL;
	struct w_policy_faults faults = {.items = NULL};
	writ_status status = w_policy_read(
	    wrong, sizeof(wrong) - 1, "a.yaml", NULL, &policy, &faults, err);

	assert_null(policy);
	if (status == WRIT_E_INVALID) {
		assert_int_equal(faults.count, 4);
		status = WRIT_OK;
	}
	w_policy_faults_done(&faults);
	return status;
}

static void
reading_linting_and_showing_survive_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(read_lint_and_show, 20, 2000);
}

static void
faults_survive_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(read_what_is_wrong, 10, 500);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		reading_linting_and_showing_survive_each_failed_allocation),
	    cmocka_unit_test(faults_survive_each_failed_allocation),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
