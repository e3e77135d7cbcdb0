/* SPDX-License-Identifier: Apache-2.0 */

/* The walls that were part of a failure; see wall_denials.h. */

#include "run/denials/wall_denials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/auto.h"
#include "base/encode.h"
#include "base/printable.h"
#include "run/denials/complaint.h"

enum {
	/* The end of each stream that is searched. */
	SEARCHED_MAX = 64 * 1024,
	/* Complaints that are checked: a check looks at files. */
	CHECKED_MAX = 64,
};

/* One denial before it is added. Texts are borrowed. */
struct new_denial {
	const char *what;
	const char *path;
	const char *host;
	const char *family;
	enum w_denial_wall wall;
	bool is_guessed;
	const char *ask_write;
	const char *ask_network;
	const char *ask_host;
};

/* ---- the list ---- */

/* Copies a text, escaped and cut. Returns whether it is the same then. */
static bool
put_shown(char out_text[W_WALL_DENIAL_TEXT_MAX + 1], const char *text)
{
	static const char dots[] = "...";
	W_AUTO_BUF struct w_buf buf;
	size_t len;

	out_text[0] = '\0';
	w_buf_init(&buf, (size_t)8 * PATH_MAX);
	(void)w_printable_add(&buf, text, 0);
	if (buf.failed || buf.data == NULL)
		return false;
	len = buf.len;
	const bool is_cut = len > W_WALL_DENIAL_TEXT_MAX;
	if (is_cut)
		len = w_utf8_trim_end(
		    buf.data, W_WALL_DENIAL_TEXT_MAX - strlen(dots));
	(void)snprintf(out_text, W_WALL_DENIAL_TEXT_MAX + 1, "%.*s%s", (int)len,
	    buf.data, is_cut ? dots : "");
	return !is_cut && strcmp(out_text, text) == 0;
}

