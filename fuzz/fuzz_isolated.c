/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What a runner may have written. Whatever it is, an answer is one JSON object
 * of a runner that ended well, or there is an error with words; and the error
 * is valid JSON too.
 *
 * The first byte says how the runner ended, the second how much of the rest is
 * its standard output.
 */

#include <writ/module.h>

#include <yyjson.h>

#include "check.h"

#define ID "cli.some.module"

static writ_result
make_result(uint8_t how)
{
	static const writ_outcome outcomes[] = {WRIT_EXITED, WRIT_EXITED,
	    WRIT_EXITED, WRIT_SIGNALED, WRIT_TIMED_OUT, WRIT_IDLE_TIMED_OUT,
	    WRIT_CANCELLED, WRIT_LIMITED};
	writ_result result = {.run_id = "01M7HP7S6DYJEA3VCE70E163MV",
	    .outcome = outcomes[how & 7],
	    .status_known = (how & 8) == 0,
	    .exit_code = (how & 16) == 0 ? 0 : how,
	    .timeout_ms = 300000};

	if (result.outcome != WRIT_EXITED) {
		result.exit_code = -1;
		result.signal = 15;
	}
	return result;
}

static void
fill(writ_output *out, const char *text, size_t len, bool is_cut)
{
	const size_t head_len = is_cut ? len / 4 : len;

	*out = (writ_output){.head = text,
	    .head_len = head_len,
	    .tail = text + head_len,
	    .tail_len = len - head_len,
	    .bytes = is_cut ? len + 7 : len,
	    .truncated = is_cut};
}

static void
check_json(const char *json, size_t len, const char *pointer)
{
	yyjson_doc *doc = yyjson_read(json, len, 0);

	CHECK(doc != NULL && json[len] == '\0');
	CHECK(yyjson_is_obj(yyjson_doc_get_root(doc)));
	CHECK(pointer == NULL ||
	      yyjson_ptr_get(yyjson_doc_get_root(doc), pointer) != NULL);
	yyjson_doc_free(doc);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	writ_error err = {0};
	char *json = NULL;
	size_t len = 0;

	if (size < 2)
		return 0;
	const size_t cut = (size - 2) * data[1] / 255;
	char *said = copy_string(data + 2, cut);
	char *complained = copy_string(data + 2 + cut, size - 2 - cut);
	writ_result result = make_result(data[0]);
	fill(&result.out[WRIT_STDOUT], said, cut, (data[0] & 32) != 0);
	fill(&result.out[WRIT_STDERR], complained, size - 2 - cut,
	    (data[0] & 64) != 0);

	writ_status status =
	    writ_isolated_decode(ID, &result, &json, &len, &err);
	if (status == WRIT_OK) {
		CHECK(result.outcome == WRIT_EXITED && result.exit_code == 0);
		check_json(json, len, NULL);
	} else {
		check_error(&err, status);
		CHECK(writ_isolated_error_json(
			  ID, &result, &err, &json, &len) == WRIT_OK);
		check_json(json, len, "/error/details/stderr");
	}
	free(json);
	free(said);
	free(complained);
	return 0;
}
