/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Command lines over a fixed set of descriptions. A first byte 's': the rest is
 * a shell string; else lines are words. Whatever the words are: every place
 * lies in them, effects are the sum of what is touched and run, what is not
 * understood inside is not understood outside, the JSON is JSON, and the same
 * words behind "env" mean the same.
 */

#include "check.h"

#include "../tests/unit/sample_descriptions.h"

#define WORDS_MAX 64

static unsigned
sum_of(const struct w_analysis *analysis)
{
	const unsigned files = W_EFFECT_READ | W_EFFECT_WRITE | W_EFFECT_DELETE;
	unsigned sum = 0;

	for (size_t i = 0; i < analysis->touch_count; i++)
		sum |= analysis->touches[i].effect;
	for (size_t i = 0; i < analysis->inner_count; i++) {
		bool is_remote = (analysis->inner[i].how & W_INNER_REMOTE) != 0;

		sum |= analysis->inner[i].analysis->effects &
		       ~(is_remote ? files : 0U);
	}
	return sum;
}

static void
check_touch(const struct w_analysis *analysis, const struct w_touch *touch)
{
	CHECK(touch->effect != 0 && (touch->effect & (touch->effect - 1)) == 0);
	CHECK(touch->word <= analysis->argc);
	CHECK(touch->target != NULL || touch->len == 0);
	CHECK(touch->kind != W_TOUCH_UNNAMED || touch->target == NULL);
	if (touch->target != NULL)
		CHECK(memchr(touch->target, '\0', touch->len) == NULL);
}

static void
check_places(const struct w_analysis *analysis)
{
	for (size_t i = 0; i < analysis->touch_count; i++)
		check_touch(analysis, &analysis->touches[i]);
	for (size_t i = 0; i < analysis->secret_count; i++) {
		const struct w_secret_place *place = &analysis->secrets[i];
		CHECK(analysis->shell != NULL ? place->word == 0
					      : place->word < analysis->argc);
		const char *word = analysis->shell != NULL
				       ? analysis->shell
				       : analysis->argv[place->word];
		CHECK(place->offset <= strlen(word));
		CHECK(place->len <= strlen(word) - place->offset);
	}
	if (analysis->is_understood)
		return;
	CHECK(analysis->reason != NULL);
	check_line(analysis->reason, 320);
	CHECK(analysis->reason_word <= analysis->argc);
	if (analysis->reason_word < analysis->argc)
		CHECK(analysis->reason_offset <=
		      strlen(analysis->argv[analysis->reason_word]));
}

static void
check_analysis(const struct w_analysis *analysis)
{
	CHECK(analysis->effects == sum_of(analysis));
	check_places(analysis);
	for (size_t i = 0; i < analysis->inner_count; i++) {
		const struct w_analysis *inner = analysis->inner[i].analysis;

		CHECK(!analysis->is_understood || inner->is_understood);
		CHECK(analysis->inner[i].word <= analysis->argc);
		check_analysis(inner);
	}
}

static void
check_json(const struct w_analysis *analysis)
{
	W_AUTO_BUF struct w_buf json;

	w_buf_init(&json, 64 * 1024 * 1024);
	w_analysis_add_json(&json, analysis);
	CHECK(!json.failed);
	yyjson_doc *doc = yyjson_read(json.data, json.len, 0);
	CHECK(doc != NULL);
	yyjson_val *root = yyjson_doc_get_root(doc);
	CHECK(yyjson_is_bool(yyjson_obj_get(root, "understood")));
	CHECK(yyjson_is_arr(yyjson_obj_get(root, "touches")));
	yyjson_doc_free(doc);
}

static struct w_analysis *
analysis_of(const struct w_analysis_input *input)
{
	struct w_analysis *analysis = NULL;

	CHECK(w_analysis_new(&known_source, input, &analysis, NULL) == WRIT_OK);
	check_analysis(analysis);
	check_json(analysis);
	return analysis;
}

static void
try_words(const char **argv, size_t argc)
{
	const char *wrapped[WORDS_MAX + 2] = {"env", "--"};
	const struct w_analysis_input plain = {.argv = argv, .argc = argc};
	const struct w_analysis_input behind = {
	    .argv = wrapped, .argc = argc + 2};

	memcpy(wrapped + 2, argv, argc * sizeof(*argv));
	struct w_analysis *analysis = analysis_of(&plain);
	struct w_analysis *same = analysis_of(&behind);
	/* To env a word with '=' in it is a variable. */
	if (argc > 0 && strchr(argv[0], '=') == NULL) {
		CHECK(same->effects == analysis->effects);
		CHECK(same->is_understood == analysis->is_understood ||
		      strstr(same->reason, "too deep") != NULL);
	}
	w_analysis_free(analysis);
	w_analysis_free(same);
}

static void
try_lines(char *text)
{
	const char *argv[WORDS_MAX];
	size_t argc = 0;

	while (argc < WORDS_MAX && *text != '\0') {
		char *end = text + strcspn(text, "\n");
		bool is_last = *end == '\0';

		*end = '\0';
		argv[argc++] = text;
		text = is_last ? end : end + 1;
	}
	try_words(argv, argc);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);

	if (known[0] == NULL)
		CHECK(read_known(NULL) == 0);
	if (text[0] == 's') {
		const struct w_analysis_input input = {.shell = text + 1};
		w_analysis_free(analysis_of(&input));
	} else {
		try_lines(text);
	}
	free(text);
	return 0;
}
