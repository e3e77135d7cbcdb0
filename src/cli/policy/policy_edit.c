/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Adds rules to the text of a policy file.
 *
 * The YAML tree says where things are; the text itself is changed, since a tree
 * that is written anew would lose comments and layout. Afterwards the new text
 * is read, and must differ from the old one in nothing else.
 */

#include "cli/policy/policy_edit.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/auto.h"
#include "base/error.h"
#include "base/grow.h"
#include "data/json.h"
#include "data/yaml.h"
#include "data/yaml_string.h"

#define STAGE     "policy"
#define TEXT_MAX  ((size_t)16 << 20)
#define DEPTH_MAX 16
#define INDENT    2

static const struct w_json_limits limits = {
    .bytes_max = TEXT_MAX, .depth_max = DEPTH_MAX};

/* One change of the text: `cut` bytes at `at` become `text`. */
struct text_edit {
	size_t at;
	size_t cut;
	struct w_buf text;
};

struct policy_editing {
	struct w_yaml *yaml;
	yyjson_val *root;
	const char *text;
	size_t len;
	const char *newline; /* "\n", or "\r\n" where the file has them */
	struct text_edit *edits;
	size_t edit_count;
	size_t edit_cap;
	size_t flipped; /* rules whose verdict changes */
	size_t fresh;   /* rules that are added */
	bool has_failed;
};

static struct w_buf *
new_edit(struct policy_editing *editing, size_t at, size_t cut)
{
	if (!w_grow(&editing->edits, editing->edit_count, &editing->edit_cap)) {
		editing->has_failed = true;
		return NULL;
	}
	struct text_edit *edit = &editing->edits[editing->edit_count++];

	edit->at = at;
	edit->cut = cut;
	w_buf_init(&edit->text, TEXT_MAX);
	return &edit->text;
}

/* ---- what is there ---- */

static bool
is_text(yyjson_val *val, const char *text)
{
	return text == NULL ? val == NULL : yyjson_equals_str(val, text);
}

/* A host is opened for runs with the network `hosts`, and denied in any. */
static bool
is_opened(const struct w_policy_addition *added)
{
	return strcmp(added->verdict, "deny") != 0;
}

/* Whether a verdict is about this host and nothing else. */
static bool
is_of_host(yyjson_val *val, const char *host)
{
	yyjson_val *network = yyjson_obj_get(val, "network");

	return yyjson_equals_str(yyjson_obj_get(val, "host"), host) &&
	       yyjson_obj_size(val) == (network == NULL ? 1U : 2U) &&
	       (network == NULL || yyjson_equals_str(network, "hosts"));
}

/* Whether an item of `rules` or `expect` is about this shape or command, in
 * the same project and without another end. *out_key: its verdict. */
static bool
is_about(yyjson_val *item, const struct w_policy_addition *added,
    const char *text, yyjson_val **out_key)
{
	static const char *const verdicts[] = {"allow", "ask", "deny"};

	if (!yyjson_is_obj(item) ||
	    !is_text(yyjson_obj_get(item, "project"), added->project) ||
	    !is_text(yyjson_obj_get(item, "until"), added->until))
		return false;
	for (size_t i = 0; i < sizeof(verdicts) / sizeof(verdicts[0]); i++) {
		yyjson_obj_iter iter = yyjson_obj_iter_with(item);
		yyjson_val *key = yyjson_obj_iter_getn(
		    &iter, verdicts[i], strlen(verdicts[i]));

		if (key == NULL ||
		    !(added->is_host ? is_of_host(key, text)
				     : yyjson_equals_str(key, text)))
			continue;
		iter = yyjson_obj_iter_with(item);
		*out_key = yyjson_obj_iter_next(&iter);
		while (*out_key != NULL &&
		       !yyjson_equals_str(*out_key, verdicts[i]))
			*out_key = yyjson_obj_iter_next(&iter);
		return *out_key != NULL;
	}
	return false;
}

