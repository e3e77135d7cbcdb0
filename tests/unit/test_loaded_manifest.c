/* SPDX-License-Identifier: Apache-2.0 */

#include "cli/manifest/loaded_manifest.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "cli/options/options.h"

static char dir[] = "/tmp/writ-load-XXXXXX";

static int
make_dir(void **state)
{
	(void)state;
	return mkdtemp(dir) == NULL || chdir(dir) < 0 ? -1 : 0;
}

static int
remove_dir(void **state)
{
	static const char *const names[] = {
	    "m.yaml", "link.yaml", "bad.yaml", "facts.yaml", "nul.yaml"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		(void)unlink(names[i]);
	return chdir("/") < 0 || rmdir(dir) < 0 ? -1 : 0;
}

static void
write_text(const char *name, const char *text, size_t len)
{
	FILE *file = fopen(name, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, len, file), len);
	assert_int_equal(fclose(file), 0);
}

struct holder {
	struct w_fact_args facts;
};

static const struct w_option rows[] = {
    W_FACT_ROWS("", struct holder, facts), {.name = ""}};

static void
take(struct w_fact_args *args, const char *name, const char *value)
{
	const struct w_option *row = w_options_find(rows, name, strlen(name));
	writ_error err;

	assert_non_null(row);
	assert_int_equal(
	    w_option_put(&w_cmd_facts, row, args, value, &err), WRIT_OK);
}

static void
a_file_becomes_a_manifest_with_its_directory(void **state)
{
	static const char text[] =
	    "ccm: {resources: [{exec: {name: \"{{ Facts.role }}\"}}]}\n";
	W_AUTO_LOADED_MANIFEST struct w_loaded_manifest loaded = {.name = NULL};
	struct w_fact_args args = {.files = {.count = 0}};
	writ_manifest_resource resource = {.size = sizeof(resource)};
	writ_error err;

	(void)state;
	write_text("m.yaml", text, sizeof(text) - 1);
	take(&args, "fact", "role=web");
	assert_int_equal(w_loaded_open(&loaded, "./m.yaml", &err), WRIT_OK);
	assert_int_equal(w_loaded_read(&loaded, &args, NULL, &err), WRIT_OK);
	assert_string_equal(writ_manifest_dir(loaded.manifest), dir);
	assert_int_equal(writ_manifest_count(loaded.manifest), 1);
	assert_int_equal(
	    writ_manifest_look(loaded.manifest, 0, &resource, &err), WRIT_OK);
	assert_string_equal(resource.name, "web");
	w_cli_facts_done(&args);
}

static void
faults_come_with_reading_and_name_the_file(void **state)
{
	W_AUTO_LOADED_MANIFEST struct w_loaded_manifest loaded = {.name = NULL};
	const struct w_fact_args args = {.files = {.count = 0}};
	writ_error err;

	(void)state;
	write_text("bad.yaml", "cmm: {}\n", 8);
	assert_int_equal(w_loaded_open(&loaded, "bad.yaml", &err), WRIT_OK);
	assert_int_equal(
	    w_loaded_read(&loaded, &args, NULL, &err), WRIT_E_INVALID);
	assert_true(loaded.faults.count > 0);
	assert_null(loaded.manifest);
	assert_string_equal(loaded.name, "bad.yaml");
}

static void
a_file_that_is_not_there_is_an_error_without_faults(void **state)
{
	W_AUTO_LOADED_MANIFEST struct w_loaded_manifest loaded = {.name = NULL};
	writ_error err;

	(void)state;
	assert_int_equal(
	    w_loaded_open(&loaded, "none.yaml", &err), WRIT_E_INVALID);
	assert_non_null(strstr(err.message, "none.yaml"));
	assert_int_equal(loaded.faults.count, 0);
}

static void
facts_of_files_lie_beneath_assignments(void **state)
{
	struct w_fact_args args = {.files = {.count = 0}};
	struct w_facts_scope *facts = NULL;
	writ_error err;

	(void)state;
	write_text("facts.yaml", "role: db\nsize: 3\n", 17);
	take(&args, "fact", "role=web");
	take(&args, "facts", "facts.yaml");
	assert_int_equal(w_cli_facts_load(&args, &facts, &err), WRIT_OK);
	const struct w_expr_scope *scope = w_facts_scope_get(facts);
	const struct w_value *map = scope->root(scope->ctx, W_ROOT_FACTS, &err);
	assert_non_null(map);
	assert_string_equal(
	    w_value_member(map, "role", 4)->as.string.text, "web");
	assert_int_equal(w_value_member(map, "size", 4)->as.integer, 3);
	w_facts_scope_free(facts);
	w_cli_facts_done(&args);
}

static void
facts_that_cannot_be_used_are_refused(void **state)
{
	static const char *const files[] = {"none.yaml", "nul.yaml"};
	struct w_facts_scope *facts = NULL;
	writ_error err;

	(void)state;
	write_text("nul.yaml", "a: \0b\n", 6);
	for (size_t i = 0; i < 2; i++) {
		struct w_fact_args args = {.files = {.count = 0}};

		take(&args, "facts", files[i]);
		assert_int_equal(
		    w_cli_facts_load(&args, &facts, &err), WRIT_E_INVALID);
		assert_non_null(strstr(err.message, files[i]));
		assert_null(facts);
		w_cli_facts_done(&args);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_file_becomes_a_manifest_with_its_directory),
	    cmocka_unit_test(faults_come_with_reading_and_name_the_file),
	    cmocka_unit_test(
		a_file_that_is_not_there_is_an_error_without_faults),
	    cmocka_unit_test(facts_of_files_lie_beneath_assignments),
	    cmocka_unit_test(facts_that_cannot_be_used_are_refused),
	};

	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
