/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "confining.h"

static void
profiles_without_walls_look_nothing_up(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	resolve(W_WALLS_ENV, &resolved);
	assert_string_equal(resolved.profile, "env");
	assert_int_equal(resolved.network, W_NETWORK_HOST);
	assert_int_equal(resolved.grants.count + resolved.hidden.count, 0);
	assert_true(
	    w_resolved_profile_allows(&resolved, "/etc/shadow", W_MAY_WRITE));
	w_resolved_profile_done(&resolved);
}

static void
walls_that_are_not_there_are_not_promised(void **state)
{
	struct w_profile profile = builtin(W_WALLS_NONE);
	struct w_profile_context context = context_here();

	(void)state;
	expect_bad_request(W_WALLS_ENV, "hide", "/etc", "has no sandbox");
	expect_bad_request(W_WALLS_NONE, "read", "/etc", "has no sandbox");
	expect_bad_request(
	    W_WALLS_READONLY, "write", ".", "cannot have writable paths");
	context.has_network = true;
	context.network = W_NETWORK_OFF;
	expect_refused(&profile, &context, "has no sandbox");
	w_profile_done(&profile);
}

static void
readonly_reads_everything_and_writes_nothing(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	resolve(W_WALLS_READONLY, &resolved);
	assert_int_equal(resolved.grants.count, 2);
	assert_int_equal(resolved.network, W_NETWORK_OFF);
	assert_string_equal(resolved.grants.items[0].path, "/");
	/* It may lie in a directory that is private to the sandbox. */
	assert_string_equal(resolved.grants.items[1].path, cwd);
	assert_true(w_resolved_profile_allows(
	    &resolved, "/usr/bin/env", W_MAY_READ | W_MAY_EXECUTE));
	assert_false(w_resolved_profile_allows(&resolved, cwd, W_MAY_WRITE));
	w_resolved_profile_done(&resolved);
}

static void
workspace_writes_the_working_directory_only(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	resolve(W_WALLS_WORKSPACE, &resolved);
	assert_int_equal(resolved.grants.count, 2);
	assert_string_equal(resolved.grants.items[1].path, cwd);
	assert_true(resolved.grants.items[1].is_dir);
	assert_true(w_resolved_profile_allows(&resolved,
	    temp_path(&temp, "home/project/new"), W_MAY_WRITE | W_MAY_READ));
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/x"), W_MAY_WRITE));
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/project-x"), W_MAY_WRITE));
	w_resolved_profile_done(&resolved);
}

static void
strict_sees_system_directories_and_the_working_directory(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	resolve(W_WALLS_STRICT, &resolved);
	assert_true(w_resolved_profile_allows(
	    &resolved, "/usr/bin/env", W_MAY_READ | W_MAY_EXECUTE));
	assert_true(
	    w_resolved_profile_allows(&resolved, "/etc/passwd", W_MAY_READ));
	assert_true(w_resolved_profile_allows(&resolved, cwd, W_MAY_WRITE));
	assert_false(w_resolved_profile_allows(&resolved, home, W_MAY_READ));
	assert_false(
	    w_resolved_profile_allows(&resolved, "/var/log", W_MAY_READ));
	assert_null(find(&resolved.grants, "/nix/store"));
	w_resolved_profile_done(&resolved);
}

