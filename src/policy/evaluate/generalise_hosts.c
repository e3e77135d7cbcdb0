/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The rule that an approval becomes where the question was which hosts are
 * reached: these hosts, for whatever runs. It opens no more than the answer
 * does: runs of a session share their network.
 */

#include <string.h>

#include "policy/evaluate/evaluation.h"
#include "policy/read/policy_reader.h"

#define HOSTS_MAX ((size_t)4 << 10)

/* false: it is not known which host, or its name cannot stand in a rule. */
static bool
add_host(struct w_buf *buf, const struct w_touch *touch)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_";
	W_AUTO_BUF struct w_buf host;

	w_buf_init(&host, W_HOST_PATTERN_MAX);
	w_buf_add(&host, touch->target, touch->len);
	if (host.failed || host.len == 0)
		return false;
	const char *text = host.data + (host.data[0] == '@');
	if (strncmp(text, "*.", 2) == 0)
		text += 2;
	if (text[strspn(text, plain)] != '\0')
		return false;
	if (buf->len > 0)
		w_buf_add_str(buf, ", ");
	w_flow_add_text(buf, host.data);
	return true;
}

static bool
is_same_host(const struct w_touch *one, const struct w_touch *other)
{
	return other->effect == W_EFFECT_NET && other->kind == W_TOUCH_HOST &&
	       other->target != NULL && other->len == one->len &&
	       memcmp(other->target, one->target, one->len) == 0;
}

/* Adds the hosts of a command that its earlier touches do not name. */
static bool
add_command(struct w_buf *buf, const struct w_policy_command *command)
{
	const struct w_analysis *analysis = command->analysis;

	for (size_t i = 0; i < analysis->touch_count && !command->is_remote;
	     i++) {
		const struct w_touch *touch = &analysis->touches[i];
		bool is_repeated = false;

		if (touch->effect != W_EFFECT_NET || touch->is_possible)
			continue;
		if (touch->kind != W_TOUCH_HOST || touch->target == NULL)
			return false;
		for (size_t j = 0; j < i && !is_repeated; j++)
			is_repeated =
			    is_same_host(touch, &analysis->touches[j]);
		if (!is_repeated && !add_host(buf, touch))
			return false;
	}
	return true;
}

void
w_policy_generalise_hosts(struct w_buf *buf, const struct w_policy_facts *facts)
{
	W_AUTO_BUF struct w_buf hosts;

	w_buf_init(&hosts, HOSTS_MAX);
	if (facts->network != W_POLICY_NETWORK_HOSTS)
		return;
	for (size_t i = 0; i < facts->count; i++) {
		if (!add_command(&hosts, &facts->commands[i]))
			return;
	}
	if (hosts.len == 0 || hosts.failed)
		return;
	w_buf_add_fmt(buf,
	    strstr(hosts.data, ", ") != NULL
		? "allow: { host: [%s], network: hosts }"
		: "allow: { host: %s, network: hosts }",
	    hosts.data);
}
