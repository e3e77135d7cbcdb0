/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Secrets from where they are kept. Messages name the place, never the value:
 * also a spec of an unknown kind is not repeated, since it may be one.
 */

#include "cli/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"

#define SECRET_MAX 65536

static writ_status
put(writ_draft *draft, const char *place, const char *value, writ_error *err)
{
	if (value[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "run: --secret: %s is empty", place);
	return writ_draft_set(draft, "secrets", value, err);
}

static writ_status
add_variable(writ_draft *draft, const char *name, writ_error *err)
{
	const char *value = getenv(name);

	if (value == NULL)
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "run: --secret: there is no variable '%s'", name);
	return put(draft, "the variable", value, err);
}

/* Reads at most SECRET_MAX bytes and a NUL. The length, or -1. */
static ssize_t
read_file(const char *path, char *bytes)
{
	size_t len = 0;
	W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return -1;
	while (len <= SECRET_MAX) {
		ssize_t got = read(fd, bytes + len, SECRET_MAX + 1 - len);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		if (got == 0)
			break;
		len += (size_t)got;
	}
	return (ssize_t)len;
}

static writ_status
add_bytes(writ_draft *draft, const char *path, char *bytes, size_t len,
    writ_error *err)
{
	if (len > SECRET_MAX)
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "run: --secret: '%s' is longer than %d bytes", path,
		    SECRET_MAX);
	if (len > 0 && bytes[len - 1] == '\n')
		len--;
	bytes[len] = '\0';
	if (strlen(bytes) != len)
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "run: --secret: '%s' has a NUL byte in it", path);
	return put(draft, "the file", bytes, err);
}

static writ_status
add_file(writ_draft *draft, const char *path, writ_error *err)
{
	char *bytes = malloc(SECRET_MAX + 2);

	if (bytes == NULL)
		return w_fail_nomem(err, "secret");
	ssize_t len = read_file(path, bytes);
	writ_status status =
	    len < 0 ? w_fail(err, WRIT_E_INVALID, "secret", errno,
			  "run: --secret: cannot read '%s'", path)
		    : add_bytes(draft, path, bytes, (size_t)len, err);
	explicit_bzero(bytes, SECRET_MAX + 2);
	free(bytes);
	return status;
}

writ_status
w_secret_add(writ_draft *draft, const char *spec, writ_error *err)
{
	if (strncmp(spec, "env:", 4) == 0)
		return add_variable(draft, spec + 4, err);
	if (strncmp(spec, "file:", 5) == 0)
		return add_file(draft, spec + 5, err);
	if (strncmp(spec, "text:", 5) == 0)
		return put(draft, "the text", spec + 5, err);
	(void)w_fail(err, WRIT_E_INVALID, "secret", 0,
	    "run: --secret: not a place of a secret");
	w_suggest(err, "env:NAME, file:PATH or text:STRING");
	return WRIT_E_INVALID;
}
