/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Files of modules that are not in use yet: looking for every mistake in one,
 * and taking it into a directory of modules.
 *
 * Whose file it is does not matter here, as it does for one that is in use:
 * whoever names it has chosen it.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/auto.h"
#include "base/buf.h"
#include "command/description/dotted_id.h"
#include "engine/config/config_state.h"
#include "engine/modules/modules.h"
#include "engine/modules/modules_description.h"
#include "os/file.h"

#define STAGE        "module"
#define FOLDER       "modules"
#define IDS_START    64
#define NAME_MAX_LEN (W_DOTTED_ID_MAX + 32)

struct claim {
	char *id;
	unsigned line;
	unsigned column;
};

/* A file being looked through. */
struct modules_file_look {
	const char *file;
	writ_module_problem_fn problem; /* NULL: only the first counts */
	void *ctx;
	struct claim *claims;
	size_t count;
	size_t cap;
	size_t problem_count;
	size_t module_count; /* that are in order */
	writ_error first;

	/* Where its modules go; -1: nowhere. */
	int dir_fd;
	bool may_replace;
	bool writes; /* now, and not only whether that would work */
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
	struct modules_file_look *look = ctx;
	const writ_module_problem problem = {look->file, *error};

	if (look->problem_count++ == 0)
		look->first = *error;
	if (look->problem != NULL)
		look->problem(look->ctx, &problem);
}

static writ_status
claim(struct modules_file_look *look, const char *id, unsigned line,
    unsigned column, writ_error *err)
{
	if (look->count == look->cap) {
		const size_t cap = look->cap == 0 ? IDS_START : look->cap * 2;
		struct claim *more =
		    reallocarray(look->claims, cap, sizeof(*more));

		if (more == NULL)
			return w_fail_nomem(err, STAGE);
		look->claims = more;
		look->cap = cap;
	}
	char *copy = strdup(id);
	if (copy == NULL)
		return w_fail_nomem(err, STAGE);
	look->claims[look->count++] = (struct claim){copy, line, column};
	return WRIT_OK;
}

/* Whether it could be written; said before any of them is. */
static void
check_free(struct modules_file_look *look, const char *id, unsigned line,
    unsigned column)
{
	writ_error error = {0};
	struct stat st;
	W_AUTO_BUF struct w_buf name;

	w_buf_init(&name, NAME_MAX_LEN);
	w_dotted_id_file(&name, id);
	if (look->dir_fd < 0 || look->may_replace || name.failed ||
	    fstatat(look->dir_fd, name.data, &st, AT_SYMLINK_NOFOLLOW) != 0)
		return;
	(void)w_fail(&error, WRIT_E_INVALID, STAGE, 0,
	    "there is a file '%s' already", name.data);
	w_suggest(&error, "add --replace to have the new one instead");
	w_locate(&error, line, column);
	on_problem(look, &error);
}

static writ_status
write_one(struct modules_file_look *look, yyjson_val *element, const char *id,
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
	writ_status status = w_binding_write(look->dir_fd, name.data, text.data,
	    text.len, look->may_replace, err);
	look->written += status == WRIT_OK;
	return status;
}

static writ_status
on_element(void *ctx, yyjson_val *element, unsigned line, unsigned column,
    writ_error *err)
{
	struct modules_file_look *look = ctx;
	const char *id = yyjson_get_str(yyjson_obj_get(element, "module_id"));

	if (look->writes)
		return write_one(look, element, id, err);
	check_free(look, id, line, column);
	return claim(look, id, line, column, err);
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
find_twins(struct modules_file_look *look)
{
	if (look->count == 0)
		return;
	qsort(look->claims, look->count, sizeof(*look->claims),
	    modules_file_compare);
	for (size_t i = 1; i < look->count; i++) {
		const struct claim *claim = &look->claims[i];
		writ_error error = {0};

		if (strcmp(look->claims[i - 1].id, claim->id) != 0)
			continue;
		(void)w_fail(&error, WRIT_E_INVALID, STAGE, 0,
		    "the module '%s' is here twice, first in line %u",
		    claim->id, look->claims[i - 1].line);
		w_locate(&error, claim->line, claim->column);
		on_problem(look, &error);
	}
}

/* A description of a command is taken as a whole, or not at all. */
static writ_status
look_through_command(
    struct modules_file_look *look, const struct w_buf *text, writ_error *err)
{
	writ_error error = {0};
	writ_status status = w_modules_description_check(
	    look->file, text, &look->module_count, &error);

	if (status == WRIT_E_NOMEM)
		return w_fail_nomem(err, STAGE);
	if (status != WRIT_OK) {
		on_problem(look, &error);
		return WRIT_OK;
	}
	if (!look->writes)
		return WRIT_OK;
	look->written = look->module_count;
	return w_modules_description_add(
	    look->file, text, look->dir_fd, look->may_replace, err);
}

static writ_status
modules_file_look_through(
    struct modules_file_look *look, const struct w_buf *text, writ_error *err)
{
	if (w_modules_description_is(look->file) ||
	    w_modules_description_begins(text))
		return look_through_command(look, text, err);
	const struct w_binding_sink sink = {
	    .ctx = look, .element = on_element, .problem = on_problem};
	writ_status status =
	    w_binding_read_text(text->data, text->len, true, &sink, err);

	if (status == WRIT_OK && !look->writes)
		find_twins(look);
	look->module_count = look->count;
	return status;
}

static void
look_done(struct modules_file_look *look)
{
	for (size_t i = 0; i < look->count; i++)
		free(look->claims[i].id);
	free(look->claims);
}

writ_status
writ_modules_check(const char *file, writ_module_problem_fn problem, void *ctx,
    size_t *out_count, writ_error *err)
{
	struct modules_file_look look = {
	    .file = file, .problem = problem, .ctx = ctx, .dir_fd = -1};
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, W_BINDING_BYTES_MAX);
	writ_status status = modules_file_read_text(file, &text, err);
	if (status == WRIT_OK)
		status = modules_file_look_through(&look, &text, err);
	if (status == WRIT_OK)
		*out_count = look.module_count;
	look_done(&look);
	return status;
}

/* ---- taking one in ---- */

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
take_in(
    struct modules_file_look *look, const struct w_buf *text, writ_error *err)
{
	writ_status status = modules_file_look_through(look, text, err);

	if (status != WRIT_OK)
		return status;
	if (look->problem_count > 0) {
		if (err != NULL)
			*err = look->first;
		return look->first.status;
	}
	look->writes = true;
	return modules_file_look_through(look, text, err);
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
	struct modules_file_look look = {
	    .file = file, .dir_fd = dir_fd, .may_replace = may_replace};
	status = take_in(&look, &text, err);
	if (status == WRIT_OK)
		*out_count = look.written;
	look_done(&look);
	return status;
}
