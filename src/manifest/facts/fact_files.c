/* SPDX-License-Identifier: Apache-2.0 */

#include "manifest/facts/fact_files.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <writ/config.h>
#include <writ/file.h>

#include "base/auto.h"
#include "base/buf.h"

#define STAGE     "facts"
#define FILES_MAX 1000

/* ---- one file ---- */

static writ_status
check_owner(int fd, const char *path, writ_error *err)
{
	struct stat st;

	if (fstat(fd, &st) != 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot look at '%s'", path);
	if (st.st_uid != 0 && st.st_uid != geteuid())
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' belongs to another user", path);
	if ((st.st_mode & (S_IWGRP | S_IWOTH)) == 0)
		return WRIT_OK;
	(void)w_fail(err, WRIT_E_INVALID, STAGE, 0,
	    "'%s' can be written by other users", path);
	w_suggest(err, "chmod go-w '%s'", path);
	return WRIT_E_INVALID;
}

static writ_status
read_all(int fd, const char *path, struct w_buf *buf, writ_error *err)
{
	const int error = w_buf_read(buf, fd);

	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is larger than 16MiB", path);
	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error != 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, error, "cannot read '%s'", path);
	if (buf->len > 0 && memchr(buf->data, '\0', buf->len) != NULL)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "the facts in '%s' have a NUL byte in them", path);
	return WRIT_OK;
}

static writ_status
add_file(struct w_facts_scope *facts, const char *path, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	W_AUTO_BUF struct w_buf text;
	writ_status status = writ_file_open(path, &fd, err);

	w_buf_init(&text, W_FACTS_BYTES_MAX);
	if (status == WRIT_OK)
		status = check_owner(fd, path, err);
	if (status == WRIT_OK)
		status = read_all(fd, path, &text, err);
	if (status != WRIT_OK || text.len == 0)
		return status;
	return w_facts_scope_add(facts, path, text.data, err);
}

/* ---- a directory ---- */

static int
is_fact_file(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return entry->d_name[0] != '.' && dot != NULL &&
	       (strcmp(dot, ".json") == 0 || strcmp(dot, ".yaml") == 0 ||
		   strcmp(dot, ".yml") == 0);
}

static writ_status
add_in(struct w_facts_scope *facts, const char *dir, const char *name,
    writ_error *err)
{
	W_AUTO_FREE char *path = NULL;

	if (asprintf(&path, "%s/%s", dir, name) < 0) {
		path = NULL;
		return w_fail_nomem(err, STAGE);
	}
	if (access(path, F_OK) != 0 && (errno == ENOENT || errno == ENOTDIR))
		return WRIT_OK;
	return add_file(facts, path, err);
}

/* In the order of the names. */
static writ_status
add_dir(struct w_facts_scope *facts, const char *dir, writ_error *err)
{
	struct dirent **entries = NULL;
	const int count = scandir(dir, &entries, is_fact_file, alphasort);
	writ_status status = WRIT_OK;

	if (count < 0)
		return errno == ENOENT || errno == ENOTDIR
			   ? WRIT_OK
			   : w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
				 "cannot open the directory '%s'", dir);
	if (count > FILES_MAX)
		status = w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' has more than %d files of facts", dir, FILES_MAX);
	for (int i = 0; i < count; i++) {
		if (status == WRIT_OK)
			status = add_in(facts, dir, entries[i]->d_name, err);
		free(entries[i]);
	}
	free(entries);
	return status;
}

static writ_status
add_place(struct w_facts_scope *facts, const char *place, writ_error *err)
{
	W_AUTO_FREE char *dir = NULL;

	/* A relative directory would be the choice of where writ is run. */
	if (place == NULL || place[0] != '/')
		return WRIT_OK;
	if (asprintf(&dir, "%s/facts.d", place) < 0) {
		dir = NULL;
		return w_fail_nomem(err, STAGE);
	}
	writ_status status = add_in(facts, place, "facts.json", err);
	if (status == WRIT_OK)
		status = add_in(facts, place, "facts.yaml", err);
	return status == WRIT_OK ? add_dir(facts, dir, err) : status;
}

writ_status
w_fact_files_find(void *ctx, struct w_facts_scope *facts, writ_error *err)
{
	writ_config *config = NULL;
	writ_status status = writ_config_new(&config, err);

	(void)ctx;
	if (status == WRIT_OK)
		status = add_place(
		    facts, writ_config_get(config, "system_dir"), err);
	if (status == WRIT_OK)
		status = add_place(
		    facts, writ_config_get(config, "config_dir"), err);
	writ_config_free(config);
	return status;
}
