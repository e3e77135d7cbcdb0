/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/yaml.h"
#include "module/binding/binding.h"

static const struct w_json_limits wide = {
    .bytes_max = 1 << 20, .depth_max = W_YAML_DEPTH_MAX};

/* A module, and the tree that it borrows from. */
struct made {
	struct w_yaml *yaml;
	struct w_module *module;
};

static struct made
make(const char *text)
{
	struct made made = {.module = NULL};
	writ_error err = {.message = ""};
	writ_status status =
	    w_yaml_read(text, strlen(text), &wide, &made.yaml, &err);

	if (status == WRIT_OK)
		status = w_module_new(
		    w_yaml_root(made.yaml), &made.module, NULL, &err);
	if (status != WRIT_OK)
		fail_msg("%s in %s", err.message, text);
	return made;
}

static void
done(struct made *made)
{
	w_module_free(made->module);
	w_yaml_free(made->yaml);
}

#define AUTO_MADE __attribute__((cleanup(done)))

/* Refused for this reason at this place, with this text in the suggestion. */
static void
refused_so(const char *text, unsigned line, unsigned column,
    const char *message, const char *suggestion)
{
	struct w_yaml *yaml = NULL;
	struct w_module *module = NULL;
	yyjson_val *at = NULL;
	writ_error err = {.message = ""};
	unsigned at_line;
	unsigned at_column;

	assert_int_equal(
	    w_yaml_read(text, strlen(text), &wide, &yaml, &err), WRIT_OK);
	assert_int_equal(w_module_new(w_yaml_root(yaml), &module, &at, &err),
	    WRIT_E_INVALID);
	assert_null(module);
	assert_string_equal(err.message, message);
	if (strstr(err.suggestion, suggestion) == NULL)
		fail_msg("'%s' has no '%s'", err.suggestion, suggestion);
	assert_non_null(at);
	w_yaml_place(yaml, at, &at_line, &at_column);
	assert_int_equal(at_line, line);
	assert_int_equal(at_column, column);
	assert_int_equal(w_module_new(w_yaml_root(yaml), &module, NULL, NULL),
	    WRIT_E_INVALID);
	w_yaml_free(yaml);
}

/* The same for a module that is valid except for this last line. */
static void
refused_line(const char *last, unsigned column, const char *message,
    const char *suggestion)
{
	char text[1000];

	(void)snprintf(text, sizeof(text),
	    "module_id: cli.a\ntarget: exec://a\n%s\n", last);
	refused_so(text, 3, column, message, suggestion);
}

static void
little_is_enough(void **state)
{
	AUTO_MADE struct made made =
	    make("{module_id: cli.git.log, target: 'exec:///bin/git log'}");
	const struct w_module *module = made.module;

	(void)state;
	assert_string_equal(module->id, "cli.git.log");
	assert_int_equal(module->words.count, 2);
	assert_string_equal(module->words.items[0], "/bin/git");
	assert_string_equal(module->words.items[1], "log");
	assert_string_equal(module->description, "");
	assert_null(module->documentation);
	assert_null(module->command);
	assert_non_null(module->grammar);
	assert_int_equal(module->grammar->count, 0);
	assert_false(module->grammar->is_open);
	assert_true(yyjson_is_obj(module->input_schema));
	assert_null(module->output_schema);
	assert_int_equal(module->timeout_ms, 0);
	assert_int_equal(module->output_as, W_OUTPUT_TEXT);
	assert_true(w_module_is_success(module, 0));
	assert_false(w_module_is_success(module, 1));
	assert_false(w_module_is_success(module, -1));
	assert_false(w_module_is_success(module, 256));
	/* Without annotations a module may do anything. */
	assert_true(module->annotations.requires_approval);
	assert_true(module->annotations.is_open_world);
	assert_false(module->annotations.is_readonly);
}

