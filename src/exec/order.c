/* SPDX-License-Identifier: Apache-2.0 */

/* A launch, laid out for the cell that carries it out; see helper/order.h. */

#include "exec/order.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "exec/command.h"
#include "exec/helper/order.h"
#include "os/file.h"

/* More than the kernel lets a command have. */
#define ORDER_MAX (UINT32_C(64) << 20)

int
w_order_file(const char *name, const void *bytes, size_t len)
{
	W_AUTO_FD int fd = memfd_create(name, MFD_CLOEXEC);

	if (fd < 0)
		return -errno;
	int error = w_file_write_all(fd, bytes, len);
	if (error == 0)
		error = w_fd_raise(&fd);
	return error != 0 ? -error : w_take_fd(&fd);
}

static uint64_t
add_bytes(struct w_buf *buf, const void *bytes, size_t len)
{
	static const char zeros[8];

	w_buf_add(buf, zeros, (8 - buf->len % 8) % 8);
	uint64_t at = buf->len;
	if (len > 0)
		w_buf_add(buf, bytes, len);
	return at;
}

static uint64_t
add_text(struct w_buf *buf, const char *text)
{
	uint64_t at = buf->len;

	w_buf_add(buf, text, strlen(text) + 1);
	return at;
}

/* A list of offsets, filled in once the strings behind it have theirs. */
static uint64_t
add_list(struct w_buf *buf, char *const *items)
{
	static const uint64_t none;
	size_t count = 0;

	uint64_t at = add_bytes(buf, NULL, 0);
	for (; items[count] != NULL; count++)
		w_buf_add(buf, &none, sizeof(none));
	w_buf_add(buf, &none, sizeof(none));
	for (size_t i = 0; i < count; i++) {
		uint64_t text = add_text(buf, items[i]);

		if (!buf->failed)
			memcpy(buf->data + at + i * sizeof(text), &text,
			    sizeof(text));
	}
	return at;
}

static void
fill_identity(
    struct w_order *order, struct w_buf *buf, const struct w_identity *identity)
{
	order->has_identity = identity->is_set;
	order->uid = identity->uid;
	order->gid = identity->gid;
	order->group_count = (uint32_t)identity->group_count;
	order->groups = add_bytes(buf, identity->groups,
	    identity->group_count * sizeof(*identity->groups));
}

static int
look_at(struct w_order *order, const struct w_launch *launch)
{
	struct stat program, cwd;

	if (order->has_files)
		return 0;
	if (fstat(launch->program->fd, &program) < 0 ||
	    fstat(launch->cwd_fd, &cwd) < 0)
		return errno;
	order->program_dev = program.st_dev;
	order->program_ino = program.st_ino;
	order->cwd_dev = cwd.st_dev;
	order->cwd_ino = cwd.st_ino;
	return 0;
}

/* A script is executed by the name it was found under, a program by where it
 * is; without a view by its descriptor. */
static const char *
program_path(const struct w_launch *launch)
{
	if (launch->program->is_script)
		return launch->program->path;
	return launch->program_path == NULL ? "" : launch->program_path;
}

static void
lay_out(struct w_buf *buf, struct w_order *order, const struct w_launch *launch)
{
	(void)add_bytes(buf, order, sizeof(*order));
	order->argv = add_list(buf, launch->argv);
	order->envp = add_list(buf, launch->envp);
	order->program = add_text(buf, program_path(launch));
	order->cwd = add_text(buf, launch->cwd == NULL ? "" : launch->cwd);
	fill_identity(order, buf, launch->identity);
	order->size = buf->len;
	if (!buf->failed)
		memcpy(buf->data, order, sizeof(*order));
}

/* A message takes only so much. */
static int
put_into_file(struct w_order_parcel *parcel)
{
	struct w_order *order = (struct w_order *)(void *)parcel->bytes.data;

	parcel->send_len = parcel->bytes.len;
	if (parcel->bytes.len <= W_ORDER_INLINE)
		return 0;
	order->is_in_file = 1;
	parcel->send_len = sizeof(*order);
	parcel->file_fd =
	    w_order_file("writ-order", parcel->bytes.data, parcel->bytes.len);
	return parcel->file_fd < 0 ? -parcel->file_fd : 0;
}

/* Why it could not be laid out: there is too much of it, or no memory. */
static int
layout_error(const struct w_launch *launch)
{
	char *const *const lists[] = {launch->argv, launch->envp};
	size_t size = 0;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		for (char *const *item = lists[i]; *item != NULL; item++)
			size += strlen(*item) + 1 + sizeof(uint64_t);
	}
	return size >= ORDER_MAX ? E2BIG : ENOMEM;
}

static writ_status
fail(const struct w_launch *launch, int error, writ_error *err)
{
	if (error == ENOMEM)
		return w_fail_nomem(err, "sandbox");
	if (error != E2BIG)
		return w_fail(err, WRIT_E_SYSTEM, "sandbox", error,
		    "cannot hand over the command");
	writ_status status = w_fail(err, WRIT_E_INVALID, "exec", error,
	    "the arguments and environment of '%s' are too long for the kernel",
	    launch->argv[0]);
	w_suggest(err, "pass the data by standard input or in a file");
	return status;
}

writ_status
w_order_pack(const struct w_launch *launch, const struct w_limit_group *limits,
    struct w_order_parcel *out_parcel, writ_error *err)
{
	struct w_order order = {
	    .is_script = launch->program->is_script,
	    .nice = launch->nice,
	    .umask = launch->umask,
	    .wants_tmp = launch->wants_tmp,
	    .has_null_input = launch->has_null_input,
	    .has_terminal = launch->pty != NULL,
	    .has_files = launch->program_path == NULL,
	};
	struct w_order_parcel parcel = {.file_fd = -1};

	w_buf_init(&parcel.bytes, ORDER_MAX);
	order.limit_count =
	    (uint32_t)w_command_limits(launch, limits, order.limits);
	int error = look_at(&order, launch);
	if (error == 0)
		lay_out(&parcel.bytes, &order, launch);
	if (error == 0)
		error = parcel.bytes.failed ? layout_error(launch)
					    : put_into_file(&parcel);
	if (error != 0) {
		w_order_parcel_done(&parcel);
		return fail(launch, error, err);
	}
	*out_parcel = parcel;
	return WRIT_OK;
}

void
w_order_parcel_done(struct w_order_parcel *parcel)
{
	w_buf_done(&parcel->bytes);
	w_close(&parcel->file_fd);
}
