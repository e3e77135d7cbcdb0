/* SPDX-License-Identifier: Apache-2.0 */
#ifndef WRIT_FILE_H
#define WRIT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <writ/engine.h>

WRIT_BEGIN_DECLS

/*
 * Brings a file or directory into a wanted state: judged by the policy and
 * recorded like a run, and safe against a crash at any moment.
 *
 *     writ_file_request request = WRIT_FILE_REQUEST_INIT;
 *     request.path = "/etc/motd";
 *     request.content = "hello\n";
 *     request.content_len = 6;
 *     request.owner = request.group = "root";
 *     request.mode = WRIT_FILE_MODE(0644);
 *     if (writ_file(engine, &request, &result, &err) != WRIT_OK)
 *         return report(&err);
 *     printf("%s\n", result->changed ? "changed" : "as wanted");
 *     writ_file_result_free(result);
 *
 * The new content has its owner and mode, and is on disk, before it is renamed
 * to the path; until then the old file is there, complete. The old file is
 * replaced, not rewritten, so its other hard links keep the old content. The
 * new one has its access control list and security label.
 *
 * A symbolic link at the path is replaced or removed, never followed. In the
 * directories above it, and anywhere in the source, a link is followed only if
 * root or the calling user owns it and its directory, and others cannot rename
 * in that directory.
 *
 * A request that changes nothing is neither judged nor recorded. A change is
 * judged as a command that the policy understands:
 *
 *     writ-file present /etc/motd --owner root --mode 0644 --sha256 HEX
 *     writ-file directory /srv/www --mode 0755
 *     writ-file absent /srv/old --force
 *     writ-file link /srv/www/now --target /srv/www/r42
 *
 * It writes (absent: deletes) the path, and reads the source. The record has
 * these words, never the content. The change is not made in a sandbox; but if
 * the profile is one, only what it makes writable can be written.
 */
typedef enum writ_file_ensure {
	WRIT_FILE_PRESENT,
	WRIT_FILE_ABSENT,
	WRIT_FILE_DIRECTORY,
	WRIT_FILE_LINK, /* a symbolic link to target */
} writ_file_ensure;

/* Sets the member mode, up to 07777; plain 0 keeps the mode (new file: 0644,
 * new directory: 0755). A directory keeps its set-group-id and sticky bits
 * unless the mode has such a bit. */
#define WRIT_FILE_MODE(mode) (0x10000U | (unsigned)(mode))

/*
 * Changes that reach the disk together. Each new file costs two waits for the
 * disk; a batch of them costs a few in all, with the same promise: a file has
 * its name only when its content is on disk.
 *
 *     writ_file_batch_new(engine, &batch, &err);
 *     request.batch = batch;
 *     ... writ_file() for each; result->pending: it has no name yet
 *     writ_file_batch_commit(batch, false, on_done, ctx);
 *     writ_file_batch_free(batch);
 *
 * Only new content of files waits for the commit, and only while the batch has
 * room; all else is done at once, and so is a request with secrets or
 * hide_content. Between two commits no two requests may be about the same path.
 */
typedef struct writ_file_batch writ_file_batch;

/* A request, borrowed during the call. Start from the initializer. */
typedef struct writ_file_request {
	size_t size;
	const char *path; /* absolute, no "." or ".." or doubled slash */
	writ_file_ensure ensure;
	const void *content; /* NULL: see source; without either only the
				attributes apply, and a new file is empty */
	size_t content_len;
	const char *source; /* a file to copy, absolute */
	const char *owner;  /* name or number; NULL: unchanged */
	const char *group;
	unsigned mode;     /* WRIT_FILE_MODE(0644) */
	bool force;        /* ABSENT: delete a directory with its content;
			      LINK: replace a file */
	bool dry_run;      /* inspect, judge, and report what would be done */
	bool hide_content; /* a secret: no diff, and no checksum anywhere */
	const char *agent;
	const char *trace_id;
	const char *const *secrets; /* values that no record may show */
	const char *approval;       /* for exactly this change; NULL: none */
	const char *session;        /* as in writ_request */
	/* Called once when the change is allowed and recorded, just before it
	 * is made; never with dry_run, and not if nothing has to change. If it
	 * fails, nothing is changed, and writ_file() fails with its error.
	 * NULL: nobody is called. */
	writ_status (*on_change)(void *ctx, writ_error *err);
	void *change_ctx;
	writ_file_batch *batch; /* NULL: none */
	const char *target;     /* LINK: what it leads to, as it is stored */
} writ_file_request;

