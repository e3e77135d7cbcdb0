/* SPDX-License-Identifier: Apache-2.0 */

/* The process of the server: `writ fleet up` and `writ fleet down`. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/auto.h"
#include "cli/fleet/operator/operator.h"
#include "cli/output/print.h"
#include "data/json.h"

#define STAGE     "server"
#define PROGRAM   "nats-server"
#define TRIES     100
#define TRY_MS    100
#define PORTS_END ".ports"

/* The program; NULL: not installed. */
static const char *
server_program(void)
{
	static const char *const places[] = {"/usr/sbin/" PROGRAM,
	    "/usr/bin/" PROGRAM, "/usr/local/bin/" PROGRAM,
	    "/usr/local/sbin/" PROGRAM};

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		if (access(places[i], X_OK) == 0)
			return places[i];
	}
	return NULL;
}

/* Whether that process is a server with our configuration: the number in an old
 * file may be another process by now. */
static bool
is_ours(const struct w_operator *operator, int pid)
{
	char path[64], conf[W_FLEET_PATH_MAX], line[2 * W_FLEET_PATH_MAX];
	writ_error err;

	if (pid <= 1 || w_operator_path(operator, "server/nats.conf", conf,
			    &err) != WRIT_OK)
		return false;
	(void)snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	W_AUTO_FD int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	ssize_t len = read(fd, line, sizeof(line) - 1);
	if (len <= 0)
		return false;
	return memmem(line, (size_t)len, conf, strlen(conf) + 1) != NULL;
}

int
w_operator_server_pid(const struct w_operator *operator)
{
	char path[W_FLEET_PATH_MAX];
	W_AUTO_BUF struct w_buf text;
	writ_error err;

	w_buf_init(&text, W_FLEET_FILE_MAX);
	if (w_operator_path(operator, "server/pid", path, &err) != WRIT_OK ||
	    w_fleet_file_read(path, &text, &err) != WRIT_OK)
		return 0;
	const int pid = atoi(text.data);
	return is_ours(operator, pid) ? pid : 0;
}

void
w_operator_server_reload(const struct w_operator *operator)
{
	const int pid = w_operator_server_pid(operator);

	if (pid > 0)
		(void)kill(pid, SIGHUP);
}

/* ---- the start ---- */

static _Noreturn void
become_server(const char *program, const char *conf, int log_fd)
{
	static char word[] = PROGRAM, option[] = "-c";
	char path[W_FLEET_PATH_MAX];
	char *const argv[] = {word, option, path, NULL};

	(void)snprintf(path, sizeof(path), "%s", conf);
	(void)setsid();
	(void)close(0);
	(void)open("/dev/null", O_RDONLY);
	if (dup2(log_fd, 1) < 0 || dup2(log_fd, 2) < 0 || chdir("/") < 0)
		_exit(126);
	(void)close_range(3, ~0U, 0);
	(void)execv(program, argv);
	_exit(127);
}

/* The port that a server with port 0 has taken, from the file that it writes;
 * 0: not yet. */
static unsigned
read_port(const char *path)
{
	const struct w_json_limits limits = {65536, 8};
	struct w_json *json = NULL;
	unsigned port = 0;
	W_AUTO_BUF struct w_buf text;
	writ_error err;

	w_buf_init(&text, 65536);
	if (w_fleet_file_read(path, &text, &err) != WRIT_OK ||
	    w_json_read(text.data, text.len, &limits, &json, &err) != WRIT_OK)
		return 0;
	const char *url = yyjson_get_str(
	    yyjson_arr_get_first(yyjson_obj_get(w_json_root(json), "nats")));
	const char *colon = url == NULL ? NULL : strrchr(url, ':');
	if (colon != NULL)
		port = (unsigned)strtoul(colon + 1, NULL, 10);
	w_json_free(json);
	return port;
}

