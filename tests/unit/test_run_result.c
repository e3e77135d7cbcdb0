/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "run/result/run_result.h"

static struct w_run_result *storage;

static int
set_up(void **state)
{
	(void)state;
	storage = w_run_result_new(NULL);
	return storage == NULL ? -1 : 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_run_result_free(storage);
	return 0;
}

static void
a_storage_that_nobody_filled_says_that_there_is_no_sandbox(void **state)
{
	(void)state;
	assert_string_equal(storage->result.sandbox, "none");
	assert_string_equal(storage->result.network, "host");
	assert_null(storage->result.layers[0]);
	assert_null(storage->result.missing[0]);
	assert_null(storage->result.created[0]);
	assert_int_equal(storage->result.denial_count, 0);
}

static void
layers_are_listed_by_their_words_in_order(void **state)
{
	char profile[] = "workspace";

	(void)state;
	assert_true(w_run_result_set_sandbox(storage, profile, "off",
	    W_LAYER_BIT(W_LAYER_SECCOMP) | W_LAYER_BIT(W_LAYER_LANDLOCK),
	    W_LAYER_BIT(W_LAYER_CGROUP)));
	profile[0] = 'x';
	assert_string_equal(storage->result.sandbox, "workspace");
	assert_string_equal(storage->result.network, "off");
	assert_string_equal(storage->result.layers[0], "landlock");
	assert_string_equal(storage->result.layers[1], "seccomp");
	assert_null(storage->result.layers[2]);
	assert_string_equal(storage->result.missing[0], "cgroup");
	assert_null(storage->result.missing[1]);
}

static void
all_layers_fit_and_a_second_word_replaces_the_first(void **state)
{
	const uint32_t all = W_LAYER_BIT(W_LAYER_COUNT) - 1;

	(void)state;
	assert_true(
	    w_run_result_set_sandbox(storage, "strict", "off", all, all));
	assert_string_equal(
	    storage->result.layers[W_LAYER_COUNT - 1], "cgroup");
	assert_null(storage->result.missing[W_LAYER_COUNT]);
	assert_true(w_run_result_set_sandbox(storage, "mine", "host", 0, 0));
	assert_string_equal(storage->result.sandbox, "mine");
	assert_null(storage->result.layers[0]);
}

static void
created_paths_are_named_up_to_the_room_that_was_made(void **state)
{
	char *items[] = {(char[]){"/w/.git/hooks"}, (char[]){"/w/.writ"}, NULL};
	const struct w_words paths = {.items = items, .count = 2};

	(void)state;
	w_run_result_add_created(storage, "/no/room");
	assert_null(storage->result.created[0]);
	assert_true(w_run_result_reserve_created(storage, &paths));
	assert_null(storage->result.created[0]);
	w_run_result_add_created(storage, items[1]);
	items[1][1] = 'x';
	assert_string_equal(storage->result.created[0], "/w/.writ");
	assert_null(storage->result.created[1]);
	w_run_result_add_created(storage, items[0]);
	w_run_result_add_created(storage, "/one/more");
	assert_string_equal(storage->result.created[1], "/w/.git/hooks");
	assert_null(storage->result.created[2]);
}

static void
no_paths_to_watch_need_no_room(void **state)
{
	const struct w_words none = {0};

	(void)state;
	assert_true(w_run_result_reserve_created(storage, &none));
	w_run_result_add_created(storage, "/w/.writ");
	assert_null(storage->result.created[0]);
}

static void
equal_denials_are_counted_and_not_listed_again(void **state)
{
	const writ_denial write = {
	    "landlock", "openat", "write", "/etc/x", "write: [/etc/x]", 1};
	const writ_denial read = {
	    "landlock", "openat", "read", "/etc/x", NULL, 2};

	(void)state;
	assert_true(w_run_result_reserve_denials(storage));
	w_run_result_add_denial(storage, &write);
	w_run_result_add_denial(storage, &read);
	w_run_result_add_denial(storage, &write);
	assert_int_equal(storage->result.denial_count, 2);
	assert_string_equal(storage->result.denials[0].what, "write");
	assert_string_equal(storage->result.denials[0].path, "/etc/x");
	assert_int_equal(storage->result.denials[0].count, 2);
	assert_null(storage->result.denials[1].hint);
	assert_int_equal(storage->result.denials[1].count, 2);
}

static void
denials_beyond_the_room_are_summed_up(void **state)
{
	(void)state;
	assert_true(w_run_result_reserve_denials(storage));
	for (unsigned i = 0; i < W_RUN_DENIALS_MAX + 5; i++) {
		char path[16];

		(void)snprintf(path, sizeof(path), "/p/%u", i);
		w_run_result_add_denial(
		    storage, &(writ_denial){
				 "mountns", "openat", "write", path, NULL, 1});
	}
	assert_int_equal(storage->result.denial_count, W_RUN_DENIALS_MAX + 1);

	const writ_denial *last = &storage->result.denials[W_RUN_DENIALS_MAX];
	assert_null(last->layer);
	assert_string_equal(last->what, "more");
	assert_int_equal(last->count, 5);
}

static void
long_texts_run_out_of_room_without_harm(void **state)
{
	char path[4096];

	(void)state;
	assert_true(w_run_result_reserve_denials(storage));
	memset(path, 'p', sizeof(path));
	path[sizeof(path) - 1] = '\0';
	for (unsigned i = 0; i < 20; i++) {
		path[0] = (char)('a' + i);
		w_run_result_add_denial(
		    storage, &(writ_denial){
				 "mountns", "openat", "write", path, NULL, 1});
	}
	w_run_result_add_denial(
	    storage, &(writ_denial){"seccomp", "bpf", "call", NULL, NULL, 3});

	size_t count = storage->result.denial_count;
	assert_true(count < 10);
	assert_string_equal(storage->result.denials[count - 1].what, "more");
	assert_int_equal(storage->result.denials[count - 1].count,
	    20 - (unsigned)(count - 1) + 3);
}

static void
denials_that_nobody_asked_for_are_not_kept(void **state)
{
	(void)state;
	w_run_result_add_denial(
	    storage, &(writ_denial){"seccomp", "bpf", "call", NULL, NULL, 1});
	assert_int_equal(storage->result.denial_count, 0);
	assert_null(storage->result.denials);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void
the_first_reason_for_a_missing_record_counts(void **state)
{
	struct w_run_result *fresh = w_run_result_new(NULL);

	(void)state;
	assert_non_null(fresh);
	assert_null(fresh->result.unrecorded);
	w_run_result_set_unrecorded(fresh, "first");
	w_run_result_set_unrecorded(fresh, "second");
	assert_string_equal(fresh->result.unrecorded, "first");
	w_run_result_free(fresh);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_first_reason_for_a_missing_record_counts),
	    CASE(a_storage_that_nobody_filled_says_that_there_is_no_sandbox),
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
