/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the settings that decide whether walls can be built: /proc, /sys and
 * the environment. */

#include "sandbox/probe/host_info.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/auto.h"
#include "os/file.h"
#include "os/proc.h"

enum {
	MOUNTS_MAX = 1 << 20,
	STATUS_MAX = 8192
};

static const char *const limit_names[W_LAYER_COUNT] = {
    [W_LAYER_USERNS] = "max_user_namespaces",
    [W_LAYER_MOUNTNS] = "max_mnt_namespaces",
    [W_LAYER_PIDNS] = "max_pid_namespaces",
    [W_LAYER_NETNS] = "max_net_namespaces",
    [W_LAYER_IPCNS] = "max_ipc_namespaces",
    [W_LAYER_UTSNS] = "max_uts_namespaces",
    [W_LAYER_CGROUPNS] = "max_cgroup_namespaces",
};

static const char *const container_words[] = {
#define X(name, word) [W_CONTAINER_##name] = (word),
    W_CONTAINER_MAP(X)
#undef X
};

static const char *const ci_words[] = {
#define X(name, word) [W_CI_##name] = (word),
    W_CI_MAP(X)
#undef X
};

static long
host_info_read_number(const char *path)
{
	char text[32];

	if (w_file_read_at(AT_FDCWD, path, text, sizeof(text)) <= 0)
		return W_HOST_INFO_UNKNOWN;
	return strtol(text, NULL, 10);
}

static void
read_settings(struct w_host_info *host)
{
	char path[80];

	host->userns_clone =
	    host_info_read_number("/proc/sys/kernel/unprivileged_userns_clone");
	host->apparmor_restrict = host_info_read_number(
	    "/proc/sys/kernel/apparmor_restrict_unprivileged_userns");
	for (int i = 0; i < W_LAYER_COUNT; i++) {
		host->max_namespaces[i] = W_HOST_INFO_UNKNOWN;
		if (limit_names[i] == NULL)
			continue;
		(void)snprintf(
		    path, sizeof(path), "/proc/sys/user/%s", limit_names[i]);
		host->max_namespaces[i] = host_info_read_number(path);
	}
	if (w_file_read_at(AT_FDCWD, "/sys/kernel/security/lsm", host->lsm,
		sizeof(host->lsm)) < 0)
		host->lsm[0] = '\0';
	host->lsm[strcspn(host->lsm, "\n")] = '\0';
}

/* The value of a line "Name:\tvalue"; 0 if missing. */
static unsigned long
field(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at == NULL ? 0 : strtoul(at + strlen(name), NULL, 10);
}

static void
read_status(struct w_host_info *host)
{
	char text[STATUS_MAX];

	if (w_file_read_at(AT_FDCWD, "/proc/self/status", text, sizeof(text)) <=
	    0)
		return;
	host->is_no_new_privs = field(text, "\nNoNewPrivs:") == 1;
	host->is_filtered = field(text, "\nSeccomp:") == 2;
}

/* Whether we are in a user namespace other than the initial one. Then even root
 * may mount a /proc only of a pid namespace that it made. */
static bool
is_in_userns(void)
{
	/* The inode of the initial one is a constant of the kernel. */
	const ino_t first = 0xEFFFFFFDU;
	struct stat st;

	return stat("/proc/self/ns/user", &st) == 0 && st.st_ino != first;
}

/* Mounts on these hide nothing: the directories exist to be mounted on. */
static bool
is_harmless(const char *target, size_t len)
{
	static const char *const names[] = {
	    "/proc/sys/fs/binfmt_misc", "/proc/fs/nfsd"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len &&
		    strncmp(target, names[i], len) == 0)
			return true;
	}
	return false;
}

/* What else the mount list is read for. */
struct mounts {
	bool has_root;
	bool has_hosts; /* a file of /etc is mounted from outside */
};

/* Docker bind-mounts these files into every container. */
static bool
is_hosts(const char *target, size_t len)
{
	static const char *const names[] = {
	    "/etc/hosts", "/etc/hostname", "/etc/resolv.conf"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strlen(names[i]) == len &&
		    strncmp(target, names[i], len) == 0)
			return true;
	}
	return false;
}

static void
read_mount(struct w_host_info *host, const char *line, struct mounts *mounts)
{
	/* "36 35 98:0 /from /target options ..." */
	for (int i = 0; i < 4; i++) {
		line = strchr(line, ' ');
		if (line == NULL)
			return;
		line++;
	}
	size_t len = strcspn(line, " \n");
	if (len == 1 && line[0] == '/')
		mounts->has_root = true;
	else if (is_hosts(line, len))
		mounts->has_hosts = true;
	else if (len > 6 && strncmp(line, "/proc/", 6) == 0 &&
		 !is_harmless(line, len))
		host->is_proc_covered = true;
}

