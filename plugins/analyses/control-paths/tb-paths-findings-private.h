/* tb-paths-findings-private.h: declarations shared by the files that write findings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "tb-paths-findings.h"

G_BEGIN_DECLS

/* Least share of the wall time that a finding is about. */
#define TB_PATHS_LEAST_SHARE 0.01
#define TB_PATHS_CONTRIBUTORS 8

typedef struct
{
  TbReport *report;
  TbPathsSummary *summary;
  TbFlameFigure *chronological; /* NULL: not drawn */
  TbFlameFigure *consolidated;
} TbPathsTeller;

double tb_paths_share_of (gint64 part, gint64 whole);
TbSeverity tb_paths_rate (double share);
/* Takes ownership of text. */
TbFinding *tb_paths_tell (TbPathsTeller *self, const char *code, TbSeverity severity, gint64 ns, char *text);
/* Links a finding to the flame box that a thread is in at a time. */
void tb_paths_point_at (TbPathsTeller *self,
                        TbFinding *finding,
                        guint32 thread,
                        gint64 from,
                        gint64 to,
                        gboolean innermost);

/* tb-paths-contributors.c */
void tb_paths_tell_contributors (TbPathsTeller *self);

G_END_DECLS
