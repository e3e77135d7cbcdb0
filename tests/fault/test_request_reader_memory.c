/* SPDX-License-Identifier: Apache-2.0 */

/* Every allocation fails once while a request is understood: it is understood
 * all the same, or there is no memory, and never is a secret missed. */

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../unit/temp.h"
#include "engine/request/request_reader.h"
#include "inject.h"

static writ_config *config;
static struct temp place;

static const char *const words[] = {
    "our-env", "A_TOKEN=pw", "curl", "-u", "me:password", "http://h/", NULL};

static bool
has_place(const struct w_redactor *redactor, size_t word, size_t offset)
{
	for (size_t i = 0; i < redactor->span_count; i++) {
		if (redactor->spans[i].word == word &&
		    redactor->spans[i].offset == offset)
			return true;
	}
	return false;
}

/* false: there was no memory. */
static bool
is_read(const writ_request *request, unsigned failing, bool *out_was_refused)
{
	struct w_request_reader reader = {.spans = NULL};
	struct w_redactor redactor = {.values = NULL};
	const char *module = NULL;
	writ_error err = {.status = WRIT_OK};

	inject_arm("allocation", failing, 1, ENOMEM);
	writ_status status =
	    w_request_read(&reader, config, request, &redactor, &module, &err);
	*out_was_refused = inject_disarm();
	if (status == WRIT_OK) {
		assert_true(has_place(&redactor, 1, strlen("A_TOKEN=")));
		assert_true(has_place(&redactor, 4, 0));
		assert_int_equal(redactor.count, 1);
		assert_string_equal(module, "cli.env");
	} else {
		assert_int_equal(status, WRIT_E_NOMEM);
		assert_int_equal(err.status, WRIT_E_NOMEM);
	}
	w_redactor_done(&redactor);
	w_request_reader_done(&reader);
	return status == WRIT_OK;
}

static void
no_secret_is_missed_without_memory(void **state)
{
	writ_request request = WRIT_REQUEST_INIT;
	bool was_refused = true;
	unsigned failures = 0;

	(void)state;
	request.argv = words;
	for (unsigned failing = 1; was_refused; failing++)
		failures += !is_read(&request, failing, &was_refused);
	assert_true(failures > 0);
}

static int
set_up(void **state)
{
	(void)state;
	temp_open(&place);
	assert_int_equal(mkdir(temp_path(&place, "modules"), 0700), 0);
	FILE *file =
	    fopen(temp_path(&place, "modules/our-env.command.yaml"), "we");
	assert_non_null(file);
	assert_true(
	    fputs("command: our-env\nabout: Ours\nsame_as: env\n", file) >= 0);
	assert_int_equal(fclose(file), 0);
	assert_int_equal(
	    chmod(temp_path(&place, "modules/our-env.command.yaml"), 0600), 0);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "config_dir", place.path, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "system_dir", place.path, NULL), WRIT_OK);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_config_free(config);
	temp_close(&place);
	return 0;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(no_secret_is_missed_without_memory),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
