/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A network in which every address is its own, for a session with hosts: what
 * its runs connect to arrives at sockets that are given to the relay.
 *
 * Two rules of nftables send TCP to one socket, whatever the port, and UDP for
 * port 53 to the socket of the DNS. Where the kernel has no nftables, there is
 * a socket for each port that is listed. Everything else is refused by the
 * kernel at once: nobody listens, and there is no way out.
 *
 * The files that tell a program where its DNS is are replaced for the session;
 * a name of the machine's hosts file would win otherwise, and lead to an
 * address that means nothing here.
 */

#include <errno.h>
#include <fcntl.h>
#include <linux/mount.h>
#include <linux/netfilter.h>
#include <linux/netfilter/nf_nat.h>
#include <linux/netfilter/nf_tables.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/rtnetlink.h>
#include <linux/utsname.h>
#include <sys/socket.h>

#include "os/syscall.h"
#include "run/helper/helper.h"
#include "run/helper/host_network.h"
#include "run/helper/netlink_message.h"
#include "sandbox/child/shared_walls.h"

enum {
	LO_INDEX = 1, /* of a new network */
	LOOPBACK_NET = 127,
	DNS_PORT = 53,
	BACKLOG = 4096,
	IP_TO = 16, /* where a header has the destination */
	UDP_TO = 2,
	FILE_MAX = 8192
};

/* ---- the route ---- */

static long
own_every_address(void)
{
	const struct rtmsg route = {
	    .rtm_family = AF_INET,
	    .rtm_table = RT_TABLE_LOCAL,
	    .rtm_protocol = RTPROT_STATIC,
	    .rtm_scope = RT_SCOPE_HOST,
	    .rtm_type = RTN_LOCAL,
	};
	const uint32_t lo = LO_INDEX;
	struct netlink_message message = {.len = 0};

	netlink_begin(&message, RTM_NEWROUTE, NLM_F_CREATE | NLM_F_ACK, &route,
	    sizeof(route));
	netlink_put(&message, RTA_OIF, &lo, sizeof(lo));
	return netlink_talk(&message, NETLINK_ROUTE);
}

/* ---- nftables ---- */

static const struct nfgenmsg v4 = {.nfgen_family = NFPROTO_IPV4};

static void
begin_nft(struct netlink_message *message, uint32_t type, uint32_t flags)
{
	netlink_begin(message, NFNL_SUBSYS_NFTABLES << 8 | type,
	    NLM_F_CREATE | NLM_F_ACK | flags, &v4, sizeof(v4));
}

static void
put_batch(struct netlink_message *message, uint32_t type)
{
	const struct nfgenmsg batch = {
	    .res_id = __builtin_bswap16(NFNL_SUBSYS_NFTABLES)};

	netlink_begin(message, type, 0, &batch, sizeof(batch));
}

/* An expression of a rule; its data is written between these two. */
struct expression {
	struct nlattr *element;
	struct nlattr *data;
};

static struct expression
open_expression(struct netlink_message *message, const char *name)
{
	struct expression expression;

	expression.element = netlink_open(message, NFTA_LIST_ELEM);
	netlink_put_text(message, NFTA_EXPR_NAME, name);
	expression.data = netlink_open(message, NFTA_EXPR_DATA);
	return expression;
}

static void
close_expression(
    struct netlink_message *message, const struct expression *expression)
{
	netlink_close(message, expression->data);
	netlink_close(message, expression->element);
}

static void
put_value(struct netlink_message *message, uint32_t type, const void *value,
    size_t len)
{
	struct nlattr *data = netlink_open(message, type);

	netlink_put(message, NFTA_DATA_VALUE, value, len);
	netlink_close(message, data);
}

static void
put_compare(struct netlink_message *message, uint32_t how, const void *value,
    size_t len)
{
	const struct expression compare = open_expression(message, "cmp");

	netlink_put_number(message, NFTA_CMP_SREG, NFT_REG_1);
	netlink_put_number(message, NFTA_CMP_OP, how);
	put_value(message, NFTA_CMP_DATA, value, len);
	close_expression(message, &compare);
}

