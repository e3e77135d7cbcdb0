/* SPDX-License-Identifier: Apache-2.0 */

/* Real processes in the view that a mount plan builds: as root, as root in a
 * user namespace, as an ordinary user in one. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "confined.h"
#include "temp.h"

enum {
	TMP_SIZE = 64 * 1024,
	FRESH = CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC | CLONE_NEWNET
};

/* A workspace with things to protect in it, and secrets beside it. */
struct site {
	struct temp temp;
	char work[300];
	char git[300];
	char config[300];
	char deep[300];
	char secret[300];
	char vault[300];
	char inner[300];
	char readable[300];
	struct w_confine confine;
};

static void
spell(char path[300], const struct site *site, const char *name)
{
	(void)snprintf(path, 300, "%.255s/%s", site->temp.path, name);
}

static int
give_away(const char *path, const struct stat *st, int kind, struct FTW *ftw)
{
	(void)st;
	(void)kind;
	(void)ftw;
	return lchown(path, NOBODY, NOBODY);
}

static void
make_files(struct site *site)
{
	const struct temp *temp = &site->temp;

	temp_dir(temp, "work");
	temp_dir(temp, "work/.git");
	temp_dir(temp, "work/.git/objects");
	temp_file(temp, "work/.git/config", 0600, "[core]\n");
	temp_dir(temp, "work/a");
	temp_dir(temp, "work/a/b");
	temp_dir(temp, "work/a/b/hooks");
	temp_file(temp, "work/secret", 0600, "secret\n");
	temp_file(temp, "work/plain", 0600, "plain\n");
	temp_dir(temp, "work/vault");
	temp_file(temp, "work/vault/key", 0600, "key\n");
	temp_dir(temp, "work/vault/inner");
	temp_file(temp, "work/vault/inner/note", 0600, "note\n");
	temp_dir(temp, "readable");
	temp_file(temp, "readable/file", 0600, "read me\n");
	temp_dir(temp, "beside");
	temp_file(temp, "beside/file", 0600, "leave me\n");
}

static void
site_open(struct site *site, enum w_walls walls, enum power power)
{
	temp_open(&site->temp);
	make_files(site);
	if (power == AS_USER && geteuid() == 0)
		assert_int_equal(
		    nftw(site->temp.path, give_away, 16, FTW_PHYS), 0);
	spell(site->work, site, "work");
	spell(site->git, site, "work/.git");
	spell(site->config, site, "work/.git/config");
	spell(site->deep, site, "work/a/b/hooks");
	spell(site->secret, site, "work/secret");
	spell(site->vault, site, "work/vault");
	spell(site->inner, site, "work/vault/inner");
	spell(site->readable, site, "readable");
	confined_init(&site->confine, walls);
	site->confine.tmp_size = TMP_SIZE;
	confined_add(&site->confine.grants, site->work,
	    W_MAY_READ | W_MAY_WRITE | W_MAY_EXECUTE);
	confined_add(&site->confine.grants, site->inner, W_MAY_READ);
	confined_add(&site->confine.grants, site->readable, W_MAY_READ);
	confined_add(&site->confine.guarded, site->config, W_MAY_READ);
	confined_add(&site->confine.guarded, site->deep, W_MAY_READ);
	confined_add(&site->confine.hidden, site->secret, 0);
	confined_add(&site->confine.hidden, site->vault, 0);
}

static void
site_close(struct site *site)
{
	confined_free(&site->confine);
	temp_close(&site->temp);
}

/* Enters the view and lets go of all power, as a command would find it. */
static void
enter(const struct plan *plan)
{
	uint32_t failed = UINT32_MAX;
	long ret = plan_enter(plan, 0, &failed);

	if (ret == 0)
		ret = plan_enter(plan, 1, &failed);
	if (ret != 0) {
		(void)dprintf(
		    2, "# step %u failed: %s\n", failed, strerror((int)-ret));
		_exit(97);
	}
	drop_capabilities();
}

typedef void try_fn(const struct site *site);

