/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <termios.h>

#include "inside.h"
#include "made_profiles.h"
#include "sandbox/child/enter.h"
#include "sandbox/landlock/landlock_abi.h"
#include "sandbox/landlock/landlock_plan.h"
#include "temp.h"

static struct temp temp;
static struct w_resolved_profile resolved;

/*
 * open/       may be read
 * secret/     is hidden
 * scratch/    may be written
 */
static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "open");
	temp_file(&temp, "open/file", 0600, "text");
	temp_file(&temp, "open/script", 0700, "#!/bin/sh\nexit 7\n");
	temp_link(&temp, "../secret", "open/link");
	temp_dir(&temp, "secret");
	temp_file(&temp, "secret/key", 0600, "text");
	temp_dir(&temp, "scratch");
	temp_dir(&temp, "scratch/sub");
	places_open(&resolved, W_WALLS_READONLY);
	places_add(&resolved.hidden, temp_path(&temp, "secret"), true, 0);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	places_close(&resolved);
	temp_close(&temp);
	return 0;
}

static int
abi_of_kernel(void)
{
	int error;

	return w_landlock_abi(&error);
}

static void
skip_below(int abi)
{
	if (abi_of_kernel() < abi)
		skip();
}

/* Restricts this process by the rules of the resolved profile. Without
 * privileges, as in every sandbox: CAP_PERFMON is enough to look into other
 * processes. */
static void
lock_in(void)
{
	struct w_landlock_plan plan;
	struct w_string_table strings;
	uint32_t failed;

	w_string_table_init(&strings);
	if (w_landlock_plan_build(&resolved, abi_of_kernel(),
		temp_path(&temp, "scratch"), &strings, &plan, NULL) != WRIT_OK)
		_exit(99);
	long fd = w_enter_landlock_make(
	    &plan.scope, plan.rules, plan.count, strings.text.data, &failed);
	if (fd < 0 || w_enter_no_privileges() != 0)
		_exit(98);
	if (w_enter_landlock((int)fd) != 0)
		_exit(97);
	(void)close((int)fd);
}

/* 0, or the errno of opening a file of the tree. */
static long
try_open(const char *name, int flags)
{
	int fd = open(temp_path(&temp, name), flags | O_CLOEXEC, 0600);

	if (fd < 0)
		return errno;
	(void)close(fd);
	return 0;
}

static long
errno_of(int ret)
{
	return ret < 0 ? errno : 0;
}

static void
check_notes(const struct notes *notes, const long *wanted, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (notes->saw[i] != wanted[i])
			fail_msg("attempt %zu: %ld, should be %ld", i,
			    notes->saw[i], wanted[i]);
	}
}

static void
run_inside(
    void (*function)(struct notes *, void *), const long *wanted, size_t count)
{
	struct notes *notes = notes_open();

	assert_int_equal(inside(function, notes, NULL), 0);
	check_notes(notes, wanted, count);
	notes_close(notes);
}

static void
read_here_and_there(struct notes *notes, void *unused)
{
	char around[600];
	long *saw = notes->saw;

	(void)unused;
	lock_in();
	(void)snprintf(around, sizeof(around), "/proc/self/root%s",
	    temp_path(&temp, "secret/key"));
	*saw++ = try_open("open/file", O_RDONLY);
	*saw++ = try_open("open", O_RDONLY | O_DIRECTORY);
	*saw++ = try_open("secret/key", O_RDONLY);
	*saw++ = try_open("secret", O_RDONLY | O_DIRECTORY);
	*saw++ = try_open("open/link/key", O_RDONLY);
	*saw++ = errno_of(open(around, O_RDONLY | O_CLOEXEC));
	*saw++ = try_open("", O_RDONLY | O_DIRECTORY);
	*saw++ = errno_of(open("/proc/self/status", O_RDONLY | O_CLOEXEC));
	*saw++ = errno_of(open("/proc/self/comm", O_WRONLY | O_CLOEXEC));
	(void)snprintf(
	    around, sizeof(around), "/proc/%d/environ", (int)getppid());
	*saw++ = errno_of(open(around, O_RDONLY | O_CLOEXEC));
	*saw++ = errno_of(open("/dev/null", O_RDWR | O_CLOEXEC));
	*saw++ = errno_of(open("/dev/ptmx", O_RDWR | O_CLOEXEC));
}

