/* SPDX-License-Identifier: Apache-2.0 */

/* Reads one pattern of a list of hosts, and matches it. */

#include "policy/hosts/host_pattern.h"

#include <stdio.h>
#include <string.h>

#include "base/ascii.h"
#include "base/match.h"

#define STAGE "host"

static const char *const managers[] = {
    "@npm", "@pip", "@cargo", "@go", "@apt", NULL};

/* The text of a pattern, and what was read of it. */
struct host_pattern {
	const char *text;
	size_t len;
	struct w_host_rule rule;
	char *name;
	writ_error *err;
};

static writ_status
host_pattern_refuse(
    const struct host_pattern *pattern, size_t at, const char *why)
{
	(void)w_fail(pattern->err, WRIT_E_INVALID, STAGE, 0,
	    "host '%.128s': %s", pattern->text, why);
	w_locate(pattern->err, 1, (unsigned)at + 1);
	return WRIT_E_INVALID;
}

static writ_status
refuse_suggest(const struct host_pattern *pattern, size_t at, const char *why,
    const char *suggestion)
{
	(void)host_pattern_refuse(pattern, at, why);
	w_suggest(pattern->err, "%s", suggestion);
	return WRIT_E_INVALID;
}

/* ---- parts ---- */

static writ_status
host_pattern_read_port(struct host_pattern *pattern, size_t at)
{
	unsigned port = 0;

	for (size_t i = at; i < pattern->len; i++) {
		if (!w_is_digit(pattern->text[i]))
			return host_pattern_refuse(
			    pattern, i, "a port is a number");
		port = port * 10 + (unsigned)(pattern->text[i] - '0');
		if (port > UINT16_MAX)
			break;
	}
	if (port == 0 || port > UINT16_MAX)
		return host_pattern_refuse(
		    pattern, at, "a port is a number from 1 to 65535");
	pattern->rule.port = (uint16_t)port;
	return WRIT_OK;
}

/* Clears the bits after the first ones. true: one was set. */
static bool
clear_rest(struct w_host_network *network)
{
	const unsigned all = network->address.family == 4 ? 32 : 128;
	bool has_cleared = false;

	for (unsigned bit = network->bits; bit < all; bit++) {
		const uint8_t mask = (uint8_t)(0x80U >> (bit % 8));

		has_cleared |= (network->address.bytes[bit / 8] & mask) != 0;
		network->address.bytes[bit / 8] &= (uint8_t)~mask;
	}
	return has_cleared;
}

/* The number of bits after the slash, and that nothing else is given. */
static writ_status
read_bits(struct host_pattern *pattern, size_t at, size_t end, bool is_mapped)
{
	struct w_host_network *network = &pattern->rule.network;
	const unsigned all = network->address.family == 4 ? 32 : 128;
	const unsigned less = is_mapped ? 96 : 0;
	unsigned bits = 0;

	if (at == end || end - at > 3)
		return host_pattern_refuse(pattern, at,
		    "after '/' stands the number of bits of a network");
	for (size_t i = at; i < end; i++) {
		if (!w_is_digit(pattern->text[i]))
			return host_pattern_refuse(
			    pattern, i, "the number of bits is a number");
		bits = bits * 10 + (unsigned)(pattern->text[i] - '0');
	}
	if (bits < less || bits - less > all)
		return host_pattern_refuse(pattern, at,
		    all == 32 ? "an IPv4 network has at most 32 bits"
			      : "an IPv6 network has at most 128 bits");
	network->bits = bits - less;
	if (!clear_rest(network))
		return WRIT_OK;
	char text[W_HOST_ADDRESS_TEXT];
	(void)host_pattern_refuse(
	    pattern, at, "the address has bits beyond those of the network");
	w_host_address_write(&network->address, text);
	w_suggest(pattern->err, "did you mean '%s/%u'?", text, network->bits);
	return WRIT_E_INVALID;
}

/* An address or a network. *out_is_one: it is one, and the status is of it. */
static writ_status
read_network(
    struct host_pattern *pattern, size_t from, size_t end, bool *out_is_one)
{
	const char *slash = memchr(pattern->text + from, '/', end - from);
	const size_t stop =
	    slash != NULL ? (size_t)(slash - pattern->text) : end;
	struct w_host_network *network = &pattern->rule.network;

	*out_is_one = w_host_address_read(
	    pattern->text + from, stop - from, &network->address);
	if (!*out_is_one)
		return WRIT_OK;
	pattern->rule.kind = W_HOST_NETWORK;
	pattern->name[0] = '\0';
	network->bits = network->address.family == 4 ? 32 : 128;
	return slash == NULL ? WRIT_OK
			     : read_bits(pattern, stop + 1, end,
				   network->address.family == 4 &&
				       memchr(pattern->text + from, ':',
					   stop - from) != NULL);
}

