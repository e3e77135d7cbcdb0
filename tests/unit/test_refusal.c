/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/run/refusal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <yyjson.h>

#include "base/buf.h"

static void
expect(const char *json, const char *reason)
{
	yyjson_doc *doc = yyjson_read(json, strlen(json), YYJSON_READ_NOFLAG);
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	assert_non_null(doc);
	w_refusal_add_reason(&buf, yyjson_doc_get_root(doc));
	assert_string_equal(buf.data, reason);
	yyjson_doc_free(doc);
}

static void
a_reason_is_one_line_with_all_that_helps(void **state)
{
	(void)state;
	expect("{\"message\":\"rm is not allowed\",\"rule\":\"/p.yaml:3:5\","
	       "\"rules\":[{\"because\":\"files are dear\"}],"
	       "\"nearest_allowed\":\"ls\"}",
	    "rm is not allowed; because: files are dear; rule: "
	    "/p.yaml:3:5; would be allowed: ls");
	expect("{\"message\":\"no\",\"rule\":\"/p.yaml:3:5\","
	       "\"rules\":[{\"because\":null}],\"nearest_allowed\":null}",
	    "no; rule: /p.yaml:3:5");
}

static void
a_decision_without_words_still_has_a_reason(void **state)
{
	(void)state;
	expect("{}", "no reason");
	expect("null", "no reason");
	expect("{\"message\":{\"b64\":\"/w==\"},\"rules\":7}", "no reason");
}

static void
only_policies_and_persons_refuse(void **state)
{
	static const struct {
		writ_status status;
		bool is_refusal;
	} rows[] = {
	    {WRIT_E_DENIED, true},
	    {WRIT_E_APPROVAL, true},
	    {WRIT_E_REFUSED, true},
	    {WRIT_E_NOTFOUND, false},
	    {WRIT_E_SANDBOX, false},
	    {WRIT_E_INVALID, false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const writ_error err = {.status = rows[i].status};

		assert_int_equal(w_refusal_is(&err), rows[i].is_refusal);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_reason_is_one_line_with_all_that_helps),
	    cmocka_unit_test(a_decision_without_words_still_has_a_reason),
	    cmocka_unit_test(only_policies_and_persons_refuse),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
