/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Configurations of package managers: the first byte says which form it is.
 * What is found is a host and nothing more, and stands in the text.
 */

#include "engine/hosts/config_hosts.h"
#include "policy/hosts/host_list.h"

#include "check.h"

struct source {
	const char *text;
	size_t len;
	size_t count;
};

static void
check_host(void *ctx, const char *host)
{
	struct source *source = ctx;

	CHECK(host[0] != '\0' && strlen(host) <= W_HOST_PATTERN_MAX);
	CHECK(w_host_pattern_check(host, NULL) == WRIT_OK);
	CHECK(strpbrk(host, "*@/$ \t\n") == NULL);
	CHECK(memmem(source->text, source->len, host, strlen(host)) != NULL);
	CHECK(++source->count <= source->len);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const ini[] = {
	    "registry", ":registry", "index-url", NULL};
	static const char *const tables[] = {"", "registries", "source", NULL};
	static const char *const keys[] = {"index", "registry", NULL};

	if (size == 0)
		return 0;
	char *text = copy_exact(data + 1, size - 1);
	struct source source = {.text = text, .len = size - 1};
	const struct w_config_hosts hosts = {
	    .emit = check_host, .ctx = &source};

	switch ((uint8_t)(data[0] - '0') % 9) {
	case 0:
		w_config_hosts_ini(&hosts, text, size - 1, ini);
		break;
	case 1:
		w_config_hosts_toml(&hosts, text, size - 1, tables, keys);
		break;
	case 2:
		w_config_hosts_go(&hosts, text, size - 1);
		break;
	case 3:
		w_config_hosts_apt_list(&hosts, text, size - 1);
		break;
	case 4:
		w_config_hosts_apt_sources(&hosts, text, size - 1);
		break;
	case 6:
		w_config_hosts_npm_source(&hosts, text, size - 1);
		break;
	case 7:
		w_config_hosts_pip_source(&hosts, text, size - 1);
		break;
	case 8:
		w_config_hosts_go_source(&hosts, text, size - 1);
		break;
	default:
		w_config_hosts_url(&hosts, text, size - 1);
		break;
	}
	free(text);
	return 0;
}
