/* tb-contexts-input.c: events of a trace (stacks, thread states, system calls, losses), sorted by
 * thread and time and fed to the inference of calls; probed calls by thread
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gi18n.h>
#include <string.h>

#include "extend/options/tb-option.h"
#include "tb-contexts-input.h"
#include "trace/tb-trace-lock-origins.h"

#define CANCEL_EVERY 32768

/* In the order in which simultaneous events take effect. */
typedef enum
{
  CALL_LEFT,
  SWITCHED_IN,
  LIFE,
  SAMPLED,
  WOKE,
  NETWORK,
  BLOCK,
  PROBED,
  MARKED,
  FORKED,
  CALL_ENTERED,
  SWITCHED_OUT,
  ENDED,
  N_STREAMS,
} StreamKind;

/* Columns that the events of a stream come from. */
typedef struct
{
  TbTableKind table;
  guint time;
  guint thread;
  guint stack; /* G_MAXUINT: none */
  TbContextsEvents events;
} Source;

static const Source sources[N_STREAMS] = {
  [CALL_LEFT] = { TB_TABLE_SYSCALL, TB_SYSCALL_EXIT, TB_SYSCALL_THREAD, G_MAXUINT, 0 },
  [SWITCHED_IN] = { TB_TABLE_SWITCH, TB_SWITCH_TIME, TB_SWITCH_NEXT, G_MAXUINT, 0 },
  [LIFE] = { TB_TABLE_PROCESS, TB_PROCESS_TIME, TB_PROCESS_THREAD, G_MAXUINT, 0 },
  [SAMPLED]
  = { TB_TABLE_SAMPLE, TB_SAMPLE_TIME, TB_SAMPLE_THREAD, TB_SAMPLE_STACK, TB_CONTEXTS_SAMPLES },
  [WOKE]
  = { TB_TABLE_WAKEUP, TB_WAKEUP_TIME, TB_WAKEUP_WAKER, TB_WAKEUP_STACK, TB_CONTEXTS_WAKEUPS },
  [NETWORK]
  = { TB_TABLE_NETWORK, TB_NETWORK_TIME, TB_NETWORK_THREAD, TB_NETWORK_STACK, TB_CONTEXTS_NETWORK },
  [BLOCK] = { TB_TABLE_BLOCK, TB_BLOCK_INSERT, TB_BLOCK_THREAD, TB_BLOCK_STACK, TB_CONTEXTS_BLOCK },
  [PROBED] = { TB_TABLE_CALL, TB_CALL_ENTER, TB_CALL_THREAD, TB_CALL_STACK, TB_CONTEXTS_CALLS },
  [MARKED] = { TB_TABLE_MARK, TB_MARK_TIME, TB_MARK_THREAD, TB_MARK_STACK, TB_CONTEXTS_MARKS },
  [FORKED]
  = { TB_TABLE_PROCESS, TB_PROCESS_TIME, TB_PROCESS_CREATOR, TB_PROCESS_STACK, TB_CONTEXTS_FORKS },
  [CALL_ENTERED] = { TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, TB_SYSCALL_THREAD, TB_SYSCALL_STACK,
                     TB_CONTEXTS_SYSCALLS },
  [SWITCHED_OUT]
  = { TB_TABLE_SWITCH, TB_SWITCH_TIME, TB_SWITCH_PREV, TB_SWITCH_STACK, TB_CONTEXTS_SWITCHES },
  [ENDED] = { TB_TABLE_PROCESS, TB_PROCESS_TIME, TB_PROCESS_THREAD, G_MAXUINT, 0 },
};

static const char *const nicks[] = {
  "syscall", "switch", "sample", "wakeup", "network", "block", "call", "mark", "fork",
};

/* Rows of a table by thread, in ascending order of time for each. */
typedef struct
{
  const gint64 *time;
  const guint32 *thread;
  const guint32 *stack;
  guint32 *first; /* by thread, n_threads + 1 values */
  guint32 *rows;
  guint32 i;
  guint32 end;
  gint64 head; /* time of the next row, G_MAXINT64 none */
} Stream;

