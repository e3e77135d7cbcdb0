/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "index_sample.h"

static const char *
id_at(const struct w_module_index *module_index, uint32_t place)
{
	return w_module_index_string(
	    module_index, module_index->modules[module_index->order[place]].id);
}

static void
what_was_put_in_comes_out(void **state)
{
	struct w_module_index module_index = sample_image();
	const struct w_module_index_entry *first = &module_index.modules[0];
	const char *tag = w_module_index_string(&module_index, first->tags);

	(void)state;
	assert_int_equal(module_index.head->file_count, 2);
	assert_int_equal(module_index.head->module_count, 3);
	assert_int_equal(module_index.head->tag_count, 3);
	assert_string_equal(
	    w_module_index_name(&module_index, &module_index.files[1]),
	    "b.binding.yaml");
	assert_string_equal(
	    w_module_index_string(&module_index, module_index.files[0].path),
	    SAMPLE_DIR "/a.binding.yaml");
	assert_string_equal(
	    w_module_index_string(&module_index, first->id), "cli.b");
	assert_string_equal(
	    w_module_index_string(&module_index, first->command),
	    "/usr/bin/git 'two words'");
	assert_string_equal(
	    w_module_index_string(&module_index, first->version), "");
	assert_string_equal(w_module_index_string(
				&module_index, module_index.modules[1].version),
	    "2.43");
	assert_int_equal(first->text_len, 7);
	assert_memory_equal(module_index.texts + first->text, "{\"x\":1}", 7);
	assert_string_equal(tag, "vcs");
	assert_string_equal(tag + strlen(tag) + 1, "log");
	assert_int_equal(first->annotations,
	    W_MODULE_INDEX_READONLY | W_MODULE_INDEX_OPEN_WORLD);
	assert_int_equal(first->line, 2);
	assert_int_equal(module_index.files[1].is_unsure, 1);
	assert_int_equal(module_index.problems[0].file, 1);
	assert_string_equal(w_module_index_string(&module_index,
				module_index.problems[0].message),
	    "no such key");
	w_module_index_done(&module_index);
}

static void
the_order_is_by_id_and_then_by_file(void **state)
{
	struct w_module_index module_index = sample_image();

	(void)state;
	assert_string_equal(id_at(&module_index, 0), "cli.a");
	assert_string_equal(id_at(&module_index, 1), "cli.b");
	assert_int_equal(module_index.modules[module_index.order[1]].file, 0);
	assert_int_equal(module_index.modules[module_index.order[2]].file, 1);
	w_module_index_done(&module_index);
}

static void
a_copied_file_is_the_same(void **state)
{
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder maker;
	struct w_module_index module_index = sample_image();
	struct w_module_index copy = {0};

	(void)state;
	w_module_index_builder_init(&maker, SAMPLE_DIR);
	w_module_index_builder_copy(
	    &maker, &module_index, &module_index.files[0]);
	w_module_index_builder_copy(
	    &maker, &module_index, &module_index.files[1]);
	assert_int_equal(
	    w_module_index_builder_make(&maker, &copy, NULL), WRIT_OK);
	assert_int_equal(copy.head->problem_count, 1);
	assert_int_equal(copy.head->tag_count, 3);
	assert_string_equal(id_at(&copy, 0), "cli.a");
	assert_memory_equal(&copy.files[1].identity,
	    &module_index.files[1].identity, sizeof(copy.files[1].identity));
	assert_string_equal(
	    w_module_index_string(&copy, copy.modules[2].tags), "late");
	assert_string_equal(
	    w_module_index_string(&copy, copy.problems[0].suggestion),
	    "another");
	w_module_index_done(&copy);
	w_module_index_done(&module_index);
}

static void
a_text_that_is_not_what_it_was_is_not_given(void **state)
{
	struct w_module_index module_index = sample_image();

	(void)state;
	const size_t text =
	    (size_t)(module_index.texts - (char *)module_index.bytes) +
	    module_index.modules[1].text;
	for (uint32_t i = 0; i < module_index.modules[1].text_len; i++) {
		struct w_module_index other = {0};
		char *bytes = sample_bytes(&module_index);

		bytes[text + i] ^= 1;
		assert_false(
		    w_module_index_open(&other, bytes, module_index.size));
		free(bytes);
	}
	w_module_index_done(&module_index);
}

static void
nothing_at_all_is_an_image_too(void **state)
{
	W_AUTO_MODULE_INDEX_BUILDER struct w_module_index_builder maker;
	struct w_module_index module_index = {0};

	(void)state;
	w_module_index_builder_init(&maker, SAMPLE_DIR);
	assert_int_equal(
	    w_module_index_builder_make(&maker, &module_index, NULL), WRIT_OK);
	assert_int_equal(module_index.head->module_count, 0);
	w_module_index_done(&module_index);
}