static void
everything_can_be_said(void **state)
{
	AUTO_MADE struct made made = make(
	    "module_id: cli.tool.sub\n"
	    "target: exec:///opt/tool sub\n"
	    "argv: [/opt/tool, sub]\n"
	    "description: Does it\n"
	    "documentation: |\n  Long\n  text\n"
	    "tags: [cli, tool]\n"
	    "version: \"2.0\"\n"
	    "annotations: {readonly: true, idempotent: true, "
	    "open_world: false}\n"
	    "examples: [{title: t, description: d, inputs: {a: 1}, "
	    "output: {}}]\n"
	    "metadata: {scan_tier: 2, x-mine: [1], display: {alias: a}}\n"
	    "display: {alias: b}\n"
	    "input_schema: {type: object, properties: {a: {type: integer}}}\n"
	    "output_schema: {type: object}\n"
	    "timeout: 1m30s\n"
	    "json_flag: [--format, json]\n"
	    "output: {as: resource, mime_type: text/csv, uri: 'file:///x'}\n"
	    "success: [0, 1, 255]\n"
	    "input: {as: arguments}\n"
	    "cwd: /srv\n"
	    "stdin: text\n"
	    "env: {A: b, C: ''}\n"
	    "env_mode: clean\n"
	    "env_pass: [LC_*]\n"
	    "sandbox: strict\n"
	    "network: off\n");
	const struct w_module *module = made.module;

	(void)state;
	assert_string_equal(module->documentation, "Long\ntext\n");
	assert_string_equal(module->version, "2.0");
	assert_int_equal(yyjson_arr_size(module->tags), 2);
	assert_int_equal(module->timeout_ms, 90000);
	assert_int_equal(module->json_flag.count, 2);
	assert_int_equal(module->output_as, W_OUTPUT_RESOURCE);
	assert_string_equal(module->mime_type, "text/csv");
	assert_string_equal(module->uri, "file:///x");
	assert_true(w_module_is_success(module, 255));
	assert_false(w_module_is_success(module, 2));
	assert_string_equal(module->cwd, "/srv");
	assert_string_equal(module->stdin_text, "text");
	assert_int_equal(yyjson_obj_size(module->env), 2);
	assert_string_equal(module->env_mode, "clean");
	assert_int_equal(yyjson_arr_size(module->env_pass), 1);
	assert_string_equal(module->sandbox, "strict");
	assert_string_equal(module->network, "off");
	assert_true(module->annotations.is_readonly);
	assert_true(module->annotations.is_idempotent);
	assert_false(module->annotations.is_open_world);
	assert_false(module->annotations.requires_approval);
	assert_int_equal(module->grammar->count, 1);
}

static void
null_says_nothing(void **state)
{
	AUTO_MADE struct made made = make(
	    "{module_id: cli.a, target: 'exec://a', documentation: null, "
	    "annotations: null, examples: ~, timeout: null, json_flag: null, "
	    "input_schema: null, command: null, success: null}");

	(void)state;
	assert_null(made.module->documentation);
	assert_true(made.module->annotations.requires_approval);
	assert_true(w_module_is_success(made.module, 0));
}

static void
what_destroys_needs_approval_unless_it_says_otherwise(void **state)
{
	AUTO_MADE struct made by_itself =
	    make("{module_id: cli.a, target: 'exec://a', "
		 "annotations: {destructive: true}}");
	AUTO_MADE struct made otherwise =
	    make("{module_id: cli.a, target: 'exec://a', annotations: "
		 "{destructive: true, requires_approval: false}}");

	(void)state;
	assert_true(by_itself.module->annotations.requires_approval);
	assert_false(otherwise.module->annotations.requires_approval);
	refused_line("annotations: {readonly: true, destructive: true}", 44,
	    "annotations say both readonly and destructive", "");
}

static void
unknown_keys_are_refused_with_what_was_meant(void **state)
{
	(void)state;
	refused_line("descripton: x", 1, "unknown key 'descripton'",
	    "did you mean 'description'?");
	refused_line("annotations: {read_only: true}", 15,
	    "unknown key 'read_only'", "did you mean 'readonly'?");
	refused_line("metadata: {binary: x}", 12, "unknown key 'binary'", "");
	refused_line("output: {type: json}", 10, "unknown key 'type'", "");
	refused_line(
	    "input: {was: json}", 9, "unknown key 'was'", "did you mean 'as'?");
	refused_line("examples: [{titel: x}]", 13, "unknown key 'titel'",
	    "did you mean 'title'?");
}

static void
wrong_types_say_what_was_wanted_and_found(void **state)
{
	(void)state;
	refused_line(
	    "version: 1.5", 10, "version must be text, not a number", "quotes");
	refused_line(
	    "description: [a]", 14, "description must be text, not a list", "");
	refused_line(
	    "tags: cli", 7, "tags must be a list, not text", "[ ... ]");
	refused_line("tags: [cli, 5]", 13, "tags[1] must be text, not a number",
	    "quotes");
	refused_line(
	    "annotations: []", 14, "annotations must be a map, not a list", "");
	refused_line("annotations: {readonly: yes}", 25,
	    "readonly must be true or false, not text", "");
	refused_line("annotations: {cache_ttl: -1}", 26,
	    "cache_ttl must be a number of seconds, not a number", "");
	refused_line("input_schema: true", 15,
	    "input_schema must be a map, not true", "");
	refused_line("output_schema: 1", 16,
	    "output_schema must be a map, not a number", "");
	refused_line("env: {A: 1}", 10,
	    "the value of a variable must be text, not a number", "quotes");
	refused_line(
	    "env: {A=B: x}", 7, "'A=B' cannot be the name of a variable", "");
	refused_line(
	    "env: {'': x}", 7, "'' cannot be the name of a variable", "");
	refused_line("env: {A: \"a\\0b\"}", 10,
	    "the value of 'A' contains a NUL byte", "");
	refused_line("cwd: \"a\\0b\"", 6, "cwd contains a NUL byte", "");
	refused_line("json_flag: 5", 12,
	    "json_flag must be text or a list of words, not a number", "");
	refused_line("json_flag: \"'a\"", 12,
	    "json_flag: this single quote is never closed", "");
	refused_line(
	    "examples: [5]", 12, "an example must be a map, not a number", "");
	refused_so("[a]", 1, 1, "a binding must be a map, not a list", "");
}

