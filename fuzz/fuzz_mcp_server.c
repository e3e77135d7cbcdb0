/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A conversation with the whole MCP server: its tools, resources, prompts and
 * questions, under a policy that asks about much and allows nothing. Whatever
 * comes, what it says is JSON on one line, and nothing is left of a client that
 * has gone.
 *
 * A client may well approve what it is asked, and that is a command out of the
 * fuzzer's bytes. So this process cannot start any: a filter refuses the system
 * calls for it, before the first byte is read.
 */

#include <errno.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <writ/config.h>

#include "check.h"
#include "mcp/server.h"

enum {
	TURNS = 3
};

#define REFUSE         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)
#define UNLESS(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 1)

static void
forbid_processes(void)
{
	/* Threads and what the leak checker needs share their memory. */
	static const struct sock_filter steps[] = {
	    BPF_STMT(
		BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    UNLESS(SYS_execve),
	    REFUSE,
	    UNLESS(SYS_execveat),
	    REFUSE,
	    UNLESS(SYS_clone3),
	    REFUSE,
#ifdef SYS_fork
	    UNLESS(SYS_fork),
	    REFUSE,
	    UNLESS(SYS_vfork),
	    REFUSE,
#endif
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
		offsetof(struct seccomp_data, args[0])),
	    BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_VM, 1, 0),
	    REFUSE,
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {
	    .len = sizeof(steps) / sizeof(steps[0]),
	    .filter = (struct sock_filter *)(uintptr_t)steps};

	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	CHECK(syscall(SYS_clone3, NULL, 0) == -1 && errno == EPERM);
}

static const char policy[] = "version: 1\n"
			     "default: deny\n"
			     "sandbox: none\n"
			     "rules:\n"
			     "  - ask: { effect: [read, write] }\n";

static writ_config *
make_config(const char *dir)
{
	static const char *const keys[] = {"state_dir", "cache_dir",
	    "config_dir", "system_dir", "modules", "policy"};
	writ_config *made = NULL;
	char path[128];

	CHECK(writ_config_new(&made, NULL) == WRIT_OK);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", dir, keys[i]);
		if (strcmp(keys[i], "policy") == 0) {
			FILE *file = fopen(path, "we");
			CHECK(file != NULL && fputs(policy, file) >= 0);
			CHECK(fclose(file) == 0 && chmod(path, 0600) == 0);
		}
		CHECK(writ_config_set(made, keys[i], path, NULL) == WRIT_OK);
	}
	return made;
}

static char dir[] = "/tmp/writ-fuzz-XXXXXX";
static writ_config *config;
static struct w_mcp *server;

/* Only what this program itself has made lies there. */
static void
clean_up(void)
{
	static const char *const names[] = {"/state_dir/approvals/grants",
	    "/state_dir/approvals", "/state_dir", "/policy", ""};
	char path[128];

	w_mcp_free(server);
	writ_config_free(config);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		(void)snprintf(path, sizeof(path), "%s%s", dir, names[i]);
		(void)remove(path);
	}
}

static void
make_server(void)
{
	struct w_mcp_options options = {.no_audit = true, .cwd = dir};

	forbid_processes();
	CHECK(mkdtemp(dir) != NULL);
	config = make_config(dir);
	options.config = config;
	CHECK(w_mcp_new(&options, &server, NULL) == WRIT_OK);
	CHECK(atexit(clean_up) == 0);
}

static void
check_said(void *ctx, const char *json, size_t len)
{
	yyjson_doc *doc = yyjson_read(json, len, 0);

	(void)ctx;
	CHECK(doc != NULL);
	CHECK(memchr(json, '\n', len) == NULL);
	yyjson_doc_free(doc);
}

static size_t
say_nothing_waits(void *ctx)
{
	(void)ctx;
	return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct w_connection_transport transport = {
	    .send = check_said, .waiting = say_nothing_waits};
	struct w_connection connection;
	const char *at = (const char *)data;
	const char *end = at + size;

	if (server == NULL)
		make_server();
	w_connection_open(&connection, server, &transport);
	while (at < end) {
		const char *newline = memchr(at, '\n', (size_t)(end - at));
		const char *stop = newline == NULL ? end : newline;

		w_connection_receive(&connection, at, (size_t)(stop - at));
		CHECK(w_mcp_dispatch(server, NULL) == WRIT_OK);
		at = stop == end ? end : stop + 1;
	}
	for (int i = 0; i < TURNS; i++)
		CHECK(w_mcp_dispatch(server, NULL) == WRIT_OK);
	w_connection_close(&connection);
	CHECK(writ_engine_live(server->engine) == 0);
	CHECK(server->connections == NULL && connection.rpc_requests == NULL);
	return 0;
}
