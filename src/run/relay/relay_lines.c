/* SPDX-License-Identifier: Apache-2.0 */

/* The lines of engines: questions, answers and records. */

#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>

#include "os/syscall.h"
#include "run/relay/relay.h"

enum {
	RECORDS = 2048, /* that wait for an engine */
	FLUSH_MS = 3000
};

struct relay_line {
	int fd; /* 0: free */
	uint32_t order;
	uint64_t flush; /* a ticket that waits; 0: none */
	uint8_t is_end; /* of all runs */
	uint64_t flush_due_ms;
};

static struct relay_line lines[RELAY_LINES];
static uint32_t last_order;
static struct w_relay_record *records; /* a ring */
static uint32_t first_record, record_count, lost;
static int has_blocked; /* questions that found no room */

void
relay_lines_init(void)
{
	records = relay_map(RECORDS * sizeof(*records));
}

/* The engine that came last, of those before this one; RELAY_NONE: of all. */
static int
line_before(int line)
{
	const uint32_t order =
	    line == RELAY_NONE ? UINT32_MAX : lines[line].order;
	int best = RELAY_NONE;

	for (int i = 0; i < RELAY_LINES; i++)
		if (lines[i].fd > 0 && lines[i].order < order &&
		    (best == RELAY_NONE || lines[i].order > lines[best].order))
			best = i;
	return best;
}

static long
line_send(int line, const void *packet, size_t len)
{
	return w_sys6(__NR_sendto, lines[line].fd, (long)packet, (long)len,
	    MSG_NOSIGNAL | MSG_DONTWAIT, 0, 0);
}

static void
line_drop(int line)
{
	(void)w_sys1(__NR_close, lines[line].fd);
	if (lines[line].flush != 0)
		relay.timed--;
	lines[line].fd = 0;
	lines[line].flush = 0;
	dns_service_ask_again(line);
	relay_conns_ask_again(line);
}

/* ---- records ---- */

static void
send_records(void)
{
	const int line = line_before(RELAY_NONE);

	while (line != RELAY_NONE && record_count > 0) {
		struct w_relay_record *record = &records[first_record];

		if (line_send(line, record, sizeof(*record)) < 0)
			return;
		first_record = (first_record + 1) % RECORDS;
		record_count--;
	}
}

void
relay_lines_record(struct w_relay_record *record)
{
	if (record_count == RECORDS) {
		lost++;
		return;
	}
	record->kind = W_RELAY_RECORD;
	record->lost = lost;
	lost = 0;
	records[(first_record + record_count++) % RECORDS] = *record;
	send_records();
}

/* ---- questions ---- */

static int
line_ask(int line, const struct w_relay_ask *ask, int *out_line)
{
	const long ret = line_send(line, ask, sizeof(*ask));
	/* An engine that does not read is asked again when it does. */
	if (ret < 0 && ret != -EAGAIN && ret != -ENOBUFS)
		return 0;
	has_blocked |= ret < 0;
	*out_line = ret < 0 ? RELAY_LINES : line;
	return 1;
}

int
relay_lines_ask(struct w_relay_ask *ask, int before, int *out_line)
{
	const int line = line_before(before);

	*out_line = RELAY_NONE;
	if (line == RELAY_NONE)
		return 0;
	ask->is_last = line_before(line) == RELAY_NONE;
	return line_ask(line, ask, out_line);
}

int
relay_lines_ask_last(struct w_relay_ask *ask, uint32_t order, int *out_line)
{
	*out_line = RELAY_NONE;
	for (int i = 0; i < RELAY_LINES; i++) {
		if (lines[i].fd <= 0 || lines[i].order != order)
			continue;
		ask->is_last = 1;
		return line_ask(i, ask, out_line);
	}
	return 0;
}

uint32_t
relay_lines_order(int line)
{
	return line >= 0 && line < RELAY_LINES && lines[line].fd > 0
		   ? lines[line].order
		   : 0;
}

int
relay_lines_has(uint32_t order)
{
	for (int i = 0; i < RELAY_LINES; i++)
		if (lines[i].fd > 0 && lines[i].order == order)
			return 1;
	return 0;
}

void
relay_lines_cancel(int line, uint64_t ticket)
{
	const struct w_relay_answer cancel = {
	    .kind = W_RELAY_CANCEL, .ticket = ticket};

	if (line >= 0 && line < RELAY_LINES && lines[line].fd > 0)
		(void)line_send(line, &cancel, sizeof(cancel));
}

/* ---- lines ---- */

void
relay_lines_attach(int fd)
{
	for (uint32_t i = 0; i < RELAY_LINES; i++) {
		if (lines[i].fd > 0)
			continue;
		lines[i] = (struct relay_line){.fd = fd, .order = ++last_order};
		if (relay_watch(fd, RELAY_LINE, i,
			EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET) < 0)
			break;
		return;
	}
	(void)w_sys1(__NR_close, fd);
}

static void
line_take(int line, const struct w_relay_answer *answer)
{
	if (answer->kind == W_RELAY_FLUSH) {
		relay.timed += lines[line].flush == 0;
		lines[line].flush = answer->ticket;
		lines[line].is_end = answer->verdict != 0;
		lines[line].flush_due_ms = relay.now_ms + FLUSH_MS;
		return;
	}
	if (answer->kind != W_RELAY_ANSWER)
		return;
	if (answer->ticket >> 60 == RELAY_TICKET_LOOKUP)
		dns_service_answer(answer);
	else
		relay_conns_answer(answer);
}

void
relay_line_event(uint32_t index)
{
	struct w_relay_answer answer;

	while (lines[index].fd > 0) {
		const long n = w_sys6(__NR_recvfrom, lines[index].fd,
		    (long)&answer, sizeof(answer), MSG_DONTWAIT, 0, 0);

		if (n == -EINTR)
			continue;
		if (n == -EAGAIN)
			break;
		if (n != sizeof(answer)) {
			line_drop((int)index);
			return;
		}
		line_take((int)index, &answer);
	}
	/* It may take again what it had no room for. */
	send_records();
	if (!has_blocked)
		return;
	has_blocked = 0;
	dns_service_ask_again(RELAY_LINES);
	relay_conns_ask_again(RELAY_LINES);
}

int
relay_lines_settle(int is_quiet)
{
	int is_waiting = 0;

	for (int i = 0; i < RELAY_LINES; i++) {
		struct relay_line *line = &lines[i];
		struct w_relay_answer done = {
		    .kind = W_RELAY_FLUSHED, .ticket = line->flush};

		if (line->fd <= 0 || line->flush == 0)
			continue;
		const int is_late = relay.now_ms >= line->flush_due_ms;
		if (!is_late &&
		    (!is_quiet || (line->is_end && !relay_conns_end_left(0)))) {
			is_waiting |= !is_quiet;
			continue;
		}
		if (line->is_end)
			(void)relay_conns_end_left(1);
		send_records();
		if (record_count > 0 && !is_late)
			continue;
		(void)line_send(i, &done, sizeof(done));
		line->flush = 0;
		relay.timed--;
	}
	return is_waiting;
}
