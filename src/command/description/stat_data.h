/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_COMMAND_STAT_DATA_H
#define W_COMMAND_STAT_DATA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * Which state of which file something was read from, by the marks that the
 * system gives it. They have one gap: what is written twice within a tick of
 * the file system's clock looks the same after both.
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

/* The like for processes that may have other names for the same user. Nothing
 * is lost by that: whoever changes the owner changes the ctime. */
bool w_stat_data_is_same_but_owner(
    const struct w_stat_data *left, const struct w_stat_data *right);

/* All but the owner as a text, and the other way round: how many bytes of the
 * text it was, 0 if it is none. */
#define W_STAT_DATA_TEXT_MAX 160
void w_stat_data_format(
    const struct w_stat_data *identity, char out[W_STAT_DATA_TEXT_MAX]);
size_t w_stat_data_parse(const char *text, struct w_stat_data *out);

/* Nanoseconds since 1970, by the clock that file systems take their times
 * from. */
int64_t w_stat_data_now(void);

/* Whether a file that is read now was changed so lately that it could change
 * again and look the same. */
bool w_stat_data_is_racy(const struct w_stat_data *identity, int64_t now_nsec);

#endif /* W_COMMAND_STAT_DATA_H */
