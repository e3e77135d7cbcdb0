/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The keys of a request, in one table. JSON, command line options, help and
 * completion all use it; a key that is not here does not exist.
 */

#include "engine/request/draft_fields.h"

#include <string.h>

#include "base/duration.h"
#include "base/match.h"
#include "base/size.h"
#include "run/resolve/request_check.h"

#define PROCESSES_MAX         4194304    /* the kernel's highest pid */
#define OPEN_FILES_MAX        2147483584 /* the kernel's highest fs.nr_open */
#define TERMINAL_MAX          65535

#define WORD_ITEM(name, word) word,
#define WORD_JOIN(name, word) "|" word

static const char *const env_modes[] = {WRIT_ENV_MODE_MAP(WORD_ITEM) NULL};
static const char *const backgrounds[] = {WRIT_BACKGROUND_MAP(WORD_ITEM) NULL};
static const char *const holds[] = {WRIT_HOLD_MAP(WORD_ITEM) NULL};
static const char *const networks[] = {WRIT_NETWORK_MAP(WORD_ITEM) NULL};
static const char *const undos[] = {WRIT_UNDO_MAP(WORD_ITEM) NULL};
static const char *const tmps[] = {WRIT_TMP_MAP(WORD_ITEM) NULL};

/* Each begins with an extra separator, which users skip. */
static const char env_mode_choice[] = WRIT_ENV_MODE_MAP(WORD_JOIN);
static const char background_choice[] = WRIT_BACKGROUND_MAP(WORD_JOIN);
static const char hold_choice[] = WRIT_HOLD_MAP(WORD_JOIN);
static const char network_choice[] = WRIT_NETWORK_MAP(WORD_JOIN);
static const char undo_choice[] = WRIT_UNDO_MAP(WORD_JOIN);
static const char tmp_choice[] = WRIT_TMP_MAP(WORD_JOIN);

