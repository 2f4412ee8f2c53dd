/* tb-perf-chain.c: call stack of a sample, set in its event: from the exact instruction where that
 * is known, marked as cut if it reached the kernel's limit, joined with its user part if that was
 * recorded later
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-chain.h"

#include <linux/perf_event.h>

/* Limit of an event that does not set one, by the kernel's default. */
#define USUAL_LIMIT 127
/* Limit of user parts that were recorded later: what fits into a page of the kernel besides a
 * header. */
#define DEFERRED_LIMIT 510
#define NO_LIMIT G_MAXUINT
#define MAX_LENGTH 65000
#define HYPERVISOR ((guint64) - 32)

/* A chain that is put together: the words before the user part, and the user part. */
typedef struct
{
  const guint8 *user; /* words of the user part; NULL: it is part of the chain, or was not found */
  guint n;            /* words of the chain */
  guint n_user;
  gboolean is_deferred;
  gboolean is_cut;
  gboolean has_exact_address; /* in place of the innermost one */
  guint skipped;              /* words up to the user part */
  guint64 entry;              /* address in the kernel before a chain of the program; 0: none */
} Plan;

void
tb_perf_chains_prepare (TbPerfImport *self)
{
  for (guint i = 0; i < self->file->attrs->len; i++)
    {
      TbPerfAttr *attr = tb_perf_file_get_attr (self->file, i);

      attr->stack_limit = attr->max_stack != 0 ? attr->max_stack : USUAL_LIMIT;
      if (attr->role == TB_PERF_ROLE_WAITS)
        attr->stack_limit = TB_PERF_WAITS_LIMIT;
      if (tb_perf_attr_has (attr, TB_PERF_FLAG_DEFER_CALLCHAIN) && self->deferred == NULL)
        self->deferred = tb_perf_deferred_new ();
    }
}

static guint
count_frames (const guint8 *words, guint n, gboolean swap)
{
  guint n_frames = 0;

  for (guint i = 0; i < n; i++)
    n_frames += tb_perf_u64 (words + i * 8, swap) < TB_CHAIN_MARKER_MIN;
  return n_frames;
}

/* Whether the kernel stopped at the limit of the event. A longer stack of an event without a limit
 * of its own shows that the recording host had a higher one, which is unknown. */
static gboolean
is_at_limit (TbPerfImport *self, TbPerfAttr *attr, guint n_frames)
{
  if (n_frames < attr->stack_limit)
    return FALSE;
  if (n_frames == attr->stack_limit || attr->max_stack != 0 || attr->role == TB_PERF_ROLE_WAITS)
    return TRUE;
  attr->stack_limit = NO_LIMIT;
  self->n_cut -= attr->n_cut;
  attr->n_cut = 0;
  return FALSE;
}

static void
count_cut (TbPerfImport *self, TbPerfAttr *attr, guint limit)
{
  attr->n_cut++;
  self->n_cut++;
  if (attr->role == TB_PERF_ROLE_WAITS)
    {
      self->n_cut_waits++;
      return;
    }
  self->least_limit = self->least_limit == 0 ? limit : MIN (self->least_limit, limit);
  self->largest_limit = MAX (self->largest_limit, limit);
}

/* Finds the user part that was recorded later. In its place the chain has a marker and a number. */
static void
find_user_part (TbPerfImport *self, const TbPerfSample *sample, const TbEvent *event, Plan *plan)
{
  const guint8 *cookie = sample->chain + (plan->n - 1) * 8;
  const guint8 *record = NULL;

  plan->is_deferred = TRUE;
  plan->n -= 2;
  self->n_deferred++;
  if (self->deferred != NULL)
    record = tb_perf_deferred_find (self->deferred, tb_perf_u64 (cookie, self->swap), event->tid,
                                    MAX (event->time, self->flushed + (self->inflate != NULL)));
  if (record == NULL)
    {
      self->n_without_user++;
      return;
    }
  plan->user = record + 24;
  plan->n_user = MIN (tb_perf_u64 (record + 16, self->swap), MAX_LENGTH - 2 - plan->n);
}

static gboolean
is_in_kernel (guint64 address)
{
  return address >> 63 != 0;
}

/* The position behind the marker of the user part; 0: there is none */
static guint
find_user_words (const TbPerfImport *self, const TbPerfSample *sample, guint n)
{
  for (guint i = 0; i + 1 < n; i++)
    if (tb_perf_u64 (sample->chain + i * 8, self->swap) == TB_CHAIN_USER)
      return i + 1;
  return 0;
}

/* Lets the chain begin at the instruction that was sampled. If the interrupt came only after the
 * border to the kernel, the kernel's frames are left out, or one is added. */
