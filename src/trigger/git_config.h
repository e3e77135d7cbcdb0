/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_GIT_CONFIG_H
#define W_TRIGGER_GIT_CONFIG_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Parses a config file as git does.
 *
 * key is "section.name" in lower case, without the subsection: [remote
 * "origin"] url is "remote.url". value is "true" where there is none. Both are
 * borrowed for the call. take returns false to stop.
 *
 * false: git would reject the text, or there was no memory.
 */
typedef bool (*w_git_setting_fn)(void *ctx, const char *key, const char *value);

bool w_git_config_read(
    const char *text, size_t len, w_git_setting_fn take, void *ctx);

/* The same with all that there is to know. section is followed by a dot and in
 * lower case; name is in lower case; subsection is NULL where there is none.
 * text[start] to text[end - 1] is the entry, with its newline. */
struct w_git_entry {
	const char *section;
	const char *subsection;
	const char *name;
	const char *value;
	size_t value_len;
	size_t start;
	size_t end;
};

typedef bool (*w_git_entry_fn)(void *ctx, const struct w_git_entry *entry);

bool w_git_config_read_entries(
    const char *text, size_t len, w_git_entry_fn take, void *ctx);

/* Whether this setting cannot make git run a program. */
bool w_git_setting_is_harmless(const char *key, const char *value);

#endif /* W_TRIGGER_GIT_CONFIG_H */
