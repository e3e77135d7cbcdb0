/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_AUDIT_SQLITE_H
#define W_AUDIT_SQLITE_H

#include <sqlite3.h>

/*
 * SQLite, loaded at run time: only readers of the trail use it, and only if it
 * is installed. Its header is needed to build; the library is never linked.
 */
#define W_SQLITE_LIBRARY "libsqlite3.so.0"

#define W_SQLITE_FUNCTIONS(X) \
	X(bind_int64)         \
	X(bind_null)          \
	X(bind_text)          \
	X(busy_timeout)       \
	X(close_v2)           \
	X(column_bytes)       \
	X(column_int64)       \
	X(column_text)        \
	X(errmsg)             \
	X(exec)               \
	X(extended_errcode)   \
	X(finalize)           \
	X(open_v2)            \
	X(prepare_v2)         \
	X(reset)              \
	X(step)

struct w_sqlite {
#define X(name) __typeof__(sqlite3_##name) *name;
	W_SQLITE_FUNCTIONS(X)
#undef X
};

/* Loads it once; never unloaded. Borrowed. NULL: not available, and *out_why
 * says why. */
const struct w_sqlite *w_sqlite_load(const char **out_why);

#endif /* W_AUDIT_SQLITE_H */
