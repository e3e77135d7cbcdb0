/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The machine itself. None of these changes anything where it is allowed: a
 * request that the kernel would refuse after having checked the right, a value
 * that is the present one, or a file that is opened and not written.
 */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/io.h>
#include <sys/klog.h>
#include <sys/quota.h>
#include <sys/reboot.h>
#include <sys/swap.h>
#include <sys/syscall.h>
#include <sys/timex.h>
#include <unistd.h>

/* The kernel looked at the request, so it was allowed to be made. */
static int
looked_at(long result, int error)
{
	if (result >= 0 || errno == error)
		return OPEN;
	return -errno;
}

static int
load_module(void)
{
	return looked_at(syscall(SYS_finit_module, -1, "", 0), EBADF);
}

static int
unload_module(void)
{
	return looked_at(
	    syscall(SYS_delete_module, "writ-no-such-module", O_NONBLOCK),
	    ENOENT);
}

static int
load_kernel(void)
{
	return looked_at(
	    syscall(SYS_kexec_load, 0UL, 0UL, NULL, 0xffffUL), EINVAL);
}

static int
restart(void)
{
	return looked_at(syscall(SYS_reboot, 0, 0, 0, NULL), EINVAL);
}

static int
set_clock(void)
{
	struct timex state = {0};

	if (adjtimex(&state) < 0)
		return -errno;
	state.modes = ADJ_STATUS;
	return outcome(adjtimex(&state));
}

static int
set_name(void)
{
	char name[256] = "";

	if (gethostname(name, sizeof(name) - 1) < 0)
		return -errno;
	return outcome(sethostname(name, strlen(name)));
}

static int
add_swap(void)
{
	return looked_at(swapon("/no/such/file", 0), ENOENT);
}

static int
account(void)
{
	return looked_at(acct("/no/such/file"), ENOENT);
}

static int
set_quota(void)
{
	return looked_at(
	    syscall(SYS_quotactl, (unsigned)Q_QUOTAOFF << 8 | USRQUOTA,
		"/no/such/device", 0, NULL),
	    ENOENT);
}

#ifdef __x86_64__
static int
use_ports(void)
{
	return outcome(ioperm(0x80, 1, 1));
}
#else
static int
use_ports(void)
{
	return CANNOT;
}
#endif

static int
read_log(void)
{
	char text[16];

	return outcome(klogctl(3 /* read all */, text, sizeof(text)));
}

static int
open_file(const char *path, int flags)
{
	const int fd = open(path, flags | O_CLOEXEC);

	return outcome(fd);
}

static int
core_pattern(void)
{
	return open_file("/proc/sys/kernel/core_pattern", O_WRONLY);
}

static int
modprobe_path(void)
{
	return open_file("/proc/sys/kernel/modprobe", O_WRONLY);
}

static int
sysrq(void)
{
	return open_file("/proc/sysrq-trigger", O_WRONLY);
}

static int
kernel_core(void)
{
	return open_file("/proc/kcore", O_RDONLY);
}

/* Whether any of these can be opened; also a directory. */
static int
open_any(const char *const *paths)
{
	int result = CANNOT;

	for (size_t i = 0; paths[i] != NULL; i++) {
		const int fd = open(paths[i], O_RDONLY | O_CLOEXEC);

		if (fd >= 0) {
			(void)close(fd);
			return OPEN;
		}
		if (errno != ENOENT)
			result = -errno;
	}
	return result;
}

static int
proc_timers(void)
{
	return open_any((const char *const[]){"/proc/timer_list",
	    "/proc/timer_stats", "/proc/sched_debug", "/proc/latency_stats",
	    "/proc/interrupts", NULL});
}

static int
proc_keys(void)
{
	return open_any(
	    (const char *const[]){"/proc/keys", "/proc/key-users", NULL});
}