static void
settle_port(struct w_operator *operator, pid_t pid)
{
	struct operator_site *site = &operator->site;
	char path[W_FLEET_PATH_MAX], rest[64], host[200];
	unsigned port = 0;
	writ_error err;
	char *colon = strrchr(site->listen, ':');

	if (strcmp(colon, ":-1") != 0)
		return;
	(void)snprintf(
	    rest, sizeof(rest), "server/" PROGRAM "_%d" PORTS_END, (int)pid);
	if (w_operator_path(operator, rest, path, &err) != WRIT_OK)
		return;
	for (int i = 0; port == 0 && i < TRIES; i++) {
		nats_Sleep(TRY_MS);
		port = read_port(path);
	}
	if (port == 0)
		return;
	(void)snprintf(host, sizeof(host), "%.*s", (int)(colon - site->listen),
	    site->listen);
	(void)snprintf(site->listen, sizeof(site->listen), "%s:%u", host, port);
	(void)snprintf(
	    site->server, sizeof(site->server), "nats://%s:%u", host, port);
}

static writ_status
wait_for_server(struct w_operator *operator, pid_t pid, writ_error *err)
{
	char path[W_FLEET_PATH_MAX];
	writ_status status = WRIT_E_SYSTEM;

	for (int i = 0; status != WRIT_OK && i < TRIES; i++) {
		if (waitpid(pid, NULL, WNOHANG) == pid)
			break;
		status = w_operator_connect(operator, err);
		if (status != WRIT_OK)
			nats_Sleep(TRY_MS);
	}
	if (status == WRIT_OK)
		return WRIT_OK;
	status = w_operator_path(operator, "server/log", path, err);
	return status != WRIT_OK
		   ? status
		   : w_fail(err, WRIT_E_SYSTEM, STAGE, 0,
			 "the server did not start: see '%s'", path);
}

writ_status
w_operator_server_start(struct w_operator *operator, writ_error * err)
{
	const char *program = server_program();
	char conf[W_FLEET_PATH_MAX], log[W_FLEET_PATH_MAX];

	if (program == NULL) {
		(void)w_fail(err, WRIT_E_NOTFOUND, STAGE, 0,
		    "the program " PROGRAM " is not installed");
		w_suggest(err, "apt-get install " PROGRAM);
		return WRIT_E_NOTFOUND;
	}
	writ_status status =
	    w_operator_path(operator, "server/nats.conf", conf, err);
	if (status == WRIT_OK)
		status = w_operator_path(operator, "server/log", log, err);
	if (status != WRIT_OK)
		return status;
	W_AUTO_FD int fd = open(
	    log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd < 0)
		return w_fail(
		    err, WRIT_E_SYSTEM, STAGE, errno, "cannot open '%s'", log);
	pid_t pid = fork();
	if (pid == 0)
		become_server(program, conf, fd);
	if (pid < 0)
		return w_fail(err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot start '%s'", program);
	settle_port(operator, pid);
	status = wait_for_server(operator, pid, err);
	if (status != WRIT_OK)
		(void)kill(pid, SIGKILL);
	return status;
}

/* ---- up ---- */

static writ_status
put_path(char out[1024], const char *path, writ_error *err)
{
	if (path == NULL)
		return WRIT_OK;
	W_AUTO_FREE char *real = realpath(path, NULL);
	if (real == NULL || strlen(real) >= 1024)
		return w_fail(
		    err, WRIT_E_INVALID, STAGE, errno, "cannot use '%s'", path);
	memcpy(out, real, strlen(real) + 1);
	return WRIT_OK;
}

static bool
is_loopback(const char *listen)
{
	return strncmp(listen, "127.", 4) == 0 ||
	       strncmp(listen, "[::1]:", 6) == 0 ||
	       strncmp(listen, "localhost:", 10) == 0;
}

static writ_status
put_listen(struct operator_site *site, const char *listen, writ_error *err)
{
	const char *colon = strrchr(listen, ':');
	char *end = NULL;
	const unsigned long port =
	    colon == NULL ? 0 : strtoul(colon + 1, &end, 10);

	if (colon == NULL || colon == listen || end == colon + 1 ||
	    *end != '\0' || port > 65535 || strlen(listen) > 200)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "--listen wants ADDRESS:PORT, not '%s'", listen);
	/* The server's own word for a free port. */
	if (port == 0)
		(void)snprintf(site->listen, sizeof(site->listen), "%.*s:-1",
		    (int)(colon - listen), listen);
	else
		(void)snprintf(
		    site->listen, sizeof(site->listen), "%s", listen);
	(void)snprintf(site->server, sizeof(site->server), "%s://%s",
	    site->tls_cert[0] == '\0' ? "nats" : "tls", listen);
	return WRIT_OK;
}

