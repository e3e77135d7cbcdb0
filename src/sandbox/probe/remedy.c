/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Maps an errno and the host's settings to a cause and a remedy.
 *
 * One table: the first row that matches the layer, the errno and the settings
 * is the answer, so rows go from specific to general, and the last ones match
 * everything. Nothing here changes a decision: a wrong guess costs the reader
 * time, never a wall.
 */

#include "sandbox/probe/remedy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define BIT(name) W_LAYER_BIT(W_LAYER_##name)

enum {
	SPACES = BIT(USERNS) | BIT(MOUNTNS) | BIT(PIDNS) | BIT(NETNS) |
		 BIT(IPCNS) | BIT(UTSNS) | BIT(CGROUPNS),
	EVERY = BIT(NO_NEW_PRIVS) | BIT(CAPABILITIES) | BIT(KEYRING) |
		BIT(LANDLOCK) | BIT(SECCOMP) | SPACES | BIT(CGROUP),
};

#define PROFILE_DIR WRIT_DATADIR "/apparmor"

#define DOCKER_OPEN                                     \
	"docker run --security-opt seccomp=unconfined " \
	"--security-opt apparmor=unconfined "           \
	"--security-opt systempaths=unconfined ..."
#define PODMAN_OPEN                             \
	"podman run --security-opt unmask=ALL " \
	"--security-opt seccomp=unconfined ..."
#define KUBERNETES_OPEN                                             \
	"in the pod: hostUsers: false; in its container's "         \
	"securityContext: procMount: Unmasked and seccompProfile: " \
	"{type: Unconfined}"

typedef bool (*fits_fn)(const struct w_host_info *host);

static bool
is_userns_off(const struct w_host_info *host)
{
	return host->userns_clone == 0 && !w_probe_can_make_namespaces(host);
}

static bool
is_restricted(const struct w_host_info *host)
{
	return host->apparmor_restrict == 1 &&
	       !w_probe_can_make_namespaces(host);
}

static bool
is_restricted_in_github(const struct w_host_info *host)
{
	return is_restricted(host) && host->ci == W_CI_GITHUB &&
	       host->container == W_CONTAINER_NONE;
}

/* Without a filter; a filter is reported first. */
static bool
is_restricted_in_container(const struct w_host_info *host)
{
	return is_restricted(host) && !host->is_filtered &&
	       host->container != W_CONTAINER_NONE;
}

static bool
is_restricted_at_home(const struct w_host_info *host)
{
	return is_restricted(host) && host->container == W_CONTAINER_NONE;
}

static bool
is_chroot(const struct w_host_info *host)
{
	return host->is_chroot;
}

static bool
is_docker(const struct w_host_info *host)
{
	return host->container == W_CONTAINER_DOCKER;
}

static bool
is_podman(const struct w_host_info *host)
{
	return host->container == W_CONTAINER_PODMAN;
}

static bool
is_container(const struct w_host_info *host)
{
	return host->container != W_CONTAINER_NONE;
}

static bool
is_filtered(const struct w_host_info *host)
{
	return host->is_filtered;
}

static bool
is_proc_missing(const struct w_host_info *host)
{
	return host->is_proc_missing;
}

static bool
is_proc_covered(const struct w_host_info *host)
{
	return host->is_proc_covered;
}

static bool
is_poor_root(const struct w_host_info *host)
{
	return host->is_root && !w_probe_can_make_namespaces(host);
}

static bool
is_before_landlock(const struct w_host_info *host)
{
	return host->kernel_major < 5 ||
	       (host->kernel_major == 5 && host->kernel_minor < 13);
}

static bool
is_before_cgroup_kill(const struct w_host_info *host)
{
	return host->kernel_major < 5 ||
	       (host->kernel_major == 5 && host->kernel_minor < 14);
}

