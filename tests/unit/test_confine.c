/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "leftovers.h"
#include "sandbox/confine.h"
#include "temp.h"

enum {
	EXCHANGE = 2
};

static struct temp temp;
static char cwd[300], home[300], state_dir[300];

/* home/project is the working directory; the state directory does not exist
 * until a test makes it. */
static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "home");
	temp_dir(&temp, "home/project");
	temp_dir(&temp, "home/project/sub");
	temp_dir(&temp, "other");
	temp_file(&temp, "other/file", 0600, "text");
	(void)snprintf(cwd, sizeof(cwd), "%s/home/project", temp.path);
	(void)snprintf(home, sizeof(home), "%s/home", temp.path);
	(void)snprintf(
	    state_dir, sizeof(state_dir), "%s/home/state/writ", temp.path);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	temp_close(&temp);
	return 0;
}

static struct w_confine_context
context_here(void)
{
	return (struct w_confine_context){
	    .cwd = cwd, .home = home, .state_dir = state_dir};
}

static struct w_profile
builtin(enum w_walls walls)
{
	struct w_profile profile;
	writ_error err;

	assert_int_equal(w_profile_builtin(walls, &profile, &err), WRIT_OK);
	return profile;
}

static void
add(struct w_words *words, const char *text)
{
	assert_true(w_words_add(words, text, strlen(text)));
}

static void
resolve_with(const struct w_profile *profile,
    const struct w_confine_context *context, struct w_confine *out)
{
	writ_error err = {.message = ""};
	writ_status status = w_confine_resolve(profile, context, out, &err);

	assert_string_equal(err.message, "");
	assert_int_equal(status, WRIT_OK);
}

static void
resolve(enum w_walls walls, struct w_confine *out)
{
	struct w_confine_context context = context_here();
	struct w_profile profile = builtin(walls);

	resolve_with(&profile, &context, out);
	w_profile_done(&profile);
}

static void
expect_refused(const struct w_profile *profile,
    const struct w_confine_context *context, const char *part)
{
	struct w_confine confine = {.profile = NULL};
	writ_error err = {.message = ""};

	assert_int_equal(w_confine_resolve(profile, context, &confine, &err),
	    WRIT_E_INVALID);
	if (strstr(err.message, part) == NULL)
		fail_msg("'%s' does not have '%s'", err.message, part);
	assert_null(confine.profile);
}

/* Refused with these walls when the request adds path to one list. */
static void
expect_bad_request(
    enum w_walls walls, const char *list, const char *path, const char *part)
{
	struct w_profile profile = builtin(walls);
	struct w_confine_context context = context_here();
	const char *paths[] = {path, NULL};

	if (strcmp(list, "read") == 0)
		context.read = paths;
	else if (strcmp(list, "write") == 0)
		context.write = paths;
	else
		context.hide = paths;
	expect_refused(&profile, &context, part);
	w_profile_done(&profile);
}

static const struct w_place *
find(const struct w_places *places, const char *path)
{
	for (size_t i = 0; i < places->count; i++) {
		if (strcmp(places->items[i].path, path) == 0)
			return &places->items[i];
	}
	return NULL;
}

static bool
has_word(const struct w_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], text) == 0)
			return true;
	}
	return false;
}

static void
profiles_without_walls_look_nothing_up(void **state)
{
	struct w_confine confine;

	(void)state;
	resolve(W_WALLS_ENV, &confine);
	assert_string_equal(confine.profile, "env");
	assert_int_equal(confine.network, W_NETWORK_HOST);
	assert_int_equal(confine.grants.count + confine.hidden.count, 0);
	assert_true(w_confine_allows(&confine, "/etc/shadow", W_MAY_WRITE));
	w_confine_done(&confine);
}

static void
walls_that_are_not_there_are_not_promised(void **state)
{
	struct w_profile profile = builtin(W_WALLS_NONE);
	struct w_confine_context context = context_here();

	(void)state;
	expect_bad_request(W_WALLS_ENV, "hide", "/etc", "has no walls");
	expect_bad_request(W_WALLS_NONE, "read", "/etc", "has no walls");
	expect_bad_request(
	    W_WALLS_READONLY, "write", ".", "cannot have writable paths");
	context.has_network = true;
	context.network = W_NETWORK_OFF;
	expect_refused(&profile, &context, "has no walls");
	w_profile_done(&profile);
}

