/* SPDX-License-Identifier: Apache-2.0 */

/*
 * How the lines of a file are hashed. Its first line says so; but that line
 * can be the one that was changed. So what it says counts as certain only
 * when a line of the file is sound by it, and until then the other way is
 * tried as well.
 */

#include <string.h>
#include <sys/utsname.h>

#include "base/hex.h"
#include "data/json.h"
#include "store/log_walk.h"

/* Says something about the key of a file, once for files in a row. */
static void
say(struct w_log_walk *walk, enum w_log_fault_kind kind, const char *key_id,
    const char *text)
{
	struct w_log_key_word *last = &walk->key_word;

	if (last->kind == kind && strcmp(last->key_id, key_id) == 0)
		return;
	last->kind = kind;
	(void)memccpy(last->key_id, key_id, '\0', sizeof(last->key_id));
	walk->mode_fault = w_log_faults_add(&walk->faults,
	    &(struct w_log_found){.kind = kind, .place = walk->first_place},
	    "%s", text);
	if (kind != W_LOG_FAULT_UNKEYED)
		w_log_faults_say(&walk->faults, walk->mode_fault,
		    " of the name %s%s%s", key_id,
		    walk->has_key ? "; the key given is " : "; none was given",
		    walk->has_key ? walk->key_id : "");
}

/* The first line of a file names a key that the lines behind it do not have.
 */
static void
tell_false_key(struct w_log_walk *walk)
{
	static const char what[] =
	    " was changed: it says that lines are hashed with another key than "
	    "those behind it are";
	struct w_log_found *found =
	    w_log_faults_at(&walk->faults, walk->mode_fault);
	struct w_log_found changed = {
	    .kind = W_LOG_FAULT_CHANGED,
	    .place = walk->first_place,
	    .seq = walk->first_seq,
	};

	if (found == NULL) {
		(void)w_log_faults_add(&walk->faults, &changed, "%s", what);
		return;
	}
	found->kind = W_LOG_FAULT_CHANGED;
	found->seq = found->seq_to = walk->first_seq;
	found->text[0] = '\0';
	w_log_faults_say(&walk->faults, walk->mode_fault, "%s", what);
}

static void
set_certain(struct w_log_walk *walk, enum w_log_mode mode)
{
	if (walk->mode == W_LOG_BLIND)
		tell_false_key(walk);
	walk->mode = mode;
	walk->is_mode_certain = true;
	if (mode == W_LOG_PLAIN && walk->has_key)
		say(walk, W_LOG_FAULT_UNKEYED, "",
		    "a key was given, but from here on lines are hashed "
		    "without one: anybody could have made them");
	else
		walk->key_word.kind = W_LOG_FAULT_COUNT;
	if (mode != W_LOG_KEYED)
		walk->proof->is_keyed = false;
}

static bool
is_sound(const struct w_log_walk *walk, const struct w_log_line *line,
    enum w_log_mode mode)
{
	struct w_log_chain chain = {mode == W_LOG_KEYED ? &walk->key : NULL};

	return (mode == W_LOG_PLAIN || walk->has_key) &&
	       w_log_line_is_sound(line, &chain);
}

enum w_log_trust
w_log_walk_trust(struct w_log_walk *walk, const struct w_log_line *line)
{
	if (walk->mode != W_LOG_BLIND && is_sound(walk, line, walk->mode)) {
		if (!walk->is_mode_certain)
			set_certain(walk, walk->mode);
		return W_LOG_SOUND;
	}
	for (int i = W_LOG_PLAIN; i <= W_LOG_KEYED && !walk->is_mode_certain;
	     i++) {
		enum w_log_mode mode = (enum w_log_mode)i;

		if (mode != walk->mode && is_sound(walk, line, mode)) {
			set_certain(walk, mode);
			return W_LOG_SOUND;
		}
	}
	return walk->mode == W_LOG_BLIND ? W_LOG_UNPROVED : W_LOG_UNSOUND;
}

void
w_log_walk_hash(const struct w_log_walk *walk, const struct w_log_line *line,
    char out[W_SHA256_HEX + 1])
{
	/* ,"hash":"HEX"} */
	size_t covered = line->len - (11 + W_SHA256_HEX);
	uint8_t sum[W_SHA256_SIZE];

	if (walk->mode == W_LOG_KEYED) {
		struct w_hmac mac;

		w_hmac_init(&mac, &walk->key);
		w_hmac_add(&mac, line->bytes, covered);
		w_hmac_end(&mac, sum);
	} else {
		w_sha256(line->bytes, covered, sum);
	}
	w_hex_put(out, sum, sizeof(sum));
	out[W_SHA256_HEX] = '\0';
}

static bool
is_id(const char *text)
{
	for (size_t i = 0; i < W_LOG_KEY_ID_LEN; i++)
		if (strchr("0123456789abcdef", text[i]) == NULL ||
		    text[i] == '\0')
			return false;
	return text[W_LOG_KEY_ID_LEN] == '\0';
}

static void
choose(struct w_log_walk *walk, const char *chain, const char *key_id)
{
	if (strcmp(chain, "sha256") == 0) {
		walk->mode = W_LOG_PLAIN;
		return;
	}
	if (strcmp(chain, "hmac-sha256") != 0 || !is_id(key_id))
		return;
	if (walk->has_key && strcmp(key_id, walk->key_id) == 0) {
		walk->mode = W_LOG_KEYED;
		return;
	}
	walk->mode = W_LOG_BLIND;
	walk->proof->is_keyed = false;
	say(walk, walk->has_key ? W_LOG_FAULT_WRONG_KEY : W_LOG_FAULT_NO_KEY,
	    key_id, "from here on lines are hashed with a key");
}

static bool
is_this_host(const char *name)
{
	struct utsname host;

	return name != NULL && uname(&host) == 0 &&
	       strcmp(name, host.nodename) == 0;
}

void
w_log_walk_choose_mode(struct w_log_walk *walk, const struct w_log_line *line,
    const struct w_log_place *place)
{
	walk->is_mode_certain = false;
	walk->mode_fault = W_LOG_NO_FAULT;
	walk->first_place = *place;
	walk->first_seq = line->seq;
	struct w_json *json = w_log_walk_json(walk, line);
	if (json == NULL)
		return;
	yyjson_val *root = w_json_root(json);
	const char *chain = yyjson_get_str(yyjson_obj_get(root, "chain"));
	const char *key_id = yyjson_get_str(yyjson_obj_get(root, "key"));
	walk->is_of_this_host =
	    is_this_host(yyjson_get_str(yyjson_obj_get(root, "host")));
	if (chain != NULL)
		choose(walk, chain, key_id != NULL ? key_id : "");
	w_json_free(json);
}
