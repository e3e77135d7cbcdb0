/* SPDX-License-Identifier: Apache-2.0 */

/* Lists of hosts: patterns are added, names and addresses are matched. */

#include "policy/hosts/host_list.h"

#include <stdlib.h>
#include <string.h>

#include "base/ascii.h"
#include "base/grow.h"
#include "policy/hosts/host_name.h"
#include "policy/hosts/host_pattern.h"

#define STAGE "host"

/* What a rule is matched against. */
struct host_target {
	char name[W_HOST_NAME_MAX + 1];
	size_t name_len;
	bool has_name;
	struct w_host_address address; /* family 0: none */
};

void
w_host_list_done(struct w_host_list *list)
{
	free(list->rules);
	w_arena_done(&list->arena);
	*list = (struct w_host_list){.rules = NULL};
}

const char *
w_host_verdict_word(enum w_host_verdict verdict)
{
	static const char *const words[] = {
	    [W_HOST_ALLOW] = "allow",
	    [W_HOST_ASK] = "ask",
	    [W_HOST_DENY] = "deny",
	};

	return words[verdict];
}

/* ---- adding ---- */

static bool
is_same(const struct w_host_rule *a, const struct w_host_rule *b)
{
	return a->kind == b->kind && a->verdict == b->verdict &&
	       a->port == b->port && a->name_len == b->name_len &&
	       memcmp(a->name, b->name, a->name_len) == 0 &&
	       a->network.bits == b->network.bits &&
	       a->network.address.family == b->network.address.family &&
	       memcmp(a->network.address.bytes, b->network.address.bytes,
		   sizeof(a->network.address.bytes)) == 0;
}

/* Adds a rule whose texts are the caller's. */
static writ_status
host_list_keep(
    struct w_host_list *list, const struct w_host_rule *wanted, writ_error *err)
{
	struct w_host_rule rule = *wanted;

	for (size_t i = 0; i < list->count; i++) {
		if (is_same(&list->rules[i], &rule))
			return WRIT_OK;
	}
	if (list->count == W_HOST_LIST_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "a list has at most %d hosts", W_HOST_LIST_MAX);
	if (!w_grow(&list->rules, list->count, &list->cap))
		return w_fail_nomem(err, STAGE);
	rule.text = w_arena_text(&list->arena, rule.text, strlen(rule.text));
	rule.name = w_arena_text(&list->arena, rule.name, rule.name_len);
	if (rule.origin != NULL)
		rule.origin = w_arena_text(
		    &list->arena, rule.origin, strlen(rule.origin));
	if (rule.text == NULL || rule.name == NULL ||
	    (wanted->origin != NULL && rule.origin == NULL))
		return w_fail_nomem(err, STAGE);
	list->rules[list->count++] = rule;
	return WRIT_OK;
}

writ_status
w_host_list_add(struct w_host_list *list, const char *text,
    enum w_host_verdict verdict, const char *origin, writ_error *err)
{
	char name[W_HOST_NAME_MAX + 1];
	struct w_host_rule rule = {
	    .text = text, .origin = origin, .name = name, .verdict = verdict};
	writ_status status = w_host_pattern_read(text, &rule, name, err);

	if (status != WRIT_OK)
		return status;
	rule.name_len = strlen(name);
	return host_list_keep(list, &rule, err);
}

writ_status
w_host_list_add_glob(struct w_host_list *list, const char *glob,
    enum w_host_verdict verdict, const char *origin, writ_error *err)
{
	char name[W_HOST_PATTERN_MAX + 1];
	size_t len = strlen(glob);
	const struct w_host_rule rule = {
	    .text = glob,
	    .origin = origin,
	    .name = name,
	    .name_len = len > 1 && glob[len - 1] == '.' ? len - 1 : len,
	    .kind = W_HOST_GLOB,
	    .verdict = verdict,
	};

	if (len == 0 || len > W_HOST_PATTERN_MAX)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "host '%.128s' is empty or too long", glob);
	for (size_t i = 0; i <= len; i++)
		name[i] = w_lower(glob[i]);
	name[rule.name_len] = '\0';
	return host_list_keep(list, &rule, err);
}

