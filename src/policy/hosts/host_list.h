/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_POLICY_HOST_LIST_H
#define W_POLICY_HOST_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/error.h"
#include "policy/hosts/host_address.h"

/*
 * Which hosts may be reached: a list of patterns, each with a verdict. No I/O:
 * nothing is resolved here.
 *
 *     registry.example.com       this name, on every port
 *     registry.example.com:443   on this port
 *     *.example.com              every name below it, at any depth; not
 *                                example.com itself
 *     192.0.2.7, 192.0.2.7:22    an address
 *     10.1.0.0/16, 10.1.0.0/16:5432
 *                                the addresses of a network
 *     2001:db8::1, [2001:db8::1]:443, 2001:db8::/32, [2001:db8::/32]:443
 *     @npm @pip @cargo @go @apt  the hosts of a package manager; they match
 *                                nothing until somebody has put them in
 *
 * Case and a dot at the end make no difference. A name in other alphabets is
 * its "xn--" form. A name never lists the addresses that it has, nor an
 * address its names.
 *
 * A pattern with the verdict deny is stronger than one that asks, and that
 * than one that allows, whatever their order.
 */
enum w_host_verdict {
	W_HOST_ALLOW,
	W_HOST_ASK,
	W_HOST_DENY,
};

enum w_host_kind {
	W_HOST_NAME,    /* name */
	W_HOST_BENEATH, /* *.name */
	W_HOST_NETWORK, /* an address, or a network of them */
	W_HOST_MANAGER, /* @npm; name is "npm" */
	W_HOST_GLOB,    /* name is a glob: `host` of a policy's rule */
};

#define W_HOST_LIST_MAX    4096 /* patterns in a list */
#define W_HOST_PATTERN_MAX 300  /* bytes of one */

/* A pattern that was read. */
struct w_host_rule {
	const char *text;   /* as it was written, for records and questions */
	const char *origin; /* where it is written: "policy.yaml:3:9",
			       "--host", "@npm: ~/.npmrc"; NULL: not said */
	const char *name;   /* in the form of host_name.h, without "*."; NULL of
			       a network */
	size_t name_len;
	struct w_host_network network;
	enum w_host_kind kind;
	enum w_host_verdict verdict;
	uint16_t port; /* 0: every port */
};

/* Zero-initialised is an empty list that denies. done() frees what it owns. */
struct w_host_list {
	struct w_arena arena;
	struct w_host_rule *rules;
	size_t count;
	size_t cap;
	/* What no pattern is about. */
	bool asks_about_others; /* false: it is denied */
};

void w_host_list_done(struct w_host_list *list);

/*
 * Adds a pattern. origin (NULL is allowed) is copied. A pattern that is there
 * already, with the same verdict, is not added again.
 *
 * WRIT_E_INVALID: it is no pattern, or the list is full. The error's column is
 * the place in text, and a suggestion says what was probably meant.
 */
writ_status w_host_list_add(struct w_host_list *list, const char *text,
    enum w_host_verdict verdict, const char *origin, writ_error *err);

/* Adds a glob of names and addresses, as rules of a policy have them. */
writ_status w_host_list_add_glob(struct w_host_list *list, const char *glob,
    enum w_host_verdict verdict, const char *origin, writ_error *err);

/* Reads a pattern and adds nothing. */
writ_status w_host_pattern_check(const char *text, writ_error *err);

/* Writes the host of a pattern, without its port: "*.example.com",
 * "192.0.2.0/24", "@npm". out has room for W_HOST_PATTERN_MAX + 1. */
writ_status w_host_pattern_host(const char *text, char *out, writ_error *err);

/* What a list says. */
struct w_host_match {
	enum w_host_verdict verdict;
	const struct w_host_rule *rule; /* NULL: no pattern is about it. Of the
					   list, until one is added */
};

/*
 * What the list says about a name and a port. The name is as a client sent it,
 * in any case, with or without a dot at the end, or an address as text. What
 * is neither is denied.
 */
struct w_host_match w_host_list_match(
    const struct w_host_list *list, const char *name, uint16_t port);

/*
 * What the list says about a connection to an address for which no name was
 * looked up.
 */
struct w_host_match w_host_list_match_address(const struct w_host_list *list,
    const struct w_host_address *address, uint16_t port);

/*
 * Whether a pattern that does not deny lists this address as such, and none
 * denies it. For a private address (host_address.h) a network that is wider
 * than its kind does not count: 0.0.0.0/0 lists no 10.0.0.1. Ask this of every
 * address to which an allowed name resolves, if it is private.
 */
bool w_host_list_has_address(const struct w_host_list *list,
    const struct w_host_address *address, uint16_t port);

/* Whether a pattern denies the address that an allowed name resolves to. */
bool w_host_list_denies_address(const struct w_host_list *list,
    const struct w_host_address *address, uint16_t port);

/*
 * Whether any port of this name could be allowed or asked about: a DNS server
 * answers it. The address that it gives out stands for the name on all ports.
 */
bool w_host_list_knows_name(const struct w_host_list *list, const char *name);

/*
 * Whether a pattern that allows is about this host, on any port: a name, an
 * address, or "@npm" as it is written in a list. It is for requests that are
 * judged before a port is known.
 */
bool w_host_list_names(const struct w_host_list *list, const char *text);

/* "allow", "ask", "deny". */
const char *w_host_verdict_word(enum w_host_verdict verdict);

#endif /* W_POLICY_HOST_LIST_H */
