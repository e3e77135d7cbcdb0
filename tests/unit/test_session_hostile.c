/* SPDX-License-Identifier: Apache-2.0 */

/* The holder of a session against hostile clients, and clients against a false
 * holder. */

#include "held_fixture.h"

#include <linux/memfd.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "os/fd_message.h"
#include "run/held/held_charter.h"
#include "run/helper/protocol.h"

static const struct w_holder_ask good = {
    .magic = W_HOLDER_MAGIC,
    .version = W_HOLDER_VERSION,
    .kind = W_HOLDER_LOOK,
};

/* Sends bytes and descriptors; returns the word of the answer, 0: it hung up.
 */
static uint32_t
ask(int line, const void *bytes, size_t len, int *given, size_t count)
{
	char copy[256];
	struct w_fd_message message = {
	    .bytes = copy, .len = len, .fds = given, .count = count};
	struct w_holder_answer answer = {0};
	int fds[W_HOLDER_SENT_MAX];

	memcpy(copy, bytes, len);
	assert_int_equal(w_fd_message_send(line, &message), 0);
	message = (struct w_fd_message){.bytes = &answer,
	    .len = sizeof(answer),
	    .fds = fds,
	    .count = W_HOLDER_SENT_MAX};
	const ssize_t n = w_fd_message_receive(line, 0, &message);
	for (size_t i = 0; n > 0 && i < message.count; i++)
		(void)close(fds[i]);
	return n == (ssize_t)sizeof(answer) ? answer.word : 0;
}

/* ---- clients ---- */

static void
what_is_no_question_is_hung_up_on(void **state)
{
	struct w_holder_ask wrong[] = {good, good, good, good};
	char longer[sizeof(good) + 1] = {0};
	int some[] = {0, 1, 2};

	(void)state;
	begin_held("dev");
	wrong[0].magic ^= 1;
	wrong[1].version++;
	wrong[2].kind = 'Z';
	wrong[3].zero = 1;
	for (size_t i = 0; i < 4; i++) {
		const int line = plug("dev", false);

		assert_int_equal(
		    ask(line, &wrong[i], sizeof(good), NULL, 0), 0);
		(void)close(line);
	}
	memcpy(longer, &good, sizeof(good));
	for (size_t len = 1; len <= sizeof(longer); len += 15) {
		const int line = plug("dev", false);

		/* A packet that is longer is cut to a whole question. */
		assert_int_equal(ask(line, longer, len, NULL, 0),
		    len < sizeof(good) ? 0 : W_HOLDER_OK);
		(void)close(line);
	}
	const int line = plug("dev", false);
	assert_int_equal(ask(line, &good, sizeof(good), some, 3), 0);
	(void)close(line);
	session = join_held("dev");
	expect(session, "echo fine", "fine\n");
}

