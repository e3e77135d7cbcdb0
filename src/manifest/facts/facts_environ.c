/* SPDX-License-Identifier: Apache-2.0 */

/* The environment of this process, as a map. */

#include <string.h>
#include <unistd.h>

#include "base/encode.h"
#include "manifest/facts/facts.h"
#include "manifest/facts/facts_map.h"
#include "schema/hash_table.h"

/* Invalid entries are omitted; the first of a name wins, as for getenv(). */
static void
facts_environ_add_variable(
    struct w_fact_map *map, struct w_hash_table *names, const char *variable)
{
	const char *equals = strchr(variable, '=');
	const size_t len = equals != NULL ? (size_t)(equals - variable) : 0;

	if (len == 0 || !w_utf8_valid(variable, strlen(variable)) ||
	    w_hash_table_get(names, variable, len) != NULL)
		return;
	const char *name = w_arena_text(map->arena, variable, len);
	if (name == NULL || !w_hash_table_put(names, name, len, map)) {
		map->failed = true;
		return;
	}
	w_fact_add_string(map, name, equals + 1);
}

writ_status
w_facts_environ(
    struct w_arena *arena, struct w_value *out_environ, writ_error *err)
{
	__attribute__((cleanup(
	    w_hash_table_done))) struct w_hash_table names = {.slots = NULL};
	struct w_fact_map map;

	w_fact_map_init(&map, arena);
	for (char **at = environ; at != NULL && *at != NULL && !map.failed;
	     at++)
		facts_environ_add_variable(&map, &names, *at);
	if (map.failed)
		return w_fail_nomem(err, "facts");
	*out_environ = w_fact_map_value(&map);
	return WRIT_OK;
}
