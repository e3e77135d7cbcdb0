/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Adding rules to the text of a policy: what is written can be read, has all
 * the old rules and the new one; a second time nothing is left to do.
 */

#include "cli/policy/policy_edit.h"
#include "data/yaml.h"

#include "check.h"

static const struct w_json_limits limits = {
    .bytes_max = (size_t)1 << 24, .depth_max = 16};

static size_t
count_rules(const struct w_buf *text)
{
	struct w_yaml *yaml = NULL;

	CHECK(w_yaml_read(text->data, text->len, &limits, &yaml, NULL) ==
	      WRIT_OK);
	const size_t count =
	    yyjson_arr_size(yyjson_obj_get(w_yaml_root(yaml), "rules"));
	w_yaml_free(yaml);
	return count;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct w_policy_addition added = {.verdict = "deny",
	    .shape = "git push ...",
	    .expect = "git push",
	    .project = "/srv/a: b",
	    .until = "2030-01-31T18:00:00Z"};
	struct w_buf old_text;
	struct w_buf new_text;
	struct w_buf again;
	size_t changes = 0;
	writ_error err = {.status = WRIT_OK};

	w_buf_init(&old_text, (size_t)1 << 22);
	w_buf_init(&new_text, (size_t)1 << 24);
	w_buf_init(&again, (size_t)1 << 24);
	w_buf_add(&old_text, data, size);
	const writ_status status =
	    w_cli_policy_edit(&old_text, &added, 1, &new_text, &changes, &err);
	if (status == WRIT_OK && !old_text.failed) {
		CHECK(count_rules(&new_text) >= count_rules(&old_text));
		CHECK(w_cli_policy_edit(&new_text, &added, 1, &again, &changes,
			  &err) == WRIT_OK);
		CHECK(changes == 0);
		CHECK(again.len == new_text.len);
	} else {
		check_error(&err, status);
	}
	w_buf_done(&old_text);
	w_buf_done(&new_text);
	w_buf_done(&again);
	return 0;
}