static void
plan_exact_address (const TbPerfImport *self, const TbPerfSample *sample, Plan *plan)
{
  guint64 innermost;
  guint user;

  if (sample->exact_address == 0 || plan->n < 2
      || tb_perf_u64 (sample->chain, self->swap) < TB_CHAIN_MARKER_MIN)
    return;
  innermost = tb_perf_u64 (sample->chain + 8, self->swap);
  if (innermost == sample->exact_address || innermost >= TB_CHAIN_MARKER_MIN)
    return;
  user = find_user_words (self, sample, plan->n);
  if (is_in_kernel (innermost) && !is_in_kernel (sample->exact_address))
    plan->skipped = user;
  else if (!is_in_kernel (innermost) && is_in_kernel (sample->exact_address))
    plan->entry = sample->exact_address;
  plan->has_exact_address = plan->skipped > 0 || plan->entry != 0
                            || is_in_kernel (innermost) == is_in_kernel (sample->exact_address);
}

static void
plan_chain (TbPerfImport *self,
            TbPerfAttr *attr,
            const TbPerfSample *sample,
            const TbEvent *event,
            Plan *plan)
{
  plan->n = MIN (sample->n_chain, MAX_LENGTH / 2);
  plan_exact_address (self, sample, plan);
  if (plan->n >= 2
      && tb_perf_u64 (sample->chain + (plan->n - 2) * 8, self->swap) == TB_CHAIN_USER_DEFERRED)
    find_user_part (self, sample, event, plan);
  if (plan->n >= attr->stack_limit
      && is_at_limit (self, attr, count_frames (sample->chain, plan->n, self->swap)))
    {
      plan->is_cut = TRUE;
      count_cut (self, attr, attr->stack_limit);
    }
  else if (plan->n_user >= DEFERRED_LIMIT
           && count_frames (plan->user, plan->n_user, self->swap) >= DEFERRED_LIMIT)
    {
      plan->is_cut = TRUE;
      count_cut (self, attr, DEFERRED_LIMIT);
    }
}

static guint
copy_words (guint64 *to, const guint8 *words, guint n, gboolean swap)
{
  for (guint i = 0; i < n; i++)
    to[i] = tb_perf_u64 (words + i * 8, swap);
  return n;
}

/* Copies the words of the chain, from the instruction that was sampled. */
static guint
copy_innermost (guint64 *to, const Plan *plan, const TbPerfSample *sample, gboolean swap)
{
  guint n = 0;

  if (plan->entry != 0)
    {
      to[n++] = TB_CHAIN_KERNEL;
      to[n++] = plan->entry;
      return n + copy_words (to + n, sample->chain, plan->n, swap);
    }
  if (plan->skipped > 0)
    to[n++] = TB_CHAIN_USER;
  n += copy_words (to + n, sample->chain + plan->skipped * 8, plan->n - plan->skipped, swap);
  if (plan->has_exact_address)
    to[1] = sample->exact_address;
  return n;
}

/* Uses the call stack in place if possible; copies it if something is added, or if the byte order
 * or the alignment differs. */
void
tb_perf_chain_set (TbPerfImport *self, TbPerfAttr *attr, const TbPerfSample *sample, TbEvent *event)
{
  Plan plan = { 0 };
  guint64 *copy;
  guint n;

  plan_chain (self, attr, sample, event, &plan);
  self->n_chains++;
  /* Without its user part and without a kernel part, only the address is known. */
  if (plan.n == 0 && plan.n_user == 0)
    return;
  if (G_LIKELY (!self->swap && ((guintptr) sample->chain & 7) == 0 && !plan.is_deferred
                && !plan.is_cut && !plan.has_exact_address))
    {
      event->chain = (const guint64 *) sample->chain;
      event->n_chain = plan.n;
      return;
    }
  copy = tb_perf_arena_take (&self->arena, (gsize) plan.n + plan.n_user + 4, event->time);
  n = copy_innermost (copy, &plan, sample, self->swap);
  /* A marker without addresses shows that the user part is missing. */
  if (plan.is_deferred
      && (plan.n_user == 0 || tb_perf_u64 (plan.user, self->swap) < TB_CHAIN_MARKER_MIN))
    copy[n++] = TB_CHAIN_USER;
  if (plan.n_user > 0)
    n += copy_words (copy + n, plan.user, plan.n_user, self->swap);
  if (plan.is_cut)
    copy[n++] = TB_CHAIN_CUT;
  event->chain = copy;
  event->n_chain = n;
}

void
tb_perf_chain_set_address (TbPerfImport *self, guint64 address, guint mode, TbEvent *event)
{
  guint64 *chain = tb_perf_arena_take (&self->arena, 2, event->time);

  chain[0] = mode == TB_PERF_MODE_KERNEL       ? TB_CHAIN_KERNEL
             : mode == TB_PERF_MODE_HYPERVISOR ? HYPERVISOR
                                               : TB_CHAIN_USER;
  chain[1] = address;
  event->chain = chain;
  event->n_chain = 2;
}
