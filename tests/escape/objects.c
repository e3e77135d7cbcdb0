/* SPDX-License-Identifier: Apache-2.0 */

/* What is on the stage besides files and processes: keys, shared memory,
 * queues and semaphores, by names that other stages do not use. */

#include <fcntl.h>
#include <mqueue.h>
#include <stdio.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <linux/keyctl.h>

#include "stage.h"
#include "victim.h"

static char key_name[64];

static void
make_keys(void)
{
	long key;

	(void)syscall(SYS_keyctl, KEYCTL_JOIN_SESSION_KEYRING, NULL);
	key = syscall(SYS_add_key, "user", "escape", TOKEN, strlen(TOKEN),
	    KEY_SPEC_SESSION_KEYRING);
	if (key > 0)
		add_fact("key=%ld", key);
	(void)snprintf(key_name, sizeof(key_name), "escape-%d", getpid());
	key = syscall(SYS_add_key, "user", key_name, TOKEN, strlen(TOKEN),
	    KEY_SPEC_USER_KEYRING);
	if (key > 0)
		add_fact("userkey=%ld", key);
}

static int shared_memory = -1;
static int message_queue = -1;
static int semaphore = -1;
static char queue_name[64];
static char memory_name[64];

static void
make_ipc(void)
{
	shared_memory = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
	message_queue = msgget(IPC_PRIVATE, IPC_CREAT | 0600);
	semaphore = semget(IPC_PRIVATE, 1, IPC_CREAT | 0600);
	if (shared_memory >= 0) {
		char *memory = shmat(shared_memory, NULL, 0);

		(void)memcpy(memory, TOKEN, sizeof(TOKEN));
		(void)shmdt(memory);
		add_fact("shm=%d", shared_memory);
	}
	if (message_queue >= 0)
		add_fact("msg=%d", message_queue);
	if (semaphore >= 0)
		add_fact("sem=%d", semaphore);
	(void)snprintf(queue_name, sizeof(queue_name), "/escape-%d", getpid());
	if (mq_open(queue_name, O_CREAT | O_RDWR | O_CLOEXEC, 0600, NULL) >= 0)
		add_fact("mq=%s", queue_name);
	(void)snprintf(
	    memory_name, sizeof(memory_name), "/dev/shm/escape-%d", getpid());
	put_file(memory_name, TOKEN);
	add_fact("shmfile=%s", memory_name);
}

void
remove_objects(void)
{
	const long key = syscall(SYS_keyctl, KEYCTL_SEARCH,
	    KEY_SPEC_USER_KEYRING, "user", key_name, 0);

	if (key > 0)
		(void)syscall(
		    SYS_keyctl, KEYCTL_UNLINK, key, KEY_SPEC_USER_KEYRING);
	if (shared_memory >= 0)
		(void)shmctl(shared_memory, IPC_RMID, NULL);
	if (message_queue >= 0)
		(void)msgctl(message_queue, IPC_RMID, NULL);
	if (semaphore >= 0)
		(void)semctl(semaphore, 0, IPC_RMID);
	(void)mq_unlink(queue_name);
	(void)unlink(memory_name);
}

void
make_objects(void)
{
	make_keys();
	make_ipc();
}
