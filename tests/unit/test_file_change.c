/* SPDX-License-Identifier: Apache-2.0 */
#include "filing.h"

#define HELLO_SUM                                   \
	"5891b5b522d5df086d0ff0b110fbd9d21bb4fc716" \
	"3af34d08286a2e846f6be03"

/* ---- files ---- */

static void
a_new_file_has_content_and_mode(void **state)
{
	struct filing *filing = *state;

	about(filing, "f")->mode = WRIT_FILE_MODE(0640);
	with_content(filing, "hello\n");
	did(filing, "created the file");
	assert_text(filing, "d/f", "hello\n");
	assert_int_equal(mode_of(filing, "d/f"), 0640);
	assert_int_equal(entries(filing, "d"), 1);
	assert_string_equal(filing->result->before.ensure, "absent");
	assert_string_equal(filing->result->after.ensure, "present");
	assert_string_equal(filing->result->after.sha256, HELLO_SUM);
	assert_int_equal(filing->result->after.size, 6);
	assert_string_equal(filing->result->decision, "allow");
	assert_non_null(filing->result->run_id);
	assert_string_equal(filing->result->reason,
	    "ensure mismatch: state=absent requested=present");
	did_nothing(filing);
	assert_string_equal(filing->result->after.sha256, HELLO_SUM);
}

static void
other_content_is_replaced_and_the_rest_stays(void **state)
{
	struct filing *filing = *state;
	struct stat before, after;

	temp_file(&filing->temp, "d/f", 0604, "old\n");
	assert_int_equal(fstatat(filing->temp.fd, "d/f", &before, 0), 0);
	(void)about(filing, "f");
	with_content(filing, "hello\n");
	did(filing, "replaced the content");
	assert_text(filing, "d/f", "hello\n");
	assert_int_equal(mode_of(filing, "d/f"), 0604);
	assert_int_equal(fstatat(filing->temp.fd, "d/f", &after, 0), 0);
	assert_true(before.st_ino != after.st_ino);
	assert_non_null(strstr(
	    filing->result->reason, "content checksum mismatch: state="));
	assert_non_null(
	    strstr(filing->result->diff, "@@ -1 +1 @@\n-old\n+hello\n"));
	assert_int_equal(entries(filing, "d"), 1);
}

static void
a_link_is_made_and_changed_and_never_followed(void **state)
{
	struct filing *filing = *state;
	char target[64];

	about(filing, "l")->ensure = WRIT_FILE_LINK;
	filing->request.target = "f";
	did(filing, "created the link");
	did_nothing(filing);
	assert_string_equal(filing->result->after.ensure, "link");
	filing->request.target = "/no/such";
	did(filing, "changed the link");
	memset(target, 0, sizeof(target));
	assert_int_equal(
	    readlinkat(filing->temp.fd, "d/l", target, sizeof(target) - 1), 8);
	assert_string_equal(target, "/no/such");
	assert_int_equal(entries(filing, "d"), 1);
	temp_file(&filing->temp, "d/f", 0644, "mine");
	about(filing, "f")->ensure = WRIT_FILE_LINK;
	filing->request.target = "g";
	refused(filing, WRIT_E_INVALID, "exists as a file");
	assert_text(filing, "d/f", "mine");
	filing->request.force = true;
	did(filing, "created the link");
}

static void
only_a_wrong_mode_is_changed_in_place(void **state)
{
	struct filing *filing = *state;
	struct stat before, after;

	temp_file(&filing->temp, "d/f", 0600, "hello\n");
	assert_int_equal(fstatat(filing->temp.fd, "d/f", &before, 0), 0);
	about(filing, "f")->mode = WRIT_FILE_MODE(0644);
	with_content(filing, "hello\n");
	did(filing, "updated attributes");
	assert_string_equal(
	    filing->result->reason, "mode mismatch: state=0600 requested=0644");
	assert_int_equal(mode_of(filing, "d/f"), 0644);
	assert_int_equal(fstatat(filing->temp.fd, "d/f", &after, 0), 0);
	assert_true(before.st_ino == after.st_ino);
	did_nothing(filing);
}

