/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The texts that facts come from, as any bytes: os-release, cpuinfo, meminfo,
 * the tables of routes, and files and assignments of the user. What they give
 * is a map that can be written as JSON and read again. The first byte says
 * which it is.
 */

#include "data/json.h"
#include "manifest/facts/facts.h"
#include "manifest/facts/facts_sources.h"

#include "check.h"

/* Members are written and read again, so every text in them is sound. */
static void
check_value(const struct w_value *value)
{
	const struct w_json_limits limits = {
	    .bytes_max = (size_t)64 << 20, .depth_max = 100};
	struct w_json *json = NULL;
	struct w_buf buf;

	w_buf_init(&buf, (size_t)64 << 20);
	w_value_add_json(&buf, value, true);
	CHECK(!buf.failed);
	CHECK(w_json_read(buf.data, buf.len, &limits, &json, NULL) == WRIT_OK);
	w_json_free(json);
	w_buf_done(&buf);
}

static void
check_release(struct w_arena *arena, const char *text, size_t len)
{
	struct w_os_release release = {.arena = arena};
	struct w_fact_map map;

	w_os_release_parse(&release, text, len);
	CHECK(!release.failed);
	CHECK(release.id == NULL || w_os_release_family(&release) != NULL);
	w_fact_map_init(&map, arena);
	w_fact_add_string(&map, "name", release.name);
	w_fact_add_string(&map, "family", w_os_release_family(&release));
	CHECK(release.name == NULL || map.count > 0);
	const struct w_value value = w_fact_map_value(&map);
	check_value(&value);
}

static void
check_map(struct w_arena *arena, const char *text, size_t len,
    void (*add)(struct w_fact_map *map, const char *text, size_t len))
{
	struct w_fact_map map;

	w_fact_map_init(&map, arena);
	add(&map, text, len);
	CHECK(!map.failed);
	const struct w_value value = w_fact_map_value(&map);
	check_value(&value);
}

static void
check_routes(const char *text, size_t len)
{
	char name[W_FACT_INTERFACE_MAX];

	if (w_fact_route_v4(text, len, name))
		CHECK(strnlen(name, sizeof(name)) < sizeof(name));
	if (w_fact_route_v6(text, len, name))
		CHECK(strnlen(name, sizeof(name)) < sizeof(name));
}

static void
check_given(struct w_arena *arena, const char *file, const char *assignment)
{
	const char *const files[] = {file, NULL};
	const char *const assignments[] = {assignment, NULL};
	const struct w_facts_options options = {
	    .files = files, .assignments = assignments};
	const struct w_value nothing = {.kind = W_VALUE_MAP};
	struct w_facts_scope *facts = NULL;
	struct w_value value;
	writ_error err = {.status = WRIT_OK};

	writ_status status = w_facts_scope_new(&options, &facts, &err);
	if (status != WRIT_OK)
		check_error(&err, status);
	w_facts_scope_free(facts);
	if (assignment != NULL &&
	    w_facts_set(arena, &nothing, assignment, &value, NULL) == WRIT_OK) {
		CHECK(value.kind == W_VALUE_MAP && value.as.map.count == 1);
		check_value(&value);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_arena arena = {.chunks = NULL};

	if (size == 0 || size > 1 << 16)
		return 0;
	char *bytes = copy_exact(data + 1, size - 1);
	char *text = copy_string(data + 1, size - 1);
	switch (data[0] % 6) {
	case 0:
		check_release(&arena, bytes, size - 1);
		break;
	case 1:
		check_map(&arena, bytes, size - 1, w_fact_add_cpus);
		break;
	case 2:
		check_map(&arena, bytes, size - 1, w_fact_add_memory);
		break;
	case 3:
		check_routes(bytes, size - 1);
		break;
	case 4:
		check_given(&arena, text, NULL);
		break;
	default:
		check_given(&arena, NULL, text);
		break;
	}
	free(text);
	free(bytes);
	w_arena_done(&arena);
	return 0;
}
