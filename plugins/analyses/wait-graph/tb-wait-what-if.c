/* tb-wait-what-if.c: how long it would take if something were different
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is predicted is the recorded figure times the ratio of two replays, with and without the change, so that what the
 * replay does not reproduce cancels as far as it concerns both. The interval, for what one more measurement would show:
 *
 * - The run is cut into BLOCKS parts with equal work. How far its length would be another if other parts had come together is
 *   found by drawing parts with replacement (bootstrap), for the ratio, for the recording and for what is measured later; the
 *   three are independent, their variances are added, and the quantile is Student's for BLOCKS - 1.
 * - What a waking takes although a cpu is free may shrink with the change, or not: the interval covers the prediction with it
 *   and that without.
 * - The deviation of the replay without a change from the recording is added on both sides.
 */

#include "config.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

#include "extend/tb-option.h"
#include "tb-wait-names.h"
#include "tb-wait-replay-make.h"
#include "tb-wait-what-if.h"

#define BLOCKS 20
#define DRAWS 1000
#define SEED 1
/* Student's, 95 %, for BLOCKS - 1. */
#define QUANTILE 1.729
#define NAMES_TOLD 8
#define CPUS_MAX 4096

static void
prediction_clear (gpointer data)
{
  g_free (((TbWaitPrediction *) data)->change);
}

void
tb_wait_what_if_free (TbWaitWhatIf *self)
{
  g_array_unref (self->predictions);
  g_free (self);
}

/* One text of changes while it is predicted. */
typedef struct
{
  GArray *changes; /* TbWaitChange */
  double *factor;  /* by wait */
  guint32 *stream;
  double *speed;      /* by device of the program */
  guint32 *stream_of; /* by thread: all that it has prepared ahead comes in one stream */
  guint32 n_streams;
  guint32 n_cpus;
  guint8 *is_changed; /* by wait */
  guint8 *concerned;  /* by actor */
  double *run;        /* by step */
  double *share;      /* by wait */
  guint32 *size;      /* by actor */
} Case;

static void
case_clear (Case *self)
{
  g_clear_pointer (&self->changes, g_array_unref);
  g_free (self->factor);
  g_free (self->stream);
  g_free (self->stream_of);
  g_free (self->speed);
  g_free (self->is_changed);
  g_free (self->concerned);
  g_free (self->run);
  g_free (self->share);
  g_free (self->size);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Case, case_clear)

typedef struct
{
  const TbWaitResult *result;
  TbReplayRecording *recording;
  TbSelection *target;
  guint8 *processes; /* with waits that change; NULL none */
  guint8 *inside;    /* by thread: is played */
  gboolean is_throughput;
  GArray *moments; /* TbReplayMoment */
  GArray *weights; /* double by moment: of units; of an actor's runs */
  TbReplayTimes *as_recorded;
  TbReplayTimes *calm; /* where waking takes no time */
} Predictor;

static void
predictor_clear (Predictor *self)
{
  g_free (self->processes);
  g_free (self->inside);
  g_clear_pointer (&self->recording, tb_replay_recording_free);
  g_clear_pointer (&self->as_recorded, tb_replay_times_free);
  g_clear_pointer (&self->calm, tb_replay_times_free);
  g_array_unref (self->moments);
  g_array_unref (self->weights);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Predictor, predictor_clear)

/* --- who is meant --- */

/* Those whom a name of the user's stands for. */
typedef struct
{
  guint8 *threads;    /* by thread */
  GHashTable *others; /* kind << 32 | id */
  guint n;
} Named;

static void
named_clear (Named *self)
{
  g_free (self->threads);
  g_clear_pointer (&self->others, g_hash_table_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Named, named_clear)

static void
add_vertex (Named *self, const TbWaitGraph *graph, guint32 vertex)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  g_autoptr (GArray) threads = tb_wait_vertex_list_threads (graph, vertex);

  for (guint i = 0; i < threads->len; i++)
    self->threads[g_array_index (threads, guint32, i)] = TRUE;
  for (guint i = 0; i < of->nodes->len; i++)
    {
      const TbWaitNode *node = tb_wait_model_get_node (graph->model, g_array_index (of->nodes, guint32, i));
      gint64 key = (gint64) node->kind << 32 | node->id;

      if (node->kind != TB_WAIT_NODE_THREAD && node->kind != TB_WAIT_NODE_VIRTUAL)
        g_hash_table_add (self->others, g_memdup2 (&key, sizeof key));
    }
  self->n++;
}