static void
without_content_a_file_is_made_empty_or_left_alone(void **state)
{
	struct filing *filing = *state;

	about(filing, "f")->mode = WRIT_FILE_MODE(0600);
	did(filing, "created an empty file with requested attributes");
	assert_text(filing, "d/f", "");
	(void)unlinkat(filing->temp.fd, "d/f", 0);
	temp_file(&filing->temp, "d/f", 0600, "mine\n");
	did_nothing(filing);
	/* An empty content is a content. */
	with_content(filing, "");
	did(filing, "replaced the content");
	assert_text(filing, "d/f", "");
}

static void
a_source_is_copied(void **state)
{
	struct filing *filing = *state;

	temp_file(&filing->temp, "source", 0600, "hello\n");
	about(filing, "f")->source = temp_path(&filing->temp, "source");
	did(filing, "created the file");
	assert_text(filing, "d/f", "hello\n");
	assert_int_equal(mode_of(filing, "d/f"), 0644);
	did_nothing(filing);
	about(filing, "f")->source = temp_path(&filing->temp, "none");
	refused(filing, WRIT_E_INVALID, "cannot read source");
	about(filing, "f")->source = filing->temp.path;
	refused(filing, WRIT_E_INVALID, "is not a file");
}

static void
a_source_is_not_read_through_a_link_of_others(void **state)
{
	struct filing *filing = *state;

	temp_file(&filing->temp, "private", 0600, "hello\n");
	temp_dir(&filing->temp, "theirs");
	temp_link(&filing->temp, "../private", "theirs/link");
	assert_int_equal(fchmodat(filing->temp.fd, "theirs", 0777, 0), 0);
	about(filing, "f")->source = temp_path(&filing->temp, "theirs/link");
	refused(filing, WRIT_E_INVALID, "somebody else could have made");
	assert_int_equal(faccessat(filing->temp.fd, "f", F_OK, 0), -1);
}

static void
an_owner_is_given_before_the_name(void **state)
{
	struct filing *filing = *state;
	struct stat st;

	if (geteuid() != 0) {
		about(filing, "f")->owner = "0";
		refused(filing, WRIT_E_SYSTEM, "cannot set owner and mode");
		assert_int_equal(entries(filing, "d"), 0);
		skip();
	}
	about(filing, "f")->owner = "1234";
	filing->request.group = "daemon";
	with_content(filing, "x");
	did(filing, "created the file");
	assert_int_equal(fstatat(filing->temp.fd, "d/f", &st, 0), 0);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(st.st_gid, 1);
	assert_string_equal(filing->result->after.owner, "1234");
	assert_string_equal(filing->result->after.group, "daemon");
	did_nothing(filing);
	filing->request.owner = "root";
	did(filing, "updated attributes");
	assert_string_equal(filing->result->reason,
	    "owner mismatch: state=1234 requested=root");
	did_nothing(filing);
}

/* ---- directories ---- */

static void
a_directory_comes_with_those_above(void **state)
{
	struct filing *filing = *state;

	about(filing, "a/b/c")->ensure = WRIT_FILE_DIRECTORY;
	filing->request.mode = WRIT_FILE_MODE(0640);
	did(filing, "created directory");
	assert_int_equal(mode_of(filing, "d/a/b/c"), 0750);
	assert_int_equal(mode_of(filing, "d/a/b"), 0755);
	did_nothing(filing);
	filing->request.mode = WRIT_FILE_MODE(0000);
	did(filing, "updated attributes");
	assert_int_equal(mode_of(filing, "d/a/b/c"), 0);
}

static void
a_link_gives_way_to_a_directory(void **state)
{
	struct filing *filing = *state;

	temp_dir(&filing->temp, "other");
	temp_link(&filing->temp, "../other", "d/x");
	about(filing, "x")->ensure = WRIT_FILE_DIRECTORY;
	/* It leads to a directory in the wanted state. */
	did_nothing(filing);
	filing->request.mode = WRIT_FILE_MODE(0755);
	did(filing, "created directory");
	assert_int_equal(mode_of(filing, "d/x"), 0755);
	assert_int_equal(mode_of(filing, "other"), 0700);
}

