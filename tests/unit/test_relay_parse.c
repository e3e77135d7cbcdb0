/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "run/relay/dns_message.h"
#include "run/relay/http_watch.h"
#include "run/relay/net_address.h"
#include "run/relay/proxy_answer.h"
#include "run/relay/tls_hello.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

static const char host[] = "good.example";

/* ---- addresses ---- */

static void
addresses_of_no_internet_are_private(void **state)
{
	static const struct {
		const char *text;
		int is_private;
	} cases[] = {
	    {"0.0.0.0", 1},
	    {"10.1.2.3", 1},
	    {"100.64.0.1", 1},
	    {"100.128.0.1", 0},
	    {"127.8.8.8", 1},
	    {"169.254.169.254", 1},
	    {"172.15.0.1", 0},
	    {"172.16.0.1", 1},
	    {"172.31.255.255", 1},
	    {"172.32.0.1", 0},
	    {"192.168.1.1", 1},
	    {"192.169.1.1", 0},
	    {"198.18.0.1", 1},
	    {"198.20.0.1", 0},
	    {"224.0.0.1", 1},
	    {"255.255.255.255", 1},
	    {"8.8.8.8", 0},
	    {"203.0.113.1", 0},
	    {"::", 1},
	    {"::1", 1},
	    {"::ffff:0a01:0203", 1},
	    {"::ffff:0808:0808", 0},
	    {"::a01:203", 1},
	    {"fe80::1", 1},
	    {"fc00::1", 1},
	    {"fd12:3456::1", 1},
	    {"fec0::1", 1},
	    {"ff02::1", 1},
	    {"64:ff9b::a9fe:a9fe", 1},
	    {"64:ff9b::808:808", 0},
	    {"64:ff9b:1::1", 1},
	    {"2002:a00:1::1", 1},
	    {"2002:808:808::1", 0},
	    {"2001::1", 1},
	    {"2606:4700::1", 0},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		struct w_relay_address address;

		if (!net_address_read(
			cases[i].text, strlen(cases[i].text), &address) ||
		    net_address_is_private(&address) != cases[i].is_private)
			fail_msg("%s", cases[i].text);
	}
}

static void
what_is_no_address_is_not_read(void **state)
{
	static const char *const cases[] = {"", "1", "1.2.3", "1.2.3.4.5",
	    "1.2.3.256", "01.2.3.4", "1.2.3.4 ", "0x7f.1", ":", ":::", "1:2",
	    "1::2::3", "12345::", "::g", "1:2:3:4:5:6:7:8:9",
	    "1:2:3:4:5:6:7:", "fe80::1%lo"};
	struct w_relay_address address;

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++)
		if (net_address_read(cases[i], strlen(cases[i]), &address))
			fail_msg("'%s' was read", cases[i]);
}

static void
a_hosts_file_is_searched_by_whole_names(void **state)
{
	static const char text[] = "# 10.0.0.9 good.example\n"
				   "10.0.0.1 other.good.example\n"
				   "10.0.0.2\tGOOD.example. x # y\n"
				   "bad good.example\n"
				   "::1 a good.example";
	struct w_relay_address found[4];

	(void)state;
	assert_int_equal(hosts_file_find(text, strlen(text), host, strlen(host),
			     found, COUNT(found)),
	    2);
	assert_int_equal(found[0].bytes[3], 2);
	assert_int_equal(found[1].family, 6);
}

/* ---- the DNS ---- */

static size_t
make_query(const char *name, uint16_t type, uint8_t out[DNS_QUERY_MAX])
{
	return dns_query_write(7, name, strlen(name), type, out);
}

static void
a_query_is_read_and_answered(void **state)
{
	uint8_t query[DNS_QUERY_MAX], answer[DNS_QUERY_MAX];
	const struct w_relay_address address = {
	    .family = 4, .bytes = {198, 18, 0, 9}};
	struct dns_question question;
	struct dns_addresses found;
	const size_t len = make_query("Good.Example", DNS_TYPE_A, query);

	(void)state;
	assert_true(dns_query_read(query, len, &question));
	assert_string_equal(question.name, host);
	const size_t n =
	    dns_answer_write(query, &question, DNS_CODE_OK, &address, answer);
	assert_true(dns_answer_read(answer, n, query, len, &found));
	assert_int_equal(found.count, 1);
	assert_memory_equal(found.items[0].bytes, address.bytes, 4);
	/* Of another query. */
	query[1]++;
	assert_false(dns_answer_read(answer, n, query, len, &found));
	query[1]--;
	query[14] ^= 1;
	assert_false(dns_answer_read(answer, n, query, len, &found));
}

