/* SPDX-License-Identifier: Apache-2.0 */

/* Loads SQLite at run time. */

#include "audit/index/sqlite.h"

#include <dlfcn.h>
#include <pthread.h>
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

static struct w_sqlite sqlite;
static const char *missing; /* NULL: everything was found */

static void
sqlite_load(void)
{
	void *library = dlopen(W_SQLITE_LIBRARY, RTLD_NOW | RTLD_LOCAL);

	if (library == NULL)
		missing = W_SQLITE_LIBRARY " is not there";
	for (size_t i = 0;
	     i < sizeof(functions) / sizeof(functions[0]) && missing == NULL;
	     i++) {
		void *found = dlsym(library, functions[i].name);

		if (found == NULL)
			missing = W_SQLITE_LIBRARY " lacks a function";
		memcpy((char *)&sqlite + functions[i].offset, &found,
		    sizeof(found));
	}
}

const struct w_sqlite *
w_sqlite_load(const char **out_why)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	(void)pthread_once(&once, sqlite_load);
	if (missing == NULL)
		return &sqlite;
	*out_why = missing;
	return NULL;
}