static writ_status
host_pattern_read_name(struct host_pattern *pattern, size_t end)
{
	const bool is_beneath = strncmp(pattern->text, "*.", 2) == 0;
	const size_t from = is_beneath ? 2 : 0;
	writ_error inner = {.status = WRIT_OK};

	pattern->rule.kind = is_beneath ? W_HOST_BENEATH : W_HOST_NAME;
	if (w_host_name_read(pattern->text + from, end - from, pattern->name,
		&inner) == WRIT_OK)
		return WRIT_OK;
	return host_pattern_refuse(
	    pattern, from + inner.column - 1, inner.message);
}

/* ---- the whole ---- */

static writ_status
read_manager(struct host_pattern *pattern)
{
	for (size_t i = 0; managers[i] != NULL; i++) {
		if (strcmp(pattern->text, managers[i]) != 0)
			continue;
		pattern->rule.kind = W_HOST_MANAGER;
		(void)snprintf(
		    pattern->name, W_HOST_NAME_MAX + 1, "%s", managers[i] + 1);
		return WRIT_OK;
	}
	(void)host_pattern_refuse(
	    pattern, 0, "there is no such package manager");
	const char *nearest = w_match_nearest(pattern->text, managers);
	if (nearest != NULL)
		w_match_suggest(nearest, pattern->err);
	else
		w_suggest(
		    pattern->err, "one of @npm, @pip, @cargo, @go and @apt");
	return WRIT_E_INVALID;
}

/* Of "https://user@example.com:8443/a?b" the part that is a host. */
static writ_status
refuse_url(const struct host_pattern *pattern, const char *scheme_end)
{
	const char *host = scheme_end + strlen("://");
	size_t len = strcspn(host, "/?#");
	const char *at = memrchr(host, '@', len);

	if (at != NULL) {
		len -= (size_t)(at + 1 - host);
		host = at + 1;
	}
	(void)host_pattern_refuse(pattern, (size_t)(scheme_end - pattern->text),
	    "a host has no scheme and no path");
	if (len > 0)
		w_suggest(pattern->err, "did you mean '%.*s'?", (int)len, host);
	return WRIT_E_INVALID;
}

/* What people write that is no host. */
static writ_status
check_form(const struct host_pattern *pattern)
{
	const char *text = pattern->text;
	const char *scheme = strstr(text, "://");

	if (pattern->len == 0)
		return host_pattern_refuse(pattern, 0, "it is empty");
	if (pattern->len > W_HOST_PATTERN_MAX)
		return host_pattern_refuse(
		    pattern, W_HOST_PATTERN_MAX, "it is too long");
	for (size_t i = 0; i < pattern->len; i++) {
		if ((unsigned char)text[i] <= ' ' || text[i] == 0x7f)
			return host_pattern_refuse(pattern, i,
			    "it has a blank or a control character");
	}
	if (scheme != NULL)
		return refuse_url(pattern, scheme);
	if (strcmp(text, "*") == 0)
		return refuse_suggest(pattern, 0, "it is every host",
		    "the network 'host' is all of them; else name them");
	const char *star = strchr(text, '*');
	if (star != NULL && star == text && text[1] == '.')
		star = strchr(text + 1, '*');
	if (star != NULL)
		return refuse_suggest(pattern, (size_t)(star - text),
		    "'*' stands only at the beginning, before a dot",
		    "as in '*.example.com'");
	const char *at = strchr(text + 1, '@');
	return at == NULL ? WRIT_OK
			  : refuse_suggest(pattern, (size_t)(at - text),
				"a host has no user",
				"leave out what is before the '@'");
}

static writ_status
read_bracketed(struct host_pattern *pattern)
{
	const char *close = strchr(pattern->text, ']');
	bool is_one = false;
	writ_status status;

	if (close == NULL)
		return host_pattern_refuse(
		    pattern, 0, "'[' has no ']' after it");
	const size_t end = (size_t)(close - pattern->text);
	status = read_network(pattern, 1, end, &is_one);
	if (status != WRIT_OK)
		return status;
	if (!is_one || memchr(pattern->text, ':', end) == NULL)
		return host_pattern_refuse(
		    pattern, 1, "in brackets stands an IPv6 address");
	if (close[1] == '\0')
		return WRIT_OK;
	if (close[1] != ':')
		return host_pattern_refuse(
		    pattern, end + 1, "after ']' stands a port, as in ':443'");
	return host_pattern_read_port(pattern, end + 2);
}

