/* test-wait-graph-replay.c: test of the replay, with known results and against a simpler
 * implementation
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <math.h>

#include "../test-mode.h"
#include "wait-replay-reference.h"
#include "what-if/tb-wait-what-if-batches.h"

static void
run (TbReplayProgram *program, gint64 length)
{
  tb_replay_program_add_step (program, TB_REPLAY_RUN, length);
}

static void
step (TbReplayProgram *program, TbReplayKind kind, gint64 value)
{
  tb_replay_program_add_step (program, kind, value);
}

static double
get_end (const TbReplayProgram *program, const TbReplayChange *change, guint32 actor)
{
  g_autoptr (TbReplayTimes) times = tb_replay_run (program, change, NULL, NULL);

  g_assert_cmpuint (times->n_stuck, ==, 0);
  return times->ends[actor];
}

static void
test_cpus (void)
{
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (1);
  TbReplayChange two = { .n_cpus = 2 };

  for (guint i = 0; i < 2; i++)
    {
      tb_replay_program_add_actor (program);
      run (program, 1000);
    }
  g_assert_cmpfloat (get_end (program, NULL, 0), ==, 2000);
  g_assert_cmpfloat (get_end (program, NULL, 1), ==, 2000);
  g_assert_cmpfloat (get_end (program, &two, 0), ==, 1000);
  g_assert_cmpfloat (get_end (program, &two, 1), ==, 1000);
}

static void
test_device (void)
{
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (1);
  double speed = 2;
  TbReplayChange twice = { .speed = &speed };

  g_array_append_vals (program->devices, &(guint32) { 1 }, 1);
  tb_replay_program_add_actor (program);
  for (guint i = 0; i < 10; i++)
    {
      guint32 wait = tb_replay_program_add_wait (program, 50, 0, TRUE);

      run (program, 100);
      step (program, TB_REPLAY_REQUEST, tb_replay_program_add_request (program, 0, 50, wait));
      step (program, TB_REPLAY_WAIT, wait);
    }
  run (program, 1);
  g_assert_cmpfloat (get_end (program, NULL, 0), ==, 1501);
  g_assert_cmpfloat (get_end (program, &twice, 0), ==, 1251);
}

/* A device with one slot: the second request waits for both. */
static void
test_queue (void)
{
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (2);

  g_array_append_vals (program->devices, &(guint32) { 1 }, 1);
  for (guint i = 0; i < 2; i++)
    {
      guint32 wait = tb_replay_program_add_wait (program, 50, 0, TRUE);

      tb_replay_program_add_actor (program);
      run (program, 10 + i);
      step (program, TB_REPLAY_REQUEST, tb_replay_program_add_request (program, 0, 50, wait));
      step (program, TB_REPLAY_WAIT, wait);
      run (program, 1);
    }
  g_assert_cmpfloat (get_end (program, NULL, 0), ==, 61);
  g_assert_cmpfloat (get_end (program, NULL, 1), ==, 111);
  g_array_index (program->devices, guint32, 0) = 2;
  g_assert_cmpfloat (get_end (program, NULL, 1), ==, 62);
}

/* The first thread holds the lock for 100 and then goes on; the second one comes after 10. */
static TbReplayProgram *
make_lock (void)
{
  TbReplayProgram *program = tb_replay_program_new (2);
  guint32 wait = tb_replay_program_add_wait (program, 90, 0, TRUE);

  tb_replay_program_add_actor (program);
  run (program, 100);
  step (program, TB_REPLAY_SIGNAL, wait);
  run (program, 500);
  tb_replay_program_add_actor (program);
  run (program, 10);
  step (program, TB_REPLAY_WAIT, wait);
  run (program, 50);
  return program;
}

