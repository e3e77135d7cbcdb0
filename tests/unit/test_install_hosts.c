/* SPDX-License-Identifier: Apache-2.0 */

#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <yyjson.h>

#include "cli/mcp/install_hosts.h"

static char agent_option[] = "--agent";
static char agent_value[] = "re \"v\" \\ iewer";
static char *options[] = {agent_option, agent_value};

static struct w_install_entry
entry_for(const char *name, bool is_project)
{
	return (struct w_install_entry){
	    .host = w_install_host_named(name),
	    .name = "writ",
	    .is_project = is_project,
	    .path = "/opt/w rit/bin/writ",
	    .options = options,
	    .option_count = 2,
	};
}

static void
assert_command(const char *name, const char *const *expected)
{
	struct w_install_entry entry = entry_for(name, false);
	W_AUTO_WORDS struct w_words argv = {.items = NULL};
	writ_error err;

	assert_true(w_install_entry_has_command(&entry));
	assert_int_equal(w_install_entry_command(&entry, &argv, &err), WRIT_OK);
	for (size_t i = 0; expected[i] != NULL; i++) {
		assert_true(i < argv.count);
		assert_string_equal(argv.items[i], expected[i]);
		assert_true(expected[i + 1] != NULL || argv.count == i + 1);
	}
}

static void
each_program_gets_the_words_that_it_takes(void **state)
{
	static const char *const claude[] = {"claude", "mcp", "add", "--scope",
	    "user", "writ", "--", "/opt/w rit/bin/writ", "mcp", "--agent",
	    "re \"v\" \\ iewer", NULL};
	static const char *const codex[] = {"codex", "mcp", "add", "writ", "--",
	    "/opt/w rit/bin/writ", "mcp", "--agent", "re \"v\" \\ iewer", NULL};
	static const char *const gemini[] = {"gemini", "mcp", "add", "--scope",
	    "user", "writ", "/opt/w rit/bin/writ", "mcp", "--", "--agent",
	    "re \"v\" \\ iewer", NULL};

	(void)state;
	assert_command("claude", claude);
	assert_command("codex", codex);
	assert_command("gemini", gemini);
}

static void
code_gets_an_object(void **state)
{
	struct w_install_entry entry = entry_for("vscode", false);
	W_AUTO_WORDS struct w_words argv = {.items = NULL};
	writ_error err;

	(void)state;
	assert_int_equal(w_install_entry_command(&entry, &argv, &err), WRIT_OK);
	assert_int_equal(argv.count, 3);
	assert_string_equal(argv.items[1], "--add-mcp");
	yyjson_doc *doc = yyjson_read(argv.items[2], strlen(argv.items[2]), 0);
	yyjson_val *root = yyjson_doc_get_root(doc);
	assert_string_equal(
	    yyjson_get_str(yyjson_obj_get(root, "name")), "writ");
	assert_string_equal(
	    yyjson_get_str(yyjson_obj_get(root, "command")), entry.path);
	assert_string_equal(
	    yyjson_get_str(yyjson_arr_get(yyjson_obj_get(root, "args"), 2)),
	    agent_value);
	yyjson_doc_free(doc);
}

static void
who_has_no_command_for_it_is_told_so(void **state)
{
	struct w_install_entry cursor = entry_for("cursor", false);
	struct w_install_entry codex = entry_for("codex", true);
	struct w_install_entry claude = entry_for("claude", true);

	(void)state;
	assert_false(w_install_entry_has_command(&cursor));
	assert_false(w_install_entry_has_command(&codex));
	assert_true(w_install_entry_has_command(&claude));
	assert_null(w_install_host_named("emacs"));
}

static void
the_text_is_json_that_says_the_same(void **state)
{
	static const struct {
		const char *host;
		const char *key;
	} rows[] = {{"claude", "mcpServers"}, {"gemini", "mcpServers"},
	    {"cursor", "mcpServers"}, {"vscode", "servers"}};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct w_install_entry entry = entry_for(rows[i].host, true);
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, 4096);
		w_install_entry_add_text(&entry, &text);
		yyjson_doc *doc = yyjson_read(text.data, text.len, 0);
		yyjson_val *server = yyjson_obj_get(
		    yyjson_obj_get(yyjson_doc_get_root(doc), rows[i].key),
		    "writ");
		assert_string_equal(
		    yyjson_get_str(yyjson_obj_get(server, "command")),
		    entry.path);
		assert_int_equal(
		    yyjson_arr_size(yyjson_obj_get(server, "args")), 3);
		yyjson_doc_free(doc);
	}
}

static void
codex_has_a_table(void **state)
{
	struct w_install_entry entry = entry_for("codex", false);
	W_AUTO_BUF struct w_buf text;

	(void)state;
	w_buf_init(&text, 4096);
	w_install_entry_add_text(&entry, &text);
	assert_string_equal(text.data,
	    "[mcp_servers.writ]\n"
	    "command = \"/opt/w rit/bin/writ\"\n"
	    "args = [\"mcp\", \"--agent\", \"re \\\"v\\\" \\\\ iewer\"]\n");
}