static writ_status
host_pattern_read_host(struct host_pattern *pattern)
{
	const char *colon = strchr(pattern->text, ':');
	const bool is_many = colon != NULL && strchr(colon + 1, ':') != NULL;
	const size_t end =
	    colon != NULL ? (size_t)(colon - pattern->text) : pattern->len;
	bool is_one = false;
	writ_status status =
	    read_network(pattern, 0, is_many ? pattern->len : end, &is_one);

	if (status != WRIT_OK || (is_one && is_many))
		return status;
	if (is_many)
		return refuse_suggest(pattern, end,
		    "it has more than one ':', and is no IPv6 address",
		    "an IPv6 address with a port is '[2001:db8::1]:443'");
	const char *slash = strchr(pattern->text, '/');
	if (!is_one && slash != NULL)
		return refuse_suggest(pattern, (size_t)(slash - pattern->text),
		    "a host has no path",
		    "the name alone, as in 'example.com', or a network as in "
		    "'192.0.2.0/24'");
	if (!is_one)
		status = host_pattern_read_name(pattern, end);
	return status == WRIT_OK && colon != NULL
		   ? host_pattern_read_port(pattern, end + 1)
		   : status;
}

writ_status
w_host_pattern_read(
    const char *text, struct w_host_rule *rule, char *name, writ_error *err)
{
	char storage[W_HOST_NAME_MAX + 1] = "";
	struct host_pattern pattern = {
	    .text = text, .len = strlen(text), .name = storage, .err = err};
	writ_status status = check_form(&pattern);

	if (status != WRIT_OK)
		return status;
	if (text[0] == '@')
		status = read_manager(&pattern);
	else if (text[0] == '[')
		status = read_bracketed(&pattern);
	else
		status = host_pattern_read_host(&pattern);
	if (status != WRIT_OK)
		return status;
	rule->kind = pattern.rule.kind;
	rule->network = pattern.rule.network;
	rule->port = pattern.rule.port;
	memcpy(name, storage, sizeof(storage));
	return WRIT_OK;
}

writ_status
w_host_pattern_check(const char *text, writ_error *err)
{
	struct w_host_rule rule;
	char name[W_HOST_NAME_MAX + 1];

	return w_host_pattern_read(text, &rule, name, err);
}

writ_status
w_host_pattern_host(const char *text, char *out, writ_error *err)
{
	static const char *const before[] = {
	    [W_HOST_NAME] = "",
	    [W_HOST_BENEATH] = "*.",
	    [W_HOST_MANAGER] = "@",
	};
	struct w_host_rule rule;
	char name[W_HOST_NAME_MAX + 1];
	char address[W_HOST_ADDRESS_TEXT];
	writ_status status = w_host_pattern_read(text, &rule, name, err);

	if (status != WRIT_OK)
		return status;
	if (rule.kind != W_HOST_NETWORK) {
		(void)snprintf(out, W_HOST_PATTERN_MAX + 1, "%s%s",
		    before[rule.kind], name);
		return WRIT_OK;
	}
	const unsigned all = rule.network.address.family == 4 ? 32 : 128;
	w_host_address_write(&rule.network.address, address);
	if (rule.network.bits == all)
		(void)snprintf(out, W_HOST_PATTERN_MAX + 1, "%s", address);
	else
		(void)snprintf(out, W_HOST_PATTERN_MAX + 1, "%s/%u", address,
		    rule.network.bits);
	return WRIT_OK;
}

/* ---- matching ---- */

static bool
glob_has(const struct w_host_rule *rule, const char *name,
    const struct w_host_address *address)
{
	char text[W_HOST_ADDRESS_TEXT];

	if (name != NULL && w_match_glob(rule->name, name))
		return true;
	if (address == NULL)
		return false;
	w_host_address_write(address, text);
	return w_match_glob(rule->name, text);
}

bool
w_host_rule_has(const struct w_host_rule *rule, const char *name,
    size_t name_len, const struct w_host_address *address, uint16_t port)
{
	if (rule->port != 0 && rule->port != port)
		return false;
	switch (rule->kind) {
	case W_HOST_NAME:
		return name != NULL && name_len == rule->name_len &&
		       memcmp(name, rule->name, name_len) == 0;
	case W_HOST_BENEATH:
		return name != NULL && name_len > rule->name_len + 1 &&
		       name[name_len - rule->name_len - 1] == '.' &&
		       memcmp(name + name_len - rule->name_len, rule->name,
			   rule->name_len) == 0;
	case W_HOST_NETWORK:
		return address != NULL &&
		       w_host_network_has(&rule->network, address);
	case W_HOST_GLOB:
		return glob_has(rule, name, address);
	case W_HOST_MANAGER:
		break;
	}
	return false;
}