static void
a_query_that_is_cut_is_not_read(void **state)
{
	uint8_t query[DNS_QUERY_MAX];
	struct dns_question question;
	const size_t len = make_query(host, DNS_TYPE_A, query);

	(void)state;
	for (size_t i = 0; i < len; i++)
		assert_false(dns_query_read(query, i, &question));
	query[12] = 0xc0; /* a pointer */
	assert_false(dns_query_read(query, len, &question));
	query[12] = 4;
	query[13] = '\0'; /* no byte of a host's name */
	assert_true(dns_query_read(query, len, &question));
	assert_int_equal(question.name_len, 0);
}

/* ---- TLS ---- */

struct bytes {
	uint8_t data[1024];
	size_t len;
};

static void
put(struct bytes *to, const void *data, size_t len)
{
	memcpy(to->data + to->len, data, len);
	to->len += len;
}

static void
put_extension(struct bytes *to, unsigned kind, const char *name)
{
	const size_t len = strlen(name);
	const uint8_t head[] = {(uint8_t)(kind >> 8), (uint8_t)kind, 0,
	    (uint8_t)(len + 5), 0, (uint8_t)(len + 3), 0, 0, (uint8_t)len};

	put(to, head, sizeof(head));
	put(to, name, len);
}

/* A ClientHello in records of this size. */
static struct bytes
hello_of(const struct bytes *extensions, size_t record)
{
	struct bytes body = {.len = 0}, message = {.len = 0}, out = {.len = 0};
	const uint8_t front[34] = {3, 3}, middle[] = {0, 0, 2, 0x13, 1, 1, 0};

	put(&body, front, sizeof(front));
	put(&body, middle, sizeof(middle));
	if (extensions != NULL) {
		const uint8_t len[] = {
		    (uint8_t)(extensions->len >> 8), (uint8_t)extensions->len};

		put(&body, len, 2);
		put(&body, extensions->data, extensions->len);
	}
	const uint8_t head[] = {
	    1, 0, (uint8_t)(body.len >> 8), (uint8_t)body.len};
	put(&message, head, 4);
	put(&message, body.data, body.len);
	for (size_t at = 0; at < message.len; at += record) {
		const size_t n =
		    message.len - at < record ? message.len - at : record;
		const uint8_t r[] = {0x16, 3, 1, (uint8_t)(n >> 8), (uint8_t)n};

		put(&out, r, 5);
		put(&out, message.data + at, n);
	}
	return out;
}

static enum tls_hello
look(const struct bytes *hello, char *name)
{
	static uint8_t scratch[TLS_HELLO_MAX];
	size_t len;

	return tls_hello_read(hello->data, hello->len, scratch, name, &len);
}

static void
the_name_of_a_hello_is_found_in_any_records(void **state)
{
	char name[TLS_NAME_MAX + 1];
	struct bytes extensions = {.len = 0};

	(void)state;
	put_extension(&extensions, 0x1234, "x");
	put_extension(&extensions, 0, host);
	for (size_t record = 1; record < 200; record += 13) {
		struct bytes hello = hello_of(&extensions, record);

		assert_int_equal(look(&hello, name), TLS_HELLO_NAMED);
		assert_string_equal(name, host);
		hello.len--;
		assert_int_equal(look(&hello, name), TLS_HELLO_MORE);
	}
}

static void
a_hello_that_could_be_read_twice_is_bad(void **state)
{
	char name[TLS_NAME_MAX + 1];
	struct bytes extensions = {.len = 0};
	struct bytes hello = hello_of(NULL, 999);

	(void)state;
	assert_int_equal(look(&hello, name), TLS_HELLO_NAMELESS);
	put_extension(&extensions, 0, host);
	put_extension(&extensions, 0, "evil.example");
	hello = hello_of(&extensions, 999);
	assert_int_equal(look(&hello, name), TLS_HELLO_BAD);
	extensions.len = 0;
	put_extension(&extensions, 0, host);
	put_extension(&extensions, 0xfe0d, "hidden");
	hello = hello_of(&extensions, 999);
	assert_int_equal(look(&hello, name), TLS_HELLO_ECH);
	hello.data[5] = 2; /* a ServerHello */
	assert_int_equal(look(&hello, name), TLS_HELLO_BAD);
}

/* ---- HTTP ---- */

