/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What goes out. A result is published until the stream has it: the stream
 * takes one for each request and host, and refuses the second, so a result that
 * it refuses as such is there already.
 */

#include <stdlib.h>
#include <string.h>

#include "fleet/agentd/agentd.h"

#define RETRY_MS   1000
#define PUBLISH_MS 3000

static void
send_plain(struct w_agentd *agentd, const char *kind, const char *first,
    const char *second, const struct w_fleet_frame *frame)
{
	char subject[W_NATS_NAME_MAX];

	w_nats_subject(subject, agentd->collective, kind, first, second);
	/* It may be lost: the result and the trail are what counts. */
	(void)natsConnection_Publish(
	    agentd->connection, subject, frame->bytes, (int)frame->len);
}

static void
send_state(struct w_agentd *agentd, const struct w_fleet_frame *frame)
{
	char subject[W_NATS_NAME_MAX] = "$KV.NODES_";

	strcat(strcat(strcat(subject, agentd->collective), "."), agentd->host);
	(void)natsConnection_Publish(
	    agentd->connection, subject, frame->bytes, (int)frame->len);
}

static void
keep_result(struct w_agentd *agentd, const struct w_fleet_frame *frame)
{
	struct agentd_result *room = NULL;

	for (size_t i = 0; i < W_AGENTD_RESULTS; i++) {
		if (strcmp(agentd->results[i].id, frame->word) == 0)
			return;
		if (room == NULL && agentd->results[i].id[0] == '\0')
			room = &agentd->results[i];
	}
	if (room == NULL || !w_fleet_id_valid(frame->word))
		return; /* the executor keeps to fewer */
	room->json = malloc(frame->len + 1);
	if (room->json == NULL)
		abort(); /* the next one has it again */
	memcpy(room->json, frame->bytes, frame->len);
	room->len = frame->len;
	memcpy(room->id, frame->word, sizeof(room->id));
	agentd->retry_at_ms = 0;
}

static bool
publish_one(struct w_agentd *agentd, const struct agentd_result *result)
{
	char subject[W_NATS_NAME_MAX];
	jsPubAck *ack = NULL;

	w_nats_subject(
	    subject, agentd->collective, "res", result->id, agentd->host);
	jsPubOptions publish;
	(void)jsPubOptions_Init(&publish);
	publish.MaxWait = PUBLISH_MS;
	natsStatus status = js_Publish(&ack, agentd->stream_api, subject,
	    result->json, (int)result->len, &publish, NULL);
	jsPubAck_Destroy(ack);
	if (status == NATS_OK)
		return true;
	/* Its code is that of a full disk, too; only the words differ. */
	const char *detail = nats_GetLastError(NULL);
	return detail != NULL &&
	       strstr(detail, "maximum messages per subject") != NULL;
}

int
w_agentd_publish(struct w_agentd *agentd)
{
	const uint64_t now_ms = w_agentd_clock_ms();
	int wait_ms = -1;

	if (now_ms < agentd->retry_at_ms)
		return (int)(agentd->retry_at_ms - now_ms);
	for (size_t i = 0; i < W_AGENTD_RESULTS; i++) {
		struct agentd_result *result = &agentd->results[i];

		if (result->id[0] == '\0')
			continue;
		if (!publish_one(agentd, result)) {
			agentd->retry_at_ms = w_agentd_clock_ms() + RETRY_MS;
			wait_ms = RETRY_MS;
			break;
		}
		w_agentd_send(
		    agentd, W_FLEET_FRAME_PUBLISHED, result->id, "", 0);
		free(result->json);
		*result = (struct agentd_result){.json = NULL};
	}
	return wait_ms;
}

bool
w_agentd_take(struct w_agentd *agentd, const struct w_fleet_frame *frame)
{
	switch (frame->kind) {
	case W_FLEET_FRAME_ACCEPTED:
		w_agentd_accept(agentd, frame->word, true);
		return true;
	case W_FLEET_FRAME_DECLINED:
		w_agentd_accept(agentd, frame->word, false);
		return true;
	case W_FLEET_FRAME_RESULT:
		keep_result(agentd, frame);
		return true;
	case W_FLEET_FRAME_REPLY:
		send_plain(agentd, "rep", frame->word, agentd->host, frame);
		return true;
	case W_FLEET_FRAME_EVENT:
		send_plain(agentd, "ev", agentd->host,
		    frame->word[0] == '-' ? "none" : frame->word, frame);
		return true;
	case W_FLEET_FRAME_STATE:
		send_state(agentd, frame);
		return true;
	case W_FLEET_FRAME_WORK:
	case W_FLEET_FRAME_LIVE:
	case W_FLEET_FRAME_PUBLISHED:
	case W_FLEET_FRAME_CONFIG:
		break;
	}
	return false;
}
