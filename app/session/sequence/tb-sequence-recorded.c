/* tb-sequence-recorded.c: recorded order of simultaneous events, read from the order table, with
 * the row of each event
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 *
 * The order table has kinds of events without row numbers, because the row of an operation is not
 * known when the operation begins. The rows of most kinds are in the order of the events, which
 * determines the row. Beginnings are not: the interrupts of a CPU and the calls of a thread are
 * nested, and the last one to begin ends first. Their rows are therefore found in reverse order.
 */

#include "config.h"

#include "session/schema/tb-schema-private.h"
#include "session/sequence/tb-sequence-private.h"

#define NO_COLUMN G_MAXUINT8
#define NONE G_MAXUINT32

typedef struct
{
  guint8 table;
  guint8 time;
  guint8 of;  /* NO_COLUMN: the rows are sorted by time */
  guint8 end; /* end of operations that end in reverse order, else NO_COLUMN */
} Source;

static const Source sources[TB_N_ORDERS] = {
  [TB_ORDER_PROCESS] = { TB_TABLE_PROCESS, TB_PROCESS_TIME, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_SWITCH] = { TB_TABLE_SWITCH, TB_SWITCH_TIME, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_WAKEUP] = { TB_TABLE_WAKEUP, TB_WAKEUP_TIME, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_SAMPLE] = { TB_TABLE_SAMPLE, TB_SAMPLE_TIME, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_NETWORK] = { TB_TABLE_NETWORK, TB_NETWORK_TIME, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_MARK] = { TB_TABLE_MARK, TB_MARK_TIME, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_SLEEP] = { TB_TABLE_SLEEP, TB_SLEEP_TIME, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_LOST] = { TB_TABLE_LOST, TB_LOST_TO, TB_LOST_CPU, NO_COLUMN },
  [TB_ORDER_INTERRUPT_ENTER]
  = { TB_TABLE_INTERRUPT, TB_INTERRUPT_ENTER, TB_INTERRUPT_CPU, TB_INTERRUPT_EXIT },
  [TB_ORDER_INTERRUPT_EXIT] = { TB_TABLE_INTERRUPT, TB_INTERRUPT_EXIT, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_SYSCALL_ENTER]
  = { TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, TB_SYSCALL_THREAD, TB_SYSCALL_EXIT },
  [TB_ORDER_SYSCALL_EXIT] = { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_CALL_ENTER] = { TB_TABLE_CALL, TB_CALL_ENTER, TB_CALL_THREAD, TB_CALL_EXIT },
  [TB_ORDER_CALL_EXIT] = { TB_TABLE_CALL, TB_CALL_EXIT, NO_COLUMN, NO_COLUMN },
  [TB_ORDER_BLOCK_INSERT] = { TB_TABLE_BLOCK, TB_BLOCK_INSERT, TB_BLOCK_THREAD, NO_COLUMN },
  [TB_ORDER_BLOCK_ISSUE] = { TB_TABLE_BLOCK, TB_BLOCK_ISSUE, TB_BLOCK_THREAD, NO_COLUMN },
  [TB_ORDER_BLOCK_COMPLETE] = { TB_TABLE_BLOCK, TB_BLOCK_COMPLETE, NO_COLUMN, NO_COLUMN },
};

/* All events of one time in the order table. */
typedef struct
{
  gint64 time;
  gsize first;
  gsize n;
} Group;

/* A row that an event of the order table may refer to, for kinds with rows that are not in the
 * order of the events. The candidates of a group and thread or CPU form a range; the first one of a
 * range holds the state of the range. */
typedef struct
{
  guint32 group;
  guint32 of;
  guint32 row;
  gboolean taken;
  guint32 below; /* stack of operations that end in this group: the next lower one, NONE if none */
  /* state of the range: the innermost operation with an end already found, in reverse order */
  guint32 top;
  guint32 next; /* state of the range: the next candidate, NONE at first */
} Candidate;