static void
words_are_one_of_a_few(void **state)
{
	(void)state;
	refused_line("network: of", 10,
	    "network is 'of'; it can be: default, off, loopback, host, hosts",
	    "did you mean 'off'?");
	refused_line("env_mode: none", 11,
	    "env_mode is 'none'; it can be: minimal, clean, isolated, inherit",
	    "");
	refused_line("output: {as: jsn}", 14,
	    "as is 'jsn'; it can be: text, json, image, audio, resource",
	    "did you mean 'json'?");
	refused_line("input: {as: stdin}", 13,
	    "as is 'stdin'; it can be: arguments, json", "");
}

static void
an_id_and_something_to_run_are_needed(void **state)
{
	(void)state;
	refused_so("target: exec://a\n", 1, 1, "there is no module_id",
	    "cli.git.commit");
	refused_so("module_id: Cli.Git\ntarget: exec://a\n", 1, 12,
	    "'Cli.Git' is not the id of a module: segments of a-z, 0-9 and _ "
	    "that begin with a letter, with dots between them",
	    "did you mean 'cli.git'?");
	refused_so("module_id: cli.a\n", 1, 1,
	    "there is no target, argv or command", "target");
	refused_so("module_id: cli.a\ntarget: invalid\n", 2, 9,
	    "Invalid target format: invalid", "exec:///");
	refused_so("module_id: cli.a\ntarget: exec://\n", 2, 9,
	    "Invalid target format: exec://", "exec:///");
	refused_so("module_id: cli.a\nargv: []\n", 2, 7,
	    "argv is empty; its first word is the program", "");
	refused_so("module_id: cli.a\nargv: [a/b]\n", 2, 8,
	    "the program 'a/b' would depend on the working directory",
	    "absolute path");
}

static void
argv_and_target_must_agree(void **state)
{
	AUTO_MADE struct made blanks =
	    make("{module_id: cli.a, target: 'exec:///my tools/a b', "
		 "argv: [/my tools/a, b]}");
	AUTO_MADE struct made alone =
	    make("{module_id: cli.a, argv: [sh, -c, \"echo\\n\", '']}");

	(void)state;
	assert_int_equal(blanks.module->words.count, 2);
	assert_string_equal(blanks.module->words.items[0], "/my tools/a");
	assert_int_equal(alone.module->words.count, 4);
	assert_string_equal(alone.module->words.items[3], "");
	refused_line(
	    "argv: [a, b]", 7, "argv is 'a b', but target says 'a'", "agree");
}

static void
json_flags_may_stand_in_two_places(void **state)
{
	AUTO_MADE struct made text =
	    make("{module_id: cli.a, target: "
		 "'exec://a', json_flag: '-o \"a b\"'}");
	AUTO_MADE struct made theirs =
	    make("{module_id: cli.a, target: 'exec://a', "
		 "metadata: {json_flag: '--format json'}}");
	AUTO_MADE struct made both =
	    make("{module_id: cli.a, target: 'exec://a', json_flag: "
		 "[--format, json], metadata: {json_flag: '--format json'}}");

	(void)state;
	assert_int_equal(text.module->json_flag.count, 2);
	assert_string_equal(text.module->json_flag.items[1], "a b");
	assert_int_equal(text.module->output_as, W_OUTPUT_JSON);
	assert_int_equal(theirs.module->json_flag.count, 2);
	assert_int_equal(both.module->json_flag.count, 2);
	refused_line("json_flag: a\nmetadata: {json_flag: b}", 12,
	    "json_flag and metadata.json_flag differ", "");
	refused_line("metadata: {json_flag: [b]}", 23,
	    "metadata.json_flag must be text, not a list", "");
}

static void
declared_commands_have_places(void **state)
{
	AUTO_MADE struct made made = make(
	    "module_id: cli.a\n"
	    "command: [tool, -q, '{{args.x}}', {when: args.x, then: [-v]}]\n"
	    "input_schema: {type: object, properties: {x: {type: string}}}\n");
	const struct w_module *module = made.module;

	(void)state;
	assert_non_null(module->command);
	assert_int_equal(module->words.count, 2);
	assert_string_equal(module->words.items[1], "-q");
	refused_so("module_id: cli.a\ntarget: exec://a\ncommand: [a]\n", 2, 9,
	    "'command' and 'target' cannot be given together", "");
	refused_so("module_id: cli.a\ncommand: [a]\njson_flag: --json\n", 3, 12,
	    "'command' and 'json_flag' cannot be given together",
	    "output: {as: json}");
	refused_so("module_id: cli.a\ncommand: [./a]\n", 2, 11,
	    "the program './a' would depend on the working directory", "");
}