static void
test_lock (void)
{
  g_autoptr (TbReplayProgram) program = make_lock ();
  static const double factors[] = { 0, 0.5, 1, 2 }, ends[] = { 60, 105, 150, 240 };

  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      TbReplayChange change = { .factor = &factors[i] };

      g_assert_cmpfloat (get_end (program, &change, 1), ==, ends[i]);
      /* The holder does not wait, so changes of the other thread do not affect it. */
      g_assert_cmpfloat (get_end (program, &change, 0), ==, 600);
    }
}

/* Data fetched ahead while the thread works is there when the thread needs it, or as soon as
 * possible. If the thread itself fetches it, no switch is saved, because the switch happens in
 * fetching. If it comes from elsewhere, the switch is saved. */
static void
test_ahead (void)
{
  static const gint64 lengths[] = { 50, 200 };
  static const double plain[] = { 1500, 3000 };
  static const double ahead[2][2] = { { 1050 - 8 * 10, 2100 }, { 1050, 2100 } };

  for (guint i = 0; i < 2 * G_N_ELEMENTS (lengths); i++)
    {
      gboolean is_fetched = i >= G_N_ELEMENTS (lengths);
      gint64 length = lengths[i % G_N_ELEMENTS (lengths)];
      g_autoptr (TbReplayProgram) program = tb_replay_program_new (2);
      guint32 streams[10] = { 0 };
      TbReplayChange change = { .stream = streams, .n_streams = 1, .saved = 10 };

      program->n_marks = 1;
      tb_replay_program_add_actor (program);
      for (guint j = 0; j < 10; j++)
        {
          run (program, 100);
          step (program, TB_REPLAY_WAIT,
                tb_replay_program_add_wait (program, length, 0, is_fetched));
        }
      step (program, TB_REPLAY_MARK, 0);
      if (is_fetched)
        {
          tb_replay_program_add_actor (program);
          for (guint32 j = 0; j < 10; j++)
            {
              step (program, TB_REPLAY_DELAY, 100 + length);
              step (program, TB_REPLAY_SIGNAL, j);
            }
        }
      for (guint j = 0; j < 2; j++)
        {
          g_autoptr (TbReplayTimes) times
              = tb_replay_run (program, j == 0 ? NULL : &change, NULL, NULL);

          g_assert_cmpfloat (times->marks[0], ==,
                             j == 0 ? plain[i % G_N_ELEMENTS (lengths)]
                                    : ahead[is_fetched][i % G_N_ELEMENTS (lengths)]);
        }
    }
}

/* With room for one item ahead, time left over by a short item is lost for the long one that
 * follows. */
static void
test_one_ahead (void)
{
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (1);
  guint32 streams[10] = { 0 };
  guint8 batches[10] = { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };

  program->n_marks = 1;
  tb_replay_program_add_actor (program);
  for (guint i = 0; i < 10; i++)
    {
      run (program, 100);
      step (program, TB_REPLAY_WAIT,
            tb_replay_program_add_wait (program, i % 2 == 0 ? 50 : 150, 0, FALSE));
    }
  step (program, TB_REPLAY_MARK, 0);
  for (guint i = 0; i < 2; i++)
    {
      TbReplayChange change
          = { .stream = streams, .n_streams = 1, .batches = i == 1 ? batches : NULL };
      g_autoptr (TbReplayTimes) times = tb_replay_run (program, &change, NULL, NULL);

      g_assert_cmpfloat (times->marks[0], ==, i == 0 ? 1100 : 1300);
    }
}

/* Five blocks of two packets each, with 200 of work after each block and 1 after a packet. */
static TbReplayProgram *
make_blocks (void)
{
  TbReplayProgram *program = tb_replay_program_new (1);

  program->n_marks = 1;
  tb_replay_program_add_actor (program);
  for (guint i = 0; i < 10; i++)
    {
      step (program, TB_REPLAY_WAIT, tb_replay_program_add_wait (program, 100, 0, FALSE));
      run (program, i % 2 == 0 ? 1 : 200);
    }
  step (program, TB_REPLAY_MARK, 0);
  return program;
}

