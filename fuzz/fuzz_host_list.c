/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Lists of hosts: lines are patterns, the last line is a name to match. A
 * pattern that is read is read again from its parts with the same meaning; no
 * pattern lets a private address through that it does not name as such.
 */

#include "policy/hosts/host_list.h"
#include "policy/hosts/host_name.h"

#include "check.h"

static void
check_name(const struct w_host_rule *rule)
{
	char again[W_HOST_NAME_MAX + 1];

	CHECK(rule->name_len == strlen(rule->name));
	if (rule->kind != W_HOST_NAME && rule->kind != W_HOST_BENEATH)
		return;
	CHECK(w_host_name_read(rule->name, rule->name_len, again, NULL) ==
	      WRIT_OK);
	CHECK(strcmp(again, rule->name) == 0);
	for (const char *c = rule->name; *c != '\0'; c++)
		CHECK((unsigned char)*c < 0x7f && (*c < 'A' || *c > 'Z'));
}

static void
check_network(const struct w_host_rule *rule)
{
	char text[W_HOST_ADDRESS_TEXT];
	struct w_host_address again;

	if (rule->kind != W_HOST_NETWORK)
		return;
	w_host_address_write(&rule->network.address, text);
	CHECK(w_host_address_read(text, strlen(text), &again));
	CHECK(w_host_network_has(&rule->network, &again));
	CHECK(again.family == rule->network.address.family);
	CHECK(rule->network.bits <= (again.family == 4 ? 32U : 128U));
	const bool is_private = w_host_network_is_private(&rule->network);
	CHECK(!is_private || w_host_address_private(&again) != NULL);
}

static void
check_match(const struct w_host_list *list, const char *name)
{
	const struct w_host_match match = w_host_list_match(list, name, 443);
	static const struct w_host_address metadata = {
	    .family = 4, .bytes = {169, 254, 169, 254}};
	bool is_named = false;

	CHECK(match.rule != NULL || match.verdict == W_HOST_DENY);
	CHECK(match.rule == NULL || match.rule->verdict == match.verdict);
	if (match.verdict == W_HOST_ALLOW && strchr(name, ':') == NULL &&
	    match.rule->kind != W_HOST_NETWORK && match.rule->port == 0)
		CHECK(w_host_list_knows_name(list, name));
	for (size_t i = 0; i < list->count; i++)
		is_named |= list->rules[i].kind == W_HOST_NETWORK &&
			    list->rules[i].network.bits >= 16;
	CHECK(is_named || !w_host_list_has_address(list, &metadata, 80));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct w_host_list list = {.rules = NULL};
	char *text = copy_string(data, size);
	char *line = text;
	char *end;

	for (; (end = strchr(line, '\n')) != NULL; line = end + 1) {
		writ_error err = {.status = WRIT_OK};

		*end = '\0';
		writ_status status =
		    w_host_list_add(&list, line, W_HOST_ALLOW, "fuzz", &err);
		CHECK((status == WRIT_OK) ==
		      (w_host_pattern_check(line, NULL) == WRIT_OK));
		if (status == WRIT_OK)
			continue;
		check_error(&err, status);
		CHECK(err.line == 1 && err.column >= 1 &&
		      err.column <= strlen(line) + 1);
	}
	for (size_t i = 0; i < list.count; i++) {
		check_name(&list.rules[i]);
		check_network(&list.rules[i]);
	}
	check_match(&list, line);
	w_host_list_done(&list);
	free(text);
	return 0;
}