static void
one_kind_is_not_taken_for_another(void **state)
{
	struct filing *filing = *state;

	temp_dir(&filing->temp, "d/dir");
	temp_file(&filing->temp, "d/file", 0600, "x");
	temp_link(&filing->temp, "file", "d/link");
	assert_int_equal(mkfifoat(filing->temp.fd, "d/fifo", 0600), 0);
	(void)about(filing, "dir");
	with_content(filing, "x");
	refused(filing, WRIT_E_INVALID,
	    "/d/dir exists as a directory; cannot manage it as a file");
	about(filing, "file")->ensure = WRIT_FILE_DIRECTORY;
	refused(filing, WRIT_E_INVALID, "exists and is no directory");
	about(filing, "link")->mode = WRIT_FILE_MODE(0644);
	refused(filing, WRIT_E_INVALID,
	    "/d/link is a symlink; refusing to set attributes through it");
	(void)about(filing, "fifo");
	with_content(filing, "x");
	refused(filing, WRIT_E_INVALID, "neither a file nor a directory");
	(void)about(filing, "none/x");
	refused(filing, WRIT_E_INVALID, "/d/none\" is not a directory");
	(void)about(filing, "file/x");
	refused(filing, WRIT_E_INVALID, "/d/file\" is not a directory");
}

static void
a_link_is_replaced_and_not_followed(void **state)
{
	struct filing *filing = *state;

	temp_file(&filing->temp, "victim", 0600, "mine\n");
	temp_link(&filing->temp, "../victim", "d/f");
	(void)about(filing, "f");
	with_content(filing, "hello\n");
	did(filing, "created the file");
	assert_string_equal(filing->result->before.ensure, "link");
	assert_text(filing, "victim", "mine\n");
	assert_text(filing, "d/f", "hello\n");
}

/* ---- removing ---- */

static void
what_is_to_be_absent_goes(void **state)
{
	struct filing *filing = *state;

	temp_file(&filing->temp, "d/f", 0600, "x");
	temp_file(&filing->temp, "victim", 0600, "x");
	temp_link(&filing->temp, "../victim", "d/l");
	about(filing, "f")->ensure = WRIT_FILE_ABSENT;
	did(filing, "removed the file");
	assert_string_equal(
	    filing->result->reason, "file still exists (ensure=present)");
	did_nothing(filing);
	about(filing, "l")->ensure = WRIT_FILE_ABSENT;
	did(filing, "removed the file");
	assert_true(temp_has(&filing->temp, "victim"));
	about(filing, "no/such")->ensure = WRIT_FILE_ABSENT;
	did_nothing(filing);
}

static void
a_directory_with_something_in_it_needs_force(void **state)
{
	struct filing *filing = *state;

	temp_dir(&filing->temp, "d/x");
	temp_dir(&filing->temp, "outside");
	temp_file(&filing->temp, "outside/f", 0600, "x");
	temp_file(&filing->temp, "d/x/f", 0600, "x");
	temp_link(&filing->temp, "../../outside", "d/x/l");
	about(filing, "x")->ensure = WRIT_FILE_ABSENT;
	refused(filing, WRIT_E_INVALID,
	    "directory is not empty, set 'force: true' to remove non-empty "
	    "directories");
	assert_true(temp_has(&filing->temp, "d/x/f"));
	filing->request.force = true;
	did(filing, "recursively removed the directory");
	assert_false(temp_has(&filing->temp, "d/x"));
	assert_true(temp_has(&filing->temp, "outside/f"));
	temp_dir(&filing->temp, "d/x");
	filing->request.force = false;
	did(filing, "removed the directory");
}

/* ---- bad requests ---- */

