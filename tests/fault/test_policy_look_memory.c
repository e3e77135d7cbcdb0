/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Every allocation fails once while policies are looked at.
 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <writ/policy.h>

#include "surviving.h"

static char dir[64] = "/tmp/writ-look-XXXXXX";
static char file[96];

static int
make_file(void **state)
{
	static const char text[] = "version: 1\n"
				   "default: ask\n"
				   "rules:\n"
				   "  - allow: { effect: read }\n"
				   "  - deny: { program: [sudo, su] }\n"
				   "expect:\n"
				   "  - allow: cat a\n"
				   "  - deny: env sudo id\n";

	(void)state;
	if (mkdtemp(dir) == NULL)
		return -1;
	(void)snprintf(file, sizeof(file), "%s/policy.yaml", dir);
	FILE *stream = fopen(file, "we");
	if (stream == NULL)
		return -1;
	(void)fputs(text, stream);
	return fclose(stream);
}

static int
remove_file(void **state)
{
	(void)state;
	(void)unlink(file);
	return rmdir(dir);
}

static writ_status
look(writ_policy_task task, writ_error *err)
{
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	char *json = NULL;
	size_t len = 0;

	options.file = file;
	writ_status status =
	    writ_policy_look(NULL, task, &options, &json, &len, err);
	if (status == WRIT_OK)
		assert_int_equal(strlen(json), len);
	else
		assert_null(json);
	free(json);
	return status;
}

static writ_status
show(writ_error *err)
{
	return look(WRIT_POLICY_SHOW, err);
}

static writ_status
test(writ_error *err)
{
	return look(WRIT_POLICY_TEST, err);
}

static writ_status
list_presets(writ_error *err)
{
	return look(WRIT_POLICY_PRESETS, err);
}

static void
showing_survives_each_failed_allocation(void **state)
{
	(void)state;
	survive_each_allocation(show, 20, 2000);
	survive_each_allocation(list_presets, 1, 100);
}

/* A description, or a program's file, that cannot be had makes a command one
 * that is not understood: the line fails then, and not the look at it. */
static void
testing_survives_each_failed_allocation(void **state)
{
	unsigned refused = 0;

	(void)state;
	for (unsigned nth = 1;; nth++) {
		writ_error err = {.status = WRIT_OK};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = test(&err);
		if (!inject_disarm())
			break;
		assert_true(status == WRIT_OK || status == WRIT_E_NOMEM);
		assert_int_equal(err.status, status);
		refused++;
	}
	assert_in_range(refused, 20, 5000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(showing_survives_each_failed_allocation),
	    cmocka_unit_test(testing_survives_each_failed_allocation),
	};

	return cmocka_run_group_tests(tests, make_file, remove_file);
}
