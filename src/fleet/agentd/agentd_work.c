/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What comes: live orders, to all hosts or to this one, and work that waited in
 * the stream. Work is acknowledged when the executor has it on disk, never
 * before; without that it comes again.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet/agentd/agentd.h"
#include "fleet/order/fleet_order.h"

#define FETCH_MS    4000
#define FETCH_COUNT 8
#define RETRY_MS    1000

/* On a thread of the library. */
static void
take_live(natsConnection *connection, natsSubscription *subscription,
    natsMsg *message, void *ctx)
{
	const int len = natsMsg_GetDataLength(message);

	(void)connection;
	(void)subscription;
	if (len >= 0 && (size_t)len <= W_FLEET_ORDER_MAX)
		w_agentd_send(ctx, W_FLEET_FRAME_LIVE, "-",
		    natsMsg_GetData(message), (size_t)len);
	natsMsg_Destroy(message);
}

writ_status
w_agentd_listen(struct w_agentd *agentd, writ_error *err)
{
	char subject[W_NATS_NAME_MAX];
	natsSubscription *subscription = NULL;

	w_nats_subject(subject, agentd->collective, "req", "all", NULL);
	natsStatus status = natsConnection_Subscribe(
	    &subscription, agentd->connection, subject, take_live, agentd);
	if (status == NATS_OK) {
		w_nats_subject(
		    subject, agentd->collective, "req", "host", agentd->host);
		status = natsConnection_Subscribe(&subscription,
		    agentd->connection, subject, take_live, agentd);
	}
	/* The subscriptions live as long as the connection, and so do we. */
	return status == NATS_OK ? WRIT_OK : w_nats_fail(err, status, "listen");
}

/* A ticket for the message, which it then owns; 0: there is none left. */
static uint64_t
keep_message(struct w_agentd *agentd, natsMsg *message)
{
	uint64_t number = 0;

	(void)pthread_mutex_lock(&agentd->ticket_lock);
	for (size_t i = 0; i < W_AGENTD_TICKETS && number == 0; i++) {
		if (agentd->tickets[i].number != 0)
			continue;
		number = ++agentd->last_ticket;
		agentd->tickets[i] = (struct agentd_ticket){number, message};
	}
	(void)pthread_mutex_unlock(&agentd->ticket_lock);
	return number;
}

void
w_agentd_accept(struct w_agentd *agentd, const char *ticket, bool is_kept)
{
	const uint64_t number = strtoull(ticket, NULL, 10);
	natsMsg *message = NULL;

	(void)pthread_mutex_lock(&agentd->ticket_lock);
	for (size_t i = 0; number != 0 && i < W_AGENTD_TICKETS; i++) {
		if (agentd->tickets[i].number == number) {
			message = agentd->tickets[i].message;
			agentd->tickets[i] = (struct agentd_ticket){0, NULL};
		}
	}
	(void)pthread_mutex_unlock(&agentd->ticket_lock);
	if (message == NULL)
		return;
	/* If it does not get there, the order comes again, and the ledger
	 * knows it. One that was not kept comes again after the time for an
	 * acknowledgement, not at once. */
	if (is_kept)
		(void)natsMsg_Ack(message, NULL);
	natsMsg_Destroy(message);
}

static void
take_work(struct w_agentd *agentd, natsMsg *message)
{
	const int len = natsMsg_GetDataLength(message);
	char word[32];

	if (len < 0 || (size_t)len > W_FLEET_ORDER_MAX) {
		(void)natsMsg_Term(message, NULL); /* nobody can use it */
		natsMsg_Destroy(message);
		return;
	}
	const uint64_t number = keep_message(agentd, message);
	if (number == 0) {
		(void)natsMsg_Nak(message, NULL);
		natsMsg_Destroy(message);
		nats_Sleep(RETRY_MS);
		return;
	}
	(void)snprintf(word, sizeof(word), "%ju", (uintmax_t)number);
	w_agentd_send(agentd, W_FLEET_FRAME_WORK, word,
	    natsMsg_GetData(message), (size_t)len);
}

static natsSubscription *
subscribe(struct w_agentd *agentd)
{
	char stream[W_NATS_NAME_MAX];
	char subject[W_NATS_NAME_MAX];
	natsSubscription *subscription = NULL;
	jsSubOptions options;

	w_nats_stream(stream, "WORK", agentd->collective);
	w_nats_subject(subject, agentd->collective, "work", agentd->host, NULL);
	(void)jsSubOptions_Init(&options);
	/* The operator made the consumer: a host that could make one could take
	 * another host's work. */
	options.Stream = stream;
	options.Consumer = agentd->host;
	if (js_PullSubscribe(&subscription, agentd->stream_api, subject,
		agentd->host, NULL, &options, NULL) != NATS_OK)
		return NULL;
	return subscription;
}

void *
w_agentd_work(void *ctx)
{
	struct w_agentd *agentd = ctx;
	natsSubscription *subscription = NULL;

	while (!atomic_load(&agentd->is_ending)) {
		natsMsgList list = {NULL, 0};

		if (subscription == NULL)
			subscription = subscribe(agentd);
		if (subscription == NULL) {
			nats_Sleep(RETRY_MS);
			continue;
		}
		natsStatus status = natsSubscription_Fetch(
		    &list, subscription, FETCH_COUNT, FETCH_MS, NULL);
		for (int i = 0; status == NATS_OK && i < list.Count; i++) {
			take_work(agentd, list.Msgs[i]);
			list.Msgs[i] = NULL;
		}
		natsMsgList_Destroy(&list);
		if (status == NATS_OK || status == NATS_TIMEOUT)
			continue;
		natsSubscription_Destroy(subscription);
		subscription = NULL;
		nats_Sleep(RETRY_MS);
	}
	natsSubscription_Destroy(subscription);
	return NULL;
}
