/* SPDX-License-Identifier: Apache-2.0 */

/* Taking the order of a run. */

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>

#include "exec/helper/helper.h"
#include "exec/helper/order.h"
#include "os/syscall.h"

/* Untouched pages cost nothing. */
static char room[W_ORDER_INLINE] __attribute__((aligned(8)));

/* A private copy: later changes to the file do not matter. */
static struct w_order *
map_order(int fd, uint64_t size)
{
	long at = w_sys6(__NR_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE, fd, 0);

	if (at < 0 && at > -4096)
		quit(125);
	return (struct w_order *)at;
}

static void
relocate(struct w_order *order, uint64_t list)
{
	uint64_t *at = (uint64_t *)(void *)((char *)order + list);

	for (; *at != 0; at++)
		*at += (uint64_t)(uintptr_t)order;
}

/* The machine's device would be a descriptor past the view: whoever owns the
 * node could change its mode for everybody. */
static void
use_own_null(int *fd)
{
	(void)w_sys1(__NR_close, *fd);
	*fd = (int)w_sys4(
	    __NR_openat, AT_FDCWD, "/dev/null", O_RDWR | O_CLOEXEC, 0);
}

static void
place_streams(const int *fds)
{
	for (int i = 0; i < W_ORDER_STREAMS; i++) {
		if (w_sys3(__NR_dup3, fds[i], i, 0) < 0)
			quit(125);
	}
}

/* An engine that changes its mind closes the socket. */
void
order_take(struct taken *out_taken)
{
	struct w_order *order = (struct w_order *)(void *)room;
	size_t count, at = W_ORDER_STREAMS;
	int fds[W_ORDER_FDS_MAX];
	long n;

	do {
		count = W_ORDER_FDS_MAX;
		n = receive_fds(
		    W_HELPER_REPORT_FD, room, sizeof(room), fds, &count);
	} while (n == -EINTR);
	if (n < (long)sizeof(*order) || count < W_ORDER_STREAMS)
		quit(0);
	if (order->is_in_file)
		order = map_order(fds[--count], order->size);
	if (order->has_null_input)
		use_own_null(&fds[0]);
	place_streams(fds);
	*out_taken = (struct taken){.order = order, .cwd = -1, .program = -1};
	if (order->has_files && count >= at + 2) {
		out_taken->cwd = fds[at++];
		out_taken->program = fds[at++];
	}
	while (at < count && out_taken->group_count < 2)
		out_taken->groups[out_taken->group_count++] = fds[at++];
	relocate(order, order->argv);
	relocate(order, order->envp);
}
