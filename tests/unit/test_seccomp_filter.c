/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <sched.h>
#include <seccomp.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bpf_run.h"
#include "sampling.h"
#include "sandbox/seccomp/seccomp_filter.h"
#include "sandbox/seccomp/syscall_table.h"

enum {
	KINDS = 64,
	ASKED_MAX = 600, /* all numbers up to here are tried */
	THEIRS_MAX = 8192,
	WORKSPACE_MAX = 120,
	JUMP_MAX = 255,
};

static const uint32_t of_scmp[] = {SCMP_ARCH_X86_64, SCMP_ARCH_AARCH64};
static const uint32_t of_audit[] = {AUDIT_ARCH_X86_64, AUDIT_ARCH_AARCH64};

static struct w_seccomp_kind
kind_of(unsigned bits)
{
	return (struct w_seccomp_kind){
	    .has_unix_paths = (bits & 1) != 0,
	    .has_internet = (bits & 2) != 0,
	    .has_netlink = (bits & 4) != 0,
	    .denies_metadata = (bits & 8) != 0,
	    .explains = (bits & 16) != 0,
	    .has_modes = (bits & 32) != 0,
	};
}

/* The filter as libseccomp builds it from independent rules. */
struct theirs {
	scmp_filter_ctx ctx;
	uint32_t deny;
	uint32_t no_family;
	struct sock_filter code[THEIRS_MAX];
	size_t count;
};

static void
rule(struct theirs *theirs, uint32_t action, const char *name, unsigned count,
    const struct scmp_arg_cmp *args)
{
	int nr = seccomp_syscall_resolve_name(name);

	/* Calls that this libseccomp does not know are compared by hand. */
	if (nr == __NR_SCMP_ERROR)
		return;
	int ret = seccomp_rule_add_array(theirs->ctx, action, nr, count, args);
	if (ret != 0)
		fail_msg("rule for %s: %s", name, strerror(-ret));
}

static void
rule_if(struct theirs *theirs, uint32_t action, const char *name,
    struct scmp_arg_cmp arg)
{
	rule(theirs, action, name, 1, &arg);
}

/* libseccomp compares all 64 bits, the kernel uses the lower ones: hence the
 * mask. */
static struct scmp_arg_cmp
low_is(unsigned arg, uint32_t value)
{
	return SCMP_CMP64(arg, SCMP_CMP_MASKED_EQ, UINT32_MAX, value);
}

static struct scmp_arg_cmp
has_bit(unsigned arg, unsigned bit)
{
	uint64_t mask = UINT64_C(1) << bit;

	return SCMP_CMP64(arg, SCMP_CMP_MASKED_EQ, mask, mask);
}

static void
add_family_rule(
    struct theirs *theirs, const struct w_seccomp_kind *kind, unsigned family)
{
	struct scmp_arg_cmp args[] = {low_is(0, family), low_is(0, family)};
	bool is_internet = family == AF_INET || family == AF_INET6;

	if (family != AF_UNIX)
		rule(theirs, theirs->no_family, "socketpair", 1, args);
	if ((family == AF_UNIX && kind->has_unix_paths) ||
	    (is_internet && kind->has_internet))
		return;
	if (family != AF_NETLINK || !kind->has_netlink) {
		rule(theirs, theirs->no_family, "socket", 1, args);
		return;
	}
	for (unsigned bit = 0; bit < 32; bit++) {
		args[1] = has_bit(2, bit);
		rule(theirs, theirs->no_family, "socket", 2, args);
	}
}