static void
a_read_grant_in_a_writable_place_takes_nothing_away(void **state)
{
	struct w_profile profile = builtin(W_WALLS_WORKSPACE);
	struct w_profile_context context = context_here();
	const char *read[] = {"sub", ".vscode/in", NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/project/.vscode");
	temp_dir(&temp, "home/project/.vscode/in");
	context.read = read;
	resolve_with(&profile, &context, &resolved);
	assert_true(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/project/sub"), W_MAY_WRITE));
	const struct w_real_path *in =
	    find(&resolved.grants, temp_path(&temp, "home/project/.vscode/in"));
	assert_non_null(in);
	assert_int_equal(in->may, W_MAY_READ | W_MAY_EXECUTE);
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

static void
lists_are_sorted_and_parents_come_first(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	resolve(W_WALLS_STRICT, &resolved);
	for (size_t i = 1; i < resolved.grants.count; i++)
		assert_true(strcmp(resolved.grants.items[i - 1].path,
				resolved.grants.items[i].path) < 0);
	w_resolved_profile_done(&resolved);
}

static void
secrets_at_home_are_hidden(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/.ssh");
	temp_file(&temp, "home/.netrc", 0600, "secret");
	resolve(W_WALLS_WORKSPACE, &resolved);
	const struct w_real_path *ssh =
	    find(&resolved.hidden, temp_path(&temp, "home/.ssh"));
	assert_non_null(ssh);
	assert_true(ssh->is_dir);
	assert_true(ssh->ino != 0);
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/.ssh/id"), W_MAY_READ));
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/.netrc"), W_MAY_READ));
	assert_true(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/.sshx"), W_MAY_READ));
	w_resolved_profile_done(&resolved);
}

static void
a_secret_behind_a_link_is_hidden_where_it_is(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "other/keys");
	temp_link(&temp, "../other/keys", "home/.ssh");
	temp_link(&temp, "nowhere", "home/.aws");
	temp_link(&temp, ".kube", "home/.kube");
	resolve(W_WALLS_READONLY, &resolved);
	assert_non_null(find(&resolved.hidden, temp_path(&temp, "other/keys")));
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "other/keys/id"), W_MAY_READ));
	w_resolved_profile_done(&resolved);
}

static void
the_state_directory_is_hidden_from_every_profile_with_walls(void **state)
{
	static const enum w_walls all[] = {
	    W_WALLS_READONLY, W_WALLS_WORKSPACE, W_WALLS_STRICT};

	(void)state;
	temp_dir(&temp, "home/state");
	temp_dir(&temp, "home/state/writ");
	for (size_t i = 0; i < 3; i++) {
		struct w_resolved_profile resolved;

		resolve(all[i], &resolved);
		assert_false(w_resolved_profile_allows(&resolved,
		    temp_path(&temp, "home/state/writ/x"), W_MAY_READ));
		w_resolved_profile_done(&resolved);
	}
}

static void
hidden_places_that_no_grant_shows_are_left_out(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/.ssh");
	resolve(W_WALLS_STRICT, &resolved);
	assert_null(find(&resolved.hidden, temp_path(&temp, "home/.ssh")));
	w_resolved_profile_done(&resolved);
}

static void
protected_paths_are_guarded_where_they_exist(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/project/.git");
	temp_dir(&temp, "home/project/.git/hooks");
	temp_file(&temp, "home/project/.bashrc", 0600, "");
	resolve(W_WALLS_WORKSPACE, &resolved);
	assert_non_null(find(
	    &resolved.guarded, temp_path(&temp, "home/project/.git/hooks")));
	assert_non_null(
	    find(&resolved.guarded, temp_path(&temp, "home/project/.bashrc")));
	assert_true(has_word(
	    &resolved.absent, temp_path(&temp, "home/project/.git/config")));
	assert_false(w_resolved_profile_allows(&resolved,
	    temp_path(&temp, "home/project/.git/hooks/x"), W_MAY_WRITE));
	assert_true(w_resolved_profile_allows(&resolved,
	    temp_path(&temp, "home/project/.git/hooks/x"), W_MAY_READ));
	assert_true(w_resolved_profile_allows(&resolved,
	    temp_path(&temp, "home/project/.git/HEAD"), W_MAY_WRITE));
	w_resolved_profile_done(&resolved);
}

static void
the_git_file_of_a_linked_work_tree_is_guarded(void **state)
{
	struct w_resolved_profile resolved;

	(void)state;
	temp_file(&temp, "home/project/.git", 0600, "gitdir: /elsewhere\n");
	resolve(W_WALLS_WORKSPACE, &resolved);
	assert_non_null(
	    find(&resolved.guarded, temp_path(&temp, "home/project/.git")));
	assert_false(has_word(
	    &resolved.absent, temp_path(&temp, "home/project/.git/hooks")));
	w_resolved_profile_done(&resolved);
}

