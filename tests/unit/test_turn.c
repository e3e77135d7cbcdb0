/* SPDX-License-Identifier: Apache-2.0 */

/* The parts of an event, collected. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "manifest/turn.h"

static const struct w_apply_options options;
static const struct w_manifest manifest = {.file = "m.yaml"};
static struct w_resource resource;
static struct w_turn turn;

static int
set_up(void **state)
{
	(void)state;
	resource = (struct w_resource){
	    .index = 3, .name = {.text = "a"}, .alias = {.text = "b"}};
	turn = (struct w_turn){.options = &options, .manifest = &manifest};
	w_turn_init(&turn);
	w_turn_begin(&turn, &resource);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_turn_done(&turn);
	return 0;
}

static void
a_turn_begins_empty_each_time(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(turn.errors.count, 0);
		assert_false(turn.event.failed);
		assert_int_equal(turn.status.len, 0);
		assert_int_equal(turn.event.index, 3);
		assert_string_equal(turn.event.type, "exec");
		assert_string_equal(turn.event.name, "a");
		assert_string_equal(turn.event.alias, "b");
		w_turn_fail(&turn, "it is %d", i);
		w_turn_warn(&turn, "take care");
		w_turn_add_run(&turn, "id");
		w_turn_add_run(&turn, NULL);
		w_buf_add_str(&turn.status, "{}");
		turn.is_cut = turn.has_acted = true;
		assert_true(turn.event.failed);
		assert_int_equal(turn.run_ids.count, 1);
		w_turn_begin(&turn, &resource);
	}
	assert_false(turn.is_cut);
	assert_false(turn.has_acted);
}

static void
lists_grow_and_end(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++)
		w_turn_fail(&turn, "error %d", i);
	assert_int_equal(turn.errors.count, 100);
	assert_string_equal(turn.errors.items[99], "error 99");
	assert_null(turn.errors.items[100]);
	assert_false(turn.is_short);
}

static void
texts_do_not_show_secrets(void **state)
{
	(void)state;
	assert_true(w_secrets_add(&turn.secrets, &turn.arena, "hunter2", 7));
	w_turn_fail(&turn, "bad '%s'", "hunter2");
	w_turn_warn(&turn, "bad '%s'", "hunter2");
	assert_string_equal(turn.errors.items[0], "bad '(sensitive)'");
	assert_string_equal(turn.warnings.items[0], "bad '(sensitive)'");
	assert_string_equal(
	    w_turn_text(&turn, "%s%s", "hun", "ter2"), "(sensitive)");
}

static void
long_texts_are_whole(void **state)
{
	static char text[100000];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	assert_int_equal(
	    strlen(w_turn_text(&turn, "<%s>", text)), sizeof(text) + 1);
}

static void
errors_have_their_suggestion(void **state)
{
	writ_error err;

	(void)state;
	(void)w_fail(&err, WRIT_E_NOTFOUND, "x", 0, "no 'lss'");
	w_turn_fail_error(&turn, &err);
	w_suggest(&err, "did you mean 'ls'?");
	w_turn_fail_error(&turn, &err);
	assert_string_equal(turn.errors.items[0], "no 'lss'");
	assert_string_equal(
	    turn.errors.items[1], "no 'lss' (did you mean 'ls'?)");
}

static void
of_a_sensitive_resource_errors_tell_their_kind(void **state)
{
	const struct w_spot at = {.line = 1, .column = 1};
	writ_error err;

	(void)state;
	resource.is_sensitive = true;
	(void)w_fail(&err, WRIT_E_NOTFOUND, "x", 0, "no 'hunter2'");
	w_turn_fail_error(&turn, &err);
	w_turn_fail_at(&turn, &at, "hunter2", &err);
	assert_string_equal(turn.errors.items[0], "no such program");
	assert_string_equal(turn.errors.items[1],
	    "m.yaml:1:1: no such program (no more is shown: it is sensitive)");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_turn_begins_empty_each_time),
	    TEST(lists_grow_and_end),
	    TEST(texts_do_not_show_secrets),
	    TEST(long_texts_are_whole),
	    TEST(errors_have_their_suggestion),
	    TEST(of_a_sensitive_resource_errors_tell_their_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
