/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Writes values as people write them in policies: on one line, lists and maps
 * in brackets, quotes only where a reader needs them. Reading gives the same
 * value.
 */

#include <stdlib.h>
#include <string.h>

#include "data/yaml_string.h"
#include "policy/read/policy_reader.h"

static void
yaml_flow_add_string(struct w_buf *buf, const char *text, size_t len)
{
	/* "off" and "." are words of the language; other YAML readers need not
	 * understand them. */
	bool is_word = (len == 3 && memcmp(text, "off", 3) == 0) ||
		       (len == 1 && text[0] == '.');

	if (!is_word && !w_yaml_is_plain(text, len))
		w_yaml_add_string(buf, text, len, 0);
	else if (!is_word && strcspn(text, ",[]{}") < len)
		/* Plain, but not inside brackets. */
		w_json_add_string(buf, text, len);
	else
		w_buf_add(buf, text, len);
}

void
w_flow_add_text(struct w_buf *buf, const char *text)
{
	yaml_flow_add_string(buf, text, strlen(text));
}

void
w_flow_add_globs(struct w_buf *buf, w_globs globs)
{
	w_buf_add_char(buf, '[');
	for (size_t i = 0; globs[i] != NULL; i++) {
		w_buf_add_str(buf, i > 0 ? ", " : "");
		w_flow_add_text(buf, globs[i]);
	}
	w_buf_add_char(buf, ']');
}

static void
yaml_flow_add_list(struct w_buf *buf, yyjson_val *list)
{
	size_t i;
	size_t count;
	yyjson_val *val;

	w_buf_add_char(buf, '[');
	yyjson_arr_foreach(list, i, count, val)
	{
		if (i > 0)
			w_buf_add_str(buf, ", ");
		w_flow_add(buf, val);
	}
	w_buf_add_char(buf, ']');
}

static void
yaml_flow_add_map(struct w_buf *buf, yyjson_val *map)
{
	size_t i;
	size_t count;
	yyjson_val *key;
	yyjson_val *val;

	w_buf_add_str(buf, yyjson_obj_size(map) > 0 ? "{ " : "{");
	yyjson_obj_foreach(map, i, count, key, val)
	{
		if (i > 0)
			w_buf_add_str(buf, ", ");
		yaml_flow_add_string(
		    buf, yyjson_get_str(key), yyjson_get_len(key));
		w_buf_add_str(buf, ": ");
		w_flow_add(buf, val);
	}
	w_buf_add_str(buf, yyjson_obj_size(map) > 0 ? " }" : "}");
}

static void
yaml_flow_add_number(struct w_buf *buf, yyjson_val *val)
{
	char *text = yyjson_val_write(val, 0, NULL);

	if (text == NULL)
		buf->failed = true;
	else
		w_buf_add_str(buf, text);
	free(text);
}

/* Recursion is bounded by the YAML reader's depth limit. */
void
w_flow_add(struct w_buf *buf, yyjson_val *val)
{
	switch (yyjson_get_type(val)) {
	case YYJSON_TYPE_STR:
		yaml_flow_add_string(
		    buf, yyjson_get_str(val), yyjson_get_len(val));
		break;
	case YYJSON_TYPE_ARR:
		yaml_flow_add_list(buf, val);
		break;
	case YYJSON_TYPE_OBJ:
		yaml_flow_add_map(buf, val);
		break;
	case YYJSON_TYPE_BOOL:
		w_buf_add_str(buf, yyjson_is_true(val) ? "true" : "false");
		break;
	case YYJSON_TYPE_NUM:
		yaml_flow_add_number(buf, val);
		break;
	default:
		w_buf_add_str(buf, "null");
		break;
	}
}
