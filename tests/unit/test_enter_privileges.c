/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/keyctl.h>
#include <linux/securebits.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "inside.h"
#include "sandbox/child/enter.h"
#include "temp.h"

enum {
	NOBODY = 65534,
	RAW_SOCKETS = 13,
	FAILED = 99,
};

static struct temp temp;

static int
set_up(void **state)
{
	return temp_begin(&temp, state);
}

static void
skip_unless_root(void)
{
	if (geteuid() != 0)
		skip();
}

/* What a started program says about itself in /proc, from the child's file. */
static unsigned long long
status_of(const char *word, int base)
{
	char text[4096];
	int fd = openat(temp.fd, "status", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	ssize_t len = read(fd, text, sizeof(text) - 1);
	assert_true(len > 0);
	text[len] = '\0';
	(void)close(fd);
	const char *line = strstr(text, word);
	assert_non_null(line);
	return strtoull(line + strlen(word), NULL, base);
}

static void
start_cat(void)
{
	int fd = openat(temp.fd, "status", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		_exit(FAILED);
	execl("/bin/cat", "cat", "/proc/self/status", NULL);
	_exit(FAILED);
}

static void
give_up_and_start(struct notes *notes, void *unused)
{
	(void)unused;
	notes->saw[0] = w_enter_no_privileges();
	notes->saw[1] = prctl(PR_GET_SECUREBITS, 0, 0, 0, 0);
	start_cat();
}

static void
check_nothing_is_left(void)
{
	assert_int_equal(status_of("CapInh:", 16), 0);
	assert_int_equal(status_of("CapPrm:", 16), 0);
	assert_int_equal(status_of("CapEff:", 16), 0);
	assert_int_equal(status_of("CapAmb:", 16), 0);
	assert_int_equal(status_of("NoNewPrivs:", 10), 1);
}

static void
a_started_program_has_no_capability(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	assert_int_equal(inside(give_up_and_start, notes, NULL), 0);
	assert_int_equal(notes->saw[0], 0);
	check_nothing_is_left();
	notes_close(notes);
}

static void
empty_bounds_and_start(struct notes *notes, void *unused)
{
	notes->saw[2] = w_enter_no_bounds();
	give_up_and_start(notes, unused);
}

static void
the_bounding_set_is_empty(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	skip_unless_root();
	assert_int_equal(inside(empty_bounds_and_start, notes, NULL), 0);
	assert_int_equal(notes->saw[2], 0);
	assert_int_equal(status_of("CapBnd:", 16), 0);
	check_nothing_is_left();
	notes_close(notes);
}

static void
root_has_no_magic_and_cannot_get_it_back(void **state)
{
	const long wanted =
	    SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |
	    SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |
	    SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED;
	struct notes *notes = notes_open();

	(void)state;
	skip_unless_root();
	assert_int_equal(inside(give_up_and_start, notes, NULL), 0);
	assert_int_equal(notes->saw[1], wanted);
	assert_int_equal(status_of("Uid:", 10), 0);
	notes_close(notes);
}

/* Raises one capability into every set that an exec passes on. */
static void
give_up_ambient_and_start(struct notes *notes, void *unused)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, sets) != 0)
		_exit(FAILED);
	sets[0].inheritable |= 1U << RAW_SOCKETS;
	if (syscall(SYS_capset, &header, sets) != 0 ||
	    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_RAISE, RAW_SOCKETS, 0, 0) != 0)
		_exit(FAILED);
	give_up_and_start(notes, unused);
}

static void
ambient_and_inheritable_ones_go_too(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	skip_unless_root();
	assert_int_equal(inside(give_up_ambient_and_start, notes, NULL), 0);
	check_nothing_is_left();
	notes_close(notes);
}

/* Root that may not set its own bits any more. */
static void
give_up_without_setpcap(struct notes *notes, void *unused)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct sets[_LINUX_CAPABILITY_U32S_3];

	if (syscall(SYS_capget, &header, sets) != 0)
		_exit(FAILED);
	sets[0].effective &= ~(1U << CAP_SETPCAP);
	sets[0].permitted &= ~(1U << CAP_SETPCAP);
	if (syscall(SYS_capset, &header, sets) != 0)
		_exit(FAILED);
	empty_bounds_and_start(notes, unused);
}

