/* SPDX-License-Identifier: Apache-2.0 */

/* A decision that leaves less writable, tried from inside. */

#include "restricted_runs.h"

static const char *const walls[] = {"workspace", "strict"};

/* Says which of the words of NAME... can be written to, made, and so on. */
#define TRY                                 \
	"try() { n=$1; shift; if (\"$@\") " \
	">/dev/null 2>&1; then printf '%s ' \"$n\"; fi; }; "

static void
allow_writes(const char *const *paths)
{
	restriction = (struct w_restriction){.has_write = true, .write = paths};
}

static void
make_files(void)
{
	temp_dir(&temp, "in");
	temp_dir(&temp, "in/deep");
	temp_dir(&temp, "out");
	temp_file(&temp, "in/file", 0644, "old");
	temp_file(&temp, "out/file", 0644, "old");
	temp_file(&temp, "file", 0644, "old");
}

static void
without_a_list_everything_of_the_profile_is_writable(void **state)
{
	(void)state;
	make_files();
	expect_output("workspace",
	    TRY "try file sh -c 'echo x > file'; try new sh -c '> new'",
	    "file new ");
}

static void
an_empty_list_leaves_only_the_private_directory(void **state)
{
	static const char *const none[] = {NULL};

	(void)state;
	make_files();
	allow_writes(none);
	for (size_t i = 0; i < 2; i++)
		expect_output(walls[i],
		    TRY
		    "try file sh -c 'echo x > file'; try new sh -c '> new'; "
		    "try tmp sh -c '> /tmp/x'; try touch touch file; "
		    "try read cat file; try link ln file second; "
		    "try rename mv file third; try remove rm -f file",
		    "tmp read ");
	restriction.write = NULL;
	expect_output("workspace", TRY "try file sh -c 'echo x > file'", "");
}

static void
a_directory_is_writable_and_its_neighbours_are_not(void **state)
{
	char in[300];
	const char *const paths[] = {in, NULL};

	(void)state;
	make_files();
	(void)snprintf(in, sizeof(in), "%s/in", temp.path);
	allow_writes(paths);
	for (size_t i = 0; i < 2; i++)
		expect_output(walls[i],
		    TRY
		    "try in sh -c 'echo x > in/file'; "
		    "try new sh -c '> in/new && rm in/new'; "
		    "try deep sh -c '> in/deep/x && rm in/deep/x'; "
		    "try out sh -c 'echo x > out/file'; "
		    "try beside sh -c '> new'; "
		    "try over mv in/file out/file; "
		    "try link ln in/file out/second; "
		    "try up mv in/deep .; try away mv in elsewhere; "
		    "try symlink sh -c 'ln -sf ../out in/way && > in/way/x'",
		    "in new deep ");
}

static void
a_file_is_changed_in_place_only(void **state)
{
	char file[300];
	const char *const paths[] = {file, NULL};

	(void)state;
	make_files();
	(void)snprintf(file, sizeof(file), "%s/in/file", temp.path);
	allow_writes(paths);
	for (size_t i = 0; i < 2; i++)
		expect_output(walls[i],
		    TRY
		    "try change sh -c 'echo x > in/file'; "
		    "try append sh -c 'echo x >> in/file'; "
		    "try beside sh -c '> in/new'; try remove rm -f in/file; "
		    "try over mv /etc/hostname in/file; "
		    "try other sh -c 'echo x > file'",
		    "change append ");
}

static void
what_is_protected_stays_so_when_it_is_listed(void **state)
{
	char hooks[300], hook[300], inner[300];
	const char *const paths[] = {hooks, hook, inner, NULL};

	(void)state;
	temp_dir(&temp, ".git");
	temp_dir(&temp, ".git/hooks");
	temp_file(&temp, ".git/hooks/hook", 0755, "#!/bin/sh\n");
	temp_dir(&temp, ".git/refs");
	(void)snprintf(hooks, sizeof(hooks), "%s/.git/hooks", temp.path);
	(void)snprintf(hook, sizeof(hook), "%s/.git/hooks/hook", temp.path);
	(void)snprintf(inner, sizeof(inner), "%s/.git", temp.path);
	allow_writes(paths);
	for (size_t i = 0; i < 2; i++)
		expect_output(walls[i],
		    TRY "try hook sh -c 'echo x >> .git/hooks/hook'; "
			"try new sh -c '> .git/hooks/new'; "
			"try away mv .git/hooks .git/other; "
			"try refs sh -c '> .git/refs/x && rm .git/refs/x'",
		    "refs ");
}

