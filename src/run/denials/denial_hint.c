/* SPDX-License-Identifier: Apache-2.0 */

/* Suggests the option that would have allowed an operation. A wrong hint is
 * worse than none: there is none where the option would be denied, or where the
 * user has no permission anyway. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/words.h"
#include "run/denials/denial_context.h"
#include "sandbox/path/real_path.h"

static void
put_hint(char out_hint[W_DENIAL_HINT_MAX], const char *words, const char *path)
{
	struct w_buf buf;

	out_hint[0] = '\0';
	if (strchr(path, '\n') != NULL)
		return;
	w_buf_init(&buf, W_DENIAL_HINT_MAX - 1);
	w_buf_add_str(&buf, words);
	w_buf_add_char(&buf, ' ');
	w_words_quote(&buf, path);
	if (!buf.failed) {
		memcpy(out_hint, buf.data, buf.len);
		out_hint[buf.len] = '\0';
	}
	w_buf_done(&buf);
}

static void
denial_hint_parent_of(const char *path, char out_dir[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	size_t len =
	    slash == NULL || slash == path ? 1 : (size_t)(slash - path);

	(void)snprintf(out_dir, PATH_MAX, "%.*s", (int)len, path);
}

/* These can never be made writable; see w_profile_resolve(). */
static bool
is_never_writable(const struct w_denial_context *context, const char *path)
{
	return strcmp(path, "/") == 0 ||
	       strcmp(path, context->resolved->home) == 0 ||
	       (context->state_dir != NULL &&
		   w_real_path_covers(path, context->state_dir));
}

static void
hint_write(const struct w_denial_context *context, const char *path,
    char out_hint[W_DENIAL_HINT_MAX])
{
	const char *words = context->resolved->walls == W_WALLS_READONLY
				? "--sandbox workspace --write"
				: "--write";
	char dir[PATH_MAX];
	struct stat st;

	bool exists = lstat(path, &st) == 0;
	if (exists && S_ISDIR(st.st_mode))
		(void)snprintf(dir, sizeof(dir), "%s", path);
	else
		denial_hint_parent_of(path, dir);
	if (is_never_writable(context, dir)) {
		if (!exists || !S_ISREG(st.st_mode))
			return;
		(void)snprintf(dir, sizeof(dir), "%s", path);
	}
	const char *asked = exists ? path : dir;
	if (faccessat(AT_FDCWD, asked, W_OK, AT_EACCESS) == 0)
		put_hint(out_hint, words, dir);
}

/* A profile can name only files and directories. */
static void
hint_read(const char *path, char out_hint[W_DENIAL_HINT_MAX])
{
	char dir[PATH_MAX];
	struct stat st;

	if (lstat(path, &st) == 0 &&
	    (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode))) {
		put_hint(out_hint, "--read", path);
		return;
	}
	denial_hint_parent_of(path, dir);
	if (strcmp(dir, "/") != 0)
		put_hint(out_hint, "--read", dir);
}

void
w_denial_hint(const struct w_denial_context *context, const char *path,
    enum w_operation operation, char out_hint[W_DENIAL_HINT_MAX])
{
	const struct w_resolved_profile *resolved = context->resolved;
	const struct w_real_path *hidden =
	    w_real_paths_covering(&resolved->hidden, path);
	const struct w_real_path *guarded =
	    w_real_paths_covering(&resolved->guarded, path);
	/* A socket can be reached only where the command may write. */
	bool is_writing =
	    operation != W_OPERATION_READ && operation != W_OPERATION_EXECUTE;

	out_hint[0] = '\0';
	if (w_real_path_covers("/dev", path) ||
	    (context->state_dir != NULL &&
		w_real_path_covers(context->state_dir, path)))
		return;
	if (hidden != NULL)
		put_hint(out_hint, "no longer hiding", hidden->path);
	else if (is_writing && guarded != NULL)
		put_hint(out_hint, "no longer protecting", guarded->path);
	else if (is_writing)
		hint_write(context, path, out_hint);
	else
		hint_read(path, out_hint);
}
