/* SPDX-License-Identifier: Apache-2.0 */

/* Detects containers and hypervisors by the traces that they leave. */

#include <string.h>
#include <unistd.h>

#include "manifest/facts/facts_sources.h"

static const struct {
	const char *path;
	const char *text; /* to find in it; NULL: its existence is enough */
	const char *system;
} marks[] = {
    {"/.dockerenv", NULL, "docker"},
    {"/run/.containerenv", NULL, "podman"},
    {"/run/systemd/container", "lxc", "lxc"},
    {"/run/systemd/container", "nspawn", "systemd-nspawn"},
    {"/run/systemd/container", "docker", "docker"},
    {"/run/systemd/container", "podman", "podman"},
    {"/sys/hypervisor/type", "xen", "xen"},
    {"/sys/class/dmi/id/sys_vendor", "QEMU", "kvm"},
    {"/sys/class/dmi/id/product_name", "KVM", "kvm"},
    {"/sys/class/dmi/id/sys_vendor", "Amazon EC2", "kvm"},
    {"/sys/class/dmi/id/sys_vendor", "Google", "kvm"},
    {"/sys/class/dmi/id/sys_vendor", "VMware", "vmware"},
    {"/sys/class/dmi/id/product_name", "VirtualBox", "vbox"},
    {"/sys/class/dmi/id/product_name", "Virtual Machine", "hyperv"},
};

static bool
has_mark(const char *path, const char *text)
{
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, 4096);
	if (text == NULL)
		return access(path, F_OK) == 0;
	return w_fact_file_read(&buf, path) &&
	       memmem(buf.data, buf.len, text, strlen(text)) != NULL;
}

const char *
w_fact_virtualization(void)
{
	for (size_t i = 0; i < sizeof(marks) / sizeof(*marks); i++)
		if (has_mark(marks[i].path, marks[i].text))
			return marks[i].system;
	return NULL;
}
