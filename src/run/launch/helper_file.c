/* SPDX-License-Identifier: Apache-2.0 */

/* The helper program as an executable memfd. */

#include <fcntl.h>
#include <sys/mman.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/launch/helper_file.h"

/* Linux 6.3; older headers lack it, older kernels fail with EINVAL. */
#ifndef MFD_EXEC
#define MFD_EXEC 0x0010U
#endif

extern const char w_helper_image[];
extern const char w_helper_image_end[];
extern const char w_relay_image[];
extern const char w_relay_image_end[];

static int
make_memfd(const char *name)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_EXEC);

	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	return fd;
}

static writ_status
open_program(const char *name, const char *bytes, size_t len, int *out_fd,
    writ_error *err)
{
	W_AUTO_FD int fd = make_memfd(name);
	if (fd < 0) {
		writ_status status = w_fail(err, WRIT_E_SYSTEM, "helper", errno,
		    "cannot make an executable memory file");

		w_suggest(err, "see the sysctl vm.memfd_noexec");
		return status;
	}
	int error = w_fd_raise(&fd);
	if (error == 0)
		error = w_file_write_all(fd, bytes, len);
	if (error == 0 &&
	    fcntl(fd, F_ADD_SEALS,
		F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
		error = errno;
	if (error != 0)
		return w_fail(err, WRIT_E_SYSTEM, "helper", error,
		    "cannot fill a memory file");
	*out_fd = w_take_fd(&fd);
	return WRIT_OK;
}

writ_status
w_helper_open(int *out_fd, writ_error *err)
{
	return open_program("writ-helper", w_helper_image,
	    (size_t)(w_helper_image_end - w_helper_image), out_fd, err);
}

writ_status
w_relay_open(int *out_fd, writ_error *err)
{
	return open_program("writ-relay", w_relay_image,
	    (size_t)(w_relay_image_end - w_relay_image), out_fd, err);
}
