/* SPDX-License-Identifier: Apache-2.0 */

/* Functions that the compiler calls implicitly; there is no libc to provide
 * them. */

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
