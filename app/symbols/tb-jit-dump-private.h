/* tb-jit-dump-private.h: conversion of the dump file of a just-in-time compiler (jitdump) into
 * lines of a perf map with its functions
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns the lines of a perf map with the functions of a dump file ("jit-PID.dump"), NULL if it is
 * not a valid dump of the process. The format is that of tools/perf/Documentation/
 * jitdump-specification.txt. */
char *tb_jit_dump_read (int fd, gint32 pid);

G_END_DECLS