static void
only_who_has_joined_saves_and_only_sealed_memory(void **state)
{
	struct w_holder_ask save = good, join = good;
	const int sealed_all =
	    F_SEAL_SEAL | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_WRITE;
	int plain = memfd_create("plain", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int large = memfd_create("large", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int sealed = memfd_create("sealed", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	int directory = open("/", O_PATH | O_CLOEXEC);

	(void)state;
	begin_held("dev");
	save.kind = W_HOLDER_SAVE;
	join.kind = W_HOLDER_JOIN;
	assert_int_equal(ftruncate(large, W_HOLDER_SAVED_MAX + 1), 0);
	assert_int_equal(fcntl(large, F_ADD_SEALS, sealed_all), 0);
	assert_int_equal(write(sealed, "junk", 4), 4);
	assert_int_equal(fcntl(sealed, F_ADD_SEALS, sealed_all), 0);
	const int line = plug("dev", false);
	assert_int_equal(
	    ask(line, &save, sizeof(save), &sealed, 1), W_HOLDER_BAD);
	assert_int_equal(ask(line, &join, sizeof(join), NULL, 0), W_HOLDER_OK);
	assert_int_equal(
	    ask(line, &save, sizeof(save), &plain, 1), W_HOLDER_BAD);
	assert_int_equal(
	    ask(line, &save, sizeof(save), &large, 1), W_HOLDER_BAD);
	assert_int_equal(
	    ask(line, &save, sizeof(save), &directory, 1), W_HOLDER_BAD);
	assert_int_equal(
	    ask(line, &save, sizeof(save), &sealed, 1), W_HOLDER_OK);
	(void)close(line);
	(void)close(plain);
	(void)close(large);
	(void)close(sealed);
	(void)close(directory);
	/* What is no state is left out, and the session works. */
	session = join_held("dev");
	assert_string_equal(writ_session_cwd(session), project);
	expect(session, "echo fine", "fine\n");
}

static void
it_is_full_and_then_has_room(void **state)
{
	int lines[W_HOLDER_CLIENTS];
	struct w_holder_ask join = good;
	writ_error err = {0};

	(void)state;
	begin_held("dev");
	join.kind = W_HOLDER_JOIN;
	for (int i = 0; i < W_HOLDER_CLIENTS; i++) {
		lines[i] = plug("dev", false);
		assert_int_equal(
		    ask(lines[i], &join, sizeof(join), NULL, 0), W_HOLDER_OK);
	}
	assert_int_equal(writ_session_join(engine, "dev", NULL, &session, &err),
	    WRIT_E_SYSTEM);
	assert_non_null(strstr(err.message, "is full"));
	for (int i = 0; i < W_HOLDER_CLIENTS; i++)
		(void)close(lines[i]);
	session = join_held("dev");
	expect(session, "echo fine", "fine\n");
}

static void
a_process_with_fewer_rights_is_refused(void **state)
{
	int how = 0;

	(void)state;
	begin_held("dev");
	const pid_t pid = fork();
	if (pid == 0) {
		writ_session *own = NULL;

		(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
		_exit(writ_session_join(engine, "dev", NULL, &own, NULL) ==
			      WRIT_E_DENIED
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(pid, &how, 0), pid);
	assert_true(WIFEXITED(how) && WEXITSTATUS(how) == 0);
}

/* ---- a false holder ---- */

/* What a false holder sends: the answer, and what for a charter. */
struct falsehood {
	struct w_holder_answer answer;
	struct w_held_charter charter;
	size_t charter_len;
	int fds[W_HOLDER_SENT_MAX];
	size_t count; /* behind the charter */
};

/* Answers one client in a process of its own, which ends then. */
static void
serve_once(const char *name, const struct falsehood *false_one)
{
	const int listener = plug(name, true);
	const pid_t pid = fork();

	if (pid == 0) {
		const int line = accept(listener, NULL, NULL);
		struct falsehood own = *false_one;
		struct w_holder_ask question;
		int fds[W_HOLDER_SENT_MAX];
		const int file = memfd_create("charter", MFD_CLOEXEC);
		struct w_fd_message message = {.bytes = &own.answer,
		    .len = sizeof(own.answer),
		    .fds = fds,
		    .count = 1 + own.count};

		(void)recv(line, &question, sizeof(question), 0);
		(void)!write(file, &own.charter, own.charter_len);
		fds[0] = file;
		for (size_t i = 0; i < own.count; i++)
			fds[i + 1] = own.fds[i];
		(void)w_fd_message_send(line, &message);
		_exit(0);
	}
	(void)close(listener);
}

static struct falsehood
falsehood_of(const char *name)
{
	struct falsehood made = {
	    .answer = {.magic = W_HOLDER_MAGIC,
		.version = W_HOLDER_VERSION,
		.word = W_HOLDER_OK},
	    .charter = {.magic = W_HELD_MAGIC,
		.version = W_HELD_VERSION,
		.size = sizeof(struct w_held_charter),
		.places = 1U << W_SESSION_FD_MOUNT | 1U << W_SESSION_FD_TMP,
		.idle_ms = 1,
		.lifetime_ms = 1,
		.dir = "/"},
	    .charter_len = sizeof(struct w_held_charter),
	    .count = 2,
	};

	(void)snprintf(
	    made.charter.name, sizeof(made.charter.name), "%s", name);
	return made;
}

/* Tries to join a false holder, which is told, and leaves nothing open. */
static void
join_false(const struct falsehood *false_one, const char *told)
{
	writ_error err = {0};
	char path[400];
	int how = 0;

	serve_once("false", false_one);
	const int before = count_fds();
	assert_int_equal(
	    writ_session_join(engine, "false", NULL, &session, &err),
	    WRIT_E_SYSTEM);
	if (strstr(err.message, told) == NULL)
		fail_msg("'%s' is not in '%s'", told, err.message);
	assert_int_equal(count_fds(), before);
	assert_true(wait(&how) > 0);
	(void)snprintf(path, sizeof(path), "%s/held/false", state_dir);
	assert_int_equal(unlink(path), 0);
}

static void
what_was_tampered_with_is_told(void **state)
{
	const int root = open("/", O_PATH | O_CLOEXEC);
	const int own_ns = open("/proc/self/ns/mnt", O_RDONLY | O_CLOEXEC);
	const int net_ns = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);

	(void)state;
	begin_held("dev");
	struct falsehood one = falsehood_of("false");
	one.fds[0] = own_ns;
	one.fds[1] = root;
	/* Right namespaces, but no directories of a session. */
	join_false(&one, "not what they should be");
	one.fds[0] = net_ns;
	join_false(&one, "not what they should be");
	one.fds[0] = own_ns;
	one.count = 1;
	join_false(&one, "tampered with");
	one.count = 2;
	one.charter_len--;
	join_false(&one, "tampered with");
	one.charter_len = 0;
	join_false(&one, "tampered with");
	one = falsehood_of("another");
	one.fds[0] = own_ns;
	one.fds[1] = root;
	join_false(&one, "tampered with");
	one = falsehood_of("false");
	one.fds[0] = own_ns;
	one.fds[1] = root;
	one.charter.version++;
	join_false(&one, "another version");
	one.charter.version--;
	one.answer.has_saved = 1;
	join_false(&one, "tampered with");
	one.answer.magic++;
	join_false(&one, "tampered with");
	(void)close(root);
	(void)close(own_ns);
	(void)close(net_ns);
	/* The other session sees nothing of it. */
	session = join_held("dev");
	expect(session, "echo fine", "fine\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    HELD(what_is_no_question_is_hung_up_on),
	    HELD(only_who_has_joined_saves_and_only_sealed_memory),
	    HELD(it_is_full_and_then_has_room),
	    HELD(a_process_with_fewer_rights_is_refused),
	    HELD(what_was_tampered_with_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
