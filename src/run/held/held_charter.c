/* SPDX-License-Identifier: Apache-2.0 */

/* Checks the charter of a held session. */

#include "run/held/held_charter.h"

#include <string.h>

#include "run/helper/holder_protocol.h"
#include "run/helper/protocol.h"
#include "run/launch/session_walls.h"

bool
w_held_is_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-_.";
	const size_t len = strnlen(name, W_HELD_NAME_MAX + 1);

	return len > 0 && len <= W_HELD_NAME_MAX && name[0] != '.' &&
	       name[0] != '-' && strspn(name, allowed) == len;
}

/* Printable, and with an end. */
static bool
is_text(const char *text, size_t size)
{
	const size_t len = strnlen(text, size);

	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
			return false;
	}
	return len < size;
}

static bool
are_connects(const struct w_held_charter *charter)
{
	for (int i = 0; i < W_SHARED_CONNECTS; i++) {
		const char *path = charter->connects[i];

		if (!is_text(path, sizeof(charter->connects[i])) ||
		    (path[0] != '\0' && strncmp(path, "/run/", 5) != 0) ||
		    strstr(path, "/..") != NULL)
			return false;
	}
	return true;
}

bool
w_held_charter_is_valid(
    const struct w_held_charter *charter, size_t len, const char *name)
{
	const uint32_t needed =
	    1U << W_SESSION_FD_MOUNT | 1U << W_SESSION_FD_TMP;

	if (len != sizeof(*charter) || charter->magic != W_HELD_MAGIC ||
	    charter->version != W_HELD_VERSION || charter->size != len ||
	    charter->has_disk > 1 || charter->has_home > 1 ||
	    charter->home_kind > W_HOME_CACHES ||
	    (charter->has_home == 0) != (charter->home_kind == W_HOME_NONE) ||
	    charter->places >> W_SESSION_FDS != 0 ||
	    (charter->places & needed) != needed || charter->idle_ms == 0 ||
	    charter->lifetime_ms == 0)
		return false;
	if (!is_text(charter->name, sizeof(charter->name)) ||
	    !is_text(charter->agent, sizeof(charter->agent)) ||
	    !is_text(charter->dir, sizeof(charter->dir)) ||
	    !is_text(charter->disk_path, sizeof(charter->disk_path)) ||
	    !is_text(charter->home_path, sizeof(charter->home_path)) ||
	    !is_text(charter->home_dir, sizeof(charter->home_dir)))
		return false;
	if (!is_text(charter->forwards, sizeof(charter->forwards)) ||
	    !is_text(charter->hosts, sizeof(charter->hosts)) ||
	    !are_connects(charter))
		return false;
	return w_held_is_name(charter->name) && charter->dir[0] == '/' &&
	       (charter->has_disk != 0) == (charter->disk_path[0] == '/') &&
	       (charter->has_home != 0) == (charter->home_path[0] == '/') &&
	       (charter->has_home != 0) == (charter->home_dir[0] == '/') &&
	       (name == NULL || strcmp(name, charter->name) == 0);
}