static gboolean
vertex_has_name (const TbWaitGraph *graph, guint32 vertex, const char *name)
{
  const TbWaitVertex *of = tb_wait_graph_get_vertex (graph, vertex);
  g_autofree char *described = tb_wait_vertex_describe (graph, vertex);

  return g_pattern_match_simple (name, of->name) || g_str_equal (name, of->id)
         || g_str_equal (name, described)
         || (of->kind != TB_WAIT_NODE_THREAD && of->kind != TB_WAIT_NODE_VIRTUAL
             && g_str_equal (name, tb_wait_vertex_get_kind (of)));
}

/* Threads of the name, or of a process of that name. */
static void
add_threads (Named *self, TbTrace *trace, const char *name)
{
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (trace), &n_threads);
  const TbProcess *processes = tb_session_get_processes (tb_trace_get_session (trace), &n_processes);

  for (guint32 i = 1; i < n_threads; i++)
    {
      guint32 process = threads[i].process;

      if (g_pattern_match_simple (name, threads[i].name)
          || (process < n_processes && g_pattern_match_simple (name, processes[process].name)))
        {
          self->threads[i] = TRUE;
          self->n++;
        }
    }
}

static void
refuse_name (const TbWaitGraph *graph, const char *change, const char *name, GError **error)
{
  g_autoptr (GString) known = g_string_new (NULL);
  guint n = 0;

  for (guint32 i = 0; i < graph->vertices->len && n < NAMES_TOLD; i++)
    {
      const TbWaitVertex *vertex = tb_wait_graph_get_vertex (graph, i);

      if (vertex->running + vertex->waiting == 0 || vertex->outside)
        continue;
      g_string_append_printf (known, "%s%s", n == 0 ? "" : ", ", vertex->name);
      n++;
    }
  g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
               _ ("what-if: in \"%s\" nothing is called \"%s\"; in the graph there are %s%s"), change, name,
               n > 0 ? known->str : _ ("no vertices"), n == NAMES_TOLD ? " …" : "");
}

static gboolean
find_named (Named *self, const TbWaitResult *result, const char *change, const char *name, GError **error)
{
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (result->trace), &n_threads);
  self->threads = g_new0 (guint8, n_threads + 1);
  self->others = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  for (guint32 i = 0; i < result->graph->vertices->len; i++)
    if (vertex_has_name (result->graph, i, name))
      add_vertex (self, result->graph, i);
  add_threads (self, result->trace, name);
  if (self->n > 0)
    return TRUE;
  refuse_name (result->graph, change, name, error);
  return FALSE;
}

static gboolean
is_named (const Named *self, const TbReplayOrigin *origin)
{
  gint64 key = (gint64) origin->kind << 32
               | (origin->kind == TB_WAIT_NODE_TIMER || origin->kind == TB_WAIT_NODE_UNKNOWN ? TB_ID_NONE
                                                                                             : origin->id);

  if (origin->kind == TB_WAIT_NODE_THREAD)
    return self->threads[origin->id];
  return g_hash_table_contains (self->others, &key);
}

/* --- changes --- */

/* What the other runs while the one waits is divided among both, and all others that wait for it then. */
static void
apply_shares (Case *self, Predictor *of, const guint8 *is_meant)
{
  const GArray *origins = of->recording->origins;
  const TbReplayProgram *program = of->recording->program;
  gsize n_steps = program->kinds->len;
  g_autofree gint32 *n_begun = g_new0 (gint32, n_steps + 1);
  g_autofree double *done = g_new0 (double, n_steps + 1); /* before each step, by each of those who share */
  gint32 n_waiting = 0;

  for (guint32 i = 0; i < origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, i);

      if (!is_meant[i] || origin->first >= origin->end)
        continue;
      n_begun[origin->first]++;
      n_begun[origin->end]--;
    }
  for (gsize i = 0; i < n_steps; i++)
    {
      n_waiting += n_begun[i];
      self->run[i] /= n_waiting + 1;
      done[i + 1] = done[i];
      if (g_array_index (program->kinds, guint8, i) == TB_REPLAY_RUN)
        done[i + 1] += (double) g_array_index (program->values, gint64, i) * self->run[i];
    }
  for (guint32 i = 0; i < origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, i);

      if (is_meant[i] && origin->first < origin->end)
        self->share[i] += done[origin->end] - done[origin->first];
    }
}