static void
try_in(enum w_walls walls, enum power power, try_fn *try)
{
	struct site site;
	struct plan plan;

	site_open(&site, walls, power);
	plan_make(&plan, &site.confine);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		enter(&plan);
		try(&site);
		_exit(0);
	}
	const int code = exit_of(pid);
	plan_free(&plan);
	site_close(&site);
	if (code != 0)
		print_message("# walls %d, power %d\n", (int)walls, (int)power);
	assert_int_equal(code, 0);
}

static void
try_everywhere(try_fn *try)
{
	for (int power = 0; power < POWERS; power++) {
		if (!can_have((enum power)power))
			continue;
		try_in(W_WALLS_WORKSPACE, (enum power)power, try);
		try_in(W_WALLS_STRICT, (enum power)power, try);
	}
}

static int
opens(const char *dir, const char *name, int flags)
{
	char path[600];

	(void)snprintf(path, sizeof(path), "%s/%s", dir, name);
	errno = 0;
	const int fd = open(path, flags | O_CLOEXEC, 0600);
	if (fd >= 0)
		(void)close(fd);
	return errno;
}

static int
renames(const char *dir, const char *from, const char *to)
{
	char old[600], new[600];

	(void)snprintf(old, sizeof(old), "%s/%s", dir, from);
	(void)snprintf(new, sizeof(new), "%s/%s", dir, to);
	errno = 0;
	(void)rename(old, new);
	return errno;
}

static int
changes_mode(const char *path)
{
	errno = 0;
	(void)chmod(path, 0700);
	return errno;
}

static void
try_outside(const struct site *site)
{
	CLAIM(opens("/usr", "stray", O_WRONLY | O_CREAT) != 0);
	CLAIM(opens("/", "stray", O_WRONLY | O_CREAT) != 0);
	CLAIM(opens(site->readable, "stray", O_WRONLY | O_CREAT) == EROFS);
	CLAIM(opens(site->readable, "file", O_WRONLY) == EROFS);
	CLAIM(changes_mode("/usr") == EROFS);
	CLAIM(changes_mode("/etc") == EROFS);
	CLAIM(changes_mode("/") == EROFS);
	CLAIM(changes_mode("/dev/null") == EROFS);
	CLAIM(changes_mode("/run") == EROFS);
	CLAIM(changes_mode("/proc") == EROFS);
	CLAIM(changes_mode(site->readable) == EROFS);
}

static void
nothing_outside_the_writable_places_changes(void **state)
{
	(void)state;
	try_everywhere(try_outside);
}

static void
try_work(const struct site *site)
{
	CLAIM(opens(site->work, "new", O_WRONLY | O_CREAT | O_EXCL) == 0);
	CLAIM(opens(site->work, "plain", O_RDWR) == 0);
	CLAIM(opens(site->git, "objects/1", O_WRONLY | O_CREAT) == 0);
	CLAIM(renames(site->git, "objects/1", "objects/2") == 0);
	CLAIM(opens(site->work, "a/b/file", O_WRONLY | O_CREAT) == 0);
	CLAIM(changes_mode(site->work) == 0);
	CLAIM(opens(site->readable, "file", O_RDONLY) == 0);
}

static void
the_workspace_is_writable_at_its_own_path(void **state)
{
	(void)state;
	try_everywhere(try_work);
}

static void
try_guarded(const struct site *site)
{
	CLAIM(opens(site->git, "config", O_RDONLY) == 0);
	CLAIM(opens(site->git, "config", O_WRONLY) == EROFS);
	CLAIM(opens(site->deep, "pre-commit", O_WRONLY | O_CREAT) == EROFS);
	CLAIM(changes_mode(site->config) == EROFS);
	CLAIM(unlink(site->config) < 0 && errno == EBUSY);
	CLAIM(renames(site->git, "objects", "config") != 0);
	CLAIM(renames(site->work, "plain", ".git/config") != 0);
}

static void
guarded_places_are_readable_only(void **state)
{
	(void)state;
	try_everywhere(try_guarded);
}

static void
try_moving(const struct site *site)
{
	CLAIM(renames(site->work, ".git", "git") == EBUSY);
	CLAIM(renames(site->work, "a", "z") == EBUSY);
	CLAIM(renames(site->work, "a/b", "z") != 0);
	CLAIM(renames(site->work, "a/b/hooks", "z") != 0);
	CLAIM(renames(site->work, ".git/config", "z") != 0);
}

