/* SPDX-License-Identifier: Apache-2.0 */

/* Memory, from /proc/meminfo: lines of "Name: number kB". Facts are in
 * bytes. */

#include <string.h>

#include "manifest/facts/facts_sources.h"

/* The number after the name, in bytes. false: another line. */
static bool
read_meminfo_bytes(
    const char *line, size_t len, const char *name, uint64_t *out_bytes)
{
	size_t at = strlen(name);
	uint64_t number = 0;

	if (len <= at || memcmp(line, name, at) != 0 || line[at] != ':')
		return false;
	at++;
	while (at < len && line[at] == ' ')
		at++;
	const size_t first = at;
	while (
	    at < len && line[at] >= '0' && line[at] <= '9' && at - first < 15)
		number = number * 10 + (uint64_t)(line[at++] - '0');
	if (at == first || len - at != 3 || memcmp(line + at, " kB", 3) != 0)
		return false;
	*out_bytes = number * 1024;
	return true;
}

void
w_fact_add_memory(struct w_fact_map *map, const char *text, size_t len)
{
	static const struct {
		const char *from;
		const char *name;
		bool is_swap;
	} names[] = {
	    {"MemTotal", "total", false},
	    {"MemFree", "free", false},
	    {"MemAvailable", "available", false},
	    {"Buffers", "buffers", false},
	    {"Cached", "cached", false},
	    {"SwapTotal", "total", true},
	    {"SwapFree", "free", true},
	};
	struct w_fact_map virtual, swap;

	w_fact_map_init(&virtual, map->arena);
	w_fact_map_init(&swap, map->arena);
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct w_fact_lines lines = {.at = text, .end = text + len};
		const char *line;
		size_t line_len;
		uint64_t bytes = 0;
		bool is_found = false;

		while (!is_found && w_fact_lines_next(&lines, &line, &line_len))
			is_found = read_meminfo_bytes(
			    line, line_len, names[i].from, &bytes);
		if (is_found)
			w_fact_add_int(names[i].is_swap ? &swap : &virtual,
			    names[i].name, bytes);
	}
	w_fact_add_map(map, "virtual", &virtual);
	w_fact_add_map(map, "swap", &swap);
}