static gboolean
apply_edge (Case *self, Predictor *of, const char *text, const TbWaitChange *change, GError **error)
{
  const GArray *origins = of->recording->origins;
  g_auto (Named) from = { 0 };
  g_auto (Named) to = { 0 };
  g_autofree guint8 *is_meant = g_new0 (guint8, origins->len + 1);

  if (!find_named (&from, of->result, text, change->what, error)
      || !find_named (&to, of->result, text, change->whom, error))
    return FALSE;

  for (guint32 i = 0; i < origins->len; i++)
    {
      const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, i);

      if (!from.threads[origin->waiter] || !is_named (&to, origin))
        continue;
      self->is_changed[i] = TRUE;
      is_meant[i] = TRUE;
      if (change->kind == TB_WAIT_CHANGE_EDGE)
        self->factor[i] *= change->factor;
      else if (change->kind == TB_WAIT_CHANGE_AHEAD)
        {
          if (self->stream_of[origin->waiter] == TB_REPLAY_NONE)
            self->stream_of[origin->waiter] = self->n_streams++;
          self->stream[i] = self->stream_of[origin->waiter];
        }
    }
  if (change->kind == TB_WAIT_CHANGE_SHARED)
    apply_shares (self, of, is_meant);
  return TRUE;
}

static gboolean
apply_device (Case *self, Predictor *of, const char *text, const TbWaitChange *change, GError **error)
{
  const GArray *origins = of->recording->origins;
  guint n_devices;
  const TbDevice *devices = tb_session_get_devices (tb_trace_get_session (of->result->trace), &n_devices);
  gboolean is_there = FALSE;

  for (guint32 i = 0; i < n_devices; i++)
    {
      g_autofree char *id = g_strdup_printf ("device:%u", i);

      if (!g_str_equal (devices[i].name, change->what) && !g_str_equal (devices[i].major_minor, change->what)
          && !g_str_equal (id, change->what))
        continue;
      is_there = TRUE;
      if (of->recording->device_of[i] == TB_REPLAY_NONE)
        continue;
      self->speed[of->recording->device_of[i]] *= change->factor;
      for (guint32 j = 0; j < origins->len; j++)
        {
          const TbReplayOrigin *origin = &g_array_index (origins, TbReplayOrigin, j);

          if (origin->kind == TB_WAIT_NODE_DEVICE && origin->id == i)
            self->is_changed[j] = TRUE;
        }
    }
  if (!is_there)
    refuse_name (of->result->graph, text, change->what, error);
  return is_there;
}

static gboolean
apply_lock (Case *self, Predictor *of, const char *text, const TbWaitChange *change, GError **error)
{
  const GArray *origins = of->recording->origins;
  g_autoptr (GString) known = g_string_new (NULL);
  guint n_locks;
  g_autofree guint8 *is_meant = NULL;
  gboolean is_there = FALSE;

  tb_trace_get_locks (of->result->trace, &n_locks);
  is_meant = g_new0 (guint8, n_locks + 1);
  for (guint32 i = 0; i < n_locks; i++)
    {
      g_autofree char *name = tb_trace_describe_lock (of->result->trace, i);

      is_meant[i] = g_str_equal (change->what, "*") || g_str_equal (change->what, name);
      is_there |= is_meant[i];
      if (i < NAMES_TOLD)
        g_string_append_printf (known, "%s%s", i == 0 ? "" : ", ", name);
    }
  for (guint32 i = 0; i < origins->len; i++)
    {
      guint32 lock = g_array_index (origins, TbReplayOrigin, i).lock;

      if (lock >= n_locks || !is_meant[lock])
        continue;
      self->is_changed[i] = TRUE;
      self->factor[i] = 0;
    }
  if (!is_there)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("what-if: in \"%s\" no lock is called \"%s\"; threads slept for %s%s"), text,
                 change->what, n_locks > 0 ? known->str : _ ("no lock"), n_locks > NAMES_TOLD ? " …" : "");
  return is_there;
}

