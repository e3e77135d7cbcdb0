/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Takes memory and holds it: `hog MIB [PROCESSES]`. Each of the processes
 * takes MIB, touches it and says so; then it waits, a quarter of a minute at
 * most. Exits 3 when there is no memory to be had.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	size_t mib = argc > 1 ? (size_t)atoi(argv[1]) : 0;
	int processes = argc > 2 ? atoi(argv[2]) : 1;

	if (mib < 1 || mib > 512 || processes < 1 || processes > 8)
		return 96;
	for (int i = 1; i < processes; i++) {
		if (fork() == 0)
			break;
	}
	(void)alarm(15);
	char *memory = malloc(mib << 20);
	if (memory == NULL)
		return 3;
	(void)memset(memory, 'x', mib << 20);
	(void)printf("took %c\n", memory[(mib << 20) - 1]);
	(void)fflush(stdout);
	(void)pause();
	return 0;
}
