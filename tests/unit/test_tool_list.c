/* SPDX-License-Identifier: Apache-2.0 */
/* The list of tools: the core, modules within the budget, pages, names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mcp/tools/tool_list_state.h"
#include "own_state.h"
#include "temp.h"

static struct temp home;

enum {
	CORE_MAX = 6 * 1024, /* bytes, as sent */
};

static int
begin(void **state)
{
	int status = temp_begin(&home, state);

	temp_dir(&home, "config");
	temp_dir(&home, "config/modules");
	temp_dir(&home, "project");
	temp_dir(&home, "project/.writ");
	temp_dir(&home, "project/.writ/modules");
	return status;
}

/* ---- server ---- */

static struct w_mcp *
serve(enum w_mcp_expose expose, const char *const *pinned)
{
	static writ_config *config;
	static const char *const keys[] = {"config_dir", "config", "system_dir",
	    "system", "cache_dir", "cache"};
	struct w_mcp_options options = {.expose = expose,
	    .pinned = pinned,
	    .shape = W_MCP_SHAPE_ARGV,
	    .cwd = temp_path(&home, "project"),
	    .no_audit = true};
	struct w_mcp *server = NULL;
	writ_error err = {0};

	writ_config_free(config);
	assert_int_equal(writ_config_new(&config, NULL), WRIT_OK);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i += 2)
		assert_int_equal(writ_config_set(config, keys[i],
				     temp_path(&home, keys[i + 1]), NULL),
		    WRIT_OK);
	options.config = config;
	options.cwd = temp_path(&home, "project");
	if (w_mcp_new(&options, &server, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return server;
}

static void
put(const char *dir, const char *id, const char *more)
{
	char name[200];
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, (size_t)1 << 20);
	w_buf_add_fmt(&text,
	    "spec_version: \"1.0\"\nbindings:\n- module_id: %s\n"
	    "  target: exec:///bin/echo %s\n  description: Says it\n%s",
	    id, id, more);
	assert_false(text.failed);
	(void)snprintf(name, sizeof(name), "%s/%s.binding.yaml", dir, id);
	temp_file(&home, name, 0644, text.data);
}

static void
put_many(unsigned count, const char *more)
{
	char id[40];

	for (unsigned i = 0; i < count; i++) {
		(void)snprintf(id, sizeof(id), "my.m%02u", i);
		put("config/modules", id, more);
	}
}

static size_t
count_tools(struct w_mcp *server)
{
	size_t count = 0;

	while (w_tool_list_at(server, count) != NULL)
		count++;
	return count;
}

static const struct w_tool *
tool_of(struct w_mcp *server, const char *id)
{
	const struct w_tool *tool;

	for (size_t i = 0; (tool = w_tool_list_at(server, i)) != NULL; i++) {
		if (tool->module != NULL && strcmp(tool->module, id) == 0)
			return tool;
	}
	return NULL;
}

static void
expect_no_fault(void *ctx, const char *tool, const char *fault)
{
	(void)ctx;
	fail_msg("%s: %s", tool, fault);
}

struct left {
	size_t count;
	char id[100];
	char reason[400];
};

static void
take_left_out(void *ctx, const char *id, const char *reason)
{
	struct left *left = ctx;

	left->count++;
	assert_true(reason[0] != '\0');
	(void)snprintf(left->id, sizeof(left->id), "%s", id);
	(void)snprintf(left->reason, sizeof(left->reason), "%s", reason);
}

static struct left
left_out(struct w_mcp *server)
{
	struct left left = {.count = 0};

	w_tool_list_left_out(server, take_left_out, &left);
	return left;
}

/* ---- core ---- */

static void
the_core_list_is_small(void **state)
{
	struct w_mcp *server = serve(W_MCP_EXPOSE_AUTO, NULL);
	const struct w_tool_list_part *page = w_tool_list_page(server, 2, 0);

	(void)state;
	assert_non_null(page);
	assert_int_equal(count_tools(server), W_CORE_TOOLS);
	if (page->len > CORE_MAX)
		fail_msg("%zu bytes", page->len);
	assert_null(w_tool_list_page(server, 2, 1));
	assert_null(strstr(page->text, "nextCursor"));
	w_mcp_free(server);
}

