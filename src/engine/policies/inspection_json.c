/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One policy as JSON.
 */

#include <string.h>

#include "base/auto.h"
#include "data/json_fields.h"
#include "engine/policies/inspection.h"

#define TEXT_MAX    ((size_t)64 << 20)
#define PRESET_WORD "preset:"

/* ---- faults ---- */

static bool
is_preset(const char *file)
{
	return file != NULL &&
	       strncmp(file, PRESET_WORD, strlen(PRESET_WORD)) == 0;
}

/* The line of a fault. false: not available. */
static bool
find_line(const struct w_policies *policies,
    const struct w_policy_location *location, struct w_buf *out_line)
{
	const struct w_preset *preset = NULL;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (location->file == NULL || location->line == 0)
		return false;
	if (is_preset(location->file))
		preset = w_preset_find(location->file + strlen(PRESET_WORD));
	if (preset != NULL)
		w_buf_add(&text, preset->text, preset->len);
	else if (strcmp(location->file, W_POLICY_MEMORY) == 0)
		w_buf_add(&text, policies->text, policies->text_len);
	else if (w_policies_file_read(location->file, false, &text, NULL) !=
		 WRIT_OK)
		return false;

	const char *at = text.data;
	for (unsigned i = 1; i < location->line && at != NULL; i++) {
		at = strchr(at, '\n');
		at = at == NULL ? NULL : at + 1;
	}
	if (at == NULL)
		return false;
	w_buf_add(out_line, at, strcspn(at, "\r\n"));
	return !out_line->failed;
}

static void
inspection_json_add_fault(struct w_inspection *inspection, struct w_buf *buf,
    const struct w_policy_fault *fault)
{
	const struct w_policy_location *location = &fault->location;

	inspection->line.len = 0;
	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "file", location->file);
	w_buf_add_fmt(buf, ",\"line\":%u,\"column\":%u", location->line,
	    location->column);
	w_json_add_path_member(buf, "message", fault->message);
	w_json_add_path_member(buf, "suggestion", fault->suggestion);
	w_json_add_path_member(buf, "source",
	    find_line(&inspection->policies, location, &inspection->line)
		? inspection->line.data
		: NULL);
	w_json_add_bool_member(buf, "warning", fault->is_warning);
	w_buf_add_char(buf, '}');
}

/* A file that cannot be read has one fault, without a location. */
static void
add_unreadable(struct w_inspection *inspection, struct w_buf *buf,
    const struct w_loaded_policy *one)
{
	const struct w_policy_fault fault = {
	    .location = {.file = one->file},
	    .message = one->fault.message,
	    .suggestion =
		one->fault.suggestion[0] == '\0' ? NULL : one->fault.suggestion,
	};

	inspection_json_add_fault(inspection, buf, &fault);
}

static void
add_faults(struct w_inspection *inspection, struct w_buf *buf,
    const struct w_loaded_policy *one, const struct w_policy_faults *more)
{
	const struct w_policy_faults *lists[] = {&one->faults, more};
	const char *comma = "";

	w_buf_add_str(buf, ",\"faults\":[");
	for (size_t k = 0; k < sizeof(lists) / sizeof(lists[0]); k++) {
		for (size_t i = 0; lists[k] != NULL && i < lists[k]->count;
		     i++) {
			const struct w_policy_fault *fault =
			    &lists[k]->items[i];

			/* Whoever includes a preset cannot fix its warnings. */
			if (fault->is_warning && !one->is_preset &&
			    is_preset(fault->location.file))
				continue;
			w_buf_add_str(buf, comma);
			comma = ",";
			inspection_json_add_fault(inspection, buf, fault);
		}
	}
	if (one->faults.count == 0 && one->fault.status != WRIT_OK)
		add_unreadable(inspection, buf, one);
	w_buf_add_char(buf, ']');
}

static writ_status
add_lint(struct w_inspection *inspection, struct w_buf *buf,
    const struct w_loaded_policy *one, writ_error *err)
{
	struct w_policy_faults found = {.items = NULL};
	struct w_inventory inventory;

	w_inventory_init(&inventory, inspection->config);
	const struct w_lint_source source = w_inventory_lint_source(&inventory);
	writ_status status = one->policy == NULL ? WRIT_OK
						 : w_policy_lint(one->policy,
						       &source, &found, err);
	if (status == WRIT_OK && one->policy != NULL && !one->is_preset)
		status = w_inspection_lint_allows(inspection, one, &found, err);
	if (status == WRIT_OK)
		add_faults(inspection, buf, one, &found);
	w_policy_faults_done(&found);
	w_inventory_done(&inventory);
	return status;
}

/* ---- expect ---- */

static void
add_expected(struct w_buf *buf, const struct w_policy_expect *expect,
    const struct w_decision *decision)
{
	const struct w_rule *rule = decision->reasons[0].rule;
	W_AUTO_BUF struct w_buf place;

	w_buf_init(&place, TEXT_MAX);
	w_buf_add_str(
	    &place, rule->location.file == NULL ? "" : rule->location.file);
	if (rule->location.line > 0)
		w_buf_add_fmt(&place, ":%u:%u", rule->location.line,
		    rule->location.column);
	w_buf_add_char(buf, '{');
	w_json_add_path_member(buf, "file", expect->location.file);
	w_buf_add_fmt(buf, ",\"line\":%u,\"column\":%u", expect->location.line,
	    expect->location.column);
	w_json_add_path_member(buf, "text", expect->text);
	w_json_add_path_member(buf, "agent", expect->agent);
	w_json_add_text_member(
	    buf, "expected", w_verdict_word(expect->verdict));
	w_json_add_text_member(
	    buf, "decision", w_verdict_word(decision->verdict));
	w_json_add_bool_member(
	    buf, "passed", decision->verdict == expect->verdict);
	w_json_add_path_member(buf, "rule", place.data);
	w_json_add_path_member(buf, "message", decision->message);
	w_buf_add_char(buf, '}');
}