static void
a_place_outside_the_working_directory_can_be_listed(void **state)
{
	char other[300];
	const char *const paths[] = {other, NULL};

	(void)state;
	temp_dir(&temp, "project");
	temp_dir(&temp, "other");
	temp_dir(&temp, "other/.vscode");
	(void)snprintf(run_cwd, sizeof(run_cwd), "%s/project", temp.path);
	(void)snprintf(other, sizeof(other), "%s/other", temp.path);
	allow_writes(paths);
	for (size_t i = 0; i < 2; i++)
		expect_output(walls[i],
		    TRY "try here sh -c '> x'; "
			"try there sh -c '> ../other/x && rm ../other/x'; "
			"try protected sh -c '> ../other/.vscode/x'",
		    "there ");
}

static void
naming_what_is_private_brings_nothing_of_the_machine_along(void **state)
{
	static const char *const paths[] = {
	    "/tmp", "/dev", "/dev/null", "/proc", "/var/tmp", NULL};

	(void)state;
	allow_writes(paths);
	temp_file(&temp, "canary", 0644, "x");
	expect_output("workspace",
	    TRY "try tmp sh -c '> /tmp/x'; try null sh -c '> /dev/null'; "
		"try write sh -c '> ./canary'; "
		"test \"$(ls /tmp | wc -l)\" -le 2 && printf 'alone '",
	    "tmp null alone ");
}

static void
a_link_that_is_listed_is_left_out(void **state)
{
	char link[300];
	const char *const paths[] = {link, NULL};

	(void)state;
	make_files();
	(void)snprintf(link, sizeof(link), "%s/link", temp.path);
	assert_int_equal(symlink("out", link), 0);
	allow_writes(paths);
	expect_output("workspace", TRY "try link sh -c '> out/new'", "");
}

static void
a_read_only_profile_stays_one(void **state)
{
	const char *const paths[] = {temp.path, NULL};

	(void)state;
	make_files();
	allow_writes(paths);
	expect_output("readonly", TRY "try file sh -c 'echo x > file'", "");
}

static void
rules_alone_hold_it_too(void **state)
{
	char in[300];
	const char *const paths[] = {in, NULL};

	(void)state;
	make_files();
	temp_dir(&temp, "in/.vscode");
	(void)snprintf(in, sizeof(in), "%s/in", temp.path);
	allow_writes(paths);
	go_without_view();
	for (size_t i = 0; i < 2; i++)
		expect_output(walls[i],
		    TRY
		    "try in sh -c 'echo x > in/file'; "
		    "try new sh -c '> in/new && rm in/new'; "
		    "try out sh -c 'echo x > out/file'; "
		    "try beside sh -c '> new'; try over mv in/file out/file; "
		    "try link ln in/file out/second; "
		    "try up mv in/deep .; try away mv in elsewhere; "
		    "try read cat out/file",
		    "in new read ");
}

static void
each_narrowing_is_a_sandbox_of_its_own(void **state)
{
	static const char *const none[] = {NULL};
	const char *const all[] = {temp.path, NULL};

	(void)state;
	make_files();
	allow_writes(all);
	expect_output(
	    "workspace", TRY "try file sh -c 'echo x > file'", "file ");
	allow_writes(none);
	expect_output("workspace", TRY "try file sh -c 'echo x > file'", "");
	restriction.has_write = false;
	expect_output(
	    "workspace", TRY "try file sh -c 'echo x > file'", "file ");
	allow_writes(none);
	expect_output("workspace", TRY "try file sh -c 'echo x > file'", "");
	assert_int_equal(runner.launcher.sandbox_cache.count, 3);
}

static void
the_home_directory_is_no_place_to_write_to(void **state)
{
	const char *const paths[] = {temp.path, NULL};
	writ_request request = walled("exit 0");
	struct writ_job *job;
	writ_result *result = NULL;
	writ_error err = {.message = ""};

	(void)state;
	assert_int_equal(setenv("HOME", temp.path, 1), 0);
	allow_writes(paths);
	assert_int_equal(
	    start_run(&runner, &request, take, &result, &job, &err),
	    WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "it is the home directory"));
	/* To look around there is fine when nothing is to be written. */
	restriction.write = NULL;
	expect_output("workspace", "echo here", "here\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    NARROWED(without_a_list_everything_of_the_profile_is_writable),
	    NARROWED(an_empty_list_leaves_only_the_private_directory),
	    NARROWED(a_directory_is_writable_and_its_neighbours_are_not),
	    NARROWED(a_file_is_changed_in_place_only),
	    NARROWED(what_is_protected_stays_so_when_it_is_listed),
	    NARROWED(a_place_outside_the_working_directory_can_be_listed),
	    NARROWED(
		naming_what_is_private_brings_nothing_of_the_machine_along),
	    NARROWED(a_link_that_is_listed_is_left_out),
	    NARROWED(a_read_only_profile_stays_one),
	    NARROWED(rules_alone_hold_it_too),
	    NARROWED(each_narrowing_is_a_sandbox_of_its_own),
	    NARROWED(the_home_directory_is_no_place_to_write_to),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
