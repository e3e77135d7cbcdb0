/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Policies: what is read has the promised form, is the same when it is shown
 * and read again, and can be looked over; what is refused says where and why,
 * in harmless lines.
 */

#include "policy/policy.h"

#include "check.h"

/* The text includes itself by the name "self", and a preset by its own. */
struct source {
	const char *text;
	size_t len;
};

static writ_status
include(void *ctx, const char *name, const char *from, char **out_text,
    size_t *out_len, char **out_file, writ_error *err)
{
	const struct source *self = ctx;
	const struct w_preset *preset = w_preset_find(name);
	const char *text = preset != NULL ? preset->text : self->text;
	const size_t len = preset != NULL ? preset->len : self->len;

	CHECK(from != NULL);
	if (preset == NULL && strcmp(name, "self") != 0)
		return w_fail(err, WRIT_E_INVALID, "policy", 0,
		    "there is no '%.64s'", name);
	*out_text = copy_exact((const uint8_t *)text, len);
	*out_len = len;
	*out_file = copy_string((const uint8_t *)name, strlen(name));
	return WRIT_OK;
}

static void
check_globs(w_globs globs)
{
	for (; globs != NULL && *globs != NULL; globs++)
		CHECK((*globs)[0] != '\0');
}

static void
check_rule(const struct w_rule *rule)
{
	CHECK(rule->text != NULL);
	CHECK(rule->location.file != NULL);
	CHECK(rule->is_shell >= -1 && rule->is_shell <= 1);
	CHECK(rule->verdict <= W_DENY);
	CHECK(rule->walls_below <= 4 && rule->walls_min <= 4);
	CHECK(rule->networks < 16);
	check_globs(rule->agents);
	check_globs(rule->programs);
	check_globs(rule->called_as);
	check_globs(rule->modules);
	check_globs(rule->called);
	check_globs(rule->hosts);
	check_globs(rule->variables);
	for (size_t i = 0; i < 4; i++) {
		w_globs paths = rule->paths[i];

		check_globs(paths);
		for (; paths != NULL && *paths != NULL; paths++)
			CHECK(strchr("/~.*", (*paths)[0]) != NULL &&
			      strstr(*paths, "/../") == NULL);
	}
	for (size_t i = 0; i < rule->shape_count; i++)
		CHECK(rule->shapes[i].count > 0 &&
		      rule->shapes[i].words[rule->shapes[i].count] == NULL);
	for (size_t i = 0; i < rule->input_count; i++)
		CHECK(rule->inputs[i].value_count > 0);
	if (rule->time != NULL)
		CHECK(rule->time->days != 0 && rule->time->days < 128 &&
		      rule->time->from <= 1440 && rule->time->to <= 1440);
}

static void
check_policy(const struct w_policy *policy)
{
	CHECK(policy->rule_count > 0);
	for (size_t i = 0; i < policy->rule_count; i++)
		check_rule(policy->rules[i]);
	CHECK(policy->rules[policy->rule_count] == NULL);
	CHECK(policy->rules[policy->rule_count - 1]->kind == W_RULE_DEFAULT);
	for (size_t i = 0; i < policy->agent_count; i++) {
		const struct w_rule *const *rules = policy->agents[i].rules;

		for (; *rules != NULL; rules++)
			check_rule(*rules);
	}
	for (size_t i = 0; i < policy->expect_count; i++)
		CHECK((policy->expects[i].argv != NULL) !=
		      (policy->expects[i].shell != NULL));
}

static void
check_faults(const struct w_policy_faults *faults)
{
	CHECK(faults->count <= W_POLICY_FAULTS_MAX);
	for (size_t i = 0; i < faults->count; i++) {
		const struct w_policy_fault *fault = &faults->items[i];

		CHECK(fault->message[0] != '\0');
		check_line(fault->message, strlen(fault->message) + 1);
		if (fault->suggestion != NULL)
			check_line(
			    fault->suggestion, strlen(fault->suggestion) + 1);
	}
}

/* Whether a line ends there with the place of what it shows: FILE:LINE:COLUMN,
 * and no quoted text that only looks like it. */
static bool
is_place(const char *at, const char *end)
{
	static const char *const starts[] = {
	    "  # fuzz.yaml:", "  # preset:", "  # self:"};
	bool is_start = false;

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		is_start =
		    is_start || strncmp(at, starts[i], strlen(starts[i])) == 0;
	return is_start && end[-1] >= '0' && end[-1] <= '9' &&
	       memchr(at, '"', (size_t)(end - at)) == NULL;
}

/* Places stand in comments, and are all that differs. */
static size_t
without_comments(char *text)
{
	char *to = text;

	for (const char *at = text; *at != '\0';) {
		const char *end = at + strcspn(at, "\n");

		while (at < end && !is_place(at, end))
			*to++ = *at++;
		at = end;
		if (*at != '\0')
			*to++ = *at++;
	}
	*to = '\0';
	return (size_t)(to - text);
}

static char *
show(const struct w_policy *policy, size_t *out_len)
{
	struct w_buf buf;

	w_buf_init(&buf, (size_t)1 << 26);
	w_policy_add_yaml(&buf, policy);
	CHECK(!buf.failed);
	*out_len = buf.len;
	return w_buf_take(&buf, NULL);
}

static void
check_shown(const struct w_policy *policy)
{
	struct w_policy *again = NULL;
	writ_error err = {.status = WRIT_OK};
	size_t len;
	char *first = show(policy, &len);
	const size_t bare = without_comments(first);

	if (w_policy_read(first, bare, "fuzz.yaml", NULL, &again, NULL, &err) !=
	    WRIT_OK) {
		(void)fprintf(stderr, "%s\n%s\n", err.message, first);
		abort();
	}
	CHECK(again->agent_count == policy->agent_count);
	CHECK(again->rule_count == policy->rule_count);
	CHECK(again->expect_count == policy->expect_count);
	char *second = show(again, &len);
	/* Rules of several files move between other keys once. */
	if (policy->files[0] != NULL && policy->files[1] == NULL)
		CHECK(without_comments(second) == bare);
	free(first);
	free(second);
	w_policy_free(again);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);
	struct source self = {text, size};
	const struct w_policy_source source = {include, &self};
	struct w_policy *policy = NULL;
	struct w_policy_faults faults = {.items = NULL};
	writ_error err = {.status = WRIT_OK};
	writ_status status = w_policy_read(
	    text, size, "fuzz.yaml", &source, &policy, &faults, &err);

	check_faults(&faults);
	if (status == WRIT_OK) {
		CHECK(faults.count == 0);
		check_policy(policy);
		check_shown(policy);
		CHECK(w_policy_lint(policy, NULL, &faults, &err) == WRIT_OK);
		check_faults(&faults);
		w_policy_free(policy);
	} else {
		CHECK(policy == NULL);
		CHECK(faults.count > 0);
		check_error(&err, status);
	}
	w_policy_faults_done(&faults);
	free(text);
	return 0;
}
