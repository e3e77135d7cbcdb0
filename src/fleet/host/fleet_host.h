/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_FLEET_FLEET_HOST_H
#define W_FLEET_FLEET_HOST_H

#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "data/json.h"
#include "fleet/host/fleet_file.h"
#include "fleet/order/fleet_name.h"

/*
 * The settings of a host: the file host.json of STATE/fleet/host, as `writ
 * fleet join` writes it. Beside it are trust.json, the key "nkey" by which the
 * server knows the host, and the ledger.
 */
struct w_fleet_host {
	unsigned version;
	char name[W_FLEET_NAME_MAX + 1];
	char collective[W_FLEET_NAME_MAX + 1];
	const char *server; /* an URL, or several with commas */
	const char *ca;     /* the file of the server's certificate authority;
			       NULL: the machine's, or no TLS */
	const char *base;   /* the directory that runs work in */
	const char *user;   /* of the part that talks to the network, where root
			       starts it */
	yyjson_val *tags;   /* a list of names */
	unsigned parallel;  /* runs at a time */
	struct w_json *json; /* what the texts belong to */
};

/* Reads the text; the names of paths must be absolute. */
writ_status w_fleet_host_read(const char *text, size_t len,
    struct w_fleet_host *out_host, writ_error *err);
void w_fleet_host_done(struct w_fleet_host *host);
void w_fleet_host_add_text(struct w_buf *buf, const struct w_fleet_host *host);

/* The files of a host, in the state directory. */
struct w_fleet_host_paths {
	char dir[W_FLEET_PATH_MAX];
	char settings[W_FLEET_PATH_MAX];
	char trust[W_FLEET_PATH_MAX];
	char nkey[W_FLEET_PATH_MAX];
	char ledger[W_FLEET_PATH_MAX];
};
writ_status w_fleet_host_paths(const char *state_dir,
    struct w_fleet_host_paths *out_paths, writ_error *err);

writ_status w_fleet_host_load(const struct w_fleet_host_paths *paths,
    struct w_fleet_host *out_host, writ_error *err);

#endif /* W_FLEET_FLEET_HOST_H */
