/* SPDX-License-Identifier: Apache-2.0 */

/* Settings of git: each key has a section and a name in lower case, and lies
 * within bounds, for any text at all. */

#include "trigger/git_config.h"
#include "trigger/git_settings.h"

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

/* Whatever a copy has, what is carried over is read again, and gives the same
 * settings a second time. */
static void
merge(const char *text, size_t size)
{
	static const char base[] = "[remote \"o\"]\n\turl = /x\n";
	const struct w_git_settings_text before = {base, sizeof(base) - 1};
	const struct w_git_settings_text copy = {text, size};
	struct w_git_settings_merge first;
	struct w_git_settings_merge second;

	if (!w_git_settings_merge(&before, &copy, &before, &first))
		return;
	CHECK(first.text.len >= before.len);
	CHECK(memcmp(first.text.data, base, before.len) == 0);
	const struct w_git_settings_text now = {
	    first.text.data, first.text.len};
	if (first.is_changed &&
	    w_git_settings_merge(&before, &now, &before, &second)) {
		CHECK(second.refused.count == 0);
		CHECK(second.text.len == first.text.len);
		w_git_settings_merge_done(&second);
	}
	w_git_settings_merge_done(&first);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t left = size;

	(void)w_git_config_read((const char *)data, size, take, &left);
	merge((const char *)data, size);
	return 0;
}