static bool
is_equal(const char *a, const char *b)
{
	return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

/* One question is enough for all files of a directory. */
static bool
is_known(const struct w_wall_denials *denials, const writ_wall_denial *item)
{
	for (size_t i = 0; i < denials->count; i++) {
		const writ_wall_denial *other = &denials->items[i];

		if (strcmp(other->what, item->what) != 0 ||
		    strcmp(other->wall, item->wall) != 0)
			continue;
		if (item->ask_write != NULL &&
		    is_equal(other->ask_write, item->ask_write))
			return true;
		if (is_equal(other->path, item->path) &&
		    is_equal(other->host, item->host) &&
		    is_equal(other->family, item->family))
			return true;
	}
	return false;
}

/* Words without a host say nothing more, if others name one. */
static bool
is_nameless(const writ_wall_denial *item)
{
	return item->path == NULL && item->host == NULL &&
	       item->family == NULL &&
	       strcmp(item->wall, w_denial_wall_word(W_DENIAL_WALL_NETWORK)) ==
		   0;
}

static bool
says_no_more(const struct w_wall_denials *denials, const writ_wall_denial *item)
{
	for (size_t i = 0; is_nameless(item) && i < denials->count; i++) {
		if (strcmp(denials->items[i].wall, item->wall) == 0)
			return true;
	}
	return false;
}

static void
drop_nameless(struct w_wall_denials *denials, const writ_wall_denial *item)
{
	if (is_nameless(item) ||
	    strcmp(item->wall, w_denial_wall_word(W_DENIAL_WALL_NETWORK)) != 0)
		return;
	if (denials->count > 0 &&
	    is_nameless(&denials->items[denials->count - 1]))
		denials->count--;
}

static void
wall_denials_add(struct w_wall_denials *denials, const struct new_denial *fresh)
{
	const char *name = fresh->path != NULL ? fresh->path : fresh->host;
	struct w_wall_denial_texts texts = {.what = ""};

	(void)snprintf(texts.what, sizeof(texts.what), "%s", fresh->what);
	if (name != NULL)
		(void)put_shown(texts.name, name);
	const bool can_ask =
	    fresh->ask_write != NULL && put_shown(texts.ask, fresh->ask_write);
	writ_wall_denial item = {
	    .what = texts.what,
	    .path = fresh->path == NULL ? NULL : texts.name,
	    .host = fresh->host == NULL ? NULL : texts.name,
	    .family = fresh->family,
	    .wall = w_denial_wall_word(fresh->wall),
	    .is_guessed = fresh->is_guessed,
	    .ask_write = can_ask ? texts.ask : NULL,
	    .ask_network = fresh->ask_network,
	    .ask_host = fresh->ask_host == NULL ? NULL : texts.name,
	};
	if (is_known(denials, &item) || says_no_more(denials, &item))
		return;
	drop_nameless(denials, &item);
	if (denials->count == W_WALL_DENIALS_MAX)
		return;
	struct w_wall_denial_texts *kept = &denials->texts[denials->count];
	*kept = texts;
	item.what = kept->what;
	item.path = item.path == NULL ? NULL : kept->name;
	item.host = item.host == NULL ? NULL : kept->name;
	item.ask_write = can_ask ? kept->ask : NULL;
	item.ask_host = item.ask_host == NULL ? NULL : kept->name;
	denials->items[denials->count++] = item;
}

/* ---- guesses ---- */

struct wall_guess {
	struct w_wall_denials *denials;
	const struct w_run_sandbox *sandbox;
	const char *state_dir;
	struct w_denial_context context;
	bool has_context; /* built for the first path */
	bool has_failed;
	unsigned checked;
};

/* It takes some time to build, and few runs need it. */
static bool
need_context(struct wall_guess *guess)
{
	const struct w_run_sandbox *sandbox = guess->sandbox;

	if (!guess->has_context && !guess->has_failed) {
		guess->has_context =
		    w_denial_context_init(&guess->context, &sandbox->resolved,
			sandbox->layers, guess->state_dir, NULL) == WRIT_OK;
		guess->has_failed = !guess->has_context;
	}
	return guess->has_context;
}

/* The absolute form of a path in the output. A relative one is taken as below
 * the directory where the command began. */
static bool
make_absolute(const struct w_run_sandbox *sandbox,
    const struct w_complaint_part *path, char out_path[PATH_MAX])
{
	const char *base = sandbox->cwd;
	size_t skip = 0;

	if (path->at[0] == '/') {
		base = "";
	} else if (path->len > 1 && path->at[0] == '~' && path->at[1] == '/') {
		base = sandbox->resolved.home;
		skip = 1;
	}
	if (base == NULL)
		return false;
	const int len = snprintf(out_path, PATH_MAX, "%s/%.*s", base,
	    (int)(path->len - skip), path->at + skip);
	return len > 0 && len < PATH_MAX;
}

/* Whether this wall is a reason for such words. With a view, "Permission
 * denied" outside comes from the file's own mode, unless it was to be written:
 * then the wall would have refused it next. */
static bool
explains(const struct wall_guess *guess, const struct w_complaint *complaint,
    enum w_denial_wall wall)
{
	const bool is_denied =
	    complaint->kind == W_COMPLAINT_NO_PERMISSION &&
	    (complaint->is_write || !guess->context.has_view);
	const bool is_write = complaint->kind == W_COMPLAINT_READ_ONLY ||
			      is_denied ||
			      (complaint->kind == W_COMPLAINT_NOT_PERMITTED &&
				  complaint->is_write);

	switch (wall) {
	case W_DENIAL_WALL_READ_ONLY:
		return is_write;
	case W_DENIAL_WALL_PROTECTED:
		return is_write || complaint->kind == W_COMPLAINT_BUSY;
	case W_DENIAL_WALL_HIDDEN:
		return true;
	case W_DENIAL_WALL_UNSEEN:
		return complaint->kind == W_COMPLAINT_READ_ONLY ||
		       complaint->kind == W_COMPLAINT_NO_PERMISSION;
	case W_DENIAL_WALL_NONE:
	case W_DENIAL_WALL_NETWORK:
	case W_DENIAL_WALL_SYSTEM_CALL:
		break;
	}
	return false;
}

static void
guess_path(struct wall_guess *guess, const struct w_complaint *complaint)
{
	char path[PATH_MAX];
	char real[PATH_MAX];

	if (!need_context(guess) ||
	    !make_absolute(guess->sandbox, &complaint->path, path))
		return;
	w_denial_flatten_path(path);
	const enum w_denial_wall wall =
	    w_denial_wall_of(&guess->context, path, real);
	if (!explains(guess, complaint, wall))
		return;
	const bool is_write = complaint->is_write ||
			      wall == W_DENIAL_WALL_READ_ONLY ||
			      wall == W_DENIAL_WALL_PROTECTED;
	struct new_denial fresh = {
	    .what = is_write ? "write" : "read",
	    .path = path,
	    .wall = wall,
	    .is_guessed = true,
	};
	char ask[PATH_MAX];
	if (wall == W_DENIAL_WALL_READ_ONLY &&
	    w_denial_wall_ask(&guess->context, real, ask))
		fresh.ask_write = ask;
	wall_denials_add(guess->denials, &fresh);
}

static bool
is_local_name(const char *host)
{
	static const char domain[] = ".localhost";
	const size_t len = strlen(host);
	const size_t domain_len = sizeof(domain) - 1;

	return strcasecmp(host, domain + 1) == 0 ||
	       strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0 ||
	       strcmp(host, "0.0.0.0") == 0 || strcmp(host, "::") == 0 ||
	       (len > domain_len &&
		   strcasecmp(host + len - domain_len, domain) == 0);
}

/* The network that the walls leave; see w_run_take_sandbox(). */
static enum w_network
network_of(const struct w_run_sandbox *sandbox)
{
	const uint32_t cuts_off =
	    W_LAYER_BIT(W_LAYER_NETNS) | W_LAYER_BIT(W_LAYER_SECCOMP);

	return (sandbox->layers & cuts_off) == 0 ? W_NETWORK_HOST
						 : sandbox->resolved.network;
}

static void
guess_network(struct wall_guess *guess, const struct w_complaint *complaint)
{
	const enum w_network network = network_of(guess->sandbox);
	const bool is_off = network == W_NETWORK_OFF;
	const bool has_host = complaint->host.at != NULL;
	char host[W_COMPLAINT_HOST_MAX + 1] = "";
	struct new_denial fresh = {
	    .what = "connect",
	    .wall = W_DENIAL_WALL_NETWORK,
	    .is_guessed = true,
	    .ask_network = "host",
	};

	if (has_host)
		(void)snprintf(host, sizeof(host), "%.*s",
		    (int)complaint->host.len, complaint->host.at);
	const bool is_local = has_host && is_local_name(host);
	const bool is_family = complaint->kind == W_COMPLAINT_FAMILY;
	const bool is_vague =
	    complaint->kind == W_COMPLAINT_UNCONNECTED && !has_host;
	if (network == W_NETWORK_HOST || is_vague ||
	    (!is_off && (is_local || is_family)))
		return;
	if (is_local || (is_family && !has_host))
		fresh.ask_network = "loopback";
	if (is_family && (is_local || !has_host)) {
		fresh.what = "socket";
		fresh.family = "AF_INET";
	} else if (has_host) {
		fresh.host = host;
	}
	wall_denials_add(guess->denials, &fresh);
}

static bool
check_complaint(void *ctx, const struct w_complaint *complaint)
{
	struct wall_guess *guess = ctx;

	if (complaint->kind >= W_COMPLAINT_FAMILY)
		guess_network(guess, complaint);
	else
		guess_path(guess, complaint);
	return ++guess->checked < CHECKED_MAX &&
	       guess->denials->count < W_WALL_DENIALS_MAX;
}

/* The end of a stream, from the beginning of a line on. */
static void
search_stream(struct wall_guess *guess, const writ_output *out)
{
	const char *text = out->truncated ? out->tail : out->head;
	size_t len = out->truncated ? out->tail_len : out->head_len;

	if (len > SEARCHED_MAX) {
		text += len - SEARCHED_MAX;
		len = SEARCHED_MAX;
		const char *newline = memchr(text, '\n', len);
		if (newline != NULL) {
			len -= (size_t)(newline + 1 - text);
			text = newline + 1;
		}
	}
	w_complaint_find_all(text, len, check_complaint, guess);
}

void
w_wall_denials_guess(struct w_wall_denials *denials,
    const struct w_run_sandbox *sandbox, const char *state_dir,
    const writ_output *const outputs[2])
{
	struct wall_guess guess = {
	    .denials = denials, .sandbox = sandbox, .state_dir = state_dir};

	search_stream(&guess, outputs[WRIT_STDERR]);
	if (denials->count < W_WALL_DENIALS_MAX) {
		guess.checked = 0;
		search_stream(&guess, outputs[WRIT_STDOUT]);
	}
	if (guess.has_context || guess.has_failed)
		w_denial_context_done(&guess.context);
}

/* ---- what the kernel reported ---- */

static void
take_path(struct w_wall_denials *denials,
    const struct w_denial_context *context, const writ_denial *reported)
{
	static const char unix_prefix[] = "unix:";
	const char *path = reported->path;
	char real[PATH_MAX];
	char ask[PATH_MAX];

	if (strncmp(path, unix_prefix, strlen(unix_prefix)) == 0)
		path += strlen(unix_prefix);
	struct new_denial fresh = {.what = reported->what,
	    .path = path,
	    .wall = w_denial_wall_of(context, path, real)};
	/* An empty directory, or a file that may not be executed. */
	if (fresh.wall == W_DENIAL_WALL_NONE)
		fresh.wall = W_DENIAL_WALL_UNSEEN;
	if (fresh.wall == W_DENIAL_WALL_READ_ONLY &&
	    w_denial_wall_ask(context, real, ask))
		fresh.ask_write = ask;
	wall_denials_add(denials, &fresh);
}

static const char *
network_in(const char *hint)
{
	static const char option[] = "--network ";

	return hint != NULL && strncmp(hint, option, strlen(option)) == 0
		   ? hint + strlen(option)
		   : NULL;
}

void
w_wall_denials_add_host(struct w_wall_denials *denials, const char *host)
{
	const struct new_denial fresh = {
	    .what = "connect",
	    .host = host,
	    .wall = W_DENIAL_WALL_NETWORK,
	    .ask_host = host,
	};

	wall_denials_add(denials, &fresh);
}

void
w_wall_denials_take(struct w_wall_denials *denials,
    const struct w_denial_context *context, const writ_denial *reported,
    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const writ_denial *row = &reported[i];
		struct new_denial fresh = {.what = row->what};

		if (row->layer == NULL)
			continue;
		if (row->path != NULL &&
		    (row->path[0] == '/' || row->path[0] == 'u')) {
			take_path(denials, context, row);
			continue;
		}
		fresh.ask_network = network_in(row->hint);
		if (strcmp(row->what, "socket") == 0) {
			fresh.family = row->path;
			fresh.wall = W_DENIAL_WALL_NETWORK;
		} else if (row->path != NULL) {
			fresh.host = row->path;
			fresh.wall = W_DENIAL_WALL_NETWORK;
		} else {
			fresh.what = row->call == NULL ? "call" : row->call;
			fresh.wall = W_DENIAL_WALL_SYSTEM_CALL;
		}
		wall_denials_add(denials, &fresh);
	}
}