/* One block ahead is both of its packets. Without blocks, the second packet of each is requested
 * when the first one is taken. */
static void
test_pieces (void)
{
  g_autoptr (TbReplayProgram) program = make_blocks ();
  TbReplayRecording recording = { .program = program };
  guint32 streams[10] = { 0 };
  guint8 packets[10] = { TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE, TRUE };
  g_autofree guint8 *blocks = tb_wait_find_batches (&recording, streams);
  const guint8 *const batches[] = { blocks, packets };
  static const double expected[] = { 1204, 1600 };

  for (guint i = 0; i < 10; i++)
    g_assert_cmpint (blocks[i], ==, i > 0 && i % 2 == 0);
  for (guint i = 0; i < G_N_ELEMENTS (batches); i++)
    {
      TbReplayChange change = { .stream = streams, .n_streams = 1, .batches = batches[i] };
      g_autoptr (TbReplayTimes) times = tb_replay_run (program, &change, NULL, NULL);

      g_assert_cmpfloat (times->marks[0], ==, expected[i]);
    }
}

/* The second packet of a block is taken together with the first one, if the block is complete. */
static void
test_taking (void)
{
  g_autoptr (TbReplayProgram) program = make_blocks ();
  TbReplayRecording recording = { .program = program };
  guint32 streams[10] = { 0 };
  g_autofree guint8 *blocks = tb_wait_find_batches (&recording, streams);
  g_autofree guint8 *takes = tb_wait_find_batch_reads (&recording, streams, blocks);
  TbReplayChange change = { .stream = streams, .n_streams = 1, .takes = takes };

  for (guint i = 0; i < 10; i++)
    g_assert_cmpint (takes[i], ==, i % 2 == 0);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (TbReplayTimes) times = NULL;

      change.at_once = i / 2.0;
      times = tb_replay_run (program, &change, NULL, NULL);
      g_assert_cmpfloat (times->marks[0], ==, 1204 - 2 * (double) i);
    }
}

/* An actor with more threads does a job with all of them. An actor that gets jobs repeatedly does
 * several at a time only if several are there. */
static void
test_jobs (void)
{
  static const struct
  {
    guint n_jobs;
    gboolean is_one;
    double end;
  } cases[] = { { 1, TRUE, 5 + 300 }, { 3, FALSE, 3 * 110 + 100 } };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      guint n = cases[i].n_jobs;
      g_autoptr (TbReplayProgram) program = tb_replay_program_new (4);
      g_autoptr (GArray) origins = g_array_new (FALSE, TRUE, sizeof (TbReplayOrigin));
      TbReplayRecording recording = { .program = program, .origins = origins };
      guint32 sizes[] = { 2, 1 };
      guint8 divides[2] = { FALSE };
      TbReplayChange change = { .size = sizes, .divides = divides };

      g_array_set_size (origins, n);
      tb_replay_program_add_actor (program);
      for (guint j = 0; j < n; j++)
        {
          step (program, TB_REPLAY_WAIT, tb_replay_program_add_wait (program, 10, 0, TRUE));
          run (program, n == 1 ? 600 : 100);
        }
      tb_replay_program_add_actor (program);
      for (guint j = 0; j < n; j++)
        {
          run (program, n == 1 ? 5 : 110);
          step (program, TB_REPLAY_SIGNAL, j);
        }
      for (guint32 j = 0; j < 2; j++)
        divides[j] = tb_wait_has_one_job (&recording, j);
      g_assert_cmpint (divides[0], ==, cases[i].is_one);
      g_assert_cmpfloat (get_end (program, &change, 0), ==, cases[i].end);
    }
}

/* With `shrinks`, a shorter wait shortens the wake-up in proportion. A longer wait does not
 * lengthen it. */
