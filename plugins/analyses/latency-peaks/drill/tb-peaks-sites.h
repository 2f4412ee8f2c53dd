/* tb-peaks-sites.h: call sites of the functions of a drill-down: where each was called, from stacks
 * or return addresses; as identity, as text, and in a form that another recording can find
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-peaks-drill.h"

G_BEGIN_DECLS

/* Stacks with their frame addresses. */
typedef struct
{
  TbSession *session;
  const guint32 *parent; /* by stack, as the next */
  const guint32 *frame;
  gsize n_stacks;
  const guint32 *module; /* by frame, as the next */
  const guint64 *offset;
  gsize n_frames;
  GBytes *columns[4];
} TbPeaksSites;

gboolean tb_peaks_sites_init (TbPeaksSites *self, TbSession *session, GError **error);
void tb_peaks_sites_clear (TbPeaksSites *self);

/* A function of a stack; inlined functions have places of their own. */
typedef struct
{
  guint32 stack;
  const TbFrameName *names; /* names of its frame */
  guint n_names;
  guint name;
} TbPeaksPlace;

/* The innermost function of a stack. */
TbPeaksPlace tb_peaks_sites_begin (const TbPeaksSites *self, guint32 stack);
/* Moves on to the caller. Returns the call site: two calls have the same site if they are made at
 * the same place in the same function; 0 if not known. */
guint64 tb_peaks_sites_move_to_caller (const TbPeaksSites *self, TbPeaksPlace *place);
/* The call site of a probed function: from the stack recorded with the call, else from the return
 * address, which differs between processes. */
guint64 tb_peaks_sites_find_call (const TbPeaksSites *self,
                                  const char *function,
                                  guint64 address,
                                  guint32 stack);
/* The site for a place that an earlier recording stored. */
guint64 tb_peaks_sites_hash (const char *saved);
/* (transfer full) (nullable): text of a site by which another recording can find it again */
char *tb_peaks_sites_format (const TbPeaksSites *self, guint64 site);
/* The build ID of the site's file, in hexadecimal digits; "" if not known. */
const char *tb_peaks_sites_get_build (const TbPeaksSites *self, guint64 site);

/* Marks functions that their caller calls at several places. */
void tb_peaks_mark_repeated_callees (TbPeaksTree *tree);
/* Finds the call sites of functions on root-cause paths, and of functions with several call sites:
 * "wal.c:120", "libc.so.6+0x8f2a1", "0x55d0c0ffee10". */
gboolean tb_peaks_find_call_sites (TbPeaksDrill *drill, GError **error);

G_END_DECLS