static void
read_mounts(struct w_host_info *host, struct mounts *mounts)
{
	W_AUTO_FREE char *text = malloc(MOUNTS_MAX);

	if (text == NULL || w_file_read_at(AT_FDCWD, "/proc/self/mountinfo",
				text, MOUNTS_MAX) <= 0)
		return;
	for (const char *line = text; line != NULL && *line != '\0';) {
		read_mount(host, line, mounts);
		line = strchr(line, '\n');
		if (line != NULL)
			line++;
	}
	host->is_chroot = !mounts->has_root;
}

static bool
host_info_has_variable(const char *name)
{
	const char *value = secure_getenv(name);

	return value != NULL && value[0] != '\0';
}

static enum w_container
container_of_words(const char *text)
{
	static const struct {
		const char *word;
		enum w_container container;
	} rows[] = {
	    {"kubepods", W_CONTAINER_KUBERNETES},
	    {"docker", W_CONTAINER_DOCKER},
	    {"libpod", W_CONTAINER_PODMAN},
	    {"podman", W_CONTAINER_PODMAN},
	    {"containerd", W_CONTAINER_OTHER},
	    {"lxc", W_CONTAINER_OTHER},
	    {"nspawn", W_CONTAINER_OTHER},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (strstr(text, rows[i].word) != NULL)
			return rows[i].container;
	}
	return W_CONTAINER_NONE;
}

static enum w_container
find_container(const struct mounts *mounts)
{
	const char *declared = secure_getenv("container");
	char text[4096];

	if (host_info_has_variable("KUBERNETES_SERVICE_HOST"))
		return W_CONTAINER_KUBERNETES;
	if (access("/run/.containerenv", F_OK) == 0)
		return W_CONTAINER_PODMAN;
	/* The file alone also exists on machines made from a Docker image. */
	if (access("/.dockerenv", F_OK) == 0 && mounts->has_hosts)
		return W_CONTAINER_DOCKER;
	if (declared != NULL && declared[0] != '\0') {
		enum w_container container = container_of_words(declared);

		return container == W_CONTAINER_NONE ? W_CONTAINER_OTHER
						     : container;
	}
	if (w_file_read_at(AT_FDCWD, "/proc/1/cgroup", text, sizeof(text)) <= 0)
		return W_CONTAINER_NONE;
	return container_of_words(text);
}

static enum w_ci
find_ci(void)
{
	if (host_info_has_variable("GITHUB_ACTIONS"))
		return W_CI_GITHUB;
	if (host_info_has_variable("GITLAB_CI"))
		return W_CI_GITLAB;
	return host_info_has_variable("CI") ? W_CI_OTHER : W_CI_NONE;
}

static void
read_kernel(struct w_host_info *host)
{
	struct utsname name;
	char *end = NULL;

	if (uname(&name) < 0)
		return;
	(void)snprintf(host->kernel, sizeof(host->kernel), "%s", name.release);
	host->kernel_major = (unsigned)strtoul(name.release, &end, 10);
	if (*end == '.')
		host->kernel_minor = (unsigned)strtoul(end + 1, NULL, 10);
}

static uint64_t
own_capabilities(void)
{
	struct __user_cap_header_struct header = {
	    .version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[2] = {0};

	if (syscall(SYS_capget, &header, data) < 0)
		return 0;
	return data[0].effective | (uint64_t)data[1].effective << 32;
}

static bool
is_enough(uint64_t capabilities)
{
	const uint64_t needed = UINT64_C(1) << CAP_SYS_ADMIN |
				UINT64_C(1) << CAP_NET_ADMIN |
				UINT64_C(1) << CAP_SETPCAP;

	return (capabilities & needed) == needed;
}

void
w_probe_host(struct w_host_info *out_host)
{
	struct mounts mounts = {false, false};

	*out_host = (struct w_host_info){.is_root = geteuid() == 0,
	    .capabilities = own_capabilities(),
	    .is_in_userns = is_in_userns(),
	    .is_proc_missing = w_proc_check(NULL) != WRIT_OK};
	read_kernel(out_host);
	read_settings(out_host);
	read_status(out_host);
	read_mounts(out_host, &mounts);
	out_host->container = find_container(&mounts);
	out_host->ci = find_ci();
}

bool
w_probe_can_make_namespaces(const struct w_host_info *host)
{
	return is_enough(host->capabilities);
}

bool
w_thread_can_make_namespaces(void)
{
	return is_enough(own_capabilities());
}

const char *
w_probe_limit_name(enum w_layer layer)
{
	return limit_names[layer];
}

const char *
w_container_word(enum w_container container)
{
	return container_words[container];
}

const char *
w_ci_word(enum w_ci ci)
{
	return ci_words[ci];
}