static gboolean
apply_call (Case *self, Predictor *of, const char *text, const TbWaitChange *change, GError **error)
{
  const TbReplayRecording *recording = of->recording;
  TbSession *session = tb_trace_get_session (of->result->trace);
  guint n_strings = tb_session_get_n_strings (session);
  g_autofree guint8 *is_meant = g_new0 (guint8, n_strings + 1);
  gboolean is_there = FALSE;

  for (guint32 i = 0; i < n_strings; i++)
    is_meant[i] = g_str_equal (tb_session_get_string (session, i), change->what);
  for (guint32 i = 0; i < recording->origins->len; i++)
    {
      guint32 call = g_array_index (recording->origins, TbReplayOrigin, i).call;

      if (call >= n_strings || !is_meant[call])
        continue;
      self->is_changed[i] = is_there = TRUE;
      self->factor[i] *= change->factor;
    }
  for (gsize i = 0; i < recording->calls->len; i++)
    {
      guint32 call = g_array_index (recording->calls, guint32, i);

      if (call >= n_strings || !is_meant[call])
        continue;
      is_there = TRUE;
      self->run[i] *= change->factor;
    }
  if (!is_there)
    g_set_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
                 _ ("what-if: in \"%s\": no thread is known to have been in a system call \"%s\""), text,
                 change->what);
  return is_there;
}

static gboolean
apply_threads (Case *self, Predictor *of, const char *text, const TbWaitChange *change, GError **error)
{
  g_auto (Named) named = { 0 };

  if (!find_named (&named, of->result, text, change->what, error))
    return FALSE;
  for (guint32 i = 0; i < of->recording->threads->len; i++)
    if (named.threads[g_array_index (of->recording->threads, guint32, i)])
      {
        self->size[i] = MIN (self->size[i] * (guint32) change->factor, CPUS_MAX);
        self->concerned[i] = TRUE;
      }
  return TRUE;
}

static gboolean
apply (Case *self, Predictor *of, const char *text, const TbWaitChange *change, GError **error)
{
  switch (change->kind)
    {
    case TB_WAIT_CHANGE_EDGE:
    case TB_WAIT_CHANGE_AHEAD:
    case TB_WAIT_CHANGE_SHARED:
      return apply_edge (self, of, text, change, error);
    case TB_WAIT_CHANGE_CALL:
      return apply_call (self, of, text, change, error);
    case TB_WAIT_CHANGE_THREADS:
      return apply_threads (self, of, text, change, error);
    case TB_WAIT_CHANGE_DEVICE:
      return apply_device (self, of, text, change, error);
    case TB_WAIT_CHANGE_LOCK:
      return apply_lock (self, of, text, change, error);
    default:
      self->n_cpus = change->n_cpus;
      return TRUE;
    }
}

static gboolean
case_init (Case *self, Predictor *of, const char *text, GError **error)
{
  const TbReplayProgram *program = of->recording->program;
  guint32 n_waits = program->waits->len;
  guint32 n_devices = program->devices->len;
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (of->result->trace), &n_threads);
  self->changes = tb_wait_parse_changes (text, error);
  if (self->changes == NULL)
    return FALSE;
  self->factor = g_new (double, n_waits + 1);
  self->stream = g_new (guint32, n_waits + 1);
  self->stream_of = g_new (guint32, n_threads + 1);
  memset (self->stream_of, 0xff, sizeof *self->stream_of * (n_threads + 1));
  self->speed = g_new (double, n_devices + 1);
  self->is_changed = g_new0 (guint8, n_waits + 1);
  self->concerned = g_new0 (guint8, program->n_actors + 1);
  self->share = g_new0 (double, n_waits + 1);
  self->run = g_new (double, program->kinds->len + 1);
  for (gsize i = 0; i <= program->kinds->len; i++)
    self->run[i] = 1;
  self->size = g_new (guint32, program->n_actors + 1);
  for (guint32 i = 0; i <= program->n_actors; i++)
    self->size[i] = 1;
  for (guint32 i = 0; i <= n_waits; i++)
    {
      self->factor[i] = 1;
      self->stream[i] = TB_REPLAY_NONE;
    }
  for (guint32 i = 0; i <= n_devices; i++)
    self->speed[i] = 1;
  for (guint i = 0; i < self->changes->len; i++)
    if (!apply (self, of, text, &g_array_index (self->changes, TbWaitChange, i), error))
      return FALSE;
  return TRUE;
}

