/* SPDX-License-Identifier: Apache-2.0 */

/* The processors, from /proc/cpuinfo: one paragraph each, of "name : value". */

#include <string.h>

#include "manifest/facts/facts_sources.h"

#define CPUS_MAX 8192

/* Splits a line at its colon, and trims both parts. */
static bool
facts_cpu_split(
    const char *line, size_t len, size_t *out_name_len, size_t *out_at)
{
	const char *colon = memchr(line, ':', len);

	if (colon == NULL)
		return false;
	size_t name_len = (size_t)(colon - line);
	size_t at = name_len + 1;
	while (name_len > 0 &&
	       (line[name_len - 1] == '\t' || line[name_len - 1] == ' '))
		name_len--;
	while (at < len && line[at] == ' ')
		at++;
	*out_name_len = name_len;
	*out_at = at;
	return true;
}

static bool
facts_cpu_is_number(const char *text, size_t len, uint64_t *out_number)
{
	*out_number = 0;
	for (size_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		*out_number = *out_number * 10 + (uint64_t)(text[i] - '0');
	}
	return len > 0 && len <= 9;
}

static void
facts_cpu_read_line(struct w_fact_map *cpu, const char *line, size_t len)
{
	static const struct {
		const char *from;
		const char *name;
	} names[] = {
	    {"processor", "cpu"},
	    {"vendor_id", "vendorId"},
	    {"cpu family", "family"},
	    {"model", "model"},
	    {"model name", "modelName"},
	    {"stepping", "stepping"},
	    {"physical id", "physicalId"},
	    {"core id", "coreId"},
	};
	size_t name_len, at;
	uint64_t number;

	if (!facts_cpu_split(line, len, &name_len, &at))
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (strlen(names[i].from) != name_len ||
		    memcmp(names[i].from, line, name_len) != 0)
			continue;
		if (w_value_member(&(const struct w_value){.kind = W_VALUE_MAP,
				       .as.map = {cpu->members, cpu->count}},
			names[i].name, strlen(names[i].name)) != NULL)
			return;
		if (facts_cpu_is_number(line + at, len - at, &number))
			w_fact_add_int(cpu, names[i].name, number);
		else
			w_fact_add_text(
			    cpu, names[i].name, line + at, len - at);
	}
}

static void
end_paragraph(struct w_fact_map *cpus, struct w_fact_map *cpu)
{
	const struct w_value *number =
	    w_value_member(&(const struct w_value){.kind = W_VALUE_MAP,
			       .as.map = {cpu->members, cpu->count}},
		"cpu", 3);

	/* Some machines have another paragraph about the board. */
	if (number != NULL && number->kind == W_VALUE_INT &&
	    cpus->count < CPUS_MAX)
		w_fact_add_map(cpus, "", cpu);
	cpus->failed = cpus->failed || cpu->failed;
	w_fact_map_init(cpu, cpus->arena);
}

void
w_fact_add_cpus(struct w_fact_map *map, const char *text, size_t len)
{
	struct w_fact_lines lines = {.at = text, .end = text + len};
	struct w_fact_map cpus, cpu;
	const char *line;
	size_t line_len;

	w_fact_map_init(&cpus, map->arena);
	w_fact_map_init(&cpu, map->arena);
	while (w_fact_lines_next(&lines, &line, &line_len)) {
		if (line_len == 0)
			end_paragraph(&cpus, &cpu);
		else
			facts_cpu_read_line(&cpu, line, line_len);
	}
	end_paragraph(&cpus, &cpu);
	map->failed = map->failed || cpus.failed;
	if (cpus.count == 0)
		return;
	w_fact_add_int(map, "count", cpus.count);
	w_fact_add_list(map, "info", &cpus);
}
