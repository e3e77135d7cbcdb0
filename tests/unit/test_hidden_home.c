/* SPDX-License-Identifier: Apache-2.0 */

/* What of HOME a run does not see that reaches hosts: what is remembered of it,
 * and that a change is seen at once. */

#include "engine_fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "engine/decide/hidden_home.h"
#include "engine/engine_state.h"

enum {
	TRIES = 400,
	PAUSE_NS = 50000000
};

static struct w_hidden_home hidden;

static int
make_home(void **state)
{
	(void)state;
	temp_open(&temp);
	hidden = (struct w_hidden_home){.was_asked = true};
	return 0;
}

static int
drop_home(void **state)
{
	(void)state;
	w_hidden_home_forget(&hidden);
	temp_close(&temp);
	return 0;
}

static bool
is_known(const char *const *kept, size_t count)
{
	return w_hidden_home_is_known(&hidden, temp.path, kept, count);
}

/* As for a home directory with one directory in it that was looked into. */
static void
answer(const char *const *kept, size_t count)
{
	static const char *const items[] = {"/home/one", "/home/two"};
	const char *inner = temp_path(&temp, "inner");
	const int outer_fd = open(temp.path, O_RDONLY | O_CLOEXEC);
	const int inner_fd = open(inner, O_RDONLY | O_CLOEXEC);

	assert_true(outer_fd >= 0 && inner_fd >= 0);
	w_hidden_home_begin(&hidden, temp.path, kept, count);
	w_hidden_home_add_dir(&hidden, temp.path, outer_fd);
	w_hidden_home_add_dir(&hidden, inner, inner_fd);
	w_hidden_home_end(&hidden, items, 2);
	(void)close(outer_fd);
	(void)close(inner_fd);
}

/* What has changed just now could change again unseen. */
static void
answer_until_it_is_kept(const char *const *kept, size_t count)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};

	for (int i = 0; i < TRIES; i++) {
		answer(kept, count);
		if (is_known(kept, count))
			return;
		(void)nanosleep(&pause, NULL);
	}
	fail_msg("the answer is never kept");
}

static void
an_answer_lasts_until_a_directory_changes(void **state)
{
	static const char *const kept[] = {"/home/project", "/home/other"};

	(void)state;
	temp_dir(&temp, "inner");
	answer(kept, 2);
	assert_false(is_known(kept, 2));
	answer_until_it_is_kept(kept, 2);
	assert_int_equal(hidden.hidden.count, 2);
	assert_false(is_known(kept, 1));
	assert_false(is_known(kept + 1, 1));
	assert_false(
	    w_hidden_home_is_known(&hidden, "/somewhere/else", kept, 2));
	assert_true(is_known(kept, 2));
	temp_file(&temp, "inner/file", 0600, "");
	assert_false(is_known(kept, 2));
	answer_until_it_is_kept(kept, 2);
	assert_int_equal(
	    rename(temp_path(&temp, "inner"), temp_path(&temp, "elsewhere")),
	    0);
	assert_false(is_known(kept, 2));
}

static void
what_cannot_be_looked_into_is_not_remembered(void **state)
{
	(void)state;
	w_hidden_home_begin(&hidden, temp.path, NULL, 0);
	w_hidden_home_add_dir(&hidden, temp.path, -1);
	w_hidden_home_end(&hidden, NULL, 0);
	assert_false(is_known(NULL, 0));
}

static void
the_first_answer_is_not_kept(void **state)
{
	(void)state;
	temp_dir(&temp, "inner");
	answer_until_it_is_kept(NULL, 0);
	w_hidden_home_forget(&hidden);
	hidden.was_asked = false;
	answer(NULL, 0);
	assert_false(is_known(NULL, 0));
	answer(NULL, 0);
	assert_true(is_known(NULL, 0));
}

/* ---- runs ---- */

static char home[256];
static char *home_before;
static writ_session *session;

/* /tmp is private in a sandbox. */
static bool
find_home(void)
{
	const char *base = getenv("XDG_RUNTIME_DIR");

	(void)snprintf(home, sizeof(home), "%s/writ-test.XXXXXX",
	    base == NULL || base[0] != '/' ? "/var/lib" : base);
	if (mkdtemp(home) != NULL)
		return true;
	home[0] = '\0';
	return false;
}

