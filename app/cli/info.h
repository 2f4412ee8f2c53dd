/* info.h: description of a recording, as JSON and text, and the data of its parts (info-*.c): cost
 * of recording, lost events, threads by process, stacks and their dumps, missing names, probed
 * functions
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tailback.h"

G_BEGIN_DECLS

/* Returns an object of the format "tailback-info". */
JsonNode *info_to_json (TbTrace *trace, GError **error);
char *info_to_text (TbTrace *trace, guint width, GError **error);

/* info-costs.c: cost of recording, as measured before it if that was requested */
#define INFO_N_COSTS 3u

typedef struct
{
  const char *fact;
  const char *member;
  const char *label;
} InfoCost;

extern const InfoCost info_costs[INFO_N_COSTS];

/* Returns 0 if unknown. */
gint64 info_get_cost (TbSession *session, guint i);

/* info-lost.c */
typedef struct
{
  GBytes *bytes[TB_LOST_N_COLUMNS];
  const gint64 *from;
  const gint64 *to;
  const guint16 *cpu;
  const guint64 *count;
  guint64 n;
} InfoLost;

void info_lost_clear (InfoLost *lost);
gboolean info_read_lost (TbSession *session, InfoLost *lost, GError **error);
guint64 info_count_lost (const InfoLost *lost);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (InfoLost, info_lost_clear)

/* info-processes.c */
/* Threads grouped by process: those of process p are order[first[p]] … order[first[p + 1] - 1]. */
typedef struct
{
  guint *first;
  guint *order;
  guint *main; /* the thread with tid equal to the pid; TB_ID_NONE: none */
} InfoProcessThreads;

void info_processes_clear (InfoProcessThreads *grouped);
void info_group_threads (TbSession *session, InfoProcessThreads *grouped);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (InfoProcessThreads, info_processes_clear)

/* info-stacks.c */
typedef struct
{
  guint64 distinct;
  guint64 frames;
  /* Share of incompletely unwound stacks among the events with a stack; NaN if unknown. */
  double broken;
  double symbolized;    /* share of the frames that have a name; NaN if unknown */
  guint64 n_cut;        /* stacks that were cut at a limit, of the events with a stack */
  guint64 n_with;       /* events with a stack */
  const char *limit;    /* number of frames at which they were cut; NULL if unknown */
  gboolean is_repaired; /* whether stacks were completed with unwind tables */
  guint64 n_repaired;
  guint64 n_unrepaired; /* that met code without a table */
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
