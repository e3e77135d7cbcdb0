/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_HOSTS_STATE_H
#define W_ENGINE_HOSTS_STATE_H

#include "engine/hosts/engine_hosts.h"
#include "engine/hosts/reach.h"
#include "engine/hosts/reach_questions.h"
#include "run/hosts/relay_line.h"

/* Shared by the files of the hosts of a session. */

enum {
	REFUSED_MAX = 32,   /* that are kept for the results of runs */
	LOOKUPS_MAX = 1024, /* refused names that are told apart */
	HOST_RULE_MAX = 512 /* file:line:column */
};

/* One that was refused. */
struct refused_host {
	uint64_t at_us;
	char name[W_RELAY_NAME_MAX + 1];
	uint16_t port; /* 0: only looked up */
};

struct w_engine_hosts {
	writ_engine *engine;
	struct writ_session *session; /* NULL: of one run */
	struct writ_job *job;         /* that run */
	struct w_host_list list;
	struct w_reach scope; /* of the newest run */
	struct w_relay_line line;
	struct w_relay_judge judge;
	struct refused_host refused[REFUSED_MAX]; /* a ring */
	size_t refused_count;                     /* ever */
	uint64_t lookups[LOOKUPS_MAX];            /* hashes of refused names */
	size_t lookup_count;
	uint64_t lost; /* records of lookups that were not told apart */
	struct w_reach_questions *questions;
	struct w_reach_questions_of asks;
};

static inline struct w_host_address
w_engine_hosts_address(const struct w_relay_address *address)
{
	return w_host_address_make(address->family, address->bytes);
}

/* ---- engine_hosts_judge.c ---- */

/* Decides what a relay asks. */
struct w_relay_saying w_engine_hosts_judge(
    struct w_engine_hosts *hosts, const struct w_relay_ask *ask);

/* The answer to a connection that has waited. */
void w_engine_hosts_answer(
    struct w_engine_hosts *hosts, uint64_t ticket, bool is_yes);

#endif /* W_ENGINE_HOSTS_STATE_H */
