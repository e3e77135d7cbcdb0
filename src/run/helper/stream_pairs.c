/* SPDX-License-Identifier: Apache-2.0 */

/* Copies between pairs of sockets; see stream_pairs.h. */

#include "run/helper/stream_pairs.h"

#include <errno.h>
#include <sys/socket.h>

#include "os/syscall.h"

static void
stream_pair_close(struct stream_pair *pair)
{
	for (int i = 0; i < 2; i++) {
		if (pair->fds[i] >= 0)
			(void)w_sys1(__NR_close, pair->fds[i]);
		pair->fds[i] = -1;
	}
}

void
stream_pair_open(struct stream_pair *pair, int from, int to, char *bytes)
{
	pair->fds[0] = from;
	pair->fds[1] = to;
	pair->is_connecting = 0;
	for (int i = 0; i < 2; i++) {
		pair->flows[i].at = 0;
		pair->flows[i].len = 0;
		pair->flows[i].has_ended = 0;
		pair->flows[i].is_shut = 0;
		pair->flows[i].buf = bytes + i * STREAM_PAIR_BYTES;
	}
}

int
stream_pair_is_free(const struct stream_pair *pair)
{
	return pair->fds[0] < 0;
}

void
stream_pair_reset(struct stream_pair *pair)
{
	/* A close() that throws away what was not sent: TCP sends a reset. */
	static const struct linger none = {.l_onoff = 1, .l_linger = 0};

	for (int i = 0; i < 2; i++) {
		if (pair->fds[i] >= 0)
			(void)w_sys5(__NR_setsockopt, pair->fds[i], SOL_SOCKET,
			    SO_LINGER, &none, sizeof(none));
	}
	stream_pair_close(pair);
}

/* Only what is waited for: a socket whose other end is gone for good would wake
 * us without end. */
void
stream_pair_fill(
    const struct stream_pair *pair, struct pollfd polls[STREAM_PAIR_POLLS])
{
	for (int i = 0; i < 2; i++) {
		const struct stream_flow *in = &pair->flows[i];
		const struct stream_flow *out = &pair->flows[1 - i];
		short events = 0;

		if (pair->is_connecting) {
			events = i == 1 ? POLLOUT : 0;
		} else {
			if (!in->has_ended && in->len == 0)
				events |= POLLIN;
			if (out->len > 0)
				events |= POLLOUT;
		}
		polls[i] = (struct pollfd){
		    .fd = events != 0 ? pair->fds[i] : -1, .events = events};
	}
}

static int
is_later(long n)
{
	return n == -EAGAIN || n == -EINTR;
}

/* -1: it was reset. */
static int
stream_flow_read(struct stream_flow *flow, int fd)
{
	if (flow->has_ended || flow->len > 0)
		return 0;
	const long n = w_sys3(__NR_read, fd, flow->buf, STREAM_PAIR_BYTES);
	if (is_later(n))
		return 0;
	if (n < 0)
		return -1;
	flow->at = 0;
	flow->len = (size_t)n;
	flow->has_ended = n == 0;
	return 0;
}

static int
stream_flow_write(struct stream_flow *flow, int fd)
{
	while (flow->len > 0) {
		const long n =
		    w_sys6(__NR_sendto, fd, (long)(flow->buf + flow->at),
			(long)flow->len, MSG_NOSIGNAL, 0, 0);

		if (is_later(n))
			return 0;
		if (n < 0)
			return -1;
		flow->at += (size_t)n;
		flow->len -= (size_t)n;
	}
	if (flow->has_ended && !flow->is_shut) {
		flow->is_shut = 1;
		/* It may have closed already: then its own end tells. */
		(void)w_sys2(__NR_shutdown, fd, SHUT_WR);
	}
	return 0;
}

void
stream_pair_step(
    struct stream_pair *pair, const struct pollfd polls[STREAM_PAIR_POLLS])
{
	for (int i = 0; i < 2; i++) {
		struct stream_flow *flow = &pair->flows[i];

		if ((polls[i].revents != 0 &&
			stream_flow_read(flow, pair->fds[i]) < 0) ||
		    stream_flow_write(flow, pair->fds[1 - i]) < 0) {
			stream_pair_reset(pair);
			return;
		}
	}
	if (pair->flows[0].is_shut && pair->flows[1].is_shut)
		stream_pair_close(pair);
}
