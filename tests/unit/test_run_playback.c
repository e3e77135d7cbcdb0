/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Printing recorded output: the right bytes go to the right descriptor while
 * the recording grows. The tests redirect the standard streams to files.
 */

#include "cli/run/run_playback.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "log/recording/recording.h"

#define TEXT_MAX 4096

struct scene {
	char dir[64];
	char path[128];
	struct w_recording recording;
	struct w_playback playback;
	int saved[2];
	int files[2];
};

static int
set_up(void **state)
{
	struct scene *scene = calloc(1, sizeof(*scene));

	assert_non_null(scene);
	memcpy(scene->dir, "/tmp/writ-kept.XXXXXX", 22);
	assert_non_null(mkdtemp(scene->dir));
	(void)snprintf(
	    scene->path, sizeof(scene->path), "%s/run.rec", scene->dir);
	scene->recording = (struct w_recording){
	    .dir = scene->dir, .run_id = "run", .limit = 1 << 20, .fd = -1};
	scene->playback.choice.to = UINT64_MAX;
	*state = scene;
	return 0;
}

static int
tear_down(void **state)
{
	struct scene *scene = *state;

	w_playback_done(&scene->playback);
	w_recording_free(&scene->recording, true);
	(void)rmdir(scene->dir);
	free(scene);
	return 0;
}

static void
put(struct scene *scene, bool is_stderr, const char *text)
{
	w_recording_add(
	    &scene->recording, is_stderr, text, strlen(text), 1000000);
}

static void
divert(struct scene *scene)
{
	(void)fflush(stdout);
	for (int i = 0; i < 2; i++) {
		scene->saved[i] = dup(i + 1);
		scene->files[i] = memfd_create("stream", MFD_CLOEXEC);
		assert_true(scene->files[i] >= 0);
		assert_true(dup2(scene->files[i], i + 1) >= 0);
	}
}

static void
restore(struct scene *scene, char text[2][TEXT_MAX])
{
	for (int i = 0; i < 2; i++) {
		ssize_t len = pread(scene->files[i], text[i], TEXT_MAX - 1, 0);

		text[i][len > 0 ? len : 0] = '\0';
		(void)dup2(scene->saved[i], i + 1);
		(void)close(scene->saved[i]);
		(void)close(scene->files[i]);
	}
}

static void
expect_passed(struct scene *scene, const char *out, const char *err_text)
{
	static char text[2][TEXT_MAX];
	writ_status status = WRIT_OK;
	writ_error err;

	divert(scene);
	if (scene->playback.recording == NULL)
		status = w_playback_open(&scene->playback, scene->path, &err);
	if (status == WRIT_OK)
		status = w_playback_pass(&scene->playback, &err);
	restore(scene, text);
	assert_int_equal(status, WRIT_OK);
	assert_string_equal(text[0], out);
	assert_string_equal(text[1], err_text);
}

static void
each_stream_goes_to_its_own_descriptor(void **state)
{
	struct scene *scene = *state;

	put(scene, false, "out ");
	put(scene, true, "err");
	put(scene, false, "more");
	expect_passed(scene, "out more", "err");
	assert_int_equal(scene->playback.seen[0], 8);
	assert_int_equal(scene->playback.seen[1], 3);
}

static void
what_came_since_is_passed_on_once(void **state)
{
	struct scene *scene = *state;

	put(scene, false, "one");
	expect_passed(scene, "one", "");
	expect_passed(scene, "", "");
	put(scene, false, "two");
	expect_passed(scene, "two", "");
}

static void
a_hidden_stream_is_read_and_not_shown(void **state)
{
	struct scene *scene = *state;

	scene->playback.choice.is_hidden[WRIT_STDOUT] = true;
	put(scene, false, "out");
	put(scene, true, "err");
	expect_passed(scene, "", "err");
	assert_int_equal(scene->playback.seen[0], 3);
}

static void
a_range_is_cut_across_pieces_of_each_stream(void **state)
{
	struct scene *scene = *state;

	scene->playback.choice.from = 2;
	scene->playback.choice.to = 7;
	put(scene, false, "0123");
	put(scene, true, "abcdefghij");
	put(scene, false, "4567");
	put(scene, false, "89");
	expect_passed(scene, "23456", "cdefg");
}

static void
a_tail_counts_the_lines_of_each_stream(void **state)
{
	struct scene *scene = *state;

	scene->playback.choice.has_tail = true;
	scene->playback.choice.tail_lines = 2;
	put(scene, false, "1\n2\n3");
	put(scene, true, "a\n");
	put(scene, false, "3\n4\nhalf");
	expect_passed(scene, "4\nhalf", "a\n");
	put(scene, false, " more\n");
	expect_passed(scene, " more\n", "");
}

static void
a_tail_of_none_shows_only_what_comes_later(void **state)
{
	struct scene *scene = *state;

	scene->playback.choice.has_tail = true;
	put(scene, false, "1\n2\n");
	expect_passed(scene, "", "");
	put(scene, false, "3\n");
	expect_passed(scene, "3\n", "");
}

static void
json_tells_stream_time_and_bytes(void **state)
{
	struct scene *scene = *state;

	scene->playback.choice.is_json = true;
	put(scene, true, "x\n");
	put(scene, false, "\xff");
	expect_passed(scene,
	    "{\"stream\":\"stderr\",\"at_us\":1000,\"data\":\"x\\n\"}\n"
	    "{\"stream\":\"stdout\",\"at_us\":1000,\"data\":{\"b64\":"
	    "\"/w==\"}}\n",
	    "");
}

static void
a_recording_that_is_not_there_is_not_found(void **state)
{
	struct scene *scene = *state;
	writ_error err;

	assert_int_equal(w_playback_open(&scene->playback, scene->path, &err),
	    WRIT_E_NOTFOUND);
	scene->playback.choice.has_tail = true;
	assert_int_equal(w_playback_open(&scene->playback, scene->path, &err),
	    WRIT_E_NOTFOUND);
}

static void
an_output_that_cannot_be_written_is_said(void **state)
{
	struct scene *scene = *state;
	writ_error err;

	put(scene, false, "x");
	assert_int_equal(
	    w_playback_open(&scene->playback, scene->path, &err), WRIT_OK);
	(void)fflush(stdout);
	int saved = dup(1);
	int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
	assert_true(dup2(full, 1) >= 0);
	writ_status status = w_playback_pass(&scene->playback, &err);
	(void)dup2(saved, 1);
	(void)close(saved);
	(void)close(full);
	assert_int_equal(status, WRIT_E_SYSTEM);
	assert_int_equal(err.sys_errno, ENOSPC);
	assert_true(scene->playback.is_broken);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(each_stream_goes_to_its_own_descriptor),
	    TEST(what_came_since_is_passed_on_once),
	    TEST(a_hidden_stream_is_read_and_not_shown),
	    TEST(a_range_is_cut_across_pieces_of_each_stream),
	    TEST(a_tail_counts_the_lines_of_each_stream),
	    TEST(a_tail_of_none_shows_only_what_comes_later),
	    TEST(json_tells_stream_time_and_bytes),
	    TEST(a_recording_that_is_not_there_is_not_found),
	    TEST(an_output_that_cannot_be_written_is_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
