/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MODULE_REGISTRY_IDENTITY_H
#define W_MODULE_REGISTRY_IDENTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

/*
 * Which state of which file something was read from, by the marks that the
 * system gives it. They have one gap: what is written twice within a tick of
 * the file system's clock looks the same after both.
 */
struct w_identity {
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

void w_identity_take(const struct stat *st, struct w_identity *out);

bool w_identity_is_same(
    const struct w_identity *left, const struct w_identity *right);

/* The like for processes that may have other names for the same user. Nothing
 * is lost by that: whoever changes the owner changes the ctime. */
bool w_identity_is_same_but_owner(
    const struct w_identity *left, const struct w_identity *right);

/* All but the owner as a text, and the other way round: how many bytes of the
 * text it was, 0 if it is none. */
#define W_IDENTITY_TEXT_MAX 160
void w_identity_write(
    const struct w_identity *identity, char out[W_IDENTITY_TEXT_MAX]);
size_t w_identity_read(const char *text, struct w_identity *out);

/* Nanoseconds since 1970, by the clock that file systems take their times
 * from. */
int64_t w_identity_now(void);

/* Whether a file that is read now was changed so lately that it could change
 * again and look the same. */
bool w_identity_is_fresh(const struct w_identity *identity, int64_t now_nsec);

#endif /* W_MODULE_REGISTRY_IDENTITY_H */