static void
readonly_reads_everything_and_writes_nothing(void **state)
{
	struct w_confine confine;

	(void)state;
	resolve(W_WALLS_READONLY, &confine);
	/* The working directory by name, in case it lies in /tmp. */
	assert_int_equal(confine.grants.count, 2);
	assert_int_equal(confine.network, W_NETWORK_OFF);
	assert_string_equal(confine.grants.items[0].path, "/");
	assert_true(w_confine_allows(
	    &confine, "/usr/bin/env", W_MAY_READ | W_MAY_EXECUTE));
	assert_false(w_confine_allows(&confine, cwd, W_MAY_WRITE));
	w_confine_done(&confine);
}

static void
workspace_writes_the_working_directory_only(void **state)
{
	struct w_confine confine;

	(void)state;
	resolve(W_WALLS_WORKSPACE, &confine);
	assert_int_equal(confine.grants.count, 2);
	assert_string_equal(confine.grants.items[1].path, cwd);
	assert_true(confine.grants.items[1].is_dir);
	assert_true(w_confine_allows(&confine,
	    temp_path(&temp, "home/project/new"), W_MAY_WRITE | W_MAY_READ));
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "home/x"), W_MAY_WRITE));
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "home/project-x"), W_MAY_WRITE));
	w_confine_done(&confine);
}

static void
strict_sees_system_directories_and_the_working_directory(void **state)
{
	struct w_confine confine;

	(void)state;
	resolve(W_WALLS_STRICT, &confine);
	assert_true(w_confine_allows(
	    &confine, "/usr/bin/env", W_MAY_READ | W_MAY_EXECUTE));
	assert_true(w_confine_allows(&confine, "/etc/passwd", W_MAY_READ));
	assert_true(w_confine_allows(&confine, cwd, W_MAY_WRITE));
	assert_false(w_confine_allows(&confine, home, W_MAY_READ));
	assert_false(w_confine_allows(&confine, "/var/log", W_MAY_READ));
	assert_null(find(&confine.grants, "/nix/store"));
	w_confine_done(&confine);
}

static void
lists_are_sorted_and_parents_come_first(void **state)
{
	struct w_confine confine;

	(void)state;
	resolve(W_WALLS_STRICT, &confine);
	for (size_t i = 1; i < confine.grants.count; i++)
		assert_true(strcmp(confine.grants.items[i - 1].path,
				confine.grants.items[i].path) < 0);
	w_confine_done(&confine);
}

static void
secrets_at_home_are_hidden(void **state)
{
	struct w_confine confine;

	(void)state;
	temp_dir(&temp, "home/.ssh");
	temp_file(&temp, "home/.netrc", 0600, "secret");
	resolve(W_WALLS_WORKSPACE, &confine);
	const struct w_place *ssh =
	    find(&confine.hidden, temp_path(&temp, "home/.ssh"));
	assert_non_null(ssh);
	assert_true(ssh->is_dir);
	assert_true(ssh->ino != 0);
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "home/.ssh/id"), W_MAY_READ));
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "home/.netrc"), W_MAY_READ));
	assert_true(w_confine_allows(
	    &confine, temp_path(&temp, "home/.sshx"), W_MAY_READ));
	w_confine_done(&confine);
}

static void
a_secret_behind_a_link_is_hidden_where_it_is(void **state)
{
	struct w_confine confine;

	(void)state;
	temp_dir(&temp, "other/keys");
	temp_link(&temp, "../other/keys", "home/.ssh");
	temp_link(&temp, "nowhere", "home/.aws");
	temp_link(&temp, ".kube", "home/.kube");
	resolve(W_WALLS_READONLY, &confine);
	assert_non_null(find(&confine.hidden, temp_path(&temp, "other/keys")));
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "other/keys/id"), W_MAY_READ));
	w_confine_done(&confine);
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
		struct w_confine confine;

		resolve(all[i], &confine);
		assert_false(w_confine_allows(&confine,
		    temp_path(&temp, "home/state/writ/x"), W_MAY_READ));
		w_confine_done(&confine);
	}
}

static void
hidden_places_that_no_grant_shows_are_left_out(void **state)
{
	struct w_confine confine;

	(void)state;
	temp_dir(&temp, "home/.ssh");
	resolve(W_WALLS_STRICT, &confine);
	assert_null(find(&confine.hidden, temp_path(&temp, "home/.ssh")));
	w_confine_done(&confine);
}

