/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "factual.h"

static struct w_arena arena;

static struct w_os_release
parse(const char *text)
{
	struct w_os_release release = {.arena = &arena};

	w_os_release_parse(&release, text, strlen(text));
	assert_false(release.failed);
	return release;
}

static void
values_may_be_quoted(void **state)
{
	(void)state;
	const struct w_os_release release =
	    parse("PRETTY_NAME=\"Debian \\\"GNU\\\" 12\"\nNAME='It is'\n"
		  "VERSION_ID=12 \r\nID=debian\nVERSION_CODENAME=\"a\\$b\"\n"
		  "# ID=x\nVARIANT_ID=y\n");
	assert_string_equal(release.pretty, "Debian \"GNU\" 12");
	assert_string_equal(release.name, "It is");
	assert_string_equal(release.version_id, "12");
	assert_string_equal(release.id, "debian");
	assert_string_equal(release.codename, "a$b");
	assert_null(release.id_like);
	w_arena_done(&arena);
}

static void
what_is_no_value_is_left_out(void **state)
{
	char line[3000] = "NAME=";

	(void)state;
	const struct w_os_release release =
	    parse("ID=\nNAME=\"open\nVERSION_ID=\"\"\nPRETTY_NAME=\xff\n"
		  "VERSION_CODENAME=a\x01z");
	assert_null(release.id);
	assert_null(release.name);
	assert_null(release.version_id);
	assert_null(release.pretty);
	assert_null(release.codename);
	assert_null(w_os_release_family(&release));
	memset(line + 5, 'x', sizeof(line) - 6);
	assert_null(parse(line).name);
	w_arena_done(&arena);
}

static void
a_family_is_what_it_is_like(void **state)
{
	static const struct {
		const char *text;
		const char *family;
	} cases[] = {
	    {"ID=ubuntu\nID_LIKE=debian\n", "debian"},
	    {"ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n", "rhel"},
	    {"ID=new\nID_LIKE=\"unknown  suse\"\n", "suse"},
	    {"ID=new\nID_LIKE=unknown\n", "new"},
	    {"ID=alpine\n", "alpine"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		const struct w_os_release release = parse(cases[i].text);

		assert_string_equal(
		    w_os_release_family(&release), cases[i].family);
	}
	w_arena_done(&arena);
}

static void
this_machine_can_be_asked(void **state)
{
	struct w_os_release release = {.arena = &arena};

	(void)state;
	w_os_release_read(&release);
	assert_false(release.failed);
	w_arena_done(&arena);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(values_may_be_quoted),
	    cmocka_unit_test(what_is_no_value_is_left_out),
	    cmocka_unit_test(a_family_is_what_it_is_like),
	    cmocka_unit_test(this_machine_can_be_asked),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