/* Flag of a node. There are fewer nodes than frames of stacks, which are fewer than this. */
#define BROKEN (1u << 31)
/* Number of events ahead for which a stack's context is prefetched: contexts are scattered in
 * memory. */
#define AHEAD 16

struct _TbContextsInput
{
  GCancellable *cancellable; /* of the whole work, or NULL */
  TbContextTree *tree;
  TbContextsEvents events;
  gint64 interval;
  gint64 trace_to;
  guint n_threads;
  GPtrArray *bytes;
  Stream streams[N_STREAMS];
  const guint8 *wakeup_flags;
  const guint8 *life_kind;
  TbSession *session; /* not owned */
  const guint32 *mark_name;
  const gint64 *call_entered;
  const gint64 *probed_exit;
  const guint32 *probed_stack;
  guint32 *nodes; /* by stack: its context, with BROKEN where it could not be walked to its start */
  guint n_stacks;
  const gint64 *lost_from;
  const gint64 *lost_to;
  gsize n_lost;
};

TbContextsEvents
tb_contexts_events_parse (const char *text, GError **error)
{
  g_auto (GStrv) parts = g_strsplit (text != NULL ? text : "", ",", -1);
  TbContextsEvents events = 0;

  for (guint i = 0; parts[i] != NULL; i++)
    {
      const char *part = g_strstrip (parts[i]);
      guint k;

      if (g_str_equal (part, "all"))
        return TB_CONTEXTS_ALL_EVENTS;
      if (*part == '\0')
        continue;
      for (k = 0; k < G_N_ELEMENTS (nicks) && !g_str_equal (part, nicks[k]); k++)
        ;
      if (k == G_N_ELEMENTS (nicks))
        {
          g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                       _ ("invalid event with a stack “%s”: use “all”, or a list of “syscall”, "
                          "“switch”, “sample”, “wakeup”, “network”, “block”, “call”, “mark” and "
                          "“fork”"),
                       part);
          return 0;
        }
      events |= 1 << k;
    }
  return events != 0 ? events : TB_CONTEXTS_ALL_EVENTS;
}

/* --- loading --- */

static const void *
read_column (TbContextsInput *self, TbTrace *trace, TbTableKind kind, guint column, GError **error)
{
  TbTable *table = tb_session_get_table (tb_trace_get_session (trace), kind);
  GBytes *bytes = tb_table_get_column (table, column, error);

  if (bytes == NULL)
    return NULL;
  g_ptr_array_add (self->bytes, bytes);
  /* An empty column is not an error. */
  return g_bytes_get_size (bytes) > 0 ? g_bytes_get_data (bytes, NULL) : "";
}

static gboolean
is_wanted (const TbContextsInput *self, StreamKind kind, gsize row)
{
  const Stream *stream = &self->streams[kind];
  guint32 thread = stream->thread[row];

  if (thread == TB_THREAD_IDLE || thread >= self->n_threads || stream->time[row] < 0)
    return FALSE;
  switch (kind)
    {
    case WOKE:
      /* In an interrupt the stack contains the frames of the interrupt on top of those of the
       * interrupted thread. */
      return !(self->wakeup_flags[row] & (TB_WAKEUP_HARDIRQ | TB_WAKEUP_SOFTIRQ));
    case MARKED:
      return !tb_mark_is_of_lock (tb_session_get_string (self->session, self->mark_name[row]));
    case LIFE:
      return self->life_kind[row] == TB_PROCESS_FORK || self->life_kind[row] == TB_PROCESS_EXEC;
    case FORKED:
      return self->life_kind[row] == TB_PROCESS_FORK;
    case ENDED:
      return self->life_kind[row] == TB_PROCESS_EXIT;
    default:
      return TRUE;
    }
}

static int
compare_rows (gconstpointer a, gconstpointer b, gpointer data)
{
  const gint64 *times = data;
  guint32 left = *(const guint32 *) a, right = *(const guint32 *) b;

  if (times[left] != times[right])
    return times[left] < times[right] ? -1 : 1;
  return left < right ? -1 : left > right;
}

