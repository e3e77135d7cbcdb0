/* SPDX-License-Identifier: Apache-2.0 */

/* Memory, queues and semaphores that processes share by name or number. */

#include "attempt.h"

#include <errno.h>
#include <fcntl.h>
#include <mqueue.h>
#include <stdint.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

static int
attach_shared_memory(void)
{
	const long id = fact_number("shm");
	const char *token = fact("token");
	const char *memory;

	if (id < 0 || token == NULL)
		return CANNOT;
	memory = shmat((int)id, NULL, 0);
	/* shmat() says it with a pointer of -1. */
	if ((intptr_t)memory == -1)
		return -errno;
	return strncmp(memory, token, strlen(token)) == 0 ? OPEN : -ENODATA;
}

static int
list_shared_memory(void)
{
	struct shm_info info;

	/* Only the count of this namespace; SHM_INFO needs its own type. */
	if (shmctl(0, SHM_INFO, (struct shmid_ds *)(void *)&info) < 0)
		return -errno;
	return info.used_ids > 0 ? OPEN : -ENODATA;
}

static int
read_message_queue(void)
{
	const long id = fact_number("msg");
	struct msqid_ds about;

	return id < 0 ? CANNOT : outcome(msgctl((int)id, IPC_STAT, &about));
}

static int
use_semaphore(void)
{
	const long id = fact_number("sem");

	return id < 0 ? CANNOT : outcome(semctl((int)id, 0, GETVAL));
}

static int
open_posix_queue(void)
{
	const char *name = fact("mq");

	return name == NULL ? CANNOT : outcome(mq_open(name, O_RDONLY));
}

const struct attempt ipc_attempts[] = {
    {"sysv-memory", "attach the machine's shared memory", attach_shared_memory,
	false},
    {"sysv-list", "count the machine's shared memory", list_shared_memory,
	false},
    {"sysv-queue", "look at a message queue of the machine", read_message_queue,
	false},
    {"sysv-semaphore", "look at a semaphore of the machine", use_semaphore,
	false},
    {"posix-queue", "open a message queue of the machine by name",
	open_posix_queue, false},
    {NULL, NULL, NULL, false},
};
