/* SPDX-License-Identifier: Apache-2.0 */

/* Verifies checkpoint records: the earlier record that they name, and their
 * signature. */

#include <inttypes.h>
#include <string.h>

#include <yyjson.h>

#include "audit/verify/verify_trail.h"
#include "base/encode.h"

struct checkpoint {
	uint64_t covers;
	const char *hash;      /* NULL: missing or malformed */
	const char *signer;    /* NULL: not signed */
	const char *signature; /* likewise */
	size_t signature_len;
};

static void
check_covered(
    struct w_trail_verifier *verifier, const struct checkpoint *checkpoint)
{
	const struct w_verify_recent *recent =
	    &verifier->recent[checkpoint->covers % W_VERIFY_RECENT];

	if (checkpoint->hash == NULL || checkpoint->covers == 0 ||
	    checkpoint->covers >= verifier->line->seq)
		w_verify_report(verifier, W_VERIFY_FALSE_CHECKPOINT, NULL,
		    "checkpoint %" PRIu64 " covers no record before it",
		    verifier->line->seq);
	else if (checkpoint->covers < verifier->first_seq)
		return;
	else if (recent->seq != checkpoint->covers)
		w_verify_report(verifier, W_VERIFY_FAR_CHECKPOINT, NULL,
		    "checkpoint %" PRIu64 " covers record %" PRIu64
		    ", which stands too far before it to be compared",
		    verifier->line->seq, checkpoint->covers);
	else if (memcmp(recent->hash, checkpoint->hash, W_SHA256_HEX) != 0)
		w_verify_report(verifier, W_VERIFY_FALSE_CHECKPOINT, NULL,
		    "checkpoint %" PRIu64 " says that record %" PRIu64
		    " has the hash %.64s, but it has %.64s",
		    verifier->line->seq, checkpoint->covers, checkpoint->hash,
		    recent->hash);
}

static bool
verify_checkpoints_holds(const struct w_trail_verifier *verifier,
    const struct checkpoint *checkpoint)
{
	W_AUTO_BUF struct w_buf raw;

	w_buf_init(&raw, 4096);
	return checkpoint->hash != NULL &&
	       w_base64_decode(
		   &raw, checkpoint->signature, checkpoint->signature_len) &&
	       w_signing_verify(verifier->key, checkpoint->covers,
		   checkpoint->hash, (const uint8_t *)raw.data, raw.len);
}

static void
check_signature(
    struct w_trail_verifier *verifier, const struct checkpoint *checkpoint)
{
	if (checkpoint->signature == NULL) {
		if (verifier->key != NULL)
			w_verify_report(verifier, W_VERIFY_UNSIGNED, NULL,
			    "checkpoint %" PRIu64 " is not signed",
			    verifier->line->seq);
	} else if (verifier->key == NULL) {
		verifier->unchecked++;
	} else if (checkpoint->signer == NULL ||
		   strcmp(checkpoint->signer,
		       w_signing_key_id(verifier->key)) != 0) {
		w_verify_report(verifier, W_VERIFY_FALSE_SIGNATURE, NULL,
		    "checkpoint %" PRIu64 " is signed by key %.40s, not by %s",
		    verifier->line->seq,
		    checkpoint->signer == NULL ? "?" : checkpoint->signer,
		    w_signing_key_id(verifier->key));
	} else if (verify_checkpoints_holds(verifier, checkpoint)) {
		verifier->proof.signatures++;
	} else {
		w_verify_report(verifier, W_VERIFY_FALSE_SIGNATURE, NULL,
		    "the signature of checkpoint %" PRIu64
		    " is not one by key %s of record %" PRIu64 " as it says",
		    verifier->line->seq, w_signing_key_id(verifier->key),
		    checkpoint->covers);
	}
}

void
w_verify_checkpoint(struct w_trail_verifier *verifier)
{
	yyjson_doc *doc = w_verify_parse(verifier);
	yyjson_val *root = yyjson_doc_get_root(doc);
	yyjson_val *hash = yyjson_obj_get(root, "covers_hash");
	yyjson_val *signature = yyjson_obj_get(root, "signature");
	const struct checkpoint checkpoint = {
	    .covers = yyjson_get_uint(yyjson_obj_get(root, "covers")),
	    .hash = yyjson_get_len(hash) == W_SHA256_HEX ? yyjson_get_str(hash)
							 : NULL,
	    .signer = yyjson_get_str(yyjson_obj_get(root, "signer")),
	    .signature = yyjson_get_str(signature),
	    .signature_len = yyjson_get_len(signature),
	};

	verifier->proof.checkpoints++;
	check_covered(verifier, &checkpoint);
	check_signature(verifier, &checkpoint);
	yyjson_doc_free(doc);
}