static void
test_shrinks (void)
{
  static const double factors[] = { 0, 0.25, 1, 2 };
  static const double plain[] = { 150, 215, 290, 390 }, shrunk[] = { 150, 185, 290, 390 };
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (1);

  tb_replay_program_add_actor (program);
  run (program, 100);
  step (program, TB_REPLAY_WAIT, tb_replay_program_add_wait (program, 100, 0, FALSE));
  step (program, TB_REPLAY_WAKE, 40);
  run (program, 50);
  for (guint i = 0; i < G_N_ELEMENTS (factors); i++)
    {
      TbReplayChange change = { .factor = &factors[i] };

      g_assert_cmpfloat (get_end (program, &change, 0), ==, plain[i]);
      change.shrinks = TRUE;
      g_assert_cmpfloat (get_end (program, &change, 0), ==, shrunk[i]);
    }
}

/* A signal that is never sent is reported, and the replay does not wait for it. */
static void
test_stuck (void)
{
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (1);
  g_autoptr (TbReplayTimes) times = NULL;

  tb_replay_program_add_actor (program);
  step (program, TB_REPLAY_WAIT, tb_replay_program_add_wait (program, 5, 0, TRUE));
  run (program, 10);
  tb_replay_program_add_actor (program);
  run (program, 10);
  times = tb_replay_run (program, NULL, NULL, NULL);
  g_assert_cmpuint (times->n_stuck, ==, 1);
  g_assert_cmpfloat (times->ends[0], ==, 0);
  g_assert_cmpfloat (times->ends[1], ==, 10);
}

static void
assert_near (double a, double b)
{
  g_assert_cmpfloat (fabs (a - b), <=, 1e-9 * MAX (fabs (a), fabs (b)) + 1e-3);
}

static void
assert_equal (const TbReplayProgram *program,
              const TbReplayTimes *times,
              const TbReplayTimes *expected)
{
  g_assert_cmpuint (times->n_stuck, ==, expected->n_stuck);
  for (guint32 i = 0; i < program->n_actors; i++)
    assert_near (times->ends[i], expected->ends[i]);
  for (guint32 i = 0; i < program->n_marks; i++)
    assert_near (times->marks[i], expected->marks[i]);
}

static WaitReplayShape
random_shape (GRand *rand, gboolean only_runs)
{
  return (WaitReplayShape) { .n_actors = (guint) g_rand_int_range (rand, 1, 7),
                             .n_steps = (guint) g_rand_int_range (rand, 0, 60),
                             .n_devices = (guint) g_rand_int_range (rand, 0, 3),
                             .only_runs = only_runs };
}

static void
test_reference (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < test_rounds (10000, 1500); i++)
    {
      WaitReplayShape shape = random_shape (rand, FALSE);
      g_autoptr (TbReplayProgram) program
          = wait_replay_random (rand, &shape, (guint32) g_rand_int_range (rand, 1, 5), NULL);
      guint32 n_waits = program->waits->len;
      g_autofree double *factor = g_new (double, n_waits + 1);
      g_autofree double *shorter = g_new (double, n_waits + 1);
      g_autofree guint32 *stream = g_new (guint32, n_waits + 1);
      g_autofree guint8 *batches = g_new (guint8, n_waits + 1);
      g_autofree double *run = g_new (double, program->kinds->len + 1);
      double speed[2] = { 0.5 + g_rand_double (rand), 2 };
      guint32 size[8];
      guint8 divides[8];
      TbReplayChange change
          = { .n_cpus = (guint32) g_rand_int_range (rand, 0, 5),
              .factor = factor,
              .stream = stream,
              .n_streams = 2,
              .batches = g_rand_boolean (rand) ? batches : NULL,
              .divides = g_rand_boolean (rand) ? divides : NULL,
              .speed = speed,
              .no_delays = g_rand_boolean (rand),
              .shrinks = g_rand_boolean (rand),
              .shorter = g_rand_boolean (rand) ? shorter : NULL,
              .run = run,
              .size = g_rand_boolean (rand) ? size : NULL,
              .saved = g_rand_boolean (rand) ? g_rand_int_range (rand, 0, 100000) : 0 };
      g_autoptr (TbReplayTimes) plain = tb_replay_run (program, NULL, NULL, NULL);
      g_autoptr (TbReplayTimes) expected_plain = wait_replay_reference (program, NULL);
      g_autoptr (TbReplayTimes) times = NULL;
      g_autoptr (TbReplayTimes) expected = NULL;

      for (guint32 j = 0; j < n_waits; j++)
        {
          factor[j] = g_rand_int_range (rand, 0, 3) == 0 ? g_rand_double (rand) * 2 : 1;
          shorter[j] = g_rand_int_range (rand, 0, 500000);
          batches[j] = g_rand_boolean (rand);
          stream[j] = g_rand_int_range (rand, 0, 4) == 0 ? (guint32) g_rand_int_range (rand, 0, 2)
                                                         : TB_REPLAY_NONE;
        }
      for (guint j = 0; j < G_N_ELEMENTS (size); j++)
        {
          size[j] = (guint32) g_rand_int_range (rand, 1, 4);
          divides[j] = g_rand_boolean (rand);
        }
      for (guint j = 0; j < program->kinds->len; j++)
        run[j] = g_rand_boolean (rand) ? 1 : g_rand_int_range (rand, 0, 3);
      assert_equal (program, plain, expected_plain);
      g_assert_cmpuint (plain->n_stuck, ==, 0);
      times = tb_replay_run (program, &change, NULL, NULL);
      expected = wait_replay_reference (program, &change);
      assert_equal (program, times, expected);
    }
}

