/* SPDX-License-Identifier: Apache-2.0 */

/* Collecting the parts of an event. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "manifest/apply/resource_step.h"

static const struct w_apply_options options;
static const struct w_manifest manifest = {.file = "m.yaml"};
static const struct w_resource_extras extras = {.alias = {.text = "b"}};
static struct w_resource resource;
static struct w_resource_step step;

static int
set_up(void **state)
{
	(void)state;
	resource = (struct w_resource){
	    .index = 3, .name = {.text = "a"}, .extras = &extras};
	step = (struct w_resource_step){
	    .options = &options, .manifest = &manifest};
	w_resource_step_init(&step);
	w_resource_step_begin(&step, &resource);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	w_resource_step_done(&step);
	return 0;
}

static void
a_step_begins_empty_each_time(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		assert_int_equal(step.errors.count, 0);
		assert_false(step.event.failed);
		assert_int_equal(step.status.len, 0);
		assert_int_equal(step.event.index, 3);
		assert_string_equal(step.event.type, "exec");
		assert_string_equal(step.event.name, "a");
		assert_string_equal(step.event.alias, "b");
		w_resource_step_fail(&step, "it is %d", i);
		w_resource_step_warn(&step, "take care");
		w_resource_step_add_run(&step, "id");
		w_resource_step_add_run(&step, NULL);
		w_buf_add_str(&step.status, "{}");
		step.is_cut = step.has_acted = true;
		assert_true(step.event.failed);
		assert_int_equal(step.run_ids.count, 1);
		w_resource_step_begin(&step, &resource);
	}
	assert_false(step.is_cut);
	assert_false(step.has_acted);
}

static void
lists_grow_and_end(void **state)
{
	(void)state;
	for (int i = 0; i < 100; i++)
		w_resource_step_fail(&step, "error %d", i);
	assert_int_equal(step.errors.count, 100);
	assert_string_equal(step.errors.items[99], "error 99");
	assert_null(step.errors.items[100]);
	assert_false(step.is_short);
}

static void
texts_do_not_show_secrets(void **state)
{
	(void)state;
	assert_true(w_secrets_add(&step.secrets, &step.arena, "hunter2", 7));
	w_resource_step_fail(&step, "bad '%s'", "hunter2");
	w_resource_step_warn(&step, "bad '%s'", "hunter2");
	assert_string_equal(step.errors.items[0], "bad '(sensitive)'");
	assert_string_equal(step.warnings.items[0], "bad '(sensitive)'");
	assert_string_equal(
	    w_resource_step_text(&step, "%s%s", "hun", "ter2"), "(sensitive)");
}

static void
long_texts_are_whole(void **state)
{
	static char text[100000];

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	assert_int_equal(strlen(w_resource_step_text(&step, "<%s>", text)),
	    sizeof(text) + 1);
}

static void
errors_have_their_suggestion(void **state)
{
	writ_error err;

	(void)state;
	(void)w_fail(&err, WRIT_E_NOTFOUND, "x", 0, "no 'lss'");
	w_resource_step_fail_error(&step, &err);
	w_suggest(&err, "did you mean 'ls'?");
	w_resource_step_fail_error(&step, &err);
	assert_string_equal(step.errors.items[0], "no 'lss'");
	assert_string_equal(
	    step.errors.items[1], "no 'lss' (did you mean 'ls'?)");
}

static void
of_a_sensitive_resource_errors_tell_their_kind(void **state)
{
	const struct w_manifest_location at = {.line = 1, .column = 1};
	writ_error err;

	(void)state;
	resource.is_sensitive = true;
	(void)w_fail(&err, WRIT_E_NOTFOUND, "x", 0, "no 'hunter2'");
	w_resource_step_fail_error(&step, &err);
	w_resource_step_fail_at(&step, &at, "hunter2", &err);
	assert_string_equal(step.errors.items[0], "no such program");
	assert_string_equal(step.errors.items[1],
	    "m.yaml:1:1: no such program (no more is shown: it is sensitive)");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(a_step_begins_empty_each_time),
	    TEST(lists_grow_and_end),
	    TEST(texts_do_not_show_secrets),
	    TEST(long_texts_are_whole),
	    TEST(errors_have_their_suggestion),
	    TEST(of_a_sensitive_resource_errors_tell_their_kind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
