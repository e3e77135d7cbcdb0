/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Which characters the texts of an input may have.
 *
 * This is not needed for safety: no shell reads what is rendered. It is for
 * users who want strict rules anyway, because something behind the command may
 * interpret its words again.
 *
 * Every text is checked, at any depth, and so is every key, since a key may
 * become a flag or a part of a JSON text.
 */

#include "command/render/render.h"

#include <stdio.h>
#include <string.h>

#include "command/render/argument.h"

#define DEPTH_MAX 64

static const struct rule {
	const char *name;
	const char *forbidden;
	bool no_parent; /* ".." */
} rules[] = {
    [W_STRICT_LITERAL] = {"literal", "", false},
    [W_STRICT_MODULES] = {"strict-modules", ";|&$`\\'\"\n\r", false},
    [W_STRICT_EXEC] = {"strict-exec", "|&;$`<>(){}\n\r", true},
};

struct preflight {
	const struct rule *rule;
	struct w_argument now;
};

static const char *
render_preflight_show(char c, char out[8])
{
	if (c == '\n')
		return "a line feed";
	if (c == '\r')
		return "a carriage return";
	(void)snprintf(out, 8, c == '\'' ? "\"%c\"" : "'%c'", c);
	return out;
}

static writ_status
render_preflight_refuse(const struct preflight *in, const char *what)
{
	(void)w_argument_refuse(
	    &in->now, "%s is not allowed (%s)", what, in->rule->name);
	w_suggest(
	    in->now.err, "leave it out, or allow it with --arguments literal");
	return WRIT_E_INVALID;
}

static writ_status
render_preflight_check_text(
    const struct preflight *in, const char *text, size_t len)
{
	char shown[8];

	if (memchr(text, '\0', len) != NULL)
		return w_argument_refuse(&in->now,
		    "it has a NUL in it, which no command line can hold");
	size_t good = strcspn(text, in->rule->forbidden);
	if (good < len)
		return render_preflight_refuse(
		    in, render_preflight_show(text[good], shown));
	if (in->rule->no_parent && strstr(text, "..") != NULL)
		return render_preflight_refuse(in, "'..'");
	return WRIT_OK;
}

/* Recursion is bounded by DEPTH_MAX. */
static writ_status
check_value(const struct preflight *in, yyjson_val *val, unsigned depth)
{
	writ_status status = WRIT_OK;
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *item;

	if (depth == DEPTH_MAX)
		return w_argument_refuse(&in->now, "it is nested too deep");
	if (yyjson_is_str(val))
		return render_preflight_check_text(
		    in, yyjson_get_str(val), yyjson_get_len(val));
	yyjson_arr_foreach(val, i, count, item)
	{
		struct preflight inner = *in;

		if (depth == 0)
			inner.now.element = i + 1;
		status = check_value(&inner, item, depth + 1);
		if (status != WRIT_OK)
			return status;
	}
	yyjson_obj_foreach(val, i, count, key, item)
	{
		status = render_preflight_check_text(
		    in, yyjson_get_str(key), yyjson_get_len(key));
		if (status == WRIT_OK)
			status = check_value(in, item, depth + 1);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}

writ_status
w_render_preflight(
    yyjson_val *args, enum w_strictness strictness, writ_error *err)
{
	struct preflight in = {.rule = &rules[strictness], .now.err = err};
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	yyjson_obj_foreach(args, i, count, key, val)
	{
		in.now.key = yyjson_get_str(key);
		writ_status status = render_preflight_check_text(
		    &in, in.now.key, yyjson_get_len(key));
		if (status == WRIT_OK)
			status = check_value(&in, val, 0);
		if (status != WRIT_OK)
			return status;
	}
	return WRIT_OK;
}
