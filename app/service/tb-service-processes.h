/* tb-service-processes.h: running processes of the host, and the files that they have mapped, read
 * with the rights of the caller
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-service-user.h"

G_BEGIN_DECLS

/* (transfer floating): a(iss): PID, name and command line of each process that has one */
GVariant *tb_service_processes_list (void);
/* Opens, for reading, "maps" or "exe" of a process, or the file that it has mapped to be executed
 * by that absolute path. -1 with error. */
int
tb_service_processes_open (gint32 pid, const char *name, const TbServiceUser *user, GError **error);

G_END_DECLS