static writ_status
fill_site(struct w_operator *operator, writ_error * err)
{
	const struct w_fleet_args *args = operator->args;
	struct operator_site *site = &operator->site;

	writ_status status = w_operator_site_load(operator, err);
	if (status != WRIT_OK && status != WRIT_E_NOTFOUND)
		return status;
	const bool is_new = status != WRIT_OK;
	const char *collective =
	    args->collective == NULL ? "main" : args->collective;
	if (is_new || args->collective != NULL) {
		if (!w_fleet_name_valid(collective))
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "'%s' is no name for a fleet", collective);
		if (!is_new && strcmp(collective, site->collective) != 0)
			return w_fail(err, WRIT_E_INVALID, STAGE, 0,
			    "this fleet is called '%s'", site->collective);
		strcpy(site->collective, collective);
	}
	site->version = 1;
	status = put_path(site->tls_cert, args->tls_cert, err);
	if (status == WRIT_OK)
		status = put_path(site->tls_key, args->tls_key, err);
	if (status == WRIT_OK)
		status = put_path(site->tls_ca, args->tls_ca, err);
	if (status == WRIT_OK && (is_new || args->listen != NULL))
		status = put_listen(site,
		    args->listen == NULL ? "127.0.0.1:4222" : args->listen,
		    err);
	if (status == WRIT_OK && args->server != NULL)
		(void)snprintf(
		    site->server, sizeof(site->server), "%s", args->server);
	return status;
}

static writ_status
check_site(const struct operator_site *site, writ_error *err)
{
	if ((site->tls_cert[0] == '\0') != (site->tls_key[0] == '\0'))
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "--tls-cert and --tls-key belong together");
	if (is_loopback(site->listen))
		return WRIT_OK;
	if (site->tls_cert[0] == '\0')
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "on '%s' the server needs TLS: --tls-cert, --tls-key, "
		    "--tls-ca",
		    site->listen);
	if (geteuid() == 0)
		return w_fail(err, WRIT_E_INVALID, STAGE, 0,
		    "root starts a server on loopback alone: use a user of "
		    "its own");
	return WRIT_OK;
}

static writ_status
make_keys(struct w_operator *operator, writ_error * err)
{
	char path[W_FLEET_PATH_MAX];
	struct w_fleet_key key;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, 256);
	writ_status status =
	    w_operator_path(operator, "operator/nkey", path, err);
	if (status == WRIT_OK && access(path, F_OK) != 0) {
		status = w_fleet_key_new(&key, err);
		if (status == WRIT_OK) {
			w_fleet_key_add_private(&text, &key);
			status = w_fleet_file_write(
			    path, 0600, text.data, text.len, err);
		}
	}
	if (status == WRIT_OK)
		status = w_fleet_key_read_private(path, &key, err);
	if (status != WRIT_OK)
		return status;
	w_fleet_nkey_public(&key, operator->nkey);
	explicit_bzero(text.data, text.len);
	w_fleet_key_done(&key);
	status = w_operator_path(operator, "operator/keys/default", path, err);
	if (status == WRIT_OK && access(path, F_OK) != 0)
		status = w_operator_key_make(operator, "default", err);
	return status;
}

static writ_status
make_dirs(const struct w_operator *operator, writ_error * err)
{
	static const char *const dirs[] = {"operator", "server/store"};
	char path[W_FLEET_PATH_MAX];
	writ_status status = WRIT_OK;

	for (size_t i = 0; status == WRIT_OK && i < 2; i++) {
		status = w_operator_path(operator, dirs[i], path, err);
		if (status == WRIT_OK)
			status = w_fleet_dir_make(path, err);
	}
	return status;
}

