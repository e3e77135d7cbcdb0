/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_CLI_OPERATOR_H
#define W_CLI_OPERATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/words.h"
#include "cli/fleet/fleet_args.h"
#include "fleet/host/fleet_file.h"
#include "fleet/order/fleet_order.h"
#include "fleet/site/nats_connect.h"

/*
 * The program writ-fleet: what an operator does. Its files are in
 * STATE/fleet/operator (the site, keys) and STATE/fleet/server (of `up`).
 */
#define W_OPERATOR_FAILED  1
#define W_OPERATOR_USAGE   2
#define W_OPERATOR_SOME    4
#define W_OPERATOR_MISSING 5

/* The file site.json. */
struct operator_site {
	unsigned version;
	char collective[W_FLEET_NAME_MAX + 1];
	char server[256];
	char listen[256];
	char tls_cert[1024]; /* "": none */
	char tls_key[1024];
	char tls_ca[1024];
};

struct w_operator {
	const struct w_fleet_args *args;
	const char *state; /* the setting state_dir */
	struct operator_site site;
	struct w_buf ca; /* the text of tls_ca */
	char inbox[W_NATS_NAME_MAX];
	char nkey[W_FLEET_NKEY_MAX];
	char seed[W_FLEET_NKEY_MAX];
	natsConnection *connection;
	jsCtx *js;
};

/* ---- operator_site.c ---- */

writ_status w_operator_site_load(struct w_operator *operator, writ_error * err);
writ_status w_operator_site_save(struct w_operator *operator, writ_error * err);
/* Loads the site, unless it is loaded, and connects. */
writ_status w_operator_connect(struct w_operator *operator, writ_error * err);
void w_operator_done(struct w_operator *operator);
/* Whether to ask the server again, after a moment: it reads its configuration
 * anew, or comes back. *tries counts from 0. */
bool w_operator_again(natsStatus status, unsigned *tries);
/* Path of a file: "operator/site.json". */
writ_status w_operator_path(const struct w_operator *operator,
    const char * rest, char out[W_FLEET_PATH_MAX], writ_error *err);
/* The key that signs: --key, or "default". */
const char *w_operator_key_name(const struct w_operator *operator);
writ_status w_operator_key_load(const struct w_operator *operator,
    const char * name, struct w_fleet_key *out_key, writ_error *err);
/* Makes one; WRIT_E_INVALID: there is one of that name. */
writ_status w_operator_key_make(
    const struct w_operator *operator, const char * name, writ_error *err);

/* ---- operator_conf.c: the server's configuration ---- */

/* The hosts that the server knows. */
struct operator_host_key {
	char name[W_FLEET_NAME_MAX + 1];
	char nkey[W_FLEET_NKEY_MAX];
};
struct operator_host_keys {
	struct operator_host_key *items;
	size_t count;
	size_t cap;
};
void w_operator_host_keys_done(struct operator_host_keys *keys);
writ_status w_operator_host_keys_load(const struct w_operator *operator,
    struct operator_host_keys * out_keys, writ_error *err);
writ_status w_operator_host_keys_save(const struct w_operator *operator,
    const struct operator_host_keys * keys, writ_error *err);
/* Writes server/nats.conf. */
writ_status w_operator_conf_write(
    const struct w_operator *operator, writ_error * err);

/* ---- operator_server.c: the server's process ---- */

/* Its pid; 0: it does not run. */
int w_operator_server_pid(const struct w_operator *operator);
writ_status w_operator_server_start(
    struct w_operator *operator, writ_error * err);
/* Lets it read its configuration again; one that runs elsewhere is not ours. */
void w_operator_server_reload(const struct w_operator *operator);
int w_operator_up(struct w_operator *operator);
int w_operator_down(struct w_operator *operator);

/* ---- operator_streams.c ---- */

writ_status w_operator_streams_make(
    struct w_operator *operator, writ_error * err);
/* The consumer of a host's work. */
writ_status w_operator_consumer_make(
    struct w_operator *operator, const char * host, writ_error *err);
/* Reads what a stream has under a subject, the last of each; then returns. */
typedef void (*operator_message_fn)(void *ctx, const char *subject,
    const char *bytes, size_t len, uint64_t time_ms);
writ_status w_operator_read(struct w_operator *operator, const char * stream,
    const char *subject, operator_message_fn fn, void *ctx, writ_error *err);
