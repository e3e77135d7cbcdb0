/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks globs in policies. A pattern that cannot mean what was intended (an
 * unclosed class, a path without a root) would silently match nothing, so it is
 * an error.
 */

#include <string.h>

#include "policy/read/policy_reader.h"

/* Whether a class contains an empty range, such as z-a. */
static bool
is_backward(const char *at, const char *end)
{
	for (at += at[1] == '!' ? 2 : 1; at + 3 < end; at++) {
		if (at[1] != '-')
			continue;
		if ((unsigned char)at[0] > (unsigned char)at[2])
			return true;
		at += 2;
	}
	return false;
}

bool
w_read_check_glob(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text)
{
	const char *at = text;

	while ((at = strchr(at, '[')) != NULL) {
		const char *first = at + (at[1] == '!' ? 2 : 1);
		const char *close =
		    strchr(*first == ']' ? first + 1 : first, ']');

		if (close == NULL) {
			(void)w_read_refuse(reader, val,
			    "%s '%.64s' has a '[' without a ']'", what, text);
			w_read_suggest(
			    reader, "'[[]' stands for the bracket itself");
			return false;
		}
		if (is_backward(at, close + 1))
			return w_read_refuse(reader, val,
			    "%s '%.64s' has a range that runs backwards", what,
			    text);
		at = close + 1;
	}
	return true;
}

static bool
begins(const char *text, const char *start)
{
	return strncmp(text, start, strlen(start)) == 0;
}

/* The path after its prefix; NULL: the prefix is not allowed. */
static const char *
path_rest(const char *text)
{
	static const char *const starts[] = {"~/", "./", "**/", "/"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (begins(text, starts[i]))
			return text + strlen(starts[i]);
	}
	return NULL;
}

static bool
refuse_start(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    const char *text)
{
	(void)w_read_refuse(reader, val,
	    "%s '%.64s' must begin with '/', '~/', './' or '**/'", what, text);
	if (strcmp(text, "**") == 0 || strcmp(text, "*") == 0)
		w_read_suggest(reader, "every path is '/**'");
	else if (strcmp(text, "~") == 0 || strcmp(text, ".") == 0)
		w_read_suggest(reader, "did you mean '%s/**'?", text);
	else if (text[0] == '$')
		w_read_suggest(reader,
		    "variables are not expanded; '~/' is the home directory");
	else if (text[0] == '~')
		w_read_suggest(
		    reader, "write other users' home directories out");
	else
		w_read_suggest(reader,
		    "'./%.64s' in the roots, '**/%.64s' anywhere", text, text);
	return false;
}

/* Whether a path contains this segment. */
static bool
has_part(const char *text, const char *part)
{
	const size_t len = strlen(part);

	for (const char *at = text; at != NULL; at = strchr(at, '/')) {
		at += *at == '/';
		if (strncmp(at, part, len) == 0 &&
		    (at[len] == '/' || at[len] == '\0'))
			return true;
	}
	return false;
}

/* Whether '**' is only a part of a segment. */
static bool
has_part_star(const char *text)
{
	const char *at = text;

	while ((at = strstr(at, "**")) != NULL) {
		const char *end = at + strspn(at, "*");

		if (end != at + 2 || (at > text && at[-1] != '/') ||
		    (*end != '/' && *end != '\0'))
			return true;
		at = end;
	}
	return false;
}

/* Rejects what an absolute path never contains. */
static bool
check_parts(struct w_policy_reader *reader, yyjson_val *val, const char *what,
    const char *text, const char *rest)
{
	if (has_part(text, ".."))
		return w_read_refuse(
		    reader, val, "%s '%.64s' has '..' in it", what, text);
	if (rest[0] != '\0' && has_part(rest, ".")) {
		(void)w_read_refuse(
		    reader, val, "%s '%.64s' has '/./' in it", what, text);
		w_read_suggest(reader, "leave it out");
		return false;
	}
	if (strstr(text, "//") != NULL) {
		(void)w_read_refuse(
		    reader, val, "%s '%.64s' has '//' in it", what, text);
		w_read_suggest(reader, "one '/' is enough");
		return false;
	}
	return true;
}

bool
w_read_check_path(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text)
{
	const char *rest = path_rest(text);
	const size_t len = strlen(text);

	if (rest == NULL)
		return refuse_start(reader, val, what, text);
	if (!check_parts(reader, val, what, text, rest))
		return false;
	if (has_part_star(text)) {
		(void)w_read_refuse(reader, val,
		    "%s '%.64s' has '**' beside other characters", what, text);
		w_read_suggest(reader,
		    "'*' is any part of one name, '/**/' any names between");
		return false;
	}
	if (len > 1 && text[len - 1] == '/') {
		(void)w_read_refuse(
		    reader, val, "%s '%.64s' ends with '/'", what, text);
		w_read_suggest(reader,
		    "'%.64s**' is the directory and what is in it", text);
		return false;
	}
	return w_read_check_glob(reader, val, what, text);
}

bool
w_read_check_program(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text)
{
	return strchr(text, '/') != NULL
		   ? w_read_check_path(reader, val, what, text)
		   : w_read_check_glob(reader, val, what, text);
}

bool
w_read_check_host(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text)
{
	const char *scheme = strstr(text, "://");

	/* "@npm": the hosts of a package manager. */
	if (text[0] == '@')
		return w_read_check_pattern(reader, val, text);
	if (scheme != NULL || strpbrk(text, "/ @") != NULL) {
		(void)w_read_refuse(
		    reader, val, "%s '%.64s' is not a host", what, text);
		w_read_suggest(reader,
		    "the name or address alone, as in 'example.org' or "
		    "'*.example.org'");
		return false;
	}
	return w_read_check_glob(reader, val, what, text);
}

bool
w_read_check_variable(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text)
{
	static const char name[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"
				   "*?[]!-";

	if (text[strspn(text, name)] != '\0') {
		(void)w_read_refuse(reader, val,
		    "%s '%.64s' is not the name of a variable", what, text);
		if (text[0] == '$')
			w_read_suggest(reader, "leave the '$' out");
		return false;
	}
	return w_read_check_glob(reader, val, what, text);
}

static bool
refuse_root(struct w_policy_reader *reader, yyjson_val *val, const char *text,
    const char *why)
{
	(void)w_read_refuse(reader, val, "the root '%.64s' %s", text, why);
	w_read_suggest(
	    reader, "'.', './DIRECTORY', '~/DIRECTORY' or an absolute path");
	return false;
}

bool
w_read_check_root(struct w_policy_reader *reader, yyjson_val *val,
    const char *what, const char *text)
{
	const size_t len = strlen(text);

	if (strcmp(text, ".") == 0)
		return true;
	if (text[strspn(text, "/")] == '\0')
		return refuse_root(reader, val, text, "is everything");
	if (text[0] == '~' && text[1 + strspn(text + 1, "/")] == '\0')
		return refuse_root(reader, val, text, "is the home directory");
	if (strpbrk(text, "*?[") != NULL)
		return refuse_root(reader, val, text, "must not be a glob");
	if (!begins(text, "/") && !begins(text, "~/") && !begins(text, "./")) {
		(void)w_read_refuse(reader, val,
		    "the root '%.64s' must begin with '/', '~/' or './'", text);
		w_read_suggest(reader, "did you mean './%.64s'?", text);
		return false;
	}
	if (text[len - 1] == '/')
		return refuse_root(reader, val, text, "ends with '/'");
	return check_parts(reader, val, what, text, path_rest(text));
}
