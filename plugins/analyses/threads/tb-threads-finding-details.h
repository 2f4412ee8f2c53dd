/* tb-threads-finding-details.h: details of findings about a thread: where and for what it waited
 * most, and which threads ran on the CPU that it lacked
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#pragma once

#include "tb-threads-summary.h"

/* Where and for what a thread waited most, among the waits that one cause ended. */
typedef struct
{
  char *label;        /* function; NULL: not known */
  char *program;      /* function of the program in whose calls that is; NULL: not known */
  const char *module; /* its file name */
  /* with which option the caller of the function is recorded, as an option and as a clause; NULL:
   * the caller is known, or no option gives it */
  const char *caller_option;
  char *remedy;
  guint32 stack;
  gint64 ns;
  char *object; /* file, peer or lock with the most waiting time; NULL: none */
  gint64 object_ns;
} TbProgramContext;

void tb_place_find (TbProgramContext *place,
                    TbThreadsSummary *summary,
                    const TbThreadSummary *thread,
                    const TbWaker *waker);
/* Only what accounts for most of the time whole, else NULL. A peer is not an object, because it is
 * the cause itself. */
const char *tb_place_get_function (const TbProgramContext *place, gint64 whole);
const char *tb_place_get_program_function (const TbProgramContext *place, gint64 whole);
const char *tb_place_get_object (const TbProgramContext *place, gint64 whole, gboolean is_peer);
/* ", mostly in fsync", ", mostly in fsync → /var/log/x" or ", mostly on /var/log/x"; "" where
 * neither is known. */
char *tb_place_describe (const TbProgramContext *place, gint64 whole, gboolean is_peer);
void tb_place_clear (TbProgramContext *place);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (TbProgramContext, tb_place_clear)

/* Limit of the runs that are examined to find out which threads had a CPU. */
#define TB_MAX_RUNS_EXAMINED 2000000

/* The threads of one name that ran on the CPU for which a thread waited. */
typedef struct
{
  const char *name;
  guint32 thread; /* one of them */
  guint n;
  gint64 ns;
} TbCpuHolder;

/* seen: increased by the number of runs that were examined. thread is set to TB_ID_NONE where none
 * was found. */
void tb_cpu_holder_find (TbCpuHolder *holder,
                         TbThreadsSummary *summary,
                         const TbThreadSummary *thread,
                         gsize *seen);
char *tb_cpu_holder_describe (const TbCpuHolder *holder, TbThreadsSummary *summary);
