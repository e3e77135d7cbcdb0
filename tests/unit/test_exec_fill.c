/* SPDX-License-Identifier: Apache-2.0 */

/* The environment of an exec's command. */

#include "applying.h"

static void
its_environment_is_clean_but_for_what_is_said(void **state)
{
	(void)state;
	(void)setenv("WRIT_TEST_LEAK", "1", 1);
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, command: 'env >@/env', "
	    "environment: [FOO=bar=baz, 'TWO=a b'], path: /usr/bin:/bin}\n"));
	(void)unsetenv("WRIT_TEST_LEAK");
	assert_verdicts("changed");
	const char *env = file_text("env");
	assert_non_null(strstr(env, "FOO=bar=baz\n"));
	assert_non_null(strstr(env, "TWO=a b\n"));
	assert_non_null(strstr(env, "PATH=/usr/bin:/bin\n"));
	assert_non_null(strstr(env, "LC_ALL=C\n"));
	assert_non_null(strstr(env, "HOME=/"));
	assert_null(strstr(env, "WRIT_TEST_LEAK"));
}

static void
path_is_where_the_program_is_looked_for(void **state)
{
	(void)state;
	make_file("mine", "#!/bin/sh\necho ran >\"$1\"\n");
	assert_int_equal(chmod(temp_path(&applying.temp, "mine"), 0755), 0);
	apply(RESOURCES("  - exec: {name: mine @/out, path: '@:/bin'}\n"
			"  - exec: {name: mine @/out, alias: b}\n"));
	assert_verdicts("changed", "failed");
	assert_string_equal(file_text("out"), "ran\n");
}

static void
without_one_the_path_is_not_that_of_the_caller(void **state)
{
	const char *path = getenv("PATH");
	char own[512];

	(void)state;
	(void)snprintf(
	    own, sizeof(own), "%s", path == NULL ? "/usr/bin:/bin" : path);
	(void)setenv("PATH", "/nonexistent", 1);
	apply(RESOURCES("  - exec: {name: a, provider: shell, command: 'echo "
			"$PATH', logoutput: true}\n"
			"  - exec: {name: 'true'}\n"));
	(void)setenv("PATH", own, 1);
	assert_verdicts("changed", "changed");
	assert_string_equal(applying.output[0].data,
	    "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin:/usr/local/sbin\n");
}

static void
it_starts_in_the_root_or_where_it_is_told(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, command: 'pwd "
			">@/a'}\n"
			"  - exec: {name: b, provider: shell, cwd: '@', "
			"command: 'pwd >b'}\n"));
	assert_verdicts("changed", "changed");
	assert_string_equal(file_text("a"), "/\n");
	assert_int_equal(strncmp(file_text("b"), applying.temp.path,
			     strlen(applying.temp.path)),
	    0);
}