static void
bad_requests_are_refused(void **state)
{
	static const struct {
		const char *path;
		const char *words;
	} rows[] = {
	    {"etc/motd", "must be absolute"},
	    {"", "no file path"},
	    {"/etc//motd", "must be canonical"},
	    {"/etc/../motd", "must be canonical"},
	    {"/etc/./motd", "must be canonical"},
	    {"/etc/motd/", "must be canonical"},
	    {"/", "cannot be managed"},
	};
	struct filing *filing = *state;

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		about(filing, "f")->path = rows[i].path;
		refused(filing, WRIT_E_INVALID, rows[i].words);
	}
	about(filing, "f")->force = true;
	refused(filing, WRIT_E_INVALID,
	    "'force: true' is only valid with 'ensure: absent' or 'ensure: "
	    "link', got 'ensure: present'");
	filing->request.path = "/";
	filing->request.ensure = WRIT_FILE_ABSENT;
	refused(filing, WRIT_E_INVALID,
	    "'force: true' cannot be used with the filesystem root");
	about(filing, "f")->source = "/etc/passwd";
	with_content(filing, "x");
	refused(filing, WRIT_E_INVALID, "mutually exclusive");
	about(filing, "f")->mode = WRIT_FILE_MODE(010755);
	refused(filing, WRIT_E_INVALID,
	    "mode \"10755\" exceeds maximum value 07777");
	about(filing, "f")->target = "g";
	refused(filing, WRIT_E_INVALID, "belong together");
	about(filing, "f")->ensure = WRIT_FILE_LINK;
	refused(filing, WRIT_E_INVALID, "belong together");
	filing->request.target = "";
	refused(filing, WRIT_E_INVALID, "target must have");
	filing->request.target = "g";
	filing->request.mode = WRIT_FILE_MODE(0644);
	refused(filing, WRIT_E_INVALID, "a link has no mode");
	about(filing, "f")->owner = "";
	refused(filing, WRIT_E_INVALID, "owner cannot be empty");
	about(filing, "f")->owner = "no-such-user-here";
	refused(filing, WRIT_E_INVALID, "there is no user 'no-such-user-here'");
	about(filing, "f")->group = "4294967295";
	refused(filing, WRIT_E_INVALID, "there is no user or group 4294967295");
	about(filing, "f")->size = 3;
	refused(filing, WRIT_E_INVALID, "WRIT_FILE_REQUEST_INIT");
}

/* ---- dry runs ---- */

static void
a_dry_run_changes_and_records_nothing(void **state)
{
	struct filing *filing = *state;

	about(filing, "f")->dry_run = true;
	filing->request.mode = WRIT_FILE_MODE(0600);
	with_content(filing, "hello\n");
	did(filing, "created the file");
	assert_null(filing->result->run_id);
	assert_string_equal(filing->result->after.ensure, "present");
	assert_int_equal(filing->result->after.mode, 0600);
	assert_string_equal(filing->result->after.sha256, HELLO_SUM);
	assert_int_equal(entries(filing, "d"), 0);
	about(filing, "x/y")->ensure = WRIT_FILE_DIRECTORY;
	filing->request.dry_run = true;
	did(filing, "created directory");
	assert_int_equal(entries(filing, "d"), 0);
}

static void
a_secret_has_neither_diff_nor_sum(void **state)
{
	struct filing *filing = *state;

	temp_file(&filing->temp, "d/f", 0600, "old\n");
	about(filing, "f")->hide_content = true;
	with_content(filing, "hello\n");
	did(filing, "replaced the content");
	assert_null(filing->result->diff);
	assert_null(filing->result->before.sha256);
	assert_null(filing->result->after.sha256);
	assert_string_equal(
	    filing->result->reason, "content checksum mismatch");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    FILING(a_new_file_has_content_and_mode),
	    FILING(other_content_is_replaced_and_the_rest_stays),
	    FILING(a_link_is_made_and_changed_and_never_followed),
	    FILING(only_a_wrong_mode_is_changed_in_place),
	    FILING(without_content_a_file_is_made_empty_or_left_alone),
	    FILING(a_source_is_copied),
	    FILING(a_source_is_not_read_through_a_link_of_others),
	    FILING(an_owner_is_given_before_the_name),
	    FILING(a_directory_comes_with_those_above),
	    FILING(a_link_gives_way_to_a_directory),
	    FILING(one_kind_is_not_taken_for_another),
	    FILING(a_link_is_replaced_and_not_followed),
	    FILING(what_is_to_be_absent_goes),
	    FILING(a_directory_with_something_in_it_needs_force),
	    FILING(bad_requests_are_refused),
	    FILING(a_dry_run_changes_and_records_nothing),
	    FILING(a_secret_has_neither_diff_nor_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
