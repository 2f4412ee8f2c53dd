/* tb-service-commands.h: commands that the service starts as the caller, held before their exec
 * until the caller releases them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include <gio/gio.h>

#include "tb-service-user.h"

G_BEGIN_DECLS

typedef struct
{
  GPid pid;
  int channel; /* for the caller: a byte releases the process, which then closes it, or sends errno
                * and ends; closing it ends a held process */
  int status;  /* for the caller: its wait status as an int, when it has ended */
} TbServiceCommand;

/* folder: "" for the home folder; variables: NAME=VALUE that are added to those of a login;
 * streams: its standard input, output and error; ended: called when the process has ended. FALSE
 * with error. */
gboolean tb_service_commands_start (char **argv,
                                    const char *folder,
                                    char **variables,
                                    const int streams[3],
                                    const TbServiceUser *user,
                                    TbServiceCommand *command,
                                    GSourceOnceFunc ended,
                                    gpointer data,
                                    GError **error);

G_END_DECLS
