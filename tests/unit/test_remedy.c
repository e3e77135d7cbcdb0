/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/probe/remedy.h"

/* An ordinary user on an ordinary machine where nothing is switched off. */
static struct w_host_info
plain(void)
{
	struct w_host_info host = {.userns_clone = W_HOST_INFO_UNKNOWN,
	    .apparmor_restrict = W_HOST_INFO_UNKNOWN,
	    .kernel_major = 6,
	    .kernel_minor = 12};

	for (int i = 0; i < W_LAYER_COUNT; i++)
		host.max_namespaces[i] = 10000;
	return host;
}

static void
expect(const struct w_host_info *host, enum w_layer layer, int error,
    const char *setting, const char *remedy)
{
	struct w_remedy found;

	memset(&found, 'x', sizeof(found));
	w_remedy_find(host, layer, error, &found);
	if (strcmp(found.setting, setting) != 0 ||
	    strstr(found.remedy, remedy) == NULL)
		fail_msg("%s, errno %d: %s (%s): %s", w_layer_word(layer),
		    error, found.cause, found.setting, found.remedy);
}

static void
a_sysctl_at_zero_is_named_with_the_command_that_changes_it(void **state)
{
	struct w_host_info host = plain();

	(void)state;
	host.userns_clone = 0;
	expect(&host, W_LAYER_USERNS, EPERM,
	    "kernel.unprivileged_userns_clone=0",
	    "sysctl -w kernel.unprivileged_userns_clone=1");
	host.userns_clone = 1;
	expect(&host, W_LAYER_USERNS, EPERM, "", "journalctl");
}

static void
a_limit_of_namespaces_is_named_with_its_value(void **state)
{
	struct w_host_info host = plain();

	(void)state;
	host.max_namespaces[W_LAYER_USERNS] = 0;
	expect(&host, W_LAYER_USERNS, ENOSPC, "user.max_user_namespaces=0",
	    "sysctl -w user.max_user_namespaces=");
	expect(&host, W_LAYER_NETNS, ENOSPC, "user.max_net_namespaces=10000",
	    "sysctl -w user.max_net_namespaces=");
	host.max_namespaces[W_LAYER_PIDNS] = W_HOST_INFO_UNKNOWN;
	expect(&host, W_LAYER_PIDNS, EUSERS, "user.max_pid_namespaces",
	    "sysctl -w user.max_pid_namespaces=");
}

static void
the_restriction_of_ubuntu_is_cured_by_the_profile_shipped(void **state)
{
	struct w_host_info host = plain();
	const char *setting = "kernel.apparmor_restrict_unprivileged_userns=1";

	(void)state;
	host.apparmor_restrict = 1;
	expect(&host, W_LAYER_USERNS, EACCES, setting,
	    WRIT_DATADIR "/apparmor/writ /etc/apparmor.d/");
	/* Creation succeeds there, and later steps fail. */
	expect(&host, W_LAYER_MOUNTNS, EACCES, setting, "apparmor_parser -r");
	expect(&host, W_LAYER_NETNS, EPERM, setting, "apparmor_parser -r");
	host.container = W_CONTAINER_DOCKER;
	expect(&host, W_LAYER_USERNS, EACCES, setting, "on the host, as root");
	host.is_filtered = true;
	expect(&host, W_LAYER_USERNS, EPERM,
	    "its seccomp filter or security module", "seccomp=unconfined");
	host.is_filtered = false;
	host.container = W_CONTAINER_NONE;
	host.ci = W_CI_GITHUB;
	expect(&host, W_LAYER_USERNS, EACCES, setting,
	    "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0");
}

static void
a_privileged_root_is_not_told_about_settings_for_users(void **state)
{
	struct w_host_info host = plain();

	(void)state;
	host.is_root = true;
	host.capabilities = UINT64_MAX;
	host.userns_clone = 0;
	host.apparmor_restrict = 1;
	expect(&host, W_LAYER_PIDNS, EPERM, "", "journalctl");
}

static void
each_container_gets_its_own_option(void **state)
{
	struct w_host_info host = plain();
	const char *setting = "its seccomp filter or security module";

	(void)state;
	host.is_filtered = true;
	host.container = W_CONTAINER_DOCKER;
	expect(&host, W_LAYER_USERNS, EPERM, setting,
	    "docker run --security-opt seccomp=unconfined");
	host.container = W_CONTAINER_PODMAN;
	expect(&host, W_LAYER_USERNS, EPERM, setting,
	    "podman run --security-opt unmask=ALL");
	host.container = W_CONTAINER_KUBERNETES;
	expect(&host, W_LAYER_USERNS, EPERM, setting, "procMount: Unmasked");
	host.container = W_CONTAINER_OTHER;
	expect(&host, W_LAYER_USERNS, EPERM, setting, "start the container");
	host.container = W_CONTAINER_NONE;
	expect(&host, W_LAYER_USERNS, EPERM,
	    "the seccomp filter that writ was started in",
	    "RestrictNamespaces=no");
}