/* X(key, kind, member, choice of words, help, checks) */
/* clang-format off */
#define FIELDS(X)                                                            \
	X("argv", LIST, argv, NULL,                                          \
	    "the program and its arguments, word by word",                   \
	    .list = W_LIST_ARGV, .excludes = "shell",                        \
	    .flags = W_FIELD_NEEDS_ONE | W_FIELD_BLANK_OK)                   \
	X("shell", STRING, shell, NULL,                                      \
	    "a string for /bin/sh -c, instead of argv",                      \
	    .excludes = "argv")                                              \
	X("cwd", STRING, cwd, NULL,                                          \
	    "the directory to run in; the caller's own if left out",         \
	    .flags = W_FIELD_PLAIN)                                          \
	X("roots", LIST, roots, NULL,                                        \
	    "directories, one of which must hold cwd; cwd if left out",      \
	    .list = W_LIST_ROOTS, .flags = W_FIELD_NEEDS_ONE)                \
	X("env", MAP, env, NULL,                                             \
	    "variables to set",                                              \
	    .list = W_LIST_ENV)                                              \
	X("env_mode", WORD, env_mode, &env_mode_choice[1],                   \
	    "where the environment starts; minimal if left out",             \
	    .words = env_modes, .noun = "environment mode")                  \
	X("env_pass", LIST, env_pass, NULL,                                  \
	    "globs of variable names to pass on too",                        \
	    .list = W_LIST_ENV_PASS)                                         \
	X("env_drop", LIST, env_drop, NULL,                                  \
	    "globs of variable names to leave out",                          \
	    .list = W_LIST_ENV_DROP)                                         \
	X("stdin", BYTES, stdin_data, NULL,                                  \
	    "what the command reads on standard input",                      \
	    .flags = W_FIELD_STDIN, .excludes = "stdin_file")                \
	X("stdin_file", STRING, stdin_path, NULL,                            \
	    "a file to be standard input; relative to cwd",                  \
	    .flags = W_FIELD_STDIN, .excludes = "stdin")                     \
	X("timeout_ms", DURATION, timeout_ms, NULL,                          \
	    "the longest the run may take; 0 or left out: no limit",         \
	    .max = W_DURATION_MAX_MS)                                        \
	X("idle_timeout_ms", DURATION, idle_timeout_ms, NULL,                \
	    "the longest without output; 0 or left out: no limit",           \
	    .max = W_DURATION_MAX_MS)                                        \
	X("grace_ms", DURATION, grace_ms, NULL,                              \
	    "from SIGTERM to SIGKILL; 5s if left out",                       \
	    .max = W_DURATION_MAX_MS, .flags = W_FIELD_ZERO_REAL)            \
	X("output_limit", SIZE, output_limit, NULL,                          \
	    "how much of each stream is kept in memory; 1MiB if left out",   \
	    .max = W_SIZE_MAX, .flags = W_FIELD_ZERO_REAL)                   \
	X("spill_limit", SIZE, spill_limit, NULL,                            \
	    "the size of each spill file; 1GiB if left out, 0: no file",     \
	    .max = W_SIZE_MAX, .flags = W_FIELD_ZERO_REAL)                   \
	X("max_output", SIZE, max_output, NULL,                              \
	    "end the run after this much output, both streams together",     \
	    .max = W_SIZE_MAX, .flags = W_FIELD_NOT_ZERO)                    \
	X("cpu_ms", DURATION, cpu_ms, NULL,                                  \
	    "the most processor time of the whole tree",                     \
	    .max = W_DURATION_MAX_MS, .flags = W_FIELD_NOT_ZERO)             \
	X("memory", SIZE, memory, NULL,                                      \
	    "the most memory of the whole tree",                             \
	    .max = W_SIZE_MAX, .flags = W_FIELD_NOT_ZERO)                    \
	X("processes", COUNT, processes, NULL,                               \
	    "the most processes of the whole tree",                          \
	    .max = PROCESSES_MAX, .flags = W_FIELD_NOT_ZERO)                 \
	X("open_files", COUNT, open_files, NULL,                             \
	    "the most open files of each process",                           \
	    .max = OPEN_FILES_MAX, .flags = W_FIELD_NOT_ZERO)                \
	X("file_size", SIZE, file_size, NULL,                                \
	    "the largest file the command may write",                        \
	    .max = W_SIZE_MAX, .flags = W_FIELD_NOT_ZERO)                    \
	X("umask", MODE, umask, NULL,                                        \
	    "the file mode creation mask in octal, like 022",                \
	    .flags = W_FIELD_PLAIN)                                          \
	X("nice", INTEGER, nice, NULL,                                       \
	    "added to the niceness, from -20 to 19",                         \
	    .max = W_REQUEST_NICE_MAX)                                       \
	X("user", STRING, user, NULL,                                        \
	    "the user to run as, by name or number; needs root",             \
	    .flags = W_FIELD_ID)                                             \
	X("group", STRING, group, NULL,                                      \
	    "the group to run as, by name or number; needs root",            \
	    .flags = W_FIELD_ID)                                             \
	X("background", WORD, background, &background_choice[1],             \
	    "what happens to background processes; kill if left out",        \
	    .words = backgrounds, .noun = "fate of background processes")    \
	X("tree", WORD, hold, &hold_choice[1],                               \
	    "how the process tree is held; auto if left out",                \
	    .words = holds, .noun = "way to hold the tree")                  \
	X("trace_id", STRING, trace_id, NULL,                                \
	    "an id of the caller's own, copied into the result",             \
	    .max = W_REQUEST_TRACE_ID_MAX)                                   \
	X("description", STRING, description, NULL,                          \
	    "why, for the record and for a person who is asked",             \
	    .flags = W_FIELD_PLAIN)                                          \
	X("sandbox", STRING, sandbox, NULL,                                  \
	    "the sandbox profile by name, or its file with a '/' in it; "    \
	    "the policy's if left out",                                      \
	    .flags = W_FIELD_PLAIN)                                          \
	X("read", LIST, read, NULL,                                          \
	    "paths that may be read, in addition to those of the profile",   \
	    .list = W_LIST_READ, .flags = W_FIELD_PATHS)                     \
	X("write", LIST, write, NULL,                                        \
	    "paths that may be written, in addition to those of the "        \
	    "profile",                                                   \
	    .list = W_LIST_WRITE, .flags = W_FIELD_PATHS)                    \
	X("hide", LIST, hide, NULL,                                          \
	    "paths that are hidden, in addition to those of the profile",    \
	    .list = W_LIST_HIDE, .flags = W_FIELD_PATHS)                     \
	X("network", WORD, network, &network_choice[1],                      \
	    "what of the network is reached; default: as the profile says",  \
	    .words = networks, .noun = "network mode")                       \
	X("hosts", LIST, hosts, NULL,                                        \
	    "hosts that may be reached, as in registry.example.com:443",     \
	    .list = W_LIST_HOSTS, .flags = W_FIELD_HOSTS)                    \
	X("tmp", WORD, tmp, &tmp_choice[1],                                  \
	    "where the private /tmp lies; default: as the policy says",      \
	    .words = tmps, .noun = "place of /tmp")                          \
	X("tmp_size", SIZE, tmp_size, NULL,                                  \
	    "the most the command may keep in its private TMPDIR",           \
	    .max = W_SIZE_MAX, .flags = W_FIELD_NOT_ZERO)                    \
	X("undo", WORD, undo, &undo_choice[1],                               \
	    "whether what it changes in the project can be taken back; "     \
	    "trial: it waits for a person",                                  \
	    .words = undos, .noun = "kind of undo")                          \
	X("stays", SWITCH, stays, NULL,                                      \
	    "it is known to stay, as a server does: undo is not for it",     \
	    .flags = W_FIELD_PLAIN)                                          \
	X("best_effort", SWITCH, best_effort, NULL,                          \
	    "do without the sandbox layers that this machine cannot build",  \
	    .flags = W_FIELD_PLAIN)                                          \
	X("explain_denials", SWITCH, explain_denials, NULL,                  \
	    "list in the result what the sandbox refused",                   \
	    .flags = W_FIELD_PLAIN)                                          \
	X("agent", STRING, agent, NULL,                                      \
	    "the agent that asks; the policy's default agent if left out",   \
	    .max = W_REQUEST_AGENT_MAX)                                      \
	X("secrets", LIST, secrets, NULL,                                    \
	    "values that are kept out of the record, wherever they occur",   \
	    .list = W_LIST_SECRETS, .flags = W_FIELD_GROWS)                  \
	X("keep", SIZE, keep, NULL,                                          \
	    "how much output is kept with its timing; 1MiB if left out",     \
	    .max = W_SIZE_MAX, .flags = W_FIELD_ZERO_REAL)                   \
	X("approval", STRING, approval, NULL,                                \
	    "the approval that was given for exactly this request",          \
	    .max = W_REQUEST_APPROVAL_MAX)                                   \
	X("session", STRING, session, NULL,                                  \
	    "the session that an approval may apply to; the terminal's "     \
	    "if left out",                                                   \
	    .max = W_REQUEST_SESSION_MAX)                                    \
	X("pty", SWITCH, pty, NULL,                                          \
	    "a terminal of its own for the command",                         \
	    .flags = W_FIELD_PLAIN)                                          \
	X("rows", COUNT, rows, NULL,                                         \
	    "of that terminal; 24 if left out",                              \
	    .max = TERMINAL_MAX, .flags = W_FIELD_SMALL)                     \
	X("columns", COUNT, columns, NULL,                                   \
	    "of that terminal; 80 if left out",                              \
	    .max = TERMINAL_MAX, .flags = W_FIELD_SMALL)
