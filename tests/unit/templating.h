/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_TEMPLATING_H
#define W_TEST_TEMPLATING_H

/* One template, filled in with the scope of expressions.h. */

#include "expr/template/template.h"
#include "expressions.h"

/* What became of it: a text, words in <>, JSON; or "message at line:column".
 */
static inline void
templating_note_error(struct w_buf *out, const writ_error *err)
{
	w_buf_add_fmt(out, "%s at %u:%u", err->message, err->line, err->column);
}

static inline void
templating_text(const char *text, struct w_buf *out)
{
	struct expressing scene;
	struct w_template template;
	struct w_value value;
	writ_error err = {0};

	expressing_open(&scene);
	writ_status status =
	    w_template_parse(&scene.arena, text, strlen(text), &template, &err);
	if (status == WRIT_OK)
		status = w_template_text(
		    &template, &scene.scope, &scene.arena, &value, &err);
	if (status == WRIT_OK) {
		w_buf_add_str(out, value.is_secret ? "secret " : "");
		w_value_add_text(out, &value);
	} else {
		templating_note_error(out, &err);
	}
	expressing_close(&scene);
}

static inline void
templating_value(const char *text, struct w_buf *out)
{
	struct expressing scene;
	struct w_template template;
	struct w_value value;
	writ_error err = {0};

	expressing_open(&scene);
	writ_status status =
	    w_template_parse(&scene.arena, text, strlen(text), &template, &err);
	if (status == WRIT_OK)
		status = w_template_value(
		    &template, &scene.scope, &scene.arena, &value, &err);
	if (status == WRIT_OK)
		w_value_add_json(out, &value, false);
	else
		templating_note_error(out, &err);
	expressing_close(&scene);
}

static inline void
templating_words(const char *text, struct w_buf *out)
{
	struct expressing scene;
	struct w_template template;
	const char *const *words = NULL;
	writ_error err = {0};

	expressing_open(&scene);
	writ_status status =
	    w_template_parse(&scene.arena, text, strlen(text), &template, &err);
	if (status == WRIT_OK)
		status = w_template_words(
		    &template, &scene.scope, &scene.arena, &words, &err);
	for (size_t i = 0; status == WRIT_OK && words[i] != NULL; i++)
		w_buf_add_fmt(out, "<%s>", words[i]);
	if (status != WRIT_OK)
		templating_note_error(out, &err);
	expressing_close(&scene);
}

struct templating_case {
	const char *text;
	const char *want;
};

static inline void
templating_check(void (*fill)(const char *text, struct w_buf *out),
    const struct templating_case *cases, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		W_AUTO_BUF struct w_buf got;

		w_buf_init(&got, 1 << 16);
		fill(cases[i].text, &got);
		if (strcmp(got.data, cases[i].want) != 0)
			print_error("%s\n", cases[i].text);
		assert_string_equal(got.data, cases[i].want);
	}
}

#define TEMPLATING_CHECK(fill, cases) \
	templating_check(fill, cases, sizeof(cases) / sizeof((cases)[0]))

#endif /* W_TEST_TEMPLATING_H */
