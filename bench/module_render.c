/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What rendering costs: ten options of a form become an argv, which is then
 * freed. The floor is the least that such an argv can cost: the same words,
 * known beforehand, copied one by one and freed. Both in turns, in batches, so
 * that what else the machine does falls on both alike.
 *   writ-bench-render [ROUNDS]
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "module/render.h"

#define BATCH      1000
#define ROUNDS_MAX 10000

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

static double
now_ns(void)
{
	struct timespec at;

	(void)clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static double
time_render(const struct w_render_plan *plan, yyjson_val *args)
{
	double start = now_ns();

	for (unsigned i = 0; i < BATCH; i++) {
		struct w_words argv = {0};

		if (w_render(plan, args, &argv, NULL) != WRIT_OK)
			abort();
		w_words_done(&argv);
	}
	return (now_ns() - start) / BATCH;
}

static double
time_floor(const struct w_words *like)
{
	double start = now_ns();

	for (unsigned i = 0; i < BATCH; i++) {
		struct w_words argv = {0};

		for (size_t j = 0; j < like->count; j++) {
			if (!w_words_add(
				&argv, like->items[j], strlen(like->items[j])))
				abort();
		}
		w_words_done(&argv);
	}
	return (now_ns() - start) / BATCH;
}

static int
by_size(const void *left, const void *right)
{
	double a = *(const double *)left;
	double b = *(const double *)right;

	return (a > b) - (a < b);
}

static double
median(double *figures, size_t count)
{
	qsort(figures, count, sizeof(*figures), by_size);
	return figures[count / 2];
}

static void
measure(const struct w_render_plan *plan, yyjson_val *args, size_t rounds)
{
	static double ours[ROUNDS_MAX];
	static double least[ROUNDS_MAX];
	struct w_words like = {0};

	if (w_render(plan, args, &like, NULL) != WRIT_OK)
		abort();
	for (size_t i = 0; i < rounds; i++) {
		ours[i] = time_render(plan, args);
		least[i] = time_floor(&like);
	}

	double render_ns = median(ours, rounds);
	double floor_ns = median(least, rounds);
	(void)printf("render of %zu words: %.0f ns (least %.0f), floor %.0f ns "
		     "(least %.0f), ratio %.2f\n",
	    like.count, render_ns, ours[0], floor_ns, least[0],
	    render_ns / floor_ns);
	w_words_done(&like);
}

int
main(int argc, char **argv)
{
	size_t rounds = argc > 1 ? strtoul(argv[1], NULL, 10) : 500;
	yyjson_doc *schema =
	    yyjson_read(schema_text, sizeof(schema_text) - 1, 0);
	yyjson_doc *args = yyjson_read(args_text, sizeof(args_text) - 1, 0);
	struct w_form *form = NULL;
	writ_error err = {.status = WRIT_OK};

	if (rounds == 0 || rounds > ROUNDS_MAX)
		return 2;
	if (w_form_new(yyjson_doc_get_root(schema), &form, NULL, &err) !=
	    WRIT_OK) {
		(void)fprintf(stderr, "%s\n", err.message);
		return 1;
	}
	struct w_render_plan plan = {.form = form, .words = program};
	measure(&plan, yyjson_doc_get_root(args), rounds);
	w_form_free(form);
	yyjson_doc_free(args);
	yyjson_doc_free(schema);
	return 0;
}
