/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_MANIFEST_FACTS_SOURCES_H
#define W_MANIFEST_FACTS_SOURCES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "manifest/facts/facts_map.h"

/*
 * The sources of facts. Every parser accepts any bytes, and skips what it does
 * not understand.
 */
#define W_FACTS_FILE_MAX ((size_t)4 << 20) /* of /proc and the like */

/* Iterates over lines, without their ends. false: no more. */
struct w_fact_lines {
	const char *at;
	const char *end;
};
bool w_fact_lines_next(
    struct w_fact_lines *lines, const char **out_line, size_t *out_len);

/* Appends a file's content. false: it cannot be read. */
bool w_fact_file_read(struct w_buf *buf, const char *path);

/* facts_os.c: /etc/os-release. */
struct w_os_release {
	struct w_arena *arena;
	const char *name; /* NAME; NULL if missing, as all */
	const char *pretty;
	const char *id;
	const char *id_like;
	const char *version_id;
	const char *codename;
	bool failed; /* no memory */
};
void w_os_release_parse(
    struct w_os_release *release, const char *text, size_t len);
/* "debian", "rhel", ...: from ID_LIKE, or the ID itself. */
const char *w_os_release_family(const struct w_os_release *release);
void w_os_release_read(struct w_os_release *release);

/* facts_cpu.c, from /proc/cpuinfo. */
void w_fact_add_cpus(struct w_fact_map *map, const char *text, size_t len);
/* facts_memory.c, from /proc/meminfo. */
void w_fact_add_memory(struct w_fact_map *map, const char *text, size_t len);

/* facts_route.c: the interface of the default route in /proc/net/route, or in
 * /proc/net/ipv6_route. false: none. */
#define W_FACT_INTERFACE_MAX 16 /* with NUL, as in the kernel */
bool w_fact_route_v4(
    const char *text, size_t len, char out_name[W_FACT_INTERFACE_MAX]);
bool w_fact_route_v6(
    const char *text, size_t len, char out_name[W_FACT_INTERFACE_MAX]);

/* facts_network.c and facts_host.c. */
void w_fact_add_network(struct w_fact_map *map);
/* "docker", "kvm"; NULL: physical, or unknown. */
const char *w_fact_virtualization(void);

#endif /* W_MANIFEST_FACTS_SOURCES_H */
