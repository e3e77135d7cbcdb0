/* SPDX-License-Identifier: Apache-2.0 */

/* Opens and closes the list of owed refreshes. */

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "manifest/owed/owed_state.h"

/* Stays empty if the kernel does not say: then every "may" that was not
 * concluded counts as cut off by a crash of the machine. */
static void
read_boot_id(char out[W_OWED_BOOT_MAX])
{
	W_AUTO_FD int fd =
	    open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
	ssize_t len = fd >= 0 ? read(fd, out, W_OWED_BOOT_MAX - 1) : 0;

	out[len > 0 ? len : 0] = '\0';
	out[strcspn(out, "\n")] = '\0';
}

writ_status
w_owed_open(const char *dir, bool is_readonly, struct w_owed **out_owed,
    writ_error *err)
{
	struct w_owed *owed = calloc(1, sizeof(*owed));

	if (owed == NULL)
		return w_fail_nomem(err, W_OWED_STAGE);
	w_buf_init(&owed->line, W_OWED_LINE_MAX);
	owed->is_readonly = is_readonly;
	owed->dir = strdup(dir);
	read_boot_id(owed->boot);
	writ_status status = owed->dir == NULL ? w_fail_nomem(err, W_OWED_STAGE)
					       : w_owed_load(owed, err);
	/* More than one file: most of it is history. */
	if (status == WRIT_OK && !is_readonly &&
	    owed->last_segment > owed->first_segment)
		status = w_owed_compact(owed, err);
	if (status != WRIT_OK) {
		w_owed_free(owed);
		return status;
	}
	*out_owed = owed;
	return WRIT_OK;
}

void
w_owed_free(struct w_owed *owed)
{
	if (owed == NULL)
		return;
	w_log_close(owed->log);
	w_hash_table_done(&owed->pairs);
	w_hash_table_done(&owed->subscribers);
	w_hash_table_done(&owed->texts);
	w_arena_done(&owed->arena);
	w_buf_done(&owed->line);
	free(owed->items);
	free(owed->dir);
	free(owed);
}

const char *
w_owed_note(const struct w_owed *owed)
{
	return owed->note[0] != '\0' ? owed->note : NULL;
}
