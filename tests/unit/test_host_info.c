/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sandbox/probe/host_info.h"

static const char *const variables[] = {"container", "CI", "GITHUB_ACTIONS",
    "GITLAB_CI", "KUBERNETES_SERVICE_HOST"};

static int
clear_variables(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(variables) / sizeof(variables[0]); i++)
		(void)unsetenv(variables[i]);
	return 0;
}

/* Whether a claim is true in a child, which may change itself. */
static void
expect_in_child(bool (*claim)(void))
{
	pid_t pid = fork();
	int status = 0;

	assert_true(pid >= 0);
	if (pid == 0)
		_exit(claim() ? 0 : 1);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
the_machine_is_described(void **state)
{
	struct w_host_info host;
	struct utsname name;

	(void)state;
	w_probe_host(&host);
	assert_int_equal(uname(&name), 0);
	assert_string_equal(host.kernel, name.release);
	assert_true(host.kernel_major >= 5);
	assert_int_equal(host.is_root, geteuid() == 0);
	assert_int_equal(
	    w_probe_can_make_namespaces(&host), w_thread_can_make_namespaces());
	assert_int_equal(host.ci, W_CI_NONE);
}

static void
only_namespaces_have_limits(void **state)
{
	(void)state;
	assert_string_equal(
	    w_probe_limit_name(W_LAYER_MOUNTNS), "max_mnt_namespaces");
	assert_string_equal(
	    w_probe_limit_name(W_LAYER_CGROUPNS), "max_cgroup_namespaces");
	assert_null(w_probe_limit_name(W_LAYER_LANDLOCK));
	assert_null(w_probe_limit_name(W_LAYER_CGROUP));
}

static void
containers_are_known_by_what_they_say(void **state)
{
	struct w_host_info host;

	(void)state;
	(void)setenv("container", "docker", 1);
	w_probe_host(&host);
	assert_int_equal(host.container, W_CONTAINER_DOCKER);
	(void)setenv("container", "systemd-nspawn", 1);
	w_probe_host(&host);
	assert_int_equal(host.container, W_CONTAINER_OTHER);
	(void)setenv("container", "never heard of", 1);
	w_probe_host(&host);
	assert_int_equal(host.container, W_CONTAINER_OTHER);
	(void)setenv("KUBERNETES_SERVICE_HOST", "10.0.0.1", 1);
	w_probe_host(&host);
	assert_int_equal(host.container, W_CONTAINER_KUBERNETES);
	assert_string_equal(w_container_word(host.container), "kubernetes");
}

static void
ci_is_known_by_its_variables(void **state)
{
	struct w_host_info host;

	(void)state;
	(void)setenv("CI", "", 1);
	w_probe_host(&host);
	assert_int_equal(host.ci, W_CI_NONE);
	(void)setenv("CI", "true", 1);
	w_probe_host(&host);
	assert_int_equal(host.ci, W_CI_OTHER);
	(void)setenv("GITLAB_CI", "true", 1);
	w_probe_host(&host);
	assert_int_equal(host.ci, W_CI_GITLAB);
	(void)setenv("GITHUB_ACTIONS", "true", 1);
	w_probe_host(&host);
	assert_int_equal(host.ci, W_CI_GITHUB);
	assert_string_equal(w_ci_word(host.ci), "github");
}

static bool
sees_no_new_privs(void)
{
	struct w_host_info host;

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return false;
	w_probe_host(&host);
	return host.is_no_new_privs;
}

/* Without namespaces there is nothing to see. */
static bool
sees_a_covered_proc(void)
{
	struct w_host_info before, after;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return true;
	w_probe_host(&before);
	if (mount("none", "/proc/sys", "tmpfs", 0, NULL) < 0)
		return true;
	w_probe_host(&after);
	return before.is_in_userns && after.is_proc_covered && !after.is_chroot;
}

static bool
sees_a_chroot(void)
{
	struct w_host_info host;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0)
		return true;
	/* A directory of a mount, with /proc within. */
	if (mount("none", "/mnt", "tmpfs", 0, NULL) < 0 ||
	    mkdir("/mnt/root", 0755) < 0 || mkdir("/mnt/root/proc", 0755) < 0 ||
	    mount("/proc", "/mnt/root/proc", NULL, MS_BIND | MS_REC, NULL) <
		0 ||
	    chroot("/mnt/root") < 0 || chdir("/") < 0)
		return true;
	w_probe_host(&host);
	return host.is_chroot;
}

static void
what_is_around_the_process_is_seen(void **state)
{
	(void)state;
	expect_in_child(sees_no_new_privs);
	expect_in_child(sees_a_covered_proc);
	expect_in_child(sees_a_chroot);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(the_machine_is_described, clear_variables),
	    cmocka_unit_test(only_namespaces_have_limits),
	    cmocka_unit_test_setup_teardown(
		containers_are_known_by_what_they_say, clear_variables,
		clear_variables),
	    cmocka_unit_test_setup_teardown(
		ci_is_known_by_its_variables, clear_variables, clear_variables),
	    cmocka_unit_test(what_is_around_the_process_is_seen),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