static void
add_socket_rules(struct theirs *theirs, const struct w_seccomp_kind *kind)
{
	struct scmp_arg_cmp pair[] = {low_is(0, AF_UNIX), low_is(0, AF_UNIX)};

	for (unsigned family = 0; family < 64; family++)
		add_family_rule(theirs, kind, family);
	for (unsigned type = 0; type < 16 && !kind->has_unix_paths; type++) {
		pair[1] = SCMP_A1_64(SCMP_CMP_MASKED_EQ, 15, type);
		if (type != SOCK_STREAM && type != SOCK_SEQPACKET)
			rule(theirs, theirs->no_family, "socketpair", 2, pair);
	}
	for (unsigned bit = 6; bit < 32; bit++) {
		rule_if(theirs, theirs->no_family, "socket", has_bit(0, bit));
		rule_if(
		    theirs, theirs->no_family, "socketpair", has_bit(0, bit));
	}
}

/* The calls that create a file with a mode, or open one if a bit is set. */
static void
add_mode_rules(struct theirs *theirs, unsigned bit)
{
	static const unsigned making[] = {6, 22}; /* O_CREAT, O_TMPFILE */

	rule_if(theirs, theirs->deny, "creat", has_bit(1, bit));
	rule_if(theirs, theirs->deny, "mknod", has_bit(1, bit));
	rule_if(theirs, theirs->deny, "mknodat", has_bit(2, bit));
	for (size_t i = 0; i < 2; i++) {
		struct scmp_arg_cmp args[] = {
		    has_bit(1, making[i]), has_bit(2, bit)};
		struct scmp_arg_cmp args_at[] = {
		    has_bit(2, making[i]), has_bit(3, bit)};

		rule(theirs, theirs->deny, "open", 2, args);
		rule(theirs, theirs->deny, "openat", 2, args_at);
	}
}

static void
add_mode_class(struct theirs *theirs, const struct w_seccomp_kind *kind)
{
	static const char *const watched[] = {
	    "creat", "mknod", "mknodat", "open", "openat"};
	static const char *const modes[] = {
	    "chmod", "fchmod", "fchmodat", "fchmodat2"};

	for (size_t i = 0; i < 4; i++) {
		if (w_seccomp_denies_modes(kind) || kind->explains)
			rule(theirs, theirs->deny, modes[i], 0, NULL);
		else
			rule_if(theirs, theirs->deny, modes[i],
			    has_bit(i < 2 ? 1 : 2, 11));
	}
	for (size_t i = 0; i < 5 && kind->explains; i++)
		rule(theirs, SCMP_ACT_NOTIFY, watched[i], 0, NULL);
	for (unsigned bit = 10; bit <= 11 && !kind->explains; bit++)
		add_mode_rules(theirs, bit);
}

static void
add_argument_rules(struct theirs *theirs, const struct w_seccomp_kind *kind)
{
	static const unsigned new_spaces[] = {17, 25, 26, 27, 28, 29, 30};
	struct scmp_arg_cmp limits[] = {
	    has_bit(0, 0), SCMP_A2_64(SCMP_CMP_NE, 0, 0)};

	for (size_t i = 0; i < sizeof(new_spaces) / sizeof(*new_spaces); i++)
		rule_if(theirs, SCMP_ACT_ERRNO(EPERM), "clone",
		    has_bit(0, new_spaces[i]));
	rule_if(theirs, theirs->deny, "ioctl", low_is(1, TIOCSTI));
	rule_if(theirs, theirs->deny, "ioctl", low_is(1, TIOCLINUX));
	rule_if(theirs, theirs->deny, "seccomp", has_bit(1, 3));
	/* One rule cannot test an argument twice: 0xffffffff is tried by
	 * hand. */
	for (unsigned bit = 0; bit < 32; bit++) {
		rule_if(theirs, theirs->deny, "personality", has_bit(0, bit));
		limits[0] = has_bit(0, bit);
		if (kind->denies_metadata)
			rule(theirs, theirs->deny, "prlimit64", 2, limits);
	}
	if (kind->explains)
		rule_if(theirs, SCMP_ACT_NOTIFY, "execveat",
		    SCMP_A4_64(SCMP_CMP_MASKED_EQ, AT_EMPTY_PATH, 0));
	add_mode_class(theirs, kind);
	add_socket_rules(theirs, kind);
}

