/* recording.h: run of one recording: choice and start of a collector, or of one for the command
 * alone; progress line, live report on SIGUSR1, end by command, duration or signal, finishing of
 * the session file
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "extend/plugins/tb-command.h"
#include "tailback.h"

G_BEGIN_DECLS

typedef struct
{
  /* the request */
  const char *collector_id; /* NULL: the best one that works here */
  char **options;
  TbTarget target;
  gboolean may_narrow; /* falls back to the command alone if the system cannot be recorded */
  gint64 duration_ns;  /* 0: unlimited */
  gboolean overwrite;
  GFile *output;
  /* created before the recording, and released by recording_run(); NULL: none */
  TbCommand *command;

  /* the result */
  TbRecorderStatistics statistics;
  char *command_status; /* NULL: the command is still running, or there is none */
  char *cut_short;      /* why the source ended early; NULL: it did not */
} Recording;

void recording_clear (Recording *recording);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Recording, recording_clear)

/* Records until the first of these: the command ends, the duration is over, SIGINT, SIGTERM or
 * SIGHUP arrives, the source ends. SIGUSR1 ends the recording too, unless the collector has a live
 * report, which is then printed. Afterwards the file is complete, or there is none. A second signal
 * ends the program at once: the file then has what was committed. */
gboolean recording_run (Recording *recording, GError **error);

/* (transfer full) (element-type TbPluginInfo): the collectors that load, the preferred one
 * first. */
GPtrArray *recording_list_collectors (void);

G_END_DECLS
