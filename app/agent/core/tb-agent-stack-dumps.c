/* tb-agent-stack-dumps.c: count of the dumps of user stacks that failed, by reason; a dump does not
 * count if the thread had no stack at that time, which its fork, exec and exit show
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "agent/core/tb-agent-stack-dumps.h"

/* Beyond this number every empty dump counts as undone. */
#define MAX_EMPTY_DUMPS 4096u

/* Events of one CPU are read at most this long after those of another. */
#define MAX_DELAY_NS 10000000000u

static void
count_unresolved (TbAgentStackDumps *self, int32_t tid, int difference)
{
  const uint64_t *waiting = tb_agent_map_get (&self->n_unresolved, (uint64_t) tid);
  uint64_t n = (waiting != NULL ? *waiting : 0) + (uint64_t) (int64_t) difference;

  if (n > 0)
    tb_agent_map_put (&self->n_unresolved, (uint64_t) tid, n);
  else
    tb_agent_map_remove (&self->n_unresolved, (uint64_t) tid);
}

static void
forget (TbAgentStackDumps *self, size_t i)
{
  if (self->empty_dumps[i].next_success == 0)
    count_unresolved (self, self->empty_dumps[i].tid, -1);
  self->empty_dumps[i] = self->empty_dumps[--self->n_empty_dumps];
}

/* Discards the thread's unread dumps up to a time if no dump in between succeeded. The event at
 * that time shows that there was no stack. */
static void
forget_until (TbAgentStackDumps *self, int32_t tid, uint64_t time)
{
  for (size_t i = self->n_empty_dumps; i > 0; i--)
    {
      const TbAgentEmptyDump *empty_dump = &self->empty_dumps[i - 1];

      if (empty_dump->tid == tid && empty_dump->time <= time
          && (empty_dump->next_success == 0 || empty_dump->next_success > time))
        forget (self, i - 1);
    }
}

/* Whether the thread had not written to its stack by that time. The first successful dump may be
 * read before or after this one. */
static int
is_new (const TbAgentStackDumps *self, int32_t tid, uint64_t time)
{
  const uint64_t *first = tb_agent_map_get (&self->forked, (uint64_t) tid);

  return first != NULL && (*first == 0 || time < *first);
}

/* Notes a dump that found no stack memory. Whether it counts as failed is decided later. */
static void
add_empty (TbAgentStackDumps *self, int32_t tid, uint64_t time)
{
  const uint64_t *executed = tb_agent_map_get (&self->executed, (uint64_t) tid);

  if (is_new (self, tid, time) || (executed != NULL && time <= *executed))
    return;
  if (self->n_empty_dumps == MAX_EMPTY_DUMPS)
    {
      self->failed[TB_CAPTURE_DUMP_UNREADABLE]++;
      return;
    }
  if (self->empty_dumps == NULL)
    self->empty_dumps = tb_agent_allocate (NULL, MAX_EMPTY_DUMPS * sizeof *self->empty_dumps);
  self->empty_dumps[self->n_empty_dumps++] = (TbAgentEmptyDump) { .time = time, .tid = tid };
  count_unresolved (self, tid, 1);
}

static void
note_success (TbAgentStackDumps *self, int32_t tid, uint64_t time)
{
  uint64_t *first = tb_agent_map_get (&self->forked, (uint64_t) tid);

  if (first != NULL && (*first == 0 || time < *first))
    *first = time;
  if (tb_agent_map_get (&self->n_unresolved, (uint64_t) tid) == NULL)
    return;
  for (size_t i = 0; i < self->n_empty_dumps; i++)
    if (self->empty_dumps[i].tid == tid && self->empty_dumps[i].next_success == 0
        && self->empty_dumps[i].time <= time)
      {
        self->empty_dumps[i].next_success = time;
        count_unresolved (self, tid, -1);
      }
}

void
tb_agent_stack_dumps_count (TbAgentStackDumps *self, int32_t tid, uint64_t time, TbAgentDumpEnd end)
{
  if (end == TB_AGENT_DUMP_FOREIGN)
    self->failed[TB_CAPTURE_DUMP_FOREIGN]++;
  else if (end == TB_AGENT_DUMP_EMPTY)
    add_empty (self, tid, time);
  else if (end == TB_AGENT_DUMP_DONE)
    note_success (self, tid, time);
}