static writ_status
start_or_reload(
    struct w_operator *operator, bool * out_started, writ_error *err)
{
	*out_started = w_operator_server_pid(operator) == 0;
	if (*out_started)
		return w_operator_server_start(operator, err);
	w_operator_server_reload(operator);
	return w_operator_connect(operator, err);
}

static writ_status
make_queues(struct w_operator *operator, writ_error * err)
{
	struct operator_host_keys keys;

	writ_status status = w_operator_host_keys_load(operator, & keys, err);
	if (status != WRIT_OK)
		return status;
	for (size_t i = 0; status == WRIT_OK && i < keys.count; i++) {
		status =
		    w_operator_consumer_make(operator, keys.items[i].name, err);
		if (status == WRIT_OK)
			status = w_operator_put(operator, "HOSTS",
			    keys.items[i].name, "{}", 2, err);
	}
	w_operator_host_keys_done(&keys);
	return status;
}

/* Two of them at once would start two servers. */
static int
lock_server(const struct w_operator *operator)
{
	char path[W_FLEET_PATH_MAX];
	writ_error err;

	if (w_operator_path(operator, "server/lock", path, &err) != WRIT_OK)
		return -1;
	int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (fd >= 0)
		(void)flock(fd, LOCK_EX);
	return fd;
}

int
w_operator_up(struct w_operator *operator)
{
	bool is_started = false;
	writ_error err;

	writ_status status = make_dirs(operator, & err);
	W_AUTO_FD int lock = status == WRIT_OK ? lock_server(operator) : -1;
	if (status == WRIT_OK && lock < 0)
		status = w_fail(&err, WRIT_E_SYSTEM, STAGE, errno,
		    "cannot lock the server's directory");
	if (status == WRIT_OK)
		status = fill_site(operator, & err);
	if (status == WRIT_OK)
		status = check_site(&operator->site, &err);
	if (status == WRIT_OK)
		status = make_keys(operator, & err);
	if (status == WRIT_OK)
		status = w_operator_conf_write(operator, & err);
	if (status == WRIT_OK)
		status = start_or_reload(operator, & is_started, &err);
	/* With the port that it has taken. */
	if (status == WRIT_OK)
		status = w_operator_site_save(operator, & err);
	if (status == WRIT_OK)
		status = w_operator_conf_write(operator, & err);
	if (status == WRIT_OK)
		status = w_operator_streams_make(operator, & err);
	if (status == WRIT_OK)
		status = make_queues(operator, & err);
	if (status != WRIT_OK)
		return w_operator_fail(operator, & err);
	if (operator->args->is_json) {
		W_AUTO_BUF struct w_buf text;

		w_buf_init(&text, 4096);
		w_buf_add_char(&text, '{');
		w_json_add_text_member(&text, "server", operator->site.server);
		w_json_add_text_member(
		    &text, "collective", operator->site.collective);
		w_json_add_number_member(
		    &text, "pid", (uint64_t)w_operator_server_pid(operator));
		w_buf_add_char(&text, '}');
		return w_print_json(text.data, text.len);
	}
	(void)printf("%s the server of the fleet '%s' at %s\n",
	    is_started ? "started" : "set up", operator->site.collective,
					       operator->site.server);
	(void)printf("next: writ fleet invite NAME\n");
	return 0;
}

int
w_operator_down(struct w_operator *operator)
{
	const int pid = w_operator_server_pid(operator);
	writ_error err;

	if (pid == 0) {
		(void)w_fail(&err, WRIT_E_NOTFOUND, STAGE, 0,
		    "no server of writ fleet up is running");
		return w_operator_fail(operator, & err);
	}
	(void)kill(pid, SIGTERM);
	for (int i = 0; i < TRIES && w_operator_server_pid(operator) != 0; i++)
		nats_Sleep(TRY_MS);
	if (w_operator_server_pid(operator) != 0) {
		(void)w_fail(&err, WRIT_E_TIMEOUT, STAGE, 0,
		    "the server (%d) has not ended yet", pid);
		return w_operator_fail(operator, & err);
	}
	return 0;
}
