/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Exchanges two names again and again, as fast as it can, until it is ended:
 * `swap A B`. At most for twenty seconds.
 */

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int
main(int argc, char **argv)
{
	if (argc != 3)
		return 96;
	(void)alarm(20);
	while (renameat2(
		   AT_FDCWD, argv[1], AT_FDCWD, argv[2], RENAME_EXCHANGE) == 0)
		continue;
	perror("swap");
	return 1;
}
