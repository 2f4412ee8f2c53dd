/* test-control-paths-walk.c: test of the walk against a plain reference, on random thread lives and
 * on long chains
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "../test-mode.h"
#include "control-paths-reference.h"
#include "tb-paths.h"

/* Lives of threads as columns. */
typedef struct
{
  TbIntervals rows;
  GArray *start, *end, *thread, *state, *flags, *cpu, *kind, *object, *stack, *cause_kind, *cause,
      *wakeup;
  GArray *wake_time, *wake_from;
  guint n_threads;
  guint32 *creator;
  gint64 *fork_time;
} ThreadRows;

static void
thread_rows_init (ThreadRows *self, guint n_threads)
{
  *self = (ThreadRows) { .n_threads = n_threads };
  self->start = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->end = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->thread = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->state = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->flags = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->cause_kind = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->cause = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->kind = g_array_new (FALSE, FALSE, sizeof (guint8));
  self->stack = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->wakeup = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->wake_time = g_array_new (FALSE, FALSE, sizeof (gint64));
  self->wake_from = g_array_new (FALSE, FALSE, sizeof (guint32));
  self->creator = g_new (guint32, n_threads);
  memset (self->creator, 0xff, sizeof (guint32) * n_threads);
  self->fork_time = g_new0 (gint64, n_threads);
}

static void
thread_rows_clear (ThreadRows *self)
{
  g_array_unref (self->start);
  g_array_unref (self->end);
  g_array_unref (self->thread);
  g_array_unref (self->state);
  g_array_unref (self->flags);
  g_array_unref (self->cause_kind);
  g_array_unref (self->cause);
  g_array_unref (self->kind);
  g_array_unref (self->stack);
  g_array_unref (self->wakeup);
  g_array_unref (self->wake_time);
  g_array_unref (self->wake_from);
  g_free (self->creator);
  g_free (self->fork_time);
}

static void
add_row (ThreadRows *self, guint32 thread, gint64 start, gint64 end, TbState state, guint8 flags)
{
  guint8 state_byte = state, none = TB_CAUSE_NONE, unknown = TB_WAIT_UNKNOWN;
  guint32 zero = 0, no_row = TB_ID_NONE;

  if (end <= start)
    return;
  g_array_append_val (self->start, start);
  g_array_append_val (self->end, end);
  g_array_append_val (self->thread, thread);
  g_array_append_val (self->state, state_byte);
  g_array_append_val (self->flags, flags);
  g_array_append_val (self->cause_kind, none);
  g_array_append_val (self->cause, zero);
  g_array_append_val (self->kind, unknown);
  g_array_append_val (self->stack, zero);
  g_array_append_val (self->wakeup, no_row);
}

/* Sets the cause of the last row. */
static void
set_cause (ThreadRows *self, TbCauseKind kind, guint32 cause, guint32 stack, gboolean waking)
{
  guint last = self->start->len - 1;

  g_array_index (self->cause_kind, guint8, last) = kind;
  g_array_index (self->cause, guint32, last) = cause;
  g_array_index (self->stack, guint32, last) = stack;
  if (!waking)
    return;
  g_array_index (self->wakeup, guint32, last) = self->wake_time->len;
  g_array_append_val (self->wake_time, g_array_index (self->end, gint64, last));
  g_array_append_val (self->wake_from, cause);
}

static TbPathsModel *
make_model (ThreadRows *self, const TbPathsThresholds *thresholds)
{
  self->rows = (TbIntervals) {
    .n = self->start->len,
    .start = (const gint64 *) (gpointer) self->start->data,
    .end = (const gint64 *) (gpointer) self->end->data,
    .thread = (const guint32 *) (gpointer) self->thread->data,
    .state = (const guint8 *) self->state->data,
    .flags = (const guint8 *) self->flags->data,
    .kind = (const guint8 *) self->kind->data,
    .cause_kind = (const guint8 *) self->cause_kind->data,
    .cause = (const guint32 *) (gpointer) self->cause->data,
    .stack = (const guint32 *) (gpointer) self->stack->data,
    .wakeup = (const guint32 *) (gpointer) self->wakeup->data,
  };
  return tb_paths_model_new_from_rows (&self->rows, self->n_threads,
                                       (const gint64 *) (gpointer) self->wake_time->data,
                                       (const guint32 *) (gpointer) self->wake_from->data,
                                       self->wake_time->len, self->creator, self->fork_time,
                                       thresholds);
}