static void
files_of_its_own_are_readable_unless_it_says_otherwise(void **state)
{
	struct stat st;

	(void)state;
	(void)umask(077);
	apply(
	    RESOURCES("  - exec: {name: /usr/bin/touch @/a}\n"
		      "  - exec: {name: /usr/bin/touch @/b, umask: '027'}\n"));
	(void)umask(022);
	assert_verdicts("changed", "changed");
	assert_int_equal(stat(temp_path(&applying.temp, "a"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	assert_int_equal(stat(temp_path(&applying.temp, "b"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

static void
standard_input_is_empty_or_what_is_given(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, provider: shell, command: 'cat >@/a'}\n"
	    "  - exec: {name: b, provider: shell, command: 'cat >@/b', stdin: "
	    "\"line {{ 1 + 1 }}\\n\"}\n"));
	assert_verdicts("changed", "changed");
	assert_string_equal(file_text("a"), "");
	assert_string_equal(file_text("b"), "line 2\n");
}

static void
it_runs_as_the_user_that_it_names(void **state)
{
	(void)state;
	if (geteuid() != 0)
		skip();
	apply(RESOURCES("  - exec: {name: a, provider: shell, user: nobody, "
			"logoutput: true, command: 'id -un; echo $HOME'}\n"
			"  - exec: {name: b, command: /bin/true, user: "
			"no-such-user-here}\n"));
	assert_verdicts("changed", "failed");
	assert_int_equal(strncmp(applying.output[0].data, "nobody\n/", 8), 0);
	assert_non_null(strstr(error_of(1), "no-such-user-here"));
}

static void
limits_end_it(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: a, provider: shell, command: 'while "
			":; do :; done', limits: {cpu: 100ms}}\n"));
	assert_verdicts("failed");
	assert_non_null(strstr(error_of(0), "cpu"));
	assert_string_equal(text_of(0, "/status/outcome"), "limited");
}

static void
a_profile_is_that_of_the_run(void **state)
{
	(void)state;
	apply(RESOURCES("  - exec: {name: /usr/bin/touch @/a, sandbox: "
			"readonly}\n"));
	assert_verdicts("failed");
	assert_false(exists("a"));
}

/* ---- secrets ---- */

static const char *wanted;
static bool was_found;

static int
look_into(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	static char bytes[1 << 20];

	(void)st;
	(void)ftw;
	FILE *file = kind == FTW_F ? fopen(path, "re") : NULL;
	if (file == NULL)
		return 0;
	const size_t len = fread(bytes, 1, sizeof(bytes), file);
	(void)fclose(file);
	if (memmem(bytes, len, wanted, strlen(wanted)) != NULL)
		was_found = true;
	return 0;
}

/* Whether the audit records, or the kept output, contain it. */
static bool
is_recorded(const char *text)
{
	wanted = text;
	was_found = false;
	assert_int_equal(nftw(own_state, look_into, 16, FTW_PHYS), 0);
	return was_found;
}

#define SECRET "data: {pw: hunter2-and-more}\n"

static void
a_secret_variable_reaches_the_command_and_nobody_else(void **state)
{
	(void)state;
	apply(SECRET RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: true, command: "
	    "'test \"$PW\" = hunter2-and-more && echo \"[$PW]\" && exit 3', "
	    "environment: [\"PW={{ sensitive(Data.pw) }}\"]}\n"));
	assert_verdicts("failed");
	assert_int_equal(number_of(0, "/status/exitcode"), 3);
	assert_string_equal(applying.output[0].data, "[(sensitive)]\n");
	assert_string_equal(text_of(0, "/status/stdout"), "[(sensitive)]\n");
	assert_false(event_shows(0, "more\\\""));
	assert_true(is_recorded("echo"));
	assert_string_equal(
	    text_of(0, "/properties/environment/0"), "PW=(sensitive)");
}

static void
what_a_run_says_of_a_secret_is_not_kept(void **state)
{
	(void)state;
	apply("data: {pw: nobody-sees-this}\n" RESOURCES(
	    "  - exec: {name: a, provider: shell, command: 'echo $PW; echo $PW "
	    ">&2', environment: [\"PW={{ sensitive(Data.pw) }}\"], unless: "
	    "'echo $PW; false'}\n"
	    "  - exec: {name: b, command: /bin/cat, stdin: \"{{ "
	    "sensitive(Data.pw) }}\"}\n"));
	assert_verdicts("changed", "changed");
	assert_false(is_recorded("nobody-sees-this"));
}

static void
a_secret_part_is_found_without_what_is_around_it(void **state)
{
	(void)state;
	apply("data: {pw: s3cr3tword}\n" RESOURCES(
	    "  - exec: {name: a, provider: shell, logoutput: true, command: "
	    "'echo $${URL#*:}', environment: "
	    "[\"URL=http:{{ sensitive(Data.pw) }}\"]}\n"));
	assert_int_equal(applying.count, 1);
	assert_false(event_shows(0, "s3cr3tword"));
}

static void
a_path_is_the_same_when_a_secret_is_like_a_part_of_it(void **state)
{
	(void)state;
	apply("data: {pw: bin}\n" RESOURCES(
	    "  - exec: {name: 'true', path: '/usr/bin:/bin', environment: "
	    "[\"PW={{ sensitive(Data.pw) }}\"]}\n"));
	assert_verdicts("changed");
}

static void
secrets_are_no_arguments(void **state)
{
	(void)state;
	apply(SECRET RESOURCES(
	    "  - exec: {name: a, command: \"/bin/echo {{ "
	    "sensitive(Environ.NOPE ?? Data.pw) "
	    "}}\"}\n"
	    "  - exec: {name: b, argv: [/bin/echo, \"{{ sensitive(Environ.NOPE "
	    "?? Data.pw) "
	    "}}\"]}\n"
	    "  - exec: {name: c, command: /bin/true, onlyif: \"test {{ "
	    "sensitive(Environ.NOPE ?? Data.pw) }}\"}\n"));
	assert_verdicts("failed", "failed", "failed");
	for (size_t i = 0; i < 3; i++) {
		assert_non_null(strstr(error_of(i), "environment"));
		assert_false(event_shows(i, "hunter2"));
	}
}

static void
a_secret_on_standard_input_is_not_shown(void **state)
{
	(void)state;
	apply(SECRET RESOURCES(
	    "  - exec: {name: a, command: /bin/cat, logoutput: true, stdin: "
	    "\"x {{ sensitive(Data.pw) }} y\"}\n"));
	assert_verdicts("changed");
	assert_string_equal(applying.output[0].data, "(sensitive)");
	assert_false(event_shows(0, "hunter2"));
}

static void
of_a_sensitive_resource_nothing_is_shown(void **state)
{
	(void)state;
	apply(RESOURCES(
	    "  - exec: {name: a, sensitive: true, logoutput: true, provider: "
	    "shell, command: 'echo topsecretthing; exit 1', environment: "
	    "[TOKEN=anothersecret], onlyif: 'test thirdsecret'}\n"
	    "  - exec: {name: b, sensitive: true, command: "
	    "/nonexistent/fourthsecret}\n"
	    "  - exec: {name: c, sensitive: true, logoutput: on_failure, "
	    "provider: shell, command: 'echo fifthsecret; exit 1'}\n"));
	assert_verdicts("failed", "failed", "failed");
	assert_int_equal(applying.output[0].len, 0);
	for (size_t i = 0; i < 3; i++) {
		assert_false(event_shows(i, "topsecretthing"));
		assert_false(event_shows(i, "anothersecret"));
		assert_false(event_shows(i, "thirdsecret"));
		assert_false(event_shows(i, "fourthsecret"));
		assert_false(event_shows(i, "fifthsecret"));
	}
	assert_string_equal(error_of(1), "no such program");
	assert_false(is_recorded("topsecretthing"));
	assert_false(is_recorded("anothersecret"));
	assert_false(is_recorded("thirdsecret"));
	assert_false(is_recorded("fourthsecret"));
	assert_false(is_recorded("fifthsecret"));
}

int
main(void)
{
#define TEST(name)                       \
	cmocka_unit_test_setup_teardown( \
	    name, applying_set_up, applying_tear_down)
	const struct CMUnitTest tests[] = {
	    TEST(its_environment_is_clean_but_for_what_is_said),
	    TEST(path_is_where_the_program_is_looked_for),
	    TEST(without_one_the_path_is_not_that_of_the_caller),
	    TEST(it_starts_in_the_root_or_where_it_is_told),
	    TEST(files_of_its_own_are_readable_unless_it_says_otherwise),
	    TEST(standard_input_is_empty_or_what_is_given),
	    TEST(it_runs_as_the_user_that_it_names),
	    TEST(limits_end_it),
	    TEST(a_profile_is_that_of_the_run),
	    TEST(a_secret_variable_reaches_the_command_and_nobody_else),
	    TEST(what_a_run_says_of_a_secret_is_not_kept),
	    TEST(a_secret_part_is_found_without_what_is_around_it),
	    TEST(a_path_is_the_same_when_a_secret_is_like_a_part_of_it),
	    TEST(secrets_are_no_arguments),
	    TEST(a_secret_on_standard_input_is_not_shown),
	    TEST(of_a_sensitive_resource_nothing_is_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
