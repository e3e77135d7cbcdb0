/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_OS_FILE_MARK_H
#define W_OS_FILE_MARK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/* Tells whether a file or directory is the same, and unchanged, later. All zero
 * is the mark of nothing. */
struct w_file_mark {
	dev_t dev;
	ino_t ino;
	int64_t size;
	int64_t changed_ns;
};

/* The mark of what stat() returned. */
struct w_file_mark w_file_mark_of(const struct stat *st);

bool w_file_mark_is_same(
    const struct w_file_mark *mark, const struct w_file_mark *other);

/* Whether any later change of this open file gives it another mark. Not if it
 * has changed just now, since time stamps are coarse; and not on a file system
 * where changes by others are not seen at once. */
bool w_file_mark_is_settled(const struct w_file_mark *mark, int fd);

#endif /* W_OS_FILE_MARK_H */
