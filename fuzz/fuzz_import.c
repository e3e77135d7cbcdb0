/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Permission rules of other programs: each is a shape with a verdict, or told
 * with a reason.
 */

#include "cli/policy/import_rules.h"

#include "check.h"

typedef writ_status import_fn(
    struct w_import *import, const struct w_buf *text, writ_error *err);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static import_fn *const readers[] = {
	    w_cli_import_claude, w_cli_import_codex, w_cli_import_codex_config};
	struct w_buf text;

	w_buf_init(&text, (size_t)1 << 24);
	w_buf_add(&text, data, size);
	for (size_t i = 0; i < 3 && !text.failed; i++) {
		struct w_import import = {.items = NULL};
		writ_error err = {.status = WRIT_OK};
		const writ_status status = readers[i](&import, &text, &err);

		if (status != WRIT_OK)
			check_error(&err, status);
		CHECK(import.count <= W_IMPORT_RULES_MAX);
		for (size_t k = 0; k < import.count; k++) {
			const struct w_import_rule *rule = &import.items[k];

			CHECK(rule->from != NULL);
			CHECK(rule->shape != NULL ? rule->verdict != NULL
						  : rule->why != NULL);
		}
		w_cli_import_done(&import);
	}
	w_buf_done(&text);
	return 0;
}
