/* recording.h: one recording, from its start to its complete file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/tb-command.h"
#include "tailback.h"

G_BEGIN_DECLS

typedef struct
{
  /* what is asked for */
  const char *collector_id; /* NULL: the best that works here */
  char **options;
  TbTarget target;
  gboolean may_narrow; /* to the command alone, where the system cannot be recorded */
  gint64 duration_ns;  /* 0: without end */
  gboolean overwrite;
  GFile *output;
  TbCommand *command; /* held; NULL: none */

  /* what came of it */
  TbRecorderStatistics statistics;
  char *command_status; /* NULL: it goes on, or there is none */
  char *cut_short;      /* why the source ended before it should; NULL: it did not */
} Recording;

void recording_clear (Recording *recording);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recording, recording_clear)

/* Records until the first of: the command's end, the duration, SIGINT, SIGTERM, SIGHUP or
 * SIGUSR1, the end of the source. The file is complete afterwards, or there is none. A second
 * signal does not wait for that: the file is then what was committed. */
gboolean recording_run (Recording *recording, GError **error);

/* (transfer full) (element-type TbPluginInfo): those that load, the one to be taken rather first. */
GPtrArray *recording_list_collectors (void);

G_END_DECLS
