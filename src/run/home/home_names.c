/* SPDX-License-Identifier: Apache-2.0 */

/* Directories of HOME by their names. */

#include "run/home/home_names.h"

#include <string.h>

static const char *const caches[] = {".bun", ".bundle", ".cabal", ".cache",
    ".cargo", ".ccache", ".conda", ".cpan", ".deno", ".dotnet", ".electron",
    ".gem", ".gradle", ".hex", ".ivy2", ".java", ".m2", ".mix", ".node-gyp",
    ".npm", ".nuget", ".nvm", ".pnpm-store", ".pub-cache", ".pyenv", ".rbenv",
    ".rustup", ".sbt", ".sdkman", ".stack", ".yarn", "go", NULL};

const char *const w_dotdirs_bare[] = {
    ".cache", ".ccache", ".node-gyp", ".npm", ".nuget", ".yarn", NULL};

const char *const w_dotdirs_made[] = {".bundle", ".cache", ".cargo", ".config",
    ".dotnet", ".gem", ".gradle", ".local", ".m2", ".npm", ".nuget", ".venvs",
    ".virtualenvs", ".yarn", "go", NULL};

bool
w_dotdirs_is_cache(const char *name)
{
	for (size_t i = 0; caches[i] != NULL; i++) {
		if (strcmp(caches[i], name) == 0)
			return true;
	}
	return false;
}
