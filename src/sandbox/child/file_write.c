/* SPDX-License-Identifier: Apache-2.0 */

#include <fcntl.h>

#include "os/syscall.h"
#include "sandbox/child/enter.h"

long
w_enter_write(const char *path, const char *text)
{
	size_t len = 0;

	while (text[len] != '\0')
		len++;
	long fd = w_sys4(__NR_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
	if (fd < 0)
		return fd;
	long n = w_sys3(__NR_write, fd, text, len);
	(void)w_sys1(__NR_close, fd);
	return n < 0 ? n : 0;
}
