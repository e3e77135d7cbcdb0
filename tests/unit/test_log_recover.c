/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <linux/fs.h>
#include <sys/ioctl.h>

#include "log_check.h"
#include "sampling.h"

#define FIRST "trail-000001.jsonl"

/* One more record by a new writer. */
static void
add_one(const struct temp *temp)
{
	log_make(temp, 1);
}

static void
put_file(
    const struct temp *temp, const char *name, const char *bytes, size_t len)
{
	(void)unlinkat(temp->fd, name, 0);
	temp_bytes(temp, name, 0600, bytes, len);
}

static void
append_bytes(const struct temp *temp, const char *bytes, size_t len)
{
	int fd = openat(temp->fd, FIRST, O_WRONLY | O_APPEND | O_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, bytes, len), (ssize_t)len);
	assert_int_equal(close(fd), 0);
}

static void
remove_files(const struct temp *temp)
{
	char command[400];

	(void)snprintf(command, sizeof(command), "rm -f %s/*", temp->path);
	assert_int_equal(system(command), 0);
}

static void
assert_saved(
    const struct temp *temp, const char *line, const char *bytes, size_t len)
{
	char name[128];
	char hex[W_SHA256_HEX + 3];
	uint8_t sum[W_SHA256_SIZE];
	size_t saved_len = 0;

	(void)snprintf(name, sizeof(name), "%s", log_member(line, "saved") + 1);
	name[strlen(name) - 1] = '\0';
	char *saved = log_slurp(temp, name, &saved_len);
	assert_non_null(saved);
	assert_int_equal(saved_len, len);
	assert_memory_equal(saved, bytes, len);
	free(saved);
	w_sha256(bytes, len, sum);
	hex[0] = '"';
	w_hex_put(hex + 1, sum, sizeof(sum));
	(void)strcpy(hex + 1 + W_SHA256_HEX, "\"");
	assert_string_equal(log_member(line, "sha256"), hex);
}

/* A writer was killed this many bytes into its line. */
static void
check_torn(
    const struct temp *temp, const char *whole, size_t sound, size_t torn)
{
	struct log_seen seen = {0};
	char expected[32];
	size_t len;
	char *head = log_slurp(temp, "head", &len);

	append_bytes(temp, whole + sound, torn);
	add_one(temp);
	log_check(temp, &seen);
	assert_int_equal(seen.lines, torn == 0 ? 5 : 6);
	assert_int_equal(seen.recoveries, torn > 0);
	if (torn > 0) {
		const char *line = seen.recovery[0];

		assert_string_equal(log_member(line, "found"), "\"torn\"");
		assert_string_equal(log_member(line, "file"), "\"" FIRST "\"");
		(void)snprintf(expected, sizeof(expected), "%zu", sound);
		assert_string_equal(log_member(line, "offset"), expected);
		(void)snprintf(expected, sizeof(expected), "%zu", torn);
		assert_string_equal(log_member(line, "bytes"), expected);
		assert_saved(temp, line, whole + sound, torn);
	}
	remove_files(temp);
	put_file(temp, FIRST, whole, sound);
	put_file(temp, "head", head, W_LOG_HEAD_LEN);
	free(head);
}

static void
a_line_torn_at_any_byte_is_set_aside(void **state)
{
	size_t sound_len, whole_len;

	log_make(*state, 3);
	char *sound = log_slurp(*state, FIRST, &sound_len);
	size_t head_len;
	char *head = log_slurp(*state, "head", &head_len);
	add_one(*state);
	char *whole = log_slurp(*state, FIRST, &whole_len);
	remove_files(*state);
	put_file(*state, FIRST, sound, sound_len);
	put_file(*state, "head", head, head_len);
	assert_true(whole_len > sound_len + 200);
	for (size_t torn = 0; torn < whole_len - sound_len; torn++)
		check_torn(*state, whole, sound_len, torn);
	free(whole);
	free(sound);
	free(head);
}

static void
a_file_cut_at_any_byte_goes_on(void **state)
{
	size_t len, head_len;

	log_make(*state, 3);
	char *whole = log_slurp(*state, FIRST, &len);
	char *head = log_slurp(*state, "head", &head_len);
	for (size_t keep = sample_begin(); keep <= len; keep += sample_step()) {
		struct log_seen seen = {0};

		remove_files(*state);
		put_file(*state, FIRST, whole, keep);
		put_file(*state, "head", head, head_len);
		add_one(*state);
		log_check(*state, &seen);
		bool is_whole = keep == len;
		bool is_torn = keep > 0 && whole[keep - 1] != '\n';
		assert_int_equal(seen.recoveries, is_whole ? 0U : 1U + is_torn);
		if (is_whole)
			continue;
		const char *line = seen.recovery[seen.recoveries - 1];
		assert_string_equal(log_member(line, "found"), "\"cut\"");
		assert_string_equal(log_member(line, "head_seq"), "4");
		assert_true(atoi(log_member(line, "last_seq")) < 4);
		if (!is_torn)
			continue;
		const char *start = memrchr(whole, '\n', keep);
		start = start == NULL ? whole : start + 1;
		assert_saved(*state, seen.recovery[0], start,
		    (size_t)(whole + keep - start));
	}
	free(whole);
	free(head);
}

