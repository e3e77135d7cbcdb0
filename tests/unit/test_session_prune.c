/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "eventful.h"
#include "leftovers.h"
#include "temp.h"

#define ID(n) "01K000000000000000000000" #n

static const char *const ids[] = {ID(10), ID(11), ID(12), ID(13), ID(14)};

static void
make_session(const struct temp *temp, const char *id)
{
	struct w_manifest_session *session = open_session(temp_path(temp, id));

	add_events(session, 0, 2);
	w_manifest_session_free(session);
}

static void
make_all(const struct temp *temp)
{
	for (size_t i = 0; i < sizeof(ids) / sizeof(*ids); i++)
		make_session(temp, ids[i]);
}

static void
keep_newest(const char *parent, size_t count)
{
	const struct w_manifest_session_keep keep = {
	    .count = count, .bytes = UINT64_MAX, .seconds = UINT64_MAX};

	w_manifest_session_prune(parent, &keep);
}

static void
the_newest_stay(void **state)
{
	const struct temp *temp = *state;
	int fds = count_fds();

	make_all(temp);
	keep_newest(temp->path, 2);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(temp_has(temp, ids[i]), i >= 3);
	keep_newest(temp->path, 2);
	assert_true(temp_has(temp, ids[3]));
	keep_newest(temp_path(temp, "none"), 0);
	assert_int_equal(count_fds(), fds);
}

static void
the_newest_of_very_many_stay(void **state)
{
	const struct temp *temp = *state;
	char name[64];

	/* In an order that is not that of their names. */
	for (unsigned i = 0; i < 6000; i++) {
		(void)snprintf(name, sizeof(name), "01K0000000000000000000%04u",
		    i * 7 % 6000);
		temp_dir(temp, name);
	}
	keep_newest(temp->path, 3);
	for (unsigned i = 0; i < 6000; i++) {
		(void)snprintf(
		    name, sizeof(name), "01K0000000000000000000%04u", i);
		assert_int_equal(temp_has(temp, name), i >= 5997);
	}
}

/* Holds the lock of a session until somebody else opens its directory. */
static pid_t
hold_until_opened(const char *path)
{
	char event[4096];
	int pipes[2];

	assert_int_equal(pipe(pipes), 0);
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		int fd = open(path, O_RDONLY | O_DIRECTORY);
		int watch = inotify_init1(0);

		if (flock(fd, LOCK_SH) != 0 ||
		    inotify_add_watch(watch, path, IN_OPEN) < 0 ||
		    write(pipes[1], "x", 1) != 1)
			_exit(1);
		_exit(read(watch, event, sizeof(event)) > 0 ? 0 : 1);
	}
	(void)close(pipes[1]);
	assert_int_equal(read(pipes[0], event, 1), 1);
	(void)close(pipes[0]);
	return pid;
}

static void
a_lock_that_ends_soon_is_waited_for(void **state)
{
	const struct temp *temp = *state;
	int how = -1;

	make_session(temp, ids[0]);
	const char *path = temp_path(temp, ids[0]);
	pid_t pid = hold_until_opened(path);
	assert_int_equal(w_manifest_session_remove(path, NULL), WRIT_OK);
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_int_equal(how, 0);
	assert_false(temp_has(temp, ids[0]));
}

/* Of a size that it says; its blocks are not on the disk. */
static void
enlarge(const struct temp *temp, const char *id, int segment, off_t size)
{
	char name[64];
	int fd;

	(void)snprintf(
	    name, sizeof(name), "%s/session-%06d.jsonl", id, segment);
	fd = open(temp_path(temp, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, size), 0);
	assert_int_equal(close(fd), 0);
}

static void
those_beyond_a_size_go(void **state)
{
	const struct temp *temp = *state;
	struct w_manifest_session_keep keep = {
	    .count = 100, .bytes = 100 << 20, .seconds = UINT64_MAX};

	make_all(temp);
	/* Two files of one session count both. */
	enlarge(temp, ids[3], 1, 40 << 20);
	enlarge(temp, ids[3], 2, 40 << 20);
	enlarge(temp, ids[2], 1, 30 << 20);
	w_manifest_session_prune(temp->path, &keep);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(temp_has(temp, ids[i]), i >= 3);
	/* The newest stays although it is too large alone. */
	enlarge(temp, ids[4], 1, 200 << 20);
	w_manifest_session_prune(temp->path, &keep);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(temp_has(temp, ids[i]), i == 4);
}

