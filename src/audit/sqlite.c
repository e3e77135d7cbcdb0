/* SPDX-License-Identifier: Apache-2.0 */

/* SQLite at run time; see sqlite.h. */

#include "audit/sqlite.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
#define X(name) {"sqlite3_" #name, offsetof(struct w_sqlite, name)},
    W_SQLITE_FUNCTIONS(X)
#undef X
};

const struct w_sqlite *
w_sqlite_load(const char **out_why)
{
	static _Thread_local struct w_sqlite sqlite;
	static _Thread_local bool is_loaded;

	if (is_loaded)
		return &sqlite;
	void *library = dlopen(W_SQLITE_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	*out_why = W_SQLITE_LIBRARY " is not there";
	if (library == NULL)
		return NULL;
	*out_why = W_SQLITE_LIBRARY " lacks a function";
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++) {
		void *found = dlsym(library, functions[i].name);

		if (found == NULL)
			return NULL;
		memcpy((char *)&sqlite + functions[i].offset, &found,
		    sizeof(found));
	}
	is_loaded = true;
	return &sqlite;
}
