/* SPDX-License-Identifier: Apache-2.0 */

/* Compares the analysis of an argv with what a table expects. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "table.h"

#define LISTED_MAX 256

/* Texts to be compared as a set, or in order. */
struct listed {
	char *texts[LISTED_MAX];
	size_t count;
};

static void
listed_add(struct listed *list, char *text)
{
	if (text == NULL || list->count == LISTED_MAX)
		abort();
	list->texts[list->count++] = text;
}

static void
listed_done(struct listed *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->texts[i]);
}

static int
by_text(const void *left, const void *right)
{
	return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static void
sort_once(struct listed *list)
{
	size_t kept = 0;

	qsort(list->texts, list->count, sizeof(list->texts[0]), by_text);
	for (size_t i = 0; i < list->count; i++) {
		if (kept > 0 &&
		    strcmp(list->texts[kept - 1], list->texts[i]) == 0)
			free(list->texts[i]);
		else
			list->texts[kept++] = list->texts[i];
	}
	list->count = kept;
}

static char *
text_of(yyjson_val *val)
{
	return yyjson_is_str(val) ? strdup(yyjson_get_str(val))
				  : yyjson_val_write(val, 0, NULL);
}

static char *
touch_text(yyjson_val *touch)
{
	static const char *const kinds[] = {
	    "path", "host", "program", "variable", NULL};
	const char *effect = yyjson_get_str(yyjson_obj_get(touch, "effect"));
	char *text = NULL;

	for (size_t i = 0; kinds[i] != NULL; i++) {
		yyjson_val *target = yyjson_obj_get(touch, kinds[i]);
		if (target == NULL)
			continue;
		char *name =
		    yyjson_is_null(target) ? strdup("?") : text_of(target);
		if (asprintf(&text, "%s %s", effect, name) < 0)
			abort();
		free(name);
		return text;
	}
	return strdup(effect);
}

static void
collect_touches(struct listed *list, yyjson_val *analysis)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(yyjson_obj_get(analysis, "touches"), i, count, val)
	{
		listed_add(list, touch_text(val));
	}
	yyjson_arr_foreach(yyjson_obj_get(analysis, "runs"), i, count, val)
	{
		collect_touches(list, val);
	}
}

static char *
command_text(yyjson_val *argv)
{
	struct w_buf buf;
	size_t i;
	size_t count;
	yyjson_val *word;
	size_t len;

	w_buf_init(&buf, 64 * 1024);
	yyjson_arr_foreach(argv, i, count, word)
	{
		char *text = text_of(word);
		if (i > 0)
			w_buf_add_char(&buf, ' ');
		w_words_quote(&buf, text);
		free(text);
	}
	return w_buf_take(&buf, &len);
}

static void
collect_runs(struct listed *list, yyjson_val *analysis)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(yyjson_obj_get(analysis, "runs"), i, count, val)
	{
		yyjson_val *argv = yyjson_obj_get(val, "argv");
		if (argv != NULL)
			listed_add(list, command_text(argv));
		collect_runs(list, val);
	}
}

static void
collect_said(struct listed *list, yyjson_val *said)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	yyjson_arr_foreach(said, i, count, val)
	{
		listed_add(list, text_of(val));
	}
}

static char *
joined(const struct listed *list)
{
	struct w_buf buf;
	size_t len;

	w_buf_init(&buf, 64 * 1024);
	w_buf_add_char(&buf, '[');
	for (size_t i = 0; i < list->count; i++) {
		if (i > 0)
			w_buf_add(&buf, ", ", 2);
		w_buf_add(&buf, list->texts[i], strlen(list->texts[i]));
	}
	w_buf_add_char(&buf, ']');
	return w_buf_take(&buf, &len);
}

static void
compare(struct tap *tap, const char *line, const char *what, yyjson_val *said,
    yyjson_val *analysis, void (*collect)(struct listed *, yyjson_val *),
    bool is_set)
{
	struct listed expected = {.count = 0};
	struct listed found = {.count = 0};
	char name[4096];

	if (said == NULL)
		return;
	collect_said(&expected, said);
	collect(&found, analysis);
	if (is_set) {
		sort_once(&expected);
		sort_once(&found);
	}
	char *want = joined(&expected);
	char *got = joined(&found);
	(void)snprintf(name, sizeof(name), "%s: %s", line, what);
	if (strcmp(want, got) == 0)
		tap_ok(tap, name);
	else
		tap_fail(tap, name, "expected %s\n# got      %s", want, got);
	free(want);
	free(got);
	listed_done(&expected);
	listed_done(&found);
}

static void
collect_effects(struct listed *list, yyjson_val *analysis)
{
	collect_said(list, yyjson_obj_get(analysis, "effects"));
}

static void
compare_arguments(
    struct tap *tap, const char *line, yyjson_val *said, yyjson_val *arguments)
{
	char name[4096];

	if (said == NULL)
		return;
	(void)snprintf(name, sizeof(name), "%s: arguments", line);
	if (yyjson_equals(said, arguments)) {
		tap_ok(tap, name);
		return;
	}
	char *want = yyjson_val_write(said, 0, NULL);
	char *got = yyjson_val_write(arguments, 0, NULL);
	tap_fail(tap, name, "expected %s\n# got      %s", want,
	    got != NULL ? got : "null");
	free(want);
	free(got);
}

