/* SPDX-License-Identifier: Apache-2.0 */

/* Connecting to a NATS server, and the names of subjects and streams. */

#include "fleet/site/nats_connect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STAGE         "nats"
#define SERVERS_MAX   16
#define SIGN_TRIES    4
#define CONNECT_MS    5000
#define RECONNECT_MS  500
#define JITTER_MS     1500
#define JITTER_TLS_MS 3000
#define PING_MS       20000

writ_status
w_nats_fail(writ_error *err, natsStatus status, const char *doing)
{
	natsStatus last = NATS_OK;
	const char *detail = nats_GetLastError(&last);

	return w_fail(err,
	    status == NATS_NO_MEMORY ? WRIT_E_NOMEM : WRIT_E_SYSTEM, STAGE, 0,
	    "cannot %s: %s%s%s", doing, natsStatus_GetText(status),
	    detail == NULL || last != status ? "" : ": ",
	    detail == NULL || last != status ? "" : detail);
}

static natsStatus
sign_nonce(char **error_text, unsigned char **signature, int *len,
    const char *nonce, void *ctx)
{
	(void)error_text;
	return nats_Sign(ctx, nonce, signature, len);
}

static natsStatus
set_servers(natsOptions *options, const char *servers)
{
	const char *list[SERVERS_MAX];
	char *copy = strdup(servers);
	char *rest = NULL;
	int count = 0;

	if (copy == NULL)
		return NATS_NO_MEMORY;
	for (char *word = strtok_r(copy, ",", &rest);
	     word != NULL && count < SERVERS_MAX;
	     word = strtok_r(NULL, ",", &rest))
		list[count++] = word;
	natsStatus status = natsOptions_SetServers(options, list, count);
	free(copy);
	return status;
}

static natsStatus
set_options(natsOptions *options, const struct w_nats_login *login)
{
	/* The library does not change what it is handed on. */
	void *seed = (void *)(uintptr_t)login->seed;
	natsStatus s = set_servers(options, login->server);

	if (s == NATS_OK)
		s = natsOptions_SetName(options, login->name);
	if (s == NATS_OK)
		s = natsOptions_SetCustomInboxPrefix(options, login->inbox);
	if (s == NATS_OK)
		s = natsOptions_SetNKey(options, login->nkey, sign_nonce, seed);
	if (s == NATS_OK && login->ca != NULL) {
		s = natsOptions_SetCATrustedCertificates(options, login->ca);
		if (s == NATS_OK)
			s = natsOptions_SetSecure(options, true);
	}
	if (s == NATS_OK)
		s = natsOptions_SetTimeout(options, CONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetPingInterval(options, PING_MS);
	if (s == NATS_OK)
		s = natsOptions_SetSendAsap(options, true);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectWait(options, RECONNECT_MS);
	if (s == NATS_OK)
		s = natsOptions_SetReconnectJitter(
		    options, JITTER_MS, JITTER_TLS_MS);
	/* What is sent while there is no server fails at once: the ledger
	 * keeps it, not a buffer that dies with the process. */
	if (s == NATS_OK)
		s = natsOptions_SetReconnectBufSize(options, 0);
	if (s == NATS_OK && login->waits)
		s = natsOptions_SetMaxReconnect(options, -1);
	if (s == NATS_OK && login->waits)
		s = natsOptions_SetRetryOnFailedConnect(
		    options, true, NULL, NULL);
	if (s == NATS_OK && login->on_closed != NULL)
		s = natsOptions_SetClosedCB(
		    options, login->on_closed, login->ctx);
	return s;
}

writ_status
w_nats_connect(const struct w_nats_login *login,
    natsConnection **out_connection, writ_error *err)
{
	natsOptions *options = NULL;
	natsStatus status = natsOptions_Create(&options);

	if (status == NATS_OK)
		status = set_options(options, login);
	/* libnats 3.4.1 leaves the signature out once in some hundred
	 * connections (seen at the server as "Signature missing"). The next
	 * nonce gives another. A key that is not known stays so. */
	for (int tries = 0; status == NATS_OK && tries < SIGN_TRIES; tries++) {
		status = natsConnection_Connect(out_connection, options);
		if (status != NATS_CONNECTION_AUTH_FAILED)
			break;
		if (tries + 1 < SIGN_TRIES)
			status = NATS_OK;
	}
	natsOptions_Destroy(options);
	if (status == NATS_OK ||
	    (status == NATS_NOT_YET_CONNECTED && login->waits))
		return WRIT_OK;
	(void)w_nats_fail(err, status, "connect to the server");
	w_suggest(
	    err, "is a server at %s? writ fleet up starts one", login->server);
	return err->status;
}

void
w_nats_subject(char out[W_NATS_NAME_MAX], const char *collective,
    const char *kind, const char *first, const char *second)
{
	(void)snprintf(out, W_NATS_NAME_MAX, "writ.%s.%s.%s%s%s", collective,
	    kind, first, second == NULL ? "" : ".",
	    second == NULL ? "" : second);
}

void
w_nats_stream(
    char out[W_NATS_NAME_MAX], const char *kind, const char *collective)
{
	(void)snprintf(out, W_NATS_NAME_MAX, "%s_%s", kind, collective);
}