static void
add_plain_rule(struct theirs *theirs, const struct w_seccomp_kind *kind,
    const struct w_seccomp_call *call)
{
	switch (call->class) {
	case W_SECCOMP_DENY:
		rule(theirs, theirs->deny, call->name, 0, NULL);
		break;
	case W_SECCOMP_ABSENT:
		rule(theirs, SCMP_ACT_ERRNO(ENOSYS), call->name, 0, NULL);
		break;
	case W_SECCOMP_METADATA:
		if (kind->denies_metadata && kind->has_modes)
			rule(theirs, SCMP_ACT_ERRNO(EOPNOTSUPP), call->name, 0,
			    NULL);
		else if (kind->denies_metadata || kind->explains)
			rule(theirs, theirs->deny, call->name, 0, NULL);
		break;
	case W_SECCOMP_MODES:
		if (w_seccomp_denies_modes(kind) || kind->explains)
			rule(theirs, theirs->deny, call->name, 0, NULL);
		break;
	case W_SECCOMP_IPC:
		if (kind->denies_metadata)
			rule(theirs, theirs->deny, call->name, 0, NULL);
		break;
	case W_SECCOMP_WATCH:
	case W_SECCOMP_EXECVE:
		if (kind->explains)
			rule(theirs, SCMP_ACT_NOTIFY, call->name, 0, NULL);
		break;
	default:
		break;
	}
}

static void export(struct theirs *theirs)
{
	int fd = memfd_create("bpf", MFD_CLOEXEC);

	assert_true(fd >= 0);
	assert_int_equal(seccomp_export_bpf(theirs->ctx, fd), 0);
	ssize_t len = pread(fd, theirs->code, sizeof(theirs->code), 0);
	assert_true(len > 0 && (size_t)len < sizeof(theirs->code));
	theirs->count = (size_t)len / sizeof(*theirs->code);
	(void)close(fd);
}

static void
build_theirs(enum w_seccomp_machine machine, const struct w_seccomp_kind *kind,
    struct theirs *theirs)
{
	(void)seccomp_api_set(6);
	theirs->ctx = seccomp_init(SCMP_ACT_ALLOW);
	assert_non_null(theirs->ctx);
	theirs->deny = kind->explains ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EPERM);
	theirs->no_family =
	    kind->explains ? SCMP_ACT_NOTIFY : SCMP_ACT_ERRNO(EAFNOSUPPORT);
	assert_int_equal(seccomp_attr_set(theirs->ctx, SCMP_FLTATR_ACT_BADARCH,
			     SCMP_ACT_KILL_PROCESS),
	    0);
	if (of_scmp[machine] != seccomp_arch_native()) {
		assert_int_equal(
		    seccomp_arch_add(theirs->ctx, of_scmp[machine]), 0);
		assert_int_equal(
		    seccomp_arch_remove(theirs->ctx, seccomp_arch_native()), 0);
	}
	for (size_t i = 0; i < w_seccomp_call_count; i++)
		add_plain_rule(theirs, kind, &w_seccomp_calls[i]);
	add_argument_rules(theirs, kind);
	export(theirs);
	seccomp_release(theirs->ctx);
}

static const struct w_seccomp_call *
find_call(enum w_seccomp_machine machine, uint32_t nr)
{
	for (size_t i = 0; i < w_seccomp_call_count; i++) {
		if (w_seccomp_calls[i].nr[machine] == (int)nr)
			return &w_seccomp_calls[i];
	}
	return NULL;
}

static bool
is_unknown_to_them(const struct w_seccomp_call *call)
{
	return seccomp_syscall_resolve_name(call->name) == __NR_SCMP_ERROR;
}

