/* SPDX-License-Identifier: Apache-2.0 */

/* Files that are to be executed: whatever they say, names end and come from
 * the file, and a file is of one kind. */

#include "sandbox/allowlist/executable.h"

#include <sys/mman.h>
#include <unistd.h>

#include "check.h"

/* The letters of a name, in the bytes. */
static void
check_name(const char *name, size_t size, const uint8_t *data, size_t len)
{
	const size_t end = strnlen(name, size);

	CHECK(end < size);
	CHECK(end == 0 || memmem(data, len, name, end) != NULL);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int fd = -1;
	static struct w_executable found;

	if (fd < 0)
		fd = memfd_create("executable", MFD_CLOEXEC);
	CHECK(fd >= 0 && ftruncate(fd, 0) == 0);
	CHECK(pwrite(fd, data, size, 0) == (ssize_t)size);
	memset(&found, 0x5a, sizeof(found));
	w_executable_read(fd, &found);
	CHECK(!found.is_elf || !found.is_script);
	CHECK(found.is_elf || found.is_script || found.interpreter[0] == '\0');
	CHECK(found.is_script || found.argument[0] == '\0');
	check_name(found.interpreter, sizeof(found.interpreter), data, size);
	check_name(found.argument, sizeof(found.argument), data, size);
	return 0;
}