static void
zeros_of_a_power_cut_are_set_aside(void **state)
{
	static const size_t lengths[] = {1, 100, 4096, 8192, 8193, 70000};
	static const char zeros[70000];

	for (size_t i = 0; i < sizeof(lengths) / sizeof(*lengths); i++) {
		struct log_seen seen = {0};

		remove_files(*state);
		log_make(*state, 3);
		append_bytes(*state, zeros, lengths[i]);
		if (i % 2 == 1)
			append_bytes(*state, "\n{\"seq\"\n", 8);
		add_one(*state);
		log_check(*state, &seen);
		assert_int_equal(seen.lines, 6);
		assert_string_equal(
		    log_member(seen.recovery[0], "found"), "\"torn\"");
	}
}

static void
a_last_line_that_was_changed_is_set_aside_and_missed(void **state)
{
	struct log_seen seen = {0};
	size_t len;

	log_make(*state, 3);
	char *whole = log_slurp(*state, FIRST, &len);
	*strstr(strstr(whole, "{\"seq\":4,"), "something") = 'S';
	put_file(*state, FIRST, whole, len);
	struct w_log *log = log_open(*state, NULL);
	log_add(log, 1);
	assert_non_null(w_log_repair_note(log));
	log_add(log, 1);
	assert_null(w_log_repair_note(log));
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(seen.recoveries, 2);
	assert_string_equal(log_member(seen.recovery[0], "found"), "\"torn\"");
	assert_string_equal(log_member(seen.recovery[1], "found"), "\"cut\"");
	assert_string_equal(log_member(seen.recovery[1], "head_seq"), "4");
	assert_string_equal(log_member(seen.recovery[1], "last_seq"), "3");
	free(whole);
}

static void
the_same_place_torn_twice_has_two_names(void **state)
{
	struct log_seen seen = {0};
	char name[64];
	struct stat st;

	log_make(*state, 3);
	assert_int_equal(stat(temp_path(*state, FIRST), &st), 0);
	(void)snprintf(
	    name, sizeof(name), "trail-000001.torn-%ld", (long)st.st_size);
	temp_file(*state, name, 0600, "what was there first");
	append_bytes(*state, "half", 4);
	add_one(*state);
	log_check(*state, &seen);
	assert_saved(*state, seen.recovery[0], "half", 4);
	(void)strcat(name, ".2");
	assert_true(temp_has(*state, name));
}

static void
a_line_that_the_head_does_not_know_is_told(void **state)
{
	struct log_seen seen = {0};
	size_t len;

	log_make(*state, 3);
	char *head = log_slurp(*state, "head", &len);
	log_make(*state, 2);
	put_file(*state, "head", head, len);
	add_one(*state);
	log_check(*state, &seen);
	assert_int_equal(seen.recoveries, 1);
	assert_string_equal(
	    log_member(seen.recovery[0], "found"), "\"unwitnessed\"");
	assert_string_equal(log_member(seen.recovery[0], "head_seq"), "4");
	assert_string_equal(log_member(seen.recovery[0], "last_seq"), "6");
	free(head);
}

static void
another_line_than_the_head_knows_is_told(void **state)
{
	struct log_seen seen = {0};
	size_t len;

	log_make(*state, 3);
	char *head = log_slurp(*state, "head", &len);
	char *digit = strstr(head, "\"hash\":\"") + 8;
	*digit = *digit == '0' ? '1' : '0';
	put_file(*state, "head", head, len);
	add_one(*state);
	log_check(*state, &seen);
	assert_int_equal(seen.recoveries, 1);
	assert_string_equal(log_member(seen.recovery[0], "found"), "\"cut\"");
	assert_string_equal(log_member(seen.recovery[0], "head_seq"), "4");
	assert_string_equal(log_member(seen.recovery[0], "last_seq"), "4");
	free(head);
}

static void
a_head_that_is_none_is_made_again(void **state)
{
	static const char *const texts[] = {"", "{}", "\n"};

	for (size_t i = 0; i < 3; i++) {
		struct log_seen seen = {0};

		remove_files(*state);
		log_make(*state, 3);
		put_file(*state, "head", texts[i], strlen(texts[i]));
		add_one(*state);
		add_one(*state);
		log_check(*state, &seen);
		assert_int_equal(seen.recoveries, 1);
	}
}

