/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The streams of a fleet, and reading them.
 *
 *     WORK_C   orders, until a host has one on disk
 *     RES_C    results: one for each order and host, and never a second
 *     EV_C     what happened on the way, for a week
 *     KV_NODES_C, KV_HOSTS_C, KV_ORDERS_C   who is there, who belongs here,
 *              what was ordered
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/fleet/operator/operator.h"

#define SECOND     INT64_C(1000000000)
#define DAY        (24 * 3600 * SECOND)
#define FIRST_MS   3000
#define ACK_SECOND 30

struct stream_row {
	const char *kind;    /* "WORK"; "KV_..." is a bucket */
	const char *subject; /* after "writ.C."; NULL: of a bucket */
	jsRetentionPolicy retention;
	jsDiscardPolicy discard;
	int64_t per_subject; /* -1: any */
	int64_t age;
	int64_t bytes;
};

static const struct stream_row streams[] = {
    {"WORK", "work.*", js_WorkQueuePolicy, js_DiscardNew, -1, 31 * DAY, -1},
    {"RES", "res.*.*", js_LimitsPolicy, js_DiscardNew, 1, 90 * DAY, -1},
    {"EV", "ev.*.*", js_LimitsPolicy, js_DiscardOld, -1, 7 * DAY,
	INT64_C(256) << 20},
    {"KV_NODES", NULL, js_LimitsPolicy, js_DiscardOld, 1, 60 * SECOND, -1},
    {"KV_HOSTS", NULL, js_LimitsPolicy, js_DiscardOld, 1, 0, -1},
    {"KV_ORDERS", NULL, js_LimitsPolicy, js_DiscardOld, 1, 90 * DAY, -1},
};

static writ_status
make_stream(
    struct w_operator *operator, const struct stream_row * row, writ_error *err)
{
	const char *collective = operator->site.collective;
	char name[W_NATS_NAME_MAX];
	char subject[W_NATS_NAME_MAX];
	const char *subjects[] = {subject};
	jsStreamConfig config;
	jsStreamInfo *info = NULL;

	w_nats_stream(name, row->kind, collective);
	if (row->subject == NULL)
		(void)snprintf(subject, sizeof(subject), "$KV.%.200s.>",
		    name + strlen("KV_"));
	else
		(void)snprintf(subject, sizeof(subject), "writ.%s.%s",
		    collective, row->subject);
	(void)jsStreamConfig_Init(&config);
	config.Name = name;
	config.Subjects = subjects;
	config.SubjectsLen = 1;
	config.Retention = row->retention;
	config.Storage = js_FileStorage;
	config.Discard = row->discard;
	config.MaxMsgsPerSubject = row->per_subject;
	/* One result for each order and host: the stream itself refuses the
	 * second. */
	config.DiscardNewPerSubject =
	    row->discard == js_DiscardNew && row->per_subject == 1;
	config.MaxAge = row->age;
	config.MaxBytes = row->bytes;
	config.DenyDelete = config.DiscardNewPerSubject;
	natsStatus status = NATS_OK;
	unsigned tries = 0;
	do {
		status =
		    js_GetStreamInfo(&info, operator->js, name, NULL, NULL);
		jsStreamInfo_Destroy(info);
		info = NULL;
		if (status == NATS_NOT_FOUND)
			status = js_AddStream(
			    &info, operator->js, &config, NULL, NULL);
		jsStreamInfo_Destroy(info);
		info = NULL;
	} while (status != NATS_OK && w_operator_again(status, &tries));
	return status == NATS_OK ? WRIT_OK
				 : w_nats_fail(err, status, "make a stream");
}

writ_status
w_operator_streams_make(struct w_operator *operator, writ_error * err)
{
	writ_status status = WRIT_OK;

	for (size_t i = 0;
	     status == WRIT_OK && i < sizeof(streams) / sizeof(streams[0]); i++)
		status = make_stream(operator, & streams[i], err);
	return status;
}