static void
protected_paths_are_guarded_where_they_exist(void **state)
{
	struct w_confine confine;

	(void)state;
	temp_dir(&temp, "home/project/.git");
	temp_dir(&temp, "home/project/.git/hooks");
	temp_file(&temp, "home/project/.bashrc", 0600, "");
	resolve(W_WALLS_WORKSPACE, &confine);
	assert_non_null(find(
	    &confine.guarded, temp_path(&temp, "home/project/.git/hooks")));
	assert_non_null(
	    find(&confine.guarded, temp_path(&temp, "home/project/.bashrc")));
	assert_true(has_word(
	    &confine.absent, temp_path(&temp, "home/project/.git/config")));
	assert_false(w_confine_allows(&confine,
	    temp_path(&temp, "home/project/.git/hooks/x"), W_MAY_WRITE));
	assert_true(w_confine_allows(&confine,
	    temp_path(&temp, "home/project/.git/hooks/x"), W_MAY_READ));
	assert_true(w_confine_allows(
	    &confine, temp_path(&temp, "home/project/.git/HEAD"), W_MAY_WRITE));
	w_confine_done(&confine);
}

static void
the_git_file_of_a_linked_work_tree_is_guarded(void **state)
{
	struct w_confine confine;

	(void)state;
	temp_file(&temp, "home/project/.git", 0600, "gitdir: /elsewhere\n");
	resolve(W_WALLS_WORKSPACE, &confine);
	assert_non_null(
	    find(&confine.guarded, temp_path(&temp, "home/project/.git")));
	assert_false(has_word(
	    &confine.absent, temp_path(&temp, "home/project/.git/hooks")));
	w_confine_done(&confine);
}

static void
a_protected_path_that_is_a_link_is_refused(void **state)
{
	struct w_profile profile = builtin(W_WALLS_WORKSPACE);
	struct w_confine_context context = context_here();

	(void)state;
	temp_link(&temp, "../../other", "home/project/.vscode");
	expect_refused(&profile, &context, ".vscode' is, or leads through");
	assert_int_equal(unlinkat(temp.fd, "home/project/.vscode", 0), 0);
	temp_link(&temp, "../../other", "home/project/.git");
	expect_refused(&profile, &context, ".git/hooks' is, or leads through");
	w_profile_done(&profile);
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
	struct w_confine_context context = context_here();
	const char *paths[] = {"link/file", NULL};
	struct w_confine confine;

	(void)state;
	temp_link(&temp, "../../other", "home/project/link");
	context.read = paths;
	resolve_with(&profile, &context, &confine);
	const struct w_place *place =
	    find(&confine.grants, temp_path(&temp, "other/file"));
	assert_non_null(place);
	assert_false(place->is_dir);
	assert_int_equal(place->may, W_MAY_READ | W_MAY_EXECUTE);
	w_confine_done(&confine);
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
	struct w_confine_context context = context_here();

	(void)state;
	temp_dir(&temp, "home/x");
	temp_dir(&temp, "home/project/x");
	for (size_t i = 0; i < 3; i++) {
		const char *paths[] = {spellings[i], NULL};
		struct w_confine confine;

		context.read = paths;
		resolve_with(&profile, &context, &confine);
		if (i < 2)
			assert_non_null(
			    find(&confine.grants, temp_path(&temp, "home/x")));
		assert_true(w_confine_allows(
		    &confine, temp_path(&temp, "home/project/x"), W_MAY_READ));
		w_confine_done(&confine);
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
	struct w_confine_context context = context_here();

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
	struct w_confine_context context = context_here();
	const char *hide[] = {"sub", NULL};
	struct w_confine confine;

	(void)state;
	temp_dir(&temp, "home/.aws");
	expect_bad_request(
	    W_WALLS_WORKSPACE, "read", "~/.aws", "which is hidden");
	expect_bad_request(
	    W_WALLS_WORKSPACE, "hide", ".", "the working directory");
	context.hide = hide;
	resolve_with(&profile, &context, &confine);
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "home/project/sub/x"), W_MAY_READ));
	w_confine_done(&confine);
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
every_writable_root_has_its_protected_paths(void **state)
{
	struct w_profile profile = builtin(W_WALLS_WORKSPACE);
	struct w_confine_context context = context_here();
	const char *write[] = {"sub", temp_path(&temp, "other"), NULL};
	struct w_confine confine;

	(void)state;
	temp_dir(&temp, "home/project/sub/.writ");
	temp_dir(&temp, "other/.idea");
	context.write = write;
	resolve_with(&profile, &context, &confine);
	assert_non_null(
	    find(&confine.guarded, temp_path(&temp, "home/project/sub/.writ")));
	assert_non_null(
	    find(&confine.guarded, temp_path(&temp, "other/.idea")));
	/* Nothing new: it lies in the working directory. */
	assert_null(
	    find(&confine.grants, temp_path(&temp, "home/project/sub")));
	w_confine_done(&confine);
	w_profile_done(&profile);
}

