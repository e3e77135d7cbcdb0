/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Runs a command behind a seccomp filter that takes things away, as a
 * container or an old kernel would.
 *
 *     filtered WORD... -- COMMAND ARG...
 *
 *     landlock     its calls are unknown (ENOSYS)
 *     off          Landlock is built in but not started (EOPNOTSUPP)
 *     fatal        asking for Landlock kills
 *     seccomp      no further filter may be loaded (EPERM)
 *     keyctl       EPERM
 *     clone3       EPERM, which leaves no way to start a process
 *     namespaces   what Docker's filter refuses to a container without
 *                  CAP_SYS_ADMIN: clone3 (ENOSYS), namespaces and mounts
 *                  (EPERM)
 *     userns       unshare and clone make no user namespace (EPERM)
 *     podman       what Podman's filter refuses to a container without
 *                  CAP_SYS_ADMIN, of what matters here: mount_setattr
 *                  (ENOSYS), sethostname and setns (EPERM)
 *     pivot        pivot_root: EPERM
 *
 * Exits 77 where the filter cannot be loaded.
 */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SPACES  0x7e020000U /* all CLONE_NEW... */
#define NEWUSER 0x10000000U

enum {
	CODE_MAX = 128
};

static const struct row {
	const char *word;
	long nr;
	unsigned mask; /* of the first argument; 0: whatever it is */
	unsigned answer;
} rows[] = {
    {"landlock", SYS_landlock_create_ruleset, 0, SECCOMP_RET_ERRNO | ENOSYS},
    {"landlock", SYS_landlock_add_rule, 0, SECCOMP_RET_ERRNO | ENOSYS},
    {"landlock", SYS_landlock_restrict_self, 0, SECCOMP_RET_ERRNO | ENOSYS},
    {"off", SYS_landlock_create_ruleset, 0, SECCOMP_RET_ERRNO | EOPNOTSUPP},
    {"fatal", SYS_landlock_create_ruleset, 0, SECCOMP_RET_KILL_PROCESS},
    {"seccomp", SYS_seccomp, 0, SECCOMP_RET_ERRNO | EPERM},
    {"keyctl", SYS_keyctl, 0, SECCOMP_RET_ERRNO | EPERM},
    {"clone3", SYS_clone3, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_clone3, 0, SECCOMP_RET_ERRNO | ENOSYS},
    {"namespaces", SYS_clone, SPACES, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_unshare, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_setns, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_mount, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_umount2, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_open_tree, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_move_mount, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_mount_setattr, 0, SECCOMP_RET_ERRNO | EPERM},
    {"namespaces", SYS_pivot_root, 0, SECCOMP_RET_ERRNO | EPERM},
    {"userns", SYS_clone, NEWUSER, SECCOMP_RET_ERRNO | EPERM},
    {"userns", SYS_unshare, NEWUSER, SECCOMP_RET_ERRNO | EPERM},
    {"podman", SYS_mount_setattr, 0, SECCOMP_RET_ERRNO | ENOSYS},
    {"podman", SYS_sethostname, 0, SECCOMP_RET_ERRNO | EPERM},
    {"podman", SYS_setns, 0, SECCOMP_RET_ERRNO | EPERM},
    {"pivot", SYS_pivot_root, 0, SECCOMP_RET_ERRNO | EPERM},
};

static struct sock_filter code[CODE_MAX];
static unsigned short count;

static void
add(struct sock_filter instruction)
{
	code[count++] = instruction;
}

static void
add_row(const struct row *row)
{
	const unsigned number = (unsigned)row->nr;
	const unsigned char skip = row->mask == 0 ? 1 : 4;

	add((struct sock_filter)BPF_STMT(
	    BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)));
	add((struct sock_filter)BPF_JUMP(
	    BPF_JMP | BPF_JEQ | BPF_K, number, 0, skip));
	if (row->mask != 0) {
		add((struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		    offsetof(struct seccomp_data, args)));
		add((struct sock_filter)BPF_JUMP(
		    BPF_JMP | BPF_JSET | BPF_K, row->mask, 1, 0));
		add((struct sock_filter)BPF_STMT(
		    BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	}
	add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, row->answer));
}

static int
add_word(const char *word)
{
	int found = -1;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strcmp(rows[i].word, word) != 0)
			continue;
		if (count + 8 > CODE_MAX)
			return -1;
		add_row(&rows[i]);
		found = 0;
	}
	return found;
}

static int
load(void)
{
	const struct sock_fprog program = {.len = count, .filter = code};

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
		return 0;
	/* Only who has CAP_SYS_ADMIN does without it, as Docker does. */
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}

int
main(int argc, char **argv)
{
	int at = 1;

	for (; at < argc && strcmp(argv[at], "--") != 0; at++) {
		if (add_word(argv[at]) < 0)
			return 96;
	}
	if (at + 1 >= argc)
		return 96;
	add((struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
	if (load() < 0) {
		perror("filtered");
		return 77;
	}
	(void)execvp(argv[at + 1], argv + at + 1);
	return 127;
}
