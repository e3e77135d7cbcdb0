/* SPDX-License-Identifier: Apache-2.0 */

/* Writes output beyond the memory limit to a file. */

#include "run/streams/spill.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/auto.h"
#include "os/file.h"

static int
spill_start(struct w_spill *spill)
{
	writ_error err = {0};
	W_AUTO_FREE char *path = NULL;

	if (w_file_make_dirs(spill->dir, 0700, &err) != WRIT_OK)
		return err.sys_errno == 0 ? ENOMEM : err.sys_errno;
	if (asprintf(&path, "%s/%s.%s", spill->dir, spill->run_id,
		spill->suffix) < 0) {
		path = NULL;
		return ENOMEM;
	}
	int fd = open(
	    path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno;
	spill->fd = fd;
	spill->path = w_take_ptr(&path);
	return 0;
}

static void
spill_append(struct w_spill *spill, const char *bytes, size_t len)
{
	uint64_t room = spill->limit - spill->bytes;
	size_t take = len < room ? len : (size_t)room;

	if (spill->error != 0 || len == 0)
		return;
	spill->error = w_file_write_all(spill->fd, bytes, take);
	if (spill->error != 0) {
		/* A part may have been written; the offset tells how much. */
		off_t end = lseek(spill->fd, 0, SEEK_CUR);

		spill->bytes = end > 0 ? (uint64_t)end : spill->bytes;
		return;
	}
	spill->bytes += take;
	if (take < len)
		spill->error = EFBIG;
}

void
w_spill_add(struct w_spill *spill, const struct w_capture *capture,
    const char *bytes, size_t len)
{
	if (spill->dir == NULL || spill->limit == 0 || spill->error != 0)
		return;
	if (spill->fd < 0) {
		size_t kept = capture->head_len + capture->ring_len;

		if (!w_capture_is_whole(capture))
			return;
		if (len <= capture->head_max + capture->ring_max - kept)
			return;
		spill->error = spill_start(spill);
		spill_append(spill, capture->head, capture->head_len);
		spill_append(spill, capture->ring, capture->ring_len);
	}
	spill_append(spill, bytes, len);
}

writ_status
w_spill_read(
    const char *path, uint64_t offset, void *buf, size_t len, size_t *out_len)
{
	W_AUTO_FD int fd = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return errno == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_SYSTEM;

	ssize_t n = pread(fd, buf, len, (off_t)offset);
	if (n < 0)
		return WRIT_E_SYSTEM;
	*out_len = (size_t)n;
	return WRIT_OK;
}

void
w_spill_take(struct w_spill *spill, writ_output *out)
{
	out->spill_path = w_take_ptr(&spill->path);
	out->spill_bytes = spill->bytes;
	out->spill_errno = spill->error;
	w_close(&spill->fd);
}

void
w_spill_discard(struct w_spill *spill)
{
	if (spill->path != NULL)
		(void)unlink(spill->path);
	free(spill->path);
	spill->path = NULL;
	w_close(&spill->fd);
}
