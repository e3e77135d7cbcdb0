/* SPDX-License-Identifier: Apache-2.0 */

/* What the compiler may call on its own, without a libc to have it from. */

#include <stddef.h>

void *memcpy(void *restrict to, const void *restrict from, size_t len);
void *memset(void *to, int byte, size_t len);

void *
memcpy(void *restrict to, const void *restrict from, size_t len)
{
	char *out = to;
	const char *in = from;

	while (len-- > 0)
		*out++ = *in++;
	return to;
}

void *
memset(void *to, int byte, size_t len)
{
	char *out = to;

	while (len-- > 0)
		*out++ = (char)byte;
	return to;
}
