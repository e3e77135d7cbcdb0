/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_RUN_HOLDER_PROTOCOL_H
#define W_RUN_HOLDER_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * What is said to the holder of a session (session_holder.c): packets of a
 * fixed size, a question and its answer.
 *
 *     JOIN  a run wants to be in the session. The answer has its descriptors.
 *           The connection stays: it ends when the session does, and while it
 *           is open the session is in use
 *     LOOK  the same descriptors, without being in it
 *     SAVE  of one that has joined, with a sealed memory file: what the next
 *           run starts with
 *     END   the session ends. The answer comes when those that had joined are
 *           gone, or are not waited for any longer
 *
 * The starter gives the holder its descriptors in a first packet, struct
 * w_holder_start, over W_HELPER_SOCKET_FD: the listening socket, the charter
 * (held/held_charter.h), then those of the session. The holder sends it back
 * when it listens, and the starter once more when it has heard that: a holder
 * whose starter fails or dies before ends.
 */
enum {
	W_HOLDER_MAGIC = 0x57524854,
	W_HOLDER_VERSION = 1,
	W_HOLDER_FDS_MAX = 12,           /* of a session */
	W_HOLDER_QUIET_MAX = 2,          /* lines of its forwarders */
	W_HOLDER_CLIENTS = 250,          /* connections at once */
	W_HOLDER_SAVED_MAX = 128 * 1024, /* bytes of a memory file for SAVE */
	/* The socket or what was saved, and the charter, go before. */
	W_HOLDER_SENT_MAX = W_HOLDER_FDS_MAX + W_HOLDER_QUIET_MAX + 2
};

enum w_holder_kind {
	W_HOLDER_JOIN = 'J',
	W_HOLDER_LOOK = 'L',
	W_HOLDER_SAVE = 'S',
	W_HOLDER_END = 'E',
};

enum w_holder_word {
	W_HOLDER_OK = 'o',
	W_HOLDER_FULL = 'f',    /* there are too many connections */
	W_HOLDER_REFUSED = 'r', /* not to this process */
	W_HOLDER_ENDING = 'e',  /* the session ends */
	W_HOLDER_BAD = 'b',     /* not what can be saved */
};

struct w_holder_start {
	uint32_t magic;
	uint32_t version;
	uint64_t idle_ms;     /* ends when it was not used for so long */
	uint64_t lifetime_ms; /* ends after it; both are at least 1 */
	uint32_t quiet;       /* so many descriptors behind the charter are
				 kept, and given to nobody */
	uint32_t zero;
};

struct w_holder_ask {
	uint32_t magic;
	uint32_t version;
	uint32_t kind; /* enum w_holder_kind */
	uint32_t zero;
};

struct w_holder_answer {
	uint32_t magic;
	uint32_t version;
	uint32_t word;      /* enum w_holder_word */
	uint32_t runs;      /* connections that have joined */
	uint32_t has_saved; /* 1: the second descriptor is what was saved */
	uint32_t zero;
	uint64_t idle_ms; /* since it was last used; 0: it is in use */
	uint64_t left_ms; /* of its lifetime */
};

/* Whether these bytes and so many descriptors are a question. */
static inline int
w_holder_ask_is_valid(const struct w_holder_ask *ask, size_t len, size_t fds)
{
	if (len != sizeof(*ask) || ask->magic != W_HOLDER_MAGIC ||
	    ask->version != W_HOLDER_VERSION || ask->zero != 0)
		return 0;
	switch (ask->kind) {
	case W_HOLDER_JOIN:
	case W_HOLDER_LOOK:
	case W_HOLDER_END:
		return fds == 0;
	case W_HOLDER_SAVE:
		return fds == 1;
	default:
		return 0;
	}
}

/* Whether these bytes and so many descriptors are an answer. */
static inline int
w_holder_answer_is_valid(
    const struct w_holder_answer *answer, size_t len, size_t fds)
{
	if (len != sizeof(*answer) || answer->magic != W_HOLDER_MAGIC ||
	    answer->version != W_HOLDER_VERSION || answer->has_saved > 1 ||
	    answer->zero != 0)
		return 0;
	switch (answer->word) {
	case W_HOLDER_OK:
		return fds == 0 || fds > 1 + (size_t)answer->has_saved;
	case W_HOLDER_FULL:
	case W_HOLDER_REFUSED:
	case W_HOLDER_ENDING:
	case W_HOLDER_BAD:
		return fds == 0;
	default:
		return 0;
	}
}

#endif /* W_RUN_HOLDER_PROTOCOL_H */