static void
a_covered_proc_is_told_from_a_forbidden_namespace(void **state)
{
	struct w_host_info host = plain();

	(void)state;
	host.is_proc_covered = true;
	host.container = W_CONTAINER_DOCKER;
	expect(&host, W_LAYER_MOUNTNS, EPERM, "mounts below /proc",
	    "systempaths=unconfined");
	expect(&host, W_LAYER_USERNS, EPERM,
	    "its seccomp filter or security module", "seccomp=unconfined");
}

static void
landlock_is_old_off_hidden_or_not_built(void **state)
{
	struct w_host_info host = plain();

	(void)state;
	(void)strcpy(host.lsm, "capability,yama");
	expect(&host, W_LAYER_LANDLOCK, EOPNOTSUPP, "lsm=capability,yama",
	    "lsm=landlock,capability,yama");
	host.lsm[0] = '\0';
	expect(&host, W_LAYER_LANDLOCK, EOPNOTSUPP, "lsm=...", "lsm=landlock,");
	expect(
	    &host, W_LAYER_LANDLOCK, ENOSYS, "", "CONFIG_SECURITY_LANDLOCK=y");
	host.is_filtered = true;
	expect(&host, W_LAYER_LANDLOCK, ENOSYS,
	    "the seccomp filter that writ was started in",
	    "landlock_create_ruleset");
	host.kernel_major = 5;
	host.kernel_minor = 10;
	expect(&host, W_LAYER_LANDLOCK, ENOSYS, "", "Linux 5.13");
}

static void
a_group_that_is_not_delegated_says_how_to_get_one(void **state)
{
	struct w_host_info host = plain();

	(void)state;
	expect(&host, W_LAYER_CGROUP, EACCES,
	    "the owner of the group in /sys/fs/cgroup", "Delegate=yes");
	expect(&host, W_LAYER_CGROUP, ENOENT, "/sys/fs/cgroup", "mount -t");
	host.container = W_CONTAINER_DOCKER;
	expect(&host, W_LAYER_CGROUP, EROFS, "/sys/fs/cgroup",
	    "writable-cgroups=true");
}

static void
whatever_fails_has_a_cause_and_a_remedy_that_fit(void **state)
{
	struct w_host_info host = plain();

	(void)state;
	(void)memset(host.lsm, 'm', sizeof(host.lsm) - 1);
	for (int layer = 0; layer < W_LAYER_COUNT; layer++) {
		for (int error = 0; error < 134; error++) {
			struct w_remedy found = {.cause = ""};

			host.container = (enum w_container)(error % 5);
			w_remedy_find(
			    &host, (enum w_layer)layer, error, &found);
			assert_true(found.cause[0] != '\0');
			assert_true(found.remedy[0] != '\0');
			assert_true(
			    strlen(found.cause) < sizeof(found.cause) - 1);
			assert_true(
			    strlen(found.remedy) < sizeof(found.remedy) - 1 ||
			    error == EOPNOTSUPP);
		}
	}
}

static void
a_refusal_names_the_layer_the_cause_and_the_remedy(void **state)
{
	writ_error err;

	(void)state;
	assert_int_equal(w_probe_explain(W_LAYER_LANDLOCK, EOPNOTSUPP, &err),
	    WRIT_E_SANDBOX);
	assert_int_equal(err.status, WRIT_E_SANDBOX);
	assert_int_equal(err.sys_errno, EOPNOTSUPP);
	assert_string_equal(err.stage, "landlock");
	assert_non_null(strstr(err.message,
	    "cannot build the sandbox: landlock: the kernel has Landlock"));
	assert_non_null(strstr(err.message, strerror(EOPNOTSUPP)));
	assert_non_null(strstr(err.suggestion, "lsm=landlock,"));
	assert_int_equal(
	    w_probe_explain(W_LAYER_CGROUP, 0, NULL), WRIT_E_SANDBOX);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(
		a_sysctl_at_zero_is_named_with_the_command_that_changes_it),
	    cmocka_unit_test(a_limit_of_namespaces_is_named_with_its_value),
	    cmocka_unit_test(
		the_restriction_of_ubuntu_is_cured_by_the_profile_shipped),
	    cmocka_unit_test(
		a_privileged_root_is_not_told_about_settings_for_users),
	    cmocka_unit_test(each_container_gets_its_own_option),
	    cmocka_unit_test(a_covered_proc_is_told_from_a_forbidden_namespace),
	    cmocka_unit_test(landlock_is_old_off_hidden_or_not_built),
	    cmocka_unit_test(a_group_that_is_not_delegated_says_how_to_get_one),
	    cmocka_unit_test(whatever_fails_has_a_cause_and_a_remedy_that_fit),
	    cmocka_unit_test(
		a_refusal_names_the_layer_the_cause_and_the_remedy),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