static void
a_last_file_that_is_gone_is_missed(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .segment_max = 2000};
	struct log_seen seen = {0};

	struct w_log *log = log_open(*state, &options);
	log_add(log, 8);
	w_log_close(log);
	assert_true(temp_has(*state, "trail-000002.jsonl"));
	assert_false(temp_has(*state, "trail-000003.jsonl"));
	assert_int_equal(unlink(temp_path(*state, "trail-000002.jsonl")), 0);
	log = log_open(*state, &options);
	log_add(log, 1);
	w_log_close(log);
	log_check(*state, &seen);
	assert_int_equal(seen.files, 2);
	assert_int_equal(seen.recoveries, 1);
	assert_string_equal(log_member(seen.recovery[0], "found"), "\"cut\"");
}

static void
a_head_that_names_a_file_far_away_makes_none(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .segment_max = 2000};
	struct log_seen seen = {0};
	size_t len;

	struct w_log *log = log_open(*state, &options);
	log_add(log, 2);
	char *head = log_slurp(*state, "head", &len);
	memcpy(head + strlen("{\"file\":\""), "099999", 6);
	put_file(*state, "head", head, len);
	free(head);
	w_log_close(log);
	log = log_open(*state, &options);
	log_add(log, 10);
	w_log_close(log);
	log_check(*state, &seen);
	assert_true(seen.files >= 2);
	assert_int_equal(seen.lines, 12 + 2 * seen.files - 1);
	/* Nor by a writer that finds a seal with such a head. */
	log_make(*state, 1);
	assert_false(temp_has(*state, "trail-099999.jsonl"));
	assert_false(temp_has(*state, "trail-100000.jsonl"));
}

static void
a_sealed_file_and_a_head_far_away_give_the_next_one(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .segment_max = 2000};
	struct log_seen seen = {0};
	size_t len;

	struct w_log *log = log_open(*state, &options);
	log_add(log, 8);
	w_log_close(log);
	assert_int_equal(unlink(temp_path(*state, "trail-000002.jsonl")), 0);
	char *head = log_slurp(*state, "head", &len);
	memcpy(head + strlen("{\"file\":\""), "099999", 6);
	put_file(*state, "head", head, len);
	free(head);
	add_one(*state);
	log_check(*state, &seen);
	assert_int_equal(seen.files, 2);
	assert_false(temp_has(*state, "trail-099999.jsonl"));
}

static void
a_file_that_was_about_to_be_begun_does_not_count(void **state)
{
	struct log_seen seen = {0};

	log_make(*state, 3);
	temp_file(*state, "trail-000002.jsonl", 0600, "");
	add_one(*state);
	/* Also for a writer that must list the directory. */
	assert_int_equal(unlink(temp_path(*state, "head")), 0);
	add_one(*state);
	log_check(*state, &seen);
	assert_int_equal(seen.files, 1);
	assert_int_equal(seen.lines, 7);
}

static void
a_writer_that_died_after_sealing_is_followed(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .segment_max = 2000};
	struct log_seen seen = {0};

	struct w_log *log = log_open(*state, &options);
	struct w_log *idle = log_open(*state, &options);
	log_add(idle, 1);
	log_add(log, 6);
	w_log_close(log);
	assert_true(temp_has(*state, "trail-000002.jsonl"));
	/* As if the next file had never been started; and the head is older. */
	assert_int_equal(unlink(temp_path(*state, "trail-000002.jsonl")), 0);
	assert_int_equal(unlink(temp_path(*state, "head")), 0);
	log_add(idle, 1);
	w_log_close(idle);
	log_check(*state, &seen);
	assert_int_equal(seen.files, 2);
}

static void
a_first_line_that_was_torn_is_begun_again(void **state)
{
	const struct w_log_options options = {
	    .name = "trail", .segment_max = 2000};

	/* By a writer that has the previous file open, and by a new one. */
	for (unsigned is_new = 0; is_new < 2; is_new++) {
		struct log_seen seen = {0};
		size_t len;

		remove_files(*state);
		struct w_log *log = log_open(*state, &options);
		struct w_log *idle = log_open(*state, &options);
		log_add(idle, 1);
		log_add(log, 6);
		w_log_close(log);
		char *bytes = log_slurp(*state, "trail-000002.jsonl", &len);
		assert_non_null(bytes);
		put_file(*state, "trail-000002.jsonl", bytes, 100);
		if (is_new) {
			w_log_close(idle);
			idle = log_open(*state, &options);
		}
		log_add(idle, 1);
		w_log_close(idle);
		log_check(*state, &seen);
		assert_int_equal(seen.files, 2);
		assert_int_equal(seen.recoveries, 2);
		assert_string_equal(
		    log_member(seen.recovery[0], "found"), "\"torn\"");
		assert_saved(*state, seen.recovery[0], bytes, 100);
		assert_string_equal(
		    log_member(seen.recovery[1], "found"), "\"cut\"");
		free(bytes);
	}
}

