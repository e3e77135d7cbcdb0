/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FUZZ_CHECK_H
#define W_FUZZ_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/encode.h"
#include "base/error.h"

/* libFuzzer calls this; replay.c does without libFuzzer. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void
check_claim(bool holds, const char *claim, const char *file, int line)
{
	if (holds)
		return;
	(void)fprintf(stderr, "%s:%d: broken: %s\n", file, line, claim);
	abort();
}

/* A property that every input must keep. */
#define CHECK(claim) check_claim((claim), #claim, __FILE__, __LINE__)

/* One harmless line of UTF-8 that ends inside its field. */
static inline void
check_line(const char *text, size_t size)
{
	size_t len = strnlen(text, size);

	CHECK(len < size);
	CHECK(w_utf8_valid(text, len));
	for (size_t i = 0; i < len; i++)
		CHECK((unsigned char)text[i] >= 0x20 && text[i] != 0x7f);
}

static inline void
check_error(const writ_error *err, writ_status status)
{
	CHECK(status < 0);
	CHECK(err->status == status);
	CHECK(err->message[0] != '\0');
	check_line(err->stage, sizeof(err->stage));
	check_line(err->message, sizeof(err->message));
	check_line(err->suggestion, sizeof(err->suggestion));
}

/* The input with nothing behind it, so that a step beyond it is seen. */
static inline char *
copy_exact(const uint8_t *data, size_t size)
{
	char *text = calloc(1, size > 0 ? size : 1);

	CHECK(text != NULL);
	if (size > 0)
		memcpy(text, data, size);
	return text;
}

/* The same as a string. */
static inline char *
copy_string(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	CHECK(text != NULL);
	if (size > 0)
		memcpy(text, data, size);
	text[size] = '\0';
	return text;
}

#endif /* W_FUZZ_CHECK_H */
