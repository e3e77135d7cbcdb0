/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_LOG_LOG_FILES_H
#define W_LOG_LOG_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include "log/log_reader.h"

/* Which files of a directory belong to a log, and whether to trust them. */

/* The number in the name of a segment; 0: not a file of this log. */
uint32_t w_log_segment_number(const char *name, const char *file);

/* Whether it is torn bytes saved for a segment: NAME-000001.torn-4711. */
bool w_log_file_is_torn(const char *name, const char *file);

/*
 * Finds the smallest number above one, and the largest; 0: none. Either pointer
 * may be NULL. Returns 0 or an errno.
 */
int w_log_files_find(int dir_fd, const char *name, uint32_t above,
    uint32_t *out_next, uint32_t *out_last);

/* Whether that was certainly after this machine booted, though its clock may
 * have been set since. A power failure cannot explain the loss of what was
 * written since then. */
bool w_log_is_of_this_boot(uint64_t time_us);

/*
 * Only the owner and root may be able to change a log. false: others can, and
 * why[] completes the sentence "'FILE' ...".
 */
#define W_LOG_WHY_MAX 64
bool w_log_file_is_ours(
    const struct stat *st, mode_t kind, char why[W_LOG_WHY_MAX]);

#endif /* W_LOG_LOG_FILES_H */