static void
a_list_of_programs_takes_execution_from_the_rest(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_confine_context context = context_here();
	struct w_confine confine;

	(void)state;
	add(&profile.execute, "/usr/bin");
	add(&profile.protect, temp_path(&temp, "home/project/sub"));
	add(&profile.hide, "/no/such/thing");
	resolve_with(&profile, &context, &confine);
	assert_true(w_confine_allows(
	    &confine, "/usr/bin/env", W_MAY_READ | W_MAY_EXECUTE));
	assert_true(w_confine_allows(&confine, "/usr/lib", W_MAY_READ));
	assert_false(w_confine_allows(&confine, "/usr/lib", W_MAY_EXECUTE));
	assert_false(w_confine_allows(&confine, cwd, W_MAY_EXECUTE));
	assert_false(w_confine_allows(
	    &confine, temp_path(&temp, "home/project/sub"), W_MAY_WRITE));
	w_confine_done(&confine);
	w_profile_done(&profile);
}

static void
entries_of_a_users_profile_must_exist(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_confine_context context = context_here();

	(void)state;
	add(&profile.read, "/no/such/thing");
	expect_refused(&profile, &context, "'/no/such/thing' does not exist");
	w_profile_done(&profile);
}

static void
the_request_decides_about_network_and_tmp(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_confine_context context = context_here();
	struct w_confine confine;

	(void)state;
	profile.limits.tmp_size = 7;
	resolve_with(&profile, &context, &confine);
	assert_int_equal(confine.tmp_size, 7);
	assert_int_equal(confine.network, W_NETWORK_OFF);
	w_confine_done(&confine);
	context.has_network = true;
	context.network = W_NETWORK_LOOPBACK;
	context.tmp_size = 5;
	resolve_with(&profile, &context, &confine);
	assert_int_equal(confine.tmp_size, 5);
	assert_int_equal(confine.network, W_NETWORK_LOOPBACK);
	assert_string_equal(confine.home, home);
	w_confine_done(&confine);
	w_profile_done(&profile);
}

static void
exchange_for_ever(void)
{
	for (;;)
		(void)syscall(SYS_renameat2, temp.fd, "other", temp.fd, "decoy",
		    EXCHANGE);
}

/* Whatever the other process does, an answer is the directory and not what
 * the link that takes its place leads to. */
static void
a_path_that_is_being_swapped_never_leads_elsewhere(void **state)
{
	struct w_profile profile = builtin(W_WALLS_STRICT);
	struct w_confine_context context = context_here();
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
		struct w_confine confine;
		writ_error err;

		if (w_confine_resolve(&profile, &context, &confine, &err) !=
		    WRIT_OK) {
			assert_non_null(strstr(err.message, "other"));
			continue;
		}
		assert_non_null(
		    find(&confine.grants, temp_path(&temp, "other")));
		w_confine_done(&confine);
	}
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(count_fds(), fds);
	w_profile_done(&profile);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(profiles_without_walls_look_nothing_up),
	    CASE(walls_that_are_not_there_are_not_promised),
	    CASE(readonly_reads_everything_and_writes_nothing),
	    CASE(workspace_writes_the_working_directory_only),
	    CASE(strict_sees_system_directories_and_the_working_directory),
	    CASE(lists_are_sorted_and_parents_come_first),
	    CASE(secrets_at_home_are_hidden),
	    CASE(a_secret_behind_a_link_is_hidden_where_it_is),
	    CASE(the_state_directory_is_hidden_from_every_profile_with_walls),
	    CASE(hidden_places_that_no_grant_shows_are_left_out),
	    CASE(protected_paths_are_guarded_where_they_exist),
	    CASE(the_git_file_of_a_linked_work_tree_is_guarded),
	    CASE(a_protected_path_that_is_a_link_is_refused),
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
	    CASE(every_writable_root_has_its_protected_paths),
	    CASE(a_list_of_programs_takes_execution_from_the_rest),
	    CASE(entries_of_a_users_profile_must_exist),
	    CASE(the_request_decides_about_network_and_tmp),
	    CASE(a_path_that_is_being_swapped_never_leads_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
