/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "engine/job_context.h"
#include "engine/request/draft_fields.h"

enum {
	KEYS_MAX = 128
};

/* A text or a list of the caller, for each key. */
static struct {
	char text[64];
	const char *list[2];
} given[KEYS_MAX];

/* A request with every text and list that has a key, and the module. */
static writ_request
full_request(const struct w_draft_field *fields, size_t count)
{
	writ_request request = WRIT_REQUEST_INIT;

	assert_true(count <= KEYS_MAX);
	for (size_t i = 0; i < count; i++) {
		const char *text = given[i].text;
		const char *const *list = given[i].list;
		char *member = (char *)&request + fields[i].offset;

		(void)snprintf(given[i].text, sizeof(given[i].text), "my %s",
		    fields[i].name);
		given[i].list[0] = text;
		if (fields[i].kind == W_KIND_STRING)
			memcpy(member, &text, sizeof(text));
		else if (fields[i].kind == W_KIND_LIST ||
			 fields[i].kind == W_KIND_MAP)
			memcpy(member, &list, sizeof(list));
	}
	request.stdin_data = "bytes";
	request.stdin_len = 5;
	request.output_ctx = &request;
	request.module = "cli.x";
	request.program = "/usr/bin/x";
	return request;
}

/* The caller frees a text after the start; a borrowed one would dangle. */
static void
expect_copy(const char *name, const char *copy, const char *original)
{
	if (copy == original || copy == NULL || strcmp(copy, original) != 0)
		fail_msg("job_context.c does not copy '%s'", name);
}

static void
every_text_and_list_is_copied(void **state)
{
	size_t count;
	const struct w_draft_field *fields = w_draft_fields(&count);
	writ_request request = full_request(fields, count);
	struct w_job_context *context = NULL;

	(void)state;
	request.pty = true;
	assert_int_equal(
	    w_job_context_new(NULL, &request, &context, NULL), WRIT_OK);
	assert_non_null(context);
	for (size_t i = 0; i < count; i++) {
		const char *member =
		    (const char *)&context->request + fields[i].offset;
		const char *text = NULL;
		const char *const *list = NULL;

		if (fields[i].kind == W_KIND_STRING) {
			memcpy(&text, member, sizeof(text));
			expect_copy(fields[i].name, text, given[i].text);
		} else if (fields[i].kind == W_KIND_LIST ||
			   fields[i].kind == W_KIND_MAP) {
			memcpy(&list, member, sizeof(list));
			if (list == given[i].list)
				fail_msg("job_context.c does not copy '%s'",
				    fields[i].name);
			expect_copy(fields[i].name, list[0], given[i].text);
			assert_null(list[1]);
		}
	}
	expect_copy("module", context->request.module, request.module);
	expect_copy("program", context->request.program, request.program);
	assert_null(context->request.stdin_data);
	assert_int_equal(context->request.stdin_len, 0);
	assert_null(context->request.output_ctx);
	w_job_context_free(context);
}

static void
only_an_open_input_needs_a_context(void **state)
{
	static const writ_stdin_kind closed[] = {
	    WRIT_STDIN_NULL, WRIT_STDIN_DATA, WRIT_STDIN_FILE, WRIT_STDIN_FD};
	writ_request request = WRIT_REQUEST_INIT;
	struct w_job_context *context = NULL;

	(void)state;
	for (size_t i = 0; i < sizeof(closed) / sizeof(*closed); i++) {
		request.stdin_kind = closed[i];
		assert_int_equal(
		    w_job_context_new(NULL, &request, &context, NULL), WRIT_OK);
		assert_null(context);
	}
	request.stdin_kind = WRIT_STDIN_PIPE;
	assert_int_equal(
	    w_job_context_new(NULL, &request, &context, NULL), WRIT_OK);
	assert_non_null(context);
	w_job_context_free(context);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_text_and_list_is_copied),
	    cmocka_unit_test(only_an_open_input_needs_a_context),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