static void
root_of_a_poor_container_loses_all_the_same(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	skip_unless_root();
	assert_int_equal(inside(give_up_without_setpcap, notes, NULL), 0);
	assert_int_equal(notes->saw[0], 0);
	assert_int_equal(notes->saw[2], 0);
	check_nothing_is_left();
	notes_close(notes);
}

/* cat, made setuid root, started by nobody. */
static void
start_setuid(struct notes *notes, void *gives_up)
{
	int fd = openat(temp.fd, "status", O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (fd < 0 || dup2(fd, STDOUT_FILENO) < 0)
		_exit(FAILED);
	if (setresgid(NOBODY, NOBODY, NOBODY) != 0 ||
	    setresuid(NOBODY, NOBODY, NOBODY) != 0)
		_exit(FAILED);
	if (*(bool *)gives_up)
		notes->saw[0] = w_enter_no_privileges();
	execl(temp_path(&temp, "setuid"), "cat", "/proc/self/status", NULL);
	_exit(FAILED);
}

static void
copy_cat_as_setuid(void)
{
	static char bytes[1 << 20];
	int fd = open("/bin/cat", O_RDONLY | O_CLOEXEC);

	assert_true(fd >= 0);
	ssize_t len = read(fd, bytes, sizeof(bytes));
	assert_true(len > 0 && (size_t)len < sizeof(bytes));
	(void)close(fd);
	temp_bytes(&temp, "setuid", 04755, bytes, (size_t)len);
	assert_int_equal(chmod(temp.path, 0711), 0);
}

/* The second of the four user ids: the effective one. */
static unsigned long long
effective_user(void)
{
	char text[4096];
	unsigned real, effective;
	int fd = openat(temp.fd, "status", O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, text, sizeof(text) - 1);

	assert_true(len > 0);
	text[len] = '\0';
	(void)close(fd);
	assert_int_equal(
	    sscanf(strstr(text, "Uid:"), "Uid: %u %u", &real, &effective), 2);
	return effective;
}

static void
a_setuid_program_gives_nothing(void **state)
{
	struct notes *notes = notes_open();
	bool gives_up = false;

	(void)state;
	skip_unless_root();
	copy_cat_as_setuid();
	int status = inside(start_setuid, notes, &gives_up);
	/* Where setuid programs do not work at all, there is nothing to see. */
	if (status != 0 || effective_user() != 0)
		skip();
	gives_up = true;
	assert_int_equal(inside(start_setuid, notes, &gives_up), 0);
	assert_int_equal(notes->saw[0], 0);
	assert_int_equal(effective_user(), NOBODY);
	check_nothing_is_left();
	notes_close(notes);
}

static void
look_for_a_key(struct notes *notes, void *unused)
{
	static const char name[] = "writ-test-key";

	(void)unused;
	/* A keyring of the test's own first, to put the secret into. */
	(void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	notes->saw[0] = syscall(
	    SYS_add_key, "user", name, "secret", 6, KEY_SPEC_SESSION_KEYRING);
	notes->saw[1] = syscall(SYS_keyctl, KEYCTL_SEARCH,
	    KEY_SPEC_SESSION_KEYRING, "user", name, 0);
	notes->saw[2] = w_enter_keyring();
	notes->saw[3] = syscall(SYS_keyctl, KEYCTL_SEARCH,
	    KEY_SPEC_SESSION_KEYRING, "user", name, 0);
	notes->saw[4] = errno;
}

static void
keys_of_the_session_are_out_of_sight(void **state)
{
	struct notes *notes = notes_open();

	(void)state;
	assert_int_equal(inside(look_for_a_key, notes, NULL), 0);
	/* A kernel without keys, or a user who used them up. */
	if (notes->saw[0] < 0)
		skip();
	assert_true(notes->saw[1] > 0);
	assert_int_equal(notes->saw[2], 0);
	assert_int_equal(notes->saw[3], -1);
	assert_int_equal(notes->saw[4], ENOKEY);
	notes_close(notes);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		a_started_program_has_no_capability, set_up, temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		the_bounding_set_is_empty, set_up, temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		root_has_no_magic_and_cannot_get_it_back, set_up,
		temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		ambient_and_inheritable_ones_go_too, set_up, temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		root_of_a_poor_container_loses_all_the_same, set_up,
		temp_tear_down),
	    cmocka_unit_test_setup_teardown(
		a_setuid_program_gives_nothing, set_up, temp_tear_down),
	    cmocka_unit_test(keys_of_the_session_are_out_of_sight),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