/* clang-format off */
static const struct row {
	uint32_t layers;
	int errors[4];   /* 0-terminated; none: any */
	fits_fn fits;    /* NULL: always */
	const char *cause;
	const char *setting;
	const char *remedy;
} rows[] = {
	{SPACES, {ENOENT}, is_proc_missing,
	 "/proc is not mounted", "", "mount -t proc proc /proc"},
	{SPACES, {EPERM, EACCES}, is_userns_off,
	 "this kernel does not allow user namespaces to ordinary users",
	 "kernel.unprivileged_userns_clone=0",
	 "as root: sysctl -w kernel.unprivileged_userns_clone=1"},
	{SPACES, {EPERM, EACCES}, is_restricted_in_github,
	 "AppArmor keeps user namespaces for programs that have a profile",
	 "kernel.apparmor_restrict_unprivileged_userns=1",
	 "in a step before: sudo sysctl -w "
	 "kernel.apparmor_restrict_unprivileged_userns=0"},
	{SPACES, {EPERM, EACCES}, is_restricted_in_container,
	 "AppArmor on the host keeps user namespaces for some programs",
	 "kernel.apparmor_restrict_unprivileged_userns=1",
	 "on the host, as root: sysctl -w "
	 "kernel.apparmor_restrict_unprivileged_userns=0"},
	{SPACES, {EPERM, EACCES}, is_restricted_at_home,
	 "AppArmor keeps user namespaces for programs that have a profile",
	 "kernel.apparmor_restrict_unprivileged_userns=1",
	 "as root: cp " PROFILE_DIR "/writ /etc/apparmor.d/ && "
	 "apparmor_parser -r /etc/apparmor.d/writ"},
	{SPACES, {EPERM}, is_chroot,
	 "the kernel makes no user namespace inside a chroot", "",
	 "run writ outside of the chroot, or in a container instead of it"},
	{BIT(MOUNTNS) | BIT(PIDNS), {EPERM}, is_proc_covered,
	 "a fresh /proc is refused while parts of the one here are covered",
	 "mounts below /proc", NULL},
	{SPACES, {EPERM, EACCES, ENOSYS}, is_container,
	 "the container does not allow new namespaces or mounts",
	 "its seccomp filter or security module", NULL},
	{SPACES, {EPERM, EACCES, ENOSYS}, is_filtered,
	 "a seccomp filter around writ forbids namespaces or mounts",
	 "the seccomp filter that writ was started in",
	 "start writ outside of it; in a systemd unit: "
	 "RestrictNamespaces=no and SystemCallFilter=@mount"},
	{SPACES, {EPERM}, is_poor_root,
	 "root has lost the capabilities that namespaces take",
	 "CAP_SYS_ADMIN, CAP_NET_ADMIN or CAP_SETPCAP",
	 "start writ with CAP_SYS_ADMIN, CAP_NET_ADMIN and CAP_SETPCAP, or "
	 "allow user namespaces"},
	{SPACES, {EPERM, EACCES}, NULL,
	 "a security module or a setting of this machine forbids it", "",
	 "look for the refusal in the kernel's log: journalctl -k -g denied"},
	{SPACES, {EINVAL, ENOSYS}, NULL,
	 "the kernel was built without this kind of namespace", "",
	 "use a kernel with CONFIG_NAMESPACES and each of its kinds, as every "
	 "distribution builds"},

	{BIT(LANDLOCK), {EOPNOTSUPP}, NULL,
	 "the kernel has Landlock, but it was not started at boot", "lsm=",
	 NULL},
	{BIT(LANDLOCK), {ENOSYS}, is_before_landlock,
	 "this kernel is older than Landlock", "",
	 "use Linux 5.13 or later; 6.7 or later for all that writ makes of it"},
	{BIT(LANDLOCK), {E2BIG}, NULL,
	 "too many Landlock domains are around writ already", "",
	 "nest fewer sandboxes: the kernel allows 16"},
	{BIT(LANDLOCK), {ENOSYS, EPERM, EACCES}, is_docker,
	 "the container's seccomp filter hides Landlock",
	 "the container's seccomp filter",
	 "use Docker 23 or later, or docker run --security-opt "
	 "seccomp=unconfined ..."},
	{BIT(LANDLOCK), {ENOSYS, EPERM, EACCES}, is_filtered,
	 "a seccomp filter around writ hides Landlock",
	 "the seccomp filter that writ was started in",
	 "start writ outside of it, or let it pass landlock_create_ruleset, "
	 "landlock_add_rule and landlock_restrict_self"},
	{BIT(LANDLOCK), {ENOSYS}, NULL,
	 "the kernel was built without Landlock", "",
	 "use a kernel with CONFIG_SECURITY_LANDLOCK=y, and landlock in its "
	 "lsm= boot parameter"},

	{BIT(SECCOMP), {EPERM, EACCES, ENOSYS}, is_filtered,
	 "a seccomp filter around writ forbids another one",
	 "the seccomp filter that writ was started in",
	 "start writ outside of it, or let it pass seccomp and prctl"},
	{BIT(SECCOMP), {ENOMEM}, NULL,
	 "the filters around writ are too long to add another", "",
	 "nest fewer sandboxes"},
	{BIT(SECCOMP), {EINVAL, ENOSYS}, NULL,
	 "the kernel was built without seccomp filters", "",
	 "use a kernel with CONFIG_SECCOMP_FILTER=y"},

	{BIT(KEYRING), {EPERM, EACCES}, is_filtered,
	 "a seccomp filter around writ forbids keyctl",
	 "the seccomp filter that writ was started in",
	 "start writ outside of it, or let it pass keyctl"},

	{BIT(CAPABILITIES), {EPERM}, NULL,
	 "root may not give up its privileges here", "CAP_SETPCAP",
	 "start writ with CAP_SETPCAP, or as an ordinary user"},

	{BIT(CGROUP), {ENOENT, EACCES, EPERM}, is_before_cgroup_kill,
	 "this kernel cannot kill a control group", "",
	 "use Linux 5.14 or later"},
	{BIT(CGROUP), {ENOENT}, NULL,
	 "there is no version 2 control group hierarchy to be seen",
	 "/sys/fs/cgroup",
	 "mount -t cgroup2 none /sys/fs/cgroup, or boot with "
	 "systemd.unified_cgroup_hierarchy=1"},
	{BIT(CGROUP), {EROFS}, is_docker,
	 "the control groups of the container are mounted read-only",
	 "/sys/fs/cgroup",
	 "docker run --security-opt writable-cgroups=true ... (Docker 28 or "
	 "later, cgroup v2)"},
	{BIT(CGROUP), {EROFS}, is_podman,
	 "the control groups of the container are mounted read-only",
	 "/sys/fs/cgroup",
	 "podman run --security-opt unmask=/sys/fs/cgroup ..."},
	{BIT(CGROUP), {EROFS}, NULL,
	 "the control groups are mounted read-only", "/sys/fs/cgroup",
	 "mount -o remount,rw /sys/fs/cgroup, where that is allowed"},
	{BIT(CGROUP), {EACCES, EPERM}, NULL,
	 "the control group here is not delegated to this user",
	 "the owner of the group in /sys/fs/cgroup",
	 "systemd-run --user --scope -p Delegate=yes writ ..."},
	{BIT(CGROUP), {EAGAIN, ENOSPC}, NULL,
	 "a limit of control groups is reached",
	 "cgroup.max.descendants or cgroup.max.depth",
	 "raise it in a group above this one"},

	{EVERY, {0}, NULL, "the kernel refused it", "",
	 "look into the kernel's log: journalctl -k"},
};
/* clang-format on */