static void
what_leads_to_a_guarded_place_cannot_be_renamed(void **state)
{
	(void)state;
	try_everywhere(try_moving);
}

static void
try_hidden(const struct site *site)
{
	CLAIM(opens(site->work, "secret", O_RDONLY) == EACCES);
	CLAIM(changes_mode(site->secret) == EROFS);
	CLAIM(opens(site->vault, "key", O_RDONLY) == ENOENT);
	CLAIM(opens(site->vault, "new", O_WRONLY | O_CREAT) == EROFS);
	CLAIM(opens(site->inner, "note", O_RDONLY) == 0);
	CLAIM(opens(site->inner, "note", O_WRONLY) == EROFS);
}

static void
hidden_places_hold_nothing_but_what_is_granted_in_them(void **state)
{
	(void)state;
	try_everywhere(try_hidden);
}

static void
try_hidden_directory(const struct site *site)
{
	errno = 0;
	CLAIM(opendir(site->vault) == NULL && errno == EACCES);
	CLAIM(opens(site->vault, "key", O_RDONLY) == EACCES);
	CLAIM(changes_mode(site->vault) == EROFS);
}

static void
a_hidden_directory_cannot_be_looked_into(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		struct site site;
		struct plan plan;

		if (!can_have((enum power)power))
			continue;
		site_open(&site, W_WALLS_WORKSPACE, (enum power)power);
		/* Without the grant inside it. */
		free(site.confine.grants.items[2].path);
		site.confine.grants.items[2] = site.confine.grants.items[3];
		site.confine.grants.count--;
		plan_make(&plan, &site.confine);
		long pid = fork_with((enum power)power, FRESH);
		if (pid == 0) {
			enter(&plan);
			try_hidden_directory(&site);
			_exit(0);
		}
		assert_int_equal(exit_of(pid), 0);
		plan_free(&plan);
		site_close(&site);
	}
}

static size_t
count_entries(const char *path)
{
	size_t count = 0;
	DIR *dir = opendir(path);
	const struct dirent *entry;

	CLAIM(dir != NULL);
	while ((entry = readdir(dir)) != NULL)
		count += entry->d_name[0] != '.';
	(void)closedir(dir);
	return count;
}

static void
try_tmp(const struct site *site)
{
	static const char bytes[2 * TMP_SIZE];
	struct stat found;

	/* Only what leads to the workspace is there. */
	CLAIM(opens(site->temp.path, "beside/file", O_RDONLY) == ENOENT);
	CLAIM(stat("/tmp", &found) == 0 && (found.st_mode & 07777) == 01777);
	const int fd =
	    open("/tmp/large", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	CLAIM(fd >= 0);
	CLAIM(write(fd, bytes, sizeof(bytes)) < (ssize_t)sizeof(bytes));
	CLAIM(access("/dev/shm", W_OK) == 0);
	CLAIM(access("/var/tmp", W_OK) == 0);
	CLAIM(count_entries("/run") == 0);
}

static void
temporary_files_are_private_and_bounded(void **state)
{
	const char *base = getenv("TMPDIR");

	(void)state;
	if (base != NULL && strncmp(base, "/tmp", 4) != 0)
		skip();
	try_everywhere(try_tmp);
	assert_int_not_equal(access("/tmp/large", F_OK), 0);
}

static void
try_devices(const struct site *site)
{
	static const char *const names[] = {"null", "zero", "full", "random",
	    "urandom", "tty", "ptmx", "pts", "shm", "fd", "stdin", "stdout",
	    "stderr"};
	char byte = 1;

	(void)site;
	CLAIM(count_entries("/dev") == sizeof(names) / sizeof(names[0]));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char path[64];
		struct stat found;

		(void)snprintf(path, sizeof(path), "/dev/%s", names[i]);
		CLAIM(lstat(path, &found) == 0);
		CLAIM(i > 5 || S_ISCHR(found.st_mode));
	}
	CLAIM(opens("/dev", "null", O_WRONLY) == 0);
	const int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	CLAIM(fd >= 0 && read(fd, &byte, 1) == 1 && byte == 0);
	CLAIM(opens("/dev", "urandom", O_RDONLY) == 0);
	CLAIM(opens("/dev", "ptmx", O_RDWR | O_NOCTTY) == 0);
}

