/* SPDX-License-Identifier: Apache-2.0 */

/* Git settings, parsed as git does. */

#include "trigger/git_config.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char found[4096];

static bool
take(void *ctx, const char *key, const char *value)
{
	const size_t len = strlen(found);

	(void)ctx;
	(void)snprintf(found + len, sizeof(found) - len, "%s=%s|", key, value);
	return true;
}

static bool
read_config(const char *text)
{
	found[0] = '\0';
	return w_git_config_read(text, strlen(text), take, NULL);
}

static void
settings_are_read_as_git_does(void **state)
{
	static const struct {
		const char *text;
		const char *found;
	} rows[] = {
	    {"", ""},
	    {"# only\n; comments\n", ""},
	    {"[core]\n\tbare = false\n", "core.bare=false|"},
	    {"[Core]\nFileMode=1", "core.filemode=1|"},
	    {"[core] bare", "core.bare=true|"},
	    {"[core]\nbare ; comment\n", "core.bare=true|"},
	    {"[remote \"a\\\"]b\"]\nurl = x", "remote.url=x|"},
	    {"[remote.origin]\nurl = x", "remote.url=x|"},
	    {"[a]x = \"b # c\" ; d\n", "a.x=b # c|"},
	    {"[a]x = b  # c\n", "a.x=b|"},
	    {"[a]x = b\\\nc\n", "a.x=bc|"},
	    {"[a]x = \"b \"  \n", "a.x=b |"},
	    {"[a]x = \\\"\\\\\\t\n", "a.x=\"\\\t|"},
	    {"[a]\r\nx=1\r\ny=2", "a.x=1|a.y=2|"},
	    {"\xef\xbb\xbf[a]x=1", "a.x=1|"},
	    {"[a]x=1\n[b]y=2\n[a]z=3\n", "a.x=1|b.y=2|a.z=3|"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_true(read_config(rows[i].text));
		assert_string_equal(found, rows[i].found);
	}
}

static void
what_git_refuses_is_refused(void **state)
{
	static const char *const texts[] = {"x=1\n", "[a\nx=1", "[a \"b]\n",
	    "[a \"b\nc\"]", "[a]\n=1", "[a]\nx 1", "[a]\nx=\"1\n",
	    "[a]\nx=\\q\n", "[a]\n1=2", "[a b]\nx=1"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		assert_false(read_config(texts[i]));
	assert_false(w_git_config_read("[a]\0x", 5, take, NULL));
}

static void
only_what_is_known_to_run_nothing_is_harmless(void **state)
{
	static const struct {
		const char *key;
		const char *value;
		bool is_harmless;
	} rows[] = {
	    {"core.bare", "false", true},
	    {"branch.merge", "refs/heads/main", true},
	    {"remote.url", "https://example.org/x.git", true},
	    {"remote.url", "git@example.org:x.git", true},
	    {"remote.url", "ext::sh -c id", false},
	    {"remote.url", "--upload-pack=id", false},
	    {"remote.pushurl", "ext::x", false},
	    {"remote.uploadpack", "x", false},
	    {"core.fsmonitor", "true", true},
	    {"core.fsmonitor", "./x", false},
	    {"core.pager", "x", false},
	    {"core.editor", "x", false},
	    {"core.sshcommand", "x", false},
	    {"core.hookspath", "x", false},
	    {"include.path", "x", false},
	    {"includeif.path", "x", false},
	    {"alias.st", "!id", false},
	    {"filter.clean", "x", false},
	    {"diff.external", "x", false},
	    {"diff.textconv", "x", false},
	    {"merge.driver", "x", false},
	    {"credential.helper", "x", false},
	    {"gpg.program", "x", false},
	    {"url.insteadof", "x", false},
	    {"submodule.update", "checkout", true},
	    {"submodule.update", "!id", false},
	    {"gc.recentobjectshook", "x", false},
	    {"unheard.of", "x", false},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		assert_int_equal(
		    w_git_setting_is_harmless(rows[i].key, rows[i].value),
		    rows[i].is_harmless);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(settings_are_read_as_git_does),
	    cmocka_unit_test(what_git_refuses_is_refused),
	    cmocka_unit_test(only_what_is_known_to_run_nothing_is_harmless),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
