/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Reads the values of --secret. Messages name the source, never the value. Nor
 * do they repeat an invalid argument: it may be the secret itself.
 */

#include "cli/options/secret.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/error.h"

#define SECRET_MAX 65536

struct sink {
	const char *name; /* of the command, for messages */
	writ_draft *draft;
};

static writ_status
secret_put(const struct sink *sink, const char *place, const char *value,
    writ_error *err)
{
	if (value[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "%s: --secret: %s is empty", sink->name, place);
	return writ_draft_set(sink->draft, "secrets", value, err);
}

static writ_status
secret_add_variable(const struct sink *sink, const char *name, writ_error *err)
{
	const char *value = getenv(name);

	if (value == NULL)
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "%s: --secret: there is no variable '%s'", sink->name,
		    name);
	return secret_put(sink, "the variable", value, err);
}

/* Reads at most SECRET_MAX + 1 bytes; more than SECRET_MAX is too long.
 * Returns the length, or -1 with errno set. */
static ssize_t
secret_read_file(const char *path, char *bytes)
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
secret_add_bytes(const struct sink *sink, const char *path, char *bytes,
    size_t len, writ_error *err)
{
	if (len > SECRET_MAX)
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "%s: --secret: '%s' is longer than %d bytes", sink->name,
		    path, SECRET_MAX);
	if (len > 0 && bytes[len - 1] == '\n')
		len--;
	bytes[len] = '\0';
	if (strlen(bytes) != len)
		return w_fail(err, WRIT_E_INVALID, "secret", 0,
		    "%s: --secret: '%s' has a NUL byte in it", sink->name,
		    path);
	return secret_put(sink, "the file", bytes, err);
}

static writ_status
secret_add_file(const struct sink *sink, const char *path, writ_error *err)
{
	char *bytes = malloc(SECRET_MAX + 2);

	if (bytes == NULL)
		return w_fail_nomem(err, "secret");
	ssize_t len = secret_read_file(path, bytes);
	writ_status status =
	    len < 0 ? w_fail(err, WRIT_E_INVALID, "secret", errno,
			  "%s: --secret: cannot read '%s'", sink->name, path)
		    : secret_add_bytes(sink, path, bytes, (size_t)len, err);
	explicit_bzero(bytes, SECRET_MAX + 2);
	free(bytes);
	return status;
}

writ_status
w_secret_add(const struct w_cli_command *command, writ_draft *draft,
    const char *spec, writ_error *err)
{
	const struct sink sink = {.name = command->name, .draft = draft};

	if (strncmp(spec, "env:", 4) == 0)
		return secret_add_variable(&sink, spec + 4, err);
	if (strncmp(spec, "file:", 5) == 0)
		return secret_add_file(&sink, spec + 5, err);
	if (strncmp(spec, "text:", 5) == 0)
		return secret_put(&sink, "the text", spec + 5, err);
	(void)w_fail(err, WRIT_E_INVALID, "secret", 0,
	    "%s: --secret: not a place of a secret", command->name);
	w_suggest(err, "env:NAME, file:PATH or text:STRING");
	return WRIT_E_INVALID;
}
