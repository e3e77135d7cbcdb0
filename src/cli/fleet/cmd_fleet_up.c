/* SPDX-License-Identifier: Apache-2.0 */

/* The words of `writ fleet up`; operator/ has what it does. */

#include "cli/fleet/fleet_args.h"

/* clang-format off */
static const struct w_option options[] = {
	{.name = "listen", .arg = "ADDRESS:PORT", W_TO(NAME, struct w_fleet_args, listen), .standard = "127.0.0.1:4222, or as before",
	 .help = "Where the server listens; port 0 is one that is free."},
	{.name = "collective", .arg = "NAME", W_TO(NAME, struct w_fleet_args, collective), .standard = "main, or as before",
	 .help = "The name of this fleet."},
	{.name = "server", .arg = "URL", W_TO(NAME, struct w_fleet_args, server), .standard = "where it listens",
	 .help = "The URL under which hosts reach it."},
	{.name = "tls-cert", .arg = "FILE", W_TO(NAME, struct w_fleet_args, tls_cert), .words = "@file",
	 .help = "The certificate of the server (PEM)."},
	{.name = "tls-key", .arg = "FILE", W_TO(NAME, struct w_fleet_args, tls_key), .words = "@file",
	 .help = "Its private key (PEM)."},
	{.name = "tls-ca", .arg = "FILE", W_TO(NAME, struct w_fleet_args, tls_ca), .words = "@file",
	 .help = "The authority that signed it, for the hosts (PEM)."},
	W_FLEET_COMMON_ROWS(""),
};

static const struct w_example examples[] = {
	{"writ fleet up",
	 "a server on this machine, to try it"},
	{"writ fleet up --listen 10.0.0.1:4222 --tls-cert s.pem --tls-key k.pem --tls-ca ca.pem",
	 "one for a site"},
	{.line = ""},
};
/* clang-format on */

const struct w_cli_command w_cmd_fleet_up = {
    .name = "fleet up",
    .summary = "Start a server for a small fleet",
    .usage = "fleet up [OPTION]...",
    .about =
	"Starts nats-server with JetStream, as the caller, with a "
	"configuration "
	"in which each host can do only what is its own, and makes the "
	"streams, "
	"a key for this operator and one to sign with. A server that runs "
	"already "
	"gets what is new of the configuration. For a real site, run as a user "
	"of its own and with TLS; on another address than loopback TLS is "
	"needed.",
    .options = options,
    .examples = examples,
    .exits = w_cli_fleet_exits,
    .usage_exit = 2,
    .run = w_cli_fleet_run,
};
