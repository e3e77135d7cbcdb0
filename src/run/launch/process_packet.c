/* SPDX-License-Identifier: Apache-2.0 */

/* Serializes a launch for the sandbox init; see helper/process_spec.h. */

#include "run/launch/process_packet.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/helper/process_spec.h"
#include "run/launch/child_command.h"
#include "run/launch/run_layer.h"

/* More than the kernel allows for argv and envp. */
#define SPEC_MAX (UINT32_C(64) << 20)

static int
fill_memfd(int made, const void *bytes, size_t len)
{
	W_AUTO_FD int fd = made;

	if (fd < 0)
		return -errno;
	int error = w_file_write_all(fd, bytes, len);
	if (error == 0)
		error = w_fd_raise(&fd);
	return error != 0 ? -error : w_take_fd(&fd);
}

int
w_memfd_create(const char *name, const void *bytes, size_t len)
{
	return fill_memfd(memfd_create(name, MFD_CLOEXEC), bytes, len);
}

int
w_memfd_sealed(const char *name, const void *bytes, size_t len)
{
	W_AUTO_FD int fd = fill_memfd(
	    memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING), bytes, len);

	if (fd >= 0 &&
	    fcntl(fd, F_ADD_SEALS,
		F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE) < 0)
		return -errno;
	return w_take_fd(&fd);
}

static uint64_t
process_packet_add_bytes(struct w_buf *buf, const void *bytes, size_t len)
{
	static const char zeros[8];

	w_buf_add(buf, zeros, (8 - buf->len % 8) % 8);
	uint64_t at = buf->len;
	if (len > 0)
		w_buf_add(buf, bytes, len);
	return at;
}

static uint64_t
process_packet_add_text(struct w_buf *buf, const char *text)
{
	uint64_t at = buf->len;

	w_buf_add(buf, text, strlen(text) + 1);
	return at;
}

/* A list of offsets, filled in when the strings after it are placed. */
static uint64_t
process_packet_add_list(struct w_buf *buf, char *const *items)
{
	static const uint64_t none;
	size_t count = 0;

	uint64_t at = process_packet_add_bytes(buf, NULL, 0);
	for (; items[count] != NULL; count++)
		w_buf_add(buf, &none, sizeof(none));
	w_buf_add(buf, &none, sizeof(none));
	for (size_t i = 0; i < count; i++) {
		uint64_t text = process_packet_add_text(buf, items[i]);

		if (!buf->failed)
			memcpy(buf->data + at + i * sizeof(text), &text,
			    sizeof(text));
	}
	return at;
}

/* A script is executed by the path it was found at, a program by its real path;
 * without a view by its descriptor. */
static const char *
program_path(const struct w_launch *launch)
{
	if (launch->program->is_script)
		return launch->program->path;
	return launch->program_path == NULL ? "" : launch->program_path;
}

static int
add_file_ids(struct w_process_spec *spec, const struct w_launch *launch)
{
	struct stat cwd;

	if (spec->has_files)
		return 0;
	if (fstat(launch->cwd_fd, &cwd) < 0)
		return errno;
	spec->program_dev = launch->program->st.st_dev;
	spec->program_ino = launch->program->st.st_ino;
	spec->cwd_dev = cwd.st_dev;
	spec->cwd_ino = cwd.st_ino;
	w_run_layer_convert(launch->sandbox, program_path(launch),
	    &spec->program_dev, &spec->program_ino);
	w_run_layer_convert(
	    launch->sandbox, launch->cwd, &spec->cwd_dev, &spec->cwd_ino);
	return 0;
}

static void
process_packet_lay_out(struct w_buf *buf, struct w_process_spec *spec,
    const struct w_launch *launch)
{
	(void)process_packet_add_bytes(buf, spec, sizeof(*spec));
	spec->argv = process_packet_add_list(buf, launch->argv);
	spec->envp = process_packet_add_list(buf, launch->envp);
	spec->program = process_packet_add_text(buf, program_path(launch));
	spec->cwd = process_packet_add_text(
	    buf, launch->cwd == NULL ? "" : launch->cwd);
	const struct w_identity *identity = launch->identity;
	spec->has_identity = identity->is_set;
	spec->uid = identity->uid;
	spec->gid = identity->gid;
	spec->group_count = (uint32_t)identity->group_count;
	spec->groups = process_packet_add_bytes(buf, identity->groups,
	    identity->group_count * sizeof(*identity->groups));
	spec->size = buf->len;
	if (!buf->failed)
		memcpy(buf->data, spec, sizeof(*spec));
}

/* A message has a maximum size; a larger spec goes into a memfd. */
static int
put_into_file(struct w_process_packet *packet)
{
	struct w_process_spec *spec =
	    (struct w_process_spec *)(void *)packet->bytes.data;

	packet->send_len = packet->bytes.len;
	if (packet->bytes.len <= W_PROCESS_SPEC_INLINE)
		return 0;
	spec->is_in_file = 1;
	packet->send_len = sizeof(*spec);
	packet->file_fd =
	    w_memfd_create("writ-order", packet->bytes.data, packet->bytes.len);
	return packet->file_fd < 0 ? -packet->file_fd : 0;
}

/* Why serializing failed: too long, or no memory. */
static int
layout_error(const struct w_launch *launch)
{
	char *const *const lists[] = {launch->argv, launch->envp};
	size_t size = 0;

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++) {
		for (char *const *item = lists[i]; *item != NULL; item++)
			size += strlen(*item) + 1 + sizeof(uint64_t);
	}
	return size >= SPEC_MAX ? E2BIG : ENOMEM;
}

static writ_status
process_packet_fail(const struct w_launch *launch, int error, writ_error *err)
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
w_process_spec_pack(const struct w_launch *launch,
    const struct w_limit_group *limits, struct w_process_packet *out_packet,
    writ_error *err)
{
	struct w_process_spec spec = {
	    .is_script = launch->program->is_script,
	    .nice = launch->nice,
	    .umask = launch->umask,
	    .wants_tmp = launch->wants_tmp,
	    .has_null_input = launch->has_null_input,
	    .has_terminal = launch->pty != NULL,
	    .has_files = launch->program_path == NULL,
	};
	struct w_process_packet packet = {.file_fd = -1};

	w_buf_init(&packet.bytes, SPEC_MAX);
	spec.limit_count =
	    (uint32_t)w_child_command_limits(launch, limits, spec.limits);
	int error = add_file_ids(&spec, launch);
	if (error == 0)
		process_packet_lay_out(&packet.bytes, &spec, launch);
	if (error == 0)
		error = packet.bytes.failed ? layout_error(launch)
					    : put_into_file(&packet);
	if (error != 0) {
		w_process_packet_done(&packet);
		return process_packet_fail(launch, error, err);
	}
	*out_packet = packet;
	return WRIT_OK;
}

void
w_process_packet_done(struct w_process_packet *packet)
{
	w_buf_done(&packet->bytes);
	w_close(&packet->file_fd);
}