typedef struct
{
  const gint64 *times;
  const gint64 *ends;
  gconstpointer of;
  gboolean of_is_cpu;
  const guint32 *devices; /* for requests, which are identified by device and sector as well */
  const guint64 *sectors;
  gsize n;
  gsize first; /* kinds sorted by time: the rows [first, end) of the current group */
  gsize end;
  gsize left;         /* kinds sorted by time: the rows before it are not taken yet */
  GArray *candidates; /* kinds not sorted by time: Candidate */
} Events;

typedef struct
{
  TbSession *session;
  GPtrArray *bytes;
  const gint64 *times;
  const guint8 *kinds;
  const guint32 *of;
  GArray *groups;
  Events events[TB_N_ORDERS];
  GArray *ordered;
} Finder;

static gconstpointer
load (Finder *self, guint8 table, guint8 column, GError **error)
{
  GBytes *bytes = tb_table_get_column (tb_session_get_table (self->session, table), column, error);
  gsize size;
  gconstpointer data;

  if (bytes == NULL)
    return NULL;
  g_ptr_array_add (self->bytes, bytes);
  data = g_bytes_get_data (bytes, &size);
  return size > 0 ? data : "";
}

static gboolean
load_events (Finder *self, TbOrderKind kind, GError **error)
{
  const Source *source = &sources[kind];
  Events *events = &self->events[kind];

  events->n = tb_table_get_n_rows (tb_session_get_table (self->session, source->table));
  events->times = load (self, source->table, source->time, error);
  if (events->times == NULL)
    return FALSE;
  if (source->of == NO_COLUMN)
    {
      while (events->n > 0 && events->times[events->n - 1] == TB_TIME_NONE)
        events->n--;
      return TRUE;
    }
  events->of = load (self, source->table, source->of, error);
  events->of_is_cpu
      = tb_table_kind_get_info (source->table)->columns[source->of].type == TB_COLUMN_U16;
  if (events->of == NULL)
    return FALSE;
  if (source->table == TB_TABLE_BLOCK)
    {
      events->devices = load (self, TB_TABLE_BLOCK, TB_BLOCK_DEVICE, error);
      events->sectors
          = events->devices != NULL ? load (self, TB_TABLE_BLOCK, TB_BLOCK_SECTOR, error) : NULL;
      return events->sectors != NULL;
    }
  if (source->end != NO_COLUMN)
    events->ends = load (self, source->table, source->end, error);
  return source->end == NO_COLUMN || events->ends != NULL;
}

static guint32
get_of (const Events *events, guint32 row)
{
  guint32 of = events->of_is_cpu ? ((const guint16 *) events->of)[row]
                                 : ((const guint32 *) events->of)[row];

  return events->sectors != NULL
             ? tb_order_hash_request (of, events->devices[row], events->sectors[row])
             : of;
}

static int
compare_candidates (gconstpointer a, gconstpointer b)
{
  const Candidate *one = a, *two = b;

  if (one->group != two->group)
    return one->group < two->group ? -1 : 1;
  if (one->of != two->of)
    return one->of < two->of ? -1 : 1;
  return one->row < two->row ? -1 : one->row > two->row;
}

static guint32
find_group (const Finder *self, gint64 time)
{
  guint low = 0, high = self->groups->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (g_array_index (self->groups, Group, middle).time < time)
        low = middle + 1;
      else
        high = middle;
    }
  return low < self->groups->len && g_array_index (self->groups, Group, low).time == time ? low
                                                                                          : NONE;
}

static void
find_candidates (Finder *self, Events *events)
{
  events->candidates = g_array_new (FALSE, FALSE, sizeof (Candidate));
  for (gsize row = 0; row < events->n; row++)
    {
      Candidate candidate = { .row = row, .below = NONE, .top = NONE, .next = NONE };

      if (events->times[row] == TB_TIME_NONE)
        continue;
      candidate.group = find_group (self, events->times[row]);
      if (candidate.group == NONE)
        continue;
      candidate.of = get_of (events, row);
      g_array_append_val (events->candidates, candidate);
    }
  g_array_sort (events->candidates, compare_candidates);
}

