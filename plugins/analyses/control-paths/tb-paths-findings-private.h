/* tb-paths-findings-private.h: parts shared by the files that add findings of control paths to a
 * report: adding a finding, severity by share, link to a flame box; also the findings on
 * contributors and locks
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "report/flame/tb-flame-figure.h"
#include "tb-paths-findings.h"

G_BEGIN_DECLS

/* Least share of the wall time that a finding is about. */
#define TB_PATHS_MIN_SHARE 0.01
#define TB_PATHS_MAX_CONTRIBUTORS 8

typedef struct
{
  TbReport *report;
  TbPathsSummary *summary;
  TbFlameFigure *chronological; /* NULL: not drawn */
  TbFlameFigure *consolidated;
} TbPathsFindingBuilder;

double tb_paths_share_of (gint64 part, gint64 whole);
TbSeverity tb_paths_rate (double share);
/* Takes ownership of text. */
TbFinding *tb_paths_emit_finding (TbPathsFindingBuilder *self,
                                  const char *code,
                                  TbSeverity severity,
                                  gint64 ns,
                                  char *text);
/* As before; weight: its place among the findings, ns: the time whose share it has. */
TbFinding *tb_paths_emit_finding_of (TbPathsFindingBuilder *self,
                                     const char *code,
                                     TbSeverity severity,
                                     gint64 weight,
                                     gint64 ns,
                                     char *text);
/* Links a finding to the flame box that a thread is in at a time. */
void tb_paths_set_finding_place (TbPathsFindingBuilder *self,
                                 TbFinding *finding,
                                 guint32 thread,
                                 gint64 from,
                                 gint64 to,
                                 gboolean innermost);

/* tb-paths-contributor-findings.c */
void tb_paths_add_contributor_findings (TbPathsFindingBuilder *self);
/* tb-paths-lock-findings.c */
void tb_paths_add_lock_findings (TbPathsFindingBuilder *self);

G_END_DECLS
