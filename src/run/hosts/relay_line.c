/* SPDX-License-Identifier: Apache-2.0 */

/* An engine's line to a relay; see relay_line.h. */

#include "run/hosts/relay_line.h"

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/auto.h"
#include "os/file.h"
#include "run/hosts/relay_start.h"

enum {
	TURN = 256,         /* packets, then it is others' turn */
	FLUSH_MS = 1000,    /* a relay answers within a millisecond */
	FLUSH_END_MS = 5000 /* it may have bytes to deliver */
};

union packet {
	uint32_t kind;
	struct w_relay_ask ask;
	struct w_relay_answer answer;
	struct w_relay_record record;
};

static void
lose(struct w_relay_line *line)
{
	w_relay_line_close(line);
	line->judge->lost(line->judge->ctx);
}

void
w_relay_line_answer(struct w_relay_line *line, uint64_t ticket,
    const struct w_relay_saying *saying)
{
	const struct w_relay_answer answer = {
	    .kind = W_RELAY_ANSWER,
	    .verdict = saying->said == W_RELAY_SAID_YES ? W_RELAY_YES
		       : saying->said == W_RELAY_SAID_COULD_ASK
			   ? W_RELAY_COULD_ASK
			   : W_RELAY_NO,
	    .ticket = ticket,
	    .rule = saying->rule,
	    .asks_addresses = saying->asks_addresses,
	    .holds = saying->holds,
	};

	/* It reads: its answers are smaller than its questions, of which it
	 * sends no more than it has room for. */
	if (line->source.fd >= 0)
		(void)send(
		    line->source.fd, &answer, sizeof(answer), MSG_NOSIGNAL);
}

/* A text of the relay ends within its array, whatever it sent. */
static void
line_serve(struct w_relay_line *line, union packet *packet, size_t len)
{
	const struct w_relay_judge *judge = line->judge;

	if (packet->kind == W_RELAY_ASK && len == sizeof(packet->ask)) {
		packet->ask.name[W_RELAY_NAME_MAX] = '\0';
		const struct w_relay_saying saying =
		    judge->ask(judge->ctx, &packet->ask);
		if (saying.said != W_RELAY_SAID_LATER)
			w_relay_line_answer(line, packet->ask.ticket, &saying);
	} else if (packet->kind == W_RELAY_CANCEL &&
		   len == sizeof(packet->answer)) {
		judge->cancel(judge->ctx, packet->answer.ticket);
	} else if (packet->kind == W_RELAY_FLUSHED &&
		   len == sizeof(packet->answer)) {
		line->flushed = packet->answer.ticket;
	} else if (packet->kind == W_RELAY_RECORD &&
		   len == sizeof(packet->record)) {
		packet->record.name[W_RELAY_NAME_MAX] = '\0';
		packet->record.other[W_RELAY_NAME_MAX] = '\0';
		if (packet->record.reason >= W_RELAY_REASON_COUNT)
			packet->record.reason = W_RELAY_REASON_CUT;
		judge->record(judge->ctx, &packet->record);
	}
}

static void
line_read(struct w_relay_line *line)
{
	union packet packet;

	for (int i = 0; i < TURN && line->source.fd >= 0; i++) {
		const ssize_t n = recv(
		    line->source.fd, &packet, sizeof(packet), MSG_DONTWAIT);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n < (ssize_t)sizeof(packet.kind)) {
			lose(line);
			return;
		}
		line_serve(line, &packet, (size_t)n);
	}
}

static void
relay_line_on_event(struct w_source *source, uint32_t events)
{
	(void)events;
	line_read(W_CONTAINER_OF(source, struct w_relay_line, source));
}

int
w_relay_line_open(struct w_relay_line *line, struct w_loop *loop, int control,
    const struct w_relay_judge *judge)
{
	int fd = -1;

	*line = (struct w_relay_line){
	    .source = {.fd = -1}, .loop = loop, .judge = judge};
	int error = w_relay_attach(control, &fd);
	if (error != 0)
		return error;
	line->source = (struct w_source){.fd = fd, .fn = relay_line_on_event};
	error = w_loop_add(loop, &line->source, EPOLLIN | EPOLLRDHUP);
	if (error != 0) {
		line->source.fd = -1;
		w_close(&fd);
	}
	return error;
}

void
w_relay_line_close(struct w_relay_line *line)
{
	int fd = line->source.fd;

	if (fd < 0)
		return;
	w_loop_remove(line->loop, &line->source);
	line->source.fd = -1;
	w_close(&fd);
}

bool
w_relay_line_flush(struct w_relay_line *line, bool is_end)
{
	const struct w_relay_answer flush = {
	    .kind = W_RELAY_FLUSH,
	    .verdict = is_end,
	    .ticket = ++line->flushes,
	};
	const uint64_t due_ns =
	    w_now_ns() + (is_end ? FLUSH_END_MS : FLUSH_MS) * W_NS_PER_MS;

	if (line->source.fd < 0 ||
	    send(line->source.fd, &flush, sizeof(flush), MSG_NOSIGNAL) < 0)
		return false;
	while (line->source.fd >= 0 && line->flushed < line->flushes) {
		struct pollfd poll_in = {
		    .fd = line->source.fd, .events = POLLIN};
		const uint64_t now_ns = w_now_ns();

		if (now_ns >= due_ns)
			return false;
		const int ready = poll(
		    &poll_in, 1, (int)((due_ns - now_ns) / W_NS_PER_MS) + 1);
		if (ready > 0)
			line_read(line);
	}
	return line->source.fd >= 0;
}

bool
w_relay_is_refusal(uint32_t reason)
{
	switch ((enum w_relay_reason)reason) {
	case W_RELAY_REASON_NONE:
	case W_RELAY_REASON_NOT_FOUND:
	case W_RELAY_REASON_NO_SERVER:
	case W_RELAY_REASON_UNREACHABLE:
	case W_RELAY_REASON_PROXY:
	case W_RELAY_REASON_SHORT:
	case W_RELAY_REASON_TIMEOUT:
	case W_RELAY_REASON_CUT:
		return false;
	case W_RELAY_REASON_POLICY:
	case W_RELAY_REASON_NO_LOOKUP:
	case W_RELAY_REASON_PRIVATE:
	case W_RELAY_REASON_SNI_MISSING:
	case W_RELAY_REASON_SNI_OTHER:
	case W_RELAY_REASON_ECH:
	case W_RELAY_REASON_TLS_BAD:
	case W_RELAY_REASON_NOT_TLS:
	case W_RELAY_REASON_NOT_HTTP:
	case W_RELAY_REASON_HTTP_OTHER:
	case W_RELAY_REASON_HTTP_MISSING:
	case W_RELAY_REASON_HTTP_BAD:
	case W_RELAY_REASON_HTTP_CONNECT:
	case W_RELAY_REASON_TOO_MANY:
	case W_RELAY_REASON_COUNT:
		break;
	}
	return true;
}