/* Checks now and then whether the work was cancelled. */
static gboolean
is_cancelled (TbContextsInput *self, gsize row)
{
  return row % CANCEL_EVERY == CANCEL_EVERY - 1 && g_cancellable_is_cancelled (self->cancellable);
}

static gboolean
count_rows (TbContextsInput *self, StreamKind kind, gsize n, guint32 *counts)
{
  for (gsize row = 0; row < n; row++)
    {
      if (is_cancelled (self, row))
        return FALSE;
      if (is_wanted (self, kind, row))
        counts[self->streams[kind].thread[row]]++;
    }
  return TRUE;
}

/* Counts the rows of each thread, then puts them in place. Tables are sorted by time, or nearly
 * so. */
static gboolean
sort_by_thread (TbContextsInput *self, StreamKind kind, gsize n, GError **error)
{
  Stream *stream = &self->streams[kind];
  guint32 *next;

  stream->first = g_new0 (guint32, self->n_threads + 2);
  next = stream->first + 1;
  if (!count_rows (self, kind, n, next + 1))
    return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
  for (guint i = 1; i <= self->n_threads; i++)
    next[i] += next[i - 1];
  stream->rows = g_new (guint32, MAX (next[self->n_threads], 1));
  /* next[t] is the position of the next row of t. In the end it is the end of t, so that first[t]
   * is its start. */
  for (gsize row = 0; row < n; row++)
    {
      if (is_cancelled (self, row))
        return !g_cancellable_set_error_if_cancelled (self->cancellable, error);
      if (is_wanted (self, kind, row))
        stream->rows[next[stream->thread[row]]++] = row;
    }
  for (guint thread = 0; thread < self->n_threads; thread++)
    for (guint32 i = stream->first[thread] + 1; i < stream->first[thread + 1]; i++)
      if (stream->time[stream->rows[i]] < stream->time[stream->rows[i - 1]])
        {
          g_sort_array (&stream->rows[stream->first[thread]],
                        stream->first[thread + 1] - stream->first[thread], sizeof (guint32),
                        compare_rows, (gpointer) stream->time);
          break;
        }
  return TRUE;
}

static gboolean
load_stream (TbContextsInput *self, TbTrace *trace, StreamKind kind, GError **error)
{
  const Source *source = &sources[kind];
  Stream *stream = &self->streams[kind];
  guint64 n
      = tb_table_get_n_rows (tb_session_get_table (tb_trace_get_session (trace), source->table));

  if (n > G_MAXUINT32)
    {
      g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_FAILED,
                   _ ("The recording has more events of one kind than the analysis can number: "
                      "record for a shorter time, or fewer kinds of events"));
      return FALSE;
    }
  stream->time = read_column (self, trace, source->table, source->time, error);
  stream->thread
      = stream->time ? read_column (self, trace, source->table, source->thread, error) : NULL;
  if (stream->thread == NULL)
    return FALSE;
  if (source->stack != G_MAXUINT && (self->events & source->events))
    {
      stream->stack = read_column (self, trace, source->table, source->stack, error);
      if (stream->stack == NULL)
        return FALSE;
    }
  return sort_by_thread (self, kind, n, error);
}