static void
what_is_hidden_cannot_be_read_by_any_name(void **state)
{
	static const long wanted[] = {0, 0, EACCES, EACCES, EACCES, EACCES,
	    EACCES, 0, EACCES, EACCES, 0, EACCES};

	(void)state;
	skip_below(W_LANDLOCK_ABI_TRUNCATE);
	run_inside(
	    read_here_and_there, wanted, sizeof(wanted) / sizeof(*wanted));
}

static void
change_what_is_readable(struct notes *notes, void *unused)
{
	char from[512];
	long *saw = notes->saw;

	(void)unused;
	lock_in();
	(void)snprintf(from, sizeof(from), "%s", temp_path(&temp, "open/file"));
	*saw++ = try_open("open/file", O_WRONLY);
	*saw++ = try_open("open/file", O_RDONLY | O_TRUNC);
	*saw++ = errno_of(truncate(from, 0));
	*saw++ = try_open("open/new", O_WRONLY | O_CREAT);
	*saw++ = errno_of(mkdir(temp_path(&temp, "open/new"), 0700));
	*saw++ = errno_of(symlink("x", temp_path(&temp, "open/new")));
	*saw++ = errno_of(mkfifo(temp_path(&temp, "open/new"), 0600));
	*saw++ = errno_of(unlink(from));
	*saw++ = errno_of(rename(from, temp_path(&temp, "open/new")));
	*saw++ = errno_of(rmdir(temp_path(&temp, "secret")));
	/* A file that is moved or linked away gains no rights. */
	*saw++ = errno_of(rename(from, temp_path(&temp, "scratch/file"))) != 0;
	*saw++ = errno_of(link(from, temp_path(&temp, "scratch/file"))) != 0;
	*saw++ = errno_of(link(temp_path(&temp, "secret/key"),
		     temp_path(&temp, "scratch/key"))) != 0;
}

static void
what_is_readable_cannot_be_changed(void **state)
{
	static const long wanted[] = {EACCES, EACCES, EACCES, EACCES, EACCES,
	    EACCES, EACCES, EACCES, EACCES, EACCES, 1, 1, 1};

	(void)state;
	skip_below(W_LANDLOCK_ABI_TRUNCATE);
	run_inside(
	    change_what_is_readable, wanted, sizeof(wanted) / sizeof(*wanted));
	assert_true(temp_has(&temp, "open/file"));
}

static void
work_in_scratch(struct notes *notes, void *unused)
{
	char from[512];
	long *saw = notes->saw;

	(void)unused;
	lock_in();
	(void)snprintf(from, sizeof(from), "%s", temp_path(&temp, "scratch/a"));
	*saw++ = try_open("scratch/a", O_WRONLY | O_CREAT);
	*saw++ = try_open("scratch/a", O_WRONLY | O_TRUNC);
	*saw++ = errno_of(truncate(from, 100));
	*saw++ = errno_of(mkdir(temp_path(&temp, "scratch/dir"), 0700));
	*saw++ = errno_of(rename(from, temp_path(&temp, "scratch/sub/b")));
	*saw++ = errno_of(unlink(temp_path(&temp, "scratch/sub/b")));
	*saw++ = errno_of(rmdir(temp_path(&temp, "scratch/dir")));
	*saw++ = try_open("scratch", O_RDONLY | O_DIRECTORY);
	*saw++ = errno_of(mknod(temp_path(&temp, "scratch/null"),
		     S_IFCHR | 0600, 0x103)) != 0;
}

static void
the_scratch_directory_can_be_worked_in(void **state)
{
	static const long wanted[] = {0, 0, 0, 0, 0, 0, 0, 0, 1};

	(void)state;
	skip_below(W_LANDLOCK_ABI_TRUNCATE);
	run_inside(work_in_scratch, wanted, sizeof(wanted) / sizeof(*wanted));
}

