/* SPDX-License-Identifier: Apache-2.0 */

/* Hosts that are more than they look: names below which anybody can have one,
 * and networks that are everything. */

#include <string.h>
#include <strings.h>

#include "policy/lint/lint.h"

/* Anybody can rent a name below these. */
static const char *const rented[] = {"amazonaws.com", "appspot.com",
    "azureedge.net", "azurewebsites.net", "cloudfront.net", "fastly.net",
    "firebaseapp.com", "github.io", "gitlab.io", "googleapis.com",
    "googleusercontent.com", "herokuapp.com", "netlify.app", "ngrok.io",
    "pages.dev", "r2.dev", "vercel.app", "web.app", "windows.net",
    "workers.dev", NULL};

/* Whether what stands behind "*." is one of them, or a part of one. */
static bool
is_rented(const char *name, size_t len)
{
	for (size_t i = 0; rented[i] != NULL; i++) {
		const size_t rented_len = strlen(rented[i]);

		if (len == rented_len && strncasecmp(name, rented[i], len) == 0)
			return true;
		/* "*.s3.amazonaws.com" */
		if (len > rented_len + 1 && name[len - rented_len - 1] == '.' &&
		    strncasecmp(
			name + len - rented_len, rented[i], rented_len) == 0)
			return true;
	}
	return false;
}

static void
lint_host(struct w_lint *lint, const struct w_rule *rule, const char *host)
{
	size_t len;

	if (strcmp(host, "0.0.0.0/0") == 0 || strcmp(host, "::/0") == 0 ||
	    strcmp(host, "*") == 0) {
		w_lint_warn(
		    lint, &rule->location, "'%s' allows every host", host);
		return;
	}
	if (strncmp(host, "*.", 2) != 0)
		return;
	host += 2;
	len = strcspn(host, ":");
	if (!is_rented(host, len) && memchr(host, '.', len) != NULL)
		return;
	w_lint_warn(lint, &rule->location,
	    "'*.%.*s' allows hosts of anybody: names below it are for rent",
	    (int)len, host);
	w_lint_suggest(lint, "name the host that is meant");
}

void
w_lint_hosts(struct w_lint *lint, const struct w_rule *rule)
{
	const w_globs hosts = rule->hosts;

	if (rule->kind != W_RULE_PLAIN || rule->verdict != W_ALLOW)
		return;
	for (size_t i = 0; hosts != NULL && hosts[i] != NULL; i++)
		lint_host(lint, rule, hosts[i]);
	for (size_t i = 0;
	     rule->host_list != NULL && i < rule->host_list->count; i++)
		lint_host(lint, rule, rule->host_list->rules[i].text);
}
