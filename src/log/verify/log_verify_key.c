/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How the lines of a file are hashed. Its first line says so, but that line may
 * be the one that was changed. So it is trusted only when the hash of some line
 * in the file matches by it; until then the other way is tried as well.
 */

#include <string.h>
#include <sys/utsname.h>

#include "base/hex.h"
#include "data/json.h"
#include "log/verify/log_verifier.h"

/* Reports something about the key of a file, once for consecutive files. */
static void
report_key(struct w_log_verifier *verifier, enum w_log_fault_kind kind,
    const char *key_id, const char *text)
{
	struct w_log_key_word *last = &verifier->key_word;

	if (last->kind == kind && strcmp(last->key_id, key_id) == 0)
		return;
	last->kind = kind;
	(void)memccpy(last->key_id, key_id, '\0', sizeof(last->key_id));
	verifier->mode_fault = w_log_faults_add(&verifier->faults,
	    &(struct w_log_pending_fault){
		.kind = kind, .place = verifier->first_place},
	    "%s", text);
	if (kind != W_LOG_FAULT_UNKEYED)
		w_log_faults_append(&verifier->faults, verifier->mode_fault,
		    " of the name %s%s%s", key_id,
		    verifier->has_key ? "; the key given is "
				      : "; none was given",
		    verifier->has_key ? verifier->key_id : "");
}

/* The first line of a file names a key that the following lines do not use. */
static void
report_false_key(struct w_log_verifier *verifier)
{
	static const char what[] =
	    " was changed: it says that lines are hashed with another key than "
	    "those behind it are";
	struct w_log_pending_fault *found =
	    w_log_faults_at(&verifier->faults, verifier->mode_fault);
	struct w_log_pending_fault changed = {
	    .kind = W_LOG_FAULT_CHANGED,
	    .place = verifier->first_place,
	    .seq = verifier->first_seq,
	};

	if (found == NULL) {
		(void)w_log_faults_add(&verifier->faults, &changed, "%s", what);
		return;
	}
	found->kind = W_LOG_FAULT_CHANGED;
	found->seq = found->seq_to = verifier->first_seq;
	found->text[0] = '\0';
	w_log_faults_append(
	    &verifier->faults, verifier->mode_fault, "%s", what);
}

static void
set_certain(struct w_log_verifier *verifier, enum w_log_mode mode)
{
	if (verifier->mode == W_LOG_BLIND)
		report_false_key(verifier);
	verifier->mode = mode;
	verifier->is_mode_certain = true;
	if (mode == W_LOG_PLAIN && verifier->has_key)
		report_key(verifier, W_LOG_FAULT_UNKEYED, "",
		    "a key was given, but from here on lines are hashed "
		    "without one: anybody could have made them");
	else
		verifier->key_word.kind = W_LOG_FAULT_COUNT;
	if (mode != W_LOG_KEYED)
		verifier->proof->is_keyed = false;
}

static bool
is_sound(const struct w_log_verifier *verifier, const struct w_log_line *line,
    enum w_log_mode mode)
{
	struct w_log_chain chain = {
	    mode == W_LOG_KEYED ? &verifier->key : NULL};

	return (mode == W_LOG_PLAIN || verifier->has_key) &&
	       w_log_line_is_sound(line, &chain);
}

enum w_log_trust
w_log_verifier_trust(
    struct w_log_verifier *verifier, const struct w_log_line *line)
{
	if (verifier->mode != W_LOG_BLIND &&
	    is_sound(verifier, line, verifier->mode)) {
		if (!verifier->is_mode_certain)
			set_certain(verifier, verifier->mode);
		return W_LOG_SOUND;
	}
	for (int i = W_LOG_PLAIN;
	     i <= W_LOG_KEYED && !verifier->is_mode_certain; i++) {
		enum w_log_mode mode = (enum w_log_mode)i;

		if (mode != verifier->mode && is_sound(verifier, line, mode)) {
			set_certain(verifier, mode);
			return W_LOG_SOUND;
		}
	}
	return verifier->mode == W_LOG_BLIND ? W_LOG_UNPROVED : W_LOG_UNSOUND;
}

void
w_log_verifier_hash(const struct w_log_verifier *verifier,
    const struct w_log_line *line, char out[W_SHA256_HEX + 1])
{
	/* ,"hash":"HEX"} */
	size_t covered = line->len - (11 + W_SHA256_HEX);
	uint8_t sum[W_SHA256_SIZE];

	if (verifier->mode == W_LOG_KEYED) {
		struct w_hmac mac;

		w_hmac_init(&mac, &verifier->key);
		w_hmac_add(&mac, line->bytes, covered);
		w_hmac_end(&mac, sum);
	} else {
		w_sha256(line->bytes, covered, sum);
	}
	w_hex_put(out, sum, sizeof(sum));
	out[W_SHA256_HEX] = '\0';
}

static void
log_verify_key_choose(
    struct w_log_verifier *verifier, const char *chain, const char *key_id)
{
	if (strcmp(chain, "sha256") == 0) {
		verifier->mode = W_LOG_PLAIN;
		return;
	}
	if (strcmp(chain, "hmac-sha256") != 0 ||
	    strlen(key_id) != W_LOG_KEY_ID_LEN ||
	    strspn(key_id, "0123456789abcdef") != W_LOG_KEY_ID_LEN)
		return;
	if (verifier->has_key && strcmp(key_id, verifier->key_id) == 0) {
		verifier->mode = W_LOG_KEYED;
		return;
	}
	verifier->mode = W_LOG_BLIND;
	verifier->proof->is_keyed = false;
	report_key(verifier,
	    verifier->has_key ? W_LOG_FAULT_WRONG_KEY : W_LOG_FAULT_NO_KEY,
	    key_id, "from here on lines are hashed with a key");
}

void
w_log_verifier_choose_mode(struct w_log_verifier *verifier,
    const struct w_log_line *line, const struct w_log_place *place)
{
	verifier->is_mode_certain = false;
	verifier->mode_fault = W_LOG_NO_FAULT;
	verifier->first_place = *place;
	verifier->first_seq = line->seq;
	struct w_json *json = w_log_verifier_json(verifier, line);
	if (json == NULL)
		return;
	yyjson_val *root = w_json_root(json);
	const char *chain = yyjson_get_str(yyjson_obj_get(root, "chain"));
	const char *key_id = yyjson_get_str(yyjson_obj_get(root, "key"));
	const char *name = yyjson_get_str(yyjson_obj_get(root, "host"));
	struct utsname host;
	verifier->is_of_this_host = name != NULL && uname(&host) == 0 &&
				    strcmp(name, host.nodename) == 0;
	if (chain != NULL)
		log_verify_key_choose(
		    verifier, chain, key_id != NULL ? key_id : "");
	w_json_free(json);
}
