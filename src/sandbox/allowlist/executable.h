/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_EXECUTABLE_H
#define W_SANDBOX_EXECUTABLE_H

#include <limits.h>
#include <stdbool.h>

/* What else the kernel opens when a file is executed. */
struct w_executable {
	bool is_elf;
	bool is_script;
	char interpreter[PATH_MAX]; /* as the file names it; "": none */
	char argument[256];         /* the first word behind it, of a script */
};

/* Looks into an open file. One that cannot be read, or is of no kind that the
 * kernel itself knows, is neither. */
void w_executable_read(int fd, struct w_executable *out_executable);

#endif /* W_SANDBOX_EXECUTABLE_H */