/* --- random lives --- */

#define LAST 120

static TbState
state_at (guint8 *const *states, guint32 thread, gint64 time)
{
  return time < 0 ? TB_STATE_UNKNOWN : states[thread][time];
}

/* Each thread runs and sleeps at random. Most sleeps are ended by a thread that runs at that
 * time. */
static void
make_random_rows (ThreadRows *self)
{
  guint n = 2 + g_test_rand_int_range (0, 5);
  guint8 **states = g_new (guint8 *, n);

  thread_rows_init (self, n);
  for (guint i = 0; i < n; i++)
    {
      gint64 time = i > 1 && g_test_rand_bit () ? g_test_rand_int_range (0, LAST / 2) : 0;
      TbState state = g_test_rand_bit () ? TB_STATE_RUNNING : TB_STATE_INTERRUPTIBLE;

      states[i] = g_new0 (guint8, LAST);
      if (time > 0)
        {
          self->creator[i] = g_test_rand_int_range (0, i);
          self->fork_time[i] = time;
          state = TB_STATE_RUNNABLE;
        }
      while (time < LAST)
        {
          gint64 length = 1 + g_test_rand_int_range (0, g_test_rand_int_range (1, 30));
          gint64 until = MIN (LAST, time + length);

          for (; time < until; time++)
            states[i][time] = state;
          /* At times a thread's state is unknown. */
          if (state != TB_STATE_UNKNOWN && g_test_rand_int_range (0, 20) == 0)
            state = TB_STATE_UNKNOWN;
          else if (state == TB_STATE_RUNNING)
            state = g_test_rand_int_range (0, 6) == 0 ? TB_STATE_RUNNABLE : TB_STATE_INTERRUPTIBLE;
          else if (state == TB_STATE_INTERRUPTIBLE)
            state = g_test_rand_int_range (0, 3) == 0 ? TB_STATE_RUNNABLE : TB_STATE_RUNNING;
          else
            state = TB_STATE_RUNNING;
        }
    }
  for (guint i = 0; i < n; i++)
    for (gint64 time = 0; time < LAST;)
      {
        gint64 until = time;
        TbState state = states[i][time];
        gboolean preempted
            = state == TB_STATE_RUNNABLE && state_at (states, i, time - 1) == TB_STATE_RUNNING;

        while (until < LAST && states[i][until] == state)
          until++;
        if (state != TB_STATE_UNKNOWN || time >= self->fork_time[i])
          add_row (self, i, time, until, state, preempted ? TB_INTERVAL_PREEMPTED : 0);
        if (state == TB_STATE_INTERRUPTIBLE && until < LAST)
          {
            guint32 waker = g_test_rand_int_range (0, n);
            guint32 stack = g_test_rand_int_range (0, 2);

            /* One waker in ten is asleep itself, as in contradictory recordings. */
            if (waker == i || g_test_rand_int_range (0, 4) == 0
                || (state_at (states, waker, until - 1) != TB_STATE_RUNNING
                    && g_test_rand_int_range (0, 10) > 0))
              {
                const TbCauseKind others[]
                    = { TB_CAUSE_TIMER,  TB_CAUSE_TIMER,   TB_CAUSE_TIMER,
                        TB_CAUSE_DEVICE, TB_CAUSE_NETWORK, TB_CAUSE_UNKNOWN };

                set_cause (self, others[g_test_rand_int_range (0, G_N_ELEMENTS (others))], 0, stack,
                           FALSE);
                if (g_test_rand_bit ())
                  g_array_index (self->kind, guint8, self->kind->len - 1) = TB_WAIT_SLEEP;
              }
            else
              set_cause (self, TB_CAUSE_THREAD, waker, stack, TRUE);
          }
        time = until;
      }
  for (guint i = 0; i < n; i++)
    g_free (states[i]);
  g_free (states);
}