static void
older_versions_are_told_less(void **state)
{
	struct w_mcp *server = serve(W_MCP_EXPOSE_CORE, NULL);
	const char *bare = w_tool_list_page(server, 0, 0)->text;
	const char *hinted = w_tool_list_page(server, 1, 0)->text;
	const char *titled = w_tool_list_page(server, 2, 0)->text;
	const char *full = w_tool_list_page(server, 3, 0)->text;

	(void)state;
	assert_null(strstr(bare, "\"annotations\""));
	assert_null(strstr(bare, "\"title\""));
	assert_non_null(strstr(hinted, "\"annotations\""));
	assert_null(strstr(hinted, "\"outputSchema\""));
	assert_non_null(strstr(titled, "\"title\""));
	assert_non_null(strstr(titled, "\"anthropic/alwaysLoad\""));
	assert_null(strstr(titled, "\"outputSchema\""));
	assert_non_null(strstr(full, "\"outputSchema\""));
	assert_int_equal(w_tool_list_variant_of(W_MCP_2024_11_05, true), 0);
	assert_int_equal(w_tool_list_variant_of(W_MCP_2025_03_26, true), 1);
	assert_int_equal(w_tool_list_variant_of(W_MCP_2025_06_18, false), 2);
	assert_int_equal(w_tool_list_variant_of(W_MCP_2026_07_28, false), 2);
	assert_int_equal(w_tool_list_variant_of(W_MCP_2025_06_18, true), 3);
	assert_int_equal(w_tool_list_variant_of(W_MCP_2026_07_28, true), 3);
	w_mcp_free(server);
}

static void
a_tool_is_found_by_its_name_or_the_nearest_is_told(void **state)
{
	struct w_mcp *server = serve(W_MCP_EXPOSE_AUTO, NULL);
	char near[64];

	(void)state;
	put("config/modules", "my.wc", "");
	assert_ptr_equal(w_tool_list_find(server, "exec", near), &w_tool_exec);
	assert_string_equal(near, "");
	assert_null(w_tool_list_find(server, "run_raed", near));
	assert_string_equal(near, "run_read");
	assert_null(w_tool_list_find(server, "my_wx", near));
	assert_string_equal(near, "my_wc");
	assert_null(w_tool_list_find(server, "nothing_like_it_at_all", near));
	assert_string_equal(near, "");
	assert_null(w_tool_list_find(server, "", near));
	w_mcp_free(server);
}

/* ---- modules ---- */

static void
modules_of_the_user_are_tools_while_they_are_few(void **state)
{
	static const char *const pinned[] = {"my.m0[12]", "cli.wc", NULL};
	struct w_mcp *server;
	struct left left;

	(void)state;
	put_many(W_MCP_TOOLS_MAX, "");
	server = serve(W_MCP_EXPOSE_AUTO, NULL);
	assert_int_equal(count_tools(server), W_CORE_TOOLS + W_MCP_TOOLS_MAX);
	assert_string_equal(
	    w_tool_list_at(server, W_CORE_TOOLS)->name, "my_m00");
	assert_int_equal(left_out(server).count, 0);
	w_mcp_free(server);

	put("config/modules", "my.one.more", "");
	server = serve(W_MCP_EXPOSE_AUTO, NULL);
	assert_int_equal(count_tools(server), W_CORE_TOOLS);
	left = left_out(server);
	assert_int_equal(left.count, W_MCP_TOOLS_MAX + 1);
	assert_string_equal(left.reason,
	    "31 modules are more than the 30 that become tools by themselves");
	w_mcp_free(server);

	server = serve(W_MCP_EXPOSE_AUTO, pinned);
	assert_int_equal(count_tools(server), W_CORE_TOOLS + 3);
	assert_string_equal(
	    w_tool_list_at(server, W_CORE_TOOLS)->name, "cli_wc");
	w_mcp_free(server);
	server = serve(W_MCP_EXPOSE_PINNED, pinned);
	assert_int_equal(count_tools(server), W_CORE_TOOLS + 3);
	w_mcp_free(server);
	server = serve(W_MCP_EXPOSE_CORE, pinned);
	assert_int_equal(count_tools(server), W_CORE_TOOLS);
	w_mcp_free(server);
}

static void
modules_of_the_user_are_tools_while_they_are_small(void **state)
{
	static const char *const pinned[] = {"my.m00", NULL};
	struct w_mcp *server;
	W_AUTO_BUF struct w_buf more;

	(void)state;
	w_buf_init(&more, (size_t)1 << 16);
	w_buf_add_str(&more, "  input_schema:\n    type: object\n"
			     "    description: ");
	for (unsigned i = 0; i < 12500; i++)
		w_buf_add_char(&more, 'x');
	w_buf_add_char(&more, '\n');
	put_many(2, more.data);
	server = serve(W_MCP_EXPOSE_AUTO, NULL);
	assert_int_equal(count_tools(server), W_CORE_TOOLS);
	assert_int_equal(left_out(server).count, 2);
	assert_non_null(strstr(left_out(server).reason, "bytes of modules"));
	w_mcp_free(server);
	server = serve(W_MCP_EXPOSE_AUTO, pinned);
	assert_int_equal(count_tools(server), W_CORE_TOOLS + 1);
	w_mcp_free(server);
}

