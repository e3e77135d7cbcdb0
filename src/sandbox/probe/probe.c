/* SPDX-License-Identifier: Apache-2.0 */

/* Runs all probes in order and interprets the results. */

#include "sandbox/probe/probe.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "sandbox/probe/probe_child.h"

static const struct {
	w_probe_child_fn fn;
	bool is_namespace; /* made inside a user namespace if one is needed */
} layer_probes[W_LAYER_COUNT] = {
    [W_LAYER_NO_NEW_PRIVS] = {w_probe_no_new_privs, false},
    [W_LAYER_CAPABILITIES] = {w_probe_capabilities, false},
    [W_LAYER_KEYRING] = {w_probe_keyring, false},
    [W_LAYER_LANDLOCK] = {w_probe_landlock, false},
    [W_LAYER_SECCOMP] = {w_probe_seccomp, false},
    [W_LAYER_USERNS] = {w_probe_userns, false},
    [W_LAYER_MOUNTNS] = {w_probe_mountns, true},
    [W_LAYER_PIDNS] = {w_probe_pidns, true},
    [W_LAYER_NETNS] = {w_probe_netns, true},
    [W_LAYER_IPCNS] = {w_probe_ipcns, true},
    [W_LAYER_UTSNS] = {w_probe_utsns, true},
    [W_LAYER_CGROUPNS] = {w_probe_cgroupns, true},
};

/* What each Landlock ABI added. */
static const struct {
	long abi;
	const char *word;
} landlock_parts[] = {
    {1, "files"},
    {2, "rename and link"},
    {3, "truncate"},
    {4, "TCP"},
    {5, "ioctl"},
    {6, "signals and abstract sockets"},
};

static void
describe_landlock(long abi, struct w_probe *probe)
{
	size_t len = (size_t)snprintf(
	    probe->detail, sizeof(probe->detail), "ABI %ld: ", abi);

	for (size_t i = 0;
	     i < sizeof(landlock_parts) / sizeof(landlock_parts[0]); i++) {
		if (landlock_parts[i].abi > abi || len >= sizeof(probe->detail))
			break;
		len += (size_t)snprintf(probe->detail + len,
		    sizeof(probe->detail) - len, "%s%s", i == 0 ? "" : ", ",
		    landlock_parts[i].word);
	}
}

static void
probe_layer(struct w_probes *probes, enum w_layer layer)
{
	struct w_probe *probe = &probes->layers[layer];
	const bool has_userns =
	    layer_probes[layer].is_namespace && probes->needs_userns;
	long value = 0;

	if (has_userns && !probes->layers[W_LAYER_USERNS].is_available) {
		*probe = probes->layers[W_LAYER_USERNS];
		probe->is_blocked = true;
		return;
	}
	w_probe_child_run(layer_probes[layer].fn, has_userns, probe, &value);
	if (!probe->is_available)
		return;
	if (layer == W_LAYER_LANDLOCK)
		describe_landlock(value, probe);
	else if (layer == W_LAYER_KEYRING && value != 0)
		(void)snprintf(probe->detail, sizeof(probe->detail),
		    value == ENOSYS ? "not needed: there are no keys here"
				    : "not needed: no key can be made");
}

void
w_probe_all(struct w_probes *out_probes)
{
	long value = 0;

	memset(out_probes, 0, sizeof(*out_probes));
	w_probe_host(&out_probes->host);
	out_probes->needs_userns =
	    !w_probe_can_make_namespaces(&out_probes->host);
	w_probe_child_run(w_probe_clone3, false, &out_probes->clone3, &value);
	out_probes->can_start = value == 1;
	for (int i = 0; i < W_LAYER_COUNT; i++) {
		if (layer_probes[i].fn != NULL)
			probe_layer(out_probes, (enum w_layer)i);
	}
	/* If mounts already fail, their layer reports it. */
	out_probes->pivot_root = out_probes->layers[W_LAYER_MOUNTNS];
	if (out_probes->pivot_root.is_available)
		w_probe_child_run(w_probe_pivot_root, out_probes->needs_userns,
		    &out_probes->pivot_root, &value);
	else
		out_probes->pivot_root.is_blocked = true;
	w_probe_cgroup(&out_probes->layers[W_LAYER_CGROUP]);
}

void
w_probe_remedy(const struct w_probes *probes, enum w_layer layer,
    struct w_remedy *out_remedy)
{
	const struct w_probe *probe = &probes->layers[layer];
	struct w_host_info host = probes->host;

	/* A covered /proc explains only the failure to mount a fresh one. */
	if (strcmp(probe->step, W_STEP_PROC) != 0)
		host.is_proc_covered = false;
	w_remedy_find(&host, layer, probe->error, out_remedy);
}

static const char *
clone3_cause(const struct w_probes *probes)
{
	if (!probes->can_start)
		return "writ may start no process here";
	return probes->host.is_filtered
		   ? "a seccomp filter around writ hides it; clone does "
		     "instead, without control groups"
		   : "the kernel does not have it; clone does instead, without "
		     "control groups";
}

void
w_probe_clone3_remedy(
    const struct w_probes *probes, struct w_remedy *out_remedy)
{
	const bool is_hidden = probes->host.is_filtered;

	(void)snprintf(out_remedy->cause, sizeof(out_remedy->cause), "%s",
	    clone3_cause(probes));
	(void)snprintf(out_remedy->setting, sizeof(out_remedy->setting), "%s",
	    is_hidden ? "the seccomp filter that writ was started in" : "");
	if (probes->host.container == W_CONTAINER_DOCKER)
		(void)snprintf(out_remedy->remedy, sizeof(out_remedy->remedy),
		    "docker run --security-opt seccomp=unconfined ...");
	else
		(void)snprintf(out_remedy->remedy, sizeof(out_remedy->remedy),
		    is_hidden ? "start writ outside of it, or let it pass "
				"clone3"
			      : "use Linux 5.7 or later");
}

void
w_probe_pivot_root_remedy(
    const struct w_probes *probes, struct w_remedy *out_remedy)
{
	struct w_host_info host = probes->host;

	host.is_proc_covered = false;
	w_remedy_find(
	    &host, W_LAYER_MOUNTNS, probes->pivot_root.error, out_remedy);
}
