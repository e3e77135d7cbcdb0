/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_AGENTD_H
#define W_FLEET_AGENTD_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "data/json.h"
#include "fleet/host/fleet_frame.h"
#include "fleet/site/nats_connect.h"

/*
 * writ-agentd: the half of a fleet's host that talks to the network. It has no
 * rights and decides nothing: orders go to the executor as they come, and what
 * the executor says goes out.
 *
 * Threads: the main one reads frames and publishes; one waits for work; those
 * of the library deliver what comes live. Frames are written under a lock.
 */
#define W_AGENTD_TICKETS                                                     \
	64                  /* orders that the executor has not accepted yet \
			     */
#define W_AGENTD_RESULTS 32 /* results that the stream has not taken yet */

struct agentd_ticket {
	uint64_t number; /* 0: free */
	natsMsg *message;
};

struct agentd_result {
	char id[W_ID_LEN + 1]; /* "": free */
	char *json;
	size_t len;
};

struct w_agentd {
	int link;
	pthread_mutex_t write_lock;
	/* settings, from the first frame */
	struct w_json *settings;
	const char *host;
	const char *collective;
	struct w_nats_login login;
	natsConnection *connection;
	jsCtx *stream_api;
	/* work */
	pthread_mutex_t ticket_lock;
	struct agentd_ticket tickets[W_AGENTD_TICKETS];
	uint64_t last_ticket;
	atomic_bool is_ending;
	/* results */
	struct agentd_result results[W_AGENTD_RESULTS];
	uint64_t retry_at_ms;
};

uint64_t w_agentd_clock_ms(void);

/* Sends a frame to the executor, whole. Ends the program if it is gone. */
void w_agentd_send(struct w_agentd *agentd, enum w_fleet_frame_kind kind,
    const char *word, const void *bytes, size_t len);

/* ---- agentd_work.c ---- */

/* Subscribes to what comes live; the library does so again after each
 * connection. */
writ_status w_agentd_listen(struct w_agentd *agentd, writ_error *err);
/* The thread that waits for work. */
void *w_agentd_work(void *agentd);
/* The executor has it, and the stream can forget it; or it could not keep it,
 * and it comes again later. */
void w_agentd_accept(struct w_agentd *agentd, const char *ticket, bool is_kept);

/* ---- agentd_publish.c ---- */

/* Takes a frame of the executor. false: it is none of those. */
bool w_agentd_take(struct w_agentd *agentd, const struct w_fleet_frame *frame);
/* Publishes the results that wait; returns when to come again, in
 * milliseconds from now; -1: nothing waits. */
int w_agentd_publish(struct w_agentd *agentd);

#endif /* W_FLEET_AGENTD_H */