/* Follows a stream to its end. */
static enum w_relay_reason
follow(const char *text, size_t *out_passed)
{
	struct http_watch watch = {.state = HTTP_AT_HEAD};
	struct http_look seen = {.pass = 0};
	size_t at = 0;

	while (at < strlen(text) && watch.state != HTTP_AT_UPGRADE) {
		http_watch_look(&watch, (const uint8_t *)text + at,
		    strlen(text) - at, host, strlen(host), &seen);
		if (seen.refused != W_RELAY_REASON_NONE || seen.pass == 0)
			break;
		at += (size_t)seen.pass;
	}
	*out_passed = at;
	return seen.refused;
}

#define GET "GET / HTTP/1.1\r\nHost: good.example\r\n"

static void
requests_for_the_host_pass(void **state)
{
	static const char *const cases[] = {
	    GET "\r\n",
	    GET "\r\n" GET "Accept: */*\r\n\r\n",
	    "GET / HTTP/1.0\r\nhost:GOOD.example.:80 \r\n\r\n",
	    "GET http://good.example/x HTTP/1.1\r\nHost: good.example\r\n\r\n",
	    "OPTIONS * HTTP/1.1\r\nHost: good.example\r\n\r\n",
	    "POST / HTTP/1.1\r\nHost: good.example\r\nContent-Length: "
	    "3\r\n\r\nabc" GET "\r\n",
	    "POST / HTTP/1.1\r\nHost: good.example\r\nTransfer-Encoding: "
	    "chunked\r\n\r\n3;x=y\r\nabc\r\n0\r\nT: 1\r\n\r\n" GET "\r\n",
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t passed;
		const enum w_relay_reason reason = follow(cases[i], &passed);

		if (reason != W_RELAY_REASON_NONE || passed != strlen(cases[i]))
			fail_msg("%zu: %s", passed, cases[i]);
	}
}

static void
requests_for_others_do_not_pass(void **state)
{
	static const struct {
		const char *text;
		size_t passes;
		enum w_relay_reason reason;
	} cases[] = {
#define CASE(text, passes, reason) {text, passes, W_RELAY_REASON_##reason}
	    CASE("GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n", 0, HTTP_OTHER),
	    CASE("GET / HTTP/1.1\r\nHost: good.example.evil\r\n\r\n", 0,
		HTTP_OTHER),
	    CASE("GET http://evil.example/ HTTP/1.1\r\nHost: "
		 "good.example\r\n\r\n",
		0, HTTP_OTHER),
	    CASE("GET http://good.example@evil.example/ HTTP/1.1\r\nHost: "
		 "good.example\r\n\r\n",
		0, HTTP_BAD),
	    CASE("GET / HTTP/1.1\r\n\r\n", 0, HTTP_MISSING),
	    CASE("GET / HTTP/1.1\r\nHost:\r\n\r\n", 0, HTTP_BAD),
	    CASE("CONNECT evil.example:443 HTTP/1.1\r\nHost: "
		 "good.example\r\n\r\n",
		0, HTTP_CONNECT),
	    CASE(GET "Host: evil.example\r\n\r\n", 0, HTTP_BAD),
	    CASE(GET " folded\r\n\r\n", 0, HTTP_BAD),
	    CASE(GET "Host : evil.example\r\n\r\n", 0, HTTP_BAD),
	    CASE("GET / HTTP/1.1\nHost: good.example\n\n", 0, HTTP_BAD),
	    CASE(GET "X: \n\r\n", 0, HTTP_BAD),
	    CASE(GET "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n",
		0, HTTP_BAD),
	    CASE(GET "Content-Length: 3\r\nContent-Length: 4\r\n\r\n", 0,
		HTTP_BAD),
	    CASE(GET "Content-Length: +3\r\n\r\n", 0, HTTP_BAD),
	    CASE(GET "Transfer-Encoding: gzip, chunked\r\n\r\n", 0, HTTP_BAD),
	    CASE(GET "Transfer-Encoding: xchunked\r\n\r\n", 0, HTTP_BAD),
	    CASE("GET / HTTP/2.0\r\nHost: good.example\r\n\r\n", 0, HTTP_BAD),
	    CASE("GET  / HTTP/1.1\r\nHost: good.example\r\n\r\n", 0, HTTP_BAD),
	    CASE(GET "\r\nGET / HTTP/1.1\r\nHost: evil.example\r\n\r\n",
		sizeof(GET) + 1, HTTP_OTHER),
#undef CASE
	};

	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		size_t passed;
		const enum w_relay_reason reason =
		    follow(cases[i].text, &passed);

		if (reason != cases[i].reason || passed != cases[i].passes)
			fail_msg(
			    "%d, %zu: %s", (int)reason, passed, cases[i].text);
	}
}