/* ---- matching ---- */

/* false: it is neither a name nor an address. */
static bool
read_target(const char *text, struct host_target *target)
{
	const size_t len = strlen(text);

	*target = (struct host_target){.name_len = 0};
	if (w_host_address_read(text, len, &target->address))
		return true;
	target->has_name =
	    w_host_name_read(text, len, target->name, NULL) == WRIT_OK;
	if (target->has_name)
		target->name_len = strlen(target->name);
	return target->has_name;
}

static bool
has(const struct w_host_rule *rule, const struct host_target *target,
    uint16_t port)
{
	return w_host_rule_has(rule, target->has_name ? target->name : NULL,
	    target->name_len,
	    target->address.family != 0 ? &target->address : NULL, port);
}

static struct w_host_match
host_list_match_target(const struct w_host_list *list,
    const struct host_target *target, uint16_t port)
{
	struct w_host_match match = {.rule = NULL};

	for (size_t i = 0; i < list->count; i++) {
		const struct w_host_rule *rule = &list->rules[i];

		if ((match.rule == NULL || rule->verdict > match.verdict) &&
		    has(rule, target, port)) {
			match.rule = rule;
			match.verdict = rule->verdict;
		}
	}
	if (match.rule == NULL)
		match.verdict =
		    list->asks_about_others ? W_HOST_ASK : W_HOST_DENY;
	return match;
}

struct w_host_match
w_host_list_match(
    const struct w_host_list *list, const char *name, uint16_t port)
{
	struct host_target target;

	if (!read_target(name, &target))
		return (struct w_host_match){.verdict = W_HOST_DENY};
	return host_list_match_target(list, &target, port);
}

struct w_host_match
w_host_list_match_address(const struct w_host_list *list,
    const struct w_host_address *address, uint16_t port)
{
	const struct host_target target = {.address = *address};

	return host_list_match_target(list, &target, port);
}

bool
w_host_list_denies_address(const struct w_host_list *list,
    const struct w_host_address *address, uint16_t port)
{
	const struct w_host_match match =
	    w_host_list_match_address(list, address, port);

	return match.rule != NULL && match.verdict == W_HOST_DENY;
}

bool
w_host_list_has_address(const struct w_host_list *list,
    const struct w_host_address *address, uint16_t port)
{
	const bool is_private = w_host_address_private(address) != NULL;
	bool is_listed = false;

	for (size_t i = 0; i < list->count; i++) {
		const struct w_host_rule *rule = &list->rules[i];

		if (!w_host_rule_has(rule, NULL, 0, address, port))
			continue;
		if (rule->verdict == W_HOST_DENY)
			return false;
		is_listed = is_listed ||
			    (rule->kind == W_HOST_NETWORK &&
				(!is_private ||
				    w_host_network_is_private(&rule->network)));
	}
	return is_listed;
}

bool
w_host_list_knows_name(const struct w_host_list *list, const char *name)
{
	struct host_target target;
	bool is_known = list->asks_about_others;

	if (!read_target(name, &target) || !target.has_name)
		return false;
	for (size_t i = 0; i < list->count; i++) {
		const struct w_host_rule *rule = &list->rules[i];

		if (!has(rule, &target, rule->port))
			continue;
		if (rule->verdict == W_HOST_DENY && rule->port == 0)
			return false;
		is_known = is_known || rule->verdict != W_HOST_DENY;
	}
	return is_known;
}

bool
w_host_list_names(const struct w_host_list *list, const char *text)
{
	struct host_target target;
	const bool is_manager = text[0] == '@';

	if (!is_manager && !read_target(text, &target))
		return false;
	for (size_t i = 0; i < list->count; i++) {
		const struct w_host_rule *rule = &list->rules[i];

		if (rule->verdict == W_HOST_ALLOW &&
		    (is_manager ? rule->kind == W_HOST_MANAGER &&
				      strcmp(rule->name, text + 1) == 0
				: has(rule, &target, rule->port)))
			return true;
	}
	return false;
}
