/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The sandbox, limits and environment of a decision, and the policies behind
 * it.
 */

#include <string.h>

#include "base/duration.h"
#include "base/printable.h"
#include "base/size.h"
#include "cli/module/explanation.h"
#include "cli/policy/decision_page.h"

#define LIST_MAX 12 /* values that are shown; the rest is counted */

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

/* "timeout_ms" 120000 is "timeout 2m"; "memory" is a size; others numbers. */
static void
decision_sandbox_add_limit(struct w_buf *buf, const char *key, uint64_t value)
{
	static const char *const counts[] = {"processes", "open_files"};
	const size_t len = strlen(key);
	const bool is_time = len >= 3 && strcmp(key + len - 3, "_ms") == 0;
	bool is_count = false;
	char text[W_SIZE_TEXT_MAX > W_DURATION_TEXT_MAX ? W_SIZE_TEXT_MAX
							: W_DURATION_TEXT_MAX];

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		is_count = is_count || strcmp(counts[i], key) == 0;
	w_buf_add(buf, key, is_time ? len - 3 : len);
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

/* Whether a limit is not set. UINT64_MAX means that no output is kept. */
static bool
is_unset(yyjson_val *value)
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
		if (is_unset(value))
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
	const char *mode = w_cli_decision_text(
	    yyjson_obj_get(decision, "environment"), "mode");
	const char *agent = w_cli_decision_text(decision, "agent");

	w_buf_add_char(page->buf, '\n');
	decision_sandbox_add_sandbox(page, yyjson_obj_get(decision, "sandbox"));
	decision_sandbox_add_limits(page, yyjson_obj_get(decision, "limits"));
	if (mode != NULL) {
		w_cli_decision_add_label(page, "environment");
		w_cli_decision_add_plain(page, mode);
		w_buf_add_char(page->buf, '\n');
	}
	if (agent != NULL) {
		w_cli_decision_add_label(page, "agent");
		w_cli_decision_add_plain(page, agent);
		w_buf_add_char(page->buf, '\n');
	}
	decision_sandbox_add_policies(
	    page, yyjson_obj_get(decision, "policies"));
}