/* If only running takes time, all events keep their order on any number of CPUs, so an additional
 * CPU never makes anything later. With as many CPUs as threads nothing gets slower in other
 * programs either, except for queues, for waits for any of several, where another source may come
 * first, and for wake-ups, which a late waiter does not need. */
static void
test_more_cpus (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint i = 0; i < test_rounds (3000, 500); i++)
    {
      gboolean only_runs = i % 2 == 0;
      WaitReplayShape shape = random_shape (rand, only_runs);
      g_autoptr (TbReplayProgram) program = NULL;

      shape.n_devices = 0;
      shape.no_wakes = TRUE;
      program = wait_replay_random (rand, &shape, 1, NULL);
      for (guint32 n = 1; n < shape.n_actors; n++)
        {
          TbReplayChange less = { .n_cpus = n },
                         more = { .n_cpus = only_runs ? n + 1 : shape.n_actors };
          g_autoptr (TbReplayTimes) slow = tb_replay_run (program, &less, NULL, NULL);
          g_autoptr (TbReplayTimes) fast = tb_replay_run (program, &more, NULL, NULL);

          for (guint32 j = 0; j < shape.n_actors; j++)
            g_assert_cmpfloat (fast->ends[j], <=, slow->ends[j] + 1e-3);
        }
    }
}

static void
test_renaming (void)
{
  for (guint i = 0; i < test_rounds (2000, 300); i++)
    {
      guint32 seed = (guint32) g_test_rand_int ();
      g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
      g_autoptr (GRand) again = g_rand_new_with_seed (seed);
      WaitReplayShape shape = { .n_actors = 5, .n_steps = 40, .is_unique_in_time = TRUE };
      static const guint order[] = { 3, 0, 4, 1, 2 };
      g_autoptr (TbReplayProgram) program = wait_replay_random (rand, &shape, 2, NULL);
      g_autoptr (TbReplayProgram) renamed = wait_replay_random (again, &shape, 2, order);
      g_autoptr (TbReplayTimes) times = tb_replay_run (program, NULL, NULL, NULL);
      g_autoptr (TbReplayTimes) renamed_times = tb_replay_run (renamed, NULL, NULL, NULL);

      for (guint32 j = 0; j < 5; j++)
        assert_near (times->ends[j], renamed_times->ends[order[j]]);
    }
}