static gboolean
load_facts (TbContextsInput *self, TbTrace *trace, GError **error)
{
  TbSession *session = tb_trace_get_session (trace);
  const guint32 *parent;
  const guint8 *flags;

  self->session = session;
  self->n_lost = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_LOST));
  self->n_stacks = tb_table_get_n_rows (tb_session_get_table (session, TB_TABLE_STACK));
  if (!(self->wakeup_flags = read_column (self, trace, TB_TABLE_WAKEUP, TB_WAKEUP_FLAGS, error))
      || !(self->life_kind = read_column (self, trace, TB_TABLE_PROCESS, TB_PROCESS_KIND, error))
      || !(self->mark_name = read_column (self, trace, TB_TABLE_MARK, TB_MARK_NAME, error))
      || !(self->call_entered
           = read_column (self, trace, TB_TABLE_SYSCALL, TB_SYSCALL_ENTER, error))
      || !(self->probed_exit = read_column (self, trace, TB_TABLE_CALL, TB_CALL_EXIT, error))
      || !(self->probed_stack = read_column (self, trace, TB_TABLE_CALL, TB_CALL_STACK, error))
      || !(self->lost_from = read_column (self, trace, TB_TABLE_LOST, TB_LOST_FROM, error))
      || !(self->lost_to = read_column (self, trace, TB_TABLE_LOST, TB_LOST_TO, error))
      || !(parent = read_column (self, trace, TB_TABLE_STACK, TB_STACK_PARENT, error))
      || !(flags = read_column (self, trace, TB_TABLE_STACK, TB_STACK_FLAGS, error)))
    return FALSE;
  self->nodes = g_new0 (guint32, MAX (self->n_stacks, 1));
  for (guint i = 1; i < self->n_stacks; i++)
    {
      gboolean is_broken = (flags[i] & TB_STACK_BROKEN)
                           || (parent[i] < i && (self->nodes[parent[i]] & BROKEN) != 0);

      self->nodes[i] = (tb_context_tree_find (self->tree, i) & ~BROKEN) | (is_broken ? BROKEN : 0);
    }
  return TRUE;
}

TbContextsInput *
tb_contexts_input_new (TbTrace *trace,
                       TbContextTree *tree,
                       TbContextsEvents events,
                       GCancellable *cancellable,
                       GError **error)
{
  g_autoptr (TbContextsInput) self = g_new0 (TbContextsInput, 1);
  gint64 from;

  self->tree = g_object_ref (tree);
  self->events = events;
  g_set_object (&self->cancellable, cancellable);
  self->bytes = g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  tb_session_get_threads (tb_trace_get_session (trace), &self->n_threads);
  tb_trace_get_range (trace, &from, &self->trace_to);
  if (!load_facts (self, trace, error))
    return NULL;
  for (guint i = 0; i < N_STREAMS; i++)
    if (!load_stream (self, trace, i, error))
      return NULL;
  return g_steal_pointer (&self);
}

void
tb_contexts_input_free (TbContextsInput *self)
{
  for (guint i = 0; i < N_STREAMS; i++)
    {
      g_free (self->streams[i].first);
      g_free (self->streams[i].rows);
    }
  g_free (self->nodes);
  g_ptr_array_unref (self->bytes);
  g_object_unref (self->tree);
  g_clear_object (&self->cancellable);
  g_free (self);
}

void
tb_contexts_input_set_interval (TbContextsInput *self, gint64 interval)
{
  self->interval = interval;
}

guint
tb_contexts_input_get_n_calls (const TbContextsInput *self, guint32 thread)
{
  const Stream *stream = &self->streams[PROBED];

  return stream->first[thread + 1] - stream->first[thread];
}

void
tb_contexts_input_get_call (const TbContextsInput *self,
                            guint32 thread,
                            guint i,
                            TbContextsProbed *out)
{
  const Stream *stream = &self->streams[PROBED];
  guint32 row = stream->rows[stream->first[thread] + i], stack = self->probed_stack[row];

  out->enter = stream->time[row];
  out->exit = self->probed_exit[row];
  out->node = stack < self->n_stacks && !(self->nodes[stack] & BROKEN) ? self->nodes[stack] : 0;
}

guint64
tb_contexts_input_count_syscalls (const TbContextsInput *self,
                                  guint32 thread,
                                  gint64 from,
                                  gint64 to)
{
  const Stream *stream = &self->streams[CALL_ENTERED];
  guint64 n = 0;

  for (guint32 i = stream->first[thread]; i < stream->first[thread + 1]; i++)
    n += stream->time[stream->rows[i]] >= from && stream->time[stream->rows[i]] < to;
  return n;
}

/* --- feeding --- */

typedef struct
{
  TbContextsInput *input;
  TbContextsInference *inference;
  TbContextsCounts *counts;
  guint32 *events;
  gboolean use_broken;
  gint64 before;     /* time of the previous event */
  gint64 last_used;  /* time of the last sample or switch with a stack that was used */
  gint64 lost_until; /* latest end of the losses so far */
  gsize lost;        /* index of the next loss */
} Feed;

