/* SPDX-License-Identifier: Apache-2.0 */

/* The words of a call: whatever they are, the input that comes of them is a
 * JSON object, and a text arrives in it as it was. */

#include "cli/call/call_input.h"

#include <yyjson.h>

#include "base/auto.h"
#include "base/error.h"
#include "check.h"

#define WORDS_MAX 64

static const writ_parameter parameters[] = {
    {.name = "all", .flag = "-a", .type = "boolean", .operand = -1},
    {.name = "max_count", .flag = "-n", .type = "integer", .operand = -1},
    {.name = "message", .flag = "-m", .type = "string", .operand = -1},
    {.name = "color",
	.flag = "--color",
	.type = "string|boolean",
	.is_value_optional = true,
	.operand = -1},
    {.name = "sizes",
	.flag = "-s",
	.type = "array",
	.items = "number",
	.operand = -1},
    {.name = "where", .flag = "-w", .type = "object", .operand = -1},
    {.name = "from", .type = "array", .items = "string", .operand = 0},
    {.name = "to", .type = "string|integer", .operand = 1},
};

static const struct w_option options[] = {{.name = ""}};
static const struct w_cli_command command = {
    .name = "call", .options = options};

/* "--message" behind which a word stands is that word. */
static void
check_message(const struct w_call_words *words, yyjson_val *root)
{
	for (size_t i = 0; i < words->given_count; i++) {
		const struct w_call_given *given = &words->given[i];

		if (given->parameter == 2)
			CHECK(yyjson_equals_str(
			    yyjson_obj_get(root, "message"), given->text));
	}
}

static void
check_input(const struct w_call_words *words)
{
	bool is_verbatim = false;
	writ_error err;
	W_AUTO_BUF struct w_buf out;

	w_buf_init(&out, 1 << 20);
	writ_status status = w_cli_call_input(words, words->json,
	    words->json == NULL ? 0 : strlen(words->json), &out, &is_verbatim,
	    &err);
	if (status != WRIT_OK) {
		check_error(&err, status);
		return;
	}
	if (is_verbatim) {
		CHECK(strcmp(out.data, words->json) == 0);
		return;
	}
	yyjson_doc *doc =
	    yyjson_read(out.data, out.len, YYJSON_READ_NUMBER_AS_RAW);
	CHECK(yyjson_is_obj(yyjson_doc_get_root(doc)));
	check_message(words, yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);
	const char *argv[WORDS_MAX];
	struct w_call_given given[WORDS_MAX + 1];
	struct w_call_words words = {
	    .command = &command,
	    .id = "cli.cp",
	    .parameters = parameters,
	    .count = sizeof(parameters) / sizeof(parameters[0]),
	    .given = given,
	};
	size_t start = 0;
	int argc = 0;
	writ_error err;

	/* Each word ends with a NUL; what has none at the end is no word. */
	for (size_t i = 0; i < size && argc < WORDS_MAX; i++) {
		if (text[i] != '\0')
			continue;
		argv[argc++] = text + start;
		start = i + 1;
	}
	writ_status status = w_cli_call_words_read(&words, argc, argv, &err);
	CHECK(words.given_count <= (size_t)argc);
	if (status != WRIT_OK)
		check_error(&err, status);
	else if (!words.wants_help)
		check_input(&words);
	free(text);
	return 0;
}
