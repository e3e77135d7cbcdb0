/* SPDX-License-Identifier: Apache-2.0 */

/* Clocks that are set, and numbers of processes that are used again. */

#include "engine/approval_life.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "os/file.h"
#include "os/proc.h"

/* How far a wall clock may differ from itself for being corrected. */
#define SLACK_MS UINT64_C(60000)

static uint64_t
clock_ms(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Empty: not known. */
static void
read_boot(char out[W_BOOT_ID_LEN + 1])
{
	ssize_t len = w_file_read_at(AT_FDCWD,
	    "/proc/sys/kernel/random/boot_id", out, W_BOOT_ID_LEN + 1);

	if (len != W_BOOT_ID_LEN)
		out[0] = '\0';
}

static bool
is_this_boot(const char *boot, const char *now)
{
	return now[0] != '\0' && strcmp(boot, now) == 0;
}

void
w_moment_again(struct w_moment *moment)
{
	moment->wall_ms = clock_ms(CLOCK_REALTIME);
	moment->boot_ms = clock_ms(CLOCK_BOOTTIME);
}

void
w_moment_now(struct w_moment *out_moment)
{
	w_moment_again(out_moment);
	read_boot(out_moment->boot);
}

void
w_span_init(struct w_span *span, const struct w_moment *now, uint64_t length_ms)
{
	*span = (struct w_span){
	    .at_ms = now->wall_ms,
	    .until_ms = now->wall_ms + length_ms,
	    .boot_ms = now->boot_ms,
	};
	memcpy(span->boot, now->boot, sizeof(span->boot));
}

bool
w_span_is_over(
    const struct w_span *span, const struct w_moment *now, bool is_strict)
{
	const uint64_t length =
	    span->until_ms > span->at_ms ? span->until_ms - span->at_ms : 0;

	if (!is_this_boot(span->boot, now->boot))
		return now->wall_ms >= span->until_ms ||
		       now->wall_ms + SLACK_MS < span->at_ms;
	/* A namespace may count from elsewhere. */
	if (now->boot_ms < span->boot_ms ||
	    now->boot_ms - span->boot_ms >= length)
		return true;
	return is_strict && now->wall_ms >= span->until_ms;
}

static uint64_t
pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

void
w_life_of_self(struct w_life *out_life)
{
	*out_life = (struct w_life){.pid = getpid(), .pidns = pid_namespace()};
	if (w_proc_start(out_life->pid, &out_life->ticks) != 0)
		out_life->ticks = 0;
	read_boot(out_life->boot);
}

bool
w_life_is_over(const struct w_life *life)
{
	char boot[W_BOOT_ID_LEN + 1];
	uint64_t ticks;

	read_boot(boot);
	if (life->boot[0] != '\0' && boot[0] != '\0' &&
	    strcmp(life->boot, boot) != 0)
		return true;
	if (life->pid <= 0 || life->pidns == 0 ||
	    life->pidns != pid_namespace())
		return false;
	const int error = w_proc_start(life->pid, &ticks);
	if (error == 0)
		return life->ticks != 0 && ticks != life->ticks;
	if (error == ESRCH)
		return true;
	/* A mount of /proc may hide it, and we may have no descriptor left. */
	return kill(life->pid, 0) < 0 && errno == ESRCH;
}
