/* SPDX-License-Identifier: Apache-2.0 */
#ifndef W_ENGINE_CONFIG_HOSTS_H
#define W_ENGINE_CONFIG_HOSTS_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Finds the hosts that the configuration of a package manager names. Pure: text
 * in, hosts out. What cannot be read is passed over: a host that is missed is
 * asked about later, none is made up. Values other than addresses (tokens,
 * passwords) are never handed out.
 */

/* Called with a host as a pattern: "example.com", "example.com:8443". */
typedef void w_config_host_fn(void *ctx, const char *host);

struct w_config_hosts {
	w_config_host_fn *emit;
	void *ctx;
};

/* Largest file that is read. */
#define W_CONFIG_HOSTS_TEXT_MAX ((size_t)1 << 20)

/*
 * The host of an address like "https://user:word@example.com:8443/path" or
 * "sparse+https://...". One without "://", of another scheme, or whose host is
 * not valid, has none.
 */
void w_config_hosts_url(
    const struct w_config_hosts *hosts, const char *text, size_t len);

/*
 * "key = value" lines in sections, as pip and npm have them; further lines of a
 * value begin with a blank. keys: NULL-ended names, case and '_' for '-' make
 * no difference; one that begins with ':' is the end of a longer key
 * ("@scope:registry").
 */
void w_config_hosts_ini(const struct w_config_hosts *hosts, const char *text,
    size_t len, const char *const *keys);

/*
 * TOML, as cargo and uv have it: strings whose key is one of keys, in tables
 * whose first part is one of tables; "" is the top. Arrays and inline tables
 * are looked into.
 */
void w_config_hosts_toml(const struct w_config_hosts *hosts, const char *text,
    size_t len, const char *const *tables, const char *const *keys);

/* The variables of `go env`, one NAME=VALUE a line. */
void w_config_hosts_go(
    const struct w_config_hosts *hosts, const char *text, size_t len);
/* The value of GOPROXY or GOSUMDB. */
void w_config_hosts_go_value(const struct w_config_hosts *hosts,
    const char *name, const char *value, size_t len);

/* sources.list(5): lines that begin with deb or deb-src. */
void w_config_hosts_apt_list(
    const struct w_config_hosts *hosts, const char *text, size_t len);
/* The same in paragraphs of fields; one with "Enabled: no" has none. */
void w_config_hosts_apt_sources(
    const struct w_config_hosts *hosts, const char *text, size_t len);

/* ---- tool_hosts.c: defaults in the source of the tools ---- */

/* definitions.js of npm: the default of registry. */
void w_config_hosts_npm_source(
    const struct w_config_hosts *hosts, const char *text, size_t len);
/* models/index.py of pip. */
void w_config_hosts_pip_source(
    const struct w_config_hosts *hosts, const char *text, size_t len);
/* cfg.go of Go before 1.21; later it has go.env. */
void w_config_hosts_go_source(
    const struct w_config_hosts *hosts, const char *text, size_t len);

#endif /* W_ENGINE_CONFIG_HOSTS_H */