static void
put_payload(struct netlink_message *message, uint32_t base, uint32_t offset,
    uint32_t len)
{
	const struct expression payload = open_expression(message, "payload");

	netlink_put_number(message, NFTA_PAYLOAD_DREG, NFT_REG_1);
	netlink_put_number(message, NFTA_PAYLOAD_BASE, base);
	netlink_put_number(message, NFTA_PAYLOAD_OFFSET, offset);
	netlink_put_number(message, NFTA_PAYLOAD_LEN, len);
	close_expression(message, &payload);
}

/* Not for 127.0.0.0/8, and of this protocol. */
static void
put_conditions(struct netlink_message *message, uint8_t protocol)
{
	const uint8_t loopback = LOOPBACK_NET;

	put_payload(message, NFT_PAYLOAD_NETWORK_HEADER, IP_TO, 1);
	put_compare(message, NFT_CMP_NEQ, &loopback, 1);
	const struct expression meta = open_expression(message, "meta");
	netlink_put_number(message, NFTA_META_DREG, NFT_REG_1);
	netlink_put_number(message, NFTA_META_KEY, NFT_META_L4PROTO);
	close_expression(message, &meta);
	put_compare(message, NFT_CMP_EQ, &protocol, 1);
}

static void
put_redirect(struct netlink_message *message, uint16_t port)
{
	const uint16_t bytes = __builtin_bswap16(port);
	const struct expression load = open_expression(message, "immediate");

	netlink_put_number(message, NFTA_IMMEDIATE_DREG, NFT_REG_1);
	put_value(message, NFTA_IMMEDIATE_DATA, &bytes, sizeof(bytes));
	close_expression(message, &load);
	const struct expression redirect = open_expression(message, "redir");
	netlink_put_number(message, NFTA_REDIR_REG_PROTO_MIN, NFT_REG_1);
	netlink_put_number(
	    message, NFTA_REDIR_FLAGS, NF_NAT_RANGE_PROTO_SPECIFIED);
	close_expression(message, &redirect);
}

static void
put_rule(struct netlink_message *message, uint8_t protocol, uint16_t to)
{
	const uint16_t dns = __builtin_bswap16(DNS_PORT);

	begin_nft(message, NFT_MSG_NEWRULE, NLM_F_APPEND);
	netlink_put_text(message, NFTA_RULE_TABLE, "writ");
	netlink_put_text(message, NFTA_RULE_CHAIN, "out");
	struct nlattr *list = netlink_open(message, NFTA_RULE_EXPRESSIONS);
	put_conditions(message, protocol);
	if (protocol == IPPROTO_UDP) {
		put_payload(message, NFT_PAYLOAD_TRANSPORT_HEADER, UDP_TO, 2);
		put_compare(message, NFT_CMP_EQ, &dns, sizeof(dns));
	}
	put_redirect(message, to);
	netlink_close(message, list);
}

static long
redirect_to(uint16_t tcp_port)
{
	struct netlink_message message = {.len = 0};

	put_batch(&message, NFNL_MSG_BATCH_BEGIN);
	begin_nft(&message, NFT_MSG_NEWTABLE, 0);
	netlink_put_text(&message, NFTA_TABLE_NAME, "writ");
	begin_nft(&message, NFT_MSG_NEWCHAIN, 0);
	netlink_put_text(&message, NFTA_CHAIN_TABLE, "writ");
	netlink_put_text(&message, NFTA_CHAIN_NAME, "out");
	struct nlattr *hook = netlink_open(&message, NFTA_CHAIN_HOOK);
	netlink_put_number(&message, NFTA_HOOK_HOOKNUM, NF_INET_LOCAL_OUT);
	netlink_put_number(&message, NFTA_HOOK_PRIORITY, (uint32_t)-100);
	netlink_close(&message, hook);
	netlink_put_text(&message, NFTA_CHAIN_TYPE, "nat");
	put_rule(&message, IPPROTO_TCP, tcp_port);
	put_rule(&message, IPPROTO_UDP, DNS_PORT);
	put_batch(&message, NFNL_MSG_BATCH_END);
	return netlink_talk(&message, NETLINK_NETFILTER);
}

