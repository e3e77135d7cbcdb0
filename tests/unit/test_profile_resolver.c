/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "confining.h"
#include "leftovers.h"

enum {
	EXCHANGE = 2
};

static bool
is_guarded(const struct w_resolved_profile *resolved, const char *name)
{
	for (size_t i = 0; i < resolved->guarded.count; i++) {
		const char *path = resolved->guarded.items[i].path;
		const size_t len = strlen(path);

		if (len >= strlen(name) &&
		    strcmp(path + len - strlen(name), name) == 0)
			return true;
	}
	return false;
}

static void
a_link_on_the_way_to_a_protected_path_is_held_and_so_is_its_end(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/project/real");
	temp_link(&temp, "real", "home/project/second");
	temp_link(&temp, "second", "home/project/.vscode");
	temp_link(&temp, "../../other", "home/project/.git");
	temp_link(&temp, "missing/file", "home/project/.bashrc");
	resolve(W_WALLS_WORKSPACE, &resolved);
	assert_true(is_guarded(&resolved, "home/project/.vscode"));
	assert_true(is_guarded(&resolved, "home/project/second"));
	assert_true(is_guarded(&resolved, "home/project/real"));
	assert_true(is_guarded(&resolved, "home/project/.git"));
	assert_true(is_guarded(&resolved, "home/project/.bashrc"));
	/* Outside it nothing is writable. */
	assert_false(is_guarded(&resolved, "other"));
	bool is_told = false;
	for (size_t i = 0; i < resolved.absent.count; i++)
		is_told |=
		    strstr(resolved.absent.items[i], "/missing/file") != NULL;
	assert_true(is_told);
	w_resolved_profile_done(&resolved);
}

static void
paths_of_a_request_must_exist(void **state)
{
	(void)state;
	expect_bad_request(
	    W_WALLS_STRICT, "read", "/no/such/thing", "does not exist");
	expect_bad_request(W_WALLS_STRICT, "write", "new", "does not exist");
	expect_bad_request(W_WALLS_STRICT, "hide", "new", "does not exist");
	expect_bad_request(
	    W_WALLS_STRICT, "read", "/dev/null", "is not a file or directory");
}

static void
spellings_that_mislead_are_refused(void **state)
{
	(void)state;
	temp_dir(&temp, "home/project/a\nb");
	expect_bad_request(W_WALLS_STRICT, "read", "..", "contains '..'");
	expect_bad_request(W_WALLS_STRICT, "read", "sub/../sub", "'..'");
	expect_bad_request(W_WALLS_STRICT, "write", "/tmp/../etc", "'..'");
	expect_bad_request(W_WALLS_STRICT, "read", "", "is empty");
	expect_bad_request(
	    W_WALLS_STRICT, "write", "a\nb", "contains a newline");
	expect_bad_request(W_WALLS_STRICT, "read", "~root/x", "another user");
}

static void
a_link_is_refused_with_its_target(void **state)
{
	(void)state;
	temp_link(&temp, "../../other", "home/project/link");
	expect_bad_request(W_WALLS_STRICT, "read", "link",
	    "link' is a symbolic link to '../../other'");
	expect_bad_request(W_WALLS_STRICT, "write", "link", "symbolic link");
	expect_bad_request(W_WALLS_STRICT, "hide", "link", "symbolic link");
}