/* --- whose time --- */

static gboolean
is_target (const Predictor *self, guint32 actor)
{
  guint32 thread = g_array_index (self->recording->threads, guint32, actor);
  guint n_threads;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->result->trace), &n_threads);

  if (self->recording->last_run[actor] == 0)
    return FALSE;
  if (self->target != NULL)
    return tb_selection_has_thread (self->target, thread);
  if (self->processes != NULL)
    return threads[thread].process != TB_ID_NONE && self->processes[threads[thread].process];
  return !tb_trace_is_kernel_thread (self->result->trace, thread);
}

/* Processes, other than the kernel's, with waits that change; NULL none. */
static guint8 *
find_processes (const Predictor *self, const Case *what)
{
  const GArray *origins = self->recording->origins;
  guint n_threads, n_processes;
  const TbThread *threads = tb_session_get_threads (tb_trace_get_session (self->result->trace), &n_threads);
  g_autofree guint8 *processes = NULL;
  gboolean is_any = FALSE;

  tb_session_get_processes (tb_trace_get_session (self->result->trace), &n_processes);
  processes = g_new0 (guint8, n_processes + 1);
  for (guint32 i = 0; i < origins->len; i++)
    {
      guint32 waiter = g_array_index (origins, TbReplayOrigin, i).waiter;

      if (!what->is_changed[i] || threads[waiter].process >= n_processes
          || tb_trace_is_kernel_thread (self->result->trace, waiter))
        continue;
      processes[threads[waiter].process] = TRUE;
      is_any = TRUE;
    }
  for (guint32 i = 0; i < self->recording->threads->len; i++)
    {
      guint32 thread = g_array_index (self->recording->threads, guint32, i);

      if (!what->concerned[i] || threads[thread].process >= n_processes)
        continue;
      processes[threads[thread].process] = TRUE;
      is_any = TRUE;
    }
  return is_any ? g_steal_pointer (&processes) : NULL;
}

/* --- figures of a replay --- */

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double left = *(const double *) a, right = *(const double *) b;

  return left < right ? -1 : left > right;
}

/* When each of the parts of the run was over; the first element is when the first began. */
typedef struct
{
  double at[BLOCKS + 1];
} Parts;

/* Of the first life of the target's. */
static gint64
get_begin (const Predictor *self, const guint8 *is_meant)
{
  gint64 begin = G_MAXINT64;

  for (guint32 i = 0; i < self->recording->threads->len; i++)
    if (is_meant[i])
      begin = MIN (begin, self->recording->begin[i]);
  return begin < G_MAXINT64 ? begin : 0;
}

/* Units: parts of equally many. Else the mean over the threads of when each came to where it was then, by what it ran. */
static void
find_parts (const Predictor *self, const TbReplayTimes *times, const guint8 *is_meant, Parts *parts)
{
  g_autoptr (GArray) done = NULL;
  double weights[BLOCKS + 1] = { 0 };

  if (!self->is_throughput)
    {
      *parts = (Parts) { 0 };
      parts->at[0] = (double) get_begin (self, is_meant);
      for (guint i = 0; i < self->moments->len; i++)
        {
          double weight = g_array_index (self->weights, double, i);
          guint actor = i / BLOCKS, part = i % BLOCKS + 1;

          if (!is_meant[actor])
            continue;
          parts->at[part] += weight * (times->marks[i] >= 0 ? times->marks[i] : times->ends[actor]);
          weights[part] += weight;
        }
      for (guint i = 1; i <= BLOCKS; i++)
        parts->at[i] = MAX (weights[i] > 0 ? parts->at[i] / weights[i] : 0, parts->at[i - 1]);
      return;
    }
  done = g_array_new (FALSE, FALSE, sizeof (double));
  for (guint i = 0; i < self->moments->len; i++)
    if (times->marks[i] >= 0)
      g_array_append_val (done, times->marks[i]);
  g_array_sort (done, compare_doubles);
  for (guint i = 0; i <= BLOCKS; i++)
    parts->at[i] = done->len > 0 ? g_array_index (done, double, (gsize) i *(done->len - 1) / BLOCKS) : 0;
}

