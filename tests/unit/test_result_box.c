/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "exec/result_box.h"

static struct w_result_box *box;

static int
set_up(void **state)
{
	(void)state;
	box = w_result_box_new(NULL);
	return box == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_result_box_free(box);
	return 0;
}

static void
a_box_that_nobody_filled_says_that_there_is_no_sandbox(void **state)
{
	(void)state;
	assert_string_equal(box->result.sandbox, "none");
	assert_string_equal(box->result.network, "host");
	assert_null(box->result.layers[0]);
	assert_null(box->result.missing[0]);
	assert_null(box->result.created[0]);
	assert_int_equal(box->result.denial_count, 0);
}

static void
layers_are_listed_by_their_words_in_order(void **state)
{
	char profile[] = "workspace";

	(void)state;
	assert_true(w_result_box_set_sandbox(box, profile, "off",
	    W_LAYER_BIT(W_LAYER_SECCOMP) | W_LAYER_BIT(W_LAYER_LANDLOCK),
	    W_LAYER_BIT(W_LAYER_CGROUP)));
	profile[0] = 'x';
	assert_string_equal(box->result.sandbox, "workspace");
	assert_string_equal(box->result.network, "off");
	assert_string_equal(box->result.layers[0], "landlock");
	assert_string_equal(box->result.layers[1], "seccomp");
	assert_null(box->result.layers[2]);
	assert_string_equal(box->result.missing[0], "cgroup");
	assert_null(box->result.missing[1]);
}

static void
all_layers_fit_and_a_second_word_replaces_the_first(void **state)
{
	const uint32_t all = W_LAYER_BIT(W_LAYER_COUNT) - 1;

	(void)state;
	assert_true(w_result_box_set_sandbox(box, "strict", "off", all, all));
	assert_string_equal(box->result.layers[W_LAYER_COUNT - 1], "cgroup");
	assert_null(box->result.missing[W_LAYER_COUNT]);
	assert_true(w_result_box_set_sandbox(box, "mine", "host", 0, 0));
	assert_string_equal(box->result.sandbox, "mine");
	assert_null(box->result.layers[0]);
}

static void
created_paths_are_named_up_to_the_room_that_was_made(void **state)
{
	char *items[] = {(char[]){"/w/.git/hooks"}, (char[]){"/w/.writ"}, NULL};
	const struct w_words paths = {.items = items, .count = 2};

	(void)state;
	w_result_box_add_created(box, "/no/room");
	assert_null(box->result.created[0]);
	assert_true(w_result_box_reserve_created(box, &paths));
	assert_null(box->result.created[0]);
	w_result_box_add_created(box, items[1]);
	items[1][1] = 'x';
	assert_string_equal(box->result.created[0], "/w/.writ");
	assert_null(box->result.created[1]);
	w_result_box_add_created(box, items[0]);
	w_result_box_add_created(box, "/one/more");
	assert_string_equal(box->result.created[1], "/w/.git/hooks");
	assert_null(box->result.created[2]);
}

static void
no_paths_to_watch_need_no_room(void **state)
{
	const struct w_words none = {0};

	(void)state;
	assert_true(w_result_box_reserve_created(box, &none));
	w_result_box_add_created(box, "/w/.writ");
	assert_null(box->result.created[0]);
}

static void
equal_denials_are_counted_and_not_listed_again(void **state)
{
	const writ_denial write = {
	    "landlock", "openat", "write", "/etc/x", "write: [/etc/x]", 1};
	const writ_denial read = {
	    "landlock", "openat", "read", "/etc/x", NULL, 2};

	(void)state;
	assert_true(w_result_box_reserve_denials(box));
	w_result_box_add_denial(box, &write);
	w_result_box_add_denial(box, &read);
	w_result_box_add_denial(box, &write);
	assert_int_equal(box->result.denial_count, 2);
	assert_string_equal(box->result.denials[0].what, "write");
	assert_string_equal(box->result.denials[0].path, "/etc/x");
	assert_int_equal(box->result.denials[0].count, 2);
	assert_null(box->result.denials[1].hint);
	assert_int_equal(box->result.denials[1].count, 2);
}

static void
denials_beyond_the_room_are_summed_up(void **state)
{
	(void)state;
	assert_true(w_result_box_reserve_denials(box));
	for (unsigned i = 0; i < W_BOX_DENIALS_MAX + 5; i++) {
		char path[16];

		(void)snprintf(path, sizeof(path), "/p/%u", i);
		w_result_box_add_denial(box, &(writ_denial){"mountns", "openat",
						 "write", path, NULL, 1});
	}
	assert_int_equal(box->result.denial_count, W_BOX_DENIALS_MAX + 1);

	const writ_denial *last = &box->result.denials[W_BOX_DENIALS_MAX];
	assert_null(last->layer);
	assert_string_equal(last->what, "more");
	assert_int_equal(last->count, 5);
}

static void
long_texts_run_out_of_room_without_harm(void **state)
{
	char path[4096];

	(void)state;
	assert_true(w_result_box_reserve_denials(box));
	memset(path, 'p', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	for (unsigned i = 0; i < 20; i++) {
		path[0] = (char)('a' + i);
		w_result_box_add_denial(box, &(writ_denial){"mountns", "openat",
						 "write", path, NULL, 1});
	}
	w_result_box_add_denial(
	    box, &(writ_denial){"seccomp", "bpf", "call", NULL, NULL, 3});

	size_t count = box->result.denial_count;
	assert_true(count < 10);
	assert_string_equal(box->result.denials[count - 1].what, "more");
	assert_int_equal(box->result.denials[count - 1].count,
	    20 - (unsigned)(count - 1) + 3);
}

static void
denials_that_nobody_asked_for_are_not_kept(void **state)
{
	(void)state;
	w_result_box_add_denial(
	    box, &(writ_denial){"seccomp", "bpf", "call", NULL, NULL, 1});
	assert_int_equal(box->result.denial_count, 0);
	assert_null(box->result.denials);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void
the_first_reason_for_a_missing_record_counts(void **state)
{
	struct w_result_box *fresh = w_result_box_new(NULL);

	(void)state;
	assert_non_null(fresh);
	assert_null(fresh->result.unrecorded);
	w_result_box_set_unrecorded(fresh, "first");
	w_result_box_set_unrecorded(fresh, "second");
	assert_string_equal(fresh->result.unrecorded, "first");
	w_result_box_free(fresh);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_reason_for_a_missing_record_counts),
	    CASE(a_box_that_nobody_filled_says_that_there_is_no_sandbox),
	    CASE(layers_are_listed_by_their_words_in_order),
	    CASE(all_layers_fit_and_a_second_word_replaces_the_first),
	    CASE(created_paths_are_named_up_to_the_room_that_was_made),
	    CASE(no_paths_to_watch_need_no_room),
	    CASE(equal_denials_are_counted_and_not_listed_again),
	    CASE(denials_beyond_the_room_are_summed_up),
	    CASE(long_texts_run_out_of_room_without_harm),
	    CASE(denials_that_nobody_asked_for_are_not_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
