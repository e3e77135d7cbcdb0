/* SPDX-License-Identifier: Apache-2.0 */

/* Source locations in a manifest, and what its expressions can refer to. */

#include "manifesting.h"

#include <sys/stat.h>
#include <unistd.h>

static const char text[] = "data: { port: 80 }\n"
			   "ccm:\n"
			   "  resources:\n"
			   "    - exec:\n"
			   "        name: a\n"
			   "        command: b {{ 7 }}\n"
			   "        cwd: '/c {{ 7 }}'\n"
			   "        stdin: \"a\\tb {{ 7 }}\"\n"
			   "        creates: |\n"
			   "          d {{ 7 }}\n"
			   "        removes:\n"
			   "          - >\n"
			   "            e\n"
			   "            f {{ 7 }}\n"
			   "          - 'it''s\n"
			   "            {{ 7 }}'\n"
			   "          - |2-\n"
			   "              {{ 7 }}\n"
			   "          - \"\\x41 {{ 7 }}\"\n";

static void
check_place(const struct w_manifest *manifest,
    const struct w_property *property, unsigned line, unsigned column)
{
	const char *at = strchr(property->template.text, '7');
	writ_error err = {.status = WRIT_E_INVALID};

	err.line = 1;
	err.column = (unsigned)(at - property->template.text) + 1;
	w_manifest_locate(
	    manifest, &property->at, property->template.text, &err);
	assert_int_equal(err.line, line);
	assert_int_equal(err.column, column);
}

static void
places_in_texts_are_places_in_the_document(void **state)
{
	struct w_manifest *manifest = manifest_of(text);
	const struct w_exec_resource *exec = &manifest->resources[0].as.exec;

	(void)state;
	check_place(manifest, &exec->command.line, 6, 23);
	check_place(manifest, &exec->settings->cwd, 7, 21);
	/* Escapes, blocks and folded lines are followed. */
	check_place(manifest, &exec->settings->stdin_text, 8, 25);
	check_place(manifest, &exec->creates.items[0], 10, 16);
	check_place(manifest, &exec->guards->removes.items[0], 14, 18);
	check_place(manifest, &exec->guards->removes.items[1], 16, 16);
	/* What cannot be followed has the location of its start. */
	check_place(manifest, &exec->guards->removes.items[2], 17, 13);
	check_place(manifest, &exec->guards->removes.items[3], 19, 13);
	w_manifest_free(manifest);
}

/* ---- scope ---- */

static char dir[64];

static int
make_files(void **state)
{
	char path[96];

	(void)state;
	(void)snprintf(dir, sizeof(dir), "/tmp/writ-manifest-XXXXXX");
	if (mkdtemp(dir) == NULL)
		return -1;
	(void)snprintf(path, sizeof(path), "%s/here", dir);
	FILE *file = fopen(path, "we");
	if (file == NULL)
		return -1;
	(void)fputs("found\n", file);
	(void)fclose(file);
	(void)snprintf(path, sizeof(path), "%s/binary", dir);
	file = fopen(path, "we");
	if (file == NULL)
		return -1;
	(void)fwrite("a\0b", 1, 3, file);
	(void)fclose(file);
	(void)snprintf(path, sizeof(path), "%s/pipe", dir);
	return mkfifo(path, 0600);
}

static int
remove_files(void **state)
{
	static const char *const names[] = {"here", "binary", "pipe"};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[96];

		(void)snprintf(path, sizeof(path), "%s/%s", dir, names[i]);
		(void)unlink(path);
	}
	return rmdir(dir);
}

static const char *
read_file(const char *path)
{
	static char said[400];
	struct w_manifest *manifest = manifest_of(
	    "data: { port: 80 }\nccm: { resources: [exec: { name: a }] }\n");
	struct w_manifest_scope scope;
	struct w_arena arena = {.chunks = NULL};
	struct w_value value;
	writ_error err = {.status = WRIT_OK};

	manifest->dir = dir;
	w_manifest_scope_init(&scope, manifest, &manifest_test_scope);
	if (scope.scope.read_file(
		scope.scope.ctx, path, &arena, &value, &err) == WRIT_OK)
		(void)snprintf(said, sizeof(said), "%s", value.as.string.text);
	else
		(void)snprintf(said, sizeof(said), "%s", err.message);
	w_arena_done(&arena);
	w_manifest_free(manifest);
	return said;
}