static double
measure (const Predictor *self, const TbReplayTimes *times, const guint8 *is_meant, const Parts *parts)
{
  double last = 0;

  if (self->is_throughput)
    return parts->at[BLOCKS] - parts->at[0];
  for (guint32 i = 0; i < self->recording->threads->len; i++)
    if (is_meant[i])
      last = MAX (last, times->ends[i]);
  return last - (double) get_begin (self, is_meant);
}

/* Variance of the logarithm of the sum of parts drawn anew; of the ratio of two where both are given. */
static double
draw_variance (const Parts *parts, const Parts *base)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (SEED);
  double sum = 0, squares = 0;

  for (guint i = 0; i < DRAWS; i++)
    {
      double length = 0, base_length = 0, value;

      for (guint j = 0; j < BLOCKS; j++)
        {
          guint part = (guint) g_rand_int_range (rand, 0, BLOCKS);

          length += parts->at[part + 1] - parts->at[part];
          base_length += base != NULL ? base->at[part + 1] - base->at[part] : 0;
        }
      if (length <= 0 || (base != NULL && base_length <= 0))
        return 0;
      value = log (length) - (base != NULL ? log (base_length) : 0);
      sum += value;
      squares += value * value;
    }
  return MAX (squares / DRAWS - sum / DRAWS * (sum / DRAWS), 0);
}

/* --- predictions --- */

static double
get_recorded (const Predictor *self, const guint8 *is_meant)
{
  gint64 first = G_MAXINT64, last = 0;

  if (!self->is_throughput)
    {
      for (guint32 i = 0; i < self->recording->threads->len; i++)
        if (is_meant[i])
          last = MAX (last, self->recording->last_run[i]);
      return (double) (last - get_begin (self, is_meant));
    }
  for (guint i = 0; i < self->moments->len; i++)
    {
      gint64 time = g_array_index (self->moments, TbReplayMoment, i).time;

      if (self->as_recorded->marks[i] < 0)
        continue;
      first = MIN (first, time);
      last = MAX (last, time);
    }
  return last > first ? (double) (last - first) : 0;
}

static void
set_interval (TbWaitPrediction *self, double ratio, double calm_ratio, double spread)
{
  double deviation = fabs (self->deviation);
  double low = MIN (ratio, calm_ratio) * exp (-spread) * (1 - MIN (deviation, 1));
  double high = MAX (ratio, calm_ratio) * exp (spread) * (1 + deviation);

  self->deviation_of_calm = calm_ratio / ratio - 1;
  if (self->is_throughput)
    {
      self->after = self->before / ratio;
      self->low = self->before / high;
      self->high = low > 0 ? self->before / low : self->after;
      return;
    }
  self->after = self->before * ratio;
  self->low = self->before * low;
  self->high = self->before * high;
}

static void
count_waits (const Predictor *self, const Case *what, TbWaitPrediction *prediction)
{
  const GArray *waits = self->recording->program->waits;

  for (guint32 i = 0; i < waits->len; i++)
    if (what->is_changed[i])
      {
        prediction->n_waits++;
        prediction->waits_ns += g_array_index (waits, TbReplayWait, i).length;
      }
}

