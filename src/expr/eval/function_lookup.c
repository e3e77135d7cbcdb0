/* SPDX-License-Identifier: Apache-2.0 */

/*
 * lookup('data.users.0.name', default): a path of parts separated by dots. A
 * number selects a list element, # at the end is the length of a list, and a
 * backslash makes the next character literal. Other signs with a meaning in
 * such path languages (* ? | @ !, queries) are errors.
 */

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "expr/eval/eval.h"

#define PATH_LEN_MAX 1024

static const char *const root_names[] = {
    "facts", "data", "environ", "results", "item", "key", "value"};

struct path {
	struct w_eval *eval;
	const struct w_expr_node *call;
	struct w_value text;
	size_t at;
	char part[PATH_LEN_MAX + 1]; /* the current part */
	size_t len;
	bool is_plain; /* without a backslash */
};

/* ---- taking a path apart ---- */

static bool
is_refused(const struct path *path, char c)
{
	return strchr("*?|", c) != NULL ||
	       (path->len == 0 && strchr("@!{[(", c) != NULL) ||
	       (c == '(' && path->part[0] == '#');
}

static writ_status
refuse_sign(struct path *path, char c)
{
	if (path->text.is_secret)
		return w_eval_fail(path->eval, path->call,
		    "a sign that is not supported in the path of lookup()");
	(void)w_eval_fail(path->eval, path->call,
	    "'%c' is not supported in the path of lookup()", c);
	w_suggest(path->eval->err,
	    "write \\\\%c for the character, or use filter() and map()", c);
	return WRIT_E_INVALID;
}

/* Reads the next part; the caller has checked that there is one. */
static writ_status
lookup_next_part(struct path *path)
{
	const char *text = path->text.as.string.text;
	size_t end = path->text.as.string.len;

	path->len = 0;
	path->is_plain = true;
	path->part[0] = '\0';
	for (; path->at < end && text[path->at] != '.'; path->at++) {
		if (text[path->at] == '\\' && path->at + 1 < end) {
			path->at++;
			path->is_plain = false;
		} else if (is_refused(path, text[path->at])) {
			return refuse_sign(path, text[path->at]);
		}
		path->part[path->len++] = text[path->at];
		path->part[path->len] = '\0';
	}
	path->at++;
	return WRIT_OK;
}

static bool
is_at_end(const struct path *path)
{
	return path->at > path->text.as.string.len;
}

/* ---- finding ---- */

/* -1: not the name of a root. */
static int
root_of(const char *name)
{
	for (int i = 0; i < W_ROOT_COUNT; i++) {
		if (strcmp(name, root_names[i]) == 0)
			return i;
	}
	return -1;
}

static bool
find_item(const struct path *path, struct w_value *io_value)
{
	size_t count = io_value->as.list.count;

	if (path->len == 0 || path->len > 9 ||
	    path->part[strspn(path->part, "0123456789")] != '\0')
		return false;
	size_t index = strtoul(path->part, NULL, 10);
	if (index >= count)
		return false;
	*io_value = io_value->as.list.items[index];
	return true;
}

static bool
find_part(const struct path *path, struct w_value *io_value)
{
	bool is_count = path->is_plain && strcmp(path->part, "#") == 0;

	if (io_value->kind == W_VALUE_LIST && is_count && is_at_end(path)) {
		*io_value = (struct w_value){.kind = W_VALUE_INT,
		    .is_secret = io_value->is_secret,
		    .as.integer = (int64_t)io_value->as.list.count};
		return true;
	}
	if (io_value->kind == W_VALUE_LIST)
		return find_item(path, io_value);
	const struct w_value *member =
	    w_value_member(io_value, path->part, path->len);
	if (member == NULL)
		return false;
	*io_value = *member;
	return true;
}

static writ_status
find_root(struct path *path, struct w_value *out_value, bool *out_found)
{
	struct w_eval *eval = path->eval;
	writ_status status = lookup_next_part(path);

	if (status != WRIT_OK)
		return status;
	int root = root_of(path->part);
	*out_found = root >= 0;
	if (root < 0)
		return WRIT_OK;
	const struct w_value *map = eval->scope->root(
	    eval->scope->ctx, (enum w_expr_root)root, eval->err);
	if (map == NULL) {
		(void)w_eval_locate(eval, path->call);
		return eval->err == NULL ? WRIT_E_INVALID : eval->err->status;
	}
	*out_value = *map;
	return WRIT_OK;
}

static writ_status
function_lookup_find(
    struct path *path, struct w_value *out_value, bool *out_found)
{
	bool found = false;
	writ_status status = find_root(path, out_value, &found);

	while (status == WRIT_OK && found && !is_at_end(path)) {
		status = lookup_next_part(path);
		if (status == WRIT_OK)
			found = find_part(path, out_value);
	}
	*out_found = found;
	return status;
}

/* ---- the function ---- */

static writ_status
function_lookup_refuse_missing(struct path *path)
{
	if (path->text.is_secret)
		return w_eval_fail(
		    path->eval, path->call, "missing key in environment");
	(void)w_eval_fail(path->eval, path->call,
	    "missing key '%s' in environment", path->text.as.string.text);
	path->at = 0;
	if (lookup_next_part(path) == WRIT_OK && root_of(path->part) < 0)
		w_suggest(path->eval->err,
		    "a path begins with facts., data. or environ.");
	else
		w_suggest(path->eval->err,
		    "lookup(path, default) takes a value for when it is "
		    "missing");
	return WRIT_E_INVALID;
}

static writ_status
put_missing(struct path *path, struct w_value *out_value)
{
	const struct w_expr_node *call = path->call;

	if (call->as.list.count > 1)
		return w_eval_node(
		    path->eval, call->as.list.items[1], out_value);
	if ((call->flags & W_NODE_TOLERANT) != 0)
		*out_value = (struct w_value){.kind = W_VALUE_NULL};
	else if (path->eval->scope->missing_is_empty)
		*out_value = w_value_text("", 0);
	else
		return function_lookup_refuse_missing(path);
	return WRIT_OK;
}

W_FUNCTION_LAZY(lookup)
{
	struct path path = {.eval = eval, .call = call};
	bool found = false;
	writ_status status =
	    w_eval_node(eval, call->as.list.items[0], &path.text);

	if (status == WRIT_OK)
		status =
		    w_function_want(eval, call, &path.text, 0, W_VALUE_STRING);
	if (status != WRIT_OK)
		return status;
	if (path.text.as.string.len > PATH_LEN_MAX)
		return w_eval_fail(
		    eval, call, "a path of more than %d bytes", PATH_LEN_MAX);
	status = function_lookup_find(&path, out_value, &found);
	if (status == WRIT_OK && !found)
		status = put_missing(&path, out_value);
	if (status == WRIT_OK)
		status = w_eval_spend(eval, call, path.text.as.string.len >> 4);
	if (status != WRIT_OK)
		return status;
	return w_eval_mark(eval, call, path.text.is_secret, out_value);
}

unsigned
w_function_lookup_uses(const struct w_expr_node *path)
{
	const struct w_value *text = &path->as.literal;

	if (path->kind != W_NODE_LITERAL || text->kind != W_VALUE_STRING)
		return W_EXPR_USES_FACTS | W_EXPR_USES_DATA |
		       W_EXPR_USES_ENVIRON;
	for (unsigned i = 0; i < W_ROOT_COUNT; i++) {
		size_t len = strlen(root_names[i]);

		if (strncmp(text->as.string.text, root_names[i], len) == 0 &&
		    strchr(".", text->as.string.text[len]) != NULL)
			return 1U << i;
	}
	return 0;
}
