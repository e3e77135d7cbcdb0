/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_TRIGGER_GIT_SETTINGS_CHECK_H
#define W_TRIGGER_GIT_SETTINGS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

/* Whether a value may be carried over; see git_settings.h. */
bool w_git_settings_is_person(const char *value, size_t len);
bool w_git_settings_is_remote_name(const char *name);
bool w_git_settings_is_branch(const char *name);
bool w_git_settings_is_merge(const char *value);
bool w_git_settings_is_fetch(const char *value, const char *remote);

#endif /* W_TRIGGER_GIT_SETTINGS_CHECK_H */
