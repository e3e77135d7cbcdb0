/* SPDX-License-Identifier: Apache-2.0 */

/* A JSON value as the line that a runner writes, and back. */

#include <stdlib.h>
#include <string.h>

#include <writ/module.h>

#include "base/error.h"
#include "data/json.h"

#define STAGE "isolated"

enum {
	DEPTH_MAX = 256
};

static writ_status
isolated_text_convert(const char *text, size_t len, char **out_text,
    size_t *out_len, writ_error *err)
{
	const struct w_json_limits limits = {
	    .bytes_max = WRIT_DEFAULT_ISOLATED_OUTPUT, .depth_max = DEPTH_MAX};
	struct w_json *json = NULL;
	size_t written = 0;
	writ_error inner = {0};
	writ_status status =
	    w_json_read_exact(text, len, &limits, &json, &inner);

	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK) {
		(void)w_fail(err, WRIT_E_PARSE, STAGE, 0,
		    "this is not one JSON value: %s", inner.message);
		w_locate(err, inner.line, inner.column);
		return WRIT_E_PARSE;
	}
	char *line = yyjson_val_write(w_json_root(json), 0, &written);
	w_json_free(json);
	if (line == NULL)
		return w_fail_nomem(err, STAGE);
	*out_text = line;
	if (out_len != NULL)
		*out_len = written;
	return WRIT_OK;
}

writ_status
writ_result_encode(const char *json, size_t len, char **out_text,
    size_t *out_len, writ_error *err)
{
	return isolated_text_convert(json, len, out_text, out_len, err);
}

writ_status
writ_result_decode(const char *text, size_t len, char **out_json,
    size_t *out_len, writ_error *err)
{
	return isolated_text_convert(text, len, out_json, out_len, err);
}
