/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_FILE_H
#define W_FLEET_FLEET_FILE_H

#include <stdint.h>
#include <sys/types.h>

#include "base/buf.h"
#include "base/error.h"

/* Small files of the fleet: keys, settings, who is trusted. */
#define W_FLEET_FILE_MAX ((size_t)1 << 20)
#define W_FLEET_PATH_MAX 1024

/* Appends a file. Fails with WRIT_E_INVALID if it is a link, no regular file,
 * too large, or if another user than root and this one can write it;
 * WRIT_E_NOTFOUND if there is none. */
writ_status w_fleet_file_read(
    const char *path, struct w_buf *out_text, writ_error *err);

/* Replaces a file as a whole; it is on disk when this returns. */
writ_status w_fleet_file_write(const char *path, mode_t mode, const char *text,
    size_t len, writ_error *err);

/* Makes a directory and those above it that are missing, with mode 0700. */
writ_status w_fleet_dir_make(const char *path, writ_error *err);

/* "STATE/fleet/REST" in out; state is the setting state_dir. */
writ_status w_fleet_path(const char *state, const char *rest,
    char out[W_FLEET_PATH_MAX], writ_error *err);

/* Milliseconds since 1970. */
uint64_t w_fleet_now_ms(void);

/* Appends a time as people and documents write it: 2026-11-20T01:02:03Z. */
void w_fleet_time_add(struct w_buf *buf, uint64_t unix_ms);

#endif /* W_FLEET_FLEET_FILE_H */
