/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "cli/mcp/settings_edit.h"

static const struct w_client_settings_value server = {
    .path = {"mcpServers", "writ"}, .json = "{\"command\":\"/w\"}"};
static const struct w_client_settings_value denied = {
    .path = {"permissions", "deny"}, .json = "\"Bash\"", .is_item = true};
static const struct w_client_settings_value table = {
    .path = {"mcp_servers", "writ"},
    .json = "{\"command\":\"/w\",\"args\":[\"mcp\",\"-x\"]}"};
static const struct w_client_settings_value shell_tool = {
    .path = {"features", "shell_tool"}, .json = "false"};
static const struct w_client_settings_value extension = {
    .path = {"extensions", "writ"}, .json = "{\"enabled\":true}"};
static const struct w_client_settings_value developer = {
    .path = {"extensions", "developer", "enabled"}, .json = "false"};

static void
set_text(struct w_buf *buf, const char *text)
{
	w_buf_init(buf, W_SETTINGS_TEXT_MAX);
	w_buf_add_str(buf, text);
}

/* Puts the value, expects the text, and drops it: after that the text is the
 * same as before, or what is given. */
static void
assert_edit(enum w_client_settings_format format,
    const struct w_client_settings_value *value, const char *before,
    const char *after, const char *dropped)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf now;
	W_AUTO_BUF struct w_buf again;
	W_AUTO_SPLICE struct w_client_settings_splice put;
	W_AUTO_SPLICE struct w_client_settings_splice drop;
	W_AUTO_SPLICE struct w_client_settings_splice second;
	writ_error err = {.status = WRIT_OK};

	set_text(&text, before);
	set_text(&now, "");
	set_text(&again, "");
	w_client_settings_splice_init(&put);
	w_client_settings_splice_init(&drop);
	w_client_settings_splice_init(&second);
	assert_int_equal(
	    w_client_settings_put(format, &text, value, &put, &err), WRIT_OK);
	w_client_settings_splice_add(&now, &text, &put);
	assert_string_equal(now.data, after);
	/* Once more changes nothing, or is refused. */
	assert_int_equal(
	    w_client_settings_put(format, &now, value, &second, &err),
	    format == W_SETTINGS_TOML && value->json[0] == '{' ? WRIT_E_PARSE
							       : WRIT_OK);
	assert_int_equal(second.was_len + second.now.len, 0);
	assert_int_equal(
	    w_client_settings_drop(format, &now, value, &drop, &err), WRIT_OK);
	w_client_settings_splice_add(&again, &now, &drop);
	assert_string_equal(again.data, dropped != NULL ? dropped : before);
}

static void
assert_json(const struct w_client_settings_value *value, const char *before,
    const char *after, const char *dropped)
{
	assert_edit(W_SETTINGS_JSON, value, before, after, dropped);
}

static void
a_member_goes_to_the_end_of_its_object(void **state)
{
	(void)state;
	assert_json(&server,
	    "{\n  \"mcpServers\": {\n    \"a\": {}\n  },\n  \"b\": 1\n}\n",
	    "{\n  \"mcpServers\": {\n    \"a\": {},\n    \"writ\": {\n"
	    "      \"command\": \"/w\"\n    }\n  },\n  \"b\": 1\n}\n",
	    NULL);
	assert_json(&server, "{\n\t\"mcpServers\": {}\n}",
	    "{\n\t\"mcpServers\": {\n\t\t\"writ\": {\n\t\t\t\"command\": "
	    "\"/w\"\n\t\t}\n\t}\n}",
	    "{\n\t\"mcpServers\": {\n\t}\n}");
	assert_json(&server, "",
	    "{\n  \"mcpServers\": {\n    \"writ\": {\n      \"command\": "
	    "\"/w\"\n    }\n  }\n}\n",
	    "{\n  \"mcpServers\": {\n  }\n}\n");
}

static void
comments_and_trailing_commas_stay(void **state)
{
	(void)state;
	assert_json(&server,
	    "// first\n{\n  \"mcpServers\": {\n    \"a\": 1, // \"writ\": 2\n"
	    "    /* last */\n  },\n}\n",
	    "// first\n{\n  \"mcpServers\": {\n    \"a\": 1, // \"writ\": 2\n"
	    "    /* last */\n    \"writ\": {\n      \"command\": \"/w\"\n"
	    "    }\n  },\n}\n",
	    "// first\n{\n  \"mcpServers\": {\n    \"a\": 1 // \"writ\": 2\n"
	    "    /* last */\n  },\n}\n");
	assert_json(&server, "{\"mcpServers\": {\"a\": 1 // x\n}}",
	    "{\"mcpServers\": {\"a\": 1, // x\n  \"writ\": {\n"
	    "    \"command\": \"/w\"\n  }\n}}",
	    NULL);
}

