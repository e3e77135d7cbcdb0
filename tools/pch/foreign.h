/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Headers of others that most files need, read once for all of them where the
 * build asks for that (-Db_pch=true, as ./demo does). A build without it shows
 * whether a file includes what it uses, so that is the default.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <yyjson.h>
