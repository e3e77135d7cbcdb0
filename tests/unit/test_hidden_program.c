/* SPDX-License-Identifier: Apache-2.0 */

/* Programs that a rule denies by name are hidden, one file at a time. */

#include "restricted_runs.h"

#include <limits.h>

static const char *const walls[] = {"readonly", "workspace", "strict"};

static const char *const names[] = {
    "head", "tail", "sort", "uniq", "wc", "tr", "cut", "tee", "od", "nl"};

enum {
	NAMES = sizeof(names) / sizeof(names[0])
};

static char paths[NAMES][PATH_MAX];
static const char *hidden[NAMES + 1];

/* Some systems have one program for all of them. */
static bool
find_programs(void)
{
	char path[PATH_MAX];

	for (size_t i = 0; i < NAMES; i++) {
		(void)snprintf(path, sizeof(path), "/usr/bin/%s", names[i]);
		if (realpath(path, paths[i]) == NULL ||
		    strcmp(strrchr(paths[i], '/') + 1, names[i]) != 0)
			return false;
		hidden[i] = paths[i];
	}
	return true;
}

static void
expect_hidden(const char *in, const char *text, const char *output)
{
	writ_request request = walled(text);

	request.sandbox = in;
	request.hide = hidden;
	request.best_effort = is_without_view;
	for (int i = 0; i < RUNS; i++) {
		writ_result *result = run_walled(&request);

		if (strcmp(result->out[WRIT_STDOUT].head, output) != 0)
			fail_msg("in '%s' it said '%s', errors '%s'", in,
			    result->out[WRIT_STDOUT].head,
			    result->out[WRIT_STDERR].head);
		done(result);
	}
}

static const char text[] =
    "head -c 3 /etc/passwd; /usr/bin/head -c 3 /etc/passwd; "
    "/bin/head -c 3 /etc/passwd; cat /usr/bin/head; cat /bin/head; "
    "(cd /usr/bin && ./head -c 3 /etc/passwd); "
    "cat /proc/self/root/usr/bin/head; "
    "for l in /lib64/ld-linux-*.so.* /lib/ld-linux-*.so.*; do "
    "\"$l\" /usr/bin/head -c 3 /etc/passwd; done; "
    "cp /usr/bin/head /tmp/head && /tmp/head -c 3 /etc/passwd; "
    "ln /usr/bin/head /tmp/link && /tmp/link -c 3 /etc/passwd; "
    "ln -s /usr/bin/head /tmp/way && /tmp/way -c 3 /etc/passwd; "
    "echo a | sort; echo a | nl; ls /usr/bin/cat";

static void
whatever_path_leads_to_it(void **state)
{
	(void)state;
	if (!find_programs())
		skip();
	for (size_t w = 0; w < 3; w++)
		expect_hidden(walls[w], text, "/usr/bin/cat\n");
}

static void
by_rules_alone_as_well(void **state)
{
	(void)state;
	if (!find_programs())
		skip();
	go_without_view();
	for (size_t w = 0; w < 3; w++)
		expect_hidden(walls[w], text, "/usr/bin/cat\n");
}

static void
without_hiding_it_runs(void **state)
{
	(void)state;
	expect_output("workspace",
	    "head -c 4 /etc/passwd >/dev/null && echo yes; "
	    "/bin/head -c 4 /etc/passwd >/dev/null && echo yes",
	    "yes\nyes\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    NARROWED(whatever_path_leads_to_it),
	    NARROWED(by_rules_alone_as_well),
	    NARROWED(without_hiding_it_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
