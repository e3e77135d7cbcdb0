/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "engine/execs/journal.h"

static struct w_journal journal;
static struct w_redactor redactor;

static void
add(const char *word, enum w_verdict verdict)
{
	const char *argv[] = {word, "x", NULL};
	const struct w_policy_location rule = {
	    .file = "p.yaml", .line = 2, .column = 5};
	const struct w_journal_note note = {.argv = argv,
	    .argc = 2,
	    .program = "/bin/p",
	    .verdict = verdict,
	    .rule = &rule};

	w_journal_add(&journal, &note, &redactor);
}

static void
equal_programs_are_one_row(void **state)
{
	static struct w_redact_span span = {.word = 1, .len = 1};

	(void)state;
	w_journal_init(&journal);
	redactor = (struct w_redactor){.spans = &span, .span_count = 1};
	add("a", W_ALLOW);
	add("a", W_ALLOW);
	redactor.span_count = 0;
	add("a", W_DENY);
	char *json = w_journal_json(&journal);
	assert_string_equal(json,
	    "{\"count\":3,\"asked\":0,\"denied\":1,\"programs\":["
	    "{\"argv\":[\"a\",\"[secret]\"],\"program\":\"/bin/p\","
	    "\"decision\":\"allow\",\"rule\":\"p.yaml:2:5\","
	    "\"truncated\":false,\"count\":2},"
	    "{\"argv\":[\"a\",\"x\"],\"program\":\"/bin/p\","
	    "\"decision\":\"deny\",\"rule\":\"p.yaml:2:5\","
	    "\"truncated\":false,\"count\":1}],\"more\":0,"
	    "\"redacted\":true}");
	free(json);
	w_journal_done(&journal);
}

static void
what_is_denied_has_room(void **state)
{
	char word[32];

	(void)state;
	w_journal_init(&journal);
	for (int i = 0; i < 1000; i++) {
		(void)snprintf(word, sizeof(word), "allowed%d", i);
		add(word, W_ALLOW);
		(void)snprintf(word, sizeof(word), "asked%d", i);
		add(word, W_ASK);
	}
	add("denied", W_DENY);
	char *json = w_journal_json(&journal);
	assert_non_null(strstr(json, "[\"denied\",\"x\"]"));
	assert_non_null(strstr(json, "{\"count\":2001,"));
	assert_null(strstr(json, "\"more\":0"));
	assert_in_range(strlen(json), 1000, W_JOURNAL_TEXT_MAX + 16384);
	free(json);
	w_journal_done(&journal);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(equal_programs_are_one_row),
	    cmocka_unit_test(what_is_denied_has_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
