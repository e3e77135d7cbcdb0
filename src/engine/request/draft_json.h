/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_DRAFT_JSON_H
#define W_ENGINE_DRAFT_JSON_H

#include <stdbool.h>

#include <yyjson.h>

#include "engine/request/draft_state.h"

/* A document that is read into next. */
struct w_draft_reader {
	struct w_json *json;
	struct writ_draft *next;
	const struct w_draft_field *field;
	yyjson_val *at; /* where an error is located */
	uint64_t seen;  /* a bit for each field */
};

/* Reports that what ("argv[2]") has the wrong type. */
writ_status w_draft_fail_type(
    const char *what, const char *expected, yyjson_val *val, writ_error *err);

/* The text of a string value without NUL bytes. Borrowed. */
writ_status w_draft_json_text(
    const char *what, yyjson_val *val, const char **out_text, writ_error *err);

/* Reads an object of variables. */
writ_status w_draft_json_map(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err);

/* Reads a duration, a size, a count or the niceness. */
writ_status w_draft_json_number(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err);

/* Reads the bytes for stdin. */
writ_status w_draft_json_bytes(
    struct w_draft_reader *reader, yyjson_val *val, writ_error *err);

#endif /* W_ENGINE_DRAFT_JSON_H */
