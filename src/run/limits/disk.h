/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_DISK_H
#define W_RUN_DISK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * How much a run's private directory holds, while the run may be changing it.
 *
 * In a file system of its own the kernel counts and enforces the limit.
 * Elsewhere the files are walked one by one: files that are deleted and still
 * open, or in a directory that we may not enter, are not seen.
 */

/* Bytes on disk of everything below a directory, each file once; stops after
 * more than `enough` bytes. Never follows a symbolic link, never leaves the
 * file system. */
uint64_t w_disk_used(int dir_fd, uint64_t enough);

/* Bytes on disk of one name of a file: one with several links is found at each
 * of them. */
uint64_t w_disk_share(const struct stat *st);

/* Whether the file system of this descriptor has no room left. */
bool w_disk_is_full(int fd);

#endif /* W_RUN_DISK_H */
