/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The program writ-agentd. Started by a person or systemd it becomes
 * writ-executor, which starts it again with --link: then descriptor 3 leads to
 * the executor, and this process has no rights.
 */

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/auto.h"
#include "data/json.h"
#include "fleet/agentd/agentd.h"

#define LINK_FD   3
#define IN_MAX    (W_FLEET_FRAME_MAX + 65536)
#define DEPTH_MAX 4

uint64_t
w_agentd_clock_ms(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

void
w_agentd_send(struct w_agentd *agentd, enum w_fleet_frame_kind kind,
    const char *word, const void *bytes, size_t len)
{
	W_AUTO_BUF struct w_buf frame;

	w_buf_init(&frame, W_FLEET_FRAME_MAX + 128);
	w_fleet_frame_add(&frame, kind, word, bytes, len);
	if (frame.failed)
		return;
	(void)pthread_mutex_lock(&agentd->write_lock);
	for (size_t at = 0; at < frame.len;) {
		ssize_t put = send(agentd->link, frame.data + at,
		    frame.len - at, MSG_NOSIGNAL);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			_exit(0); /* there is no executor any more */
		at += (size_t)put;
	}
	(void)pthread_mutex_unlock(&agentd->write_lock);
}

/* ---- the start ---- */

static int
become_executor(void)
{
	static const char *const places[] = {
	    "", "/../libexec/writ", "/../lib/writ"};
	static char word[] = "writ-executor";
	char *const argv[] = {word, NULL};
	char own[1024], path[1024 + 64];
	const ssize_t len = readlink("/proc/self/exe", own, sizeof(own) - 1);

	if (len <= 0)
		return 1;
	own[len] = '\0';
	*strrchr(own, '/') = '\0';
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		(void)snprintf(
		    path, sizeof(path), "%s%s/%s", own, places[i], word);
		(void)execv(path, argv);
	}
	(void)fprintf(stderr, "writ-agentd: the program writ-executor is not "
			      "installed\n");
	return 127;
}

/* The closed connection is one that the server refused for good. The executor
 * starts the next one, later each time. */
static void
on_closed(natsConnection *connection, void *ctx)
{
	const char *detail = NULL;

	(void)ctx;
	(void)natsConnection_GetLastError(connection, &detail);
	(void)fprintf(stderr,
	    "writ-agentd: the server closed the connection: "
	    "%s\n",
	    detail == NULL ? "no reason" : detail);
	_exit(3);
}

static writ_status
take_settings(
    struct w_agentd *agentd, const struct w_fleet_frame *frame, writ_error *err)
{
	const struct w_json_limits limits = {W_FLEET_FRAME_MAX, DEPTH_MAX};
	static char inbox[W_NATS_NAME_MAX];

	if (frame->kind != W_FLEET_FRAME_CONFIG)
		return w_fail(err, WRIT_E_INVALID, "agentd", 0,
		    "the executor sent no settings");
	writ_status status = w_json_read(
	    frame->bytes, frame->len, &limits, &agentd->settings, err);
	if (status != WRIT_OK)
		return status;
	yyjson_val *map = w_json_root(agentd->settings);
	agentd->host = yyjson_get_str(yyjson_obj_get(map, "host"));
	agentd->collective = yyjson_get_str(yyjson_obj_get(map, "collective"));
	agentd->login = (struct w_nats_login){
	    .server = yyjson_get_str(yyjson_obj_get(map, "server")),
	    .ca = yyjson_get_str(yyjson_obj_get(map, "ca")),
	    .name = agentd->host,
	    .inbox = inbox,
	    .nkey = yyjson_get_str(yyjson_obj_get(map, "nkey")),
	    .seed = yyjson_get_str(yyjson_obj_get(map, "seed")),
	    .waits = true,
	    .on_closed = on_closed,
	};
	if (agentd->host == NULL || agentd->collective == NULL ||
	    agentd->login.server == NULL || agentd->login.nkey == NULL ||
	    agentd->login.seed == NULL)
		return w_fail(err, WRIT_E_INVALID, "agentd", 0,
		    "the executor's settings are not complete");
	(void)snprintf(inbox, sizeof(inbox), "_IN.%s.%s", agentd->collective,
	    agentd->host);
	return WRIT_OK;
}

