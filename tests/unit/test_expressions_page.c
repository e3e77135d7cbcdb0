/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "expr/template/block_template.h"
#include "templating.h"

/*
 * docs/expressions.md is true: what is left of an arrow becomes what is right
 * of it, what is left of a cross gives that error. A block is about expressions
 * unless it is marked as text, words or shell.
 */
#define ARROW " \xe2\x86\x92 "
#define CROSS " \xe2\x9c\x97 "

static void
evaluate(const char *text, struct w_buf *out)
{
	struct expressing scene;
	struct w_value value;
	writ_error err = {0};

	expressing_open(&scene);
	/* The page shows less of the facts. */
	scene.roots[W_ROOT_FACTS] = expressing_json(&scene.arena,
	    "{\"os\":{\"name\":\"debian\",\"version\":12},"
	    "\"virtual\":false}");
	if (expressing_eval(&scene, text, &value, &err) == WRIT_OK)
		w_value_add_json(out, &value, false);
	else
		w_buf_add_str(out, err.message);
	expressing_close(&scene);
}

static void
fill_shell(const char *text, struct w_buf *out)
{
	struct expressing scene;
	struct w_template template;
	const char *shell = "";
	writ_error err = {0};

	expressing_open(&scene);
	writ_status status =
	    w_template_parse(&scene.arena, text, strlen(text), &template, &err);
	if (status == WRIT_OK)
		status = w_template_shell(
		    &template, &scene.scope, &scene.arena, &shell, &err);
	w_buf_add_str(out, status == WRIT_OK ? shell : err.message);
	expressing_close(&scene);
}

static void
fill_blocks(const char *text, struct w_buf *out)
{
	struct expressing scene;
	const struct w_block_template *template;
	struct w_value filled = {.kind = W_VALUE_NULL};
	writ_error err = {0};

	expressing_open(&scene);
	writ_status status = w_block_parse(
	    &scene.arena, text, strlen(text), W_BLOCK_PLAIN, &template, &err);
	if (status == WRIT_OK)
		status = w_block_fill(
		    template, &scene.scope, &scene.arena, &filled, &err);
	w_buf_add_str(
	    out, status == WRIT_OK ? filled.as.string.text : err.message);
	expressing_close(&scene);
}

static const struct {
	const char *language;
	void (*fill)(const char *text, struct w_buf *out);
} fillers[] = {
    {"```\n", evaluate},
    {"```text\n", templating_text},
    {"```words\n", templating_words},
    {"```shell\n", fill_shell},
    {"```blocks\n", fill_blocks},
};

static void
check_line(
    void (*fill)(const char *text, struct w_buf *out), char *line, bool *out_is)
{
	char *arrow = strstr(line, ARROW);
	char *cross = strstr(line, CROSS);
	W_AUTO_BUF struct w_buf got;

	w_buf_init(&got, 1 << 16);
	*out_is = arrow != NULL || cross != NULL;
	if (!*out_is)
		return;
	char *middle = arrow != NULL ? arrow : cross;
	const char *want = strchr(middle + 1, ' ') + 1;
	*middle = '\0';
	fill(line, &got);
	/* The place of an error is not on the page. */
	char *place = strrchr(got.data, ' ');
	if (cross != NULL && place != NULL && strchr(place, ':') != NULL &&
	    place - got.data > 3 && memcmp(place - 3, " at", 3) == 0)
		place[-3] = '\0';
	if (strcmp(got.data, want) != 0)
		print_error("%s\n", line);
	assert_string_equal(got.data, want);
}

/* From behind the line that opens it up to the one that closes it. */
static size_t
check_block(void (*fill)(const char *text, struct w_buf *out), char *block)
{
	size_t count = 0;

	while (strncmp(block, "```", 3) != 0) {
		char *end = strchr(block, '\n');
		bool is_example;

		assert_non_null(end);
		*end = '\0';
		check_line(fill, block, &is_example);
		if (!is_example)
			print_error("no example: %s\n", block);
		assert_true(is_example);
		count++;
		block = end + 1;
	}
	return count;
}

static size_t
check_blocks(char *page)
{
	size_t count = 0;
	bool is_inside = false;

	for (char *line = page; line != NULL && *line != '\0';) {
		char *next = strchr(line, '\n');

		for (size_t i = 0;
		     !is_inside && i < sizeof(fillers) / sizeof(fillers[0]);
		     i++) {
			if (strncmp(line, fillers[i].language,
				strlen(fillers[i].language)) == 0) {
				char *copy = strdup(next + 1);

				assert_non_null(copy);
				count += check_block(fillers[i].fill, copy);
				free(copy);
			}
		}
		if (strncmp(line, "```", 3) == 0)
			is_inside = !is_inside;
		line = next == NULL ? NULL : next + 1;
	}
	return count;
}

static void
the_page_is_true(void **state)
{
	static char page[1 << 17];
	const char *source = getenv("WRIT_SOURCE");
	char path[512];

	(void)state;
	if (source == NULL)
		skip();
	(void)snprintf(path, sizeof(path), "%s/docs/expressions.md", source);
	FILE *file = fopen(path, "re");
	assert_non_null(file);
	page[fread(page, 1, sizeof(page) - 1, file)] = '\0';
	(void)fclose(file);
	assert_true(check_blocks(page) > 70);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_page_is_true),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
