/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The DNS inside. A name that may be reached, or asked about, has an address
 * of its own; every other name does not exist. No query leaves before that.
 */

#include <errno.h>
#include <sys/socket.h>
#include <time.h>

#include "os/syscall.h"
#include "run/relay/relay.h"
#include "run/relay/relay_text.h"

enum {
	TURN = 64,
	OPCODE_QUERY = 0,
	CLASS_IN = 1
};

/* One that waits for the engine. */
struct lookup {
	uint32_t generation;
	uint8_t is_used;
	int line;
	size_t len;
	struct sockaddr_in from;
	struct dns_question question;
	uint8_t query[DNS_QUERY_MAX];
};

static struct lookup *lookups;
static uint32_t used; /* of them */

void
dns_service_init(void)
{
	lookups = relay_map(RELAY_LOOKUPS * sizeof(*lookups));
}

static void
reply(const struct lookup *lookup, uint32_t code,
    const struct w_relay_address *address)
{
	uint8_t out[DNS_QUERY_MAX];
	const size_t len = dns_answer_write(
	    lookup->query, &lookup->question, code, address, out);

	(void)w_sys6(__NR_sendto, relay.dns, (long)out, (long)len,
	    MSG_DONTWAIT | MSG_NOSIGNAL, (long)&lookup->from,
	    sizeof(lookup->from));
}

/* There is IPv4 inside, and no other data than addresses. */
static void
reply_name(const struct lookup *lookup, int name)
{
	const struct w_relay_address address = relay_name_address(name);

	reply(lookup, DNS_CODE_OK,
	    lookup->question.type == DNS_TYPE_A ? &address : NULL);
}

static int
reply_localhost(const struct lookup *lookup)
{
	static const char name[] = "localhost";
	const struct dns_question *question = &lookup->question;
	struct w_relay_address address = {.family = 4, .bytes = {127, 0, 0, 1}};

	if (!relay_text_is(
		question->name, question->name_len, name, sizeof(name) - 1))
		return 0;
	if (question->type == DNS_TYPE_AAAA)
		address =
		    (struct w_relay_address){.family = 6, .bytes = {[15] = 1}};
	reply(lookup, DNS_CODE_OK,
	    question->type == DNS_TYPE_A || question->type == DNS_TYPE_AAAA
		? &address
		: NULL);
	return 1;
}

/* Names of hosts only: a resolver asks for much else by itself. */
static void
record_lookup(const struct lookup *lookup, enum w_relay_reason reason)
{
	const struct dns_question *question = &lookup->question;
	struct w_relay_record record = {
	    .flags = W_RELAY_IS_LOOKUP,
	    .reason = reason,
	    .began_us = relay_clock_us(CLOCK_REALTIME),
	};

	if (question->type != DNS_TYPE_A && question->type != DNS_TYPE_AAAA)
		return;
	for (size_t i = 0; i < question->name_len; i++)
		record.name[i] = question->name[i];
	relay_lines_record(&record);
}

static void
refuse(const struct lookup *lookup, enum w_relay_reason reason)
{
	reply(lookup,
	    reason == W_RELAY_REASON_POLICY ? DNS_CODE_NO_NAME
					    : DNS_CODE_FAILED,
	    NULL);
	record_lookup(lookup, reason);
}

/* ---- questions to the engine ---- */

static void
lookup_ask(struct lookup *lookup, int before)
{
	struct w_relay_ask ask = {
	    .kind = W_RELAY_ASK,
	    .question = W_RELAY_MAY_LOOK_UP,
	    .ticket = relay_ticket(RELAY_TICKET_LOOKUP, lookup->generation,
		(uint32_t)(lookup - lookups)),
	};

	for (size_t i = 0; i < lookup->question.name_len; i++)
		ask.name[i] = lookup->question.name[i];
	if (relay_lines_ask(&ask, before, &lookup->line))
		return;
	refuse(lookup, W_RELAY_REASON_POLICY);
	lookup->is_used = 0;
	used--;
}

static void
lookup_wait(const struct lookup *asked)
{
	for (uint32_t i = 0; i < RELAY_LOOKUPS; i++) {
		struct lookup *lookup = &lookups[i];
		const uint32_t generation = lookup->generation + 1;

		if (lookup->is_used)
			continue;
		*lookup = *asked;
		lookup->generation = generation;
		lookup->is_used = 1;
		used++;
		lookup_ask(lookup, RELAY_NONE);
		return;
	}
	refuse(asked, W_RELAY_REASON_TOO_MANY);
}

void
dns_service_ask_again(int line)
{
	for (uint32_t i = 0; used > 0 && i < RELAY_LOOKUPS; i++)
		if (lookups[i].is_used && lookups[i].line == line)
			lookup_ask(&lookups[i], RELAY_NONE);
}

void
dns_service_answer(const struct w_relay_answer *answer)
{
	const uint32_t index = (uint32_t)answer->ticket & 0xffffff;
	struct lookup *lookup = &lookups[index % RELAY_LOOKUPS];

	if (index >= RELAY_LOOKUPS || !lookup->is_used ||
	    relay_ticket(RELAY_TICKET_LOOKUP, lookup->generation, index) !=
		answer->ticket)
		return;
	if (answer->verdict != W_RELAY_YES) {
		lookup_ask(lookup, lookup->line);
		return;
	}
	lookup->is_used = 0;
	used--;
	const int name =
	    relay_names_add(lookup->question.name, lookup->question.name_len);
	if (name == RELAY_NONE) {
		refuse(lookup, W_RELAY_REASON_TOO_MANY);
		return;
	}
	relay_name_at(name)->is_hidden = 0;
	reply_name(lookup, name);
}

/* ---- queries ---- */

static void
serve(const struct lookup *lookup)
{
	const struct dns_question *question = &lookup->question;

	if (question->opcode != OPCODE_QUERY || question->class != CLASS_IN) {
		reply(lookup, DNS_CODE_UNKNOWN, NULL);
		return;
	}
	if (question->name_len == 0) {
		reply(lookup, DNS_CODE_NO_NAME, NULL);
		return;
	}
	if (reply_localhost(lookup))
		return;
	const int name = relay_names_find(question->name, question->name_len);
	if (name != RELAY_NONE && !relay_name_at(name)->is_hidden)
		reply_name(lookup, name);
	else
		lookup_wait(lookup);
}

void
dns_service_event(void)
{
	static struct lookup lookup;

	for (int i = 0; i < TURN; i++) {
		uint32_t from_len = sizeof(lookup.from);
		const long n =
		    w_sys6(__NR_recvfrom, relay.dns, (long)lookup.query,
			sizeof(lookup.query), MSG_DONTWAIT | MSG_TRUNC,
			(long)&lookup.from, (long)&from_len);

		if (n < 0)
			return;
		if (n > DNS_QUERY_MAX ||
		    !dns_query_read(lookup.query, (size_t)n, &lookup.question))
			continue;
		lookup.len = (size_t)n;
		serve(&lookup);
	}
}
