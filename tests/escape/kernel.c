/* SPDX-License-Identifier: Apache-2.0 */

/* Calls that are doors into the kernel, and other ways to make calls. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/fanotify.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <linux/bpf.h>
#include <linux/io_uring.h>
#include <linux/keyctl.h>
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>

static int
io_uring(void)
{
	struct io_uring_params params = {0};

	return outcome(syscall(SYS_io_uring_setup, 4U, &params));
}

static int
io_uring_register(void)
{
	/* With no ring: the kernel's answer is neither of these. */
	const long result = syscall(SYS_io_uring_register, 999, 0U, NULL, 0U);

	return result < 0 && (errno == ENOSYS || errno == EPERM) ? -errno
								 : OPEN;
}

static int
bpf(void)
{
	union bpf_attr attr = {0};

	attr.map_type = BPF_MAP_TYPE_ARRAY;
	attr.key_size = 4;
	attr.value_size = 4;
	attr.max_entries = 1;
	return outcome(syscall(SYS_bpf, BPF_MAP_CREATE, &attr, sizeof(attr)));
}

static int
perf(void)
{
	struct perf_event_attr attr = {.size = sizeof(attr)};

	attr.type = PERF_TYPE_SOFTWARE;
	attr.config = PERF_COUNT_SW_CPU_CLOCK;
	attr.exclude_kernel = 1;
	return outcome(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0UL));
}

static int
page_faults(void)
{
	return outcome(
	    syscall(SYS_userfaultfd, O_CLOEXEC | UFFD_USER_MODE_ONLY));
}

static int
add_key(void)
{
	return outcome(syscall(SYS_add_key, "user", "escape-new", "x", 1UL,
	    KEY_SPEC_PROCESS_KEYRING));
}

static int
request_key(void)
{
	const long key =
	    syscall(SYS_request_key, "user", "escape-none", NULL, 0);

	/* It was looked for. */
	return key >= 0 || errno == ENOKEY ? OPEN : -errno;
}

static int
trace_child(void)
{
	const pid_t pid = fork();
	int status;

	if (pid < 0)
		return -errno;
	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0 ? errno : 0);
	if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}

static int
compare(void)
{
	return outcome(
	    syscall(SYS_kcmp, getpid(), getpid(), 0 /* KCMP_FILE */, 1UL, 2UL));
}

static int
change_personality(void)
{
	return outcome(personality(READ_IMPLIES_EXEC));
}

static int
name_to_handle(void)
{
	union {
		struct file_handle handle;
		unsigned char bytes[sizeof(struct file_handle) + 128];
	} box = {0};
	int mount_id;

	box.handle.handle_bytes = 128;
	return outcome(
	    name_to_handle_at(AT_FDCWD, ".", &box.handle, &mount_id, 0));
}

static int
watch_files(void)
{
	return outcome(syscall(SYS_fanotify_init,
	    (unsigned)FAN_CLASS_NOTIF | FAN_CLOEXEC | 0x200U /* FID */,
	    (unsigned)O_RDONLY));
}

static int
run_from_memory(void)
{
	char *const argv[] = {(char[]){"attempt"}, (char[]){"--list"}, NULL};
	const int program = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	const int fd = memfd_create("escape", 0);
	char block[8192];
	int status;
	pid_t pid;

	if (fd < 0 || program < 0)
		return -errno;
	for (ssize_t n = 1; n > 0;) {
		n = read(program, block, sizeof(block));
		if (n > 0 && write(fd, block, (size_t)n) != n)
			return -errno;
	}
	pid = fork();
	if (pid < 0)
		return -errno;
	if (pid == 0) {
		(void)dup2(open("/dev/null", O_WRONLY | O_CLOEXEC), 1);
		(void)syscall(SYS_execveat, fd, "", argv, NULL, AT_EMPTY_PATH);
		_exit(errno);
	}
	(void)waitpid(pid, &status, 0);
	return WIFEXITED(status) ? -WEXITSTATUS(status) : -EACCES;
}

#ifdef __x86_64__
/* getpid by the door for 32-bit programs; 20 is its number there. */
static int
thirty_two_bits(void)
{
	long result = 20;

	__asm__ volatile("int $0x80"
			 : "+a"(result)
			 :
			 : "memory", "r8", "r9", "r10", "r11");
	if (result > 0)
		return OPEN;
	return result == -ENOSYS ? CANNOT : (int)result;
}

static int
thirty_two_bit_pointers(void)
{
	const long result = syscall(0x40000000L | SYS_getpid);

	if (result > 0)
		return OPEN;
	return errno == ENOSYS ? CANNOT : -errno;
}

static int
descriptor_table(void)
{
	unsigned char description[16] = {0};

	return outcome(
	    syscall(SYS_modify_ldt, 1, description, sizeof(description)));
}
#else
static int
thirty_two_bits(void)
{
	return CANNOT;
}

static int
thirty_two_bit_pointers(void)
{
	return CANNOT;
}

static int
descriptor_table(void)
{
	return CANNOT;
}
#endif

const struct attempt kernel_attempts[] = {
    {"io-uring", "make a ring for calls that no filter sees", io_uring, false},
    {"io-uring-register", "register with such a ring", io_uring_register,
	false},
    {"int-80", "make a call by the door for 32-bit programs", thirty_two_bits,
	false},
    {"x32", "make a call of the x32 kind", thirty_two_bit_pointers, false},
    {"bpf", "make a map for kernel programs", bpf, false},
    {"perf", "watch performance events", perf, false},
    {"userfaultfd", "handle the own page faults", page_faults, false},
    {"add-key", "add a key", add_key, false},
    {"request-key", "ask for a key", request_key, false},
    {"ptrace-child", "be debugged by the parent", trace_child, false},
    {"kcmp", "compare kernel pointers", compare, false},
    {"personality", "make everything readable executable", change_personality,
	false},
    {"name-to-handle", "get a handle of a file", name_to_handle, false},
    {"fanotify", "watch files of the machine", watch_files, false},
    {"modify-ldt", "change the table of segments", descriptor_table, false},
    {"memfd-exec", "execute a program that is no file", run_from_memory, false},
    {NULL, NULL, NULL, false},
};