static void
a_pin_without_a_module_is_told(void **state)
{
	static const char *const pinned[] = {"my.none", NULL};
	struct w_mcp *server = serve(W_MCP_EXPOSE_AUTO, pinned);
	struct left left = left_out(server);

	(void)state;
	assert_int_equal(left.count, 1);
	assert_string_equal(left.id, "my.none");
	w_mcp_free(server);
}

static void
what_providers_refuse_is_not_a_tool(void **state)
{
	static const char *const schemas[][2] = {
	    {"my.any", "  input_schema: {type: object, anyOf: [{required: "
		       "[a]}], properties: {a: {type: string}}}\n"},
	    {"my.items", "  input_schema: {type: object, properties: {a: "
			 "{type: array}}}\n"},
	    {"my.ref", "  input_schema: {type: object, $defs: {s: {type: "
		       "string}}, properties: {a: {$ref: '#/$defs/s'}}}\n"},
	};
	static const char *const pinned[] = {"my.*", NULL};
	struct w_mcp *server;

	(void)state;
	for (size_t i = 0; i < sizeof(schemas) / sizeof(schemas[0]); i++)
		put("config/modules", schemas[i][0], schemas[i][1]);
	put("config/modules", "my.good", "");
	server = serve(W_MCP_EXPOSE_AUTO, pinned);
	assert_int_equal(count_tools(server), W_CORE_TOOLS + 1);
	assert_non_null(tool_of(server, "my.good"));
	assert_int_equal(
	    left_out(server).count, sizeof(schemas) / sizeof(schemas[0]));
	w_mcp_free(server);
}

static void
every_module_is_a_tool_or_left_out_with_a_reason(void **state)
{
	struct w_mcp *server = serve(W_MCP_EXPOSE_ALL, NULL);
	writ_modules *modules = NULL;
	const size_t count = count_tools(server);

	(void)state;
	assert_int_equal(w_tool_list_modules(server, &modules, NULL), WRIT_OK);
	assert_true(writ_modules_count(modules) > 500);
	assert_int_equal(count - W_CORE_TOOLS + left_out(server).count,
	    writ_modules_count(modules));
	/* Most of them are. */
	assert_true(left_out(server).count < count / 4);
	w_tool_list_lint(server, expect_no_fault, NULL);
	w_mcp_free(server);
}

static void
a_project_is_not_believed_that_it_does_no_harm(void **state)
{
	static const char claims[] = "  annotations: {readonly: true, "
				     "destructive: false, idempotent: true, "
				     "open_world: false}\n";
	static const char walls[] = "  annotations: {readonly: true}\n"
				    "  sandbox: readonly\n  network: 'off'\n";
	struct w_mcp *server;

	(void)state;
	put("config/modules", "my.own", claims);
	put("project/.writ/modules", "my.theirs", claims);
	put("project/.writ/modules", "my.walled", walls);
	server = serve(W_MCP_EXPOSE_AUTO, NULL);
	assert_non_null(tool_of(server, "my.own"));
	assert_int_equal(tool_of(server, "my.own")->hints,
	    W_TOOL_READ_ONLY | W_TOOL_IDEMPOTENT);
	assert_non_null(tool_of(server, "my.theirs"));
	assert_int_equal(tool_of(server, "my.theirs")->hints,
	    W_TOOL_DESTRUCTIVE | W_TOOL_OPEN_WORLD);
	assert_non_null(tool_of(server, "my.walled"));
	assert_int_equal(tool_of(server, "my.walled")->hints, W_TOOL_READ_ONLY);
	w_mcp_free(server);
}

/* ---- names ---- */

static void
names_that_would_be_the_same_both_change(void **state)
{
	struct w_mcp *server;

	(void)state;
	put("config/modules", "my.a.b", "");
	server = serve(W_MCP_EXPOSE_AUTO, NULL);
	assert_string_equal(tool_of(server, "my.a.b")->name, "my_a_b");
	w_mcp_free(server);

	put("config/modules", "my.a_b", "");
	put("config/modules", "exec", "");
	server = serve(W_MCP_EXPOSE_AUTO, NULL);
	const char *first = tool_of(server, "my.a.b")->name;
	const char *second = tool_of(server, "my.a_b")->name;
	assert_int_equal(strncmp(first, "my_a_b_", 7), 0);
	assert_int_equal(strncmp(second, "my_a_b_", 7), 0);
	assert_string_not_equal(first, second);
	assert_int_equal(strncmp(tool_of(server, "exec")->name, "exec_", 5), 0);
	w_tool_list_lint(server, expect_no_fault, NULL);
	w_mcp_free(server);
}

