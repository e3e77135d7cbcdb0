/* SPDX-License-Identifier: Apache-2.0 */

/* Receives the spec of a run from the engine. */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/helper/process_spec.h"

/* In .bss: untouched pages cost nothing. */
static char room[W_PROCESS_SPEC_INLINE] __attribute__((aligned(8)));

/* Private, so later changes of the file have no effect. */
static long
map_spec(int fd, uint64_t size, struct w_process_spec **out_spec)
{
	long at = w_sys6(__NR_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE, fd, 0);

	if (at < 0 && at > -4096)
		return at;
	*out_spec = (struct w_process_spec *)at;
	return 0;
}

static void
relocate(struct w_process_spec *spec, uint64_t list)
{
	uint64_t *at = (uint64_t *)(void *)((char *)spec + list);

	for (; *at != 0; at++)
		*at += (uint64_t)(uintptr_t)spec;
}

/* End of file: the engine has no run for us. Descriptors that the kernel could
 * not install are missing from the message. */
static long
receive_spec(int fds[W_PROCESS_SPEC_FDS_MAX], size_t *out_count)
{
	size_t count;
	long n;

	do {
		count = W_PROCESS_SPEC_FDS_MAX;
		n = receive_fds(
		    W_HELPER_REPORT_FD, room, sizeof(room), fds, &count);
	} while (n == -EINTR);
	if (n == 0)
		quit(0);
	*out_count = count;
	if (n < 0)
		return n;
	if (n < (long)sizeof(struct w_process_spec))
		return -EPROTO;
	const struct w_process_spec *spec =
	    (const struct w_process_spec *)(void *)room;
	return count == spec->fd_count ? 0 : -EMFILE;
}

long
process_spec_receive(struct received *out_received)
{
	struct w_process_spec *spec = (struct w_process_spec *)(void *)room;
	size_t count, at = W_PROCESS_SPEC_STREAMS;
	int fds[W_PROCESS_SPEC_FDS_MAX];

	long ret = receive_spec(fds, &count);
	if (ret == 0 && spec->is_in_file)
		ret = map_spec(fds[--count], spec->size, &spec);
	if (ret < 0)
		return ret;
	if (spec->has_null_input) {
		/* The host's /dev/null would be a descriptor from outside the
		 * view: its owner could fchmod() the node for everybody. */
		(void)w_sys1(__NR_close, fds[0]);
		fds[0] = (int)w_sys4(
		    __NR_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
	}
	for (int i = 0; i < W_PROCESS_SPEC_STREAMS && ret >= 0; i++)
		ret = fds[i] < 0 ? fds[i] : w_sys3(__NR_dup3, fds[i], i, 0);
	if (ret < 0)
		return ret;
	*out_received =
	    (struct received){.spec = spec, .cwd = -1, .program = -1};
	if (spec->has_files) {
		out_received->cwd = fds[at++];
		out_received->program = fds[at++];
	}
	while (at < count && out_received->group_count < 2)
		out_received->groups[out_received->group_count++] = fds[at++];
	relocate(spec, spec->argv);
	relocate(spec, spec->envp);
	return 0;
}
