/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Module files that are not in use yet: finds every mistake in one, and copies
 * it into a module directory.
 *
 * The owner of the file does not matter here, unlike for a file in use: the
 * caller has chosen it.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/grow.h"
#include "command/description/dotted_id.h"
#include "engine/config/config_state.h"
#include "engine/modules/modules.h"
#include "engine/modules/modules_description.h"
#include "os/file.h"

#define STAGE        "module"
#define FOLDER       "modules"
#define NAME_MAX_LEN (W_DOTTED_ID_MAX + 32)

struct claim {
	char *id;
	unsigned line;
	unsigned column;
};

/* State while a file is scanned. */
struct modules_file_scan {
	const char *file;
	writ_module_problem_fn problem; /* NULL: only the first one matters */
	void *ctx;
	struct claim *claims;
	size_t count;
	size_t cap;
	size_t problem_count;
	size_t module_count; /* valid ones */
	writ_error first;

	/* Where its modules are written; -1: nowhere. */
	int dir_fd;
	bool may_replace;
	bool writes; /* false: only check whether that would work */
	size_t written;
};

static writ_status
modules_file_read_text(const char *file, struct w_buf *text, writ_error *err)
{
	W_AUTO_FD int fd = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;

	if (fd < 0)
		return w_fail(err,
		    errno == ENOENT ? WRIT_E_NOTFOUND : WRIT_E_SYSTEM, STAGE,
		    errno, "cannot open '%s'", file);
	if (fstat(fd, &st) == 0 && !S_ISREG(st.st_mode))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is not a regular file", file);
	int error = w_file_read_all(fd, text);
	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%s' is larger than the %d MiB of a file of bindings",
		    file, W_BINDING_BYTES_MAX >> 20);
	if (error != 0)
		return w_fail(err,
		    error == ENOMEM ? WRIT_E_NOMEM : WRIT_E_SYSTEM, STAGE,
		    error, "cannot read '%s'", file);
	return WRIT_OK;
}

static void
on_problem(void *ctx, const writ_error *error)
{
	struct modules_file_scan *scan = ctx;
	const writ_module_problem problem = {scan->file, *error};

	if (scan->problem_count++ == 0)
		scan->first = *error;
	if (scan->problem != NULL)
		scan->problem(scan->ctx, &problem);
}

static writ_status
claim(struct modules_file_scan *scan, const char *id, unsigned line,
    unsigned column, writ_error *err)
{
	if (!w_grow(&scan->claims, scan->count, &scan->cap))
		return w_fail_nomem(err, STAGE);
	char *copy = strdup(id);
	if (copy == NULL)
		return w_fail_nomem(err, STAGE);
	scan->claims[scan->count++] = (struct claim){copy, line, column};
	return WRIT_OK;
}

/* Whether it could be written; reported before any is. */
static void
check_free(struct modules_file_scan *scan, const char *id, unsigned line,
    unsigned column)
{
	writ_error error = {0};
	struct stat st;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, NAME_MAX_LEN);
	w_dotted_id_file(&name, id);
	if (scan->dir_fd < 0 || scan->may_replace || name.failed ||
	    fstatat(scan->dir_fd, name.data, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	(void)w_fail(&error, WRIT_E_INVALID, STAGE, 0,
	    "there is a file '%s' already", name.data);
	w_suggest(&error, "add --replace to have the new one instead");
	w_locate(&error, line, column);
	on_problem(scan, &error);
}

static writ_status
write_one(struct modules_file_scan *scan, yyjson_val *element, const char *id,
    writ_error *err)
{
	W_AUTO_BUF struct w_buf name;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&name, NAME_MAX_LEN);
	w_buf_init(&text, (size_t)W_BINDING_BYTES_MAX * 2);
	w_dotted_id_file(&name, id);
	w_binding_add_yaml(&text, &element, 1);
	if (name.failed || text.failed)
		return w_fail_nomem(err, STAGE);
	writ_status status = w_binding_write(scan->dir_fd, name.data, text.data,
	    text.len, scan->may_replace, err);
	scan->written += status == WRIT_OK;
	return status;
}

static writ_status
on_element(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	struct modules_file_scan *scan = ctx;
	const char *id = yyjson_get_str(yyjson_obj_get(element, "module_id"));

	if (scan->writes)
		return write_one(scan, element, id, err);
	check_free(scan, id, line, column);
	return claim(scan, id, line, column, err);
}

static int
modules_file_compare(const void *a, const void *b)
{
	const struct claim *one = a;
	const struct claim *two = b;
	int order = strcmp(one->id, two->id);

	if (order != 0)
		return order;
	return one->line < two->line ? -1 : one->line > two->line;
}