/* Gives what is there the wanted verdict. Returns whether there was any. */
static bool
flip_items(struct policy_editing *editing, const char *list,
    const struct w_policy_addition *added, const char *text, size_t *flipped)
{
	yyjson_val *items = yyjson_obj_get(editing->root, list);
	bool is_there = false;
	size_t i;
	size_t count;
	yyjson_val *item;

	if (!yyjson_is_arr(items))
		return false;
	yyjson_arr_foreach(items, i, count, item)
	{
		yyjson_val *key = NULL;

		if (!is_about(item, added, text, &key))
			continue;
		is_there = true;
		if (yyjson_equals_str(key, added->verdict))
			continue;
		struct w_buf *word = new_edit(editing,
		    w_yaml_offset(editing->yaml, key), yyjson_get_len(key));
		if (word != NULL)
			w_buf_add_str(word, added->verdict);
		(*flipped)++;
	}
	return is_there;
}

/* ---- where a list ends ---- */

/* The key of the root after this one in the text; the end if it is the last. */
static size_t
end_of_key(const struct policy_editing *editing, size_t start)
{
	size_t end = editing->len;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(editing->root, i, count, key, val)
	{
		const size_t at = w_yaml_offset(editing->yaml, key);

		if (at > start && at < end)
			end = at;
	}
	return end;
}

static size_t
line_start(const char *text, size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

/* Leaves blank lines, and comments in the first column, to what follows. */
static size_t
trim_lines(const char *text, size_t from, size_t end)
{
	while (end > from) {
		const size_t start = line_start(text, end - 1);
		const char *line = text + start;

		if (start < from ||
		    (line[strspn(line, " \t\r")] != '\n' && line[0] != '#' &&
			line[0] != '\0' && strncmp(line, "...", 3) != 0))
			return end;
		end = start;
	}
	return end;
}

/* Where items are added, and how. */
struct list_end {
	size_t at;
	size_t cut;    /* of an empty list */
	size_t indent; /* of the dash */
	bool is_flow;
	bool has_key;
	bool is_open; /* the line before it has no end */
};

static writ_status
fail_layout(const char *list, writ_error *err)
{
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "cannot add to '%s' of this file: it is not written in lines",
	    list);
	w_suggest(err, "write each rule on a line of its own: - allow: ...");
	return WRIT_E_INVALID;
}

/* [ {...}, {...} ] */
static writ_status
end_of_flow(const struct policy_editing *editing, const char *list,
    yyjson_val *val, struct list_end *end, writ_error *err)
{
	const char *text = editing->text;
	const size_t start = w_yaml_offset(editing->yaml, val);
	size_t at = end->at;

	while (at > start && text[at - 1] != ']')
		at--;
	if (at <= start + 1)
		return fail_layout(list, err);
	at--;
	if (yyjson_arr_size(val) == 0) {
		/* An empty list becomes one of lines. */
		end->cut = at + 1 - start;
		end->at = start;
		end->indent = INDENT;
		end->is_open = true;
		return WRIT_OK;
	}
	while (at > start && strchr(" \t\r\n", text[at - 1]) != NULL)
		at--;
	end->at = at;
	end->is_flow = true;
	return text[at - 1] == ',' ? fail_layout(list, err) : WRIT_OK;
}

static yyjson_val *
find_key(const struct policy_editing *editing, const char *name)
{
	yyjson_obj_iter iter = yyjson_obj_iter_with(editing->root);
	yyjson_val *key = yyjson_obj_iter_next(&iter);

	while (key != NULL && !yyjson_equals_str(key, name))
		key = yyjson_obj_iter_next(&iter);
	return key;
}

/* A new list goes to the end of the file, that of rules before `expect`. */
static void
place_new_list(const struct policy_editing *editing, const char *list,
    struct list_end *end)
{
	const char *text = editing->text;
	yyjson_val *expect = find_key(editing, "expect");

	if (expect != NULL && strcmp(list, "rules") == 0) {
		end->at =
		    trim_lines(text, 0, w_yaml_offset(editing->yaml, expect));
	} else {
		end->at = trim_lines(text, 0, editing->len);
		/* Comments stay above; the mark of the document's end does
		 * not. */
		if (strncmp(text + end->at, "...", 3) != 0 &&
		    strstr(text + end->at, "\n...") == NULL)
			end->at = editing->len;
	}
	end->is_open = end->at > 0 && text[end->at - 1] != '\n';
}

