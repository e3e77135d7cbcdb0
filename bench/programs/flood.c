/* SPDX-License-Identifier: Apache-2.0 */

/* Writes so many bytes to standard output, 64 KiB at a time, from memory. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	CHUNK = 64 * 1024,
	LINE = 80
};

int
main(int argc, char **argv)
{
	static char chunk[CHUNK];
	size_t left = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;

	memset(chunk, 'x', sizeof(chunk));
	for (size_t at = LINE - 1; at < sizeof(chunk); at += LINE)
		chunk[at] = '\n';
	while (left > 0) {
		ssize_t n = write(STDOUT_FILENO, chunk,
		    left < sizeof(chunk) ? left : sizeof(chunk));

		if (n < 0 && errno != EINTR)
			return 1;
		left -= n > 0 ? (size_t)n : 0;
	}
	return 0;
}
