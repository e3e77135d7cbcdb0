/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What the tests of the fleet do by hand: sign any text, and publish any bytes
 * with any key of a host or an operator.
 *
 *     fleet_order sign KEY                   text on stdin, the order on stdout
 *     fleet_order publish URL NKEY SUBJECT   bytes on stdin; "stored" or why
 * not fleet_order send URL NKEY SUBJECT      the same without a stream
 *     fleet_order count URL NKEY STREAM SUBJECT   messages, and each on a line
 */

#include <stdio.h>
#include <string.h>

#include "fleet/order/fleet_order.h"
#include "fleet/site/nats_connect.h"

#define TEXT_MAX ((size_t)8 << 20)
#define WAIT_MS  3000

static int
fail(const writ_error *err)
{
	(void)fprintf(stderr, "fleet_order: %s\n", err->message);
	return 1;
}

static void
read_stdin(struct w_buf *text)
{
	char part[8192];
	size_t got;

	while ((got = fread(part, 1, sizeof(part), stdin)) > 0)
		w_buf_add(text, part, got);
}

static int
sign(const char *path)
{
	struct w_fleet_key key;
	W_AUTO_BUF struct w_buf text;
	W_AUTO_BUF struct w_buf order;
	writ_error err;

	w_buf_init(&text, TEXT_MAX);
	w_buf_init(&order, TEXT_MAX);
	read_stdin(&text);
	if (w_fleet_key_read_private(path, &key, &err) != WRIT_OK ||
	    w_fleet_order_add(&order, &key, text.data, text.len, &err) !=
		WRIT_OK)
		return fail(&err);
	(void)fwrite(order.data, 1, order.len, stdout);
	return 0;
}

static int
connect_as(const char *url, const char *path, natsConnection **out)
{
	static char seed[W_FLEET_NKEY_MAX], nkey[W_FLEET_NKEY_MAX];
	static char inbox[W_NATS_NAME_MAX];
	struct w_fleet_key key;
	const char *host = strrchr(path, ',');
	char file[1024];
	writ_error err;

	/* NKEY,HOST: the inbox that the server allows that host. */
	(void)snprintf(file, sizeof(file), "%.*s",
	    host == NULL ? (int)strlen(path) : (int)(host - path), path);
	(void)snprintf(inbox, sizeof(inbox), "_IN.main.%s",
	    host == NULL ? "op-test" : host + 1);
	if (w_fleet_key_read_private(file, &key, &err) != WRIT_OK)
		return fail(&err);
	w_fleet_nkey_seed(&key, seed);
	w_fleet_nkey_public(&key, nkey);
	const struct w_nats_login login = {.server = url,
	    .name = "test",
	    .inbox = inbox,
	    .nkey = nkey,
	    .seed = seed};
	/* A busy machine may be late for the server's patience. */
	for (int tries = 0; w_nats_connect(&login, out, &err) != WRIT_OK;
	     tries++) {
		if (tries == 5)
			return fail(&err);
		nats_Sleep(500);
	}
	return 0;
}

static int
publish(natsConnection *connection, const char *subject, bool is_stored)
{
	jsCtx *js = NULL;
	jsPubOptions options;
	W_AUTO_BUF struct w_buf text;

	w_buf_init(&text, TEXT_MAX);
	read_stdin(&text);
	if (!is_stored) {
		(void)natsConnection_Publish(
		    connection, subject, text.data, (int)text.len);
		return natsConnection_Flush(connection) == NATS_OK ? 0 : 1;
	}
	(void)jsPubOptions_Init(&options);
	options.MaxWait = WAIT_MS;
	natsStatus status = natsConnection_JetStream(&js, connection, NULL);
	if (status == NATS_OK)
		status = js_Publish(NULL, js, subject, text.data, (int)text.len,
		    &options, NULL);
	(void)printf(
	    "%s\n", status == NATS_OK ? "stored" : natsStatus_GetText(status));
	jsCtx_Destroy(js);
	return status == NATS_OK ? 0 : 1;
}

static int
count(natsConnection *connection, const char *stream, const char *subject)
{
	natsSubscription *subscription = NULL;
	natsMsg *message = NULL;
	jsCtx *js = NULL;
	jsSubOptions options;

	(void)jsSubOptions_Init(&options);
	options.Stream = stream;
	options.Ordered = true;
	natsStatus status = natsConnection_JetStream(&js, connection, NULL);
	if (status == NATS_OK)
		status = js_SubscribeSync(
		    &subscription, js, subject, NULL, &options, NULL);
	while (status == NATS_OK && natsSubscription_NextMsg(&message,
					subscription, 300) == NATS_OK) {
		(void)printf("%s %.*s\n", natsMsg_GetSubject(message),
		    natsMsg_GetDataLength(message), natsMsg_GetData(message));
		natsMsg_Destroy(message);
	}
	natsSubscription_Destroy(subscription);
	jsCtx_Destroy(js);
	return status == NATS_OK ? 0 : 1;
}

int
main(int argc, char **argv)
{
	natsConnection *connection = NULL;
	int status = 2;

	if (argc == 3 && strcmp(argv[1], "sign") == 0)
		return sign(argv[2]);
	if (argc < 5 || connect_as(argv[2], argv[3], &connection) != 0)
		return 2;
	if (strcmp(argv[1], "publish") == 0)
		status = publish(connection, argv[4], true);
	else if (strcmp(argv[1], "send") == 0)
		status = publish(connection, argv[4], false);
	else if (argc == 6 && strcmp(argv[1], "count") == 0)
		status = count(connection, argv[4], argv[5]);
	natsConnection_Destroy(connection);
	return status;
}
