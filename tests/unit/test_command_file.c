/* SPDX-License-Identifier: Apache-2.0 */
#include "description.h"

#include "temp.h"

#define NAME "prog" W_COMMAND_SUFFIX
#define GOOD "command: prog\neffects: []\n"

static writ_status
read_name(const struct temp *temp, const char *name,
    struct w_command **out_command, writ_error *err)
{
	*err = (writ_error){.message = ""};
	*out_command = NULL;
	return w_command_read_file(temp->fd, name, true, out_command, err);
}

static void
read_ok(const struct temp *temp, const char *name)
{
	struct w_command *command;
	writ_error err;

	if (read_name(temp, name, &command, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	assert_string_equal(w_command_root(command)->name, "prog");
	w_command_free(command);
}

static void
read_refused(const struct temp *temp, const char *name, const char *message,
    const char *hint)
{
	struct w_command *command;
	writ_error err;

	assert_int_equal(read_name(temp, name, &command, &err), WRIT_E_INVALID);
	assert_null(command);
	assert_string_equal(err.message, message);
	assert_non_null(strstr(err.suggestion, hint));
}

static void
a_file_is_called_after_its_command(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0644, GOOD);
	temp_file(temp, "other" W_COMMAND_SUFFIX, 0644, GOOD);
	temp_file(temp, "progs" W_COMMAND_SUFFIX, 0644, GOOD);
	temp_file(temp, "prog.yaml", 0644, GOOD);
	read_ok(temp, NAME);
	read_refused(temp, "other.command.yaml",
	    "'other.command.yaml' describes the command 'prog'",
	    "'prog.command.yaml'");
	read_refused(temp, "progs.command.yaml",
	    "'progs.command.yaml' describes the command 'prog'",
	    "'prog.command.yaml'");
	read_refused(temp, "prog.yaml",
	    "'prog.yaml' describes the command 'prog'", "'prog.command.yaml'");
}

static void
a_file_may_be_json(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0644, "{\"command\":\"prog\",\"effects\":[]}");
	read_ok(temp, NAME);
}

/* What is read is the same as if each set were written out. */
static void
sets_are_what_they_stand_for(void **state)
{
	struct w_command *with =
	    describe("command: prog\n"
		     "sets:\n"
		     "  names: [a, b]\n"
		     "  more: [$names, c]\n"
		     "  value: {about: x, cases: {\"*\": $effects}}\n"
		     "  effects: [read, code]\n"
		     "  rest: {about: y, effects: []}\n"
		     "  always: {lacks: [f], effects: $effects}\n"
		     "also: [z, $more]\n"
		     "options: {-f <path>: $value, -g: costs $5, -h: \"$ 5\"}\n"
		     "effects: [write, $effects]\n"
		     "when: [$always]\n"
		     "commands: {s: $rest, t: $rest}\n"
		     "groups: {}\n"
		     "version: 1a\n");
	struct w_command *without = describe(
	    "command: prog\n"
	    "also: [z, a, b, c]\n"
	    "options: {-f <path>: {about: x, cases: {\"*\": [read, code]}}, "
	    "-g: costs $5, -h: \"$ 5\"}\n"
	    "effects: [write, read, code]\n"
	    "when: [{lacks: [f], effects: [read, code]}]\n"
	    "commands: {s: {about: y, effects: []}, "
	    "t: {about: y, effects: []}}\n"
	    "groups: {}\n"
	    "version: 1a\n");

	(void)state;
	assert_true(yyjson_equals(
	    w_command_description(with), w_command_description(without)));
	w_command_free(without);
	w_command_free(with);
}

static void
sets_are_written_in_json_too(void **state)
{
	struct w_command *command =
	    describe("{\"command\": \"prog\", \"sets\": {\"a\": [\"b\"]}, "
		     "\"effects\": [], \"also\": \"$a\"}");

	(void)state;
	assert_string_equal(w_command_also(command)[0], "b");
	w_command_free(command);
	not_described("{\"command\": \"prog\", \"effects\": [], "
		      "\"also\": \"$a\"}",
	    1, 44, "there is no set 'a'", "");
}

static void
what_others_can_write_is_refused(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, NAME, 0666, GOOD);
	read_refused(temp, NAME, "'" NAME "' can be changed by other users",
	    "chmod go-w");
	assert_int_equal(fchmodat(temp->fd, NAME, 0644, 0), 0);
	read_ok(temp, NAME);
	assert_int_equal(fchmod(temp->fd, 0777), 0);
	read_refused(temp, NAME,
	    "'" NAME "' is in a directory that other users can change",
	    "chmod go-w");
}

static void
what_is_no_file_is_refused(void **state)
{
	const struct temp *temp = *state;

	temp_file(temp, "real", 0644, GOOD);
	temp_link(temp, "real", NAME);
	read_refused(temp, NAME, "'" NAME "' is a symbolic link", "");
	read_refused(
	    temp, "../" NAME, "'../" NAME "' is not the name of a file", "");
	read_refused(temp, "none",
	    "cannot open 'none': No such file or "
	    "directory",
	    "");
}

static void
a_file_that_is_too_large_is_refused(void **state)
{
	const struct temp *temp = *state;
	size_t len = W_COMMAND_BYTES_MAX + 1;
	char *big = malloc(len);
	struct w_command *command = NULL;
	writ_error err = {0};

	assert_non_null(big);
	memset(big, '#', len);
	temp_bytes(temp, NAME, 0644, big, len);
	read_refused(temp, NAME, "'" NAME "' is larger than 1 MiB", "");
	assert_int_equal(w_command_read_text(big, len, true, &command, &err),
	    WRIT_E_INVALID);
	assert_string_equal(
	    err.message, "a description of more than 1048576 bytes");
	free(big);
}

static void
a_fault_is_told_with_its_place(void **state)
{
	const struct temp *temp = *state;
	struct w_command *command;
	writ_error err;

	temp_file(temp, NAME, 0644,
	    "command: prog\neffects: []\noptions:\n  -x <pth>: y\n");
	assert_int_equal(read_name(temp, NAME, &command, &err), WRIT_E_INVALID);
	assert_int_equal(err.line, 4);
	assert_int_equal(err.column, 7);
}

/* The examples of the user's page must be valid. */
static void
the_examples_of_the_page_are_descriptions(void **state)
{
	static char page[1 << 17];
	const char *source = getenv("WRIT_SOURCE");
	char path[512];
	size_t found = 0;

	(void)state;
	if (source == NULL)
		skip();
	(void)snprintf(path, sizeof(path), "%s/docs/commands.md", source);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
	(void)fclose(file);
	for (char *at = page; (at = strstr(at, "```yaml\ncommand:")) != NULL;) {
		char *end = strstr(at + 8, "```");

		assert_non_null(end);
		*end = '\0';
		w_command_free(describe(at + 8));
		found++;
		at = end + 1;
	}
	assert_true(found >= 2);
}

#define WITH_TEMP(test) \
	cmocka_unit_test_setup_teardown(test, temp_set_up, temp_tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    WITH_TEMP(a_file_is_called_after_its_command),
	    WITH_TEMP(a_file_may_be_json),
	    WITH_TEMP(what_others_can_write_is_refused),
	    WITH_TEMP(what_is_no_file_is_refused),
	    WITH_TEMP(a_file_that_is_too_large_is_refused),
	    WITH_TEMP(a_fault_is_told_with_its_place),
	    cmocka_unit_test(sets_are_what_they_stand_for),
	    cmocka_unit_test(sets_are_written_in_json_too),
	    cmocka_unit_test(the_examples_of_the_page_are_descriptions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
