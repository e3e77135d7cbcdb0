/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The functions that stand between libwrit and the C library.
 *
 * A refused call does nothing at all, as the kernel would have it. Which
 * errno makes sense can depend on the arguments; where it does, a call that
 * cannot fail in that way is not counted.
 */

#include "inject.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <yyjson.h>

static struct {
	const char *function; /* NULL: nothing fails */
	unsigned first;
	unsigned count;
	unsigned seen;
	unsigned refused;
	int error;
} plan;

void
inject_arm(const char *function, unsigned first, unsigned count, int error)
{
	plan.first = first;
	plan.count = count;
	plan.seen = 0;
	plan.refused = 0;
	plan.error = error;
	plan.function = function;
}

bool
inject_disarm(void)
{
	plan.function = NULL;
	return plan.refused > 0;
}

static bool
refuses(const char *function)
{
	if (plan.function == NULL || strcmp(plan.function, function) != 0)
		return false;
	plan.seen++;
	if (plan.seen < plan.first || plan.seen - plan.first >= plan.count)
		return false;
	plan.refused++;
	errno = plan.error;
	return true;
}

/* Declares and defines one function in between. */
#define WRAP(type, name, parameters, arguments, failure, claim) \
	extern type __real_##name parameters;                   \
	extern type __wrap_##name parameters;                   \
	type __wrap_##name parameters                           \
	{                                                       \
		if ((claim) && refuses(#name))                  \
			return failure;                         \
		return __real_##name arguments;                 \
	}

#define WRAP_ALLOCATION(type, name, parameters, arguments, failure) \
	extern type __real_##name parameters;                       \
	extern type __wrap_##name parameters;                       \
	type __wrap_##name parameters                               \
	{                                                           \
		if (refuses("allocation"))                          \
			return failure;                             \
		return __real_##name arguments;                     \
	}

/* ---- memory ---- */

WRAP_ALLOCATION(void *, malloc, (size_t size), (size), NULL)
WRAP_ALLOCATION(
    void *, calloc, (size_t count, size_t size), (count, size), NULL)
WRAP_ALLOCATION(void *, realloc, (void *old, size_t size), (old, size), NULL)
WRAP_ALLOCATION(void *, reallocarray, (void *old, size_t count, size_t size),
    (old, count, size), NULL)
WRAP_ALLOCATION(void *, aligned_alloc, (size_t alignment, size_t size),
    (alignment, size), NULL)
WRAP_ALLOCATION(char *, strdup, (const char *text), (text), NULL)
WRAP_ALLOCATION(
    char *, strndup, (const char *text, size_t len), (text, len), NULL)
WRAP_ALLOCATION(char *, realpath,
    (const char *restrict path, char *restrict resolved), (path, resolved),
    NULL)
WRAP_ALLOCATION(void *, fdopendir, (int fd), (fd), NULL)

extern int __wrap_asprintf(char **out, const char *format, ...);
extern int __wrap___asprintf_chk(char **out, int flag, const char *format, ...);

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

int
__wrap_asprintf(char **out, const char *format, ...)
{
	va_list list;

	if (refuses("allocation"))
		return -1;
	va_start(list, format);
	int len = vasprintf(out, format, list);
	va_end(list);
	return len;
}

int
__wrap___asprintf_chk(char **out, int flag, const char *format, ...)
{
	va_list list;

	(void)flag;
	if (refuses("allocation"))
		return -1;
	va_start(list, format);
	int len = vasprintf(out, format, list);
	va_end(list);
	return len;
}

#pragma GCC diagnostic pop

extern yyjson_doc *__real_yyjson_read_opts(char *dat, size_t len,
    yyjson_read_flag flag, const yyjson_alc *alc, yyjson_read_err *err);
extern yyjson_doc *__wrap_yyjson_read_opts(char *dat, size_t len,
    yyjson_read_flag flag, const yyjson_alc *alc, yyjson_read_err *err);

yyjson_doc *
__wrap_yyjson_read_opts(char *dat, size_t len, yyjson_read_flag flag,
    const yyjson_alc *alc, yyjson_read_err *err)
{
	if (!refuses("allocation"))
		return __real_yyjson_read_opts(dat, len, flag, alc, err);
	if (err != NULL) {
		err->code = YYJSON_READ_ERROR_MEMORY_ALLOCATION;
		err->msg = "memory allocation failed";
		err->pos = 0;
	}
	return NULL;
}

/* ---- descriptors ---- */

WRAP(int, epoll_create1, (int flags), (flags), -1, true)
WRAP(int, epoll_ctl, (int epfd, int op, int fd, struct epoll_event *event),
    (epfd, op, fd, event), -1, op != EPOLL_CTL_DEL)
WRAP(int, epoll_wait,
    (int epfd, struct epoll_event *events, int max, int timeout),
    (epfd, events, max, timeout), -1, true)
WRAP(int, timerfd_create, (int clock, int flags), (clock, flags), -1, true)
WRAP(int, pipe2, (int ends[2], int flags), (ends, flags), -1, true)
WRAP(int, socketpair, (int domain, int type, int protocol, int ends[2]),
    (domain, type, protocol, ends), -1, true)
WRAP(int, memfd_create, (const char *name, unsigned flags), (name, flags), -1,
    true)

extern int __real_open64(const char *path, int flags, ...);
extern int __wrap_open64(const char *path, int flags, ...);
extern int __real_openat64(int dir, const char *path, int flags, ...);
extern int __wrap_openat64(int dir, const char *path, int flags, ...);
extern int __real_fcntl64(int fd, int command, ...);
extern int __wrap_fcntl64(int fd, int command, ...);

int
__wrap_open64(const char *path, int flags, ...)
{
	va_list list;

	if (refuses("open"))
		return -1;
	va_start(list, flags);
	unsigned mode = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
	va_end(list);
	return __real_open64(path, flags, mode);
}

int
__wrap_openat64(int dir, const char *path, int flags, ...)
{
	va_list list;

	if (refuses("openat"))
		return -1;
	va_start(list, flags);
	unsigned mode = (flags & O_CREAT) != 0 ? va_arg(list, unsigned) : 0;
	va_end(list);
	return __real_openat64(dir, path, flags, mode);
}

/* Reading and changing flags cannot fail. */
int
__wrap_fcntl64(int fd, int command, ...)
{
	va_list list;

	if (command != F_GETFL && command != F_SETFL && command != F_GETFD &&
	    refuses("fcntl"))
		return -1;
	va_start(list, command);
	long argument = va_arg(list, long);
	va_end(list);
	return __real_fcntl64(fd, command, argument);
}

/* ---- bytes ---- */

/* A pipe does not break down; it is only interrupted, or full. For a terminal
 * that error is the end. */
static bool
may_fail_with(int fd, int error)
{
	struct stat st;

	return error == EINTR || fstat(fd, &st) < 0 ||
	       (!S_ISFIFO(st.st_mode) && !isatty(fd));
}

WRAP(ssize_t, read, (int fd, void *buf, size_t len), (fd, buf, len), -1,
    plan.function != NULL && may_fail_with(fd, plan.error))

extern ssize_t __real_write(int fd, const void *buf, size_t len);
extern ssize_t __wrap_write(int fd, const void *buf, size_t len);

/* As "short write", every other refused call writes half of it: a disk that
 * gets full within a line. */
ssize_t
__wrap_write(int fd, const void *buf, size_t len)
{
	if (plan.function == NULL || !may_fail_with(fd, plan.error))
		return __real_write(fd, buf, len);
	if (refuses("write"))
		return -1;
	if (refuses("short write"))
		return plan.refused % 2 == 0 ? -1
					     : __real_write(fd, buf, len / 2);
	return __real_write(fd, buf, len);
}

WRAP(ssize_t, pread64, (int fd, void *buf, size_t len, off_t at),
    (fd, buf, len, at), -1, true)
WRAP(ssize_t, pwritev64,
    (int fd, const struct iovec *parts, int count, off_t at),
    (fd, parts, count, at), -1, true)
WRAP(ssize_t, pwrite64, (int fd, const void *buf, size_t len, off_t at),
    (fd, buf, len, at), -1, true)
WRAP(int, fdatasync, (int fd), (fd), -1, true)
WRAP(int, fsync, (int fd), (fd), -1, true)
WRAP(int, ftruncate64, (int fd, off_t size), (fd, size), -1, true)
WRAP(int, fallocate64, (int fd, int mode, off_t from, off_t len),
    (fd, mode, from, len), -1, true)
WRAP(int, flock, (int fd, int operation), (fd, operation), -1,
    operation != LOCK_UN)
WRAP(int, fchmod, (int fd, mode_t mode), (fd, mode), -1, true)
WRAP(int, renameat2,
    (int from_fd, const char *from, int to_fd, const char *to, unsigned flags),
    (from_fd, from, to_fd, to, flags), -1, true)
WRAP(int, statx,
    (int dir, const char *restrict path, int flags, unsigned mask,
	struct statx *restrict out),
    (dir, path, flags, mask, out), -1, true)
WRAP(ssize_t, send, (int fd, const void *buf, size_t len, int flags),
    (fd, buf, len, flags), -1, true)
WRAP(ssize_t, recv, (int fd, void *buf, size_t len, int flags),
    (fd, buf, len, flags), -1, true)
WRAP(ssize_t, sendmsg, (int fd, const struct msghdr *message, int flags),
    (fd, message, flags), -1, true)
WRAP(ssize_t, recvmsg, (int fd, struct msghdr *message, int flags),
    (fd, message, flags), -1, true)
WRAP(int, poll, (struct pollfd * fds, nfds_t count, int timeout),
    (fds, count, timeout), -1, true)

/* ---- files ---- */

WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, true)
WRAP(int, mkdirat, (int dir, const char *path, mode_t mode), (dir, path, mode),
    -1, true)
WRAP(int, statfs64, (const char *path, struct statfs *out), (path, out), -1,
    true)

static char private_dir[64];

const char *
inject_private_dir(void)
{
	return private_dir;
}

extern char *__real_mkdtemp(char *name);
extern char *__wrap_mkdtemp(char *name);

char *
__wrap_mkdtemp(char *name)
{
	if (refuses("mkdtemp"))
		return NULL;
	char *made = __real_mkdtemp(name);
	if (made != NULL && plan.function != NULL &&
	    strlen(made) < sizeof(private_dir))
		(void)strcpy(private_dir, made);
	return made;
}

/* ---- terminals ---- */

WRAP(int, posix_openpt, (int flags), (flags), -1, true)
WRAP(int, unlockpt, (int fd), (fd), -1, true)

/* ---- memory maps and processes ---- */

WRAP(void *, mmap64,
    (void *at, size_t len, int protection, int flags, int fd, off_t from),
    (at, len, protection, flags, fd, from), (void *)-1, true)
WRAP(int, mprotect, (void *at, size_t len, int protection),
    (at, len, protection), -1, true)
WRAP(ssize_t, getrandom, (void *buf, size_t len, unsigned flags),
    (buf, len, flags), -1, true)

struct clone_args;
extern long __real_w_clone_child(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg);
extern long __wrap_w_clone_child(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg);

/* Also called by a child that shares our memory. */
long
__wrap_w_clone_child(
    struct clone_args *args, size_t size, int (*fn)(void *), void *arg)
{
	if (refuses("clone3"))
		return -plan.error;
	return __real_w_clone_child(args, size, fn, arg);
}

extern long __real_syscall(long number, ...);
extern long __wrap_syscall(long number, ...);

static const char *
name_of_syscall(long number)
{
	switch (number) {
	case SYS_openat2:
		return "openat2";
	case SYS_pidfd_open:
		return "pidfd_open";
	case SYS_pidfd_send_signal:
		return "pidfd_send_signal";
	case SYS_waitid:
		return "waitid";
	default:
		return "another system call";
	}
}

/* Reads six arguments however many were passed, as the kernel does. */
__attribute__((no_sanitize("address"))) long
__wrap_syscall(long number, ...)
{
	long a[6];
	va_list list;

	bool is_refused = refuses(name_of_syscall(number));
	if (is_refused && plan.error != ECHILD)
		return -1;
	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	long ret = __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
	if (!is_refused)
		return ret;
	/* ECHILD means that somebody else has reaped the child. */
	errno = ECHILD;
	return -1;
}
