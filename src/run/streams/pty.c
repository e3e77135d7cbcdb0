/* SPDX-License-Identifier: Apache-2.0 */

/* Opens, resizes and closes the terminal of a run. */

#include "run/streams/pty.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <termios.h>

#include "base/auto.h"
#include "os/file.h"

enum {
	CONTROL_D = 4
};

int
w_pty_adopt(struct w_pty *pty, int master, int slave)
{
	pty->master = master;
	pty->slave = slave;
	int error = w_fd_raise(&pty->master);
	if (error == 0)
		error = w_fd_raise(&pty->slave);
	if (error == 0 && fcntl(pty->master, F_SETFL, O_RDWR | O_NONBLOCK) < 0)
		error = errno;
	if (error != 0)
		w_pty_close(pty);
	w_pty_resize(pty, pty->rows, pty->columns);
	return error;
}

/* The slave is opened through the master: its path may mean another terminal
 * here, or nothing. */
int
w_pty_open(struct w_pty *pty)
{
	W_AUTO_FD int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);

	if (master < 0 || unlockpt(master) < 0)
		return errno;
	int slave = ioctl(master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
	if (slave < 0)
		return errno;
	return w_pty_adopt(pty, w_take_fd(&master), slave);
}

void
w_pty_resize(struct w_pty *pty, unsigned rows, unsigned columns)
{
	const struct winsize size = {
	    .ws_row = (unsigned short)rows,
	    .ws_col = (unsigned short)columns,
	};

	pty->rows = rows;
	pty->columns = columns;
	if (pty->master >= 0)
		(void)ioctl(pty->master, TIOCSWINSZ, &size);
}

char
w_pty_end_char(int fd)
{
	struct termios now;

	if (tcgetattr(fd, &now) < 0 || now.c_cc[VEOF] == _POSIX_VDISABLE)
		return CONTROL_D;
	return (char)now.c_cc[VEOF];
}

bool
w_pty_is_unread(int slave)
{
	struct pollfd typed = {.fd = slave, .events = POLLIN};

	return poll(&typed, 1, 0) > 0;
}

void
w_pty_close(struct w_pty *pty)
{
	w_close(&pty->slave);
	w_close(&pty->master);
}