static guint32
get_stack (const Stream *stream)
{
  guint32 row = stream->rows[stream->i];

  return stream->stack != NULL ? stream->stack[row] : TB_STACK_NONE;
}

/* Broken stacks contradict the complete ones around them and add no information. They are used only
 * in threads that have few others. */
static gboolean
is_mostly_broken (TbContextsInput *self, guint32 thread)
{
  guint64 broken = 0, whole = 0;

  for (guint kind = 0; kind < N_STREAMS; kind++)
    {
      const Stream *stream = &self->streams[kind];

      for (guint32 i = stream->first[thread];
           stream->stack != NULL && i < stream->first[thread + 1]; i++)
        {
          guint32 stack = stream->stack[stream->rows[i]];

          if (stack != TB_STACK_NONE && stack < self->n_stacks)
            *(self->nodes[stack] & BROKEN ? &broken : &whole) += 1;
        }
    }
  return broken > whole;
}

/* Whether less than the interval has passed since the last stack used. The first stack is used that
 * long after the thread's first event. */
static gboolean
is_too_soon (Feed *self, StreamKind kind, gint64 time)
{
  if (self->input->interval <= 0 || (kind != SAMPLED && kind != SWITCHED_OUT))
    return FALSE;
  if (time - self->last_used < self->input->interval)
    return TRUE;
  self->last_used = time;
  return FALSE;
}

static void
feed_stack (Feed *self, const Stream *stream, gint64 time)
{
  const TbContextsInput *input = self->input;
  guint32 stack = get_stack (stream), found, node;

  if (stream->stack == NULL)
    return;
  if (stream->i + AHEAD < stream->end)
    {
      guint32 later = stream->stack[stream->rows[stream->i + AHEAD]];
      guint32 soon = stream->stack[stream->rows[stream->i + AHEAD / 2]];

      if (later < input->n_stacks)
        __builtin_prefetch (&input->nodes[later]);
      if (soon < input->n_stacks)
        {
          guint32 node_soon = input->nodes[soon] & ~BROKEN;

          tb_contexts_inference_expect (self->inference, node_soon);
          if (self->events != NULL)
            __builtin_prefetch (&self->events[node_soon], 1);
        }
    }
  found = stack < input->n_stacks ? input->nodes[stack] : 0;
  node = found & ~BROKEN;
  if (is_too_soon (self, (StreamKind) (stream - input->streams), time))
    return;
  if (node == 0)
    {
      self->counts->without_stack++;
      return;
    }
  if (found & BROKEN)
    {
      self->counts->broken += self->use_broken;
      self->counts->excluded += !self->use_broken;
      if (!self->use_broken)
        return;
    }
  self->counts->used++;
  if (self->events != NULL)
    self->events[node] += self->events[node] < G_MAXUINT32;
  tb_contexts_inference_add (self->inference, time, node);
}

/* The first loss that begins after a time. */
static gsize
find_loss (const TbContextsInput *self, gsize first, gint64 time)
{
  gsize low = first, high = self->n_lost;

  while (low < high)
    {
      gsize middle = low + (high - low) / 2;

      if (self->lost_from[middle] > time)
        high = middle;
      else
        low = middle + 1;
    }
  return low;
}

static void
close_for_loss (Feed *self, gint64 time)
{
  /* Only a loss that closes open frames is counted. */
  self->counts->losses += self->inference->n_frames > 0;
  self->counts->closed_by_loss += self->inference->n_frames;
  tb_contexts_inference_close (self->inference, time);
}

/* Handles the losses up to a time. No frame is known to continue through a loss. */
static void
feed_losses (Feed *self, gint64 time)
{
  const TbContextsInput *input = self->input;
  gsize met;

  if (self->before <= self->lost_until)
    close_for_loss (self, self->before);
  if (self->lost >= input->n_lost || input->lost_from[self->lost] > time)
    return;
  close_for_loss (self, MAX (input->lost_from[self->lost], self->before));
  met = find_loss (input, self->lost, time);
  for (gsize i = self->lost; i < met; i++)
    self->lost_until = MAX (self->lost_until, input->lost_to[i]);
  self->lost = met;
}