/* How to open up a container, for rows without a remedy of their own. */
static const char *
container_remedy(const struct w_host_info *host)
{
	if (host->container == W_CONTAINER_KUBERNETES)
		return KUBERNETES_OPEN;
	if (is_podman(host))
		return PODMAN_OPEN;
	if (is_docker(host))
		return DOCKER_OPEN;
	return "start the container without its seccomp filter and with "
	       "nothing mounted below /proc; or unmount that";
}

static bool
has_error(const struct row *row, int error)
{
	if (row->errors[0] == 0)
		return true;
	for (size_t i = 0; i < 4 && row->errors[i] != 0; i++) {
		if (row->errors[i] == error)
			return true;
	}
	return false;
}

/* ENOSPC: a limit of this namespace or of one above it was hit. */
static void
explain_limit(
    const struct w_host_info *host, enum w_layer layer, struct w_remedy *out)
{
	const char *name = w_probe_limit_name(layer);
	const long max = host->max_namespaces[layer];

	if (max == 0)
		(void)snprintf(out->cause, sizeof(out->cause),
		    "namespaces of this kind are switched off");
	else
		(void)snprintf(out->cause, sizeof(out->cause),
		    "the limit of namespaces is reached, here or in a "
		    "namespace above");
	if (max == W_HOST_INFO_UNKNOWN)
		(void)snprintf(
		    out->setting, sizeof(out->setting), "user.%s", name);
	else
		(void)snprintf(out->setting, sizeof(out->setting),
		    "user.%s=%ld", name, max);
	(void)snprintf(out->remedy, sizeof(out->remedy),
	    "as root of the machine: sysctl -w user.%s=%d", name, 15000);
}

