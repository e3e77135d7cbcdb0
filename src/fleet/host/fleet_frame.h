/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_FRAME_H
#define W_FLEET_FLEET_FRAME_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "base/error.h"

/*
 * What the executor and writ-agentd say to each other over their socket pair.
 * A frame is one letter, the length of its body in 4 bytes (big end first), and
 * the body: a word of printable characters, a line break, and bytes.
 *
 * The executor trusts nothing of what comes: writ-agentd reads the network.
 */
#define W_FLEET_FRAME_MAX ((size_t)2 << 20)
#define W_FLEET_WORD_MAX  64

enum w_fleet_frame_kind {
	/* to the executor */
	W_FLEET_FRAME_WORK = 'W',      /* word: a ticket; an order */
	W_FLEET_FRAME_LIVE = 'L',      /* an order that waits for no disk */
	W_FLEET_FRAME_PUBLISHED = 'P', /* word: the id of a result */
	/* to writ-agentd */
	W_FLEET_FRAME_ACCEPTED = 'A', /* word: a ticket */
	W_FLEET_FRAME_DECLINED = 'N', /* word: a ticket; it may come again */
	W_FLEET_FRAME_RESULT = 'R',   /* word: an id; JSON */
	W_FLEET_FRAME_REPLY = 'Y',    /* word: an id; JSON */
	W_FLEET_FRAME_EVENT = 'E',    /* word: an id, or "-"; JSON */
	W_FLEET_FRAME_STATE = 'S',    /* JSON: what the heartbeat says */
	W_FLEET_FRAME_CONFIG = 'C',   /* the first one: where to connect */
};

struct w_fleet_frame {
	enum w_fleet_frame_kind kind;
	char word[W_FLEET_WORD_MAX + 1];
	const char *bytes; /* in the buffer it was read from */
	size_t len;
};

/* Appends a frame. */
void w_fleet_frame_add(struct w_buf *buf, enum w_fleet_frame_kind kind,
    const char *word, const void *bytes, size_t len);

/* The frame at the start of the bytes. *out_used is 0 if it is not complete.
 * WRIT_E_INVALID: these bytes are no frame. */
writ_status w_fleet_frame_read(const char *bytes, size_t len,
    struct w_fleet_frame *out_frame, size_t *out_used, writ_error *err);

#endif /* W_FLEET_FLEET_FRAME_H */
