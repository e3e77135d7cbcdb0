/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The facts of this machine. What is not available is omitted.
 *
 *   host.name                       its name
 *   host.info.hostname              the same
 *   host.info.os                    "linux"
 *   host.info.platform              os.id
 *   host.info.platformFamily        os.family
 *   host.info.platformVersion       os.version
 *   host.info.kernelVersion         kernel.release
 *   host.info.kernelArch            kernel.machine
 *   host.info.virtualizationSystem  "docker", "podman", "lxc", "kvm", "xen",
 *                                   "vmware", "vbox", "hyperv", ...
 *   host.info.virtualizationRole    "guest", with the former
 *   os.name                         "Debian GNU/Linux"
 *   os.pretty_name                  "Debian GNU/Linux 12 (bookworm)"
 *   os.id                           "debian"
 *   os.family                       "debian", "rhel", "fedora", "suse",
 *                                   "arch", "alpine", "gentoo", or os.id
 *   os.version                      "12", a text
 *   os.codename                     "bookworm"
 *   kernel.name                     "Linux"
 *   kernel.release                  "6.1.0-18-amd64"
 *   kernel.version                  "#1 SMP ..."
 *   kernel.machine                  "x86_64"
 *   cpu.count                       online processors
 *   cpu.info[]                      of each: cpu vendorId family model
 *                                   modelName stepping physicalId coreId
 *   memory.virtual.                 total free available buffers cached
 *   memory.swap.                    total free; all in bytes
 *   network.interfaces[]            names
 *   network.addresses[]             {interface, address, family, default}
 *   network.default_interface       that of the default route
 *   network.default_ipv4            its first address
 *   network.default_ipv6            likewise
 */

#include <sys/utsname.h>

#include "manifest/facts/facts.h"
#include "manifest/facts/facts_sources.h"

static void
add_host(struct w_fact_map *facts, const struct utsname *names,
    const struct w_os_release *release)
{
	struct w_fact_map host, info;
	const char *system = w_fact_virtualization();

	w_fact_map_init(&host, facts->arena);
	w_fact_map_init(&info, facts->arena);
	w_fact_add_string(&host, "name", names->nodename);
	w_fact_add_string(&info, "hostname", names->nodename);
	w_fact_add_string(&info, "os", "linux");
	w_fact_add_string(&info, "platform", release->id);
	w_fact_add_string(
	    &info, "platformFamily", w_os_release_family(release));
	w_fact_add_string(&info, "platformVersion", release->version_id);
	w_fact_add_string(&info, "kernelVersion", names->release);
	w_fact_add_string(&info, "kernelArch", names->machine);
	w_fact_add_string(&info, "virtualizationSystem", system);
	w_fact_add_string(
	    &info, "virtualizationRole", system != NULL ? "guest" : NULL);
	w_fact_add_map(&host, "info", &info);
	w_fact_add_map(facts, "host", &host);
}

static void
add_os(struct w_fact_map *facts, const struct w_os_release *release)
{
	struct w_fact_map os;

	w_fact_map_init(&os, facts->arena);
	w_fact_add_string(&os, "name", release->name);
	w_fact_add_string(&os, "pretty_name", release->pretty);
	w_fact_add_string(&os, "id", release->id);
	w_fact_add_string(&os, "family", w_os_release_family(release));
	w_fact_add_string(&os, "version", release->version_id);
	w_fact_add_string(&os, "codename", release->codename);
	os.failed = os.failed || release->failed;
	w_fact_add_map(facts, "os", &os);
}

static void
add_kernel(struct w_fact_map *facts, const struct utsname *names)
{
	struct w_fact_map kernel;

	w_fact_map_init(&kernel, facts->arena);
	w_fact_add_string(&kernel, "name", names->sysname);
	w_fact_add_string(&kernel, "release", names->release);
	w_fact_add_string(&kernel, "version", names->version);
	w_fact_add_string(&kernel, "machine", names->machine);
	w_fact_add_map(facts, "kernel", &kernel);
}

static void
facts_gather_add_file(struct w_fact_map *facts, const char *name,
    const char *path,
    void (*add)(struct w_fact_map *map, const char *text, size_t len))
{
	W_AUTO_BUF struct w_buf text;
	struct w_fact_map map;

	w_buf_init(&text, W_FACTS_FILE_MAX);
	w_fact_map_init(&map, facts->arena);
	if (w_fact_file_read(&text, path))
		add(&map, text.data, text.len);
	w_fact_add_map(facts, name, &map);
}

writ_status
w_facts_gather(
    struct w_arena *arena, struct w_value *out_facts, writ_error *err)
{
	struct w_os_release release = {.arena = arena};
	struct w_fact_map facts, network;
	struct utsname names = {.nodename = ""};

	w_fact_map_init(&facts, arena);
	w_fact_map_init(&network, arena);
	(void)uname(&names);
	w_os_release_read(&release);
	add_host(&facts, &names, &release);
	add_os(&facts, &release);
	add_kernel(&facts, &names);
	facts_gather_add_file(&facts, "cpu", "/proc/cpuinfo", w_fact_add_cpus);
	facts_gather_add_file(
	    &facts, "memory", "/proc/meminfo", w_fact_add_memory);
	w_fact_add_network(&network);
	w_fact_add_map(&facts, "network", &network);
	if (facts.failed)
		return w_fail_nomem(err, "facts");
	*out_facts = w_fact_map_value(&facts);
	return WRIT_OK;
}
