/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_SANDBOX_EXECUTABLE_H
#define W_SANDBOX_EXECUTABLE_H

#include <limits.h>
#include <stdbool.h>

/* The other files that the kernel opens when it executes a file. */
struct w_executable {
	bool is_elf;
	bool is_script;
	char interpreter[PATH_MAX]; /* as written in the file; "": none */
	char argument[256];         /* of a script: the first word after it */
};

/* Reads an open file. The result is empty if the file cannot be read or the
 * kernel does not know its format. */
void w_executable_read(int fd, struct w_executable *out_executable);

#endif /* W_SANDBOX_EXECUTABLE_H */
