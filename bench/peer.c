/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Other sandboxes, started as the programs they are.
 *
 * Their command lines stand in the plan; what depends on where this runs is
 * put in here:
 *     @bwrap   the bubblewrap that codex brings
 *     @codex   codex itself
 *     @stage   the directory to work in
 *     @env     --setenv NAME VALUE for each variable that writ would give
 *     @secrets something empty over each secret of the system that is there
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "shots.h"

enum {
	WORDS_MAX = 128,
	VARIABLES_MAX = 16,
	NAME_MAX_BYTES = 64
};

struct command {
	const char *argv[WORDS_MAX];
	size_t count;
	char names[VARIABLES_MAX][NAME_MAX_BYTES];
};

/* Those that writ's profiles hide and that a usual system has. */
static const char *const secrets[] = {"/etc/shadow", "/etc/shadow-",
    "/etc/gshadow", "/etc/gshadow-", "/etc/security/opasswd", "/etc/sudoers",
    "/etc/sudoers.d", "/etc/ssl/private"};

const char *
peer_program(const struct seat *seat, const char *word)
{
	if (strcmp(word, "@bwrap") == 0)
		return seat->settings->bwrap;
	if (strcmp(word, "@codex") == 0)
		return seat->settings->codex;
	if (strcmp(word, "@node") == 0)
		return seat->settings->node;
	if (strcmp(word, "@small") == 0)
		return seat->settings->small;
	if (strcmp(word, "@before") == 0)
		return seat->settings->before;
	return word;
}

static void
add(struct command *command, const char *word)
{
	if (command->count < WORDS_MAX - 1)
		command->argv[command->count++] = word;
}

static void
add_environment(struct command *command, const struct seat *seat)
{
	for (size_t i = 0; i < VARIABLES_MAX && seat->envp[i] != NULL; i++) {
		size_t len = strcspn(seat->envp[i], "=");

		(void)snprintf(command->names[i], NAME_MAX_BYTES, "%.*s",
		    (int)len, seat->envp[i]);
		add(command, "--setenv");
		add(command, command->names[i]);
		add(command, seat->envp[i] + len + 1);
	}
}

static void
add_covers(struct command *command)
{
	struct stat at;

	for (size_t i = 0; i < sizeof(secrets) / sizeof(*secrets); i++) {
		if (stat(secrets[i], &at) < 0)
			continue;
		add(command, S_ISDIR(at.st_mode) ? "--tmpfs" : "--ro-bind");
		if (!S_ISDIR(at.st_mode))
			add(command, "/dev/null");
		add(command, secrets[i]);
	}
}

static void
put_in(struct command *command, const struct seat *seat, const char *word)
{
	if (strcmp(word, "@env") == 0)
		add_environment(command, seat);
	else if (strcmp(word, "@secrets") == 0)
		add_covers(command);
	else if (strcmp(word, "@stage") == 0)
		add(command, seat->stage[0] == '\0' ? "/" : seat->stage);
	else
		add(command, peer_program(seat, word));
}

/* Some keep state in the home directory, which must not be anyone's own. */
static void
move_home(char **envp, const struct seat *seat, char *home, size_t len)
{
	size_t i = 0;

	(void)snprintf(home, len, "HOME=%s", seat->stage);
	for (; i < VARIABLES_MAX && seat->envp[i] != NULL; i++) {
		bool is_home = strncmp(seat->envp[i], "HOME=", 5) == 0;

		envp[i] = is_home ? home : seat->envp[i];
	}
	envp[i] = NULL;
}

struct sample
shot_peer(const struct seat *seat, const struct variant *variant)
{
	struct command command = {.count = 0};
	char *envp[VARIABLES_MAX + 1];
	char home[sizeof(seat->stage) + 8];

	for (size_t i = 0; variant->argv[i] != NULL; i++)
		put_in(&command, seat, variant->argv[i]);
	move_home(envp, seat, home, sizeof(home));
	return spawn_and_wait(command.argv[0], command.argv, envp);
}
