/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A question with yes or no to the person at the terminal.
 */

#include "cli/output/confirm.h"

#include <stdio.h>
#include <unistd.h>

bool
w_cli_confirm_is_possible(void)
{
	return isatty(STDIN_FILENO) == 1 && isatty(STDERR_FILENO) == 1;
}

bool
w_cli_confirm(const char *question)
{
	char line[16] = "";

	(void)fprintf(stderr, "%s [y/N] ", question);
	(void)fflush(stderr);
	return fgets(line, sizeof(line), stdin) != NULL &&
	       (line[0] == 'y' || line[0] == 'Y');
}