static void
only_the_usual_devices_are_there_and_work(void **state)
{
	(void)state;
	try_everywhere(try_devices);
}

static void
try_proc(const struct site *site)
{
	char self[16] = "";
	size_t pids = 0;
	DIR *dir = opendir("/proc");
	const struct dirent *entry;

	(void)site;
	CLAIM(dir != NULL);
	while ((entry = readdir(dir)) != NULL)
		pids += entry->d_name[0] >= '1' && entry->d_name[0] <= '9';
	(void)closedir(dir);
	CLAIM(pids == 1);
	CLAIM(readlink("/proc/self", self, sizeof(self) - 1) == 1);
	CLAIM(strcmp(self, "1") == 0);
	CLAIM(opens("/proc/sys/kernel", "printk", O_WRONLY) != 0);
	CLAIM(opens("/proc", "sysrq-trigger", O_WRONLY) != 0);
	CLAIM(opens("/proc/self", "oom_score_adj", O_WRONLY) == EROFS);
	CLAIM(opens("/proc", "kcore", O_RDONLY) != 0);
	CLAIM(opens("/proc", "kmsg", O_RDONLY) != 0);
}

static void
other_processes_and_kernel_settings_are_out_of_reach(void **state)
{
	(void)state;
	try_everywhere(try_proc);
}

static void
try_root(const struct site *site)
{
	struct stat found;

	(void)site;
	CLAIM(access("/sys", F_OK) < 0 && errno == ENOENT);
	CLAIM(access("/home", F_OK) < 0 && errno == ENOENT);
	CLAIM(access("/bin/sh", X_OK) == 0);
	CLAIM(stat("/tmp/home", &found) == 0);
	CLAIM((found.st_mode & 07777) == 0700);
	CLAIM(opens("/tmp/home", "file", O_WRONLY | O_CREAT) == 0);
}

static void
a_strict_root_holds_only_the_grants(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		if (can_have((enum power)power))
			try_in(W_WALLS_STRICT, (enum power)power, try_root);
	}
}

static void
a_socket_of_the_machine_has_no_path_inside(void **state)
{
	const char *base = getenv("TMPDIR");
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	struct site site;
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	if (base != NULL && strncmp(base, "/tmp", 4) != 0)
		skip();
	site_open(&site, W_WALLS_WORKSPACE, power);
	(void)snprintf(address.sun_path, sizeof(address.sun_path), "%.80s/s",
	    site.temp.path);
	const int server = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(
	    bind(server, (const struct sockaddr *)&address, sizeof(address)),
	    0);
	assert_int_equal(listen(server, 1), 0);
	plan_make(&plan, &site.confine);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

		enter(&plan);
		CLAIM(connect(fd, (const struct sockaddr *)&address,
			  sizeof(address)) < 0);
		CLAIM(errno == ENOENT);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	(void)close(server);
	plan_free(&plan);
	site_close(&site);
}

/* What step failed, as the exit status of a process that enters. */
enum {
	STALE = 1,
	LINKED,
	WENT_WELL
};

static int
enter_after(struct site *site, const char *from, const char *to,
    const char *replacement)
{
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	plan_make(&plan, &site->confine);
	assert_int_equal(renameat(site->temp.fd, from, site->temp.fd, to), 0);
	temp_link(&site->temp, replacement, from);
	long pid = fork_with(power, FRESH);
	if (pid == 0) {
		uint32_t failed = UINT32_MAX;
		const long ret = plan_enter(&plan, 0, &failed);

		CLAIM(ret == 0 || failed < plan.mounts.count);
		_exit(ret == -ESTALE  ? STALE
		      : ret == -ELOOP ? LINKED
				      : WENT_WELL);
	}
	const int code = exit_of(pid);
	assert_int_equal(unlinkat(site->temp.fd, from, 0), 0);
	assert_int_equal(renameat(site->temp.fd, to, site->temp.fd, from), 0);
	plan_free(&plan);
	return code;
}