static void
execute_a_script(struct notes *notes, void *unused)
{
	(void)unused;
	lock_in();
	execl(temp_path(&temp, "open/script"), "script", NULL);
	notes->saw[0] = errno;
}

static void
programs_run_where_they_may(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	skip_below(W_LANDLOCK_ABI_TRUNCATE);
	int status = inside(execute_a_script, notes, NULL);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);

	/* Now only the system's own. */
	resolved.grants.items[0].may = W_MAY_READ;
	places_add(&resolved.grants, "/usr", true, W_MAY_READ | W_MAY_EXECUTE);
	assert_int_equal(inside(execute_a_script, notes, NULL), 0);
	assert_int_equal(notes->saw[0], EACCES);
	notes_close(notes);
}

/* Connects to the address in *arg. */
static void
use_tcp(struct notes *notes, void *arg)
{
	struct sockaddr_in any = {
	    .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	int one = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int two = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	lock_in();
	notes->saw[0] =
	    errno_of(bind(one, (struct sockaddr *)&any, sizeof(any)));
	notes->saw[1] = errno_of(
	    connect(two, (struct sockaddr *)arg, sizeof(struct sockaddr_in)));
}

static void
tcp_is_off_or_on(void **state)
{
	struct sockaddr_in address = {
	    .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	socklen_t len = sizeof(address);
	struct notes *notes = notes_open();
	int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	skip_below(W_LANDLOCK_ABI_NET);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(listener, 4), 0);
	assert_int_equal(
	    getsockname(listener, (struct sockaddr *)&address, &len), 0);
	assert_int_equal(inside(use_tcp, notes, &address), 0);
	assert_int_equal(notes->saw[0], EACCES);
	assert_int_equal(notes->saw[1], EACCES);

	resolved.network = W_NETWORK_HOST;
	assert_int_equal(inside(use_tcp, notes, &address), 0);
	assert_int_equal(notes->saw[0], 0);
	assert_int_equal(notes->saw[1], 0);
	(void)close(listener);
	notes_close(notes);
}

static socklen_t
abstract_address(struct sockaddr_un *address)
{
	memset(address, 0, sizeof(*address));
	address->sun_family = AF_UNIX;
	int len = snprintf(address->sun_path + 1, sizeof(address->sun_path) - 1,
	    "%s", temp.path);
	return (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 +
			   (size_t)len);
}

static void
reach_out(struct notes *notes, void *unused)
{
	struct sockaddr_un address;
	socklen_t len = abstract_address(&address);
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)unused;
	lock_in();
	notes->saw[0] = errno_of(kill(getppid(), 0));
	notes->saw[1] = errno_of(kill(getpid(), 0));
	notes->saw[2] = errno_of(connect(fd, (struct sockaddr *)&address, len));
}

static void
signals_and_abstract_sockets_end_at_the_wall(void **state)
{
	struct sockaddr_un address;
	socklen_t len = abstract_address(&address);
	static const long wanted[] = {EPERM, 0, EPERM};
	int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	(void)state;
	skip_below(W_LANDLOCK_ABI_SCOPES);
	assert_int_equal(bind(listener, (struct sockaddr *)&address, len), 0);
	assert_int_equal(listen(listener, 4), 0);
	run_inside(reach_out, wanted, sizeof(wanted) / sizeof(*wanted));
	(void)close(listener);
}

/* Two rules: a device for ioctl and one to read. */
static void
ask_devices(struct notes *notes, void *unused)
{
	static const char strings[] = "\0/dev/null\0/dev/zero";
	const struct w_landlock_scope scope = {
	    .fs = W_LANDLOCK_READ_FILE | W_LANDLOCK_IOCTL_DEV};
	const struct w_landlock_rule rules[] = {
	    {.access = scope.fs, .path = 1},
	    {.access = W_LANDLOCK_READ_FILE, .path = 11},
	};
	struct termios termios;
	uint32_t failed;

	(void)unused;
	long fd = w_enter_landlock_make(&scope, rules, 2, strings, &failed);
	if (fd < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    w_enter_landlock((int)fd) != 0)
		_exit(99);
	int null = open("/dev/null", O_RDONLY | O_CLOEXEC);
	int zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	notes->saw[0] = errno_of(ioctl(null, TCGETS, &termios));
	notes->saw[1] = errno_of(ioctl(zero, TCGETS, &termios));
}