static writ_status
find_list_end(const struct policy_editing *editing, const char *list,
    struct list_end *end, writ_error *err)
{
	yyjson_val *val = yyjson_obj_get(editing->root, list);
	const char *text = editing->text;

	*end = (struct list_end){.indent = INDENT};
	if (val == NULL) {
		place_new_list(editing, list, end);
		return WRIT_OK;
	}
	const size_t start =
	    w_yaml_offset(editing->yaml, find_key(editing, list));
	end->has_key = true;
	end->at = trim_lines(text, start, end_of_key(editing, start));
	if (yyjson_is_arr(val) &&
	    text[w_yaml_offset(editing->yaml, val)] == '[')
		return end_of_flow(editing, list, val, end, err);
	end->is_open = text[end->at - 1] != '\n';
	if (yyjson_is_null(val))
		return WRIT_OK;
	/* A list in the list has a dash of its own in that line. */
	if (!yyjson_is_arr(val) || !yyjson_is_obj(yyjson_arr_get_first(val)))
		return fail_layout(list, err);
	size_t dash = w_yaml_offset(editing->yaml, yyjson_arr_get_first(val));
	while (dash > start && text[dash] != '-')
		dash--;
	end->indent = dash - line_start(text, dash);
	return WRIT_OK;
}

/* ---- writing ---- */

static void
add_member(struct w_buf *buf, const struct policy_editing *editing,
    size_t column, const char *key, const char *value)
{
	if (value == NULL)
		return;
	w_buf_add_fmt(buf, "%*s%s: ", (int)column, "", key);
	w_yaml_add_string(buf, value, strlen(value), 0);
	w_buf_add_str(buf, editing->newline);
}

static void
add_host_member(struct w_buf *buf, const struct w_policy_addition *added)
{
	w_buf_add_fmt(buf, "%s: { host: ", added->verdict);
	w_json_add_string(buf, added->shape, strlen(added->shape));
	w_buf_add_str(buf, is_opened(added) ? ", network: hosts }" : " }");
}

static void
add_flow_member(struct w_buf *buf, const char *key, const char *value)
{
	if (value == NULL)
		return;
	w_buf_add_fmt(buf, "%s%s: ", w_buf_last(buf) == '{' ? " " : ", ", key);
	w_json_add_string(buf, value, strlen(value));
}

static void
add_item(struct w_buf *buf, const struct policy_editing *editing,
    const struct list_end *end, const struct w_policy_addition *added,
    const char *text)
{
	if (end->is_flow) {
		w_buf_add_str(buf, added->is_host ? ", { " : ", {");
		if (added->is_host)
			add_host_member(buf, added);
		else
			add_flow_member(buf, added->verdict, text);
		add_flow_member(buf, "project", added->project);
		add_flow_member(buf, "until", added->until);
		w_buf_add_str(buf, " }");
		return;
	}
	w_buf_add_fmt(buf, "%*s- ", (int)end->indent, "");
	if (added->is_host) {
		add_host_member(buf, added);
		w_buf_add_str(buf, editing->newline);
	} else {
		add_member(buf, editing, 0, added->verdict, text);
	}
	add_member(buf, editing, end->indent + 2, "project", added->project);
	add_member(buf, editing, end->indent + 2, "until", added->until);
}

/* Adds to one list what is not there. is_rules: `rules`, else `expect`. */
static writ_status
extend_list(struct policy_editing *editing, bool is_rules,
    const struct w_policy_addition *added, size_t count, writ_error *err)
{
	const char *list = is_rules ? "rules" : "expect";
	const size_t none = SIZE_MAX;
	size_t place = none; /* of the edit that adds items */
	struct list_end end;
	writ_status status = find_list_end(editing, list, &end, err);

	for (size_t i = 0; status == WRIT_OK && i < count; i++) {
		const char *text = is_rules ? added[i].shape : added[i].expect;
		size_t flipped = 0;

		if (text == NULL ||
		    flip_items(editing, list, &added[i], text, &flipped)) {
			editing->flipped += is_rules ? flipped : 0;
			continue;
		}
		if (place == none) {
			struct w_buf *buf = new_edit(editing, end.at, end.cut);

			if (buf == NULL)
				break;
			place = editing->edit_count - 1;
			if (end.is_open)
				w_buf_add_str(buf, editing->newline);
			if (!end.has_key)
				w_buf_add_fmt(
				    buf, "%s:%s", list, editing->newline);
		}
		add_item(&editing->edits[place].text, editing, &end, &added[i],
		    text);
		editing->fresh += is_rules;
	}
	return status;
}

