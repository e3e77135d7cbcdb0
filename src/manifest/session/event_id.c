/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Event ids: KSUIDs, 4 bytes of seconds since 2014-05-13T16:53:20Z and 16
 * random bytes, as 27 digits of base 62.
 *
 * Within a second, or while the clock is set back, the next id is the previous
 * one plus one: so ids of a process sort in the order of creation.
 */

#include <pthread.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>
#include <unistd.h>

#include "manifest/session/event.h"

#define KSUID_EPOCH 1400000000
#define WORDS       5 /* 32 bits each, most significant first */

/* The digits of base 62 that fit one division by a 32-bit number. */
#define CHUNK        UINT64_C(916132832) /* 62^5 */
#define CHUNK_DIGITS 5

static struct {
	pthread_mutex_t lock;
	pid_t pid; /* a forked child starts over; 0: unused */
	uint32_t words[WORDS];
} last = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void
reseed(uint32_t seconds)
{
	struct timespec now;

	last.words[0] = seconds;
	if (getrandom(last.words + 1, sizeof(last.words) - sizeof(*last.words),
		GRND_NONBLOCK) ==
	    (ssize_t)(sizeof(last.words) - sizeof(*last.words)))
		return;
	/* The kernel's pool is not ready: unique among processes is enough. */
	(void)clock_gettime(CLOCK_REALTIME, &now);
	last.words[1] = (uint32_t)now.tv_nsec;
	last.words[2] = (uint32_t)last.pid;
}

/* Base 62 in ASCII order, so that texts sort like the numbers. */
static void
format(const uint32_t number[WORDS], char out[W_EVENT_ID_LEN + 1])
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				     "abcdefghijklmnopqrstuvwxyz";
	uint32_t words[WORDS];
	int at = W_EVENT_ID_LEN;

	memcpy(words, number, sizeof(words));
	out[W_EVENT_ID_LEN] = '\0';
	while (at > 0) {
		uint64_t rest = 0;

		for (int i = 0; i < WORDS; i++) {
			rest = rest << 32 | words[i];
			words[i] = (uint32_t)(rest / CHUNK);
			rest %= CHUNK;
		}
		for (int i = 0; i < CHUNK_DIGITS && at > 0; i++) {
			out[--at] = digits[rest % 62];
			rest /= 62;
		}
	}
}

void
w_event_new_id(char out[W_EVENT_ID_LEN + 1])
{
	const pid_t pid = getpid();
	const uint32_t seconds = (uint32_t)(time(NULL) - KSUID_EPOCH);
	uint32_t words[WORDS];

	(void)pthread_mutex_lock(&last.lock);
	if (last.pid != pid) {
		last.pid = pid;
		reseed(seconds);
	} else if (seconds > last.words[0]) {
		reseed(seconds);
	} else {
		for (int i = WORDS - 1; i >= 0; i--)
			if (++last.words[i] != 0)
				break;
	}
	memcpy(words, last.words, sizeof(words));
	(void)pthread_mutex_unlock(&last.lock);
	format(words, out);
}

uint64_t
w_event_now_us(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	return (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
}
