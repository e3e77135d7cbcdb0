/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What rendering costs: ten options of a form become an argv, which is then
 * freed. The floor is the least that such an argv can cost: the same words,
 * known beforehand, copied one by one and freed.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command/render/render.h"
#include "shots.h"

enum {
	BATCH = 1000
};

static const char schema_text[] =
    "{\"type\":\"object\",\"additionalProperties\":false,\"properties\":{"
    "\"max_count\":{\"type\":\"integer\",\"x-apexe-flag\":\"-n\"},"
    "\"since\":{\"type\":\"string\"},"
    "\"until\":{\"type\":\"string\"},"
    "\"author\":{\"type\":\"string\"},"
    "\"oneline\":{\"type\":\"boolean\"},"
    "\"graph\":{\"type\":\"boolean\"},"
    "\"format\":{\"type\":\"string\",\"x-writ-attach\":\"equals\"},"
    "\"grep\":{\"type\":\"array\",\"items\":{\"type\":\"string\"}},"
    "\"color\":{\"type\":[\"string\",\"boolean\"],"
    "\"x-apexe-value-optional\":true},"
    "\"directory\":{\"type\":\"string\",\"x-apexe-flag\":\"-C\","
    "\"x-apexe-flag-position\":\"before-subcommand\"},"
    "\"path\":{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
    "\"x-apexe-path\":true,\"x-apexe-positional\":0}}}";

static const char args_text[] =
    "{\"path\":[\"src\",\"-odd\"],\"color\":\"never\",\"max_count\":20,"
    "\"since\":\"2 weeks ago\",\"until\":\"yesterday\",\"author\":\"someone\","
    "\"oneline\":true,\"graph\":true,\"format\":\"%H %s\",\"directory\":"
    "\"/srv/app\",\"grep\":[\"fix\"]}";

static const char *const program[] = {"/usr/bin/git", "log", NULL};

/* What is rendered, and what comes of it. */
static struct {
	struct w_render_plan plan;
	yyjson_val *args;
	struct w_words words;
} made;

static bool
make(void)
{
	struct w_grammar *grammar = NULL;
	writ_error err = {.status = WRIT_OK};

	if (made.words.count > 0)
		return true;
	yyjson_doc *schema =
	    yyjson_read(schema_text, sizeof(schema_text) - 1, 0);
	yyjson_doc *args = yyjson_read(args_text, sizeof(args_text) - 1, 0);
	made.args = yyjson_doc_get_root(args);
	if (w_grammar_new(yyjson_doc_get_root(schema), &grammar, NULL, &err) ==
	    WRIT_OK) {
		made.plan = (struct w_render_plan){
		    .grammar = grammar, .words = program};
		if (w_render(&made.plan, made.args, &made.words, &err) ==
		    WRIT_OK)
			return true;
	}
	(void)fprintf(stderr, "bench: %s\n", err.message);
	return false;
}

static void
render_once(void)
{
	struct w_words argv = {0};

	if (w_render(&made.plan, made.args, &argv, NULL) != WRIT_OK)
		abort();
	w_words_done(&argv);
}

static void
copy_once(void)
{
	struct w_words argv = {0};

	for (size_t i = 0; i < made.words.count; i++) {
		const char *word = made.words.items[i];

		if (!w_words_add(&argv, word, strlen(word)))
			abort();
	}
	w_words_done(&argv);
}

struct sample
shot_render(const struct seat *seat, const struct variant *variant)
{
	bool is_floor = strcmp(variant->argv[0], "copy") == 0;
	struct sample sample = {0};

	(void)seat;
	if (!make())
		return sample;
	uint64_t start = bench_now_ns();
	for (unsigned i = 0; i < BATCH; i++)
		is_floor ? copy_once() : render_once();
	sample.ns = (bench_now_ns() - start) / BATCH;
	return sample;
}
