/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Modules and policies in memory, by their public entry points. Whatever the
 * text is, it is read, or its faults have a place in it.
 *
 * The first byte chooses which of the two the rest is.
 */

#include <writ/module.h>
#include <writ/policy.h>

#include "check.h"

/* A carriage return, and some characters beyond ASCII, break lines in YAML. */
static unsigned
count_lines(const char *text, size_t len)
{
	unsigned lines = 1;

	for (size_t i = 0; i < len; i++)
		lines += text[i] == '\n' || text[i] == '\r' ||
			 (unsigned char)text[i] >= 0x80;
	return lines;
}

static void
try_modules(const char *text, size_t len)
{
	writ_modules_options options = WRIT_MODULES_OPTIONS_INIT;
	writ_modules *modules = NULL;
	size_t count = 0;

	options.text = text;
	options.text_len = len;
	options.only_dirs = true;
	options.no_cache = true;
	CHECK(writ_modules_new(&options, &modules, NULL) == WRIT_OK);
	const writ_module_problem *problems =
	    writ_modules_problems(modules, &count);
	CHECK(count + writ_modules_count(modules) > 0 ||
	      writ_modules_count(modules) == 0);
	for (size_t i = 0; i < count; i++) {
		CHECK(strcmp(problems[i].file, "memory") == 0);
		CHECK(problems[i].error.line <= count_lines(text, len) + 1);
		CHECK(problems[i].error.message[0] != '\0');
	}
	for (size_t i = 0; i < writ_modules_count(modules); i++) {
		const writ_module *module = writ_modules_at(modules, i);
		writ_call *call = NULL;

		CHECK(strcmp(module->file, "memory") == 0);
		(void)writ_call_new(
		    modules, module->id, "{}", 2, NULL, &call, NULL);
		writ_call_free(call);
	}
	writ_modules_free(modules);
}

static void
try_policy(const char *text, size_t len)
{
	static writ_config *config;
	writ_policy_options options = WRIT_POLICY_OPTIONS_INIT;
	char *json = NULL;
	size_t json_len = 0;

	if (config == NULL)
		CHECK(writ_config_new(&config, NULL) == WRIT_OK);
	options.text = text;
	options.text_len = len;
	options.cwd = "/";
	if (writ_policy_look(config, WRIT_POLICY_CHECK, &options, &json,
		&json_len, NULL) != WRIT_OK)
		return;
	CHECK(w_utf8_valid(json, json_len));
	free(json);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0 || size > 65536)
		return 0;
	/* The library is given no NUL behind the text. */
	char *text = malloc(size);
	CHECK(text != NULL);
	memcpy(text, data + 1, size - 1);
	if (data[0] % 2 == 0)
		try_modules(text, size - 1);
	else
		try_policy(text, size - 1);
	free(text);
	return 0;
}