/* Stores a value under a name of a bucket. */
writ_status w_operator_put(struct w_operator *operator, const char * bucket,
    const char *name, const char *bytes, size_t len, writ_error *err);

/* ---- operator_hosts.c ---- */

struct operator_host {
	char name[W_FLEET_NAME_MAX + 1];
	bool is_there;
	uint64_t heard_ms; /* 0: never */
	uint64_t running;
	uint64_t waiting;
	uint64_t unpublished;
	char version[32];
};
struct operator_hosts {
	struct operator_host *items; /* by name */
	size_t count;
	size_t cap;
};
void w_operator_hosts_done(struct operator_hosts *hosts);
writ_status w_operator_hosts_load(struct w_operator *operator,
    struct operator_hosts * out_hosts, writ_error *err);
struct operator_host *w_operator_hosts_find(
    const struct operator_hosts *hosts, const char *name);
/* --host and --limit: takes the others out. Fails for a name that is none. */
writ_status w_operator_hosts_select(const struct w_operator *operator,
    struct operator_hosts * hosts, writ_error *err);
int w_operator_nodes(struct w_operator *operator);

/* ---- operator_join.c ---- */

int w_operator_invite(struct w_operator *operator);
int w_operator_join(struct w_operator *operator);

/* ---- operator_keys.c ---- */

int w_operator_key(struct w_operator *operator);

/* ---- operator_order.c ---- */

/* A request that is being made. */
struct operator_order {
	enum w_fleet_kind kind;
	const char *where;
	struct w_words hosts;
	struct w_buf run; /* JSON; empty: none */
	struct w_fleet_options options;
	uint64_t lives_ms;
	enum w_fleet_deliver deliver;
	/* made */
	char id[W_ID_LEN + 1];
	struct w_buf text; /* of the request */
	struct w_buf signed_text;
};
void w_operator_order_init(struct operator_order *order);
void w_operator_order_done(struct operator_order *order);
writ_status w_operator_order_make(const struct w_operator *operator,
    struct operator_order * order, writ_error *err);
/* Keeps it where status and results find it. */
writ_status w_operator_order_keep(struct w_operator *operator,
    const struct operator_order * order, writ_error *err);
/* Hands it to one host's queue. */
writ_status w_operator_order_send(struct w_operator *operator,
    const struct operator_order * order, const char *host, writ_error *err);

/* ---- operator_results.c ---- */

struct operator_result {
	char host[W_FLEET_NAME_MAX + 1];
	char state[16]; /* "": it is missing */
	bool is_good;
	bool is_skipped;
	char *json;
	size_t len;
	char *group; /* what is shown of it; equal texts are one group */
};
struct operator_results {
	char id[W_ID_LEN + 1];
	struct operator_result *items; /* by host, as the order names them */
	size_t count;
	size_t good, failed, skipped, missing;
	natsSubscription *subscription;
};
void w_operator_results_done(struct operator_results *results);
writ_status w_operator_results_init(struct operator_results *results,
    const char *id, const struct w_words *hosts, writ_error *err);
/* Takes results until all of the first `wanted` hosts have one, or until the
 * time. *is_stopped: a signal came. */
writ_status w_operator_results_wait(struct w_operator *operator,
    struct operator_results * results, size_t wanted, uint64_t until_ms,
    bool *out_stopped, writ_error *err);
/* Prints them, grouped or as JSON; returns the exit status. */
int w_operator_results_print(
    const struct w_operator *operator, struct operator_results * results);

/* ---- the rest ---- */

int w_operator_run(struct w_operator *operator);
int w_operator_ping(struct w_operator *operator);
int w_operator_facts(struct w_operator *operator);
int w_operator_status(struct w_operator *operator);
int w_operator_results(struct w_operator *operator);
int w_operator_cancel(struct w_operator *operator);
int w_operator_doctor(struct w_operator *operator);

/* Ctrl-C and SIGTERM end a wait, not the orders. */
void w_operator_signals_open(void);
bool w_operator_is_stopped(void);

int w_operator_fail(const struct w_operator *operator, const writ_error * err);
/* A wrong command line; returns its exit status. */
int w_operator_usage(const struct w_operator *operator, const char * what);

#endif /* W_CLI_OPERATOR_H */