static void
find_twins(struct modules_file_scan *scan)
{
	if (scan->count == 0)
		return;
	qsort(scan->claims, scan->count, sizeof(*scan->claims),
	    modules_file_compare);
	for (size_t i = 1; i < scan->count; i++) {
		const struct claim *claim = &scan->claims[i];
		writ_error error = {0};

		if (strcmp(scan->claims[i - 1].id, claim->id) != 0)
			continue;
		(void)w_fail(&error, WRIT_E_INVALID, STAGE, 0,
		    "the module '%s' is here twice, first in line %u",
		    claim->id, scan->claims[i - 1].line);
		w_locate(&error, claim->line, claim->column);
		on_problem(scan, &error);
	}
}

/* A command description is copied as a whole, or not at all. */
static writ_status
scan_description(
    struct modules_file_scan *scan, const struct w_buf *text, writ_error *err)
{
	writ_error error = {0};
	writ_status status = w_modules_description_check(
	    scan->file, text, &scan->module_count, &error);

	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK) {
		on_problem(scan, &error);
		return WRIT_OK;
	}
	if (!scan->writes)
		return WRIT_OK;
	scan->written = scan->module_count;
	return w_modules_description_add(
	    scan->file, text, scan->dir_fd, scan->may_replace, err);
}

static writ_status
scan_file(
    struct modules_file_scan *scan, const struct w_buf *text, writ_error *err)
{
	if (w_modules_description_is(scan->file) ||
	    w_modules_description_begins(text))
		return scan_description(scan, text, err);
	const struct w_binding_sink sink = {
	    .ctx = scan, .element = on_element, .problem = on_problem};
	writ_status status =
	    w_binding_read_text(text->data, text->len, true, &sink, err);

	if (status == WRIT_OK && !scan->writes)
		find_twins(scan);
	scan->module_count = scan->count;
	return status;
}

static void
scan_done(struct modules_file_scan *scan)
{
	for (size_t i = 0; i < scan->count; i++)
		free(scan->claims[i].id);
	free(scan->claims);
}

writ_status
writ_modules_check(const char *file, writ_module_problem_fn problem, void *ctx,
    size_t *out_count, writ_error *err)
{
	struct modules_file_scan scan = {
	    .file = file, .problem = problem, .ctx = ctx, .dir_fd = -1};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_BINDING_BYTES_MAX);
	writ_status status = modules_file_read_text(file, &text, err);
	if (status == WRIT_OK)
		status = scan_file(&scan, &text, err);
	if (status == WRIT_OK)
		*out_count = scan.module_count;
	scan_done(&scan);
	return status;
}

/* ---- adding ---- */

static writ_status
modules_file_open_dir(const char *dir, int *out_fd, writ_error *err)
{
	writ_status status = w_file_make_dirs(dir, 0700, err);

	if (status != WRIT_OK)
		return status;
	int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot open the directory '%s'", dir);
	*out_fd = fd;
	return WRIT_OK;
}

static writ_status
open_own(const writ_config *config, int *out_fd, writ_error *err)
{
	writ_status status = w_config_need(config, W_SET_CONFIG_DIR, err);

	if (status != WRIT_OK)
		return status;
	W_AUTO_FREE char *dir =
	    w_config_join(w_config_path(config, W_SET_CONFIG_DIR), FOLDER);
	if (dir == NULL)
		return w_fail_nomem(err, STAGE);
	return modules_file_open_dir(dir, out_fd, err);
}

static writ_status
open_target(
    const writ_config *config, const char *dir, int *out_fd, writ_error *err)
{
	writ_config *own = NULL;
	writ_status status = WRIT_OK;

	if (dir != NULL)
		return modules_file_open_dir(dir, out_fd, err);
	if (config == NULL)
		status = w_config_new_lenient(&own, err);
	if (status == WRIT_OK)
		status = open_own(own != NULL ? own : config, out_fd, err);
	writ_config_free(own);
	return status;
}

static writ_status
check_then_write(
    struct modules_file_scan *scan, const struct w_buf *text, writ_error *err)
{
	writ_status status = scan_file(scan, text, err);

	if (status != WRIT_OK)
		return status;
	if (scan->problem_count > 0) {
		if (err != NULL)
			*err = scan->first;
		return scan->first.status;
	}
	scan->writes = true;
	return scan_file(scan, text, err);
}

writ_status
writ_modules_add(const writ_config *config, const char *file, const char *dir,
    bool may_replace, size_t *out_count, writ_error *err)
{
	W_AUTO_FD int dir_fd = -1;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_BINDING_BYTES_MAX);
	writ_status status = modules_file_read_text(file, &text, err);
	if (status == WRIT_OK)
		status = open_target(config, dir, &dir_fd, err);
	if (status != WRIT_OK)
		return status;
	struct modules_file_scan scan = {
	    .file = file, .dir_fd = dir_fd, .may_replace = may_replace};
	status = check_then_write(&scan, &text, err);
	if (status == WRIT_OK)
		*out_count = scan.written;
	scan_done(&scan);
	return status;
}