static writ_status
connect_all(struct w_agentd *agentd, writ_error *err)
{
	pthread_t thread;

	writ_status status =
	    w_nats_connect(&agentd->login, &agentd->connection, err);
	if (status != WRIT_OK)
		return status;
	natsStatus made = natsConnection_JetStream(
	    &agentd->stream_api, agentd->connection, NULL);
	if (made != NATS_OK)
		return w_nats_fail(err, made, "use JetStream");
	status = w_agentd_listen(agentd, err);
	if (status != WRIT_OK)
		return status;
	int failed = pthread_create(&thread, NULL, w_agentd_work, agentd);
	return failed == 0 ? WRIT_OK
			   : w_fail(err, WRIT_E_SYSTEM, "agentd", failed,
				 "cannot start a thread");
}

/* ---- the loop ---- */

static writ_status
take_frame(
    struct w_agentd *agentd, const struct w_fleet_frame *frame, writ_error *err)
{
	if (agentd->settings == NULL) {
		writ_status status = take_settings(agentd, frame, err);

		return status == WRIT_OK ? connect_all(agentd, err) : status;
	}
	return w_agentd_take(agentd, frame)
		   ? WRIT_OK
		   : w_fail(err, WRIT_E_INVALID, "agentd", 0,
			 "the executor sent what it does not send");
}

static writ_status
take_frames(struct w_agentd *agentd, struct w_buf *in, writ_error *err)
{
	struct w_fleet_frame frame;
	size_t used = 0;
	size_t at = 0;

	do {
		writ_status status = w_fleet_frame_read(
		    in->data + at, in->len - at, &frame, &used, err);

		if (status == WRIT_OK && used > 0)
			status = take_frame(agentd, &frame, err);
		if (status != WRIT_OK)
			return status;
		at += used;
	} while (used > 0);
	in->len -= at;
	memmove(in->data, in->data + at, in->len + 1);
	return WRIT_OK;
}

static int
loop(struct w_agentd *agentd)
{
	struct pollfd wait = {.fd = agentd->link, .events = POLLIN};
	char part[8192];
	W_AUTO_BUF struct w_buf in;
	int wait_ms = -1;
	writ_error err;

	w_buf_init(&in, IN_MAX);
	for (;;) {
		if (poll(&wait, 1, wait_ms) < 0 && errno != EINTR)
			return 1;
		if (wait.revents != 0) {
			ssize_t got = recv(agentd->link, part, sizeof(part), 0);

			if (got == 0)
				return 0; /* the executor has ended */
			if (got < 0 && errno != EINTR)
				return 1;
			if (got > 0)
				w_buf_add(&in, part, (size_t)got);
			if (in.failed ||
			    take_frames(agentd, &in, &err) != WRIT_OK) {
				(void)fprintf(stderr, "writ-agentd: %s\n",
				    in.failed ? "no memory" : err.message);
				return 1;
			}
		}
		wait_ms = w_agentd_publish(agentd);
	}
}

int
main(int argc, char **argv)
{
	static struct w_agentd agentd = {.link = LINK_FD};

	if (argc == 1)
		return become_executor();
	if (argc != 2 || strcmp(argv[1], "--link") != 0) {
		(void)fprintf(stderr, "usage: writ-agentd\n"
				      "see writ-fleet(1)\n");
		return 2;
	}
	(void)pthread_mutex_init(&agentd.write_lock, NULL);
	(void)pthread_mutex_init(&agentd.ticket_lock, NULL);
	/* What the library holds goes with the process. */
	_exit(loop(&agentd));
}