/* clang-format off */
#define WRIT_FILE_REQUEST_INIT                                                \
	{sizeof(writ_file_request), NULL, WRIT_FILE_PRESENT, NULL, 0, NULL,   \
	 NULL, NULL, 0, false, false, false, NULL, NULL, NULL, NULL, NULL,    \
	 NULL, NULL, NULL, NULL}
/* clang-format on */

/* The state of a path. */
typedef struct writ_file_state {
	const char *ensure; /* "present", "absent", "directory"; other types:
			       "link", "other" */
	const char *sha256; /* of the content of a file; NULL: none */
	const char *owner;  /* name, or the number if it has none */
	const char *group;
	unsigned mode;
	uint64_t size;
	int64_t mtime; /* seconds since 1970 */
} writ_file_state;

typedef struct writ_file_result {
	bool changed;       /* or would be, with dry_run */
	const char *what;   /* what was done: "created the file", "created an
			       empty file with requested attributes", "replaced
			       the content", "created the link", "changed the
			       link", "updated attributes", "created
			       directory", "removed the file", "removed the
			       directory", "recursively removed the directory";
			       NULL: nothing */
	const char *reason; /* why: "content checksum mismatch: ..."; NULL:
			       none */
	writ_file_state before;
	writ_file_state after; /* dry_run: as it would be */
	const char *diff;      /* unified, for text up to 64 KiB; NULL: none */
	const char *run_id;    /* in the audit trail; NULL: nothing was done */
	const char *decision;  /* "allow"; NULL: no decision was needed */
	const char *rule;
	bool pending; /* in a batch: the path is unchanged until the commit, and
			 after is how it will be */
} writ_file_result;

/*
 * Applies a request. Free *out_result with writ_file_result_free().
 *
 * Fails with WRIT_E_DENIED, _APPROVAL, _REFUSED, _INVALID (the request, or
 * something there that may not be replaced: a directory where a file is
 * wanted), _SYSTEM (the file is unchanged), _NOMEM.
 */
WRIT_API writ_status writ_file(writ_engine *engine,
    const writ_file_request *request, writ_file_result **out_result,
    writ_error *err);
WRIT_API void writ_file_result_free(writ_file_result *result);

/* A batch for files of this engine, which must outlive it. Fails with
 * WRIT_E_NOMEM. */
WRIT_API writ_status writ_file_batch_new(
    writ_engine *engine, writ_file_batch **out_batch, writ_error *err);

/* Called for each pending change in the order of the calls, from 0; failure
 * NULL: the file has its name, and is on disk. */
typedef void (*writ_file_done_fn)(
    void *ctx, size_t index, const writ_error *failure);

/*
 * Completes all pending changes; the batch is empty then, and can be used
 * again. With stop, those behind the first that fails are dropped, and done is
 * not called for them.
 */
WRIT_API void writ_file_batch_commit(
    writ_file_batch *batch, bool stop, writ_file_done_fn done, void *ctx);

/* Pending changes are dropped: their paths stay as they are. NULL is allowed.
 */
WRIT_API void writ_file_batch_free(writ_file_batch *batch);

/*
 * Opens a regular file for reading, for programs that show its content to
 * others. A symbolic link is followed only if nobody but root and the caller
 * can have put it there: otherwise the owner of a directory could make root
 * read any file. path is absolute. The caller closes *out_fd. Fails with
 * WRIT_E_INVALID (missing, no regular file, such a link) or _SYSTEM.
 */
WRIT_API writ_status writ_file_open(
    const char *path, int *out_fd, writ_error *err);

WRIT_END_DECLS

#endif /* WRIT_FILE_H */
