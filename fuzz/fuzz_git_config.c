/* SPDX-License-Identifier: Apache-2.0 */

/* Settings of git: each key has a section and a name in lower case, and lies
 * within bounds, for any text at all. */

#include "trigger/git_config.h"

#include <ctype.h>

#include "check.h"

static bool
take(void *ctx, const char *key, const char *value)
{
	size_t *left = ctx;
	const char *dot = strchr(key, '.');

	CHECK(dot != NULL);
	for (const char *c = key; *c != '\0'; c++)
		CHECK(tolower((unsigned char)*c) == (unsigned char)*c);
	/* A value has no more bytes than were read for it. */
	CHECK(strlen(value) <= *left + strlen("true"));
	(void)w_git_setting_is_harmless(key, value);
	return true;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t left = size;

	(void)w_git_config_read((const char *)data, size, take, &left);
	return 0;
}
