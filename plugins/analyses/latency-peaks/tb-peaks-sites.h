/* tb-peaks-sites.h: where the functions of a drill-down are called from
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"

G_BEGIN_DECLS

/* Stacks with their addresses. */
typedef struct
{
  TbSession *session;
  const guint32 *parent; /* of stacks */
  const guint32 *frame;
  gsize n_stacks;
  const guint32 *module; /* of frames */
  const guint64 *offset;
  gsize n_frames;
  GBytes *columns[4];
} TbPeaksSites;

gboolean tb_peaks_sites_init (TbPeaksSites *self, TbSession *session, GError **error);
void tb_peaks_sites_clear (TbPeaksSites *self);

/* A function of a stack, inlined ones included. */
typedef struct
{
  guint32 stack;
  const TbFrameName *names; /* of its frame */
  guint n_names;
  guint name;
} TbPeaksPlace;

/* The innermost one. */
TbPeaksPlace tb_peaks_sites_begin (const TbPeaksSites *self, guint32 stack);
/* Goes on to its caller. Returns the site of the call: two calls have the same if they are made from the same place in the same
 * function; 0 nobody knows. */
guint64 tb_peaks_sites_leave (const TbPeaksSites *self, TbPeaksPlace *place);
/* Of a probed function by the stack that came with its call, else by the address it returned to, which is another in each process. */
guint64
tb_peaks_sites_find_call (const TbPeaksSites *self, const char *function, guint64 address, guint32 stack);
/* What an earlier recording said. */
guint64 tb_peaks_sites_remember (const char *said);
/* (transfer full) (nullable): a site as it can be found again in another recording. */
char *tb_peaks_sites_say (const TbPeaksSites *self, guint64 site);
/* Of the file of a site, in hexadecimal digits; "" nobody knows. */
const char *tb_peaks_sites_get_build (const TbPeaksSites *self, guint64 site);

/* Finds functions that another one calls in more than one place. */
void tb_peaks_mark_twins (TbPeaksTree *tree);
/* Of the functions that root causes are made up of, and those called in more places than one: "wal.c:120",
 * "libc.so.6+0x8f2a1", "0x55d0c0ffee10". */
gboolean tb_peaks_find_call_sites (TbPeaksDrill *drill, GError **error);

G_END_DECLS