static int
compare_boxes (gconstpointer a, gconstpointer b)
{
  const ReferenceBox *one = a, *two = b;

  if (one->path != two->path)
    return one->path < two->path ? -1 : 1;
  if (one->row != two->row)
    return one->row < two->row ? -1 : 1;
  return one->from < two->from ? -1 : one->from > two->from;
}

static GArray *
take_boxes (const TbPathsBoxes *boxes)
{
  GArray *array = g_array_new (FALSE, FALSE, sizeof (ReferenceBox));

  for (gsize i = 0; i < boxes->n; i++)
    {
      ReferenceBox box = { .row = boxes->row[i],
                           .path = boxes->path[i],
                           .layer = boxes->layer[i],
                           .from = boxes->from[i],
                           .to = boxes->to[i],
                           .covered = (boxes->flags[i] & TB_PATHS_BOX_HAS_CHILD) != 0,
                           .child_from = boxes->child_from[i],
                           .child_to = boxes->child_to[i],
                           .ready = boxes->ready[i] };

      g_array_append_val (array, box);
    }
  return array;
}

static char *
print_boxes (const ThreadRows *thread_rows, GArray *boxes)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < boxes->len; i++)
    {
      const ReferenceBox *box = &g_array_index (boxes, ReferenceBox, i);

      if (box->from == box->to)
        continue;
      g_string_append_printf (text, "path %u thread %u layer %u: %d..%d", box->path,
                              thread_rows->rows.thread[box->row], box->layer, (int) box->from,
                              (int) box->to);
      if (box->covered)
        g_string_append_printf (text, ", child %d..%d ready %d", (int) box->child_from,
                                (int) box->child_to, (int) box->ready);
      g_string_append_c (text, '\n');
    }
  return g_string_free (text, FALSE);
}

static char *
print_thread_rows (const ThreadRows *thread_rows)
{
  GString *text = g_string_new (NULL);

  for (gsize i = 0; i < thread_rows->rows.n; i++)
    g_string_append_printf (text, "row %u thread %u %d..%d %s, ended by %s %u, stack %u\n",
                            (guint) i, thread_rows->rows.thread[i],
                            (int) thread_rows->rows.start[i], (int) thread_rows->rows.end[i],
                            tb_state_get_name (thread_rows->rows.state[i]),
                            tb_cause_kind_get_name (thread_rows->rows.cause_kind[i]),
                            thread_rows->rows.cause[i], thread_rows->rows.stack[i]);
  return g_string_free (text, FALSE);
}

/* At any time a path contains a thread at most once, unless a child extends beyond its parent
 * within the grace. */
static void
check_once (const ThreadRows *thread_rows, GArray *boxes)
{
  g_autofree guint8 *seen = g_new0 (guint8, (gsize) thread_rows->n_threads * (LAST + 1));

  for (guint i = 0; i < boxes->len; i++)
    {
      const ReferenceBox *box = &g_array_index (boxes, ReferenceBox, i);

      for (gint64 time = box->from; time < box->to; time++)
        g_assert_cmpuint (seen[thread_rows->rows.thread[box->row] * (LAST + 1) + time]++, ==, 0);
    }
}