/* Two threads that hand work to each other again and again. */
static TbReplayProgram *
make_long (guint n)
{
  TbReplayProgram *program = tb_replay_program_new (2);

  for (guint i = 0; i < 2; i++)
    {
      tb_replay_program_add_actor (program);
      for (guint32 j = 0; j < n; j++)
        {
          if (i == 0)
            tb_replay_program_add_wait (program, 10, 0, TRUE);
          step (program, TB_REPLAY_RUN, 10);
          step (program, (j + i) % 2 == 0 ? TB_REPLAY_SIGNAL : TB_REPLAY_WAIT, j);
        }
    }
  return program;
}

typedef struct
{
  const TbReplayProgram *program;
  GCancellable *cancellable;
  GAsyncQueue *is_reported;
  guint64 n_replays;
} LongPlay;

/* Replays repeatedly until it is stopped. */
static gpointer
replay_repeatedly (gpointer data)
{
  LongPlay *self = data;
  g_autoptr (GError) error = NULL;
  gboolean is_over = FALSE;

  while (!is_over)
    {
      g_autoptr (TbReplayTimes) times
          = tb_replay_run (self->program, NULL, self->cancellable, &error);

      is_over = times == NULL;
      if (self->n_replays++ == 0)
        g_async_queue_push (self->is_reported, self);
    }
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  return NULL;
}

/* Cancellation ends a replay at any position and before its start, with an error. */
static void
test_cancel (void)
{
  g_autoptr (TbReplayProgram) program = make_long (300000);
  g_autoptr (TbReplayTimes) whole = tb_replay_run (program, NULL, NULL, NULL);

  g_assert_nonnull (whole);
  g_assert_cmpuint (whole->n_stuck, ==, 0);
  for (guint i = 0; i < 5; i++)
    {
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      g_autoptr (GAsyncQueue) is_reported = g_async_queue_new ();
      g_autoptr (GError) error = NULL;
      LongPlay replay = { program, cancellable, is_reported, 0 };
      GThread *thread = g_thread_new ("play", replay_repeatedly, &replay);

      g_async_queue_pop (is_reported);
      g_usleep (i * 3000);
      g_cancellable_cancel (cancellable);
      g_thread_join (thread);
      g_assert_null (tb_replay_run (program, NULL, cancellable, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
    }
}

/* A wait that is signalled before it begins costs neither the wake-up delay nor the switch, however
 * many runs follow it; but at most the time of the runs until the next wait is saved. */
static void
test_spared (void)
{
  static const gint64 works[] = { 50, 200 };
  static const double saved[] = { 20, 60 };
  static const double ends[2][2] = { { 100 + 7 + 30 + 9 + 40, 200 + 30 - 20 + 9 + 40 },
                                     { 100 + 7 + 30 + 9 + 40, 200 + 9 + 40 } };

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (TbReplayProgram) program = tb_replay_program_new (2);
      guint32 wait = tb_replay_program_add_wait (program, 50, 0, TRUE);
      TbReplayChange change = { .saved = saved[i / 2] };

      tb_replay_program_add_actor (program);
      run (program, 100);
      step (program, TB_REPLAY_SIGNAL, wait);
      tb_replay_program_add_actor (program);
      run (program, works[i % 2]);
      step (program, TB_REPLAY_WAIT, wait);
      step (program, TB_REPLAY_WAKE, 7);
      run (program, 10);
      run (program, 5);
      run (program, 15);
      step (program, TB_REPLAY_WAIT, tb_replay_program_add_wait (program, 9, 0, FALSE));
      run (program, 40);
      g_assert_cmpfloat (get_end (program, &change, 1), ==, ends[i / 2][i % 2]);
    }
}

/* Three jobs, 10 apart. Two threads share the jobs that are there when one arrives, in half the
 * time. The first job, and jobs that are never more than one at a time, take the time of one
 * thread. The threads' own waits and wake-ups pass for both at once. */
static void
test_threads (void)
{
  static const gint64 works[] = { 100, 5 };
  static const double plain[] = { 10 + 7 + 3 * (100 + 20), 30 + 7 + 5 + 20 };
  static const double twice[] = { 10 + 7 + 100 + 10 + 2 * (50 + 10), 30 + 7 + 5 + 10 };

  for (guint i = 0; i < G_N_ELEMENTS (works); i++)
    {
      g_autoptr (TbReplayProgram) program = tb_replay_program_new (4);
      guint32 sizes[] = { 1, 2 };
      TbReplayChange change = { .size = sizes };

      tb_replay_program_add_actor (program);
      for (guint32 j = 0; j < 3; j++)
        {
          run (program, 10);
          step (program, TB_REPLAY_SIGNAL, tb_replay_program_add_wait (program, 10, 0, TRUE));
        }
      tb_replay_program_add_actor (program);
      for (guint32 j = 0; j < 3; j++)
        {
          step (program, TB_REPLAY_WAIT, j);
          step (program, TB_REPLAY_WAKE, 7);
          run (program, works[i]);
          if (i == 0 || j == 2)
            step (program, TB_REPLAY_WAIT, tb_replay_program_add_wait (program, 20, 0, FALSE));
        }
      program->n_marks = 1;
      step (program, TB_REPLAY_MARK, 0);
      for (guint j = 0; j < 2; j++)
        {
          g_autoptr (TbReplayTimes) times
              = tb_replay_run (program, j == 0 ? NULL : &change, NULL, NULL);

          g_assert_cmpfloat (times->marks[0], ==, j == 0 ? plain[i] : twice[i]);
        }
    }
}

/* A wait that only happens to end by another thread lasts as long as recorded, not until the other
 * thread reaches that point. */
static void
test_loose (void)
{
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (TbReplayProgram) program = tb_replay_program_new (2);
      guint32 wait = tb_replay_program_add_wait (program, 40, 0, TRUE);
      double run_shares[] = { 1, 1, 0.1, 1, 1 };
      TbReplayChange change = { .run = run_shares };

      g_array_index (program->waits, TbReplayWait, wait).is_loose = i == 1;
      tb_replay_program_add_actor (program);
      run (program, 1000);
      step (program, TB_REPLAY_SIGNAL, wait);
      tb_replay_program_add_actor (program);
      run (program, 960);
      step (program, TB_REPLAY_WAIT, wait);
      run (program, 10);
      g_assert_cmpfloat (get_end (program, NULL, 1), ==, 1010);
      g_assert_cmpfloat (get_end (program, &change, 1), ==, i == 1 ? 96 + 40 + 10 : 1010);
    }
}

