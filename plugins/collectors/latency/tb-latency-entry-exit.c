/* tb-latency-entry-exit.c: choice, in a function's control-flow graph, of instructions at which
 * cheap probes record its beginning and its end
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The kernel has to single-step most first and last instructions of functions, which takes longer
 * than many calls. A few instructions later, or earlier, there often is one that needs no
 * single-stepping: a call, a jump, a push.
 */

#include "config.h"

#include "tb-latency-entry-exit.h"

#define MAX_STRAIGHT 16 /* instructions whose time is in no call's latency */
#define MAX_EDGES 32
#define NO_RANK (MAX_STRAIGHT + 1)

typedef struct
{
  const TbLatencyStep *steps;
  guint n;
  guint8 *ranks;       /* maximum number of instructions to a return; FAR: more, or unknown */
  guint8 *meets_cheap; /* all paths from here to a return meet a cheap instruction */
  guint8 *wanted;      /* entered by paths from further away */
} Search;

static gboolean
has (const Search *self, guint i, guint flag)
{
  return (self->steps[i].flags & flag) != 0;
}

/* The maximum rank of the instructions that may follow; FAR: none follows */
static guint
get_rank_of_next (const Search *self, guint i)
{
  guint rank = 0, n = 0;

  for (guint k = 0; k < 2; k++)
    if (self->steps[i].next[k] < self->n)
      {
        rank = MAX (rank, self->ranks[self->steps[i].next[k]]);
        n++;
      }
  return n > 0 ? rank : NO_RANK;
}

/* An instruction in a loop never gets a rank. */
static void
find_ranks (Search *self)
{
  for (guint i = 0; i < self->n; i++)
    self->ranks[i] = has (self, i, TB_LATENCY_STEP_RETURN | TB_LATENCY_STEP_DEAD_END) ? 0 : NO_RANK;
  for (guint rank = 1; rank <= MAX_STRAIGHT; rank++)
    for (guint i = 0; i < self->n; i++)
      if (self->ranks[i] == NO_RANK && !has (self, i, TB_LATENCY_STEP_BARRIER)
          && get_rank_of_next (self, i) == rank - 1)
        self->ranks[i] = (guint8) rank;
}

static gboolean
do_successors_meet (const Search *self, guint i)
{
  for (guint k = 0; k < 2; k++)
    if (self->steps[i].next[k] < self->n && !self->meets_cheap[self->steps[i].next[k]])
      return FALSE;
  return TRUE;
}

static void
find_meets (Search *self)
{
  for (guint rank = 0; rank <= MAX_STRAIGHT; rank++)
    for (guint i = 0; i < self->n; i++)
      if (self->ranks[i] == rank)
        self->meets_cheap[i] = has (self, i, TB_LATENCY_STEP_CHEAP | TB_LATENCY_STEP_DEAD_END)
                               || (rank > 0 && do_successors_meet (self, i));
}

/* FALSE: a path leads to a return without a cheap instruction */
static gboolean
find_entries (Search *self)
{
  for (guint i = 0; i < self->n; i++)
    for (guint k = 0; k < 2 && self->ranks[i] == NO_RANK && has (self, i, TB_LATENCY_STEP_REACHED);
         k++)
      {
        guint next = self->steps[i].next[k];

        if (next >= self->n || self->ranks[next] == NO_RANK)
          continue;
        if (!self->meets_cheap[next])
          return FALSE;
        self->wanted[next] = 1;
      }
  return TRUE;
}

/* Adds the first cheap instruction on each path. */
static void
add_ends (Search *self, GArray *found)
{
  for (guint rank = MAX_STRAIGHT + 1; rank-- > 0;)
    for (guint i = 0; i < self->n; i++)
      {
        if (self->ranks[i] != rank || !self->wanted[i] || has (self, i, TB_LATENCY_STEP_DEAD_END))
          continue;
        if (has (self, i, TB_LATENCY_STEP_CHEAP))
          g_array_append_val (found, i);
        else
          for (guint k = 0; k < 2; k++)
            if (self->steps[i].next[k] < self->n)
              self->wanted[self->steps[i].next[k]] = 1;
      }
}

/* FALSE: paths fork or join before the first cheap instruction */
static gboolean
add_begin (const Search *self, GArray *found)
{
  for (guint i = 0; i < MIN (self->n, MAX_STRAIGHT); i++)
    {
      if (has (self, i, TB_LATENCY_STEP_TARGET))
        return FALSE;
      if (has (self, i, TB_LATENCY_STEP_CHEAP))
        {
          g_array_append_val (found, i);
          return self->ranks[i] == NO_RANK;
        }
      if (has (self, i, TB_LATENCY_STEP_BARRIER | TB_LATENCY_STEP_RETURN)
          || self->steps[i].next[0] != i + 1 || self->steps[i].next[1] < self->n)
        return FALSE;
    }
  return FALSE;
}

GArray *
tb_latency_find_entry_and_exits (const TbLatencyStep *steps, guint n)
{
  g_autofree guint8 *room = g_new0 (guint8, 3 * (gsize) n + 1);
  Search search = { steps, n, room, room + n, room + 2 * (gsize) n };
  GArray *found = g_array_new (FALSE, FALSE, sizeof (guint));

  find_ranks (&search);
  find_meets (&search);
  if (add_begin (&search, found) && find_entries (&search))
    add_ends (&search, found);
  if (found->len < 2 || found->len > MAX_EDGES)
    g_array_set_size (found, 0);
  return found;
}
