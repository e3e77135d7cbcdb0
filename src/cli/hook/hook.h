/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_HOOK_H
#define W_CLI_HOOK_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include <writ/error.h>

#include "base/buf.h"

/*
 * Hooks of agent programs. Such a program can run a command before each use of
 * a tool, describe the tool call on its standard input, and read allow, deny or
 * "ask the user" from its standard output. Each program has its own format for
 * both.
 *
 * Everything in an event may come from a model. An invalid event is an error,
 * never "no opinion": what cannot be parsed must not be let through.
 */
#define W_HOOK_FORMAT_MAP(X)  \
	X(AUTO, "auto")       \
	X(CLAUDE, "claude")   \
	X(CODEX, "codex")     \
	X(COPILOT, "copilot") \
	X(CURSOR, "cursor")   \
	X(GEMINI, "gemini")

enum w_hook_format {
#define X(name, word) W_HOOK_##name,
	W_HOOK_FORMAT_MAP(X)
#undef X
	W_HOOK_FORMAT_COUNT
};

/* false: no format has that name. */
bool w_hook_format_named(const char *word, enum w_hook_format *out_format);

/* What a tool does, as far as a policy can judge it. */
enum w_hook_operation {
	W_HOOK_SHELL, /* subject: the shell string */
	W_HOOK_READ,  /* a path */
	W_HOOK_LIST,  /* a directory */
	W_HOOK_WRITE,
	W_HOOK_DELETE,
	W_HOOK_FETCH, /* a URL */
};

struct w_hook_act {
	enum w_hook_operation operation;
	char *subject;
};

#define W_HOOK_ACTS_MAX  1024
#define W_HOOK_BYTES_MAX ((size_t)64 << 20)

/* One event. Strings are borrowed from json and inner. */
struct w_hook_event {
	enum w_hook_format format; /* never AUTO */
	struct w_json *json;
	struct w_json *inner; /* set if the arguments are JSON in a string */
	const char *name;     /* of the event; NULL: the format has none */
	const char *tool;     /* NULL: the event itself says what is done */
	yyjson_val *input;    /* of the tool; NULL: none */
	const char *session;  /* NULL: none */
	char *cwd;            /* owned; NULL: not given */
	struct w_hook_act *acts;
	size_t act_count; /* 0: nothing a policy can judge */
};

/* Reads an event. Events and tools that writ does not know have no acts. On
 * failure *out_event is untouched. */
writ_status w_hook_read(const char *text, size_t len, enum w_hook_format format,
    struct w_hook_event *out_event, writ_error *err);
void w_hook_done(struct w_hook_event *event);

/* The argv of a command that does the same as the act. argv has room for
 * W_HOOK_ARGV_MAX entries. */
#define W_HOOK_ARGV_MAX 6
void w_hook_argv(const struct w_hook_act *act, const char **argv);

enum w_hook_verdict {
	W_HOOK_ALLOW,
	W_HOOK_ASK,
	W_HOOK_DENY,
};

struct w_hook_answer {
	enum w_hook_verdict verdict;
	const char *reason;
	const char *command; /* to run instead; NULL: unchanged */
};

/* Whether the program asks its user when the answer is "ask". Some accept that
 * answer and just continue. */
bool w_hook_can_ask(const struct w_hook_event *event);

/* Whether the program accepts a replacement command. */
bool w_hook_can_replace(const struct w_hook_event *event);

/* Appends the answer as one line; nothing where no output means "continue". */
void w_hook_answer(struct w_buf *buf, const struct w_hook_event *event,
    const struct w_hook_answer *answer);

/* ---- hook_tool.c ---- */

/* Fills in the acts of an event from its tool and input. */
writ_status w_hook_find_acts(struct w_hook_event *event, writ_error *err);
writ_status w_hook_add_act(struct w_hook_event *event,
    enum w_hook_operation operation, const char *subject, size_t len,
    writ_error *err);

#endif /* W_CLI_HOOK_H */