/* A thread that repeats a wait with a timeout until it is signalled goes on at the signal,
 * whichever of the waits it is in. A wait for the work that the thread would have done in between
 * is not shortened. */
static void
test_limits (void)
{
  static const double shares[] = { 1, 0.1 }, ends[] = { 1000 + 3 + 5, 100 + 3 + 5 },
                      others[] = { 430, 110 };

  for (guint i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      g_autoptr (TbReplayProgram) program = tb_replay_program_new (3);
      guint32 called = tb_replay_program_add_wait (program, 100, 3, TRUE);
      guint32 given = tb_replay_program_add_wait (program, 420, 0, TRUE);
      double run_shares[16] = { shares[i], 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 };
      TbReplayChange change = { .run = run_shares };

      tb_replay_program_add_actor (program);
      run (program, 1000);
      step (program, TB_REPLAY_SIGNAL, called);
      tb_replay_program_add_actor (program);
      for (guint j = 0; j < 3; j++)
        {
          guint32 limited = tb_replay_program_add_wait (program, 400, 0, FALSE);

          g_array_index (program->waits, TbReplayWait, limited).leads_to = called;
          step (program, TB_REPLAY_WAIT, limited);
          run (program, 10);
          if (j == 0)
            step (program, TB_REPLAY_SIGNAL, given);
        }
      g_array_index (program->waits, TbReplayWait, called).step = program->kinds->len;
      step (program, TB_REPLAY_WAIT, called);
      run (program, 5);
      tb_replay_program_add_actor (program);
      step (program, TB_REPLAY_WAIT, given);
      run (program, i == 0 ? 20 : 10);
      g_assert_cmpfloat (get_end (program, &change, 1), ==, ends[i]);
      g_assert_cmpfloat (get_end (program, &change, 2), ==, others[i]);
    }
}