static void
an_upgrade_waits_for_the_answer(void **state)
{
	static const char text[] = GET "Upgrade: websocket\r\n\r\n";
	static const char yes[] = "HTTP/1.1 101 x", no[] = "HTTP/1.1 200 x";
	struct http_watch watch = {.state = HTTP_AT_HEAD};
	struct http_look seen;

	(void)state;
	http_watch_look(&watch, (const uint8_t *)text, strlen(text), host,
	    strlen(host), &seen);
	assert_int_equal(seen.pass, strlen(text));
	assert_int_equal(watch.state, HTTP_AT_UPGRADE);
	assert_int_equal(
	    http_watch_answer(&watch, (const uint8_t *)yes, 5), -1);
	assert_int_equal(
	    http_watch_answer(&watch, (const uint8_t *)yes, strlen(yes)), 1);
	assert_int_equal(
	    http_watch_answer(&watch, (const uint8_t *)no, strlen(no)), 0);
	assert_int_equal(watch.state, HTTP_AT_HEAD);
	/* Only of the first request. */
	http_watch_look(&watch, (const uint8_t *)text, strlen(text), host,
	    strlen(host), &seen);
	assert_int_equal(watch.state, HTTP_AT_HEAD);
}

static void
what_is_no_http_is_told_by_its_first_line(void **state)
{
#define GUESS(text) http_guess((const uint8_t *)(text), strlen(text))
	(void)state;
	assert_int_equal(GUESS("GET / HTTP/1.1\r\n"), HTTP_YES);
	assert_int_equal(GUESS("GET / HTTP/1.1"), HTTP_MAYBE);
	assert_int_equal(GUESS("GE"), HTTP_MAYBE);
	assert_int_equal(GUESS("SSH-2.0-x\r\n"), HTTP_NO);
	assert_int_equal(GUESS("EHLO me\r\n"), HTTP_NO);
	assert_int_equal(GUESS("\x16\x03\x01"), HTTP_NO);
#undef GUESS
}

/* ---- a proxy ---- */

static void
the_answer_of_a_proxy_ends_where_its_head_ends(void **state)
{
#define READ(text) proxy_answer_read((const uint8_t *)(text), strlen(text))
	char request[PROXY_REQUEST_MAX];

	(void)state;
	assert_int_equal(READ("HTTP/1.1 200 OK\r\n\r\nrest"), 19);
	assert_int_equal(READ("HTTP/1.0 200 OK\r\nA: b\r\n\r"), 0);
	assert_int_equal(READ("HTTP/1.1 407 no\r\n\r\n"), -1);
	assert_int_equal(READ("SSH-2.0"), -1);
#undef READ
	request[proxy_request_write("a.b", 443, "eA==", request)] = '\0';
	assert_string_equal(request,
	    "CONNECT a.b:443 HTTP/1.1\r\nHost: a.b:443\r\n"
	    "Proxy-Authorization: Basic eA==\r\n\r\n");
	assert_true(proxy_is_bypassed("x, .example", host, strlen(host)));
	assert_true(proxy_is_bypassed("*", host, strlen(host)));
	assert_false(
	    proxy_is_bypassed("d.example,example.x", host, strlen(host)));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(addresses_of_no_internet_are_private),
	    cmocka_unit_test(what_is_no_address_is_not_read),
	    cmocka_unit_test(a_hosts_file_is_searched_by_whole_names),
	    cmocka_unit_test(a_query_is_read_and_answered),
	    cmocka_unit_test(a_query_that_is_cut_is_not_read),
	    cmocka_unit_test(the_name_of_a_hello_is_found_in_any_records),
	    cmocka_unit_test(a_hello_that_could_be_read_twice_is_bad),
	    cmocka_unit_test(requests_for_the_host_pass),
	    cmocka_unit_test(requests_for_others_do_not_pass),
	    cmocka_unit_test(an_upgrade_waits_for_the_answer),
	    cmocka_unit_test(what_is_no_http_is_told_by_its_first_line),
	    cmocka_unit_test(the_answer_of_a_proxy_ends_where_its_head_ends),
	};

	return cmocka_run_group_tests_name("relay_parse", tests, NULL, NULL);
}