static int
set_up_runs(void **state)
{
	const char *now = getenv("HOME");

	(void)set_up(state);
	home_before = now == NULL ? NULL : strdup(now);
	home[0] = '\0';
	assert_int_equal(setenv("WRIT_POLICY", "developer", 1), 0);
	return 0;
}

static int
tear_down_runs(void **state)
{
	writ_session_close(session);
	session = NULL;
	if (home_before != NULL)
		(void)setenv("HOME", home_before, 1);
	free(home_before);
	(void)setenv("WRIT_POLICY", "open", 1);
	if (home[0] != '\0') {
		struct temp place = {.fd = -1};

		(void)snprintf(place.path, sizeof(place.path), "%s", home);
		place.fd = open(home, O_PATH | O_CLOEXEC);
		temp_close(&place);
	}
	return tear_down(state);
}

static void
put(const char *name, bool is_dir)
{
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/%s", home, name);
	if (is_dir) {
		assert_int_equal(mkdir(path, 0755), 0);
		return;
	}
	const int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
	assert_true(fd >= 0);
	assert_int_equal(write(fd, "secret", 6), 6);
	(void)close(fd);
}

/* Whether a run of the session reads something in a file of HOME. */
static bool
can_read(const char *name)
{
	char path[600], project[300];
	const char *const argv[] = {"cat", path, NULL};
	writ_request request = WRIT_REQUEST_INIT;
	writ_result *result = NULL;
	writ_error err = {0};

	(void)snprintf(path, sizeof(path), "%s/%s", home, name);
	(void)snprintf(project, sizeof(project), "%s/project", home);
	request.argv = argv;
	request.cwd = project;
	request.sandbox = "workspace";
	request.in_session = session;
	if (writ_run(engine, &request, &result, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	const bool is_read = result->out[WRIT_STDOUT].head_len > 0;
	writ_result_free(result);
	return is_read;
}

static void
what_comes_to_home_is_hidden_from_the_next_run(void **state)
{
	const struct timespec pause = {.tv_nsec = PAUSE_NS};
	writ_engine_options options = WRIT_ENGINE_OPTIONS_INIT;
	char project[300];

	(void)state;
	if (!find_home())
		skip();
	assert_int_equal(setenv("HOME", home, 1), 0);
	put("project", true);
	put("project/own", false);
	put("early", false);
	put("venv-like", true);
	put("venv-like/pyvenv.cfg", false);
	(void)snprintf(project, sizeof(project), "%s/project", home);
	writ_engine_free(engine);
	options.base = project;
	assert_int_equal(writ_engine_new(&options, &engine, NULL), WRIT_OK);
	assert_int_equal(
	    writ_session_open(engine, NULL, &session, NULL), WRIT_OK);
	assert_true(can_read("venv-like/pyvenv.cfg"));
	for (int i = 0; engine->decider.hidden.made_ns == 0; i++) {
		assert_in_range(i, 0, TRIES);
		assert_true(can_read("project/own"));
		assert_false(can_read("early"));
		(void)nanosleep(&pause, NULL);
	}
	assert_true(can_read("venv-like/pyvenv.cfg"));
	put("late", false);
	assert_false(can_read("late"));
	assert_false(can_read("early"));
	assert_true(can_read("project/own"));
	char path[600];
	(void)snprintf(path, sizeof(path), "%s/venv-like/pyvenv.cfg", home);
	char moved[600];
	(void)snprintf(moved, sizeof(moved), "%s/venv-like/moved", home);
	assert_int_equal(rename(path, moved), 0);
	assert_false(can_read("venv-like/moved"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		an_answer_lasts_until_a_directory_changes, make_home,
		drop_home),
	    cmocka_unit_test_setup_teardown(
		what_cannot_be_looked_into_is_not_remembered, make_home,
		drop_home),
	    cmocka_unit_test_setup_teardown(
		the_first_answer_is_not_kept, make_home, drop_home),
	    cmocka_unit_test_setup_teardown(
		what_comes_to_home_is_hidden_from_the_next_run, set_up_runs,
		tear_down_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
