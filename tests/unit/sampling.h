/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TEST_SAMPLING_H
#define W_TEST_SAMPLING_H

/*
 * A loop over everything (each byte, each call) takes every one, unless
 * WRIT_TEST_STEP says that a quick run takes only every so many.
 * WRIT_TEST_OFFSET then says where it begins, so that different runs take
 * different ones:
 *
 *     for (size_t i = sample_begin(); i < count; i += sample_step())
 */

#include <stdlib.h>

static inline unsigned
sample_step(void)
{
	const char *text = getenv("WRIT_TEST_STEP");
	const unsigned long step = text != NULL ? strtoul(text, NULL, 10) : 1;

	return step > 0 ? (unsigned)step : 1;
}

static inline unsigned
sample_begin(void)
{
	const char *text = getenv("WRIT_TEST_OFFSET");
	const unsigned long begin = text != NULL ? strtoul(text, NULL, 10) : 0;

	return (unsigned)begin % sample_step();
}

#endif /* W_TEST_SAMPLING_H */
