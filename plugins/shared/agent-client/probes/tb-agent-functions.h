/* tb-agent-functions.h: functions to be probed, found by "[FILE:]FUNCTION" in the target's program,
 * in mapped files and in libraries; opened and mapped for the agent
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "extend/plugins/tb-collector.h"

G_BEGIN_DECLS

/* One function. This process has its file open and mapped, so that the agent can check it. */
typedef struct
{
  char *name; /* as requested */
  char *id;   /* "f0@program" */
  char *path;
  int fd;
  gpointer page;
  gsize page_size;
  TbCaptureProbeAdd probe; /* complete except for the id */
  guint8 build_id[64];
  gsize build_id_length;
} TbAgentFunction;

/* (transfer full) (element-type TbAgentFunction): finds the functions of "[FILE:]FUNCTION[>TIME]"
 * each, where FILE is a path, the name of a program or library, or of a file that the target has
 * mapped. The default is the target's program. NULL with a one-line error. */
GPtrArray *
tb_agent_functions_find (const char *const *wanted, const TbTarget *target, GError **error);
/* The file offset at which the function's calls can be probed at the least cost: its entry, or a
 * few instructions later, where no visible effect has occurred yet. */
guint64 tb_agent_function_find_entry (const TbAgentFunction *self);
/* The same for one function without TIME: returns its file and name. */
TB_EXPORT gboolean tb_agent_functions_locate (const char *wanted,
                                              const TbTarget *target,
                                              char **path,
                                              char **function,
                                              GError **error);

G_END_DECLS
