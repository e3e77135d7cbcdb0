/* SPDX-License-Identifier: Apache-2.0 */

/*
 * libcrypto and SQLite as peers. They are loaded by hand, so that a build of
 * the measures needs neither.
 */

#include "peer_libs.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "trail.h"

/* A function out of a library; C has no cast for that. */
static bool
take(void *library, const char *name, void *out_function)
{
	void *at = dlsym(library, name);

	memcpy(out_function, &at, sizeof(at));
	return at != NULL;
}

/* ---- libcrypto: a fetched digest and one context, its fastest way ---- */

static struct {
	void *(*fetch)(void *library, const char *name, const char *properties);
	void *(*new_context)(void);
	int (*init)(void *context, const void *digest, const void *params);
	int (*update)(void *context, const void *bytes, size_t len);
	int (*final)(void *context, uint8_t *out, unsigned *out_len);
	void *digest;
	void *context;
	bool is_tried;
} crypto;

static void
load_crypto(void)
{
	void *library = dlopen("libcrypto.so.3", RTLD_NOW);

	crypto.is_tried = true;
	if (library == NULL || !take(library, "EVP_MD_fetch", &crypto.fetch) ||
	    !take(library, "EVP_MD_CTX_new", &crypto.new_context) ||
	    !take(library, "EVP_DigestInit_ex2", &crypto.init) ||
	    !take(library, "EVP_DigestUpdate", &crypto.update) ||
	    !take(library, "EVP_DigestFinal_ex", &crypto.final))
		return;
	crypto.digest = crypto.fetch(NULL, "SHA256", NULL);
	crypto.context = crypto.new_context();
}

bool
peer_sha256(const void *bytes, size_t len, uint8_t out[32])
{
	if (!crypto.is_tried)
		load_crypto();
	return crypto.digest != NULL && crypto.context != NULL &&
	       crypto.init(crypto.context, crypto.digest, NULL) == 1 &&
	       crypto.update(crypto.context, bytes, len) == 1 &&
	       crypto.final(crypto.context, out, NULL) == 1;
}

/* ---- SQLite ---- */

enum {
	SQLITE_FINE = 0,
	SQLITE_STEPPED = 101
};

static struct {
	int (*open)(const char *path, void **out_db);
	int (*exec)(void *db, const char *text, void *fn, void *ctx, char **);
	int (*prepare)(
	    void *db, const char *text, int len, void **out, const char **tail);
	int (*bind_number)(void *statement, int at, int64_t value);
	int (*bind_text)(
	    void *statement, int at, const char *text, int len, void *free_it);
	int (*bind_bytes)(
	    void *statement, int at, const void *bytes, int len, void *free_it);
	int (*step)(void *statement);
	int (*reset)(void *statement);
	int (*finalize)(void *statement);
	int (*close)(void *db);
} sqlite;

static bool
load_sqlite(void)
{
	void *library = dlopen("libsqlite3.so.0", RTLD_NOW);

	return library != NULL && take(library, "sqlite3_open", &sqlite.open) &&
	       take(library, "sqlite3_exec", &sqlite.exec) &&
	       take(library, "sqlite3_prepare_v2", &sqlite.prepare) &&
	       take(library, "sqlite3_bind_int64", &sqlite.bind_number) &&
	       take(library, "sqlite3_bind_text", &sqlite.bind_text) &&
	       take(library, "sqlite3_bind_blob", &sqlite.bind_bytes) &&
	       take(library, "sqlite3_step", &sqlite.step) &&
	       take(library, "sqlite3_reset", &sqlite.reset) &&
	       take(library, "sqlite3_finalize", &sqlite.finalize) &&
	       take(library, "sqlite3_close", &sqlite.close);
}

static bool
insert_one(void *statement, unsigned number)
{
	char id[TRAIL_ID + 1], record[TRAIL_PAYLOAD + 1];
	uint8_t sum[32] = {0};

	trail_id(number, id);
	trail_begin(number, record);
	(void)peer_sha256(record, TRAIL_PAYLOAD, sum);
	(void)sqlite.bind_number(statement, 1, number);
	(void)sqlite.bind_text(statement, 2, id, TRAIL_ID, NULL);
	(void)sqlite.bind_text(statement, 3, "git", 3, NULL);
	(void)sqlite.bind_text(statement, 4, record, TRAIL_PAYLOAD, NULL);
	(void)sqlite.bind_bytes(statement, 5, sum, sizeof(sum), NULL);
	bool is_good = sqlite.step(statement) == SQLITE_STEPPED;
	(void)sqlite.reset(statement);
	return is_good;
}

static bool
insert_all(void *db, unsigned count)
{
	void *statement = NULL;
	bool is_good =
	    sqlite.exec(db,
		"PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;"
		"CREATE TABLE records(seq INTEGER PRIMARY KEY, time INT, "
		"run TEXT, program TEXT, record TEXT, hash BLOB);"
		"CREATE INDEX by_run ON records(run);"
		"CREATE INDEX by_program ON records(program, time);",
		NULL, NULL, NULL) == SQLITE_FINE &&
	    sqlite.prepare(db,
		"INSERT INTO records VALUES(NULL, ?, ?, ?, ?, ?)", -1,
		&statement, NULL) == SQLITE_FINE;

	for (unsigned i = 0; is_good && i < count; i++)
		is_good = insert_one(statement, i);
	(void)sqlite.finalize(statement);
	return is_good;
}

int
peer_sqlite_insert(const char *path, unsigned count)
{
	void *db = NULL;

	if (!load_sqlite())
		return -1;
	bool is_good =
	    sqlite.open(path, &db) == SQLITE_FINE && insert_all(db, count);
	(void)sqlite.close(db);
	return is_good ? 1 : 0;
}
