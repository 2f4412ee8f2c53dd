/* tb-column-rules.c: check that the values of a decoded column follow the rule of its role (ids in
 * range, times valid and ascending, known kinds), since session files are not trusted
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "session/schema/tb-column-rules-private.h"

/* Each loop combines the checks of all values and decides once at the end: it runs over every value
 * that is read. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#  define HOT __attribute__ ((optimize ("O3")))
#else
#  define HOT
#endif

static const char *const bad_id = "an ID refers to nothing";
static const char *const bad_time = "a time is out of range";
static const char *const bad_order = "the rows are not in order";

HOT static gboolean
ids_are_below (const guint32 *ids, gsize n, guint64 limit)
{
  guint32 bound = (guint32) MIN (limit, (guint64) TB_ID_NONE);
  guint32 bad = 0;

  for (gsize i = 0; i < n; i++)
    bad |= ids[i] >= bound;
  return !bad;
}

HOT static gboolean
ids_are_below_or_none (const guint32 *ids, gsize n, guint64 limit)
{
  guint32 bound = (guint32) MIN (limit, (guint64) TB_ID_NONE);
  guint32 bad = 0;

  for (gsize i = 0; i < n; i++)
    bad |= (ids[i] >= bound) & (ids[i] != TB_ID_NONE);
  return !bad;
}

HOT static gboolean
are_ascending (const guint32 *ids, gsize n)
{
  guint32 bad = 0;

  for (gsize i = 1; i < n; i++)
    bad |= ids[i] < ids[i - 1];
  return !bad;
}

HOT static gboolean
kinds_are_below (const guint8 *kinds, gsize n, guint8 limit)
{
  guint8 bad = 0;

  for (gsize i = 0; i < n; i++)
    bad |= kinds[i] >= limit;
  return !bad;
}

HOT static gboolean
times_are_valid (const gint64 *times, gsize n, gint64 least)
{
  gint64 bad = 0;

  for (gsize i = 0; i < n; i++)
    bad |= (times[i] < least) | (times[i] > TB_TIME_LIMIT);
  return !bad;
}

HOT static gboolean
times_are_ascending (const gint64 *times, gsize n)
{
  gint64 bad = 0;

  for (gsize i = 1; i < n; i++)
    bad |= times[i] < times[i - 1];
  return !bad;
}

static const char *
check_ends (const gint64 *times, gsize n)
{
  gsize n_ended = n;

  if (!times_are_valid (times, n, TB_TIME_NONE))
    return bad_time;
  while (n_ended > 0 && times[n_ended - 1] == TB_TIME_NONE)
    n_ended--;
  /* a TB_TIME_NONE among the other times breaks their order, or comes first */
  if (n_ended > 0 && (times[0] == TB_TIME_NONE || !times_are_ascending (times, n_ended)))
    return bad_order;
  return NULL;
}

HOT static gboolean
parents_precede (const guint32 *parents, gsize n, guint64 first_row)
{
  guint32 first = (guint32) first_row;
  guint32 bad = 0;

  if (n > 0 && first_row == 0 && parents[0] != TB_STACK_NONE)
    return FALSE;
  for (gsize i = first_row == 0 ? 1 : 0; i < n; i++)
    bad |= parents[i] >= first + (guint32) i;
  return !bad;
}

static const char *
check_ids (const guint32 *ids, gsize n, guint64 limit, gboolean or_none)
{
  if (or_none ? ids_are_below_or_none (ids, n, limit) : ids_are_below (ids, n, limit))
    return NULL;
  return bad_id;
}

static const char *
check_kinds (const guint8 *kinds, gsize n, guint8 limit)
{
  return kinds_are_below (kinds, n, limit) ? NULL : "a kind is unknown";
}

static const char *
check_stack_frames (const guint32 *frames, gsize n, guint64 first_row, guint64 limit)
{
  /* the empty stack has no frame */
  if (first_row == 0 && n > 0 && (frames[0] == 0 || frames[0] == TB_ID_NONE))
    return check_ids (frames + 1, n - 1, limit, FALSE);
  return check_ids (frames, n, limit, FALSE);
}

const char *
tb_column_rules_check (TbColumnRole role,
                       gconstpointer values,
                       gsize n,
                       guint64 first_row,
                       const TbIdLimits *limits)
{
  switch (role)
    {
    case TB_ROLE_VALUE:
      return NULL;
    case TB_ROLE_TIME:
      return times_are_valid (values, n, TB_TIME_NONE) ? NULL : bad_time;
    case TB_ROLE_SORTED_TIME:
      if (!times_are_valid (values, n, 0))
        return bad_time;
      return times_are_ascending (values, n) ? NULL : bad_order;
    case TB_ROLE_SORTED_END:
      return check_ends (values, n);
    case TB_ROLE_THREAD:
      return check_ids (values, n, limits->n_threads, FALSE);
    case TB_ROLE_SORTED_THREAD:
      if (!ids_are_below (values, n, limits->n_threads))
        return bad_id;
      return are_ascending (values, n) ? NULL : bad_order;
    case TB_ROLE_THREAD_OR_NONE:
      return check_ids (values, n, limits->n_threads, TRUE);
    case TB_ROLE_DEVICE_OR_NONE:
      return check_ids (values, n, limits->n_devices, TRUE);
    case TB_ROLE_MODULE_OR_NONE:
      return check_ids (values, n, limits->n_modules, TRUE);
    case TB_ROLE_WAKEUP_OR_NONE:
      return check_ids (values, n, limits->n_wakeups, TRUE);
    case TB_ROLE_SLEEP_OR_NONE:
      return check_ids (values, n, limits->n_sleeps, TRUE);
    case TB_ROLE_FRAME_OR_NONE:
      return check_ids (values, n, limits->n_frames, TRUE);
    case TB_ROLE_STACK:
      return check_ids (values, n, MAX (limits->n_stacks, 1), FALSE);
    case TB_ROLE_STRING:
      return check_ids (values, n, MAX (limits->n_strings, 1), FALSE);
    case TB_ROLE_STACK_PARENT:
      return parents_precede (values, n, first_row) ? NULL
                                                    : "a stack does not come after its caller's";
    case TB_ROLE_STACK_FRAME:
      return check_stack_frames (values, n, first_row, limits->n_frames);
    case TB_ROLE_KIND_2:
      return check_kinds (values, n, 2);
    case TB_ROLE_KIND_4:
      return check_kinds (values, n, 4);
    case TB_ROLE_KIND_5:
      return check_kinds (values, n, 5);
    case TB_ROLE_KIND_6:
      return check_kinds (values, n, 6);
    case TB_ROLE_KIND_8:
      return check_kinds (values, n, 8);
    case TB_ROLE_KIND_13:
      return check_kinds (values, n, 13);
    case TB_ROLE_KIND_17:
      return check_kinds (values, n, 17);
    case TB_ROLE_KIND_21:
      return check_kinds (values, n, 21);
    default:
      g_assert_not_reached ();
    }
}
