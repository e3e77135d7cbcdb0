/* SPDX-License-Identifier: Apache-2.0 */

/* Sizes: what is accepted is within bounds, and its written form is a fixed
 * point. */

#include "base/size.h"

#include "check.h"

static void
check_format(uint64_t bytes)
{
	char text[W_SIZE_TEXT_MAX];
	uint64_t back = 0;

	memset(text, 0x5a, sizeof(text));
	w_size_format(bytes, text);
	check_line(text, sizeof(text));

	/* Never longer than the plain number of bytes. */
	char plain[W_SIZE_TEXT_MAX];
	(void)snprintf(
	    plain, sizeof(plain), "%lluB", (unsigned long long)bytes);
	CHECK(strlen(text) <= strlen(plain));
	if (bytes > W_SIZE_MAX)
		return;
	CHECK(w_size_parse(text, &back, NULL) == WRIT_OK);
	CHECK(back == bytes);
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
	uint64_t bytes = 77;
	writ_error err;

	writ_status status = w_size_parse(text, &bytes, &err);
	if (status == WRIT_OK) {
		CHECK(bytes <= W_SIZE_MAX);
		CHECK((bytes > 0) == has_digit_above_zero(text));
		check_format(bytes);
	} else {
		CHECK(status == WRIT_E_INVALID);
		CHECK(bytes == 77);
		check_error(&err, status);
	}
	free(text);

	uint64_t any = 0;
	memcpy(&any, data, size < sizeof(any) ? size : sizeof(any));
	check_format(any);
	check_format(any % (W_SIZE_MAX + 1));
	check_format(any >> 44 << 30);
	return 0;
}
