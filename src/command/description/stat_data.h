/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_STAT_DATA_H
#define W_COMMAND_STAT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * Identifies a file and its state by its stat(2) data. There is one gap: two
 * writes within one tick of the file system's clock cannot be told apart.
 */
struct w_stat_data {
	uint64_t dev;
	uint64_t ino;
	uint64_t size;
	int64_t mtime_sec;
	int64_t ctime_sec;
	uint32_t mtime_nsec;
	uint32_t ctime_nsec;
	uint32_t mode;
	uint32_t uid;
};

void w_stat_data_set(const struct stat *st, struct w_stat_data *out);

bool w_stat_data_is_same(
    const struct w_stat_data *left, const struct w_stat_data *right);

/* The same for processes in which the owner may have another uid (user
 * namespaces). Nothing is lost: changing the owner changes the ctime. */
bool w_stat_data_is_same_but_owner(
    const struct w_stat_data *left, const struct w_stat_data *right);

/* All but the owner as text, and back: the number of bytes parsed, 0 if
 * invalid. */
#define W_STAT_DATA_TEXT_MAX 160
void w_stat_data_format(
    const struct w_stat_data *identity, char out[W_STAT_DATA_TEXT_MAX]);
size_t w_stat_data_parse(const char *text, struct w_stat_data *out);

/* Nanoseconds since 1970, by the clock that file systems use. */
int64_t w_stat_data_now(void);

/* Whether a file read now was changed so recently that it could change again
 * and look the same. */
bool w_stat_data_is_racy(const struct w_stat_data *identity, int64_t now_nsec);

#endif /* W_COMMAND_STAT_DATA_H */