/* Whether there is anything to predict. */
static gboolean
play (Predictor *self, const Case *what, TbWaitPrediction *prediction)
{
  g_autofree guint8 *is_meant = g_new0 (guint8, self->recording->threads->len + 1);
  TbReplayChange change = { .n_cpus = what->n_cpus,
                            .factor = what->factor,
                            .stream = what->stream,
                            .n_streams = what->n_streams,
                            .speed = what->speed,
                            .run = what->run,
                            .share = what->share,
                            .size = what->size };
  g_autoptr (TbReplayTimes) times = tb_replay_run (self->recording->program, &change);
  g_autoptr (TbReplayTimes) calm_times = NULL;
  Parts base, parts, calm_base, calm;
  double recorded, length, calm_length;

  change.no_delays = TRUE;
  calm_times = tb_replay_run (self->recording->program, &change);
  for (guint32 i = 0; i < self->recording->threads->len; i++)
    is_meant[i] = is_target (self, i);
  find_parts (self, self->as_recorded, is_meant, &base);
  find_parts (self, times, is_meant, &parts);
  find_parts (self, self->calm, is_meant, &calm_base);
  find_parts (self, calm_times, is_meant, &calm);
  recorded = get_recorded (self, is_meant);
  length = measure (self, self->as_recorded, is_meant, &base);
  calm_length = measure (self, self->calm, is_meant, &calm_base);
  if (recorded <= 0 || length <= 0 || calm_length <= 0)
    return FALSE;
  prediction->is_throughput = self->is_throughput;
  prediction->before = self->is_throughput ? (double) self->result->work->count * 1e9 / recorded : recorded;
  prediction->deviation = length / recorded - 1;
  prediction->n_stuck = times->n_stuck - MIN (times->n_stuck, self->as_recorded->n_stuck);
  count_waits (self, what, prediction);
  set_interval (prediction, measure (self, times, is_meant, &parts) / length,
                measure (self, calm_times, is_meant, &calm) / calm_length,
                QUANTILE
                    * sqrt (draw_variance (&parts, &base) + draw_variance (&base, NULL)
                            + draw_variance (&parts, NULL)));
  return TRUE;
}

/* Units of work, or BLOCKS moments of every thread. */
static void
find_moments (Predictor *self, gint64 from)
{
  const TbWaitWork *work = self->result->work;

  self->is_throughput = work != NULL && work->done->len > 1;
  for (guint i = 0; self->is_throughput && i < work->done->len; i++)
    {
      const TbWaitDone *done = &g_array_index (work->done, TbWaitDone, i);
      TbReplayMoment moment = { done->thread, done->time };

      g_array_append_val (self->moments, moment);
    }
  for (guint32 i = 0; !self->is_throughput && i < self->recording->threads->len; i++)
    for (guint j = 1; j <= BLOCKS; j++)
      {
        gint64 begin = self->recording->begin[i], last = MAX (self->recording->last_run[i] - 1, begin);
        TbReplayMoment moment = { g_array_index (self->recording->threads, guint32, i),
                                  from + begin + (gint64) ((double) (last - begin) * j / BLOCKS) };
        double weight = (double) self->recording->running[i];
        g_array_append_val (self->moments, moment);
        g_array_append_val (self->weights, weight);
      }
}

static void
add_workers (const Predictor *self, GArray *queue)
{
  const TbWaitWork *work = self->result->work;

  for (guint i = 0; work != NULL && i < work->done->len; i++)
    {
      guint32 thread = g_array_index (work->done, TbWaitDone, i).thread;

      if (thread == TB_ID_NONE || self->inside[thread])
        continue;
      self->inside[thread] = TRUE;
      g_array_append_val (queue, thread);
    }
}

/* Whose waits end with a thread's signal: lists by waiter. */
typedef struct
{
  guint32 *first; /* by thread: wait, TB_REPLAY_NONE none */
  guint32 *next;  /* by wait */
} Waits;

static void
list_waits (Waits *waits, const TbReplayRecording *all, guint n_threads)
{
  waits->first = g_new (guint32, n_threads + 1);
  waits->next = g_new (guint32, all->origins->len + 1);
  memset (waits->first, 0xff, sizeof (guint32) * (n_threads + 1));
  for (guint32 i = 0; i < all->origins->len; i++)
    {
      guint32 waiter = g_array_index (all->origins, TbReplayOrigin, i).waiter;

      waits->next[i] = waits->first[waiter];
      waits->first[waiter] = i;
    }
}

/* The target, whom it waits for, and whom they wait for; but not whom the kernel's threads wait for, which serve everybody.
 * The others are no part of what is played. */