static void
a_long_id_has_a_name_that_fits(void **state)
{
	char first[W_TOOL_NAME_MAX + 1];
	char second[W_TOOL_NAME_MAX + 1];

	(void)state;
	w_mcp_module_tool_name(
	    "cli.exactly_forty_characters_long_you_see", false, first);
	assert_int_equal(strlen(first), 40);
	w_mcp_module_tool_name(
	    "cli.a_module.with_a_name.that_does_not_end_soon.one", false,
	    first);
	w_mcp_module_tool_name(
	    "cli.a_module.with_a_name.that_does_not_end_soon.two", false,
	    second);
	assert_int_equal(strlen(first), W_TOOL_NAME_MAX);
	assert_int_equal(strlen(second), W_TOOL_NAME_MAX);
	assert_string_not_equal(first, second);
	assert_int_equal(strspn(first, "abcdefghijklmnopqrstuvwxyz0123456789_"),
	    W_TOOL_NAME_MAX);
}

/* ---- pages and changes ---- */

static void
pages_have_every_tool_once(void **state)
{
	static const char *const pinned[] = {"cli.zcat", NULL};
	struct w_mcp *server = serve(W_MCP_EXPOSE_ALL, pinned);
	const size_t count = count_tools(server);
	size_t page = 0;
	size_t number = 0;

	(void)state;
	assert_true(count > 2 * W_MCP_PAGE);
	assert_string_equal(
	    w_tool_list_at(server, W_CORE_TOOLS)->name, "cli_zcat");
	for (size_t i = W_MCP_PAGE; i < count; i += W_MCP_PAGE) {
		const char *last = w_tool_list_at(server, i - 1)->name;
		const struct w_tool_list_part *before =
		    w_tool_list_page(server, 2, page);

		assert_non_null(
		    strstr(before->text, "\"nextCursor\":\"after."));
		assert_non_null(strstr(before->text, last));
		assert_true(w_tool_list_page_after(server, last, &number));
		assert_int_equal(number, ++page);
	}
	assert_null(
	    strstr(w_tool_list_page(server, 2, page)->text, "\"nextCursor\""));
	assert_null(w_tool_list_page(server, 2, page + 1));
	assert_false(w_tool_list_page_after(server, "exec", &number));
	assert_false(w_tool_list_page_after(
	    server, w_tool_list_at(server, count - 1)->name, &number));
	w_mcp_free(server);
}

static void
a_change_is_one_of_what_was_listed(void **state)
{
	struct w_mcp *server = serve(W_MCP_EXPOSE_AUTO, NULL);

	(void)state;
	/* No list was sent yet. */
	put("config/modules", "my.a", "");
	assert_false(w_tool_list_refresh(server));
	assert_non_null(w_tool_list_page(server, 2, 0));
	assert_false(w_tool_list_refresh(server));
	put("config/modules", "my.b", "");
	assert_true(w_tool_list_refresh(server));
	assert_false(w_tool_list_refresh(server));
	assert_non_null(tool_of(server, "my.b"));
	assert_int_equal(unlink(temp_path(&home, "config/modules/"
						 "my.b.binding.yaml")),
	    0);
	assert_true(w_tool_list_refresh(server));
	assert_null(tool_of(server, "my.b"));
	w_mcp_free(server);
}

static void
modules_stay_for_whom_they_are_held(void **state)
{
	struct w_mcp *server = serve(W_MCP_EXPOSE_AUTO, NULL);
	const writ_module *module = NULL;
	struct w_mcp_module_set *module_set = NULL;

	(void)state;
	put("config/modules", "my.a", "");
	assert_int_equal(
	    w_mcp_module_set_hold(server, true, &module_set, NULL), WRIT_OK);
	(void)w_tool_list_refresh(server);
	assert_int_equal(
	    writ_modules_find(module_set->modules, "my.a", &module, NULL),
	    WRIT_OK);
	assert_string_equal(module->id, "my.a");
	w_mcp_free(server);
	assert_string_equal(module->description, "Says it");
	w_mcp_module_set_release(module_set);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    TEST(the_core_list_is_small),
	    TEST(older_versions_are_told_less),
	    TEST(a_tool_is_found_by_its_name_or_the_nearest_is_told),
	    TEST(modules_of_the_user_are_tools_while_they_are_few),
	    TEST(modules_of_the_user_are_tools_while_they_are_small),
	    TEST(a_pin_without_a_module_is_told),
	    TEST(what_providers_refuse_is_not_a_tool),
	    TEST(every_module_is_a_tool_or_left_out_with_a_reason),
	    TEST(a_project_is_not_believed_that_it_does_no_harm),
	    TEST(names_that_would_be_the_same_both_change),
	    TEST(a_long_id_has_a_name_that_fits),
	    TEST(pages_have_every_tool_once),
	    TEST(a_change_is_one_of_what_was_listed),
	    TEST(modules_stay_for_whom_they_are_held),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