static void
those_of_long_ago_go(void **state)
{
	const struct temp *temp = *state;
	const struct timespec old[2] = {{.tv_sec = 86400}, {.tv_sec = 86400}};
	struct w_manifest_session_keep keep = {
	    .count = 100, .bytes = UINT64_MAX, .seconds = 3600};
	char name[64];

	make_all(temp);
	for (size_t i = 0; i < 5; i += 2) {
		(void)snprintf(
		    name, sizeof(name), "%s/session-000001.jsonl", ids[i]);
		assert_int_equal(
		    utimensat(AT_FDCWD, temp_path(temp, name), old, 0), 0);
	}
	w_manifest_session_prune(temp->path, &keep);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(
		    temp_has(temp, ids[i]), i == 1 || i == 3 || i == 4);
}

static void
one_that_has_a_writer_stays(void **state)
{
	const struct temp *temp = *state;
	writ_error err = {0};

	make_all(temp);
	struct w_manifest_session *session =
	    open_session(temp_path(temp, ids[1]));
	keep_newest(temp->path, 0);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(temp_has(temp, ids[i]), i == 1);
	assert_int_equal(
	    w_manifest_session_remove(temp_path(temp, ids[1]), &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "is in use"));
	add_events(session, 2, 3);
	w_manifest_session_free(session);
	assert_int_equal(
	    w_manifest_session_remove(temp_path(temp, ids[1]), NULL), WRIT_OK);
	assert_false(temp_has(temp, ids[1]));
}

static void
what_is_none_of_ours_stays(void **state)
{
	const struct temp *temp = *state;
	char name[64];

	make_all(temp);
	temp_dir(temp, "mine");
	temp_file(temp, ID(09), 0600, "a file");
	temp_dir(temp, "other");
	temp_file(temp, "other/session-000001.jsonl", 0600, "x");
	temp_link(temp, "other", ID(08));
	(void)snprintf(name, sizeof(name), "%s/notes", ids[0]);
	temp_file(temp, name, 0600, "mine");
	keep_newest(temp->path, 0);
	assert_true(temp_has(temp, "mine"));
	assert_true(temp_has(temp, ID(09)));
	assert_true(temp_has(temp, ID(08)));
	assert_true(temp_has(temp, "other/session-000001.jsonl"));
	assert_true(temp_has(temp, name));
	assert_false(temp_has(temp, ids[1]));
}

static void
what_cannot_be_removed_is_said(void **state)
{
	const struct temp *temp = *state;
	writ_error err = {0};

	assert_int_equal(
	    w_manifest_session_remove(temp_path(temp, "none"), &err),
	    WRIT_E_NOTFOUND);
	make_session(temp, "x");
	temp_file(temp, "x/more", 0600, "");
	assert_int_equal(w_manifest_session_remove(temp_path(temp, "x"), &err),
	    WRIT_E_SYSTEM);
	temp_link(temp, "x", "link");
	assert_int_equal(
	    w_manifest_session_remove(temp_path(temp, "link"), &err),
	    WRIT_E_SYSTEM);
	assert_true(temp_has(temp, "x/more"));
}

static void
a_log_of_something_else_is_not_removed(void **state)
{
	const struct temp *temp = *state;
	writ_error err = {0};

	temp_dir(temp, "audit");
	temp_file(temp, "audit/head", 0600, "x");
	assert_int_equal(
	    w_manifest_session_remove(temp_path(temp, "audit"), &err),
	    WRIT_E_NOTFOUND);
	assert_true(temp_has(temp, "audit/head"));
}

#define IN_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(the_newest_stay),
	    IN_TEMP(the_newest_of_very_many_stay),
	    IN_TEMP(those_beyond_a_size_go),
	    IN_TEMP(those_of_long_ago_go),
	    IN_TEMP(a_lock_that_ends_soon_is_waited_for),
	    IN_TEMP(one_that_has_a_writer_stays),
	    IN_TEMP(what_is_none_of_ours_stays),
	    IN_TEMP(what_cannot_be_removed_is_said),
	    IN_TEMP(a_log_of_something_else_is_not_removed),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
