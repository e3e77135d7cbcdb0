/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <writ/writ.h>

#include "../unit/temp.h"
#include "inject.h"
#include "run/result/run_result.h"

/*
 * Every allocation fails once: of looking at profiles, and of the room that a
 * result has for its sandbox. What leaks is found by the address sanitizer, in
 * a build that has it.
 */

static struct temp temp;
static writ_config *config;

static int
set_up(void **state)
{
	(void)state;
	(void)umask(022);
	temp_open(&temp);
	temp_dir(&temp, "profiles");
	temp_file(&temp, "profiles/mine.yaml", 0644,
	    "extends: base\nwrite: [~/out]\nlimits: {memory: 1GiB}\n");
	temp_file(&temp, "profiles/base.yaml", 0644,
	    "description: one to build on\nread: [/srv]\n");
	temp_file(&temp, "profiles/wrong.yaml", 0644, "raed: [/srv]\n");
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	assert_int_equal(
	    writ_config_set(config, "config_dir", temp.path, NULL), WRIT_OK);
	assert_int_equal(writ_config_set(config, "system_dir",
			     temp_path(&temp, "none"), NULL),
	    WRIT_OK);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	writ_config_free(config);
	temp_close(&temp);
	return 0;
}

static writ_status
show_mine(writ_error *err)
{
	writ_profile *profile = NULL;
	char *yaml = NULL;
	char *json = NULL;
	size_t len;
	writ_status status = writ_profile_find(config, "mine", &profile, err);

	if (status == WRIT_OK)
		status = writ_profile_yaml(profile, &yaml, &len, err);
	if (status == WRIT_OK)
		status = writ_profile_json(profile, &json, &len, err);
	if (status == WRIT_OK) {
		assert_non_null(strstr(yaml, "\n  - ~/out\n"));
		assert_non_null(strstr(json, "\"memory\":1073741824"));
	}
	free(yaml);
	free(json);
	writ_profile_free(profile);
	return status;
}

static writ_status
list_all(writ_error *err)
{
	writ_profile_list *list = NULL;
	size_t count = 0;
	writ_status status = writ_profile_list_new(config, &list, err);

	if (status != WRIT_OK)
		return status;
	const writ_profile_entry *all = writ_profile_list_all(list, &count);
	assert_int_equal(count, 9);
	assert_string_equal(all[7].name, "mine");
	assert_non_null(all[8].problem);
	writ_profile_list_free(list);
	return WRIT_OK;
}

static void
fail_each(writ_status (*act)(writ_error *err))
{
	bool was_hit = true;

	for (unsigned nth = 1; was_hit; nth++) {
		writ_error err = {0};

		inject_arm("allocation", nth, 1, ENOMEM);
		writ_status status = act(&err);
		was_hit = inject_disarm();
		if (!was_hit)
			assert_int_equal(status, WRIT_OK);
		if (status != WRIT_OK)
			assert_true(err.message[0] != '\0');
	}
}

static void
a_profile_without_memory_is_an_error_or_whole(void **state)
{
	(void)state;
	fail_each(show_mine);
}

static void
a_list_without_memory_is_an_error_or_whole(void **state)
{
	(void)state;
	fail_each(list_all);
}

static writ_status
fill_box(writ_error *err)
{
	char *items[] = {(char[]){"/w/.writ"}, NULL};
	const struct w_words paths = {.items = items, .count = 1};
	struct w_run_result *box = w_run_result_new("trace");

	(void)snprintf(err->message, sizeof(err->message), "no room");
	bool is_ready = box != NULL &&
			w_run_result_set_sandbox(box, "strict", "off", 3, 0) &&
			w_run_result_reserve_created(box, &paths) &&
			w_run_result_reserve_denials(box);
	if (is_ready) {
		/* From here on nothing needs memory. */
		inject_arm("allocation", 1, 100, ENOMEM);
		w_run_result_add_created(box, items[0]);
		w_run_result_add_denial(box,
		    &(writ_denial){"seccomp", "bpf", "call", NULL, NULL, 1});
		assert_true(
		    w_run_result_set_sandbox(box, "strict", "off", 1, 2));
		assert_false(inject_disarm());
		assert_string_equal(box->result.created[0], "/w/.writ");
		assert_int_equal(box->result.denial_count, 1);
	}
	w_run_result_free(box);
	return is_ready ? WRIT_OK : WRIT_E_NOMEM;
}

static void
a_result_that_has_room_needs_no_more_memory(void **state)
{
	(void)state;
	fail_each(fill_box);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_profile_without_memory_is_an_error_or_whole, set_up,
		tear_down),
	    cmocka_unit_test_setup_teardown(
		a_list_without_memory_is_an_error_or_whole, set_up, tear_down),
	    cmocka_unit_test(a_result_that_has_room_needs_no_more_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