/* A server that polls two clients serves the first to arrive, even in another order than recorded.
 * The steps of each client move with its request; the last step stays the last. A changed wait
 * keeps its place. */
static void
test_polls (void)
{
  /* of the server: first, for one client, for the other */
  static const gint64 works[] = { 100, 1000, 500 };
  g_autoptr (TbReplayProgram) program = tb_replay_program_new (3);
  double factors[] = { 1, 1, 1 };
  double runs[16];
  TbReplayChange change = { .run = runs };
  guint32 waits[3];

  for (guint i = 0; i < 3; i++)
    {
      waits[i] = tb_replay_program_add_wait (program, 1000, 0, TRUE);
      g_array_index (program->waits, TbReplayWait, waits[i]).source = MIN (i + 1, 2);
    }
  tb_replay_program_add_actor (program);
  for (guint i = 0; i < 3; i++)
    {
      run (program, works[i]);
      step (program, TB_REPLAY_WAIT, waits[i]);
    }
  run (program, 10);
  for (guint i = 0; i < 2; i++)
    {
      tb_replay_program_add_actor (program);
      run (program, 2000 + 1000 * i);
      step (program, TB_REPLAY_SIGNAL, waits[i]);
    }
  run (program, 3000);
  step (program, TB_REPLAY_SIGNAL, waits[2]);
  for (guint i = 0; i < G_N_ELEMENTS (runs); i++)
    runs[i] = 1;
  g_assert_cmpfloat (get_end (program, &change, 0), ==, 6010);
  /* The first client takes three times as long: the second one is served in the meantime. */
  runs[7] = 3;
  g_assert_cmpfloat (get_end (program, &change, 0), ==, 7010);
  runs[7] = 2.2;
  g_assert_cmpfloat (get_end (program, &change, 0), ==, 6010);
  change.factor = factors;
  factors[0] = 1.5;
  g_assert_cmpfloat (get_end (program, &change, 0), ==, 6410);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/wait-graph/replay/cpus", test_cpus);
  g_test_add_func ("/wait-graph/replay/device", test_device);
  g_test_add_func ("/wait-graph/replay/queue", test_queue);
  g_test_add_func ("/wait-graph/replay/lock", test_lock);
  g_test_add_func ("/wait-graph/replay/ahead", test_ahead);
  g_test_add_func ("/wait-graph/replay/one-ahead", test_one_ahead);
  g_test_add_func ("/wait-graph/replay/pieces", test_pieces);
  g_test_add_func ("/wait-graph/replay/taking", test_taking);
  g_test_add_func ("/wait-graph/replay/jobs", test_jobs);
  g_test_add_func ("/wait-graph/replay/shrinks", test_shrinks);
  g_test_add_func ("/wait-graph/replay/stuck", test_stuck);
  g_test_add_func ("/wait-graph/replay/spared", test_spared);
  g_test_add_func ("/wait-graph/replay/threads", test_threads);
  g_test_add_func ("/wait-graph/replay/loose", test_loose);
  g_test_add_func ("/wait-graph/replay/limits", test_limits);
  g_test_add_func ("/wait-graph/replay/polls", test_polls);
  g_test_add_func ("/wait-graph/replay/cancel", test_cancel);
  g_test_add_func ("/wait-graph/replay/reference", test_reference);
  g_test_add_func ("/wait-graph/replay/more-cpus", test_more_cpus);
  g_test_add_func ("/wait-graph/replay/renaming", test_renaming);
  return g_test_run ();
}