static void
an_item_goes_to_the_end_of_its_list(void **state)
{
	(void)state;
	assert_json(&denied, "{\"permissions\": {\"deny\": [\"Web\"]}}",
	    "{\"permissions\": {\"deny\": [\"Web\", \"Bash\"]}}", NULL);
	assert_json(&denied, "{\"permissions\": {\"deny\": []}}",
	    "{\"permissions\": {\"deny\": [\"Bash\"]}}", NULL);
	assert_json(&denied, "{\"permissions\": {\"deny\": [\n  \"Web\"\n]}}",
	    "{\"permissions\": {\"deny\": [\n  \"Web\",\n  \"Bash\"\n]}}",
	    NULL);
}

static void
a_value_in_the_middle_is_dropped_with_its_comma(void **state)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf now;
	W_AUTO_SPLICE struct w_client_settings_splice drop;
	writ_error err;

	(void)state;
	set_text(&text,
	    "{\"mcpServers\": {\n  // mine\n  \"writ\": {\"a\": [1, {}]}, // "
	    "c\n  \"b\": \"}\"\n}}");
	set_text(&now, "");
	w_client_settings_splice_init(&drop);
	assert_int_equal(w_client_settings_drop(
			     W_SETTINGS_JSON, &text, &server, &drop, &err),
	    WRIT_OK);
	w_client_settings_splice_add(&now, &text, &drop);
	assert_string_equal(now.data,
	    "{\"mcpServers\": {\n  // mine\n  // c\n  \"b\": \"}\"\n}}");
}

static void
a_key_is_found_however_it_is_escaped(void **state)
{
	W_AUTO_BUF struct w_buf text;
	bool is_there = false;
	writ_error err;

	(void)state;
	set_text(&text, "{\"mcp\\u0053ervers\": {\"\\u0077rit\": 1}}");
	assert_int_equal(w_client_settings_find(
			     W_SETTINGS_JSON, &text, &server, &is_there, &err),
	    WRIT_OK);
	assert_true(is_there);
}

static void
a_table_goes_to_the_end(void **state)
{
	(void)state;
	assert_edit(W_SETTINGS_TOML, &table, "a = 1 # x",
	    "a = 1 # x\n\n[mcp_servers.writ]\ncommand = \"/w\"\n"
	    "args = [\"mcp\", \"-x\"]\n",
	    "a = 1 # x\n");
	assert_edit(W_SETTINGS_TOML, &table,
	    "b = \"\"\"\n[mcp_servers.writ]\n\"\"\"\n",
	    "b = \"\"\"\n[mcp_servers.writ]\n\"\"\"\n\n[mcp_servers.writ]\n"
	    "command = \"/w\"\nargs = [\"mcp\", \"-x\"]\n",
	    NULL);
}

static void
a_key_goes_to_its_table(void **state)
{
	(void)state;
	assert_edit(W_SETTINGS_TOML, &shell_tool,
	    "[features] # f\nx = [\n  1, # ]\n]\n[other]\nshell_tool = true\n",
	    "[features] # f\nshell_tool = false\nx = [\n  1, # ]\n]\n[other]\n"
	    "shell_tool = true\n",
	    NULL);
	assert_edit(W_SETTINGS_TOML, &shell_tool, "features.x = 1\n[t]\n",
	    "features.x = 1\nfeatures.shell_tool = false\n[t]\n", NULL);
	assert_edit(W_SETTINGS_TOML, &shell_tool,
	    "[features]\nshell_tool = true # mine\n",
	    "[features]\nshell_tool = false # mine\n", "[features]\n");
	assert_edit(W_SETTINGS_TOML, &shell_tool, "",
	    "[features]\nshell_tool = false\n", "[features]\n");
}

static void
a_table_is_dropped_with_what_is_below_it(void **state)
{
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf now;
	W_AUTO_SPLICE struct w_client_settings_splice drop;
	writ_error err;

	(void)state;
	set_text(&text,
	    "[mcp_servers.a]\nx = 1\n\n[mcp_servers.\"writ\"]\ny = 2\n"
	    "[mcp_servers.writ.env]\nz = 3\n\n# next\n[other]\n");
	set_text(&now, "");
	w_client_settings_splice_init(&drop);
	assert_int_equal(
	    w_client_settings_drop(W_SETTINGS_TOML, &text, &table, &drop, &err),
	    WRIT_OK);
	w_client_settings_splice_add(&now, &text, &drop);
	assert_string_equal(
	    now.data, "[mcp_servers.a]\nx = 1\n\n# next\n[other]\n");
}