writ_status
w_operator_consumer_make(
    struct w_operator *operator, const char * host, writ_error *err)
{
	char stream[W_NATS_NAME_MAX];
	char subject[W_NATS_NAME_MAX];
	jsConsumerConfig config;
	jsConsumerInfo *info = NULL;

	w_nats_stream(stream, "WORK", operator->site.collective);
	w_nats_subject(subject, operator->site.collective, "work", host, NULL);
	(void)jsConsumerConfig_Init(&config);
	config.Durable = host;
	config.FilterSubject = subject;
	config.AckPolicy = js_AckExplicit;
	config.DeliverPolicy = js_DeliverAll;
	config.AckWait = ACK_SECOND * SECOND;
	config.MaxAckPending = 64;
	natsStatus status = NATS_OK;
	unsigned tries = 0;
	do {
		status = js_AddConsumer(
		    &info, operator->js, stream, &config, NULL, NULL);
	} while (status != NATS_OK && w_operator_again(status, &tries));
	jsConsumerInfo_Destroy(info);
	return status == NATS_OK
		   ? WRIT_OK
		   : w_nats_fail(err, status, "make the queue of a host");
}

/* ---- reading ---- */

static natsStatus
read_messages(natsSubscription *subscription, operator_message_fn fn, void *ctx)
{
	uint64_t pending = 1;

	while (pending > 0) {
		natsMsg *message = NULL;
		jsMsgMetaData *meta = NULL;
		natsStatus status =
		    natsSubscription_NextMsg(&message, subscription, FIRST_MS);

		if (status == NATS_OK)
			status = natsMsg_GetMetaData(&meta, message);
		if (status == NATS_OK) {
			pending = meta->NumPending;
			fn(ctx, natsMsg_GetSubject(message),
			    natsMsg_GetData(message),
			    (size_t)natsMsg_GetDataLength(message),
			    (uint64_t)(meta->Timestamp / 1000000));
		}
		jsMsgMetaData_Destroy(meta);
		natsMsg_Destroy(message);
		if (status != NATS_OK)
			return status;
	}
	return NATS_OK;
}

writ_status
w_operator_read(struct w_operator *operator, const char * stream,
    const char *subject, operator_message_fn fn, void *ctx, writ_error *err)
{
	natsSubscription *subscription = NULL;
	jsConsumerInfo *info = NULL;
	char name[W_NATS_NAME_MAX];
	jsSubOptions options;

	w_nats_stream(name, stream, operator->site.collective);
	(void)jsSubOptions_Init(&options);
	options.Stream = name;
	options.Ordered = true;
	options.Config.DeliverPolicy = js_DeliverLastPerSubject;
	options.Config.FilterSubject = subject;
	natsStatus status = NATS_OK;
	unsigned tries = 0;
	do {
		status = js_SubscribeSync(
		    &subscription, operator->js, subject, NULL, &options, NULL);
	} while (status != NATS_OK && w_operator_again(status, &tries));
	if (status == NATS_OK)
		status = natsSubscription_GetConsumerInfo(
		    &info, subscription, NULL, NULL);
	if (status == NATS_OK &&
	    info->NumPending + info->Delivered.Consumer > 0)
		status = read_messages(subscription, fn, ctx);
	jsConsumerInfo_Destroy(info);
	natsSubscription_Destroy(subscription);
	return status == NATS_OK ? WRIT_OK
				 : w_nats_fail(err, status, "read a stream");
}

writ_status
w_operator_put(struct w_operator *operator, const char * bucket,
    const char *name, const char *bytes, size_t len, writ_error *err)
{
	char subject[W_NATS_NAME_MAX];

	(void)snprintf(subject, sizeof(subject), "$KV.%s_%s.%s",
	    bucket, operator->site.collective, name);
	natsStatus status = NATS_OK;
	unsigned tries = 0;
	do {
		status = js_Publish(
		    NULL, operator->js, subject, bytes, (int)len, NULL, NULL);
	} while (status != NATS_OK && w_operator_again(status, &tries));
	return status == NATS_OK ? WRIT_OK
				 : w_nats_fail(err, status, "store a value");
}
