/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Checks what writers found and saved. Their lines explain irregularities, and
 * the saved bytes must still be the same. A recovery line about lost records
 * does not bring them back: that stays a fault.
 */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/auto.h"
#include "base/hex.h"
#include "data/json.h"
#include "log/log_files.h"
#include "log/verify/log_verifier.h"

/* Lines that a writer may have written when it dies before it updates the head:
 * the seal of a file, the first line of the next, and one more. */
#define AHEAD_MAX 3

/* A recovery line and its position. */
struct recovery {
	struct w_log_verifier *verifier;
	yyjson_val *root;
	uint64_t seq;
	const struct w_log_place *place;
};

static uint64_t
log_verify_recovery_number_of(const struct recovery *recovery, const char *key)
{
	return yyjson_get_uint(yyjson_obj_get(recovery->root, key));
}

/* "" if it is missing or not printable. */
static const char *
log_verify_recovery_name_of(const struct recovery *recovery, const char *key)
{
	static const char plain[] =
	    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
	const char *text = yyjson_get_str(yyjson_obj_get(recovery->root, key));

	return text != NULL && strlen(text) < W_LOG_NAME_MAX &&
		       text[strspn(text, plain)] == '\0'
		   ? text
		   : "";
}

static struct w_log_pending_fault
fault_at(const struct recovery *recovery, enum w_log_fault_kind kind)
{
	return (struct w_log_pending_fault){
	    .kind = kind, .place = *recovery->place, .seq = recovery->seq};
}

