/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Within which walls and limits a decision would let a command run, and whose
 * policies were asked.
 */

#include <string.h>

#include "base/duration.h"
#include "base/printable.h"
#include "base/size.h"
#include "cli/module/explanation.h"
#include "cli/policy/decision_page.h"

#define LIST_MAX 12 /* values that are shown; others are counted */

static void
decision_sandbox_add_list(
    const struct w_decision_page *page, const char *label, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	if (yyjson_arr_size(list) == 0)
		return;
	w_cli_decision_add_label(page, label);
	yyjson_arr_foreach(list, i, count, item)
	{
		const char *path = yyjson_get_str(item);

		if (i == LIST_MAX) {
			w_buf_add_fmt(page->buf, " and %zu more", count - i);
			break;
		}
		w_buf_add_str(page->buf, i > 0 ? ", " : "");
		if (path != NULL)
			w_cli_decision_add_plain(page, path);
		else
			w_explanation_add_text(page->buf, item);
	}
	w_buf_add_char(page->buf, '\n');
}

static void
decision_sandbox_add_sandbox(
    const struct w_decision_page *page, yyjson_val *sandbox)
{
	const char *profile = w_cli_decision_text(sandbox, "profile");
	const char *network = w_cli_decision_text(sandbox, "network");

	if (profile == NULL)
		return;
	w_cli_decision_add_label(page, "sandbox");
	w_cli_decision_add_plain(page, profile);
	if (network != NULL)
		w_buf_add_fmt(page->buf, ", network %s", network);
	w_buf_add_char(page->buf, '\n');
	decision_sandbox_add_list(
	    page, "may read", yyjson_obj_get(sandbox, "read"));
	decision_sandbox_add_list(
	    page, "may write", yyjson_obj_get(sandbox, "write"));
	decision_sandbox_add_list(
	    page, "may execute", yyjson_obj_get(sandbox, "execute"));
	decision_sandbox_add_list(
	    page, "hidden", yyjson_obj_get(sandbox, "hide"));
}

static bool
decision_sandbox_ends_with(const char *text, const char *end)
{
	const size_t len = strlen(text);
	const size_t end_len = strlen(end);

	return len >= end_len && strcmp(text + len - end_len, end) == 0;
}

/* "timeout_ms" 120000 is "timeout 2m", "memory" is a size, the rest counts. */
static void
decision_sandbox_add_limit(struct w_buf *buf, const char *key, uint64_t value)
{
	static const char *const counts[] = {"processes", "open_files"};
	const bool is_time = decision_sandbox_ends_with(key, "_ms");
	bool is_count = false;
	char text[W_SIZE_TEXT_MAX > W_DURATION_TEXT_MAX ? W_SIZE_TEXT_MAX
							: W_DURATION_TEXT_MAX];

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		is_count = is_count || strcmp(counts[i], key) == 0;
	w_buf_add(buf, key, strlen(key) - (is_time ? strlen("_ms") : 0));
	w_buf_add_char(buf, ' ');
	if (is_count) {
		w_buf_add_fmt(buf, "%llu", (unsigned long long)value);
		return;
	}
	if (is_time)
		w_duration_format(value, text);
	else
		w_size_format(value, text);
	w_buf_add_str(buf, text);
}

/* All ones stand for "nothing is kept". */
static bool
is_unsaid(yyjson_val *value)
{
	const uint64_t number = yyjson_get_uint(value);

	return yyjson_is_null(value) ||
	       (yyjson_is_uint(value) && (number == 0 || number == UINT64_MAX));
}

static void
decision_sandbox_add_limits(
    const struct w_decision_page *page, yyjson_val *limits)
{
	bool has_any = false;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *value;

	yyjson_obj_foreach(limits, i, count, key, value)
	{
		if (is_unsaid(value))
			continue;
		if (!has_any)
			w_cli_decision_add_label(page, "limits");
		w_buf_add_str(page->buf, has_any ? ", " : "");
		has_any = true;
		if (yyjson_is_uint(value)) {
			decision_sandbox_add_limit(page->buf,
			    yyjson_get_str(key), yyjson_get_uint(value));
			continue;
		}
		w_buf_add_fmt(page->buf, "%s ", yyjson_get_str(key));
		w_explanation_add_text(page->buf, value);
	}
	if (has_any)
		w_buf_add_char(page->buf, '\n');
}

static void
decision_sandbox_add_environment(
    const struct w_decision_page *page, yyjson_val *environment)
{
	const char *mode = w_cli_decision_text(environment, "mode");

	if (mode == NULL)
		return;
	w_cli_decision_add_label(page, "environment");
	w_cli_decision_add_plain(page, mode);
	w_buf_add_char(page->buf, '\n');
}

static void
decision_sandbox_add_policies(
    const struct w_decision_page *page, yyjson_val *policies)
{
	size_t i;
	size_t count;
	yyjson_val *policy;

	yyjson_arr_foreach(policies, i, count, policy)
	{
		const char *tier = w_cli_decision_text(policy, "tier");
		const char *file = w_cli_decision_text(policy, "file");

		w_cli_decision_add_label(page, i == 0 ? "policies" : "");
		w_cli_decision_add_path(page, file == NULL ? "?" : file);
		if (tier != NULL)
			w_buf_add_fmt(page->buf, " (%s)", tier);
		w_buf_add_char(page->buf, '\n');
	}
}

void
w_cli_decision_add_effective(
    const struct w_decision_page *page, yyjson_val *effective)
{
	const char *sandbox = w_cli_decision_text(effective, "sandbox");
	const char *network = w_cli_decision_text(effective, "network");
	const char *environment = w_cli_decision_text(effective, "environment");

	if (sandbox == NULL)
		return;
	w_buf_add_char(page->buf, '\n');
	w_cli_decision_add_label(page, "sandbox");
	w_cli_decision_add_plain(page, sandbox);
	if (network != NULL)
		w_buf_add_fmt(page->buf, ", network at most %s", network);
	w_buf_add_char(page->buf, '\n');
	decision_sandbox_add_list(
	    page, "roots", yyjson_obj_get(effective, "roots"));
	decision_sandbox_add_limits(page, yyjson_obj_get(effective, "limits"));
	if (environment != NULL) {
		w_cli_decision_add_label(page, "environment");
		w_cli_decision_add_plain(page, environment);
		w_buf_add_char(page->buf, '\n');
	}
}

void
w_cli_decision_add_sandbox(
    const struct w_decision_page *page, yyjson_val *decision)
{
	const char *agent = w_cli_decision_text(decision, "agent");

	w_buf_add_char(page->buf, '\n');
	decision_sandbox_add_sandbox(page, yyjson_obj_get(decision, "sandbox"));
	decision_sandbox_add_limits(page, yyjson_obj_get(decision, "limits"));
	decision_sandbox_add_environment(
	    page, yyjson_obj_get(decision, "environment"));
	if (agent != NULL) {
		w_cli_decision_add_label(page, "agent");
		w_cli_decision_add_plain(page, agent);
		w_buf_add_char(page->buf, '\n');
	}
	decision_sandbox_add_policies(
	    page, yyjson_obj_get(decision, "policies"));
}
