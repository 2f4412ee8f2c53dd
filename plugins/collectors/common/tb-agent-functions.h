/* tb-agent-functions.h: functions that are to be probed, by name
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "capture/tb-capture-format.h"
#include "extend/tb-collector.h"

G_BEGIN_DECLS

/* One function, whose file this process has open and mapped, so that the agent can check it. */
typedef struct
{
  char *name; /* as it was asked for */
  char *id;   /* "f0@program" */
  char *path;
  int fd;
  gpointer page;
  gsize page_size;
  TbCaptureProbeAdd probe; /* all but its id */
  guint8 build_id[64];
  gsize build_id_length;
} TbAgentFunction;

/* (transfer full) (element-type TbAgentFunction): of "[FILE:]FUNCTION[>TIME]" each, where FILE is a path, the name of a program, of
 * a library, or of a file that the target has mapped; without it, the target's program. NULL with one clear line. */
GPtrArray *tb_agent_functions_find (const char *const *wanted, const TbTarget *target, GError **error);
/* Where in its file calls of it are seen at the least cost: at its entry, or a few instructions later, where nothing has been done yet
 * that others can see. */
guint64 tb_agent_function_find_entry (const TbAgentFunction *self);
/* The same of one, without TIME: its file and its name. */
TB_EXPORT gboolean tb_agent_functions_locate (const char *wanted,
                                              const TbTarget *target,
                                              char **path,
                                              char **function,
                                              GError **error);

G_END_DECLS
