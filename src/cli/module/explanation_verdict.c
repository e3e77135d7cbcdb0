/* SPDX-License-Identifier: Apache-2.0 */

/* The verdict: what a command and all that it runs do, in one sentence, the
 * worst first. */

#include <string.h>

#include "base/auto.h"
#include "base/printable.h"
#include "base/words.h"
#include "cli/module/explanation.h"

#define NAMED_MAX 3 /* targets that are named; the rest is counted */
#define TEXT_MAX  ((size_t)1 << 20)

static const struct row {
	const char *effect;
	const char *verb;
	const char *without; /* used if no target is stated */
} rows[] = {
    {"irreversible", "cannot be taken back", "cannot be taken back"},
    {"delete", "deletes", "deletes files"},
    {"priv", "needs another user's rights for",
	"runs as another user or changes the machine"},
    {"publish", "publishes to", "publishes"},
    {"write", "writes", "changes files"},
    {"code", "runs code from", "runs code"},
    {"exec", "executes", "executes a program that is not looked into"},
    {"net", "reaches", "uses the network"},
    {"signal", "sends signals to", "sends signals to processes"},
    {"read", "reads", "reads files"},
};

const char *
w_explanation_verb(const char *effect)
{
	static const struct {
		const char *effect;
		const char *verb;
	} verbs[] = {
	    {"read", "reads"},
	    {"write", "writes"},
	    {"delete", "deletes"},
	    {"exec", "executes"},
	    {"code", "runs code"},
	    {"net", "reaches"},
	    {"publish", "publishes"},
	    {"priv", "as another user"},
	    {"irreversible", "for good"},
	    {"signal", "signals"},
	};

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++) {
		if (strcmp(verbs[i].effect, effect) == 0)
			return verbs[i].verb;
	}
	return "";
}

yyjson_val *
w_explanation_target(yyjson_val *touch, const char **out_kind)
{
	static const char *const kinds[] = {
	    "path", "host", "program", "variable"};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		yyjson_val *target = yyjson_obj_get(touch, kinds[i]);

		if (target == NULL)
			continue;
		*out_kind = kinds[i];
		return target;
	}
	return NULL;
}

/* Files on a host are not the host itself. */
void
w_explanation_add_target(struct w_buf *buf, yyjson_val *touch)
{
	static const char *const of_files[] = {"read", "write", "delete"};
	yyjson_val *effect = yyjson_obj_get(touch, "effect");
	const char *kind = "";
	yyjson_val *target = w_explanation_target(touch, &kind);

	for (size_t i = 0; i < sizeof(of_files) / sizeof(of_files[0]); i++) {
		if (strcmp(kind, "host") == 0 &&
		    yyjson_equals_str(effect, of_files[i]))
			w_buf_add_str(buf, "files on ");
	}
	w_explanation_add_text(buf, target);
}

/* The targets of one effect, from all commands. */
struct targets {
	const char *effect;
	struct w_words named; /* each once */
	struct w_words whys;  /* likewise, of touches without a target */
	bool has_unknown;     /* a target is known only at run time */
	bool has_unnamed;     /* a touch states no target */
	bool is_certain;      /* not every touch is only possible */
};

static bool
explanation_verdict_is_there(const struct w_words *words, const char *text)
{
	for (size_t i = 0; i < words->count; i++) {
		if (strcmp(words->items[i], text) == 0)
			return true;
	}
	return false;
}

static bool
is_remote(yyjson_val *node)
{
	size_t i;
	size_t count;
	yyjson_val *how;

	yyjson_arr_foreach(yyjson_obj_get(node, "how"), i, count, how)
	{
		if (yyjson_equals_str(how, "remote"))
			return true;
	}
	return false;
}