static writ_status
add_expects(struct w_inspection *inspection, struct w_buf *buf,
    const struct w_loaded_policy *one, writ_error *err)
{
	const size_t count =
	    one->policy == NULL ? 0 : one->policy->expect_count;
	const char *comma = "";
	writ_status status = WRIT_OK;

	w_buf_add_str(buf, ",\"expect\":[");
	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const struct w_policy_expect *expect = &one->policy->expects[i];
		struct w_decision decision;

		if (w_decider_expect_is_over(expect))
			continue;
		status = w_decider_expect_one(
		    &inspection->decider, one->policy, expect, &decision, err);
		if (status != WRIT_OK)
			break;
		w_buf_add_str(buf, comma);
		comma = ",";
		add_expected(buf, expect, &decision);
		w_decision_done(&decision);
	}
	w_buf_add_char(buf, ']');
	return status;
}

/* ---- the policy ---- */

static void
add_texts(struct w_buf *buf, const struct w_policy *policy)
{
	W_AUTO_BUF struct w_buf yaml;

	w_buf_init(&yaml, TEXT_MAX);
	if (policy == NULL) {
		w_buf_add_str(buf, ",\"yaml\":null,\"policy\":null");
		return;
	}
	w_policy_add_yaml(&yaml, policy);
	w_buf_add_str(buf, ",\"yaml\":");
	w_json_add_bytes(buf, yaml.data, yaml.len);
	w_buf_add_str(buf, ",\"policy\":");
	w_policy_add_json(buf, policy);
	buf->failed = buf->failed || yaml.failed;
}

writ_status
w_inspection_add(struct w_inspection *inspection, struct w_buf *buf,
    struct w_loaded_policy *one, writ_policy_task task, writ_error *err)
{
	writ_status status = WRIT_OK;

	w_buf_add_char(buf, '{');
	w_json_add_text_member(buf, "tier", w_tier_word(one->tier));
	w_json_add_path_member(buf, "file", one->file);
	if (task == WRIT_POLICY_SHOW)
		add_texts(buf, one->policy);
	if (task == WRIT_POLICY_LINT)
		status = add_lint(inspection, buf, one, err);
	else
		add_faults(inspection, buf, one, NULL);
	if (status == WRIT_OK && task == WRIT_POLICY_TEST)
		status = add_expects(inspection, buf, one, err);
	w_buf_add_char(buf, '}');
	return status;
}

/* ---- all policies together ---- */

#define LIMIT(member)                                          \
	{                                                      \
#member, W_JSON_UINT,                          \
		    W_JSON_AT(struct w_policy_limits, member), \
		    .flags = W_JSON_OMIT_EMPTY                 \
	}

static const struct w_json_field limit_fields[] = {
    LIMIT(timeout_ms),
    LIMIT(max_timeout_ms),
    LIMIT(idle_ms),
    LIMIT(output),
    LIMIT(spill),
    LIMIT(max_output),
    LIMIT(cpu_ms),
    LIMIT(memory),
    LIMIT(processes),
    LIMIT(open_files),
    LIMIT(file_size),
    LIMIT(tmp),
    {.key = NULL},
};

#define NETWORK(name, word) [W_NETWORK_##name] = word,
static const char *const networks[] = {W_NETWORK_MAP(NETWORK) NULL};

#define ENV_MODE(name, word) [WRIT_ENV_##name] = word,
static const char *const environments[] = {WRIT_ENV_MODE_MAP(ENV_MODE) NULL};

#define AT(member) W_JSON_AT(struct w_constraints, member)

static const char *const undos[] = {
#define X(name, text) [WRIT_UNDO_##name] = text,
    WRIT_UNDO_MAP(X)
#undef X
};

static const struct w_json_field constraints_fields[] = {
    {"project", W_JSON_STRING, AT(base)},
    {"sandbox", W_JSON_STRING, AT(profile)},
    {"network", W_JSON_WORD, AT(network_max), .words = networks},
    {"roots", W_JSON_LIST, AT(roots)},
    {"environment", W_JSON_WORD, AT(env_mode), .words = environments},
    {"shell", W_JSON_STRING, AT(shell)},
    {"judge", W_JSON_STRING, AT(judge)},
    {"undo", W_JSON_WORD, AT(undo), .words = undos},
    {"limits", W_JSON_OBJECT, AT(limits), .fields = limit_fields},
    {.key = NULL},
};

writ_status
w_inspection_add_effective(
    struct w_inspection *inspection, struct w_buf *buf, writ_error *err)
{
	const writ_request asked = WRIT_REQUEST_INIT;
	const struct w_constraints_input input = {
	    .policies = &inspection->policies,
	    .asked = &asked,
	    .base = inspection->cwd,
	    .home = inspection->decider.home,
	    .profile_dirs = inspection->dirs.paths,
	    .is_local = true,
	    .is_dry_run = true,
	};
	struct w_constraints constraints = {.count = 0};

	for (size_t i = 0; i < inspection->policies.count; i++) {
		if (inspection->policies.loaded[i]->policy == NULL) {
			w_buf_add_str(buf, "null");
			return WRIT_OK;
		}
	}
	writ_status status = w_constraints_make(&constraints, &input, err);
	if (status == WRIT_OK)
		w_json_add_object(buf, constraints_fields, &constraints);
	w_constraints_done(&constraints);
	/* lint reports a missing profile. */
	if (status == WRIT_E_INVALID) {
		w_buf_add_str(buf, "null");
		return WRIT_OK;
	}
	return status;
}
