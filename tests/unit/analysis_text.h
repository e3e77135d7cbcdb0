/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_ANALYSIS_TEXT_H
#define W_TEST_ANALYSIS_TEXT_H

/* Small descriptions, and what a command line means by them as one line of
 * text: its effects, then every touch of it and of what is inside, then why it
 * is not understood. */

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#include "base/words.h"
#include "command/analysis/analysis.h"
#include "data/json.h"
#include "sample_descriptions.h"

static inline void
add_touches_text(struct w_buf *buf, const struct w_analysis *analysis)
{
	for (size_t i = 0; i < analysis->touch_count; i++) {
		const struct w_touch *touch = &analysis->touches[i];

		w_buf_add_fmt(buf, "; %s", w_effect_word(touch->effect));
		if (touch->kind == W_TOUCH_UNNAMED)
			continue;
		if (touch->target == NULL)
			w_buf_add_str(buf, " ?");
		else
			w_buf_add_fmt(
			    buf, " %.*s", (int)touch->len, touch->target);
	}
	for (size_t i = 0; i < analysis->inner_count; i++)
		add_touches_text(buf, analysis->inner[i].analysis);
}

/* "read write; read a; write b": yours. */
static inline char *
analysis_text(const struct w_analysis *analysis)
{
	struct w_buf buf;
	size_t len;

	w_buf_init(&buf, 1024 * 1024);
	for (unsigned bit = 0; bit < W_EFFECT_COUNT; bit++) {
		if ((analysis->effects & (1U << bit)) != 0)
			w_buf_add_fmt(&buf, "%s%s", buf.len > 0 ? " " : "",
			    w_effect_words[bit]);
	}
	if (buf.len == 0)
		w_buf_add_str(&buf, "nothing");
	add_touches_text(&buf, analysis);
	if (!analysis->is_understood)
		w_buf_add_fmt(&buf, "; not understood: %s", analysis->reason);
	return w_buf_take(&buf, &len);
}

static inline struct w_analysis *
analysis_of(const struct w_analysis_input *input)
{
	struct w_analysis *analysis = NULL;
	writ_error err = {.status = WRIT_OK};

	if (w_analysis_new(&known_source, input, &analysis, &err) != WRIT_OK)
		fail_msg("%s", err.message);
	return analysis;
}

/* Tables are long: all that is wrong in one is said at once. */
static size_t mismatches;

static inline int
all_match(void **state)
{
	size_t count = mismatches;

	(void)state;
	mismatches = 0;
	return count == 0 ? 0 : -1;
}

#define TABLE_TEST(test) cmocka_unit_test_teardown(test, all_match)

static inline void
assert_text(
    const struct w_analysis *analysis, const char *line, const char *want)
{
	char *have = analysis_text(analysis);

	/* What is not understood: the beginning of the reason is enough. */
	if (strstr(want, "not understood") != NULL
		? strncmp(have, want, strlen(want)) != 0
		: strcmp(have, want) != 0) {
		print_error("%s\n  means %s\n  not   %s\n", line, have, want);
		mismatches++;
	}
	free(have);
}

/* A command line, split without a shell. */
static inline void
means(const char *line, const char *want)
{
	W_AUTO_WORDS struct w_words words = {0};
	writ_error err = {.status = WRIT_OK};

	if (w_words_split(line, strlen(line), &words, &err) != WRIT_OK)
		fail_msg("%s: %s", line, err.message);
	const struct w_analysis_input input = {
	    .argv = (const char *const *)words.items, .argc = words.count};
	struct w_analysis *analysis = analysis_of(&input);
	assert_text(analysis, line, want);
	w_analysis_free(analysis);
}

/* A shell string. */
static inline void
shell_means(const char *text, const char *want)
{
	const struct w_analysis_input input = {.shell = text};
	struct w_analysis *analysis = analysis_of(&input);

	assert_text(analysis, text, want);
	w_analysis_free(analysis);
}

#endif /* W_TEST_ANALYSIS_TEXT_H */