static void
a_place_that_was_swapped_since_is_refused(void **state)
{
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT; walls++) {
		struct site site;

		site_open(&site, (enum w_walls)walls, power);
		assert_int_equal(
		    enter_after(&site, "work", "moved", "beside"), STALE);
		assert_int_equal(
		    enter_after(&site, "readable", "moved", "beside"), STALE);
		assert_int_equal(
		    enter_after(&site, "work/.git/config", "moved", "../plain"),
		    LINKED);
		assert_int_equal(
		    enter_after(&site, "work/a/b", "moved", "../.git"), LINKED);
		assert_int_equal(
		    enter_after(&site, "work/secret", "moved", "plain"),
		    LINKED);
		site_close(&site);
	}
}

static void
copy_of_template(const struct plan *plan, const struct site *site, int number)
{
	uint32_t failed;
	char name[32];

	CLAIM(plan_enter(plan, 1, &failed) == 0);
	drop_capabilities();
	CLAIM(opens("/tmp", "mark", O_RDONLY) == ENOENT);
	CLAIM(opens("/dev/shm", "mark", O_RDONLY) == ENOENT);
	CLAIM(opens("/tmp", "mark", O_WRONLY | O_CREAT | O_EXCL) == 0);
	(void)snprintf(name, sizeof(name), "run%d", number);
	CLAIM(opens(site->work, name, O_WRONLY | O_CREAT | O_EXCL) == 0);
	try_guarded(site);
	try_hidden(site);
	try_devices(site);
	try_proc(site);
	_exit(0);
}

static void
run_template(const struct plan *plan, const struct site *site)
{
	uint32_t failed;

	CLAIM(plan_enter(plan, 0, &failed) == 0);
	for (int i = 0; i < 3; i++) {
		int status = 0;
		long pid = fork_into(CLONE_NEWNS | CLONE_NEWPID);

		CLAIM(pid >= 0);
		if (pid == 0)
			copy_of_template(plan, site, i);
		CLAIM(waitpid((pid_t)pid, &status, __WALL) == pid);
		CLAIM(status == 0);
	}
	_exit(0);
}

static void
runs_from_one_template_do_not_see_each_other(void **state)
{
	(void)state;
	for (int power = 0; power < POWERS; power++) {
		for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT;
		     walls++) {
			struct site site;
			struct plan plan;

			if (!can_have((enum power)power))
				continue;
			site_open(
			    &site, (enum w_walls)walls, (enum power)power);
			plan_make(&plan, &site.confine);
			long pid = fork_with((enum power)power, CLONE_NEWNS);
			if (pid == 0)
				run_template(&plan, &site);
			assert_int_equal(exit_of(pid), 0);
			assert_true(temp_has(&site.temp, "work/run2"));
			plan_free(&plan);
			site_close(&site);
		}
	}
}

static size_t
read_mounts(char *text, size_t size)
{
	const int fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	size_t len = 0;
	ssize_t n;

	assert_true(fd >= 0);
	while ((n = read(fd, text + len, size - len)) > 0)
		len += (size_t)n;
	(void)close(fd);
	return len;
}

static void
no_mount_and_no_file_is_left_behind(void **state)
{
	static char before[65536], after[65536];
	struct site site;
	struct plan plan;
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	const size_t len = read_mounts(before, sizeof(before));
	for (int walls = W_WALLS_WORKSPACE; walls <= W_WALLS_STRICT; walls++) {
		site_open(&site, (enum w_walls)walls, power);
		plan_make(&plan, &site.confine);
		long pid = fork_with(power, FRESH);
		if (pid == 0) {
			enter(&plan);
			_exit(0);
		}
		assert_int_equal(exit_of(pid), 0);
		assert_int_equal(count_entries(site.temp.path), 3);
		assert_int_equal(count_entries(site.work), 4);
		assert_int_equal(count_entries(site.git), 2);
		assert_int_equal(count_entries(site.vault), 2);
		plan_free(&plan);
		site_close(&site);
	}
	assert_int_equal(read_mounts(after, sizeof(after)), len);
	assert_memory_equal(before, after, len);
}

