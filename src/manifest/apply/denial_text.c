/* SPDX-License-Identifier: Apache-2.0 */

/* The text of a denial, with the rule. */

#include "manifest/apply/denial_text.h"

#include <string.h>

#include <writ/policy.h>

#include "data/json.h"

/* Far larger than any decision object. */
#define BYTES_MAX ((size_t)64 << 20)
#define DEPTH_MAX 256

static void
denial_text_add_rule(struct w_buf *buf, const char *decision)
{
	const struct w_json_limits limits = {
	    .bytes_max = BYTES_MAX, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;

	if (w_json_read(decision, strlen(decision), &limits, &json, NULL) !=
	    WRIT_OK)
		return;
	yyjson_val *rule = yyjson_obj_get(w_json_root(json), "rule");
	if (yyjson_is_str(rule))
		w_buf_add_fmt(buf, " (rule %s)", yyjson_get_str(rule));
	w_json_free(json);
}

void
w_manifest_denial_add_text(
    struct w_buf *buf, const writ_engine *engine, const writ_error *error)
{
	const char *decision = writ_engine_decision(engine);

	w_buf_add_str(buf, error->message);
	if (decision != NULL && (error->status == WRIT_E_DENIED ||
				    error->status == WRIT_E_APPROVAL))
		denial_text_add_rule(buf, decision);
}
