/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_RELAY_LINE_H
#define W_RUN_RELAY_LINE_H

#include <stdbool.h>

#include "os/loop.h"
#include "run/relay/relay_protocol.h"

/* What a judge says at once. */
enum w_relay_said {
	W_RELAY_SAID_NO,
	W_RELAY_SAID_YES,
	W_RELAY_SAID_LATER,     /* by w_relay_line_answer() */
	W_RELAY_SAID_COULD_ASK, /* a person, if no other engine knows */
};

struct w_relay_saying {
	enum w_relay_said said;
	uint32_t rule; /* comes back in the record */
	bool asks_addresses;
	bool holds; /* YES needs not be asked again */
};

/* Who decides about hosts, and keeps the records. */
struct w_relay_judge {
	void *ctx;
	struct w_relay_saying (*ask)(void *ctx, const struct w_relay_ask *ask);
	/* Nobody waits for this answer any more. */
	void (*cancel)(void *ctx, uint64_t ticket);
	void (*record)(void *ctx, const struct w_relay_record *record);
	/* The relay is gone. */
	void (*lost)(void *ctx);
};

/*
 * The line of an engine to the relay of a session (relay/relay_lines.c). It is
 * served by the engine's loop.
 */
struct w_relay_line {
	struct w_source source; /* fd -1: closed */
	struct w_loop *loop;
	const struct w_relay_judge *judge;
	uint64_t flushes; /* so far */
	uint64_t flushed; /* that have come back */
};

/* Opens a line to the relay with this control line. 0, or an errno. */
int w_relay_line_open(struct w_relay_line *line, struct w_loop *loop,
    int control, const struct w_relay_judge *judge);
void w_relay_line_close(struct w_relay_line *line);

/* Answers what was said LATER to. */
void w_relay_line_answer(struct w_relay_line *line, uint64_t ticket,
    const struct w_relay_saying *saying);

/*
 * Takes every record of what has happened so far: a run has ended. With is_end
 * no run is left, and connections without a client are ended, when what they
 * had to deliver is delivered. Bounded: false, the relay did not answer in
 * time.
 */
bool w_relay_line_flush(struct w_relay_line *line, bool is_end);

/* Whether the reason of a record (enum w_relay_reason) is a refusal: the others
 * are failures of what was allowed. */
bool w_relay_is_refusal(uint32_t reason);

#endif /* W_RUN_RELAY_LINE_H */
