/* SPDX-License-Identifier: Apache-2.0 */

/* What expressions of a manifest can refer to. */

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <writ/file.h>

#include "base/auto.h"
#include "base/buf.h"
#include "base/encode.h"
#include "manifest/manifest.h"

#define STAGE "file()"

/* What is known in one resource alone. */
static const struct w_value *
find_local(const struct w_manifest_scope *scope, enum w_expr_root root,
    writ_error *err)
{
	static const char *const missing[W_ROOT_COUNT] = {
	    [W_ROOT_RESULTS] =
		"'Results' is there only in what is filled in late",
	    [W_ROOT_ITEM] = "'item' is there only in a resource with 'each'",
	    [W_ROOT_KEY] = "'key' is there only in a resource with 'each'",
	    [W_ROOT_VALUE] = "'value' is there only in a '@validate'",
	};
	const struct w_value *const values[W_ROOT_COUNT] = {
	    [W_ROOT_RESULTS] = scope->results,
	    [W_ROOT_ITEM] = scope->item,
	    [W_ROOT_KEY] = scope->key,
	};

	if (values[root] == NULL)
		(void)w_fail(
		    err, WRIT_E_INVALID, "manifest", 0, "%s", missing[root]);
	return values[root];
}

static const struct w_value *
find_root(void *ctx, enum w_expr_root root, writ_error *err)
{
	const struct w_manifest_scope *scope = ctx;

	if (root == W_ROOT_DATA)
		return &scope->manifest->data;
	if (root >= W_ROOT_RESULTS)
		return find_local(scope, root, err);
	if (root == W_ROOT_ENVIRON && scope->manifest->hides_environ)
		return &scope->manifest->environ_hidden;
	return scope->outer->root(scope->outer->ctx, root, err);
}

/* Whether a path leaves its base directory. */
static bool
leads_out(const char *path)
{
	while (*path != '\0') {
		const size_t len = strcspn(path, "/");

		if (len == 2 && path[0] == '.' && path[1] == '.')
			return true;
		path += len;
		path += strspn(path, "/");
	}
	return false;
}

static writ_status
manifest_scope_open_file(const struct w_manifest *manifest, const char *path,
    int *out_fd, writ_error *err)
{
	W_AUTO_FREE char *whole = NULL;

	if (path[0] == '/')
		return writ_file_open(path, out_fd, err);
	if (leads_out(path))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.128s' leads out of the directory of the manifest",
		    path);
	if (asprintf(&whole, "%s/%s", manifest->dir, path) < 0) {
		whole = NULL;
		return w_fail_nomem(err, STAGE);
	}
	return writ_file_open(whole, out_fd, err);
}

static writ_status
manifest_scope_read_all(
    int fd, const char *path, struct w_buf *buf, writ_error *err)
{
	const int error = w_buf_read(buf, fd);

	if (error == EFBIG)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.128s' is larger than 16MiB", path);
	if (error == ENOMEM)
		return w_fail_nomem(err, STAGE);
	if (error != 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, error,
		    "cannot read '%.128s'", path);
	return WRIT_OK;
}

writ_status
w_manifest_read_file(const struct w_manifest *manifest, const char *path,
    struct w_buf *buf, writ_error *err)
{
	W_AUTO_FD int fd = -1;
	writ_status status = manifest_scope_open_file(manifest, path, &fd, err);

	if (status == WRIT_OK)
		status = manifest_scope_read_all(fd, path, buf, err);
	if (status != WRIT_OK)
		return status;
	if (memchr(buf->data, '\0', buf->len) != NULL ||
	    !w_utf8_valid(buf->data, buf->len))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "'%.128s' is not a text", path);
	return WRIT_OK;
}

static writ_status
manifest_scope_read_file(void *ctx, const char *path, struct w_arena *arena,
    struct w_value *out_value, writ_error *err)
{
	const struct w_manifest_scope *scope = ctx;
	W_AUTO_BUF struct w_buf buf;

	w_buf_init(&buf, W_VALUE_TEXT_MAX);
	writ_status status =
	    w_manifest_read_file(scope->manifest, path, &buf, err);
	if (status != WRIT_OK)
		return status;
	const char *text = w_arena_text(arena, buf.data, buf.len);
	if (text == NULL)
		return w_fail_nomem(err, STAGE);
	*out_value = w_value_text(text, buf.len);
	return WRIT_OK;
}

void
w_manifest_scope_init(struct w_manifest_scope *out_scope,
    const struct w_manifest *manifest, const struct w_expr_scope *outer)
{
	*out_scope = (struct w_manifest_scope){
	    .scope = {.root = find_root,
		.read_file = manifest_scope_read_file,
		.ctx = out_scope},
	    .manifest = manifest,
	    .outer = outer,
	};
}