/* The size and hash of a file. Returns 0 or an errno. */
static int
sum_file(int dir_fd, const char *file, uint64_t *out_size,
    char out_hex[W_SHA256_HEX + 1])
{
	W_AUTO_FD int fd = openat(
	    dir_fd, file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	uint8_t raw[W_SHA256_SIZE];
	struct w_sha256 sum;
	char block[8192];
	ssize_t count;

	if (fd < 0)
		return errno;
	w_sha256_init(&sum);
	*out_size = 0;
	while ((count = read(fd, block, sizeof(block))) > 0) {
		w_sha256_add(&sum, block, (size_t)count);
		*out_size += (uint64_t)count;
	}
	if (count < 0)
		return errno;
	w_sha256_end(&sum, raw);
	w_hex_put(out_hex, raw, sizeof(raw));
	out_hex[W_SHA256_HEX] = '\0';
	return 0;
}

static void
check_saved(const struct recovery *recovery, const char *saved)
{
	const char *hash =
	    yyjson_get_str(yyjson_obj_get(recovery->root, "sha256"));
	char hex[W_SHA256_HEX + 1];
	uint64_t size;
	int error =
	    sum_file(recovery->verifier->reader->dir_fd, saved, &size, hex);
	struct w_log_pending_fault missing =
	    fault_at(recovery, W_LOG_FAULT_TORN_MISSING);
	struct w_log_pending_fault changed =
	    fault_at(recovery, W_LOG_FAULT_TORN_CHANGED);

	if (error != 0)
		(void)w_log_faults_add(&recovery->verifier->faults,
		    error == ENOENT ? &missing : &changed,
		    " says that %" PRIu64
		    " bytes were set aside in %s: cannot read it: %s",
		    log_verify_recovery_number_of(recovery, "bytes"), saved,
		    strerror(error));
	else if (hash == NULL || strcmp(hash, hex) != 0)
		(void)w_log_faults_add(&recovery->verifier->faults, &changed,
		    " says that %s has %" PRIu64 " bytes with the hash "
		    "%.*s, but it has %" PRIu64 " with %.*s",
		    saved, log_verify_recovery_number_of(recovery, "bytes"),
		    W_LOG_SHORT, hash != NULL ? hash : "", size, W_LOG_SHORT,
		    hex);
}

/* The length of NAME-000001.torn-4711 without the .2 of a second copy. */
static size_t
base_len(const char *saved)
{
	const char *number = strrchr(saved, '-');
	const char *dot = number != NULL ? strchr(number, '.') : NULL;

	return dot != NULL ? (size_t)(dot - saved) : strlen(saved);
}

/* The file is mentioned. An earlier one for the same bytes is from a writer
 * that was interrupted. */
static void
forget_torn(const struct recovery *recovery, const char *saved)
{
	struct w_log_verifier *verifier = recovery->verifier;
	struct w_log_pending_fault note =
	    fault_at(recovery, W_LOG_FAULT_RECOVERED);
	size_t len = base_len(saved);

	for (size_t i = 0; i < verifier->torn_count; i++) {
		char *torn = verifier->torn[i];

		if (torn == NULL || base_len(torn) != len ||
		    strncmp(torn, saved, len) != 0)
			continue;
		if (strcmp(torn, saved) != 0)
			(void)w_log_faults_add(&verifier->faults, &note,
			    " sets aside anew what is also in %s, of a writer "
			    "that was stopped meanwhile",
			    torn);
		free(torn);
		verifier->torn[i] = NULL;
	}
}

static void
read_torn(const struct recovery *recovery)
{
	struct w_log_verifier *verifier = recovery->verifier;
	const char *saved = log_verify_recovery_name_of(recovery, "saved");
	struct w_log_pending_fault note =
	    fault_at(recovery, W_LOG_FAULT_RECOVERED);

	(void)w_log_faults_add(&verifier->faults, &note,
	    " says that %" PRIu64 " bytes at byte %" PRIu64
	    " of %s were no record: half written by one who was stopped, now "
	    "in %s",
	    log_verify_recovery_number_of(recovery, "bytes"),
	    log_verify_recovery_number_of(recovery, "offset"),
	    log_verify_recovery_name_of(recovery, "file"), saved);
	if (!w_log_file_is_torn(verifier->options->name, saved))
		return;
	check_saved(recovery, saved);
	forget_torn(recovery, saved);
}

static void
read_cut(const struct recovery *recovery)
{
	uint64_t head_seq = log_verify_recovery_number_of(recovery, "head_seq");
	uint64_t last_seq = log_verify_recovery_number_of(recovery, "last_seq");
	uint64_t synced =
	    log_verify_recovery_number_of(recovery, "head_synced");
	bool was_synced =
	    last_seq < synced ||
	    yyjson_get_bool(yyjson_obj_get(recovery->root, "this_boot"));
	struct w_log_pending_fault fault = fault_at(recovery,
	    was_synced ? W_LOG_FAULT_TAIL_CUT : W_LOG_FAULT_TAIL_LOST);

	if (head_seq == last_seq) {
		fault.kind = W_LOG_FAULT_HEAD_DIFFERS;
		(void)w_log_faults_add(&recovery->verifier->faults, &fault,
		    " says that the head knew record %" PRIu64
		    " with another hash",
		    head_seq);
		return;
	}
	(void)w_log_faults_add(&recovery->verifier->faults, &fault,
	    " says that the head knew records up to %" PRIu64
	    " when the log ended with %" PRIu64 ": %" PRIu64
	    " of them are gone, and their numbers were given again%s",
	    head_seq, last_seq, head_seq > last_seq ? head_seq - last_seq : 0,
	    was_synced ? ""
		       : "; none of them was known to be on the disk, so a "
			 "power cut can be the cause");
}

static void
read_unwitnessed(const struct recovery *recovery)
{
	uint64_t head_seq = log_verify_recovery_number_of(recovery, "head_seq");
	uint64_t last_seq = log_verify_recovery_number_of(recovery, "last_seq");
	bool is_usual = head_seq > 0 && last_seq - head_seq <= AHEAD_MAX;
	struct w_log_pending_fault fault =
	    fault_at(recovery, W_LOG_FAULT_RECOVERED);

	if (head_seq == 0)
		fault.kind = W_LOG_FAULT_HEAD_MISSING;
	else if (!is_usual)
		fault.kind = W_LOG_FAULT_UNWITNESSED;
	(void)w_log_faults_add(&recovery->verifier->faults, &fault,
	    " says that the log ended with record %" PRIu64
	    " when the head knew %s%" PRIu64 "%s",
	    last_seq, head_seq == 0 ? "none, " : "record ", head_seq,
	    is_usual ? ": one who wrote was stopped before it could tell"
		     : ": the head was older than the log, or was deleted");
}

/* A file was left without a seal; what is at its end is explained. */
static void
read_left(const struct recovery *recovery, const char *why)
{
	struct w_log_verifier *verifier = recovery->verifier;
	const char *file = log_verify_recovery_name_of(recovery, "file");
	uint32_t number = w_log_segment_number(verifier->options->name, file);
	struct w_log_pending_fault note =
	    fault_at(recovery, W_LOG_FAULT_RECOVERED);
	struct w_log_pending_fault *debris =
	    w_log_faults_at(&verifier->faults, verifier->debris_fault);

	if (debris != NULL && number > 0 &&
	    verifier->debris_segment == number &&
	    debris->kind == W_LOG_FAULT_NO_RECORD &&
	    strcmp(why, "unreadable") == 0) {
		debris->kind = W_LOG_FAULT_RECOVERED;
		w_log_faults_append(&verifier->faults, verifier->debris_fault,
		    "; record %" PRIu64 " says that the file was left so",
		    recovery->seq);
		return;
	}
	(void)w_log_faults_add(&verifier->faults, &note,
	    " says that %s was left at %" PRIu64
	    " bytes without a seal (%s), and this file begun instead",
	    file, log_verify_recovery_number_of(recovery, "bytes"), why);
}

static void
read_recovery(const struct recovery *recovery)
{
	static const char *const left[] = {"unreadable", "left", "other_key"};
	const char *found =
	    yyjson_get_str(yyjson_obj_get(recovery->root, "found"));

	if (found == NULL)
		return;
	if (strcmp(found, "torn") == 0)
		read_torn(recovery);
	else if (strcmp(found, "cut") == 0)
		read_cut(recovery);
	else if (strcmp(found, "unwitnessed") == 0)
		read_unwitnessed(recovery);
	for (size_t i = 0; i < sizeof(left) / sizeof(*left); i++)
		if (strcmp(found, left[i]) == 0)
			read_left(recovery, left[i]);
}

void
w_log_verifier_recovery(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place)
{
	struct w_json *json = w_log_verifier_json(verifier, line);

	if (json == NULL)
		return;
	struct recovery recovery = {
	    .verifier = verifier,
	    .root = w_json_root(json),
	    .seq = line->seq,
	    .place = place,
	};
	read_recovery(&recovery);
	w_json_free(json);
}

bool
w_log_verifier_has_unknown_torn(const struct w_log_verifier *verifier)
{
	for (size_t i = 0; i < verifier->torn_count; i++)
		if (verifier->torn[i] != NULL)
			return true;
	return false;
}

void
w_log_verifier_report_torn(struct w_log_verifier *verifier)
{
	for (size_t i = 0; i < verifier->torn_count; i++)
		if (verifier->torn[i] != NULL)
			(void)w_log_faults_add(&verifier->faults,
			    &(struct w_log_pending_fault){
				.kind = W_LOG_FAULT_TORN},
			    "%s was set aside, but no record says so: a "
			    "writer was stopped before it could, or the file "
			    "was put there",
			    verifier->torn[i]);
}