/* The file system ioctls that stay allowed, of groups that are denied. */
static bool
is_denied_request(uint32_t request)
{
	switch (request) {
	case 0x80086601:
	case 0x80087601:
	case 0x801c581f:
	case 0xc020660b:
		return false;
	default:
		break;
	}
	switch ((request >> 8) & 0xff) {
	case 'X':
	case 'f':
	case 'r':
	case 'v':
	case 0x94:
	case 0xf5:
		return true;
	default:
		return false;
	}
}

/* What libseccomp cannot express; false: it can. */
static bool
expect_by_hand(enum w_seccomp_machine machine,
    const struct w_seccomp_kind *kind, const struct seccomp_data *data,
    uint32_t *out_action)
{
	uint32_t nr = (uint32_t)data->nr;
	uint32_t denied =
	    kind->explains ? SECCOMP_RET_USER_NOTIF : SECCOMP_RET_ERRNO | EPERM;
	const struct w_seccomp_call *call = find_call(machine, nr);

	if (data->arch != of_audit[machine] ||
	    (machine == W_SECCOMP_X86_64 && nr >= W_SECCOMP_X32)) {
		*out_action = SECCOMP_RET_KILL_PROCESS;
		return true;
	}
	if (nr > W_SECCOMP_NEWEST) {
		*out_action = SECCOMP_RET_ERRNO | ENOSYS;
		return true;
	}
	if (call == NULL)
		return false;
	if (call->class == W_SECCOMP_IOCTL && kind->denies_metadata &&
	    is_denied_request((uint32_t)data->args[1])) {
		*out_action = denied;
		return true;
	}
	if (call->class == W_SECCOMP_PERSONALITY &&
	    (uint32_t)data->args[0] == UINT32_MAX) {
		*out_action = SECCOMP_RET_ALLOW;
		return true;
	}
	if (!is_unknown_to_them(call))
		return false;
	bool is_chmod =
	    call->class == W_SECCOMP_CHMODAT && (data->args[2] & 04000) == 0;
	bool is_open =
	    !kind->explains &&
	    ((call->class == W_SECCOMP_METADATA && !kind->denies_metadata) ||
		(is_chmod && !w_seccomp_denies_modes(kind)));
	if (call->class == W_SECCOMP_METADATA && kind->denies_metadata &&
	    kind->has_modes)
		denied = SECCOMP_RET_ERRNO | EOPNOTSUPP;
	*out_action = is_open ? SECCOMP_RET_ALLOW : denied;
	return true;
}

struct comparison {
	enum w_seccomp_machine machine;
	struct w_seccomp_kind kind;
	struct w_seccomp_filter ours;
	struct theirs theirs;
	unsigned long asked;
};

static void
compare(struct comparison *c, const struct seccomp_data *data)
{
	struct bpf_program ours = {c->ours.count, c->ours.code};
	struct bpf_program theirs = {c->theirs.count, c->theirs.code};
	uint32_t wanted;

	if (!expect_by_hand(c->machine, &c->kind, data, &wanted))
		wanted = bpf_run(theirs, data);
	uint32_t got = bpf_run(ours, data);
	if (got != wanted || w_seccomp_evaluate(&c->ours, data) != got)
		fail_msg("machine %d, call %d (%#llx, %#llx, %#llx, %#llx, "
			 "%#llx): %#x, should be %#x",
		    (int)c->machine, data->nr, data->args[0], data->args[1],
		    data->args[2], data->args[3], data->args[4], got, wanted);
	c->asked++;
}

static const uint64_t values[] = {0, 1, 2, 3, 8, 9, 10, 16, 17, 29, 31, 38, 40,
    63, 64, 0x1000, 0x1200, 0x11, 0x5401, 0x5412, 0x541c, 0x80086601,
    0x40086602, 0xc020660b, 0x40806685, 0x5000940e, 0x801c581f, 0x401c5820,
    CLONE_NEWNS, CLONE_NEWUSER, CLONE_NEWCGROUP | 0x11, 0x7e020000, 0x3d0f00,
    0x41, 0x410002, 0x80005, 0x80002, 02755, 04755, UINT32_MAX,
    UINT64_C(1) << 32, (UINT64_C(1) << 32) | 1, (UINT64_C(1) << 32) | 16,
    (UINT64_C(7) << 32) | 0x5412, (UINT64_C(1) << 63) | 0x541c, UINT64_MAX};

