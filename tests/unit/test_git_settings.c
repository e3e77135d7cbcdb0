/* SPDX-License-Identifier: Apache-2.0 */

/* What of a copy of git's settings is carried over. */

#include "trigger/git_settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define ORIGIN                                          \
	"[core]\n\tbare = false\n[remote \"origin\"]\n" \
	"\turl = /srv/x\n[user]\n\temail = a\n\tname = n\n"

static char refused[4096];

static struct w_git_settings_text
text_of(const char *text)
{
	return (struct w_git_settings_text){text, strlen(text)};
}

/* The new text, or "" if nothing changes. */
static const char *
merged(const char *before_text, const char *copy_text, const char *now_text)
{
	static char out[4096];
	struct w_git_settings_merge merge;
	const struct w_git_settings_text before = text_of(before_text);
	const struct w_git_settings_text copy = text_of(copy_text);
	const struct w_git_settings_text now = text_of(now_text);

	assert_true(w_git_settings_merge(&before, &copy, &now, &merge));
	(void)snprintf(
	    out, sizeof(out), "%s", merge.is_changed ? merge.text.data : "");
	refused[0] = '\0';
	for (size_t i = 0; i < merge.refused.count; i++) {
		const size_t len = strlen(refused);

		(void)snprintf(refused + len, sizeof(refused) - len, "%s|",
		    merge.refused.items[i]);
	}
	w_git_settings_merge_done(&merge);
	return out;
}

static void
new_sections_are_written_anew(void **state)
{
	(void)state;
	assert_string_equal(
	    merged(ORIGIN,
		ORIGIN "[branch \"f\"] remote = origin ; evil\n"
		       "merge = refs/heads/main\n"
		       "[remote \"n\"]\nurl = \"https://h/x\"\n",
		ORIGIN),
	    ORIGIN "[branch \"f\"]\n\tremote = origin\n"
		   "\tmerge = refs/heads/main\n"
		   "[remote \"n\"]\n\turl = https://h/x\n");
	assert_string_equal(refused, "");
}

static void
a_person_is_replaced_in_place(void **state)
{
	(void)state;
	assert_string_equal(merged("[user]\n\temail = a\n\tname = n\n[x]\n",
				"[user]\n\tname = m # c\n\temail = \"b;\"\n",
				"[user]\n\temail = a\n\tname = n\n[x]\n"),
	    "[user]\n\temail = \"b;\"\n\tname = m\n[x]\n");
	assert_string_equal(merged("", "[user]\nname = \" x\"", ""),
	    "[user]\n\tname = \" x\"\n");
	/* Somebody else has changed it meanwhile. */
	assert_string_equal(
	    merged("", "[user]\nname = x", "[user]\nname = y"), "");
	assert_string_equal(refused, "user.name|");
}

static void
nothing_is_removed_or_changed(void **state)
{
	(void)state;
	assert_string_equal(merged(ORIGIN, "", ORIGIN), "");
	assert_string_equal(
	    refused, "core.bare|remote.origin.url|user.email|user.name|");
	assert_string_equal(merged("[branch \"a\"]\nremote = o\n", "",
				"[branch \"a\"]\nremote = o\n"),
	    "");
	assert_string_equal(refused, "");
	/* A name that a person's push goes to. */
	assert_string_equal(
	    merged("[branch \"a\"]\npushRemote = p\n",
		"[branch \"a\"]\npushRemote = p\n[remote \"p\"]\n"
		"url = https://h/x\n",
		"[branch \"a\"]\npushRemote = p\n"),
	    "");
	assert_string_equal(refused, "remote.p.url|");
}

static void
what_cannot_be_read_is_refused_as_a_whole(void **state)
{
	(void)state;
	assert_string_equal(merged(ORIGIN, ORIGIN "[user\n", ORIGIN), "");
	assert_string_equal(refused, "all of it|");
	assert_string_equal(
	    merged("", "[a\033b \"\033[2J\"]\nx = y\n", ""), "");
	assert_string_equal(merged("", "[a \"\033[2J\"]\nx = y\n", ""), "");
	assert_string_equal(refused, "a.\\x1b[2J.x|");
}

static void
addresses_are_of_other_machines(void **state)
{
	static const char *const good[] = {"https://example.com/x.git",
	    "https://me:token@example.com:8443/x", "ssh://git@example.com/x",
	    "ssh://git@example.com:22/~me/x", "git@example.com:me/x.git",
	    "example.com:x"};
	static const char *const bad[] = {"", "x", "/srv/x", "./x", "../x",
	    "file:///x", "http://example.com/x", "git://example.com/x",
	    "ext::sh -c evil", "https::x", "-oProxyCommand=x@h:p",
	    "ssh://-oProxyCommand=x/y", "git@-oProxyCommand=x:y",
	    "h:-oProxyCommand", "https:///x", "https://example.com",
	    "https://a b/c", "https://h/\nx", "https://h/\"", "https://h\\/x",
	    "h::x", "--upload-pack=x", "a/b:c", "x@y@h:z", "ssh://h:x/y"};

	(void)state;
	for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++)
		assert_true(w_git_settings_is_address(good[i]));
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		if (w_git_settings_is_address(bad[i]))
			fail_msg("'%s' is taken", bad[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(new_sections_are_written_anew),
	    cmocka_unit_test(a_person_is_replaced_in_place),
	    cmocka_unit_test(nothing_is_removed_or_changed),
	    cmocka_unit_test(what_cannot_be_read_is_refused_as_a_whole),
	    cmocka_unit_test(addresses_are_of_other_machines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