/* clang-format on */

#define TYPE_STRING   "string"
#define TYPE_LIST     "list"
#define TYPE_MAP      "map"
#define TYPE_BYTES    "bytes"
#define TYPE_DURATION "duration"
#define TYPE_SIZE     "size"
#define TYPE_COUNT    "count"
#define TYPE_MODE     "mode"
#define TYPE_INTEGER  "integer"
#define TYPE_WORD     "word"
#define TYPE_SWITCH   "switch"

#define KEY_ROW(key, kind, member, choice, help, ...) \
	{key, TYPE_##kind, choice, help},
#define FIELD_ROW(key, kind, member, choice, help, ...)              \
	{key, W_KIND_##kind, offsetof(writ_request, member), choice, \
	    __VA_ARGS__},
#define NAME_ROW(key, kind, member, choice, help, ...) key,

static const writ_key keys[] = {FIELDS(KEY_ROW)};
static const struct w_draft_field fields[] = {FIELDS(FIELD_ROW)};
static const char *const names[] = {FIELDS(NAME_ROW) NULL};

#define FIELD_COUNT (sizeof(fields) / sizeof(fields[0]))

/* What people try first if they do not know the keys. */
static const char *const command_words[] = {
    "command", "cmd", "args", "program", "exec", NULL};

/* "timeout" is too far from "timeout_ms" by edit distance. */
static const char *
nearest_name(const char *word)
{
	size_t len = strlen(word);

	for (size_t i = 0; len >= 3 && i < FIELD_COUNT; i++) {
		if (strncmp(names[i], word, len) == 0)
			return names[i];
	}
	return w_match_nearest(word, names);
}

static void
suggest_name(const char *word, writ_error *err)
{
	const char *nearest = nearest_name(word);

	for (size_t i = 0; command_words[i] != NULL; i++) {
		if (strcmp(command_words[i], word) == 0) {
			w_suggest(err, "'argv' (a list) or "
				       "'shell' (a string)");
			return;
		}
	}
	w_match_suggest(nearest, err);
}

const struct w_draft_field *
w_draft_fields(size_t *out_count)
{
	*out_count = FIELD_COUNT;
	return fields;
}

const struct w_draft_field *
w_draft_field_find(const char *name, size_t len, writ_error *err)
{
	char word[64];
	size_t cut = len < sizeof(word) - 1 ? len : sizeof(word) - 1;

	for (size_t i = 0; i < FIELD_COUNT; i++) {
		if (strlen(names[i]) == len && memcmp(names[i], name, len) == 0)
			return &fields[i];
	}
	memcpy(word, name, cut);
	word[cut] = '\0';
	(void)w_fail(
	    err, WRIT_E_INVALID, "request", 0, "unknown key '%s'", word);
	suggest_name(word, err);
	return NULL;
}

uint64_t
w_draft_field_min(const struct w_draft_field *field)
{
	return (field->flags & W_FIELD_NOT_ZERO) != 0 ? 1 : 0;
}

const writ_key *
writ_draft_keys(size_t *out_count)
{
	*out_count = FIELD_COUNT;
	return keys;
}
