/* SPDX-License-Identifier: Apache-2.0 */

/* Validity despite clocks that are set, and process ids that are reused. */

#include "engine/approval/approval_validity.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "os/file.h"
#include "os/proc.h"

/* How far the wall clock may go back when it is corrected. */
#define SLACK_MS UINT64_C(60000)

static uint64_t
clock_ms(clockid_t clock)
{
	struct timespec now;

	(void)clock_gettime(clock, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* Empty: unknown. */
static void
read_boot(char out[W_BOOT_ID_LEN + 1])
{
	ssize_t len = w_file_read_at(AT_FDCWD,
	    "/proc/sys/kernel/random/boot_id", out, W_BOOT_ID_LEN + 1);

	if (len != W_BOOT_ID_LEN)
		out[0] = '\0';
}

void
w_timestamp_update(struct w_timestamp *timestamp)
{
	timestamp->wall_ms = clock_ms(CLOCK_REALTIME);
	timestamp->boot_ms = clock_ms(CLOCK_BOOTTIME);
}

void
w_timestamp_now(struct w_timestamp *out_timestamp)
{
	w_timestamp_update(out_timestamp);
	read_boot(out_timestamp->boot);
}

void
w_validity_init(struct w_validity *validity, const struct w_timestamp *now,
    uint64_t length_ms)
{
	*validity = (struct w_validity){
	    .at_ms = now->wall_ms,
	    .until_ms = now->wall_ms + length_ms,
	    .boot_ms = now->boot_ms,
	};
	memcpy(validity->boot, now->boot, sizeof(validity->boot));
}

bool
w_validity_is_over(const struct w_validity *validity,
    const struct w_timestamp *now, bool is_strict)
{
	const uint64_t length = validity->until_ms > validity->at_ms
				    ? validity->until_ms - validity->at_ms
				    : 0;

	if (now->boot[0] == '\0' || strcmp(validity->boot, now->boot) != 0)
		return now->wall_ms >= validity->until_ms ||
		       now->wall_ms + SLACK_MS < validity->at_ms;
	/* A time namespace may have another offset. */
	if (now->boot_ms < validity->boot_ms ||
	    now->boot_ms - validity->boot_ms >= length)
		return true;
	return is_strict && now->wall_ms >= validity->until_ms;
}

static uint64_t
pid_namespace(void)
{
	struct stat st;

	return stat("/proc/self/ns/pid", &st) == 0 ? st.st_ino : 0;
}

void
w_pidref_of_self(struct w_pidref *out_pidref)
{
	*out_pidref =
	    (struct w_pidref){.pid = getpid(), .pidns = pid_namespace()};
	if (w_proc_start(out_pidref->pid, &out_pidref->ticks) != 0)
		out_pidref->ticks = 0;
	read_boot(out_pidref->boot);
}

bool
w_pidref_is_dead(const struct w_pidref *pidref)
{
	char boot[W_BOOT_ID_LEN + 1];
	uint64_t ticks;

	read_boot(boot);
	if (pidref->boot[0] != '\0' && boot[0] != '\0' &&
	    strcmp(pidref->boot, boot) != 0)
		return true;
	if (pidref->pid <= 0 || pidref->pidns == 0 ||
	    pidref->pidns != pid_namespace())
		return false;
	const int error = w_proc_start(pidref->pid, &ticks);
	if (error == 0)
		return pidref->ticks != 0 && ticks != pidref->ticks;
	if (error == ESRCH)
		return true;
	/* /proc may hide it, or we have no descriptor left. */
	return kill(pidref->pid, 0) < 0 && errno == ESRCH;
}
