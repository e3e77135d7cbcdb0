/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What it costs to read a value and to judge it by a compiled schema. Prints
 * the median of the batches, in nanoseconds: of reading with yyjson and
 * judging, of the same with the strict reader that calls use, and of judging
 * alone.
 *   writ-bench-schema CASE.json [ROUNDS]
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "data/json.h"
#include "schema/schema.h"

#define BATCH      1000
#define ROUNDS_MAX 10000

struct figures {
	double read[ROUNDS_MAX];
	double strict[ROUNDS_MAX];
	double judge[ROUNDS_MAX];
};

static double
now_ns(void)
{
	struct timespec at;

	(void)clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec * 1e9 + (double)at.tv_nsec;
}

static void
judge(const struct w_schema *schema, yyjson_val *value)
{
	bool is_valid = false;

	if (w_schema_check(schema, value, &is_valid, NULL, NULL) != WRIT_OK ||
	    !is_valid)
		abort();
}

static double
time_read(const struct w_schema *schema, const char *text, size_t len)
{
	double start = now_ns();

	for (unsigned i = 0; i < BATCH; i++) {
		yyjson_doc *doc = yyjson_read(text, len, 0);
		judge(schema, yyjson_doc_get_root(doc));
		yyjson_doc_free(doc);
	}
	return (now_ns() - start) / BATCH;
}

static double
time_strict(const struct w_schema *schema, const char *text, size_t len)
{
	const struct w_json_limits limits = {
	    .bytes_max = (size_t)1 << 20, .depth_max = 64};
	double start = now_ns();

	for (unsigned i = 0; i < BATCH; i++) {
		struct w_json *json = NULL;
		if (w_json_read_exact(text, len, &limits, &json, NULL) !=
		    WRIT_OK)
			abort();
		judge(schema, w_json_root(json));
		w_json_free(json);
	}
	return (now_ns() - start) / BATCH;
}

static double
time_judge(const struct w_schema *schema, yyjson_val *value)
{
	double start = now_ns();

	for (unsigned i = 0; i < BATCH; i++)
		judge(schema, value);
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
measure(const struct w_schema *schema, yyjson_val *value, size_t rounds)
{
	static struct figures figures;
	size_t len = 0;
	char *text = yyjson_val_write(value, YYJSON_WRITE_NOFLAG, &len);

	if (text == NULL)
		abort();
	for (size_t i = 0; i < rounds; i++) {
		figures.read[i] = time_read(schema, text, len);
		figures.strict[i] = time_strict(schema, text, len);
		figures.judge[i] = time_judge(schema, value);
	}
	(void)printf("%zu bytes: read and judge %.0f ns, strictly %.0f ns, "
		     "judge alone %.0f ns\n",
	    len, median(figures.read, rounds), median(figures.strict, rounds),
	    median(figures.judge, rounds));
	free(text);
}

int
main(int argc, char **argv)
{
	size_t rounds = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;
	struct w_schema *schema = NULL;
	writ_error err = {.status = WRIT_OK};

	if (argc < 2 || rounds == 0 || rounds > ROUNDS_MAX)
		return 2;
	yyjson_doc *doc = yyjson_read_file(argv[1], 0, NULL, NULL);
	yyjson_val *root = yyjson_doc_get_root(doc);
	if (w_schema_compile(yyjson_obj_get(root, "schema"), NULL, &schema,
		NULL, &err) != WRIT_OK) {
		(void)fprintf(stderr, "%s: %s\n", argv[1], err.message);
		return 1;
	}
	measure(schema, yyjson_obj_get(root, "value"), rounds);
	w_schema_free(schema);
	yyjson_doc_free(doc);
	return 0;
}
