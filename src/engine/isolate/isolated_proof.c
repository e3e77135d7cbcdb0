/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Proves to a runner that its call was decided.
 *
 * Whoever has the key of the state directory could run anything anyway; nobody
 * else can make the proof, and a proof for another call is invalid.
 */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/hex.h"
#include "engine/isolate/isolated.h"

#define VERSION "writ isolated 2\n"
#define VALID_S 60
#define CLOCK_S 5 /* how far the clock may have been set back */

static void
isolated_proof_add(struct w_hmac *mac, const char *text, size_t len)
{
	uint64_t count = text == NULL ? 0 : (uint64_t)len + 1;

	w_hmac_add(mac, &count, sizeof(count));
	if (text != NULL)
		w_hmac_add(mac, text, len);
}

static void
isolated_proof_add_text(struct w_hmac *mac, const char *text)
{
	isolated_proof_add(mac, text, text == NULL ? 0 : strlen(text));
}

static void
isolated_proof_make(const struct w_hmac_key *key,
    const struct w_isolated_proof *proof, int64_t when,
    char out_text[W_ISOLATED_PROOF_MAX])
{
	const struct w_isolated_input *input = proof->input;
	uint8_t sum[W_SHA256_SIZE];
	char hex[W_SHA256_HEX + 1];
	struct w_hmac mac;

	w_hmac_init(&mac, key);
	isolated_proof_add_text(&mac, VERSION);
	w_hmac_add(&mac, &when, sizeof(when));
	isolated_proof_add_text(&mac, input->id);
	isolated_proof_add(&mac, input->text, input->len);
	isolated_proof_add_text(&mac, input->call);
	isolated_proof_add_text(&mac, input->arguments);
	isolated_proof_add_text(&mac, input->profile);
	isolated_proof_add_text(&mac, proof->file);
	isolated_proof_add_text(&mac, proof->cwd);
	isolated_proof_add_text(&mac, proof->base);
	isolated_proof_add_text(&mac, proof->policies);
	w_hmac_end(&mac, sum);
	w_hex_put(hex, sum, sizeof(sum));
	hex[W_SHA256_HEX] = '\0';
	(void)snprintf(
	    out_text, W_ISOLATED_PROOF_MAX, "%" PRId64 ":%s", when, hex);
}

void
w_isolated_prove(const struct w_hmac_key *key,
    const struct w_isolated_proof *proof, char out_text[W_ISOLATED_PROOF_MAX])
{
	isolated_proof_make(key, proof, (int64_t)time(NULL), out_text);
}

bool
w_isolated_is_proven(const struct w_hmac_key *key,
    const struct w_isolated_proof *proof, const char *text)
{
	const int64_t when = strtoll(text, NULL, 10);
	const int64_t now = (int64_t)time(NULL);
	char expected[W_ISOLATED_PROOF_MAX];
	unsigned differs = 0;

	if (when > now + CLOCK_S || now - when > VALID_S)
		return false;
	isolated_proof_make(key, proof, when, expected);
	const size_t len = strlen(expected);
	if (strlen(text) != len)
		return false;
	for (size_t i = 0; i < len; i++)
		differs |= (unsigned)(unsigned char)text[i] ^
			   (unsigned char)expected[i];
	return differs == 0;
}