static int
by_place(const void *left, const void *right)
{
	const struct text_edit *one = left;
	const struct text_edit *other = right;

	return one->at < other->at ? -1 : one->at > other->at;
}

static writ_status
apply_edits(struct policy_editing *editing, struct w_buf *out, writ_error *err)
{
	size_t at = 0;

	/* Stable where it matters: rules are edited before expectations, and
	 * equal places are both at the end of the file. */
	for (size_t i = 1; i < editing->edit_count; i++) {
		for (size_t k = i; k > 0 && by_place(&editing->edits[k - 1],
						&editing->edits[k]) > 0;
		     k--) {
			const struct text_edit kept = editing->edits[k];

			editing->edits[k] = editing->edits[k - 1];
			editing->edits[k - 1] = kept;
		}
	}
	for (size_t i = 0; i < editing->edit_count; i++) {
		const struct text_edit *edit = &editing->edits[i];

		w_buf_add(out, editing->text + at, edit->at - at);
		w_buf_add(out, edit->text.data, edit->text.len);
		out->failed = out->failed || edit->text.failed;
		at = edit->at + edit->cut;
	}
	w_buf_add(out, editing->text + at, editing->len - at);
	return out->failed || editing->has_failed ? w_fail_nomem(err, STAGE)
						  : WRIT_OK;
}

/* ---- the result ---- */

/* Whether nothing but the two lists differs, and those are only longer. */
static bool
is_same_otherwise(const struct policy_editing *editing, yyjson_val *now)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(editing->root, i, count, key, val)
	{
		yyjson_val *other = yyjson_obj_getn(
		    now, yyjson_get_str(key), yyjson_get_len(key));
		const bool is_list = yyjson_equals_str(key, "rules") ||
				     yyjson_equals_str(key, "expect");

		if (is_list ? yyjson_arr_size(other) < yyjson_arr_size(val)
			    : !yyjson_equals(val, other))
			return false;
	}
	const size_t before =
	    yyjson_arr_size(yyjson_obj_get(editing->root, "rules"));
	return yyjson_arr_size(yyjson_obj_get(now, "rules")) ==
	       before + editing->fresh;
}

static writ_status
check_result(const struct policy_editing *editing, const struct w_buf *out,
    writ_error *err)
{
	struct w_yaml *yaml = NULL;
	writ_status status =
	    w_yaml_read(out->data, out->len, &limits, &yaml, err);

	if (status == WRIT_OK && !is_same_otherwise(editing, w_yaml_root(yaml)))
		status = fail_layout("rules", err);
	w_yaml_free(yaml);
	return status;
}

writ_status
w_cli_policy_edit(const struct w_buf *text,
    const struct w_policy_addition *added, size_t count, struct w_buf *out,
    size_t *out_changes, writ_error *err)
{
	struct policy_editing editing = {.len = text->len};
	writ_status status =
	    w_yaml_read(text->data, text->len, &limits, &editing.yaml, err);

	if (status != WRIT_OK)
		return status;
	editing.root = w_yaml_root(editing.yaml);
	editing.text = text->data;
	editing.newline = strstr(text->data, "\r\n") != NULL ? "\r\n" : "\n";
	if (!yyjson_is_obj(editing.root) ||
	    text->data[w_yaml_offset(editing.yaml, editing.root)] == '{')
		status = fail_layout("rules", err);
	if (status == WRIT_OK)
		status = extend_list(&editing, true, added, count, err);
	if (status == WRIT_OK)
		status = extend_list(&editing, false, added, count, err);
	if (status == WRIT_OK)
		status = apply_edits(&editing, out, err);
	if (status == WRIT_OK)
		status = check_result(&editing, out, err);
	*out_changes = editing.flipped + editing.fresh;
	for (size_t i = 0; i < editing.edit_count; i++)
		w_buf_done(&editing.edits[i].text);
	free(editing.edits);
	w_yaml_free(editing.yaml);
	return status;
}