static void
gather_touch(struct targets *targets, yyjson_val *touch, bool is_elsewhere)
{
	const char *kind = "";
	yyjson_val *target = w_explanation_target(touch, &kind);
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	if (target == NULL) {
		const char *why = yyjson_get_str(yyjson_obj_get(touch, "why"));

		targets->has_unnamed = true;
		if (why != NULL &&
		    !explanation_verdict_is_there(&targets->whys, why))
			(void)w_words_add(&targets->whys, why, strlen(why));
		return;
	}
	if (yyjson_is_null(target)) {
		targets->has_unknown = true;
		return;
	}
	if (strcmp(kind, "variable") == 0)
		w_buf_add_char(&text, '$');
	w_explanation_add_target(&text, touch);
	if (is_elsewhere && strcmp(kind, "path") == 0)
		w_buf_add_str(&text, " (elsewhere)");
	if (!explanation_verdict_is_there(&targets->named, text.data))
		(void)w_words_add(&targets->named, text.data, text.len);
}

/* The recursion is bounded by the library's depth limit. */
static void
gather(struct targets *targets, yyjson_val *node, bool is_elsewhere)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	is_elsewhere = is_elsewhere || is_remote(node);
	yyjson_arr_foreach(yyjson_obj_get(node, "touches"), i, count, item)
	{
		if (!yyjson_equals_str(
			yyjson_obj_get(item, "effect"), targets->effect))
			continue;
		gather_touch(targets, item, is_elsewhere);
		targets->is_certain |=
		    !yyjson_is_true(yyjson_obj_get(item, "possible"));
	}
	yyjson_arr_foreach(yyjson_obj_get(node, "runs"), i, count, item)
	{
		gather(targets, item, is_elsewhere);
	}
}

static void
add_targets(struct w_buf *buf, const struct targets *targets)
{
	const struct w_words *named = &targets->named;
	const size_t shown =
	    named->count <= NAMED_MAX ? named->count : NAMED_MAX - 1;

	for (size_t i = 0; i < shown; i++) {
		const bool is_last = i == shown - 1 && shown == named->count &&
				     !targets->has_unknown &&
				     !targets->has_unnamed;

		if (i > 0)
			w_buf_add_str(buf, is_last ? " and " : ", ");
		w_buf_add_str(buf, named->items[i]);
	}
	if (shown < named->count)
		w_buf_add_fmt(buf, " and %zu more", named->count - shown);
	if (targets->has_unknown)
		w_buf_add_fmt(buf, "%swhat is known only when it runs",
		    named->count > 0 ? " and " : "");
	if (targets->has_unnamed)
		w_buf_add_str(buf, " and more");
}

static void
add_whys(struct w_buf *buf, const struct w_words *whys)
{
	for (size_t i = 0; i < whys->count && i < NAMED_MAX; i++) {
		w_buf_add_str(buf, i == 0 ? " (" : ", ");
		(void)w_printable_add(buf, whys->items[i], 0);
	}
	if (whys->count > 0)
		w_buf_add_char(buf, ')');
}

static void
add_effect(struct w_buf *buf, const struct row *row, yyjson_val *root)
{
	struct targets targets = {.effect = row->effect};

	gather(&targets, root, false);
	if ((targets.named.count == 0 && !targets.has_unknown) ||
	    strcmp(row->verb, row->without) == 0) {
		w_buf_add_str(
		    buf, strcmp(row->effect, "net") == 0 && !targets.is_certain
			     ? "may use the network"
			     : row->without);
		add_whys(buf, &targets.whys);
	} else {
		w_buf_add_fmt(buf, "%s ", row->verb);
		add_targets(buf, &targets);
	}
	w_words_done(&targets.named);
	w_words_done(&targets.whys);
}

static bool
has_effect(yyjson_val *root, const char *effect)
{
	size_t i;
	size_t count;
	yyjson_val *item;

	yyjson_arr_foreach(yyjson_obj_get(root, "effects"), i, count, item)
	{
		if (yyjson_equals_str(item, effect))
			return true;
	}
	return false;
}

/* What cannot be undone comes last, for the command as a whole. */
void
w_explanation_add_verdict(struct w_buf *buf, yyjson_val *root)
{
	bool is_first = true;

	for (size_t i = 1; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!has_effect(root, rows[i].effect))
			continue;
		w_buf_add_str(buf, is_first ? "" : "; ");
		add_effect(buf, &rows[i], root);
		is_first = false;
	}
	if (has_effect(root, rows[0].effect))
		w_buf_add_fmt(
		    buf, "%s%s", is_first ? "" : "; ", rows[0].without);
	else if (is_first)
		w_buf_add_str(buf, "touches nothing");
}