static void
links_on_the_way_are_resolved(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_profile_context context = context_here();
	const char *paths[] = {"link/file", NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_link(&temp, "../../other", "home/project/link");
	context.read = paths;
	resolve_with(&profile, &context, &resolved);
	const struct w_real_path *place =
	    find(&resolved.grants, temp_path(&temp, "other/file"));
	assert_non_null(place);
	assert_false(place->is_dir);
	assert_int_equal(place->may, W_MAY_READ | W_MAY_EXECUTE);
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

static void
a_way_to_a_newline_is_refused(void **state)
{
	(void)state;
	temp_dir(&temp, "other/a\nb");
	temp_dir(&temp, "other/a\nb/in");
	temp_link(&temp, "../../other/a\nb", "home/project/link");
	expect_bad_request(
	    W_WALLS_STRICT, "read", "link/in", "contains a newline");
}

static void
spelling_does_not_matter_to_the_result(void **state)
{
	static const char *const spellings[] = {"~/x", "~//x/./", "./x/"};
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_profile_context context = context_here();

	(void)state;
	temp_dir(&temp, "home/x");
	temp_dir(&temp, "home/project/x");
	for (size_t i = 0; i < 3; i++) {
		const char *paths[] = {spellings[i], NULL};
		struct w_resolved_profile resolved;

		context.read = paths;
		resolve_with(&profile, &context, &resolved);
		if (i < 2)
			assert_non_null(
			    find(&resolved.grants, temp_path(&temp, "home/x")));
		assert_true(w_resolved_profile_allows(
		    &resolved, temp_path(&temp, "home/project/x"), W_MAY_READ));
		w_resolved_profile_done(&resolved);
	}
	w_profile_done(&profile);
}

static void
some_directories_are_never_a_workspace(void **state)
{
	static const struct {
		const char *cwd;
		const char *part;
	} cases[] = {
	    {"/", "it is the whole machine"},
	    {home, "it is the home directory"},
	    {temp.path, "it holds the home directory"},
	    {"/proc", "it belongs to the kernel"},
	    {"/dev", "it belongs to the kernel"},
	};
	struct w_profile profile = builtin(W_WALLS_WORKSPACE);
	struct w_profile_context context = context_here();

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		context.cwd = cases[i].cwd;
		expect_refused(&profile, &context, cases[i].part);
	}
	context = context_here();
	context.home = "/";
	context.state_dir = temp_path(&temp, "home/project/sub/none/writ");
	expect_refused(
	    &profile, &context, "it holds the state directory of writ");
	w_profile_done(&profile);
}

static void
the_whole_machine_is_not_writable_by_request_either(void **state)
{
	(void)state;
	expect_bad_request(W_WALLS_STRICT, "write", "/", "whole machine");
	expect_bad_request(W_WALLS_WORKSPACE, "write", "~", "home directory");
}

static void
hiding_wins_over_every_grant(void **state)
{
	struct w_profile profile = builtin(W_WALLS_WORKSPACE);
	struct w_profile_context context = context_here();
	const char *hide[] = {"sub", NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/.aws");
	expect_bad_request(
	    W_WALLS_WORKSPACE, "read", "~/.aws", "which is hidden");
	expect_bad_request(
	    W_WALLS_WORKSPACE, "hide", ".", "the working directory");
	context.hide = hide;
	resolve_with(&profile, &context, &resolved);
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/project/sub/x"), W_MAY_READ));
	w_resolved_profile_done(&resolved);
	context.hide = NULL;
	context.cwd = temp_path(&temp, "home/.aws");
	expect_refused(&profile, &context, "the working directory");
	w_profile_done(&profile);
}

static void
protection_wins_over_a_grant_to_write(void **state)
{
	(void)state;
	temp_dir(&temp, "home/project/.vscode");
	temp_dir(&temp, "home/project/.vscode/in");
	expect_bad_request(W_WALLS_WORKSPACE, "write", ".vscode", "protects");
	expect_bad_request(
	    W_WALLS_WORKSPACE, "write", ".vscode/in", "protects");
}

static void
entries_of_a_users_profile_must_exist(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_profile_context context = context_here();

	(void)state;
	add(&profile.read, "/no/such/thing");
	expect_refused(&profile, &context, "'/no/such/thing' does not exist");
	w_profile_done(&profile);
}

static void
exchange_for_ever(void)
{
	for (;;)
		(void)syscall(SYS_renameat2, temp.fd, "other", temp.fd, "decoy",
		    EXCHANGE);
}

/* Whatever the other process does, the result is the directory and never the
 * target of the link that replaces it. */
static void
a_path_that_is_being_swapped_never_leads_elsewhere(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_profile_context context = context_here();
	const char *read[] = {temp_path(&temp, "other"), NULL};

	(void)state;
	temp_link(&temp, "/usr", "decoy");
	context.read = read;
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0)
		exchange_for_ever();
	int fds = count_fds();
	for (int i = 0; i < 400; i++) {
		struct w_resolved_profile resolved;
		writ_error err;

		if (w_profile_resolve(&profile, &context, &resolved, &err) !=
		    WRIT_OK) {
			assert_non_null(strstr(err.message, "other"));
			continue;
		}
		assert_non_null(
		    find(&resolved.grants, temp_path(&temp, "other")));
		w_resolved_profile_done(&resolved);
	}
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(count_fds(), fds);
	w_profile_done(&profile);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(
		a_link_on_the_way_to_a_protected_path_is_held_and_so_is_its_end),
	    CASE(paths_of_a_request_must_exist),
	    CASE(spellings_that_mislead_are_refused),
	    CASE(a_link_is_refused_with_its_target),
	    CASE(links_on_the_way_are_resolved),
	    CASE(a_way_to_a_newline_is_refused),
	    CASE(spelling_does_not_matter_to_the_result),
	    CASE(some_directories_are_never_a_workspace),
	    CASE(the_whole_machine_is_not_writable_by_request_either),
	    CASE(hiding_wins_over_every_grant),
	    CASE(protection_wins_over_a_grant_to_write),
	    CASE(entries_of_a_users_profile_must_exist),
	    CASE(a_path_that_is_being_swapped_never_leads_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