enum {
	VALUES = sizeof(values) / sizeof(*values)
};

/* Every pair of the first two arguments, with a few of the others; each pair
 * meets every third of those. */
static void
compare_arguments(struct comparison *c, struct seccomp_data *data)
{
	static const uint64_t few[] = {0, 0644, 0x41, AT_EMPTY_PATH, 02755,
	    04755, 0x410002, (UINT64_C(1) << 32), (UINT64_C(1) << 32) | 04644,
	    UINT64_MAX};
	const size_t count = sizeof(few) / sizeof(*few);

	for (size_t i = 0; i < VALUES * VALUES * count;
	     i += 3 * sample_step()) {
		data->args[0] = values[i % VALUES];
		data->args[1] = values[i / VALUES % VALUES];
		data->args[2] = few[i / VALUES / VALUES];
		data->args[3] = few[(i + i / VALUES) % count];
		data->args[4] = few[(i + 1) % count];
		compare(c, data);
	}
}

static void
compare_all(struct comparison *c)
{
	static const uint32_t far[] = {0x3fffffff, 0x40000000, 0x40000001,
	    0x40000000 + 101, 0x7fffffff, 0x80000000, 0xfffffffe, UINT32_MAX};

	for (uint32_t i = 0; i < ASKED_MAX + sizeof(far) / sizeof(*far); i++) {
		uint32_t nr = i < ASKED_MAX ? i : far[i - ASKED_MAX];
		struct seccomp_data data = {
		    .nr = (int)nr, .arch = of_audit[c->machine]};
		const struct w_seccomp_call *call = find_call(c->machine, nr);
		compare(c, &data);
		if (call != NULL && call->class >= W_SECCOMP_CLONE)
			compare_arguments(c, &data);
		data.arch ^= 1;
		compare(c, &data);
	}
}

static void
filters_equal_those_of_libseccomp(void **state)
{
	static struct comparison c;

	(void)state;
	for (unsigned i = 0; i < 2 * KINDS; i++) {
		c.machine = (enum w_seccomp_machine)(i % 2);
		c.kind = kind_of(i / 2);
		w_seccomp_build_for(c.machine, &c.kind, &c.ours);
		build_theirs(c.machine, &c.kind, &c.theirs);
		compare_all(&c);
	}
	assert_true(c.asked > 2UL * KINDS * ASKED_MAX);
}

static void
numbers_are_those_of_libseccomp(void **state)
{
	unsigned known = 0;

	(void)state;
	for (size_t i = 0; i < w_seccomp_call_count; i++) {
		const struct w_seccomp_call *call = &w_seccomp_calls[i];
		for (int m = 0; m < W_SECCOMP_MACHINES; m++) {
			int nr = seccomp_syscall_resolve_name_arch(
			    of_scmp[m], call->name);
			if (nr == __NR_SCMP_ERROR) {
				assert_true(call->nr[m] > 450);
				continue;
			}
			known++;
			if (call->nr[m] != (nr < 0 ? W_SECCOMP_NO_CALL : nr))
				fail_msg("%s: %d, should be %d", call->name,
				    call->nr[m], nr);
		}
	}
	assert_true(known > 200);
}

static void
no_number_is_there_twice(void **state)
{
	(void)state;
	for (size_t i = 0; i < w_seccomp_call_count; i++) {
		const struct w_seccomp_call *call = &w_seccomp_calls[i];
		for (int m = 0; m < W_SECCOMP_MACHINES; m++) {
			if (call->nr[m] == W_SECCOMP_NO_CALL)
				continue;
			assert_true(call->nr[m] <= W_SECCOMP_NEWEST);
			assert_ptr_equal(find_call((enum w_seccomp_machine)m,
					     (uint32_t)call->nr[m]),
			    call);
		}
	}
}

