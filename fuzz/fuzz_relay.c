/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the relay of a session with hosts reads: queries and answers of the DNS,
 * a ClientHello, requests of HTTP, the answer of a proxy, a hosts file. The
 * first byte says what the rest is.
 */

#include "run/relay/dns_message.h"
#include "run/relay/http_watch.h"
#include "run/relay/net_address.h"
#include "run/relay/proxy_answer.h"
#include "run/relay/tls_hello.h"

#include "check.h"

#include "base/auto.h"

static const char host[] = "good.example";

static void
check_query(const uint8_t *data, size_t size)
{
	struct dns_question question;
	struct dns_addresses found;
	uint8_t out[DNS_QUERY_MAX], again[DNS_QUERY_MAX];
	const struct w_relay_address address = {
	    .family = 4, .bytes = {198, 18, 0, 1}};

	if (!dns_query_read(data, size, &question))
		return;
	CHECK(question.name_len <= W_RELAY_NAME_MAX);
	CHECK(strlen(question.name) == question.name_len);
	CHECK(question.end <= size);
	const size_t len =
	    dns_answer_write(data, &question, DNS_CODE_OK, &address, out);
	CHECK(len >= question.end && len <= DNS_QUERY_MAX);
	if (question.name_len == 0 || question.type != DNS_TYPE_A ||
	    question.class != 1)
		return;
	/* A client of ours takes the answer of a server of ours. */
	const size_t asked = dns_query_write(
	    question.id, question.name, question.name_len, DNS_TYPE_A, again);
	if (asked != 0 && asked == question.end && len > question.end) {
		CHECK(dns_answer_read(out, len, again, asked, &found));
		CHECK(found.count == 1 && found.items[0].bytes[0] == 198);
	}
}

static void
check_answer(const uint8_t *data, size_t size)
{
	uint8_t query[DNS_QUERY_MAX];
	struct dns_addresses found;

	for (int v6 = 0; v6 < 2; v6++) {
		const size_t len = dns_query_write(0x1234, host,
		    sizeof(host) - 1, v6 ? DNS_TYPE_AAAA : DNS_TYPE_A, query);

		if (!dns_answer_read(data, size, query, len, &found))
			continue;
		CHECK(found.count <= DNS_ADDRESSES_MAX);
		for (uint32_t i = 0; i < found.count; i++)
			CHECK(found.items[i].family == (v6 ? 6U : 4U));
	}
}

static void
check_hello(const uint8_t *data, size_t size)
{
	static uint8_t scratch[TLS_HELLO_MAX];
	char name[TLS_NAME_MAX + 1];
	size_t len = 0;
	const enum tls_hello whole =
	    tls_hello_read(data, size, scratch, name, &len);

	CHECK(len <= TLS_NAME_MAX);
	CHECK(whole != TLS_HELLO_NAMED || len > 0);
	if (whole == TLS_HELLO_BAD || size >= TLS_HELLO_MAX)
		return;
	/* One that comes in pieces is waited for. */
	for (size_t i = 0; i < size; i += 1 + size / 64) {
		const enum tls_hello part =
		    tls_hello_read(data, i, scratch, name, &len);

		CHECK(part == TLS_HELLO_MORE || part == whole);
	}
}

/* How much of a stream passes when it comes in pieces of this size. */
static size_t
pass_in_pieces(
    const uint8_t *data, size_t size, size_t piece, bool *out_refused)
{
	struct http_watch watch = {.state = HTTP_AT_HEAD};
	struct http_look look = {.pass = 0};
	size_t at = 0, end = 0;

	*out_refused = false;
	for (;;) {
		if (watch.state == HTTP_AT_UPGRADE)
			return at;
		if (at == end) {
			if (end == size)
				return at;
			end = size - end < piece ? size : end + piece;
		}
		http_watch_look(
		    &watch, data + at, end - at, host, sizeof(host) - 1, &look);
		if (look.refused != W_RELAY_REASON_NONE) {
			CHECK(look.pass == 0);
			CHECK(look.other_len <= W_RELAY_NAME_MAX);
			*out_refused = true;
			return at;
		}
		if (look.pass > size - at)
			return size; /* the body goes on */
		if (look.pass > end - at)
			end = at + (size_t)look.pass;
		if (look.pass == 0) {
			if (end == size)
				return at;
			end = size - end < piece ? size : end + piece;
		}
		at += (size_t)look.pass;
	}
}

static void
check_http(const uint8_t *data, size_t size)
{
	bool is_refused, is_refused_slowly;

	if (size > 4096)
		size = 4096;
	(void)http_guess(data, size);
	const size_t at = pass_in_pieces(data, size, size + 1, &is_refused);
	const size_t slow = pass_in_pieces(data, size, 1, &is_refused_slowly);
	CHECK(at <= size && at == slow);
	CHECK(is_refused == is_refused_slowly);
	CHECK(at == 0 || size < 8 || memcmp(data, "CONNECT ", 8) != 0);
}

static void
check_proxy(const uint8_t *data, size_t size)
{
	char request[PROXY_REQUEST_MAX], text[256];
	const long end = proxy_answer_read(data, size);

	CHECK(end <= (long)size);
	CHECK(end <= 0 || data[end - 1] == '\n');
	if (size >= sizeof(text))
		size = sizeof(text) - 1;
	memcpy(text, data, size);
	text[size] = '\0';
	CHECK(proxy_request_write(text, 65535, text, request) <=
	      PROXY_REQUEST_MAX);
	(void)proxy_is_bypassed(text, host, sizeof(host) - 1);
}

static void
check_hosts(const uint8_t *data, size_t size)
{
	struct w_relay_address found[DNS_ADDRESSES_MAX];
	char text[NET_ADDRESS_TEXT];
	const size_t count = hosts_file_find((const char *)data, size, host,
	    sizeof(host) - 1, found, DNS_ADDRESSES_MAX);

	CHECK(count <= DNS_ADDRESSES_MAX);
	for (size_t i = 0; i < count; i++)
		(void)net_address_is_private(&found[i]);
	if (!net_address_read((const char *)data, size, &found[0]) ||
	    found[0].family != 4)
		return;
	const uint8_t *bytes = found[0].bytes;
	const size_t len = net_address_write(
	    (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 |
		(uint32_t)bytes[2] << 8 | bytes[3],
	    text);
	CHECK(len == size && memcmp(text, data, size) == 0);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	/* The exact size, so that a read beyond it is seen. */
	W_AUTO_FREE uint8_t *copy = malloc(size - 1 > 0 ? size - 1 : 1);
	if (copy == NULL)
		return 0;
	memcpy(copy, data + 1, size - 1);
	switch (data[0]) {
	case 'q':
		check_query(copy, size - 1);
		break;
	case 'a':
		check_answer(copy, size - 1);
		break;
	case 't':
		check_hello(copy, size - 1);
		break;
	case 'h':
		check_http(copy, size - 1);
		break;
	case 'p':
		check_proxy(copy, size - 1);
		break;
	default:
		check_hosts(copy, size - 1);
		break;
	}
	return 0;
}