static void
explain_lsm(const struct w_host_info *host, struct w_remedy *out)
{
	const bool is_known = host->lsm[0] != '\0';

	(void)snprintf(out->setting, sizeof(out->setting), "lsm=%s",
	    is_known ? host->lsm : "...");
	(void)snprintf(out->remedy, sizeof(out->remedy),
	    "boot with landlock in the lsm= parameter: lsm=landlock,%s",
	    is_known ? host->lsm : "... (see /sys/kernel/security/lsm)");
}

void
w_remedy_find(const struct w_host_info *host, enum w_layer layer, int error,
    struct w_remedy *out_remedy)
{
	if (w_probe_limit_name(layer) != NULL &&
	    (error == ENOSPC || error == EUSERS)) {
		explain_limit(host, layer, out_remedy);
		return;
	}

	const struct row *row = rows;

	/* The last row matches everything. */
	while ((row->layers & W_LAYER_BIT(layer)) == 0 ||
	       !has_error(row, error) ||
	       (row->fits != NULL && !row->fits(host)))
		row++;
	(void)snprintf(
	    out_remedy->cause, sizeof(out_remedy->cause), "%s", row->cause);
	if (layer == W_LAYER_LANDLOCK && row->remedy == NULL) {
		explain_lsm(host, out_remedy);
		return;
	}
	(void)snprintf(out_remedy->setting, sizeof(out_remedy->setting), "%s",
	    row->setting);
	(void)snprintf(out_remedy->remedy, sizeof(out_remedy->remedy), "%s",
	    row->remedy != NULL ? row->remedy : container_remedy(host));
}

writ_status
w_probe_explain(enum w_layer layer, int error, writ_error *err)
{
	struct w_host_info host;
	struct w_remedy remedy;
	const char *word = w_layer_word(layer);

	w_probe_host(&host);
	w_remedy_find(&host, layer, error, &remedy);
	if (remedy.setting[0] == '\0')
		(void)w_fail(err, WRIT_E_SANDBOX, word, error,
		    "cannot build the sandbox: %s: %s", word, remedy.cause);
	else
		(void)w_fail(err, WRIT_E_SANDBOX, word, error,
		    "cannot build the sandbox: %s: %s (%s)", word, remedy.cause,
		    remedy.setting);
	w_suggest(err, "%s", remedy.remedy);
	return WRIT_E_SANDBOX;
}