/* ---- sockets ---- */

static long
make_bound(int kind, uint32_t v4_address, uint16_t port)
{
	static const int on = 1;
	const struct sockaddr_in address = {
	    .sin_family = AF_INET,
	    .sin_port = __builtin_bswap16(port),
	    .sin_addr.s_addr = __builtin_bswap32(v4_address),
	};
	const long fd = w_sys3(
	    __NR_socket, AF_INET, kind | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return fd;
	if (kind == SOCK_STREAM)
		(void)w_sys5(__NR_setsockopt, fd, SOL_SOCKET, SO_REUSEADDR, &on,
		    sizeof(on));
	long ret = w_sys3(__NR_bind, fd, &address, sizeof(address));
	if (ret == 0 && kind == SOCK_STREAM)
		ret = w_sys2(__NR_listen, fd, BACKLOG);
	if (ret == 0)
		return fd;
	(void)w_sys1(__NR_close, fd);
	return ret;
}

static long
listen_redirected(int *out_fd)
{
	struct sockaddr_in address;
	uint32_t len = sizeof(address);
	const long fd = make_bound(SOCK_STREAM, INADDR_LOOPBACK, 0);

	if (fd < 0)
		return fd;
	long ret = w_sys3(__NR_getsockname, fd, &address, &len);
	if (ret == 0)
		ret = redirect_to(__builtin_bswap16(address.sin_port));
	if (ret == 0)
		*out_fd = (int)fd;
	else
		(void)w_sys1(__NR_close, fd);
	return ret;
}

static long
listen_at_ports(const struct w_host_ports *ports, struct host_sockets *sockets)
{
	for (uint32_t i = 0; i < ports->count; i++) {
		const long fd =
		    make_bound(SOCK_STREAM, INADDR_ANY, ports->items[i]);

		if (fd < 0)
			return fd;
		sockets->fds[sockets->count++] = (int)fd;
	}
	return 0;
}

/* ---- files ---- */

struct host_text {
	char bytes[FILE_MAX];
	size_t len;
};

static void
add_text(struct host_text *text, const char *from, size_t len)
{
	for (size_t i = 0; i < len && text->len < sizeof(text->bytes); i++)
		text->bytes[text->len++] = from[i];
}

static size_t
host_text_len(const char *text)
{
	size_t len = 0;

	while (text[len] != '\0')
		len++;
	return len;
}

static void
add_word(struct host_text *text, const char *word)
{
	add_text(text, word, host_text_len(word));
}

static int
host_text_begins(const char *line, size_t len, const char *word)
{
	const size_t word_len = host_text_len(word);
	size_t i = 0;

	while (i < word_len && i < len && line[i] == word[i])
		i++;
	return i == word_len;
}

/* Those lines of a file of the machine of which a word says that they stay. */
static void
add_lines(struct host_text *text, const char *path, const char *const *words,
    int stays)
{
	static char file[FILE_MAX];
	size_t at = 0;

	const long fd = w_sys4(
	    __NR_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
	if (fd < 0)
		return;
	const long n = w_sys3(__NR_read, fd, file, sizeof(file));
	(void)w_sys1(__NR_close, fd);
	while (n > 0 && at < (size_t)n) {
		size_t len = 0;
		int is_named = 0;

		while (at + len < (size_t)n && file[at + len] != '\n')
			len++;
		/* A line that was cut is left out. */
		if (at + len == (size_t)n && n == sizeof(file))
			return;
		for (int i = 0; words[i] != NULL; i++)
			is_named |= host_text_begins(file + at, len, words[i]);
		if (is_named == stays) {
			add_text(text, file + at, len);
			add_word(text, "\n");
		}
		at += len + 1;
	}
}

static void
fill_resolv_conf(struct host_text *text)
{
	static const char *const words[] = {"search", "domain", NULL};

	add_word(text, "nameserver 127.0.0.1\n");
	add_lines(text, "/etc/resolv.conf", words, 1);
}

static void
fill_hosts(struct host_text *text)
{
	static struct new_utsname machine;

	add_word(text, "127.0.0.1 localhost\n::1 localhost ip6-localhost "
		       "ip6-loopback\n");
	if (w_sys1(__NR_uname, &machine) < 0 || machine.nodename[0] == '\0')
		return;
	add_word(text, "127.0.1.1 ");
	add_word(text, machine.nodename);
	add_word(text, "\n");
}

/* Others than files and the DNS would ask services outside. */
static void
fill_nsswitch(struct host_text *text)
{
	static const char *const words[] = {"hosts:", NULL};

	add_lines(text, "/etc/nsswitch.conf", words, 0);
	add_word(text, "hosts: files dns\n");
}

static long
write_file(const char *path, const struct host_text *text)
{
	const long fd = w_sys4(__NR_openat, AT_FDCWD, path,
	    O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0444);

	if (fd < 0)
		return fd;
	const long n = w_sys3(__NR_write, fd, text->bytes, text->len);
	(void)w_sys1(__NR_close, fd);
	return n < 0 ? n : 0;
}

/* Over the machine's file, or over a link in its place. */
static long
replace_file(const char *ours, const char *path)
{
	struct mount_attr attr = {
	    .attr_set = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID |
			MOUNT_ATTR_NODEV | MOUNT_ATTR_NOEXEC};
	const long tree = w_sys3(__NR_open_tree, AT_FDCWD, ours,
	    OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC);

	if (tree < 0)
		return tree;
	long ret = w_sys5(
	    __NR_mount_setattr, tree, "", AT_EMPTY_PATH, &attr, sizeof(attr));
	if (ret == 0)
		ret = w_sys5(__NR_move_mount, tree, "", AT_FDCWD, path,
		    MOVE_MOUNT_F_EMPTY_PATH);
	(void)w_sys1(__NR_close, tree);
	/* A machine without the file needs none of ours: what is built in is
	 * the same. */
	return ret == -ENOENT ? 0 : ret;
}

static long
replace_files(void)
{
	static const struct {
		void (*fill)(struct host_text *text);
		const char *ours;
		const char *path;
	} files[] = {
	    {fill_resolv_conf, W_SHARED_WALLS_STAGE "/resolv.conf",
		"/etc/resolv.conf"},
	    {fill_hosts, W_SHARED_WALLS_STAGE "/hosts", "/etc/hosts"},
	    {fill_nsswitch, W_SHARED_WALLS_STAGE "/nsswitch.conf",
		"/etc/nsswitch.conf"},
	};
	static struct host_text text;
	long ret = 0;

	for (size_t i = 0; i < sizeof(files) / sizeof(*files) && ret == 0;
	     i++) {
		text.len = 0;
		files[i].fill(&text);
		ret = write_file(files[i].ours, &text);
		if (ret == 0)
			ret = replace_file(files[i].ours, files[i].path);
	}
	return ret;
}

/* ---- all of it ---- */

long
host_network_set_up(
    const struct w_host_ports *ports, struct host_sockets *out_sockets)
{
	long ret = own_every_address();

	out_sockets->count = 0;
	if (ret == 0)
		ret = make_bound(SOCK_DGRAM, INADDR_LOOPBACK, DNS_PORT);
	if (ret < 0)
		return ret;
	out_sockets->fds[out_sockets->count++] = (int)ret;
	ret = listen_redirected(&out_sockets->fds[1]);
	out_sockets->is_redirected = ret == 0;
	if (ret == 0)
		out_sockets->count++;
	else
		ret = listen_at_ports(ports, out_sockets);
	return ret == 0 ? replace_files() : ret;
}
