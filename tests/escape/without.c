/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a command on a kernel that lacks something, as far as the command can
 * tell: a filter answers the calls in question as a kernel does that was built
 * without them.
 *
 *     without landlock|userns|seccomp COMMAND ARG...
 *
 * What clone3 is asked for lies in memory, where a filter cannot look: for
 * userns a second process looks there for it.
 */

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#ifdef __x86_64__
#define NATIVE AUDIT_ARCH_X86_64
#else
#define NATIVE AUDIT_ARCH_AARCH64
#endif

#define CALL        (offsetof(struct seccomp_data, nr))
#define FIRST       (offsetof(struct seccomp_data, args))
#define LOAD(what)  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (what))
#define SAY(answer) BPF_STMT(BPF_RET | BPF_K, (answer))
#define FAIL(error) SAY(SECCOMP_RET_ERRNO | (error))
#define ALLOW       SAY(SECCOMP_RET_ALLOW)
/* Skips the next instructions unless the value is this. */
#define UNLESS(value, skip) \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, skip)
#define UNLESS_BIT(value, skip) \
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (value), 0, skip)
/* The numbers are those of one architecture. */
#define NATIVE_ONLY                                \
	LOAD(offsetof(struct seccomp_data, arch)), \
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE, 1, 0), ALLOW

static const struct sock_filter no_landlock[] = {
    NATIVE_ONLY,
    LOAD(CALL),
    UNLESS(SYS_landlock_create_ruleset, 1),
    FAIL(ENOSYS),
    UNLESS(SYS_landlock_add_rule, 1),
    FAIL(ENOSYS),
    UNLESS(SYS_landlock_restrict_self, 1),
    FAIL(ENOSYS),
    ALLOW,
};

static const struct sock_filter no_seccomp[] = {
    NATIVE_ONLY,
    LOAD(CALL),
    UNLESS(SYS_seccomp, 1),
    FAIL(ENOSYS),
    UNLESS(SYS_prctl, 3),
    LOAD(FIRST),
    UNLESS(PR_SET_SECCOMP, 1),
    FAIL(EINVAL),
    ALLOW,
};

static const struct sock_filter no_userns[] = {
    NATIVE_ONLY,
    LOAD(CALL),
    UNLESS(SYS_clone3, 1),
    SAY(SECCOMP_RET_USER_NOTIF),
    UNLESS(SYS_unshare, 1),
    BPF_STMT(BPF_JMP | BPF_JA, 1),
    UNLESS(SYS_clone, 3),
    LOAD(FIRST),
    UNLESS_BIT(CLONE_NEWUSER, 1),
    FAIL(ENOSYS),
    ALLOW,
};

struct lack {
	const char *name;
	const struct sock_filter *code;
	unsigned short count;
	bool is_watched;
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct lack lacks[] = {
    {"landlock", no_landlock, COUNT(no_landlock), false},
    {"seccomp", no_seccomp, COUNT(no_seccomp), false},
    {"userns", no_userns, COUNT(no_userns), true},
};

static int
load(const struct lack *lack)
{
	/* The kernel does not write to it; its structure cannot say so. */
	const struct sock_fprog program = {
	    lack->count, (struct sock_filter *)(uintptr_t)lack->code};

	/* Root keeps what no_new_privs would take away. */
	if (geteuid() != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
	    lack->is_watched ? SECCOMP_FILTER_FLAG_NEW_LISTENER : 0UL,
	    &program);
}

/* Who does not let itself be looked at is let through: should it get a user
 * namespace after all, that shows in what it can do. */
static bool
asks_for_userns(const struct seccomp_notif *question)
{
	uint64_t flags = 0;
	char path[64];
	int fd;

	(void)snprintf(path, sizeof(path), "/proc/%u/mem", question->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	(void)!pread(fd, &flags, sizeof(flags), (off_t)question->data.args[0]);
	(void)close(fd);
	return (flags & CLONE_NEWUSER) != 0;
}

static void
reply_to_one(int listener)
{
	struct seccomp_notif question = {0};
	struct seccomp_notif_resp reply = {0};

	if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &question) < 0)
		return;
	reply.id = question.id;
	if (asks_for_userns(&question))
		reply.error = -ENOSYS;
	else
		reply.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
	(void)ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &reply);
}

/* Until the command has ended; its exit status. What it left behind gets
 * ENOSYS from the kernel then. */
static int
watch(int listener, pid_t pid)
{
	const long pidfd = syscall(SYS_pidfd_open, pid, 0U);
	struct pollfd fds[] = {{(int)pidfd, POLLIN, 0}, {listener, POLLIN, 0}};
	int status;

	while (fds[0].revents == 0) {
		if (poll(fds, 2, -1) < 0)
			continue;
		if ((fds[1].revents & POLLIN) != 0)
			reply_to_one(listener);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static const struct lack *
find(const char *name)
{
	for (size_t i = 0; i < COUNT(lacks); i++)
		if (strcmp(lacks[i].name, name) == 0)
			return &lacks[i];
	return NULL;
}

int
main(int argc, char **argv)
{
	const struct lack *lack = argc < 3 ? NULL : find(argv[1]);
	int listener;
	pid_t pid;

	if (lack == NULL) {
		(void)fprintf(
		    stderr, "usage: without landlock|userns|seccomp COMMAND\n");
		return 96;
	}
	listener = load(lack);
	if (listener < 0) {
		perror("without");
		return 77;
	}
	pid = lack->is_watched ? fork() : 0;
	if (pid < 0)
		return 77;
	if (pid > 0)
		return watch(listener, pid);
	if (lack->is_watched)
		(void)close(listener);
	(void)execvp(argv[2], argv + 2);
	return 127;
}
