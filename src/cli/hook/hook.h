/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_HOOK_H
#define W_CLI_HOOK_H

#include <stdbool.h>
#include <stddef.h>

#include <yyjson.h>

#include <writ/error.h>

#include "base/buf.h"

/*
 * Agent programs can run a command before each use of a tool, tell it on
 * standard input what is about to be done, and let it answer on standard
 * output. This is that: what they say, and in which form they want to hear
 * yes, no or "ask the person".
 *
 * Everything in an event may come from a model. What is not in order is an
 * error, never "no opinion": whoever asks must not be let through because he
 * cannot be understood.
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

/* false: there is no format of that name. */
bool w_hook_format_named(const char *word, enum w_hook_format *out_format);

/* What a tool does, as far as a policy can judge it. */
enum w_hook_operation {
	W_HOOK_SHELL, /* subject: the text for a shell */
	W_HOOK_READ,  /* a path */
	W_HOOK_LIST,  /* a directory */
	W_HOOK_WRITE,
	W_HOOK_DELETE,
	W_HOOK_FETCH, /* an address */
};

struct w_hook_act {
	enum w_hook_operation operation;
	char *subject;
};

#define W_HOOK_ACTS_MAX  1024
#define W_HOOK_BYTES_MAX ((size_t)64 << 20)

/* One event. Texts are borrowed from the documents in it. */
struct w_hook_event {
	enum w_hook_format format; /* never AUTO */
	struct w_json *json;
	struct w_json *inner; /* where the arguments are JSON in a string */
	const char *name;     /* of the event; NULL: the format has none */
	const char *tool;     /* NULL: the event is about one by itself */
	yyjson_val *input;    /* of the tool; NULL */
	const char *session;  /* NULL */
	char *cwd;            /* NULL: does not say. Its own */
	struct w_hook_act *acts;
	size_t act_count; /* 0: nothing that a policy could judge */
};

/* Reads an event. An event, or a tool, that is none of ours has no acts. On
 * failure *out_event is untouched. */
writ_status w_hook_read(const char *text, size_t len, enum w_hook_format format,
    struct w_hook_event *out_event, writ_error *err);
void w_hook_done(struct w_hook_event *event);

/* The words of a command that does what the act does; not for SHELL. argv has
 * room for W_HOOK_ARGV_MAX. */
#define W_HOOK_ARGV_MAX 6
void w_hook_argv(const struct w_hook_act *act, const char **argv);

/* What to answer. */
enum w_hook_verdict {
	W_HOOK_ALLOW,
	W_HOOK_ASK,
	W_HOOK_DENY,
};

struct w_hook_answer {
	enum w_hook_verdict verdict;
	const char *reason;
	const char *command; /* to run instead; NULL: as it is */
};

/* Whether the program asks the person when it is told to. Some take the word
 * and go on as if nothing had been said. */
bool w_hook_can_ask(const struct w_hook_event *event);

/* Whether it takes another command than its own. */
bool w_hook_can_replace(const struct w_hook_event *event);

/* Appends the answer, with the end of its line; nothing where saying nothing is
 * how the program is told to go on. */
void w_hook_answer(struct w_buf *buf, const struct w_hook_event *event,
    const struct w_hook_answer *answer);

/* ---- hook_tool.c ---- */

/* Fills in the acts of an event by its tool and input. */
writ_status w_hook_find_acts(struct w_hook_event *event, writ_error *err);
writ_status w_hook_add_act(struct w_hook_event *event,
    enum w_hook_operation operation, const char *subject, size_t len,
    writ_error *err);

#endif /* W_CLI_HOOK_H */