static void
feed_event (Feed *self, StreamKind kind, Stream *stream, gint64 time)
{
  guint32 row = stream->rows[stream->i];

  switch (kind)
    {
    case CALL_LEFT:
      tb_contexts_inference_leave_call (self->inference, time, self->input->call_entered[row]);
      break;
    case SWITCHED_IN:
      tb_contexts_inference_set_off_cpu (self->inference, time, FALSE);
      break;
    case LIFE:
      tb_contexts_inference_close (self->inference, time);
      tb_contexts_inference_start (self->inference, time,
                                   self->input->life_kind[row] == TB_PROCESS_FORK);
      break;
    case ENDED:
      tb_contexts_inference_close (self->inference, time);
      break;
    case CALL_ENTERED:
      tb_contexts_inference_enter_call (self->inference, time);
      feed_stack (self, stream, time);
      break;
    case SWITCHED_OUT:
      feed_stack (self, stream, time);
      tb_contexts_inference_set_off_cpu (self->inference, time, TRUE);
      break;
    default:
      feed_stack (self, stream, time);
    }
}

static void
set_head (Stream *stream)
{
  stream->head = stream->i < stream->end ? stream->time[stream->rows[stream->i]] : G_MAXINT64;
}

/* The stream with the next event. A system call that took no time is left after it is entered,
 * unlike other simultaneous calls. */
static StreamKind
find_next (TbContextsInput *self)
{
  StreamKind least = 0;
  const Stream *calls = &self->streams[CALL_LEFT];

  for (guint i = 1; i < N_STREAMS; i++)
    if (self->streams[i].head < self->streams[least].head)
      least = i;
  if (least == CALL_LEFT && calls->head != G_MAXINT64
      && self->call_entered[calls->rows[calls->i]] == calls->head
      && self->streams[CALL_ENTERED].head == calls->head)
    return CALL_ENTERED;
  return least;
}

static void
begin_streams (TbContextsInput *self, guint32 thread, gint64 from)
{
  for (guint i = 0; i < N_STREAMS; i++)
    {
      Stream *stream = &self->streams[i];

      stream->end = stream->first[thread + 1];
      stream->i = stream->first[thread];
      while (stream->i < stream->end && stream->time[stream->rows[stream->i]] < from)
        stream->i++;
      set_head (stream);
    }
}

gboolean
tb_contexts_input_feed (TbContextsInput *self,
                        guint32 thread,
                        gint64 from,
                        gint64 to,
                        TbContextsInference *inference,
                        guint32 *events,
                        TbContextsCounts *counts)
{
  Feed feed = { .input = self,
                .inference = inference,
                .counts = counts,
                .events = events,
                .use_broken = is_mostly_broken (self, thread),
                .before = from,
                .last_used = G_MININT64,
                .lost_until = G_MININT64 };
  gboolean any = FALSE;
  gsize n = 0;

  begin_streams (self, thread, from);
  tb_contexts_inference_begin (inference, thread);
  for (;;)
    {
      StreamKind kind = find_next (self);
      Stream *stream = &self->streams[kind];
      gint64 time = stream->head;

      /* The last event of a recording lies at its very end and is included. */
      if (time == G_MAXINT64 || (time >= to && to < self->trace_to) || time > self->trace_to
          || is_cancelled (self, n++))
        break;
      if (feed.last_used == G_MININT64)
        feed.last_used = time;
      if (self->n_lost > 0)
        feed_losses (&feed, time);
      feed_event (&feed, kind, stream, time);
      feed.before = time;
      any = TRUE;
      stream->i++;
      set_head (stream);
    }
  if (self->n_lost > 0)
    feed_losses (&feed, MIN (to, self->trace_to));
  tb_contexts_inference_end (inference, to);
  return any;
}