/* Noise after the end, more than is searched. */
static void
fill_with_noise(const struct temp *temp)
{
	const size_t len = 2 * W_LOG_LINE_MAX + 1;
	char *noise = malloc(len);

	assert_non_null(noise);
	memset(noise, 'n', len);
	append_bytes(temp, noise, len);
	free(noise);
}

static void
a_file_without_a_line_near_its_end_is_left(void **state)
{
	struct stat before, after;
	size_t len;

	log_make(*state, 3);
	struct w_log *idle = log_open(*state, NULL);
	log_add(idle, 1);
	fill_with_noise(*state);
	assert_int_equal(stat(temp_path(*state, FIRST), &before), 0);
	add_one(*state);
	log_add(idle, 1);
	add_one(*state);
	w_log_close(idle);
	assert_int_equal(stat(temp_path(*state, FIRST), &after), 0);
	assert_int_equal(before.st_size, after.st_size);
	assert_int_equal(after.st_mode & 07777, 0400);
	char *bytes = log_slurp(*state, "trail-000002.jsonl", &len);
	/* The head knew record 5. */
	assert_memory_equal(bytes, "{\"seq\":6,", 9);
	char *second = strchr(bytes, '\n') + 1;
	assert_memory_equal(second, "{\"seq\":7,", 9);
	assert_string_equal(log_member(second, "found"), "\"unreadable\"");
	assert_string_equal(log_member(second, "file"), "\"" FIRST "\"");
	assert_int_equal(atol(log_member(second, "bytes")), before.st_size);
	assert_non_null(strstr(bytes, "{\"seq\":10,"));
	assert_null(strstr(second + 20, "\"kind\":\"recovery\",\"found\":\"c"));
	free(bytes);
}

static void
a_file_that_can_only_grow_is_left_when_torn(void **state)
{
	struct log_seen seen = {0};
	int flags = 0;

	if (geteuid() != 0)
		skip();
	log_make(*state, 3);
	append_bytes(*state, "half", 4);
	int fd = openat(((struct temp *)*state)->fd, FIRST, O_RDONLY);
	assert_true(fd >= 0);
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) < 0)
		skip();
	flags |= FS_APPEND_FL;
	if (ioctl(fd, FS_IOC_SETFLAGS, &flags) < 0)
		skip();
	add_one(*state);
	add_one(*state);
	flags &= ~FS_APPEND_FL;
	assert_int_equal(ioctl(fd, FS_IOC_SETFLAGS, &flags), 0);
	/* Without the partial line it is one chain. */
	struct stat st;
	assert_int_equal(fstat(fd, &st), 0);
	assert_int_equal(truncate(temp_path(*state, FIRST), st.st_size - 4), 0);
	(void)close(fd);
	log_check(*state, &seen);
	assert_int_equal(seen.files, 2);
	assert_int_equal(seen.recoveries, 1);
	assert_string_equal(
	    log_member(seen.recovery[0], "found"), "\"unreadable\"");
}

static void
a_file_made_read_only_is_left(void **state)
{
	struct log_seen seen = {0};

	log_make(*state, 3);
	assert_int_equal(chmod(temp_path(*state, FIRST), 0400), 0);
	add_one(*state);
	add_one(*state);
	log_check(*state, &seen);
	assert_int_equal(seen.files, 2);
	assert_int_equal(seen.recoveries, 1);
	assert_string_equal(log_member(seen.recovery[0], "found"), "\"left\"");
}

int
main(void)
{
#define CASE(name) \
	cmocka_unit_test_setup_teardown(name, temp_set_up, temp_tear_down)
	const struct CMUnitTest tests[] = {
	    CASE(a_line_torn_at_any_byte_is_set_aside),
	    CASE(a_file_cut_at_any_byte_goes_on),
	    CASE(zeros_of_a_power_cut_are_set_aside),
	    CASE(a_last_line_that_was_changed_is_set_aside_and_missed),
	    CASE(the_same_place_torn_twice_has_two_names),
	    CASE(a_line_that_the_head_does_not_know_is_told),
	    CASE(another_line_than_the_head_knows_is_told),
	    CASE(a_head_that_is_none_is_made_again),
	    CASE(a_last_file_that_is_gone_is_missed),
	    CASE(a_head_that_names_a_file_far_away_makes_none),
	    CASE(a_sealed_file_and_a_head_far_away_give_the_next_one),
	    CASE(a_file_that_was_about_to_be_begun_does_not_count),
	    CASE(a_writer_that_died_after_sealing_is_followed),
	    CASE(a_first_line_that_was_torn_is_begun_again),
	    CASE(a_file_without_a_line_near_its_end_is_left),
	    CASE(a_file_that_can_only_grow_is_left_when_torn),
	    CASE(a_file_made_read_only_is_left),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
