/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SUITE_CASES_H
#define W_TEST_SUITE_CASES_H

/* The files of the official JSON Schema test suite, case by case. */

#include <stdio.h>
#include <stdlib.h>

#include <yyjson.h>

struct suite_case {
	const char *file;
	const char *group;
	const char *name;
	yyjson_val *schema;
	yyjson_val *data;
	bool valid;
};

/* Returns whether the case came out as the suite says. */
typedef bool (*suite_check)(const struct suite_case *one, void *ctx);

static inline yyjson_doc *
suite_read(const char *file)
{
	const char *source = getenv("WRIT_SOURCE");
	char path[1024];

	assert_non_null(source);
	(void)snprintf(
	    path, sizeof(path), "%s/tests/json-schema/%s", source, file);

	yyjson_doc *doc = yyjson_read_file(path, 0, NULL, NULL);

	if (doc == NULL)
		fail_msg("cannot read %s", path);
	return doc;
}

/* Returns how many cases there were; adds those that came out wrong, and
 * tells them. */
static inline size_t
suite_run(const char *file, suite_check check, void *ctx, size_t *wrong)
{
	yyjson_doc *doc = suite_read(file);
	size_t count = 0;
	size_t i;
	size_t max;
	yyjson_val *group;

	yyjson_arr_foreach(yyjson_doc_get_root(doc), i, max, group)
	{
		size_t j;
		size_t test_max;
		yyjson_val *test;
		yyjson_val *tests = yyjson_obj_get(group, "tests");

		yyjson_arr_foreach(tests, j, test_max, test)
		{
			struct suite_case one = {.file = file,
			    .group = yyjson_get_str(
				yyjson_obj_get(group, "description")),
			    .name = yyjson_get_str(
				yyjson_obj_get(test, "description")),
			    .schema = yyjson_obj_get(group, "schema"),
			    .data = yyjson_obj_get(test, "data"),
			    .valid =
				yyjson_get_bool(yyjson_obj_get(test, "valid"))};

			count++;
			if (check(&one, ctx))
				continue;
			++*wrong;
			print_message("%s: %s: %s: not %s\n", file, one.group,
			    one.name, one.valid ? "valid" : "invalid");
		}
	}
	yyjson_doc_free(doc);
	return count;
}

#endif /* W_TEST_SUITE_CASES_H */
