/* info-stacks.c: call stacks of a recording, for "info": shares of broken stacks and of frames with
 * names, number of stacks cut at a limit, counts of its stack dumps
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "info.h"

static const struct
{
  TbTableKind table;
  guint column;
} stack_columns[] = {
  { TB_TABLE_SWITCH, TB_SWITCH_STACK },   { TB_TABLE_WAKEUP, TB_WAKEUP_STACK },
  { TB_TABLE_SAMPLE, TB_SAMPLE_STACK },   { TB_TABLE_SYSCALL, TB_SYSCALL_STACK },
  { TB_TABLE_COUNTER, TB_COUNTER_STACK },
};

/* Returns flags per stack: whether unwinding stopped before the start of the stack, or at a limit
 * of its length. The outermost frame carries the flags, and a parent always precedes its
 * children. *has_callers: whether any stack has more than one frame */
static guint8 *
find_broken (TbTable *table, gboolean *has_callers, GError **error)
{
  guint64 n = tb_table_get_n_rows (table);
  g_autoptr (GBytes) parent_bytes = tb_table_get_column (table, TB_STACK_PARENT, error);
  g_autoptr (GBytes) flag_bytes
      = parent_bytes ? tb_table_get_column (table, TB_STACK_FLAGS, error) : NULL;
  const guint32 *parent;
  const guint8 *flags;
  guint8 *broken;

  if (!flag_bytes)
    return NULL;
  parent = g_bytes_get_data (parent_bytes, NULL);
  flags = g_bytes_get_data (flag_bytes, NULL);
  broken = g_malloc0 (n + 1);
  *has_callers = FALSE;
  for (guint64 i = 1; i < n; i++)
    *has_callers |= parent[i] != TB_STACK_NONE;
  for (guint64 i = 1; i < n; i++)
    broken[i]
        = (flags[i] & (TB_STACK_BROKEN | TB_STACK_CUT)) | (parent[i] < i ? broken[parent[i]] : 0);
  return broken;
}

static gboolean
measure_broken (TbSession *session, InfoStacks *result, GError **error)
{
  TbTable *stacks = tb_session_get_table (session, TB_TABLE_STACK);
  guint64 n_stacks = tb_table_get_n_rows (stacks);
  gboolean has_callers;
  g_autofree guint8 *broken = find_broken (stacks, &has_callers, error);
  guint64 n_with = 0;
  guint64 n_broken = 0;

  if (!broken)
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (stack_columns); i++)
    {
      TbTable *table = tb_session_get_table (session, stack_columns[i].table);
      g_autoptr (GBytes) bytes = tb_table_get_column (table, stack_columns[i].column, error);
      const guint32 *stack;
      guint64 n = tb_table_get_n_rows (table);

      if (!bytes)
        return FALSE;
      stack = g_bytes_get_data (bytes, NULL);
      for (guint64 row = 0; row < n; row++)
        if (stack[row] != TB_STACK_NONE && stack[row] < n_stacks)
          {
            n_with++;
            n_broken += (broken[stack[row]] & TB_STACK_BROKEN) != 0;
            result->n_cut += (broken[stack[row]] & TB_STACK_CUT) != 0;
          }
    }
  result->n_with = n_with;
  /* Where only addresses were recorded, nothing is missing in a stack. */
  result->broken = n_with > 0 && has_callers ? (double) n_broken / n_with : NAN;
  return TRUE;
}

/* Frames of a module of the kind TB_MODULE_NAMED were recorded with their names and count as
 * named. */
static gboolean
count_named (TbSession *session, guint64 n_frames, guint64 *n_named, GError **error)
{
  TbTable *table = tb_session_get_table (session, TB_TABLE_FRAME);
  g_autoptr (GBytes) bytes = tb_table_get_column (table, TB_FRAME_MODULE, error);
  const guint32 *module;
  guint n_modules;
  const TbModule *modules = tb_session_get_modules (session, &n_modules);

  if (!bytes)
    return FALSE;
  module = g_bytes_get_data (bytes, NULL);
  *n_named = 0;
  for (guint64 frame = 0; frame < n_frames; frame++)
    {
      guint n_names;
      const TbFrameName *names = tb_session_get_frame_names (session, frame, &n_names);

      *n_named += (module[frame] < n_modules && modules[module[frame]].kind == TB_MODULE_NAMED)
                  || (n_names > 0 && *names[n_names - 1].function);
    }
  return TRUE;
}

static guint64
read_number (TbSession *session, const char *key)
{
  const char *text = tb_session_get_fact (session, key);

  return text ? g_ascii_strtoull (text, NULL, 10) : 0;
}

gboolean
info_measure_stacks (TbSession *session, InfoStacks *stacks, GError **error)
{
  guint64 n_stacks = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_STACK));
  guint64 n_named;

  stacks->distinct = n_stacks > 0 ? n_stacks - 1 : 0; /* row 0 is the empty stack */
  stacks->frames = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_FRAME));
  if (!count_named (session, stacks->frames, &n_named, error))
    return FALSE;
  stacks->symbolized = stacks->frames ? (double) n_named / stacks->frames : NAN;
  stacks->n_cut = 0;
  stacks->limit = tb_session_get_fact (session, "stack-limit");
  stacks->is_repaired = tb_session_get_fact (session, TB_FACT_REPAIRED_STACKS) != NULL;
  stacks->n_repaired = read_number (session, "stacks-repaired");
  stacks->n_unrepaired = read_number (session, "stacks-unrepaired");
  return measure_broken (session, stacks, error);
}

gboolean
info_read_dumps (TbSession *session, InfoDumps *dumps)
{
  dumps->n = read_number (session, "stack-dumps");
  dumps->bytes = read_number (session, "stack-dump-bytes");
  dumps->incomplete = read_number (session, "stack-dumps-partly");
  dumps->unverified = read_number (session, "stack-dumps-unverified");
  dumps->failed = read_number (session, "stack-dumps-undone");
  dumps->full = read_number (session, "stack-dumps-crowded");
  dumps->unreadable = read_number (session, "stack-dumps-unreadable");
  dumps->other_abi = read_number (session, "stack-dumps-foreign");
  dumps->unmatched = read_number (session, "stack-dumps-unmatched");
  dumps->time_ns = read_number (session, "stack-dump-time-us") * 1000;
  return tb_session_get_fact (session, "stack-dumps") != NULL;
}