static void
a_device_is_asked_only_where_that_is_granted(void **state)
{
	static const long wanted[] = {ENOTTY, EACCES};

	(void)state;
	skip_below(W_LANDLOCK_ABI_IOCTL_DEV);
	run_inside(ask_devices, wanted, sizeof(wanted) / sizeof(*wanted));
}

/* One rule for a name in the tree, after one that always works. */
static long
make_rule(
    const char *name, uint64_t access, bool is_optional, uint32_t *out_failed)
{
	char strings[600] = "\0/";
	const struct w_landlock_scope scope = {
	    .fs = W_LANDLOCK_READ_FILE | W_LANDLOCK_READ_DIR};
	const struct w_landlock_rule rules[] = {
	    {.access = W_LANDLOCK_READ_DIR, .path = 1},
	    {.access = access, .path = 3, .is_optional = is_optional},
	};

	(void)snprintf(
	    strings + 3, sizeof(strings) - 3, "%s", temp_path(&temp, name));
	*out_failed = 99;
	long fd = w_enter_landlock_make(&scope, rules, 2, strings, out_failed);
	if (fd < 0)
		return fd;
	(void)close((int)fd);
	return 0;
}

static void
a_rule_that_cannot_be_made_is_named(void **state)
{
	uint32_t failed;

	(void)state;
	skip_below(1);
	assert_int_equal(
	    make_rule("none", W_LANDLOCK_READ_FILE, false, &failed), -ENOENT);
	assert_int_equal(failed, 1);
	assert_int_equal(
	    make_rule("open/link", W_LANDLOCK_READ_FILE, false, &failed),
	    -ELOOP);
	assert_int_equal(
	    make_rule("open/link/key", W_LANDLOCK_READ_FILE, false, &failed),
	    -ELOOP);
	assert_int_equal(
	    make_rule("open/file", W_LANDLOCK_READ_DIR, false, &failed),
	    -EINVAL);
	assert_int_equal(failed, 1);
	assert_int_equal(
	    make_rule("open/file", W_LANDLOCK_READ_FILE, false, &failed), 0);
}

static void
an_optional_rule_is_left_out_when_its_place_changed(void **state)
{
	uint32_t failed;

	(void)state;
	skip_below(1);
	assert_int_equal(
	    make_rule("none", W_LANDLOCK_READ_FILE, true, &failed), 0);
	assert_int_equal(
	    make_rule("open/file/none", W_LANDLOCK_READ_FILE, true, &failed),
	    0);
	assert_int_equal(
	    make_rule("open/link", W_LANDLOCK_READ_FILE, true, &failed), 0);
	assert_int_equal(
	    make_rule("open/file", W_LANDLOCK_READ_DIR, true, &failed), 0);
}

static void
a_ruleset_that_the_kernel_does_not_know_is_an_error(void **state)
{
	const struct w_landlock_scope scope = {.fs = UINT64_C(1) << 63};
	uint32_t failed = 99;

	(void)state;
	skip_below(1);
	assert_int_equal(
	    w_enter_landlock_make(&scope, NULL, 0, "", &failed), -EINVAL);
	assert_int_equal(failed, 0);
	assert_true(w_enter_landlock(-1) < 0);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    CASE(what_is_hidden_cannot_be_read_by_any_name),
	    CASE(what_is_readable_cannot_be_changed),
	    CASE(the_scratch_directory_can_be_worked_in),
	    CASE(programs_run_where_they_may),
	    CASE(tcp_is_off_or_on),
	    CASE(signals_and_abstract_sockets_end_at_the_wall),
	    CASE(a_device_is_asked_only_where_that_is_granted),
	    CASE(a_rule_that_cannot_be_made_is_named),
	    CASE(an_optional_rule_is_left_out_when_its_place_changed),
	    CASE(a_ruleset_that_the_kernel_does_not_know_is_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