/* Empty dumps so far belong to an earlier thread with the same id, which has ended, or to the
 * beginning of this one. */
void
tb_agent_stack_dumps_note_fork (TbAgentStackDumps *self, int32_t tid)
{
  for (size_t i = self->n_empty_dumps; i > 0; i--)
    if (self->empty_dumps[i - 1].tid == tid)
      forget (self, i - 1);
  tb_agent_map_put (&self->forked, (uint64_t) tid, 0);
  tb_agent_map_remove (&self->ended, (uint64_t) tid);
}

void
tb_agent_stack_dumps_note_exec (TbAgentStackDumps *self, int32_t tid, uint64_t time)
{
  forget_until (self, tid, time);
  tb_agent_map_put (&self->executed, (uint64_t) tid, time);
}

static void
forget_thread (TbAgentStackDumps *self, const TbAgentEndedThread *end)
{
  const uint64_t *ended = tb_agent_map_get (&self->ended, (uint64_t) end->tid);

  if (ended == NULL || *ended != end->time)
    return;
  tb_agent_map_remove (&self->ended, (uint64_t) end->tid);
  if (tb_agent_map_get (&self->n_unresolved, (uint64_t) end->tid) != NULL)
    return;
  tb_agent_map_remove (&self->forked, (uint64_t) end->tid);
  tb_agent_map_remove (&self->executed, (uint64_t) end->tid);
}

static void
add_end (TbAgentStackDumps *self, int32_t tid, uint64_t time)
{
  if (self->n_ends == self->max_ends && self->first_end * 2 > self->n_ends)
    {
      self->n_ends -= self->first_end;
      memmove (self->ends, self->ends + self->first_end, self->n_ends * sizeof *self->ends);
      self->first_end = 0;
    }
  if (self->n_ends == self->max_ends)
    {
      self->max_ends = self->max_ends > 0 ? self->max_ends * 2 : 64;
      self->ends = tb_agent_allocate (self->ends, self->max_ends * sizeof *self->ends);
    }
  self->ends[self->n_ends++] = (TbAgentEndedThread) { time, tid };
}

/* Events of the thread on other CPUs may still be read later, so its state is kept for some
 * time. */
void
tb_agent_stack_dumps_note_exit (TbAgentStackDumps *self, int32_t tid, uint64_t time)
{
  for (; self->first_end < self->n_ends && self->ends[self->first_end].time + MAX_DELAY_NS < time;
       self->first_end++)
    forget_thread (self, &self->ends[self->first_end]);
  tb_agent_map_put (&self->ended, (uint64_t) tid, time);
  add_end (self, tid, time);
}

/* A thread that has given up its memory has no program, though it stays listed until its parent
 * waits for it. */
static int
is_alive (int32_t tid)
{
  char path[32], program[2];

  snprintf (path, sizeof path, "/proc/%d/exe", tid);
  return readlink (path, program, sizeof program) > 0;
}

void
tb_agent_stack_dumps_settle (TbAgentStackDumps *self)
{
  for (size_t i = 0; i < self->n_empty_dumps; i++)
    {
      const TbAgentEmptyDump *empty_dump = &self->empty_dumps[i];

      if (empty_dump->next_success != 0 || is_alive (empty_dump->tid))
        self->failed[TB_CAPTURE_DUMP_UNREADABLE]++;
    }
  self->n_empty_dumps = 0;
  tb_agent_map_clear (&self->n_unresolved);
}

void
tb_agent_stack_dumps_clear (TbAgentStackDumps *self)
{
  free (self->empty_dumps);
  tb_agent_map_clear (&self->n_unresolved);
  tb_agent_map_clear (&self->forked);
  tb_agent_map_clear (&self->executed);
  tb_agent_map_clear (&self->ended);
  free (self->ends);
  self->ends = NULL;
  self->first_end = self->n_ends = self->max_ends = 0;
  self->empty_dumps = NULL;
  self->n_empty_dumps = 0;
}
