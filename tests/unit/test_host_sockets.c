/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "sandbox/profile/resolved_profile.h"
#include "temp.h"

enum {
	MANY = 140
};

static struct temp temp;
static char cwd[300];
static int sockets[MANY];
static size_t socket_count;

static int
set_up(void **state)
{
	(void)state;
	temp_open(&temp);
	temp_dir(&temp, "project");
	temp_dir(&temp, "shown");
	(void)snprintf(cwd, sizeof(cwd), "%s/project", temp.path);
	return 0;
}

static int
tear_down(void **state)
{
	(void)state;
	while (socket_count > 0)
		(void)close(sockets[--socket_count]);
	temp_close(&temp);
	return 0;
}

static void
bind_socket(int type, const char *name)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	int fd = socket(AF_UNIX, type | SOCK_CLOEXEC, 0);

	int len = snprintf(address.sun_path, sizeof(address.sun_path), "%s/%s",
	    temp.path, name);
	assert_in_range(len, 1, sizeof(address.sun_path) - 1);
	assert_int_equal(
	    bind(fd, (struct sockaddr *)&address, sizeof(address)), 0);
	if (type != SOCK_DGRAM)
		assert_int_equal(listen(fd, 1), 0);
	sockets[socket_count++] = fd;
}

/* Below /tmp only explicit grants are visible, so the tests use those. */
static writ_status
resolve(enum w_walls walls, const char *read,
    struct w_resolved_profile *out_resolved, writ_error *err)
{
	const char *reads[] = {read, NULL};
	const struct w_profile_context context = {
	    .cwd = cwd, .home = "/nowhere", .read = reads};
	struct w_profile profile;

	assert_int_equal(w_profile_builtin(walls, &profile, err), WRIT_OK);
	writ_status status =
	    w_profile_resolve(&profile, &context, out_resolved, err);
	w_profile_done(&profile);
	return status;
}

static const struct w_real_path *
find(const struct w_resolved_profile *resolved, const char *name)
{
	const char *path = temp_path(&temp, name);

	for (size_t i = 0; i < resolved->sockets.count; i++) {
		if (strcmp(resolved->sockets.items[i].path, path) == 0)
			return &resolved->sockets.items[i];
	}
	return NULL;
}

static void
sockets_in_sight_are_found(void **state)
{
	static const enum w_walls walls[] = {W_WALLS_WORKSPACE, W_WALLS_STRICT};
	struct w_resolved_profile resolved;
	struct stat st;
	writ_error err = {0};

	(void)state;
	bind_socket(SOCK_STREAM, "shown/stream");
	bind_socket(SOCK_DGRAM, "shown/datagram");
	for (size_t i = 0; i < 2; i++) {
		assert_int_equal(resolve(walls[i], temp_path(&temp, "shown"),
				     &resolved, &err),
		    WRIT_OK);
		assert_non_null(find(&resolved, "shown/datagram"));
		const struct w_real_path *place =
		    find(&resolved, "shown/stream");
		assert_non_null(place);
		assert_int_equal(stat(place->path, &st), 0);
		assert_int_equal(place->ino, st.st_ino);
		assert_false(place->is_dir);
		w_resolved_profile_done(&resolved);
	}
}

static void
sockets_of_the_command_and_out_of_sight_are_not(void **state)
{
	struct w_resolved_profile resolved;
	writ_error err = {0};

	(void)state;
	bind_socket(SOCK_STREAM, "project/own");
	bind_socket(SOCK_STREAM, "elsewhere");
	bind_socket(SOCK_STREAM, "shown/gone");
	assert_int_equal(unlink(temp_path(&temp, "shown/gone")), 0);
	temp_file(&temp, "shown/gone", 0600, "no socket");
	assert_int_equal(
	    resolve(W_WALLS_STRICT, temp_path(&temp, "shown"), &resolved, &err),
	    WRIT_OK);
	assert_null(find(&resolved, "project/own"));
	assert_null(find(&resolved, "elsewhere"));
	assert_null(find(&resolved, "shown/gone"));
	w_resolved_profile_done(&resolved);
}

static void
a_link_on_the_way_is_followed(void **state)
{
	struct w_resolved_profile resolved;
	writ_error err = {0};

	(void)state;
	temp_link(&temp, "../shown", "project/link");
	bind_socket(SOCK_STREAM, "project/link/stream");
	assert_int_equal(resolve(W_WALLS_WORKSPACE, temp_path(&temp, "shown"),
			     &resolved, &err),
	    WRIT_OK);
	assert_non_null(find(&resolved, "shown/stream"));
	w_resolved_profile_done(&resolved);
}

static void
a_read_only_command_connects_to_none(void **state)
{
	struct w_resolved_profile resolved;
	writ_error err = {0};

	(void)state;
	bind_socket(SOCK_STREAM, "shown/stream");
	assert_int_equal(resolve(W_WALLS_READONLY, temp_path(&temp, "shown"),
			     &resolved, &err),
	    WRIT_OK);
	assert_int_equal(resolved.sockets.count, 0);
	w_resolved_profile_done(&resolved);
}

static void
too_many_are_refused(void **state)
{
	struct w_resolved_profile resolved;
	writ_error err = {0};
	char name[32];

	(void)state;
	for (int i = 0; i < MANY; i++) {
		(void)snprintf(name, sizeof(name), "shown/%d", i);
		bind_socket(SOCK_DGRAM, name);
	}
	assert_int_equal(
	    resolve(W_WALLS_STRICT, temp_path(&temp, "shown"), &resolved, &err),
	    WRIT_E_SANDBOX);
	assert_non_null(strstr(err.message, "sockets"));
}

#define IN_TEMP(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    IN_TEMP(sockets_in_sight_are_found),
	    IN_TEMP(sockets_of_the_command_and_out_of_sight_are_not),
	    IN_TEMP(a_link_on_the_way_is_followed),
	    IN_TEMP(a_read_only_command_connects_to_none),
	    IN_TEMP(too_many_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
