/* SPDX-License-Identifier: Apache-2.0 */

/* Durations: what is accepted is within bounds, and its written form is a
 * fixed point. */

#include "base/duration.h"

#include "check.h"

static void
check_format(uint64_t ms)
{
	char text[W_DURATION_TEXT_MAX];
	char again[W_DURATION_TEXT_MAX];
	uint64_t back = 0;

	memset(text, 0x5a, sizeof(text));
	w_duration_format(ms, text);
	check_line(text, sizeof(text));
	if (ms > W_DURATION_MAX_MS)
		return;
	CHECK(w_duration_parse(text, &back, NULL) == WRIT_OK);
	CHECK(back == ms);
	w_duration_format(back, again);
	CHECK(strcmp(text, again) == 0);
}

static bool
has_digit_above_zero(const char *text)
{
	return text[strcspn(text, "123456789")] != '\0';
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_string(data, size);
	uint64_t ms = 77;
	writ_error err;

	writ_status status = w_duration_parse(text, &ms, &err);
	if (status == WRIT_OK) {
		CHECK(ms <= W_DURATION_MAX_MS);
		CHECK((ms > 0) == has_digit_above_zero(text));
		check_format(ms);
	} else {
		CHECK(status == WRIT_E_INVALID);
		CHECK(ms == 77);
		check_error(&err, status);
	}
	free(text);

	uint64_t any = 0;
	memcpy(&any, data, size < sizeof(any) ? size : sizeof(any));
	check_format(any);
	check_format(any % (W_DURATION_MAX_MS + 1));
	return 0;
}