static void
files_are_read_beside_the_manifest(void **state)
{
	char path[96];
	char wanted[300];

	(void)state;
	assert_string_equal(read_file("here"), "found\n");
	assert_string_equal(read_file("./here"), "found\n");
	(void)snprintf(path, sizeof(path), "%s/here", dir);
	assert_string_equal(read_file(path), "found\n");
	(void)snprintf(wanted, sizeof(wanted),
	    "cannot read '%s/gone': No such file or directory", dir);
	assert_string_equal(read_file("gone"), wanted);
	assert_string_equal(read_file("../x"),
	    "'../x' leads out of the directory of the manifest");
	assert_string_equal(read_file("binary"), "'binary' is not a text");
	(void)snprintf(
	    wanted, sizeof(wanted), "'%s/pipe' is not a regular file", dir);
	assert_string_equal(read_file("pipe"), wanted);
	(void)snprintf(
	    wanted, sizeof(wanted), "'%s/.' is not a regular file", dir);
	assert_string_equal(read_file("."), wanted);
}

/* Otherwise the owner of a directory could make root read files for him. */
static void
links_that_others_can_have_put_there_are_not_followed(void **state)
{
	char path[96];
	char wanted[300];

	(void)state;
	(void)snprintf(path, sizeof(path), "%s/link", dir);
	assert_int_equal(symlink("here", path), 0);
	assert_string_equal(read_file("link"), "found\n");
	if (geteuid() != 0) {
		(void)unlink(path);
		skip();
	}
	assert_int_equal(lchown(path, 65534, 65534), 0);
	(void)snprintf(wanted, sizeof(wanted),
	    "'%s/link' goes through a link that another user can have put "
	    "there",
	    dir);
	const char *said = read_file("link");
	(void)unlink(path);
	assert_string_equal(said, wanted);
}

static void
a_scope_has_the_data_of_the_manifest(void **state)
{
	struct w_manifest *manifest = manifest_of(
	    "data: { port: 80 }\nccm: { resources: [exec: { name: a }] }\n");
	struct w_manifest_scope scope;
	const struct w_value *data;
	const struct w_value *facts;

	(void)state;
	w_manifest_scope_init(&scope, manifest, &manifest_test_scope);
	data = scope.scope.root(scope.scope.ctx, W_ROOT_DATA, NULL);
	facts = scope.scope.root(scope.scope.ctx, W_ROOT_FACTS, NULL);
	assert_int_equal(w_value_member(data, "port", 4)->as.integer, 80);
	assert_non_null(w_value_member(facts, "os", 2));
	w_manifest_free(manifest);
}

static void
long_names_are_found_too(void **state)
{
	char name[1000];
	char document[1200];

	(void)state;
	memset(name, 'a', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	(void)snprintf(document, sizeof(document),
	    "ccm: { resources: [exec: { name: %s }] }", name);
	struct w_manifest *manifest = manifest_of(document);
	assert_int_equal(w_manifest_find(manifest, "exec", name, 1), 0);
	assert_true(
	    w_manifest_find(manifest, "exec", name + 1, 1) == W_NO_TARGET);
	w_manifest_free(manifest);
}

int
main(void)
{
	static const struct CMUnitTest tests[] = {
	    cmocka_unit_test(places_in_texts_are_places_in_the_document),
	    cmocka_unit_test_setup_teardown(
		files_are_read_beside_the_manifest, make_files, remove_files),
	    cmocka_unit_test_setup_teardown(
		links_that_others_can_have_put_there_are_not_followed,
		make_files, remove_files),
	    cmocka_unit_test(a_scope_has_the_data_of_the_manifest),
	    cmocka_unit_test(long_names_are_found_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