/* Returns the first candidate that is not before the given one. */
static guint32
find_candidate (const Events *events, guint32 group, guint32 of, guint32 row)
{
  const Candidate place = { .group = group, .of = of, .row = row };
  guint low = 0, high = events->candidates->len;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare_candidates (&g_array_index (events->candidates, Candidate, middle), &place) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static Candidate *
peek (const Events *events, guint32 index)
{
  return &g_array_index (events->candidates, Candidate, index);
}

static gboolean
is_in_range (const Events *events, guint32 index, guint32 group, guint32 of)
{
  return index < events->candidates->len && peek (events, index)->group == group
         && peek (events, index)->of == of;
}

/* Pushes an operation after its end was found: in reverse order, the next operations of its CPU or
 * thread are inside it. */
static void
push (const Events *events, guint32 group, guint32 row)
{
  guint32 of = get_of (events, row);
  guint32 index = find_candidate (events, group, of, row);
  Candidate *first = peek (events, find_candidate (events, group, of, 0));

  peek (events, index)->below = first->top;
  first->top = index;
}

/* In reverse order: takes the open operation that ends in this group, or else the innermost of
 * those that end later, which have the first rows. */
static guint32
take_beginning (const Events *events, guint32 group, guint32 of, gint64 time)
{
  guint32 index = find_candidate (events, group, of, 0);
  Candidate *first;

  if (!is_in_range (events, index, group, of))
    return NONE;
  first = peek (events, index);
  if (first->top != NONE)
    {
      Candidate *top = peek (events, first->top);

      first->top = top->below;
      return top->row;
    }
  if (first->next == NONE)
    first->next = index;
  while (is_in_range (events, first->next, group, of))
    {
      const Candidate *candidate = peek (events, first->next++);

      if (events->ends[candidate->row] != time)
        return candidate->row;
    }
  return NONE;
}

/* In reverse order: takes the last row that is not taken. */
static guint32
take_last (const Events *events, guint32 group, guint32 of)
{
  guint32 index = find_candidate (events, group, of, 0);
  Candidate *first;

  if (!is_in_range (events, index, group, of))
    return NONE;
  first = peek (events, index);
  if (first->next == NONE)
    {
      first->next = find_candidate (events, group, of, NONE);
      first->next += is_in_range (events, first->next, group, of);
    }
  while (first->next > index)
    {
      Candidate *candidate = peek (events, --first->next);

      if (candidate->taken)
        continue;
      candidate->taken = TRUE;
      return candidate->row;
    }
  return NONE;
}

static void
add (Finder *self, gint64 time, TbOrderKind kind, guint32 row)
{
  TbSequenceEvent event = { time, row, kind };

  g_array_append_val (self->ordered, event);
}

/* A request without a separate insert has no issue event of its own: its issue is added next to the
 * insert. */
static void
add_unrecorded_issue (Finder *self, guint32 group, guint32 row, gint64 time)
{
  const Events *issues = &self->events[TB_ORDER_BLOCK_ISSUE];
  Candidate *issue;

  if (issues->times[row] != time)
    return;
  issue = peek (issues, find_candidate (issues, group, get_of (issues, row), row));
  if (issue->taken)
    return;
  issue->taken = TRUE;
  add (self, time, TB_ORDER_BLOCK_ISSUE, row);
}

static gboolean
take (Finder *self, guint32 group, gsize i)
{
  TbOrderKind kind = self->kinds[i];
  Events *events = &self->events[kind];
  gint64 time = self->times[i];
  guint32 row = NONE;

  if (sources[kind].end != NO_COLUMN)
    row = take_beginning (events, group, self->of[i], time);
  else if (sources[kind].of != NO_COLUMN)
    row = take_last (events, group, self->of[i]);
  else if (events->left > events->first)
    row = --events->left;
  if (row == NONE)
    return FALSE;
  if (kind == TB_ORDER_BLOCK_INSERT)
    add_unrecorded_issue (self, group, row, time);
  add (self, time, kind, row);
  if ((kind == TB_ORDER_INTERRUPT_EXIT || kind == TB_ORDER_SYSCALL_EXIT
       || kind == TB_ORDER_CALL_EXIT)
      && self->events[kind - 1].times[row] == time)
    push (&self->events[kind - 1], group, row);
  return TRUE;
}

/* Finds the rows of the time. Returns the number of events of that time in the tables. */
static gsize
enter_group (Finder *self, guint32 index, gint64 time)
{
  gsize n = 0;

  for (guint kind = 0; kind < TB_N_ORDERS; kind++)
    {
      Events *events = &self->events[kind];

      if (events->candidates != NULL)
        {
          n += find_candidate (events, index + 1, 0, 0) - find_candidate (events, index, 0, 0);
          continue;
        }
      events->first = events->end;
      while (events->first < events->n && events->times[events->first] < time)
        events->first++;
      events->end = events->first;
      while (events->end < events->n && events->times[events->end] == time)
        events->end++;
      events->left = events->end;
      n += events->end - events->first;
    }
  return n;
}

static void
reverse (GArray *ordered, guint first)
{
  for (guint low = first, high = ordered->len; low + 1 < high; low++, high--)
    {
      TbSequenceEvent event = g_array_index (ordered, TbSequenceEvent, low);

      g_array_index (ordered, TbSequenceEvent, low)
          = g_array_index (ordered, TbSequenceEvent, high - 1);
      g_array_index (ordered, TbSequenceEvent, high - 1) = event;
    }
}

/* Omits a group that lists events that are not in the tables, or not all of them. */
static void
find_recorded_of (Finder *self, guint32 index)
{
  const Group *group = &g_array_index (self->groups, Group, index);
  gsize n = enter_group (self, index, group->time);
  guint first = self->ordered->len;

  for (gsize i = group->first + group->n; i > group->first; i--)
    if (!take (self, index, i - 1))
      {
        g_array_set_size (self->ordered, first);
        return;
      }
  if (self->ordered->len - first == n)
    reverse (self->ordered, first);
  else
    g_array_set_size (self->ordered, first);
}

static void
find_groups (Finder *self, gsize n)
{
  for (gsize i = 0; i < n; i++)
    {
      Group group = { self->times[i], i, 0 };

      if (i == 0 || self->times[i] != self->times[i - 1])
        g_array_append_val (self->groups, group);
      g_array_index (self->groups, Group, self->groups->len - 1).n++;
    }
}

static gboolean
find_all (Finder *self, gsize n, GError **error)
{
  self->times = load (self, TB_TABLE_ORDER, TB_ORDER_TIME, error);
  self->kinds = self->times != NULL ? load (self, TB_TABLE_ORDER, TB_ORDER_KIND, error) : NULL;
  self->of = self->kinds != NULL ? load (self, TB_TABLE_ORDER, TB_ORDER_SUBJECT, error) : NULL;
  if (self->of == NULL)
    return FALSE;
  find_groups (self, n);
  for (guint kind = 0; kind < TB_N_ORDERS; kind++)
    {
      if (!load_events (self, kind, error))
        return FALSE;
      if (sources[kind].of != NO_COLUMN)
        find_candidates (self, &self->events[kind]);
    }
  for (guint32 i = 0; i < self->groups->len; i++)
    find_recorded_of (self, i);
  return TRUE;
}

/* Returns the recorded order of simultaneous events (TB_TABLE_ORDER) as TbSequenceEvents in order.
 * A time has all its events, each once, or none: a time is omitted if its recorded order is
 * incomplete or contradicts the tables. Linear, except for sorting simultaneous beginnings. NULL if
 * a chunk is damaged. */
GArray *
tb_sequence_find_recorded (TbSession *session, GError **error)
{
  Finder finder = { .session = session };
  gsize n;

  finder.ordered = g_array_new (FALSE, FALSE, sizeof (TbSequenceEvent));
  n = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_ORDER));
  if (n == 0)
    return finder.ordered;
  finder.bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  finder.groups = g_array_new (FALSE, FALSE, sizeof (Group));
  if (!find_all (&finder, n, error))
    g_clear_pointer (&finder.ordered, g_array_unref);
  for (guint kind = 0; kind < TB_N_ORDERS; kind++)
    g_clear_pointer (&finder.events[kind].candidates, g_array_unref);
  g_array_unref (finder.groups);
  g_ptr_array_unref (finder.bytes);
  return finder.ordered;
}
