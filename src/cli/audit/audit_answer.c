/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the answer record of the approval that allowed a run. */

#include "cli/audit/audit_answer.h"

#include <inttypes.h>
#include <stdio.h>

#include "cli/options/datetime.h"
#include "data/json.h"
#include "log/log_format.h"

#define DEPTH_MAX 16

struct audit_answer_search {
	struct w_record_page *page;
	const char *approval;
};

const char *
w_cli_audit_approval(yyjson_val *begin)
{
	yyjson_val *policy = yyjson_obj_get(begin, "policy");
	yyjson_val *approval = yyjson_obj_get(policy, "approval");

	return yyjson_get_str(yyjson_is_str(approval)
				  ? approval
				  : yyjson_obj_get(policy, "grant"));
}

static void
add_by(struct w_record_page *page, yyjson_val *by)
{
	char text[64];

	(void)snprintf(text, sizeof(text), "user %" PRIu64 ", process %" PRIu64,
	    yyjson_get_uint(yyjson_obj_get(by, "uid")),
	    yyjson_get_uint(yyjson_obj_get(by, "pid")));
	w_page_row(page, "by", text);
	w_page_row(page, "via", yyjson_get_str(yyjson_obj_get(by, "via")));
}

static void
audit_answer_add_text(
    struct w_record_page *page, yyjson_val *record, const char *key)
{
	w_page_row(page, key, yyjson_get_str(yyjson_obj_get(record, key)));
}

static void
audit_answer_add_answer(
    struct w_record_page *page, const writ_record *record, yyjson_val *answer)
{
	char when[W_DATETIME_MAX];

	w_datetime_format(record->time_us, when);
	w_page_heading(page, "approved");
	add_by(page, yyjson_obj_get(answer, "by"));
	w_page_row(page, "at", when);
	audit_answer_add_text(page, answer, "scope");
	audit_answer_add_text(page, answer, "until");
	audit_answer_add_text(page, answer, "rule");
	audit_answer_add_text(page, answer, "note");
	audit_answer_add_text(page, answer, "approval");
}

static bool
audit_answer_take_answer(void *ctx, const writ_record *record)
{
	const struct audit_answer_search *search = ctx;
	const struct w_json_limits limits = {
	    .bytes_max = W_LOG_LINE_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json;

	/* `writ audit verify` reports invalid lines. */
	if (w_json_read(record->json, record->json_len, &limits, &json, NULL) !=
	    WRIT_OK)
		return true;
	yyjson_val *root = w_json_root(json);
	const bool is_it = yyjson_equals_str(yyjson_obj_get(root, "approval"),
			       search->approval) &&
			   yyjson_is_true(yyjson_obj_get(root, "approved"));
	if (is_it)
		audit_answer_add_answer(search->page, record, root);
	w_json_free(json);
	return !is_it;
}

writ_status
w_page_answer(struct w_record_page *page, writ_audit *audit,
    const char *approval, writ_error *err)
{
	writ_audit_filter filter = WRIT_AUDIT_FILTER_INIT;
	struct audit_answer_search search = {
	    .page = page, .approval = approval};

	filter.kind = "answer";
	return writ_audit_records(
	    audit, &filter, audit_answer_take_answer, &search, err);
}