static void
judge_understood(
    struct tap *tap, const char *line, yyjson_val *entry, yyjson_val *analysis)
{
	yyjson_val *reason = yyjson_obj_get(analysis, "reason");

	if (!yyjson_is_true(yyjson_obj_get(analysis, "understood"))) {
		char *why = yyjson_val_write(reason, 0, NULL);
		tap_fail(tap, line, "not understood: %s",
		    why != NULL ? why : "no reason");
		free(why);
		return;
	}
	tap_ok(tap, line);
	compare_arguments(tap, line, yyjson_obj_get(entry, "is"),
	    yyjson_obj_get(analysis, "arguments"));
	compare(tap, line, "effects", yyjson_obj_get(entry, "effects"),
	    analysis, collect_effects, true);
	compare(tap, line, "touches", yyjson_obj_get(entry, "touches"),
	    analysis, collect_touches, true);
	compare(tap, line, "runs", yyjson_obj_get(entry, "runs"), analysis,
	    collect_runs, false);
}

static void
judge_refused(
    struct tap *tap, const char *line, yyjson_val *entry, yyjson_val *analysis)
{
	yyjson_val *reason = yyjson_obj_get(analysis, "reason");
	const char *because = yyjson_get_str(yyjson_obj_get(entry, "because"));

	if (yyjson_is_true(yyjson_obj_get(analysis, "understood"))) {
		char *got = yyjson_val_write(
		    yyjson_obj_get(analysis, "arguments"), 0, NULL);
		tap_fail(tap, line, "understood as %s", got);
		free(got);
		return;
	}
	char *why = yyjson_val_write(reason, 0, NULL);
	if (why != NULL && (because == NULL || strstr(why, because) != NULL))
		tap_ok(tap, line);
	else
		tap_fail(tap, line, "expected a reason with '%s'\n# got %s",
		    because, why != NULL ? why : "none");
	free(why);
	compare(tap, line, "effects", yyjson_obj_get(entry, "effects"),
	    analysis, collect_effects, true);
}

/* Whether all of its effects are reads. */
static bool
is_harmless(yyjson_val *analysis)
{
	size_t i;
	size_t count;
	yyjson_val *effect;

	yyjson_arr_foreach(
	    yyjson_obj_get(analysis, "effects"), i, count, effect)
	{
		if (!yyjson_equals_str(effect, "read"))
			return false;
	}
	return yyjson_is_true(yyjson_obj_get(analysis, "understood"));
}

static bool
has_effect(yyjson_val *analysis, const char *name)
{
	size_t i;
	size_t count;
	yyjson_val *effect;

	yyjson_arr_foreach(
	    yyjson_obj_get(analysis, "effects"), i, count, effect)
	{
		if (yyjson_equals_str(effect, name))
			return true;
	}
	return !yyjson_is_true(yyjson_obj_get(analysis, "understood"));
}

static void
judge_dangerous(
    struct tap *tap, const char *line, yyjson_val *entry, yyjson_val *analysis)
{
	const char *needs = yyjson_get_str(yyjson_obj_get(entry, "needs"));
	bool is_bad = needs != NULL ? !has_effect(analysis, needs)
				    : is_harmless(analysis);

	if (!is_bad) {
		tap_ok(tap, line);
	} else {
		char *got = yyjson_val_write(analysis, 0, NULL);
		tap_fail(tap, line, "taken for harmless: %s", got);
		free(got);
	}
	compare(tap, line, "touches", yyjson_obj_get(entry, "touches"),
	    analysis, collect_touches, true);
}

static void
judge_analysis(struct tap *tap, const struct line *line, enum verdict verdict,
    yyjson_val *analysis)
{
	if (verdict == REFUSED)
		judge_refused(tap, line->text, line->entry, analysis);
	else if (verdict == DANGEROUS)
		judge_dangerous(tap, line->text, line->entry, analysis);
	else
		judge_understood(tap, line->text, line->entry, analysis);
}

void
judge(struct tap *tap, const struct w_command_source *source,
    const struct line *line, enum verdict verdict)
{
	struct w_analysis_input input = {.argv = line->argv, .env = line->env};
	struct w_analysis *analysis;
	writ_error err = {0};
	struct w_buf buf;

	while (input.argv[input.argc] != NULL)
		input.argc++;
	if (w_analysis_new(source, &input, &analysis, &err) != WRIT_OK) {
		tap_fail(tap, line->text, "%s", err.message);
		return;
	}
	w_buf_init(&buf, 16 * 1024 * 1024);
	w_analysis_add_json(&buf, analysis);
	yyjson_doc *doc = buf.failed ? NULL : yyjson_read(buf.data, buf.len, 0);
	if (doc == NULL)
		tap_fail(tap, line->text, "no JSON: %.200s",
		    buf.failed ? "" : buf.data);
	else
		judge_analysis(tap, line, verdict, yyjson_doc_get_root(doc));
	yyjson_doc_free(doc);
	w_buf_done(&buf);
	w_analysis_free(analysis);
}
