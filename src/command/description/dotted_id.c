/* SPDX-License-Identifier: Apache-2.0 */

/* Module ids, and the names derived from them. */

#include "command/description/dotted_id.h"

#include <string.h>

#include "base/ascii.h"
#include "base/match.h"

#define STAGE "module"

static bool
dotted_id_is_letter(char c)
{
	return c >= 'a' && c <= 'z';
}

static bool
is_inner(char c)
{
	return dotted_id_is_letter(c) || w_is_digit(c) || c == '_';
}

bool
w_dotted_id_valid(const char *id)
{
	bool is_start = true;

	for (const char *at = id; *at != '\0'; at++) {
		if (at - id >= W_DOTTED_ID_MAX)
			return false;
		if (is_start ? !dotted_id_is_letter(*at)
			     : !is_inner(*at) && *at != '.')
			return false;
		is_start = *at == '.';
	}
	return !is_start;
}

void
w_dotted_id_add_segment(struct w_buf *buf, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		const char c = w_lower(text[i]);

		if (i == 0 && !dotted_id_is_letter(c))
			w_buf_add_char(buf, 't');
		w_buf_add_char(buf, is_inner(c) ? c : '_');
	}
	if (len == 0)
		w_buf_add_char(buf, 't');
}

void
w_dotted_id_file(struct w_buf *buf, const char *id)
{
	w_buf_add_str(buf, id);
	w_buf_add_str(buf, ".binding.yaml");
}

static void
dotted_id_suggest(const char *id, writ_error *err)
{
	W_AUTO_BUF struct w_buf near;
	const char *at = id;

	w_buf_init(&near, W_DOTTED_ID_MAX);
	for (;;) {
		size_t len = strcspn(at, ".");

		w_dotted_id_add_segment(&near, at, len);
		if (at[len] == '\0')
			break;
		w_buf_add_char(&near, '.');
		at += len + 1;
	}
	if (near.failed || !w_dotted_id_valid(near.data))
		w_suggest(err, "like cli.git.commit, at most %d characters",
		    W_DOTTED_ID_MAX);
	else
		w_match_suggest(near.data, err);
}

writ_status
w_dotted_id_check(const char *id, writ_error *err)
{
	if (w_dotted_id_valid(id))
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' is not the id of a module: segments of a-z, 0-9 and _ that "
	    "begin with a letter, with dots between them",
	    id);
	dotted_id_suggest(id, err);
	return WRIT_E_INVALID;
}