static void
filters_are_small(void **state)
{
	static struct w_seccomp_filter filter;

	(void)state;
	for (unsigned i = 0; i < 2 * KINDS; i++) {
		struct w_seccomp_kind kind = kind_of(i / 2);
		w_seccomp_build_for(
		    (enum w_seccomp_machine)(i % 2), &kind, &filter);
		assert_true(filter.count <= JUMP_MAX);
		if (!kind.denies_metadata && !kind.explains)
			assert_in_range(filter.count, 1, WORKSPACE_MAX);
	}
}

static void
our_own_filter_is_for_this_machine(void **state)
{
	static struct w_seccomp_filter filter, same;
	struct w_seccomp_kind kind = kind_of(1);

	(void)state;
	w_seccomp_build(&kind, &filter);
	w_seccomp_build_for(seccomp_arch_native() == SCMP_ARCH_X86_64
				? W_SECCOMP_X86_64
				: W_SECCOMP_AARCH64,
	    &kind, &same);
	assert_int_equal(filter.count, same.count);
	assert_memory_equal(
	    filter.code, same.code, filter.count * sizeof(filter.code[0]));
}

/* A judging filter sees each start of a program, but for the one with the pass,
 * and is else the same. */
static void
judging_changes_nothing_else(void **state)
{
	static struct w_seccomp_filter plain, judging;
	const uint64_t pass = 0x123456789abcdef0;
	const uint64_t passes[] = {
	    0, pass, pass ^ 1, pass ^ (1ULL << 63), (uint32_t)pass, ~0ULL};

	(void)state;
	for (unsigned i = 0; i < 2 * KINDS; i++) {
		const enum w_seccomp_machine machine =
		    (enum w_seccomp_machine)(i % 2);
		struct w_seccomp_kind kind = kind_of(i / 2);
		const int execve = machine == W_SECCOMP_X86_64 ? 59 : 221;
		const int execveat = machine == W_SECCOMP_X86_64 ? 322 : 281;

		w_seccomp_build_for(machine, &kind, &plain);
		kind.judges = true;
		kind.exec_pass = pass;
		w_seccomp_build_for(machine, &kind, &judging);
		assert_true(judging.count <= JUMP_MAX);
		for (int nr = 0; nr < ASKED_MAX * 6; nr++) {
			struct seccomp_data data = {
			    .nr = nr / 6, .arch = of_audit[machine]};
			uint32_t wanted = SECCOMP_RET_USER_NOTIF;

			data.args[4] = AT_EMPTY_PATH;
			data.args[5] = passes[nr % 6];
			if (data.nr == execveat && nr % 6 == 1)
				wanted = SECCOMP_RET_ALLOW;
			else if (data.nr != execve && data.nr != execveat)
				wanted = w_seccomp_evaluate(&plain, &data);
			assert_int_equal(
			    w_seccomp_evaluate(&judging, &data), wanted);
		}
	}
}

static void
calls_have_names(void **state)
{
	(void)state;
	assert_string_equal(
	    w_seccomp_call_name(seccomp_syscall_resolve_name("mount")),
	    "mount");
	assert_null(w_seccomp_call_name(seccomp_syscall_resolve_name("read")));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_those_of_libseccomp),
	    cmocka_unit_test(no_number_is_there_twice),
	    cmocka_unit_test(filters_equal_those_of_libseccomp),
	    cmocka_unit_test(filters_are_small),
	    cmocka_unit_test(our_own_filter_is_for_this_machine),
	    cmocka_unit_test(judging_changes_nothing_else),
	    cmocka_unit_test(calls_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
