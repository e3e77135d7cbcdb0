/* SPDX-License-Identifier: Apache-2.0 */

/* The network interfaces and their addresses, as the kernel reports them;
 * nothing is sent. */

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "manifest/facts/facts_sources.h"

#define ADDRESSES_MAX 10000

struct facts_network_found {
	struct w_fact_map addresses;
	struct w_fact_map names;
	char default_v4[W_FACT_INTERFACE_MAX];
	char default_v6[W_FACT_INTERFACE_MAX];
	/* The first addresses of the default interfaces. */
	char address_v4[INET6_ADDRSTRLEN];
	char address_v6[INET6_ADDRSTRLEN];
};

static void
find_defaults(struct facts_network_found *found)
{
	W_AUTO_BUF struct w_buf v4;
	W_AUTO_BUF struct w_buf v6;

	w_buf_init(&v4, W_FACTS_FILE_MAX);
	w_buf_init(&v6, W_FACTS_FILE_MAX);
	if (w_fact_file_read(&v4, "/proc/net/route"))
		(void)w_fact_route_v4(v4.data, v4.len, found->default_v4);
	if (w_fact_file_read(&v6, "/proc/net/ipv6_route"))
		(void)w_fact_route_v6(v6.data, v6.len, found->default_v6);
}

static bool
format_address(const struct sockaddr *address, char out[INET6_ADDRSTRLEN])
{
	const void *bytes = NULL;

	if (address == NULL)
		return false;
	if (address->sa_family == AF_INET)
		bytes = &((const struct sockaddr_in *)(const void *)address)
			     ->sin_addr;
	else if (address->sa_family == AF_INET6)
		bytes = &((const struct sockaddr_in6 *)(const void *)address)
			     ->sin6_addr;
	return bytes != NULL && inet_ntop(address->sa_family, bytes, out,
				    INET6_ADDRSTRLEN) != NULL;
}

static void
add_address(struct facts_network_found *found, const struct ifaddrs *one)
{
	char text[INET6_ADDRSTRLEN];
	struct w_fact_map fact;

	if (!format_address(one->ifa_addr, text) ||
	    found->addresses.count == ADDRESSES_MAX)
		return;
	const bool is_v4 = one->ifa_addr->sa_family == AF_INET;
	const struct sockaddr_in6 *v6 = (const void *)one->ifa_addr;
	char *first = is_v4 ? found->address_v4 : found->address_v6;
	/* A link-local address is never the default. */
	const bool is_default =
	    first[0] == '\0' &&
	    strcmp(one->ifa_name,
		is_v4 ? found->default_v4 : found->default_v6) == 0 &&
	    (is_v4 || !IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr));
	if (is_default)
		memcpy(first, text, sizeof(text));
	w_fact_map_init(&fact, found->addresses.arena);
	w_fact_add_string(&fact, "interface", one->ifa_name);
	w_fact_add_string(&fact, "address", text);
	w_fact_add_string(&fact, "family", is_v4 ? "ipv4" : "ipv6");
	w_fact_add_bool(&fact, "default", is_default);
	w_fact_add_map(&found->addresses, "", &fact);
}

static bool
facts_network_is_known(const struct w_fact_map *names, const char *name)
{
	for (size_t i = 0; i < names->count; i++)
		if (strcmp(names->members[i].value.as.string.text, name) == 0)
			return true;
	return false;
}

void
w_fact_add_network(struct w_fact_map *map)
{
	struct facts_network_found found = {.default_v4 = ""};
	struct ifaddrs *all = NULL;

	w_fact_map_init(&found.addresses, map->arena);
	w_fact_map_init(&found.names, map->arena);
	find_defaults(&found);
	if (getifaddrs(&all) != 0)
		all = NULL;
	for (const struct ifaddrs *one = all; one != NULL;
	     one = one->ifa_next) {
		/* getifaddrs() lists an interface once per address. */
		if (found.names.count < 1000 &&
		    !facts_network_is_known(&found.names, one->ifa_name))
			w_fact_add_string(&found.names, "", one->ifa_name);
		add_address(&found, one);
	}
	if (all != NULL)
		freeifaddrs(all);
	w_fact_add_list(map, "interfaces", &found.names);
	w_fact_add_list(map, "addresses", &found.addresses);
	if (found.address_v4[0] != '\0')
		w_fact_add_string(map, "default_ipv4", found.address_v4);
	if (found.address_v6[0] != '\0')
		w_fact_add_string(map, "default_ipv6", found.address_v6);
	const char *out =
	    found.default_v4[0] != '\0' ? found.default_v4 : found.default_v6;
	if (out[0] != '\0')
		w_fact_add_string(map, "default_interface", out);
}