static int
proc_addresses(void)
{
	return open_any((const char *const[]){"/proc/kallsyms", "/proc/iomem",
	    "/proc/ioports", "/proc/vmallocinfo", "/proc/mtrr", NULL});
}

static int
proc_memory(void)
{
	return open_any((const char *const[]){"/proc/slabinfo",
	    "/proc/pagetypeinfo", "/proc/kpagecgroup", "/proc/kpagecount",
	    "/proc/kpageflags", "/proc/vmcore", NULL});
}

static int
proc_log(void)
{
	return open_any((const char *const[]){"/proc/kmsg", NULL});
}

static int
proc_hardware(void)
{
	return open_any((const char *const[]){
	    "/proc/acpi", "/proc/asound", "/proc/scsi", NULL});
}

static int
kernel_messages(void)
{
	return open_file("/dev/kmsg", O_RDONLY);
}

static int
physical_memory(void)
{
	return open_file("/dev/mem", O_RDONLY);
}

static int
virtual_machine(void)
{
	return open_file("/dev/kvm", O_RDWR);
}

static int
fuse(void)
{
	return open_file("/dev/fuse", O_RDWR);
}

static int
device_events(void)
{
	return open_file("/sys/devices/system/cpu/cpu0/uevent", O_WRONLY);
}

static int
power(void)
{
	const int result = open_file("/sys/power/state", O_WRONLY);

	return result == -ENOENT ? CANNOT : result;
}

static int
group_agent(void)
{
	static const char *const paths[] = {
	    "/sys/fs/cgroup/systemd/release_agent",
	    "/sys/fs/cgroup/pids/release_agent",
	    "/sys/fs/cgroup/cgroup.subtree_control"};
	int result = -ENOENT;

	for (size_t i = 0; i < 3 && result != OPEN; i++)
		result = open_file(paths[i], O_WRONLY);
	return result;
}

const struct attempt machine_attempts[] = {
    {"module-load", "load a kernel module", load_module, false},
    {"module-unload", "unload a kernel module", unload_module, false},
    {"kexec", "load another kernel", load_kernel, false},
    {"reboot", "restart the machine", restart, false},
    {"set-clock", "set the clock", set_clock, false},
    {"set-name", "set the machine's name", set_name, false},
    {"swap", "add swap space", add_swap, false},
    {"acct", "turn process accounting on", account, false},
    {"quota", "turn disk quotas off", set_quota, false},
    {"ioperm", "talk to the hardware's ports", use_ports, false},
    {"syslog", "read the kernel's log", read_log, false},
    {"core-pattern", "open the handler of core dumps for writing", core_pattern,
	false},
    {"modprobe-path", "open the loader of modules for writing", modprobe_path,
	false},
    {"sysrq", "open the emergency keys for writing", sysrq, false},
    {"kcore", "open the kernel's memory in /proc", kernel_core, false},
    {"proc-timers", "open the kernel's timers and interrupts in /proc",
	proc_timers, false},
    {"proc-keys", "open the list of keys in /proc", proc_keys, false},
    {"proc-addresses", "open the kernel's addresses in /proc", proc_addresses,
	false},
    {"proc-memory", "open the kernel's memory pools and pages in /proc",
	proc_memory, false},
    {"proc-log", "open the kernel's log in /proc", proc_log, false},
    {"proc-hardware", "open what /proc tells of the hardware", proc_hardware,
	false},
    {"dev-kmsg", "open the kernel's log in /dev", kernel_messages, false},
    {"dev-mem", "open the machine's memory in /dev", physical_memory, false},
    {"dev-kvm", "open the maker of virtual machines", virtual_machine, false},
    {"dev-fuse", "open the maker of file systems", fuse, false},
    {"sys-uevent", "open a device's events in /sys for writing", device_events,
	false},
    {"sys-power", "open the power state in /sys for writing", power, false},
    {"release-agent", "open a control group's agent for writing", group_agent,
	false},
    {NULL, NULL, NULL, false},
};
