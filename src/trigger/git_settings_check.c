/* SPDX-License-Identifier: Apache-2.0 */

/* Which values of git's settings a confined command may set. */

#include "trigger/git_settings_check.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "trigger/git_settings.h"

enum {
	NAME_LEN_MAX = 64,
	BRANCH_LEN_MAX = 200,
	ADDRESS_LEN_MAX = 1024,
	PERSON_LEN_MAX = 256
};

/* Printable ASCII without spaces, quotes and backslashes. */
static bool
is_plain(const char *text)
{
	for (; *text != '\0'; text++) {
		if (*text <= ' ' || *text > '~' || *text == '"' ||
		    *text == '\\' || *text == '\'' || *text == '`')
			return false;
	}
	return true;
}

static bool
is_host(const char *host, size_t len)
{
	if (len == 0 || host[0] == '-' || host[0] == '.')
		return false;
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)host[i];

		if (!isalnum(c) && c != '.' && c != '-')
			return false;
	}
	return true;
}

static bool
is_user(const char *user, size_t len)
{
	if (len == 0 || user[0] == '-')
		return false;
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)user[i];

		if (!isalnum(c) && strchr("._-+~%:", c) == NULL)
			return false;
	}
	return true;
}

/* [user@]host[:port] */
static bool
is_authority(const char *text, size_t len)
{
	const char *at = memchr(text, '@', len);

	if (at != NULL) {
		const size_t user = (size_t)(at - text);

		if (!is_user(text, user))
			return false;
		text += user + 1;
		len -= user + 1;
	}
	const char *colon = memchr(text, ':', len);
	const size_t host = colon == NULL ? len : (size_t)(colon - text);
	for (size_t i = host + 1; i < len; i++) {
		if (!isdigit((unsigned char)text[i]))
			return false;
	}
	return is_host(text, host);
}

/* [user@]host:path, as ssh takes it. */
static bool
is_ssh_path(const char *url)
{
	const char *colon = strchr(url, ':');
	const char *slash = strchr(url, '/');

	if (colon == NULL || (slash != NULL && slash < colon) ||
	    colon[1] == '\0' || colon[1] == '-' || colon[1] == ':' ||
	    strncmp(colon, "://", 3) == 0)
		return false;
	return is_authority(url, (size_t)(colon - url));
}

bool
w_git_settings_is_address(const char *url)
{
	static const char *const schemes[] = {"https://", "ssh://"};

	if (strlen(url) > ADDRESS_LEN_MAX || !is_plain(url) || url[0] == '-' ||
	    strstr(url, "::") != NULL)
		return false;
	for (size_t i = 0; i < sizeof(schemes) / sizeof(schemes[0]); i++) {
		const size_t len = strlen(schemes[i]);

		if (strncmp(url, schemes[i], len) == 0) {
			const char *rest = url + len;
			const size_t host = strcspn(rest, "/?#");

			return rest[host] == '/' && is_authority(rest, host);
		}
	}
	return is_ssh_path(url);
}

bool
w_git_settings_is_person(const char *value, size_t len)
{
	if (len == 0 || len > PERSON_LEN_MAX || strlen(value) != len)
		return false;
	for (size_t i = 0; i < len; i++) {
		if ((unsigned char)value[i] < ' ' || value[i] == 0x7f)
			return false;
	}
	return true;
}

bool
w_git_settings_is_remote_name(const char *name)
{
	const size_t len = strlen(name);

	if (len == 0 || len > NAME_LEN_MAX || !isalnum((unsigned char)name[0]))
		return false;
	for (size_t i = 0; i < len; i++) {
		const unsigned char c = (unsigned char)name[i];

		if (!isalnum(c) && strchr("._-", c) == NULL)
			return false;
	}
	return strstr(name, "..") == NULL;
}

/* A part of what git itself demands, and no more than it allows. */
bool
w_git_settings_is_branch(const char *name)
{
	const size_t len = strlen(name);

	return len > 0 && len <= BRANCH_LEN_MAX && is_plain(name) &&
	       name[0] != '-' && name[0] != '/' && name[0] != '.' &&
	       name[len - 1] != '/' && name[len - 1] != '.' &&
	       strpbrk(name, "~^:?*[@") == NULL && strstr(name, "..") == NULL &&
	       strstr(name, "//") == NULL && strstr(name, "/.") == NULL &&
	       strstr(name, ".lock") == NULL;
}

bool
w_git_settings_is_merge(const char *value)
{
	static const char heads[] = "refs/heads/";

	return strncmp(value, heads, sizeof(heads) - 1) == 0 &&
	       w_git_settings_is_branch(value + sizeof(heads) - 1);
}

/* Branches of the remote to refs/remotes/NAME/: anything else would change
 * branches of this repository. */
bool
w_git_settings_is_fetch(const char *value, const char *remote)
{
	static const char from[] = "refs/heads/";
	char to[NAME_LEN_MAX + 32];

	if (value[0] == '+')
		value++;
	if (strlen(remote) > NAME_LEN_MAX ||
	    strncmp(value, from, sizeof(from) - 1) != 0)
		return false;
	const char *branch = value + sizeof(from) - 1;
	const size_t len = strcspn(branch, ":");
	const int to_len =
	    snprintf(to, sizeof(to), ":refs/remotes/%s/", remote);
	const char *end = branch + len;
	if (strncmp(end, to, (size_t)to_len) != 0)
		return false;
	end += to_len;
	/* The same on both sides: the star, or a branch. */
	if (strlen(end) != len || strncmp(branch, end, len) != 0)
		return false;
	return strcmp(end, "*") == 0 || w_git_settings_is_branch(end);
}
