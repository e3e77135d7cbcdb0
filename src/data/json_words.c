/* SPDX-License-Identifier: Apache-2.0 */

/* Error messages about values of the wrong type and unknown keys. */

#include "data/json_words.h"

#include <string.h>

#include "base/encode.h"
#include "base/match.h"

/* How much of a key a message quotes. */
#define SHOWN_MAX 60

const char *
w_json_type_words(yyjson_val *val)
{
	switch (yyjson_get_type(val)) {
	case YYJSON_TYPE_NULL:
		return "null";
	case YYJSON_TYPE_BOOL:
		return yyjson_is_true(val) ? "true" : "false";
	case YYJSON_TYPE_NUM:
		return "a number";
	case YYJSON_TYPE_STR:
		return "text";
	case YYJSON_TYPE_ARR:
		return "a list";
	case YYJSON_TYPE_OBJ:
		return "a map";
	default:
		return "nothing";
	}
}

bool
w_json_is_text(yyjson_val *val)
{
	const char *text = yyjson_get_str(val);

	return text != NULL && strlen(text) == yyjson_get_len(val);
}

writ_status
w_json_unknown_key(yyjson_val *key, const char *what, const char *const *names,
    const char *stage, writ_error *err)
{
	const char *text = yyjson_get_str(key);
	size_t len = yyjson_get_len(key);
	char word[SHOWN_MAX + 4] = "";
	size_t shown = w_utf8_trim_end(text, len < SHOWN_MAX ? len : SHOWN_MAX);

	memcpy(word, text, shown);
	const char *nearest = w_match_nearest(word, names);
	(void)w_fail(err, WRIT_E_INVALID, stage, 0, "unknown %s '%s%s'", what,
	    word, shown < len ? "..." : "");
	w_match_suggest(nearest, err);
	return WRIT_E_INVALID;
}