static void
a_refusal_of_the_kernel_names_the_step(void **state)
{
	struct site site;
	struct plan plan;

	(void)state;
	site_open(&site, W_WALLS_WORKSPACE, AS_USER);
	plan_make(&plan, &site.confine);
	/* Without a process namespace of its own, a user namespace may not
	 * show processes. */
	long pid = fork_with(AS_USER, CLONE_NEWNS);
	if (pid == 0) {
		uint32_t failed = UINT32_MAX;

		CLAIM(plan_enter(&plan, 0, &failed) == 0);
		CLAIM(plan_enter(&plan, 1, &failed) == -EPERM);
		CLAIM(failed < plan.mounts.count);
		CLAIM(plan.mounts.ops[failed].kind == W_MOUNT_PROC);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
	plan_free(&plan);
	site_close(&site);
}

static void
a_step_that_nobody_knows_is_an_error(void **state)
{
	const struct w_mount_op unknown = {.kind = 1000};
	const struct w_mount_op beyond = {
	    .kind = W_MOUNT_TAKE, .slot = W_MOUNT_SLOTS};
	int kept[W_MOUNT_SLOTS];
	uint32_t failed = 7;

	(void)state;
	assert_int_equal(
	    w_enter_mounts(&unknown, 1, "", 0, kept, &failed), -EINVAL);
	assert_int_equal(failed, 0);
	assert_int_equal(
	    w_enter_mounts(&beyond, 1, "", 0, kept, &failed), -EINVAL);
}

static void
the_loopback_interface_comes_up(void **state)
{
	const enum power power = geteuid() == 0 ? AS_ROOT : AS_USER;

	(void)state;
	long pid = fork_with(power, CLONE_NEWNET);
	if (pid == 0) {
		struct ifreq request = {.ifr_name = "lo"};
		const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

		CLAIM(ioctl(fd, SIOCGIFFLAGS, &request) == 0);
		CLAIM((request.ifr_flags & IFF_UP) == 0);
		CLAIM(w_enter_loopback() == 0);
		CLAIM(ioctl(fd, SIOCGIFFLAGS, &request) == 0);
		CLAIM((request.ifr_flags & IFF_UP) != 0);
		_exit(0);
	}
	assert_int_equal(exit_of(pid), 0);
}

/* Whether this machine lets this user have namespaces at all. */
static int
need_namespaces(void **state)
{
	(void)state;
	long pid = fork_into(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID);

	if (pid == 0)
		_exit(0);
	if (pid < 0) {
		print_message("# no user namespaces: %s\n", strerror(errno));
		return -1;
	}
	return waitpid((pid_t)pid, NULL, __WALL) == pid ? 0 : -1;
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nothing_outside_the_writable_places_changes),
	    cmocka_unit_test(the_workspace_is_writable_at_its_own_path),
	    cmocka_unit_test(guarded_places_are_readable_only),
	    cmocka_unit_test(what_leads_to_a_guarded_place_cannot_be_renamed),
	    cmocka_unit_test(
		hidden_places_hold_nothing_but_what_is_granted_in_them),
	    cmocka_unit_test(a_hidden_directory_cannot_be_looked_into),
	    cmocka_unit_test(temporary_files_are_private_and_bounded),
	    cmocka_unit_test(only_the_usual_devices_are_there_and_work),
	    cmocka_unit_test(
		other_processes_and_kernel_settings_are_out_of_reach),
	    cmocka_unit_test(a_strict_root_holds_only_the_grants),
	    cmocka_unit_test(a_socket_of_the_machine_has_no_path_inside),
	    cmocka_unit_test(a_place_that_was_swapped_since_is_refused),
	    cmocka_unit_test(runs_from_one_template_do_not_see_each_other),
	    cmocka_unit_test(no_mount_and_no_file_is_left_behind),
	    cmocka_unit_test(a_refusal_of_the_kernel_names_the_step),
	    cmocka_unit_test(a_step_that_nobody_knows_is_an_error),
	    cmocka_unit_test(the_loopback_interface_comes_up),
	};

	return cmocka_run_group_tests(tests, need_namespaces, NULL);
}