static void
every_writable_root_has_its_protected_paths(void **state)
{
	struct w_profile profile = builtin(W_WALLS_WORKSPACE);
	struct w_profile_context context = context_here();
	const char *write[] = {"sub", temp_path(&temp, "other"), NULL};
	struct w_resolved_profile resolved;

	(void)state;
	temp_dir(&temp, "home/project/sub/.writ");
	temp_dir(&temp, "other/.idea");
	context.write = write;
	resolve_with(&profile, &context, &resolved);
	assert_non_null(find(
	    &resolved.guarded, temp_path(&temp, "home/project/sub/.writ")));
	assert_non_null(
	    find(&resolved.guarded, temp_path(&temp, "other/.idea")));
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

static void
a_list_of_programs_takes_execution_from_the_rest(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_profile_context context = context_here();
	struct w_resolved_profile resolved;

	(void)state;
	add(&profile.execute, "/usr/bin");
	add(&profile.protect, temp_path(&temp, "home/project/sub"));
	add(&profile.hide, "/no/such/thing");
	resolve_with(&profile, &context, &resolved);
	assert_true(w_resolved_profile_allows(
	    &resolved, "/usr/bin/env", W_MAY_READ | W_MAY_EXECUTE));
	assert_true(
	    w_resolved_profile_allows(&resolved, "/usr/lib", W_MAY_READ));
	assert_false(
	    w_resolved_profile_allows(&resolved, "/usr/lib", W_MAY_EXECUTE));
	assert_false(w_resolved_profile_allows(&resolved, cwd, W_MAY_EXECUTE));
	assert_false(w_resolved_profile_allows(
	    &resolved, temp_path(&temp, "home/project/sub"), W_MAY_WRITE));
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

static void
the_request_decides_about_network_and_may_lower_tmp(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_profile_context context = context_here();
	struct w_resolved_profile resolved;

	(void)state;
	profile.limits.tmp_size = 7;
	resolve_with(&profile, &context, &resolved);
	assert_int_equal(resolved.tmp_size, 7);
	assert_int_equal(resolved.network, W_NETWORK_OFF);
	w_resolved_profile_done(&resolved);
	context.has_network = true;
	context.network = W_NETWORK_LOOPBACK;
	context.tmp_size = 9;
	resolve_with(&profile, &context, &resolved);
	assert_int_equal(resolved.tmp_size, 7);
	w_resolved_profile_done(&resolved);
	context.tmp_size = 5;
	resolve_with(&profile, &context, &resolved);
	assert_int_equal(resolved.tmp_size, 5);
	assert_int_equal(resolved.network, W_NETWORK_LOOPBACK);
	assert_string_equal(resolved.home, home);
	w_resolved_profile_done(&resolved);
	w_profile_done(&profile);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(profiles_without_walls_look_nothing_up),
	    CASE(walls_that_are_not_there_are_not_promised),
	    CASE(readonly_reads_everything_and_writes_nothing),
	    CASE(workspace_writes_the_working_directory_only),
	    CASE(strict_sees_system_directories_and_the_working_directory),
	    CASE(a_read_grant_in_a_writable_place_takes_nothing_away),
	    CASE(lists_are_sorted_and_parents_come_first),
	    CASE(secrets_at_home_are_hidden),
	    CASE(a_secret_behind_a_link_is_hidden_where_it_is),
	    CASE(the_state_directory_is_hidden_from_every_profile_with_walls),
	    CASE(hidden_places_that_no_grant_shows_are_left_out),
	    CASE(protected_paths_are_guarded_where_they_exist),
	    CASE(the_git_file_of_a_linked_work_tree_is_guarded),
	    CASE(every_writable_root_has_its_protected_paths),
	    CASE(a_list_of_programs_takes_execution_from_the_rest),
	    CASE(the_request_decides_about_network_and_may_lower_tmp),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
