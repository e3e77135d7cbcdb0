/* SPDX-License-Identifier: Apache-2.0 */

/* The marks of a file, and how far they can be believed. */

#include "module/registry_identity.h"

#include <string.h>
#include <time.h>

#define NSEC_PER_SEC INT64_C(1000000000)

/* A tick lasts 10 ms at most; where times have no fractions, up to 2 s. */
#define TICK_NSEC   (100 * INT64_C(1000000))
#define COARSE_NSEC (2 * NSEC_PER_SEC)

/* They are compared as bytes. */
_Static_assert(sizeof(struct w_identity) == 56, "no holes");

void
w_identity_take(const struct stat *st, struct w_identity *out)
{
	*out = (struct w_identity){
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
w_identity_is_same(
    const struct w_identity *left, const struct w_identity *right)
{
	return memcmp(left, right, sizeof(*left)) == 0;
}

int64_t
w_identity_now(void)
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
w_identity_is_fresh(const struct w_identity *identity, int64_t now_nsec)
{
	bool is_coarse = identity->ctime_nsec == 0;
	int64_t limit_nsec = now_nsec - (is_coarse ? COARSE_NSEC : TICK_NSEC);

	return is_since(
		   identity->ctime_sec, identity->ctime_nsec, limit_nsec) ||
	       is_since(identity->mtime_sec, identity->mtime_nsec, limit_nsec);
}