static void
a_block_goes_to_the_end_of_its_map(void **state)
{
	(void)state;
	assert_edit(W_SETTINGS_YAML, &extension,
	    "a: 1\nextensions:\n  memory:\n    enabled: true # m\n# end\n"
	    "b: [2]\n",
	    "a: 1\nextensions:\n  memory:\n    enabled: true # m\n  writ:\n"
	    "    enabled: true\n# end\nb: [2]\n",
	    NULL);
	assert_edit(W_SETTINGS_YAML, &extension, "a: 1",
	    "a: 1\nextensions:\n  writ:\n    enabled: true\n",
	    "a: 1\nextensions:\n");
	assert_edit(W_SETTINGS_YAML, &extension, "extensions: {}\nb: 1\n",
	    "extensions:\n  writ:\n    enabled: true\nb: 1\n",
	    "extensions:\nb: 1\n");
}

static void
a_word_takes_the_place_of_a_word(void **state)
{
	(void)state;
	assert_edit(W_SETTINGS_YAML, &developer,
	    "extensions:\n  developer:\n    enabled: true # on\n    x: 1\n",
	    "extensions:\n  developer:\n    enabled: false # on\n    x: 1\n",
	    "extensions:\n  developer:\n    x: 1\n");
}

static void
what_cannot_be_changed_is_refused_with_its_place(void **state)
{
	static const struct {
		enum w_client_settings_format format;
		const struct w_client_settings_value *value;
		const char *text;
		unsigned line;
	} rows[] = {
	    {W_SETTINGS_JSON, &server, "{\n\"a\": }", 2},
	    {W_SETTINGS_JSON, &server, "{\n\n\"mcpServers\": []}", 3},
	    {W_SETTINGS_JSON, &server, "[]", 0},
	    {W_SETTINGS_JSON, &denied, "{\"permissions\":\n\"x\"}", 2},
	    {W_SETTINGS_TOML, &table, "a = 1\nb = \"x\n", 2},
	    {W_SETTINGS_TOML, &table, "a = 1\n[t\n", 2},
	    {W_SETTINGS_TOML, &table, "\n\nx\n", 3},
	    {W_SETTINGS_TOML, &table, "a = [1,\n 2\n", 1},
	    {W_SETTINGS_TOML, &table, "a = 1 b = 2\n", 1},
	    {W_SETTINGS_TOML, &shell_tool, "features = { a = 1 }\n", 0},
	    {W_SETTINGS_YAML, &extension, "a: 1\n b: [\n", 2},
	    {W_SETTINGS_YAML, &extension, "extensions: {a: {}}\n", 1},
	    {W_SETTINGS_YAML, &extension, "x: &a 1\ny: *a\n", 1},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		W_AUTO_BUF struct w_buf text;
		W_AUTO_SPLICE struct w_client_settings_splice splice;
		writ_error err = {.status = WRIT_OK};

		set_text(&text, rows[i].text);
		w_client_settings_splice_init(&splice);
		if (w_client_settings_put(rows[i].format, &text, rows[i].value,
			&splice, &err) == WRIT_OK)
			fail_msg("row %zu was changed", i);
		if (err.line != rows[i].line)
			fail_msg(
			    "row %zu: line %u, %s", i, err.line, err.message);
	}
}

static void
bytes_that_are_no_text_are_refused(void **state)
{
	W_AUTO_BUF struct w_buf text;
	bool is_there = false;
	writ_error err;

	(void)state;
	w_buf_init(&text, 100);
	w_buf_add(&text, "{}\0", 3);
	assert_int_equal(w_client_settings_find(
			     W_SETTINGS_JSON, &text, &server, &is_there, &err),
	    WRIT_E_PARSE);
	text.len = 0;
	w_buf_add_str(&text, "a = '\xff'\n");
	assert_int_equal(w_client_settings_find(
			     W_SETTINGS_TOML, &text, &table, &is_there, &err),
	    WRIT_E_PARSE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_member_goes_to_the_end_of_its_object),
	    cmocka_unit_test(comments_and_trailing_commas_stay),
	    cmocka_unit_test(an_item_goes_to_the_end_of_its_list),
	    cmocka_unit_test(a_value_in_the_middle_is_dropped_with_its_comma),
	    cmocka_unit_test(a_key_is_found_however_it_is_escaped),
	    cmocka_unit_test(a_table_goes_to_the_end),
	    cmocka_unit_test(a_key_goes_to_its_table),
	    cmocka_unit_test(a_table_is_dropped_with_what_is_below_it),
	    cmocka_unit_test(a_block_goes_to_the_end_of_its_map),
	    cmocka_unit_test(a_word_takes_the_place_of_a_word),
	    cmocka_unit_test(what_cannot_be_changed_is_refused_with_its_place),
	    cmocka_unit_test(bytes_that_are_no_text_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
