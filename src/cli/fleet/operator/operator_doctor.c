/* SPDX-License-Identifier: Apache-2.0 */

/* `writ fleet doctor`: what works, and what to do about the rest. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "data/json.h"
#include "fleet/host/fleet_host.h"
#include "fleet/host/fleet_trust.h"

struct checkup {
	struct w_operator *operator;
	struct w_buf text;
	struct w_buf json;
	size_t bad;
	size_t roles;
};

static void
note(struct checkup *checkup, bool is_good, const char *what, const char *says,
    const char *remedy)
{
	w_buf_add_fmt(&checkup->text, "%-4s %s: %s\n", is_good ? "ok" : "bad",
	    what, says);
	if (!is_good && remedy != NULL && remedy[0] != '\0')
		w_buf_add_fmt(&checkup->text, "     try: %s\n", remedy);
	w_buf_add_str(
	    &checkup->json, w_buf_last(&checkup->json) == '[' ? "{" : ",{");
	w_json_add_text_member(&checkup->json, "check", what);
	w_json_add_bool_member(&checkup->json, "ok", is_good);
	w_json_add_path_member(&checkup->json, "says", says);
	w_json_add_path_member(&checkup->json, "try", is_good ? NULL : remedy);
	w_buf_add_char(&checkup->json, '}');
	checkup->bad += !is_good;
}

/* ---- as an operator ---- */

static void
check_streams(struct checkup *checkup)
{
	static const char *const kinds[] = {
	    "WORK", "RES", "EV", "KV_NODES", "KV_HOSTS", "KV_ORDERS"};
	const struct w_operator *operator= checkup->operator;

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		char name[W_NATS_NAME_MAX], says[W_NATS_NAME_MAX];
		jsStreamInfo *info = NULL;

		w_nats_stream(name, kinds[i], operator->site.collective);
		natsStatus status =
		    js_GetStreamInfo(&info, operator->js, name, NULL, NULL);
		if (status != NATS_OK)
			(void)snprintf(says, sizeof(says), "%s",
			    natsStatus_GetText(status));
		else
			(void)snprintf(says, sizeof(says),
			    "%ju messages, %ju bytes",
			    (uintmax_t)info->State.Msgs,
			    (uintmax_t)info->State.Bytes);
		note(checkup, status == NATS_OK, name, says, "writ fleet up");
		jsStreamInfo_Destroy(info);
	}
}

static void
check_hosts(struct checkup *checkup)
{
	struct operator_hosts hosts = {.count = 0};
	char says[128];
	size_t there = 0;
	writ_error err;

	if (w_operator_hosts_load(checkup->operator, & hosts, &err) !=
	    WRIT_OK) {
		note(checkup, false, "hosts", err.message, err.suggestion);
		return;
	}
	for (size_t i = 0; i < hosts.count; i++)
		there += hosts.items[i].is_there;
	(void)snprintf(
	    says, sizeof(says), "%zu of %zu are there", there, hosts.count);
	note(checkup, there == hosts.count, "hosts", says, "writ fleet nodes");
	w_operator_hosts_done(&hosts);
}

static void
check_operator(struct checkup *checkup)
{
	struct w_operator *operator= checkup->operator;
	struct w_fleet_key key;
	char says[512];
	writ_error err;

	if (w_operator_site_load(operator, & err) != WRIT_OK) {
		if (err.status != WRIT_E_NOTFOUND)
			note(checkup, false, "site", err.message, NULL);
		return;
	}
	checkup->roles++;
	(void)snprintf(says, sizeof(says),
	    "fleet '%s' at %.256s", operator->site.collective,
				    operator->site.server);
	note(checkup, true, "site", says, NULL);
	const bool has_key =
	    w_operator_key_load(operator, "default", &key, &err) == WRIT_OK;
	note(checkup, has_key, "key", has_key ? "default" : err.message,
	    err.suggestion);
	if (has_key)
		w_fleet_key_done(&key);
	if (w_operator_connect(operator, & err) != WRIT_OK) {
		note(checkup, false, "server", err.message, err.suggestion);
		return;
	}
	note(checkup, true, "server", "connected", NULL);
	check_streams(checkup);
	check_hosts(checkup);
}

/* ---- as a host ---- */

/* Whoever has the ledger holds its lock. */
static bool
is_executor_there(const struct w_fleet_host_paths *paths)
{
	char path[W_FLEET_PATH_MAX + 8];

	(void)snprintf(path, sizeof(path), "%s.lock", paths->ledger);
	W_AUTO_FD int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
	return fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0 &&
	       errno == EWOULDBLOCK;
}

static void
check_host(struct checkup *checkup)
{
	W_AUTO_FLEET_TRUST struct w_fleet_trust trust = {.count = 0};
	struct w_fleet_host_paths paths;
	struct w_fleet_host host;
	char says[512];
	size_t valid = 0;
	writ_error err;

	writ_status status =
	    w_fleet_host_paths(checkup->operator->state, &paths, &err);
	if (status == WRIT_OK)
		status = w_fleet_host_load(&paths, &host, &err);
	if (status != WRIT_OK) {
		if (status != WRIT_E_NOTFOUND)
			note(checkup, false, "host", err.message, NULL);
		return;
	}
	checkup->roles++;
	(void)snprintf(says, sizeof(says), "'%s' of the fleet '%s' at %.256s",
	    host.name, host.collective, host.server);
	note(checkup, true, "host", says, NULL);
	status = w_fleet_trust_load(paths.trust, &trust, &err);
	for (size_t i = 0; i < trust.count; i++)
		valid += trust.keys[i].revoked[0] == '\0';
	(void)snprintf(says, sizeof(says), "%zu keys may order here", valid);
	note(checkup, status == WRIT_OK && valid > 0, "trust",
	    status == WRIT_OK ? says : err.message,
	    "writ fleet key trust NAME KEY");
	const bool is_there = is_executor_there(&paths);
	note(checkup, is_there, "executor",
	    is_there ? "it runs" : "it does not run", "start writ-agentd");
	w_fleet_host_done(&host);
}

int
w_operator_doctor(struct w_operator *operator)
{
	struct checkup checkup = {.operator= operator};
	int status = 0;

	w_buf_init(&checkup.text, W_PRINT_MAX);
	w_buf_init(&checkup.json, W_PRINT_MAX);
	w_buf_add_char(&checkup.json, '[');
	check_operator(&checkup);
	check_host(&checkup);
	if (checkup.roles == 0)
		note(&checkup, false, "fleet",
		    "this machine is neither operator nor host of one",
		    "writ fleet up, or writ fleet join FILE");
	w_buf_add_char(&checkup.json, ']');
	status = operator->args->is_json
		     ? w_print_json(checkup.json.data, checkup.json.len)
		     : w_print(&checkup.text);
	w_buf_done(&checkup.text);
	w_buf_done(&checkup.json);
	return status != 0 || checkup.bad > 0 ? W_OPERATOR_FAILED : 0;
}