static void
places_name_arguments_that_there_are(void **state)
{
	AUTO_MADE struct made made =
	    make("module_id: cli.a\n"
		 "command: [a]\n"
		 "stdin: '{{args.x}}'\n"
		 "cwd: '/srv/{{args.x}}'\n"
		 "env: {A: 'x{{args.x}}', B: plain}\n"
		 "input_schema: {properties: {x: {type: string}}, "
		 "additionalProperties: false}\n");

	(void)state;
	assert_string_equal(made.module->stdin_text, "{{args.x}}");
	refused_line("stdin: '{{args.y}}'", 8,
	    "stdin: in '{{args.y}}': there is no argument 'y'", "");
	refused_line("cwd: 'a{{'", 6,
	    "cwd: in 'a{{': no \"args.\" in the place at character 2", "");
	refused_line("env: {A: '{{args.y}}'}", 10,
	    "A: in '{{args.y}}': there is no argument 'y'", "");
}

static void
timeouts_and_codes_have_bounds(void **state)
{
	AUTO_MADE struct made made =
	    make("{module_id: cli.a, target: 'exec://a', timeout: 1500}");

	(void)state;
	assert_int_equal(made.module->timeout_ms, 1500);
	refused_line("timeout: 0", 10, "timeout must not be 0", "leave it out");
	refused_line("timeout: 0s", 10, "timeout must not be 0", "");
	refused_line("timeout: 99999999999999", 10,
	    "timeout is longer than 10 years", "");
	refused_line("timeout: -1", 10,
	    "timeout must be text like 30s, or milliseconds, not a number", "");
	refused_line("timeout: [1]", 10,
	    "timeout must be text like 30s, or milliseconds, not a list", "");
	refused_line("success: []", 10,
	    "success is empty: no end would be a good one", "");
	refused_line("success: [0, 256]", 14,
	    "success[1] must be an exit code from 0 to 255", "");
	refused_line("success: [-1]", 11,
	    "success[0] must be an exit code from 0 to 255", "");
}

static void
outputs_say_what_they_are(void **state)
{
	AUTO_MADE struct made made =
	    make("{module_id: cli.a, target: 'exec://a', "
		 "output: {as: image, mime_type: image/png}}");
	AUTO_MADE struct made by_its_bytes =
	    make("{module_id: cli.a, target: 'exec://a', output: {as: audio}}");

	(void)state;
	assert_int_equal(by_its_bytes.module->output_as, W_OUTPUT_AUDIO);
	assert_null(by_its_bytes.module->mime_type);
	assert_int_equal(made.module->output_as, W_OUTPUT_IMAGE);
	assert_string_equal(made.module->mime_type, "image/png");
	refused_line("output: {as: json, mime_type: a/b}", 31,
	    "output: mime_type goes with image, audio and resource", "");
	refused_line("output: {as: audio, mime_type: wav}", 32,
	    "output: a mime_type is like image/png", "");
	refused_line(
	    "output: {uri: x}", 15, "output: uri goes with resource", "");
}

static void
standard_input_is_one_thing(void **state)
{
	AUTO_MADE struct made made =
	    make("{module_id: cli.a, target: 'exec://a', input: {as: json}}");

	(void)state;
	assert_true(made.module->wants_json_input);
	refused_so("module_id: cli.a\ntarget: exec://a\nstdin: x\n"
		   "input: {as: json}\n",
	    3, 8, "standard input cannot be both stdin and the input as JSON",
	    "");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(little_is_enough),
	    cmocka_unit_test(everything_can_be_said),
	    cmocka_unit_test(null_says_nothing),
	    cmocka_unit_test(
		what_destroys_needs_approval_unless_it_says_otherwise),
	    cmocka_unit_test(unknown_keys_are_refused_with_what_was_meant),
	    cmocka_unit_test(wrong_types_say_what_was_wanted_and_found),
	    cmocka_unit_test(words_are_one_of_a_few),
	    cmocka_unit_test(an_id_and_something_to_run_are_needed),
	    cmocka_unit_test(argv_and_target_must_agree),
	    cmocka_unit_test(json_flags_may_stand_in_two_places),
	    cmocka_unit_test(declared_commands_have_places),
	    cmocka_unit_test(places_name_arguments_that_there_are),
	    cmocka_unit_test(timeouts_and_codes_have_bounds),
	    cmocka_unit_test(outputs_say_what_they_are),
	    cmocka_unit_test(standard_input_is_one_thing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
