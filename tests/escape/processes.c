/* SPDX-License-Identifier: Apache-2.0 */

/* Other processes: the victim is one of the same user, outside. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t
victim(void)
{
	return (pid_t)fact_number("victim");
}

static bool
file_of_process_holds(pid_t pid, const char *file, const char *text)
{
	char path[64];
	char content[4096];
	ssize_t n;
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%d/%s", pid, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	n = read(fd, content, sizeof(content));
	(void)close(fd);
	return n > 0 && memmem(content, (size_t)n, text, strlen(text)) != NULL;
}

static bool
is_victim(pid_t pid, void *ctx)
{
	return file_of_process_holds(pid, "cmdline", ctx);
}

static int
see_victim(void)
{
	char name[] = "escape-victim";

	if (victim() <= 0)
		return CANNOT;
	return each_process(is_victim, name) ? OPEN : -ESRCH;
}

static int
signal_victim(void)
{
	return victim() <= 0 ? CANNOT : outcome(kill(victim(), SIGCONT));
}

static int
signal_by_pidfd(void)
{
	long fd;

	if (victim() <= 0)
		return CANNOT;
	fd = syscall(SYS_pidfd_open, victim(), 0U);
	if (fd < 0)
		return -errno;
	return outcome(
	    syscall(SYS_pidfd_send_signal, (int)fd, SIGCONT, NULL, 0U));
}

static bool
is_engine(pid_t pid, void *ctx)
{
	(void)ctx;
	return pid != 1 && pid != getpid() && pid != starter &&
	       file_of_process_holds(pid, "comm", "writ") && kill(pid, 0) == 0;
}

/* Either the engine can be found in /proc, or it is the starter. */
static int
signal_engine(void)
{
	if (each_process(is_engine, NULL))
		return OPEN;
	if (starter <= 1)
		return -ESRCH;
	return outcome(kill(starter, 0));
}

/* If this works there is nobody left to say so. */
static int
kill_init(void)
{
	const char *host = fact("ns_pid");
	char id[64] = "";

	if (host == NULL ||
	    readlink("/proc/self/ns/pid", id, sizeof(id) - 1) < 0 ||
	    strcmp(id, host) == 0)
		return CANNOT;
	for (int i = 1; i < SIGRTMAX; i++)
		if (i != SIGSTOP && i != SIGCONT)
			(void)kill(1, i);
	(void)kill(1, SIGSTOP);
	(void)usleep(20000);
	return -EPERM;
}

static int
trace_victim(void)
{
	if (victim() <= 0)
		return CANNOT;
	if (ptrace(PTRACE_SEIZE, victim(), NULL, NULL) < 0)
		return -errno;
	return OPEN; /* our end detaches */
}

static int
trace_engine(void)
{
	if (starter <= 0)
		return -ESRCH;
	return outcome(ptrace(PTRACE_SEIZE, starter, NULL, NULL));
}

static int
read_memory(void)
{
	char text[64] = "";
	const char *address = fact("victim_addr");
	struct iovec here = {text, 16};
	struct iovec there = {NULL, 16};

	if (victim() <= 0 || address == NULL)
		return CANNOT;
	/* An address in the other process, as it told us. */
	there.iov_base = (void *)(uintptr_t)strtoull(address, NULL, 16);
	return outcome(process_vm_readv(victim(), &here, 1, &there, 1, 0));
}

static int
write_memory(void)
{
	char path[64];

	if (victim() <= 0)
		return CANNOT;
	(void)snprintf(path, sizeof(path), "/proc/%d/mem", victim());
	return outcome(open(path, O_RDWR | O_CLOEXEC));
}

static int
take_descriptor(void)
{
	long fd;

	if (victim() <= 0)
		return CANNOT;
	fd = syscall(SYS_pidfd_open, victim(), 0U);
	if (fd < 0)
		return -errno;
	return outcome(syscall(SYS_pidfd_getfd, (int)fd, 0, 0U));
}

static int
limit_victim(void)
{
	struct rlimit limit;

	if (victim() <= 0)
		return CANNOT;
	if (prlimit(victim(), RLIMIT_CORE, NULL, &limit) < 0)
		return -errno;
	return outcome(prlimit(victim(), RLIMIT_CORE, &limit, NULL));
}

static int
renice_victim(void)
{
	if (victim() <= 0)
		return CANNOT;
	errno = 0;
	return outcome(setpriority(PRIO_PROCESS, (id_t)victim(),
	    getpriority(PRIO_PROCESS, (id_t)victim())));
}

static int
pin_victim(void)
{
	cpu_set_t set;

	if (victim() <= 0)
		return CANNOT;
	if (sched_getaffinity(victim(), sizeof(set), &set) < 0)
		return -errno;
	return outcome(sched_setaffinity(victim(), sizeof(set), &set));
}

static int
schedule_victim(void)
{
	const struct sched_param param = {0};

	if (victim() <= 0)
		return CANNOT;
	return outcome(sched_setscheduler(victim(), SCHED_OTHER, &param));
}

static int
doom_victim(void)
{
	char path[64];

	if (victim() <= 0)
		return CANNOT;
	(void)snprintf(path, sizeof(path), "/proc/%d/oom_score_adj", victim());
	return outcome(open(path, O_WRONLY | O_CLOEXEC));
}

const struct attempt process_attempts[] = {
    {"see-process", "find another process in /proc", see_victim, false},
    {"signal-process", "signal another process", signal_victim, false},
    {"signal-pidfd", "signal it by a pidfd", signal_by_pidfd, false},
    {"signal-engine", "signal writ itself", signal_engine, false},
    {"kill-init", "kill or stop the init of the own pid namespace", kill_init,
	true},
    {"trace-process", "attach to another process as a debugger", trace_victim,
	false},
    {"trace-engine", "attach to the starter as a debugger", trace_engine,
	false},
    {"read-memory", "read the memory of another process", read_memory, false},
    {"proc-mem", "open the memory of another process in /proc", write_memory,
	false},
    {"take-fd", "take a descriptor out of another process", take_descriptor,
	false},
    {"limit-process", "set resource limits of another process", limit_victim,
	false},
    {"renice-process", "change the priority of another process", renice_victim,
	false},
    {"pin-process", "change the processors of another process", pin_victim,
	false},
    {"schedule-process", "change the scheduling of another process",
	schedule_victim, false},
    {"doom-process", "offer another process to the out-of-memory killer",
	doom_victim, false},
    {NULL, NULL, NULL, false},
};
