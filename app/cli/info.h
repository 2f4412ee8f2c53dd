/* info.h: description of a recording, as JSON and text; its parts about stacks (info-stacks.c),
 * missing names (info-symbols.c) and probed functions (info-functions.c)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Returns an object of the format "tailback-info". */
JsonNode *info_to_json (TbTrace *trace, GError **error);
char *info_to_text (TbTrace *trace, guint width, GError **error);

/* info-stacks.c */
typedef struct
{
  guint64 distinct;
  guint64 frames;
  /* Share of incompletely unwound stacks among the events with a stack; NaN if unknown. */
  double broken;
  double symbolized; /* share of the frames that have a name; NaN if unknown */
  guint64 n_cut;     /* stacks that were cut at a limit, of the events with a stack */
  guint64 n_with;    /* events with a stack */
  const char *limit; /* number of frames at which they were cut; NULL if unknown */
} InfoStacks;

/* User stacks that were dumped during the recording and unwound afterwards. */
typedef struct
{
  guint64 n;
  guint64 bytes;
  guint64 incomplete; /* not unwound to their start */
  guint64 unverified; /* unwound with files that may be other ones than the recorded files */
  guint64 failed;     /* requested but not dumped: the sum of the next four */
  guint64 full;       /* no room in the buffer */
  guint64 unreadable;
  guint64 other_abi; /* of programs with another ABI, such as 32-bit ones */
  guint64 unmatched; /* dumped, but without a matching recorded event */
  guint64 time_ns;   /* time spent on unwinding */
} InfoDumps;

/* Returns FALSE if the recording has no dumps. */
gboolean info_read_dumps (TbSession *session, InfoDumps *dumps);
gboolean info_measure_stacks (TbSession *session, InfoStacks *stacks, GError **error);

/* info-symbols.c: where the names of each file come from, and why some are missing */
gboolean info_add_symbols (JsonBuilder *builder, TbSession *session, GError **error);
gboolean info_append_symbols (GString *text, TbSession *session, GError **error);

/* info-functions.c */
typedef struct
{
  const char *name;
  guint64 calls;
  guint64 open; /* calls without a start or an end in the recording, so of unknown length */
  gint64 total; /* ns, of the complete calls */
  gint64 longest;
} InfoFunction;

/* (transfer full) (nullable) (element-type InfoFunction): the probed functions that were called, by
 * decreasing total time */
GArray *info_list_functions (TbSession *session, GError **error);

G_END_DECLS
