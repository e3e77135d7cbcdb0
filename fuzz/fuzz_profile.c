/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Profiles: what is accepted only adds to a built-in profile, with paths that
 * cannot mislead and limits within bounds; what is refused says in which file.
 */

#include "sandbox/profile/profile.h"

#include "base/duration.h"
#include "base/size.h"
#include "check.h"

static void
check_paths(const struct w_words *words, size_t builtins)
{
	CHECK(words->count >= builtins);
	for (size_t i = builtins; i < words->count; i++) {
		const char *path = words->items[i];

		CHECK(path[0] != '\0');
		CHECK(strchr(path, '\n') == NULL);
		CHECK(strcmp(path, "..") != 0);
		CHECK(strncmp(path, "../", 3) != 0);
		CHECK(strstr(path, "/../") == NULL);
	}
}

static void
check_profile(const struct w_profile *profile)
{
	struct w_profile base;
	const struct w_profile_limits *limits = &profile->limits;

	CHECK(strcmp(profile->name, "fuzz") == 0);
	CHECK(w_profile_builtin(profile->walls, &base, NULL) == WRIT_OK);
	CHECK(profile->builtins.hide == base.hide.count);
	CHECK(profile->builtins.protect == base.protect.count);
	CHECK(
	    profile->walls > W_WALLS_ENV || profile->network == W_NETWORK_HOST);
	CHECK(profile->walls > W_WALLS_READONLY || profile->write.count == 0);
	w_profile_done(&base);
	check_paths(&profile->read, profile->builtins.read);
	check_paths(&profile->write, profile->builtins.write);
	check_paths(&profile->execute, 0);
	check_paths(&profile->hide, profile->builtins.hide);
	check_paths(&profile->protect, profile->builtins.protect);
	CHECK(limits->timeout_ms <= W_DURATION_MAX_MS);
	CHECK(limits->memory <= W_SIZE_MAX);
	CHECK(limits->processes <= UINT32_MAX);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = copy_exact(data, size);
	struct w_profile profile = {.name = NULL};
	writ_error err = {.status = WRIT_OK};
	writ_status status =
	    w_profile_parse(text, size, "fuzz.yaml", NULL, &profile, &err);

	if (status == WRIT_OK) {
		check_profile(&profile);
		w_profile_done(&profile);
	} else {
		CHECK(profile.name == NULL);
		check_error(&err, status);
		CHECK(strstr(err.message, ".yaml") != NULL);
	}
	free(text);
	return 0;
}