static void
damage_to_any_byte_is_seen(void **state)
{
	struct w_module_index module_index = sample_image();

	(void)state;
	for (size_t i = 0; i < module_index.size; i++) {
		for (int bit = 0; bit < 8; bit++) {
			struct w_module_index other = {0};
			char *bytes = sample_bytes(&module_index);

			bytes[i] = (char)(bytes[i] ^ (1 << bit));
			assert_false(w_module_index_open(
			    &other, bytes, module_index.size));
			free(bytes);
		}
	}
	w_module_index_done(&module_index);
}

static void
an_image_of_any_other_length_is_none(void **state)
{
	struct w_module_index module_index = sample_image();

	(void)state;
	for (size_t len = 0; len < module_index.size; len++) {
		struct w_module_index other = {0};
		char *bytes = malloc(len + 1);

		memcpy(bytes, module_index.bytes, len);
		assert_false(w_module_index_open(&other, bytes, len));
		free(bytes);
	}
	w_module_index_done(&module_index);
}

/* Changes something and fixes the checksum. */
static bool
opens_with(void (*change)(struct w_module_index_head *head))
{
	struct w_module_index module_index = sample_image();
	struct w_module_index other = {0};
	size_t size = module_index.size;
	char *bytes = sample_bytes(&module_index);
	struct w_module_index_head *head = (void *)bytes;

	w_module_index_done(&module_index);
	change(head);
	head->checksum =
	    w_module_index_checksum(bytes + W_MODULE_INDEX_CHECKED_FROM,
		size - W_MODULE_INDEX_CHECKED_FROM);
	bool is_open = w_module_index_open(&other, bytes, size);
	free(bytes);
	return is_open;
}

static void
change_nothing(struct w_module_index_head *head)
{
	(void)head;
}

static void
change_version(struct w_module_index_head *head)
{
	head->version[0]++;
}

static void
change_format(struct w_module_index_head *head)
{
	head->format++;
}

static void
change_user(struct w_module_index_head *head)
{
	head->user++;
}

static void
change_module_count(struct w_module_index_head *head)
{
	head->module_count = UINT32_MAX;
}

static void
change_texts_len(struct w_module_index_head *head)
{
	head->texts_len--;
}

static void
change_dir(struct w_module_index_head *head)
{
	head->dir = head->strings_len;
}

static void
change_tag_count(struct w_module_index_head *head)
{
	head->tag_count++;
}

static struct w_module_index_entry *
modules_behind(struct w_module_index_head *head)
{
	return (void *)((char *)(head + 1) +
			head->file_count * sizeof(struct w_module_index_file));
}

static void
change_tags(struct w_module_index_head *head)
{
	modules_behind(head)[0].tag_count = UINT32_MAX;
}

static void
change_text(struct w_module_index_head *head)
{
	modules_behind(head)[0].text_len = (uint32_t)head->texts_len + 1;
}

static void
change_file(struct w_module_index_head *head)
{
	modules_behind(head)[2].file = 2;
}

static void
change_order(struct w_module_index_head *head)
{
	uint32_t *order = (void *)(modules_behind(head) + head->module_count);

	order[1] = order[2];
}

static void
change_problem(struct w_module_index_head *head)
{
	uint32_t *order = (void *)(modules_behind(head) + head->module_count);
	struct w_module_index_problem *problem =
	    (void *)(order + head->module_count);

	problem->message = head->strings_len;
}

static void
change_share(struct w_module_index_head *head)
{
	struct w_module_index_file *file = (void *)(head + 1);

	file->module_count = 3;
}

static void
numbers_that_lead_out_are_seen_even_with_the_right_sum(void **state)
{
	(void)state;
	assert_true(opens_with(change_nothing));
	assert_false(opens_with(change_module_count));
	assert_false(opens_with(change_texts_len));
	assert_false(opens_with(change_dir));
	assert_false(opens_with(change_tag_count));
	assert_false(opens_with(change_tags));
	assert_false(opens_with(change_text));
	assert_false(opens_with(change_file));
	assert_false(opens_with(change_order));
	assert_false(opens_with(change_problem));
	assert_false(opens_with(change_share));
}

static void
an_image_of_another_version_or_user_is_none(void **state)
{
	(void)state;
	assert_false(opens_with(change_version));
	assert_false(opens_with(change_format));
	assert_false(opens_with(change_user));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_was_put_in_comes_out),
	    cmocka_unit_test(the_order_is_by_id_and_then_by_file),
	    cmocka_unit_test(a_copied_file_is_the_same),
	    cmocka_unit_test(a_text_that_is_not_what_it_was_is_not_given),
	    cmocka_unit_test(nothing_at_all_is_an_image_too),
	    cmocka_unit_test(damage_to_any_byte_is_seen),
	    cmocka_unit_test(an_image_of_any_other_length_is_none),
	    cmocka_unit_test(
		numbers_that_lead_out_are_seen_even_with_the_right_sum),
	    cmocka_unit_test(an_image_of_another_version_or_user_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