static void
test_random (void)
{
  const TbPathsThresholds thresholds = { .grace = 3, .poll_run = 2 };

  for (guint round = 0; round < test_rounds (5000, 800); round++)
    {
      ThreadRows thread_rows;
      g_autoptr (TbPathsModel) model = NULL;
      g_autoptr (TbPathsWalk) walk = NULL;
      g_autoptr (GArray) expected = NULL;
      g_autoptr (GArray) found = NULL;
      g_autofree char *expected_text = NULL;
      g_autofree char *found_text = NULL;
      g_autoptr (GError) error = NULL;
      guint32 of;

      make_random_rows (&thread_rows);
      model = make_model (&thread_rows, &thresholds);
      of = g_test_rand_int_range (0, thread_rows.n_threads);
      walk = tb_paths_walk_new (model);
      g_assert_true (tb_paths_walk_add (walk, 0, of, 0, LAST, NULL, &error));
      found = take_boxes (&walk->boxes);
      expected = control_paths_reference (model, of, 0, LAST);
      check_once (&thread_rows, found);
      g_array_sort (found, compare_boxes);
      g_array_sort (expected, compare_boxes);
      expected_text = print_boxes (&thread_rows, expected);
      found_text = print_boxes (&thread_rows, found);
      if (!g_str_equal (expected_text, found_text))
        {
          g_autofree char *text = print_thread_rows (&thread_rows);

          g_test_message ("thread %u of\n%s", of, text);
          g_test_message ("expected\n%s", expected_text);
          g_test_message ("found\n%s", found_text);
          g_test_fail ();
          thread_rows_clear (&thread_rows);
          return;
        }
      thread_rows_clear (&thread_rows);
    }
}

static char *
print_paths (const ThreadRows *thread_rows,
             GArray *boxes,
             const gboolean *asynchronous,
             guint n_paths)
{
  GString *text = g_string_new (NULL);
  g_autofree char *boxes_text = NULL;

  g_array_sort (boxes, compare_boxes);
  boxes_text = print_boxes (thread_rows, boxes);
  for (guint i = 0; i < n_paths; i++)
    g_string_append_printf (text, "path %u %s\n", i,
                            asynchronous[i] ? "asynchronous" : "waited for");
  g_string_append (text, boxes_text);
  return g_string_free (text, FALSE);
}

/* All paths: of the process's other threads, of created threads, and of threads that were woken but
 * not waited for. */
static void
test_random_paths (void)
{
  const TbPathsThresholds thresholds = { .grace = 3, .poll_run = 2 };
  guint n_rounds = test_rounds (5000, 800), n_paths = 0;

  for (guint round = 0; round < n_rounds; round++)
    {
      ThreadRows thread_rows;
      guint32 process_of[8];
      TbPathsEvents facts = { .process_of = process_of };
      g_autoptr (TbPathsModel) model = NULL;
      g_autoptr (TbPaths) paths = NULL;
      g_autoptr (GArray) expected = NULL;
      g_autoptr (GArray) found = NULL;
      g_autoptr (GArray) asynchronous = g_array_new (FALSE, FALSE, sizeof (gboolean));
      g_autoptr (GArray) found_asynchronous = g_array_new (FALSE, FALSE, sizeof (gboolean));
      g_autofree char *expected_text = NULL;
      g_autofree char *found_text = NULL;
      guint32 of;

      make_random_rows (&thread_rows);
      g_assert_cmpuint (thread_rows.n_threads, <=, G_N_ELEMENTS (process_of));
      for (guint i = 0; i < thread_rows.n_threads; i++)
        process_of[i] = g_test_rand_int_range (0, 4);
      model = make_model (&thread_rows, &thresholds);
      of = g_test_rand_int_range (0, thread_rows.n_threads);
      paths = tb_paths_new (NULL, model, &facts, process_of[of], of, 0, LAST, NULL, NULL);
      if (paths != NULL)
        {
          found = take_boxes (&paths->walk->boxes);
          for (guint i = 0; i < paths->paths->len; i++)
            {
              gboolean is_asynchronous = g_array_index (paths->paths, TbPath, i).asynchronous;

              g_array_append_val (found_asynchronous, is_asynchronous);
            }
          expected = control_paths_reference_all (model, process_of, of, paths->from, paths->to,
                                                  asynchronous);
          expected_text
              = print_paths (&thread_rows, expected,
                             (const gboolean *) (gpointer) asynchronous->data, asynchronous->len);
          found_text = print_paths (&thread_rows, found,
                                    (const gboolean *) (gpointer) found_asynchronous->data,
                                    found_asynchronous->len);
          n_paths += found_asynchronous->len - 1;
        }
      if (g_strcmp0 (expected_text, found_text) != 0)
        {
          g_autofree char *text = print_thread_rows (&thread_rows);

          for (guint i = 0; i < thread_rows.n_threads; i++)
            g_test_message ("thread %u of process %u, forked by %d at %d", i, process_of[i],
                            (int) thread_rows.creator[i], (int) thread_rows.fork_time[i]);
          g_test_message ("thread %u of\n%s", of, text);
          g_test_message ("expected\n%s", expected_text);
          g_test_message ("found\n%s", found_text);
          g_test_fail ();
          thread_rows_clear (&thread_rows);
          return;
        }
      thread_rows_clear (&thread_rows);
    }
  g_assert_cmpuint (n_paths, >, n_rounds);
}

