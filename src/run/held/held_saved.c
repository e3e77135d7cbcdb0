/* SPDX-License-Identifier: Apache-2.0 */

/* The saved directory and variables of a held session. */

#include "run/held/held_saved.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "base/auto.h"
#include "base/buf.h"
#include "run/helper/holder_protocol.h"
#include "run/launch/process_packet.h"

static bool
is_plain(const char *text)
{
	for (; *text != '\0'; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return false;
	}
	return true;
}

/* The text at *at and moves it past its NUL; NULL: there is none. */
static const char *
held_saved_next(const char **at, const char *end)
{
	const char *text = *at;
	const char *nul = memchr(text, '\0', (size_t)(end - text));

	if (nul == NULL)
		return NULL;
	*at = nul + 1;
	return is_plain(text) ? text : NULL;
}

bool
w_held_saved_read(const char *bytes, size_t len, w_left_state_risky_fn is_risky,
    struct w_left_state *out_state)
{
	static char *const no_env[] = {NULL};
	struct w_left_state state = {.cwd = NULL};
	const char *at = bytes;
	const char *end = bytes + len;
	bool is_read = len > 0 && len <= W_HOLDER_SAVED_MAX;
	const char *cwd = is_read ? held_saved_next(&at, end) : NULL;

	is_read = cwd != NULL && *cwd == '/' && strlen(cwd) < PATH_MAX;
	while (is_read && at < end) {
		const char *variable = held_saved_next(&at, end);

		is_read = variable != NULL &&
			  state.env.count < W_LEFT_STATE_VARIABLES &&
			  w_left_state_is_kept(variable, no_env, is_risky) &&
			  w_words_add(&state.env, variable, strlen(variable));
	}
	if (is_read)
		state.cwd = strdup(cwd);
	if (state.cwd == NULL) {
		w_left_state_done(&state);
		return false;
	}
	*out_state = state;
	return true;
}

static bool
held_saved_has_name(const char *const *list, const char *variable)
{
	const size_t len = strcspn(variable, "=") + 1;

	for (; list != NULL && *list != NULL; list++) {
		if (strncmp(*list, variable, len) == 0)
			return true;
	}
	return false;
}

bool
w_held_saved_merge(
    struct w_left_state *saved, const char *cwd, const char *const *left)
{
	struct w_left_state merged = {.cwd = strdup(cwd)};
	bool has_all = merged.cwd != NULL;

	for (const char *const *at = left; has_all && at != NULL && *at != NULL;
	     at++)
		has_all = w_words_add(&merged.env, *at, strlen(*at));
	for (size_t i = 0; has_all && i < saved->env.count; i++) {
		const char *before = saved->env.items[i];

		if (merged.env.count < W_LEFT_STATE_VARIABLES &&
		    !held_saved_has_name(left, before))
			has_all =
			    w_words_add(&merged.env, before, strlen(before));
	}
	if (!has_all) {
		w_left_state_done(&merged);
		return false;
	}
	w_left_state_done(saved);
	*saved = merged;
	return true;
}

int
w_held_saved_write(const struct w_left_state *saved)
{
	W_AUTO_BUF struct w_buf bytes;

	w_buf_init(&bytes, W_HOLDER_SAVED_MAX);
	w_buf_add(&bytes, saved->cwd, strlen(saved->cwd) + 1);
	for (size_t i = 0; i < saved->env.count; i++)
		w_buf_add(&bytes, saved->env.items[i],
		    strlen(saved->env.items[i]) + 1);
	if (bytes.failed)
		return -E2BIG;
	return w_memfd_sealed("writ-session-saved", bytes.data, bytes.len);
}
