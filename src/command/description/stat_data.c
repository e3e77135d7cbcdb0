/* SPDX-License-Identifier: Apache-2.0 */

/* The stat(2) data of a file, and how far it can be trusted. */

#include "command/description/stat_data.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/hex.h"

#define NSEC_PER_SEC INT64_C(1000000000)

/* A tick lasts 10 ms at most; without fractional times, up to 2 s. */
#define TICK_NSEC   (100 * INT64_C(1000000))
#define COARSE_NSEC (2 * NSEC_PER_SEC)

/* They are compared as bytes. */
_Static_assert(sizeof(struct w_stat_data) == 56, "no holes");

void
w_stat_data_set(const struct stat *st, struct w_stat_data *out)
{
	*out = (struct w_stat_data){
	    .dev = st->st_dev,
	    .ino = st->st_ino,
	    .size = (uint64_t)st->st_size,
	    .mtime_sec = st->st_mtim.tv_sec,
	    .ctime_sec = st->st_ctim.tv_sec,
	    .mtime_nsec = (uint32_t)st->st_mtim.tv_nsec,
	    .ctime_nsec = (uint32_t)st->st_ctim.tv_nsec,
	    .mode = st->st_mode,
	    .uid = st->st_uid,
	};
}

bool
w_stat_data_is_same(
    const struct w_stat_data *left, const struct w_stat_data *right)
{
	return memcmp(left, right, sizeof(*left)) == 0;
}

bool
w_stat_data_is_same_but_owner(
    const struct w_stat_data *left, const struct w_stat_data *right)
{
	struct w_stat_data other = *right;

	other.uid = left->uid;
	return w_stat_data_is_same(left, &other);
}

/* ---- as a text ---- */

#define NUMBER_COUNT 8
#define DIGITS_MAX   16

void
w_stat_data_format(
    const struct w_stat_data *identity, char out[W_STAT_DATA_TEXT_MAX])
{
	const uint64_t numbers[NUMBER_COUNT] = {identity->dev, identity->ino,
	    identity->size, (uint64_t)identity->mtime_sec, identity->mtime_nsec,
	    (uint64_t)identity->ctime_sec, identity->ctime_nsec,
	    identity->mode};
	int len = 0;

	for (size_t i = 0; i < NUMBER_COUNT; i++)
		len += snprintf(out + len, W_STAT_DATA_TEXT_MAX - (size_t)len,
		    "%" PRIx64 ",", numbers[i]);
}

/* Digits and a comma; *at moves past it. */
static bool
stat_data_read_number(const char *text, size_t *at, uint64_t *out)
{
	const size_t from = *at;
	int digit;

	*out = 0;
	while (
	    *at - from < DIGITS_MAX && (digit = w_hex_digit(text[*at])) >= 0) {
		*out = *out << 4 | (uint64_t)digit;
		++*at;
	}
	return *at > from && text[(*at)++] == ',';
}

size_t
w_stat_data_parse(const char *text, struct w_stat_data *out)
{
	uint64_t numbers[NUMBER_COUNT];
	size_t at = 0;

	for (size_t i = 0; i < NUMBER_COUNT; i++) {
		if (!stat_data_read_number(text, &at, &numbers[i]))
			return 0;
	}
	if (numbers[4] > UINT32_MAX || numbers[6] > UINT32_MAX ||
	    numbers[7] > UINT32_MAX)
		return 0;
	*out = (struct w_stat_data){
	    .dev = numbers[0],
	    .ino = numbers[1],
	    .size = numbers[2],
	    .mtime_sec = (int64_t)numbers[3],
	    .mtime_nsec = (uint32_t)numbers[4],
	    .ctime_sec = (int64_t)numbers[5],
	    .ctime_nsec = (uint32_t)numbers[6],
	    .mode = (uint32_t)numbers[7],
	};
	return at;
}

/* ---- how new it is ---- */

int64_t
w_stat_data_now(void)
{
	struct timespec time = {0};

	(void)clock_gettime(CLOCK_REALTIME_COARSE, &time);
	return time.tv_sec * NSEC_PER_SEC + time.tv_nsec;
}

static bool
is_since(int64_t sec, uint32_t nsec, int64_t limit_nsec)
{
	int64_t limit_sec = limit_nsec / NSEC_PER_SEC;

	return sec > limit_sec ||
	       (sec == limit_sec && nsec >= limit_nsec % NSEC_PER_SEC);
}

bool
w_stat_data_is_racy(const struct w_stat_data *identity, int64_t now_nsec)
{
	bool is_coarse = identity->ctime_nsec == 0;
	int64_t limit_nsec = now_nsec - (is_coarse ? COARSE_NSEC : TICK_NSEC);

	return is_since(
		   identity->ctime_sec, identity->ctime_nsec, limit_nsec) ||
	       is_since(identity->mtime_sec, identity->mtime_nsec, limit_nsec);
}