static void
assert_file(const char *name, bool is_project, const char *expected)
{
	struct w_install_entry entry = entry_for(name, is_project);
	char path[PATH_MAX];
	writ_error err;

	assert_int_equal(w_install_entry_file(&entry, path, &err), WRIT_OK);
	assert_string_equal(path, expected);
}

static void
files_are_where_the_programs_look(void **state)
{
	writ_error err;
	char path[PATH_MAX];
	struct w_install_entry entry = entry_for("cursor", false);

	(void)state;
	(void)setenv("HOME", "/home/you", 1);
	(void)unsetenv("CLAUDE_CONFIG_DIR");
	(void)unsetenv("CODEX_HOME");
	(void)unsetenv("XDG_CONFIG_HOME");
	assert_file("claude", false, "/home/you/.claude.json");
	assert_file("codex", false, "/home/you/.codex/config.toml");
	assert_file("gemini", false, "/home/you/.gemini/settings.json");
	assert_file("cursor", false, "/home/you/.cursor/mcp.json");
	assert_file("vscode", false, "/home/you/.config/Code/User/mcp.json");
	assert_file("claude", true, ".mcp.json");
	assert_file("codex", true, ".codex/config.toml");
	assert_file("gemini", true, ".gemini/settings.json");
	assert_file("cursor", true, ".cursor/mcp.json");
	assert_file("vscode", true, ".vscode/mcp.json");
	(void)setenv("CODEX_HOME", "/srv/codex", 1);
	(void)setenv("CLAUDE_CONFIG_DIR", "/srv/claude", 1);
	assert_file("codex", false, "/srv/codex/config.toml");
	assert_file("claude", false, "/srv/claude/.claude.json");
	(void)unsetenv("HOME");
	assert_int_equal(
	    w_install_entry_file(&entry, path, &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "HOME"));
}

/* *out_status is the status of the check. */
static bool
is_there(const char *host, const char *text, writ_status *out_status)
{
	struct w_install_entry entry = entry_for(host, false);
	char path[] = "/tmp/writ-test-clients-XXXXXX";
	int fd = mkstemp(path);
	bool found = false;
	writ_error err;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	(void)close(fd);
	*out_status = w_install_entry_is_there(&entry, path, &found, &err);
	(void)unlink(path);
	return found;
}

static void
an_entry_that_is_there_is_found(void **state)
{
	writ_status status = WRIT_OK;

	(void)state;
	assert_true(is_there("claude",
	    "// mine\n{\"mcpServers\":{\"writ\":{\"command\":\"x\"},},}",
	    &status));
	assert_true(is_there("vscode", "{\"servers\":{\"writ\":{}}}", &status));
	assert_true(
	    is_there("codex", "a = 1\n  [mcp_servers.writ]\n", &status));
	assert_true(is_there("codex", "[mcp_servers.\"writ\"]", &status));
	assert_int_equal(status, WRIT_OK);
}

static void
others_are_not_taken_for_it(void **state)
{
	writ_status status = WRIT_OK;

	(void)state;
	assert_false(is_there(
	    "claude", "{\"mcpServers\":{\"other\":{}},\"writ\":{}}", &status));
	assert_false(is_there(
	    "codex", "# [mcp_servers.writ]\n[mcp_servers.writer]\n", &status));
	assert_false(is_there("gemini", " \n", &status));
	assert_int_equal(status, WRIT_OK);
}

static void
a_file_that_is_no_json_is_an_error(void **state)
{
	writ_status status = WRIT_OK;

	(void)state;
	assert_false(is_there("cursor", "{\"mcpServers\":", &status));
	assert_int_equal(status, WRIT_E_PARSE);
}

static void
no_file_is_no_entry(void **state)
{
	struct w_install_entry entry = entry_for("cursor", false);
	bool found = true;
	writ_error err;

	(void)state;
	assert_int_equal(w_install_entry_is_there(
			     &entry, "/nonexistent/mcp.json", &found, &err),
	    WRIT_OK);
	assert_false(found);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(each_program_gets_the_words_that_it_takes),
	    cmocka_unit_test(code_gets_an_object),
	    cmocka_unit_test(who_has_no_command_for_it_is_told_so),
	    cmocka_unit_test(the_text_is_json_that_says_the_same),
	    cmocka_unit_test(codex_has_a_table),
	    cmocka_unit_test(files_are_where_the_programs_look),
	    cmocka_unit_test(an_entry_that_is_there_is_found),
	    cmocka_unit_test(others_are_not_taken_for_it),
	    cmocka_unit_test(a_file_that_is_no_json_is_an_error),
	    cmocka_unit_test(no_file_is_no_entry),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
