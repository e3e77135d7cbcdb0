/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Inputs of calls. Whatever the bytes are, they become a request whose words
 * no process could be surprised by, or are refused with a message; and a
 * secret is shown by neither.
 *
 * The first byte chooses the module and the strictness, the rest is the input.
 */

#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <writ/module.h>

#include "check.h"

static const char *const ids[] = {
    "fuzz.form", "fuzz.template", "fuzz.open", "fuzz.json"};

static const char bindings[] =
    "spec_version: \"1.0\"\n"
    "bindings:\n"
    "- module_id: fuzz.form\n"
    "  target: exec:///bin/echo sub\n"
    "  json_flag: [--json]\n"
    "  env: {WHO: \"{{args.name}}\"}\n"
    "  input_schema:\n"
    "    type: object\n"
    "    additionalProperties: false\n"
    "    x-apexe-end-of-options: true\n"
    "    properties:\n"
    "      name: {type: string, pattern: \"^[a-z]*$\", default: \"\"}\n"
    "      all: {type: boolean}\n"
    "      count: {type: [integer, \"null\"], maximum: 100}\n"
    "      color: {type: [string, boolean], x-apexe-value-optional: true}\n"
    "      key: {type: [string, array], x-sensitive: true}\n"
    "      when: {type: string, format: date-time, x-apexe-conflicts-with: "
    "[all]}\n"
    "      files: {type: array, items: {type: string}, x-apexe-positional: "
    "0, x-apexe-path: true}\n"
    "- module_id: fuzz.template\n"
    "  command: [/bin/echo, \"{{args.a}}\", {when: args.b, then: [-b, "
    "\"x{{args.b}}\"]}]\n"
    "  stdin: \"{{args.c}}\"\n"
    "  input_schema: {type: object, properties: {a: {}, b: {}, c: {}}}\n"
    "- module_id: fuzz.open\n"
    "  target: exec:///bin/echo\n"
    "  input_schema: {type: object}\n"
    "- module_id: fuzz.json\n"
    "  target: exec:///bin/cat\n"
    "  input: {as: json}\n"
    "  input_schema: {type: object}\n";

static writ_modules *
load(void)
{
	char dir[] = "/tmp/writ-fuzz-XXXXXX";
	char path[64];
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	writ_modules *modules = NULL;
	size_t count;

	CHECK(mkdtemp(dir) != NULL);
	(void)snprintf(path, sizeof(path), "%s/x.binding.yaml", dir);
	FILE *file = fopen(path, "we");
	CHECK(file != NULL && fputs(bindings, file) >= 0);
	CHECK(fclose(file) == 0 && chmod(path, 0600) == 0);
	const char *const dirs[] = {dir, NULL};
	options.dirs = dirs;
	options.only_dirs = true;
	options.no_cache = true;
	CHECK(writ_modules_new(&options, &modules, NULL) == WRIT_OK);
	(void)writ_modules_problems(modules, &count);
	CHECK(count == 0);
	CHECK(unlink(path) == 0 && rmdir(dir) == 0);
	return modules;
}

static void
check_request(writ_call *call)
{
	const writ_request *request = writ_call_request(call);
	char *json = NULL;
	size_t len;

	CHECK(request->argv != NULL && request->argv[0][0] == '/');
	for (size_t i = 0; request->argv[i] != NULL; i++)
		CHECK(strlen(request->argv[i]) < 128 * 1024);
	CHECK(writ_call_preview(call, &json, &len, NULL) == WRIT_OK);
	CHECK(strlen(json) == len);
	free(json);
}

static void
check_problems(const writ_call *call)
{
	size_t count;
	const writ_problem *problems = writ_call_problems(call, &count);

	CHECK(count > 0);
	for (size_t i = 0; i < count; i++)
		CHECK(problems[i].line > 0 && problems[i].message[0] != '\0');
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static writ_modules *modules;
	writ_call_options options = WRIT_CALL_OPTIONS_INIT;
	writ_call *call = NULL;
	writ_error err = {0};

	if (modules == NULL)
		modules = load();
	if (size == 0)
		return 0;
	options.arguments = (writ_arguments)(data[0] / 4 % 3);
	writ_status status = writ_call_new(modules, ids[data[0] % 4],
	    (const char *)data + 1, size - 1, &options, &call, &err);
	if (status == WRIT_OK) {
		check_request(call);
	} else {
		CHECK(status == WRIT_E_INVALID && err.message[0] != '\0');
		if (call != NULL)
			check_problems(call);
	}
	writ_call_free(call);
	return 0;
}