/* --- long chains --- */

/* Thread 0 waits for 1, that one for 2, and so on; the last one works. All wait at once, so the
 * stack of the walk is as high as the chain. */
static void
test_nested_chain (void)
{
  const TbPathsThresholds thresholds = { .grace = 100000, .poll_run = 100000 };
  const guint n = 100000;
  const gint64 end = (gint64) n * 10;
  ThreadRows thread_rows;
  g_autoptr (TbPathsModel) model = NULL;
  g_autoptr (TbPathsWalk) walk = NULL;
  g_autoptr (GError) error = NULL;

  thread_rows_init (&thread_rows, n);
  for (guint32 i = 0; i < n; i++)
    {
      add_row (&thread_rows, i, 0, (gint64) i + 1, TB_STATE_RUNNING, 0);
      if (i + 1 < n)
        {
          add_row (&thread_rows, i, (gint64) i + 1, end - i, TB_STATE_INTERRUPTIBLE, 0);
          set_cause (&thread_rows, TB_CAUSE_THREAD, i + 1, 1, TRUE);
          add_row (&thread_rows, i, end - i, end - i + 1, TB_STATE_RUNNING, 0);
        }
      else
        add_row (&thread_rows, i, (gint64) i + 1, end - i + 1, TB_STATE_RUNNING, 0);
    }
  model = make_model (&thread_rows, &thresholds);
  walk = tb_paths_walk_new (model);
  g_assert_true (tb_paths_walk_add (walk, 0, 0, 0, end + 1, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (walk->n_layers, ==, n);
  g_assert_cmpuint (walk->kept, ==, n - 1);
  thread_rows_clear (&thread_rows);
}

static void
test_cancelled (void)
{
  const TbPathsThresholds thresholds = { .grace = 100000, .poll_run = 100000 };
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPathsModel) model = NULL;
  g_autoptr (TbPathsWalk) walk = NULL;
  ThreadRows thread_rows;

  thread_rows_init (&thread_rows, 1);
  for (gint64 i = 0; i < 20000; i++)
    {
      add_row (&thread_rows, 0, i * 10, i * 10 + 5, TB_STATE_RUNNING, 0);
      add_row (&thread_rows, 0, i * 10 + 5, i * 10 + 10, TB_STATE_INTERRUPTIBLE, 0);
    }
  model = make_model (&thread_rows, &thresholds);
  walk = tb_paths_walk_new (model);
  g_cancellable_cancel (cancellable);
  g_assert_false (tb_paths_walk_add (walk, 0, 0, 0, 200000, cancellable, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (walk->boxes.n, <, 20000);
  thread_rows_clear (&thread_rows);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/control-paths-walk/random", test_random);
  g_test_add_func ("/control-paths-walk/random-paths", test_random_paths);
  g_test_add_func ("/control-paths-walk/nested-chain", test_nested_chain);
  g_test_add_func ("/control-paths-walk/cancelled", test_cancelled);
  return g_test_run ();
}