static void
find_inside (Predictor *self, const TbReplayRecording *all)
{
  g_autoptr (GArray) queue = g_array_new (FALSE, FALSE, sizeof (guint32));
  Waits waits = { NULL };
  guint n_threads;

  tb_session_get_threads (tb_trace_get_session (self->result->trace), &n_threads);
  self->inside = g_new0 (guint8, n_threads + 1);
  for (guint32 i = 0; i < all->threads->len; i++)
    if (is_target (self, i))
      {
        guint32 thread = g_array_index (all->threads, guint32, i);

        self->inside[thread] = TRUE;
        g_array_append_val (queue, thread);
      }
  add_workers (self, queue);
  list_waits (&waits, all, n_threads);
  for (guint at = 0; at < queue->len; at++)
    {
      guint32 thread = g_array_index (queue, guint32, at);

      if (tb_trace_is_kernel_thread (self->result->trace, thread))
        continue;
      for (guint32 wait = waits.first[thread]; wait != TB_REPLAY_NONE; wait = waits.next[wait])
        {
          guint32 ender = g_array_index (all->origins, TbReplayOrigin, wait).ender;

          if (ender == TB_ID_NONE || self->inside[ender])
            continue;
          self->inside[ender] = TRUE;
          g_array_append_val (queue, ender);
        }
    }
  g_free (waits.first);
  g_free (waits.next);
}

static gboolean
make_recording (Predictor *self, const GArray *moments, GCancellable *cancellable, GError **error)
{
  g_clear_pointer (&self->recording, tb_replay_recording_free);
  self->recording = tb_replay_recording_new (self->result->trace, self->result->from, self->result->to,
                                             self->inside, moments, cancellable, error);
  return self->recording != NULL;
}

/* First with everybody, which tells whose waits change; then with those who matter, which tells which moments of theirs there
 * are; then with these. */
static gboolean
predict (const TbWaitResult *result,
         const char *text,
         TbSelection *target,
         TbWaitWhatIf *told,
         GCancellable *cancellable,
         GError **error)
{
  static const TbReplayChange calm = { .no_delays = TRUE };
  g_auto (Predictor) self = { .result = result, .target = target };
  g_auto (Case) first = { 0 };
  g_auto (Case) what = { 0 };
  TbWaitPrediction prediction = { 0 };

  self.moments = g_array_new (FALSE, FALSE, sizeof (TbReplayMoment));
  self.weights = g_array_new (FALSE, FALSE, sizeof (double));
  if (!make_recording (&self, NULL, cancellable, error) || !case_init (&first, &self, text, error))
    return FALSE;
  self.processes = find_processes (&self, &first);
  find_inside (&self, self.recording);
  if (!make_recording (&self, NULL, cancellable, error))
    return FALSE;
  find_moments (&self, result->from);
  if (!make_recording (&self, self.moments, cancellable, error) || !case_init (&what, &self, text, error))
    return FALSE;
  self.as_recorded = tb_replay_run (self.recording->program, NULL);
  self.calm = tb_replay_run (self.recording->program, &calm);
  if (!play (&self, &what, &prediction))
    {
      g_set_error (
          error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_USAGE,
          _ ("what-if: \"%s\": nobody concerned ran in this recording, so that nothing can be predicted"),
          text);
      return FALSE;
    }
  prediction.change = g_strdup (text);
  prediction.n_signalled = self.recording->n_signalled;
  prediction.n_outside = self.recording->n_outside;
  prediction.n_unplaced = self.recording->n_unplaced;
  prediction.n_threads = self.recording->threads->len;
  g_array_append_val (told->predictions, prediction);
  return TRUE;
}

TbWaitWhatIf *
tb_wait_what_if_new (const TbWaitResult *result,
                     const char *const *texts,
                     TbSelection *target,
                     GCancellable *cancellable,
                     GError **error)
{
  g_autoptr (TbWaitWhatIf) self = g_new0 (TbWaitWhatIf, 1);

  self->predictions = g_array_new (FALSE, TRUE, sizeof (TbWaitPrediction));
  g_array_set_clear_func (self->predictions, prediction_clear);
  for (guint i = 0; texts[i] != NULL; i++)
    if (!predict (result, texts[i], target, self, cancellable, error))
      return NULL;
  return g_steal_pointer (&self);
}
