/* test-recorder-marks.c: test of the wakers of spinning threads against a simple search
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "recorder-fixture.h"

#define N_EVENTS 400
#define N_THREADS 6
#define N_LOCKS 3

typedef struct
{
  guint kind; /* TbMarkKind */
  guint thread;
  guint lock;     /* 0: none */
  guint releases; /* NOTE: whether its name is "release" */
  gint waker;     /* SPIN_END: thread named in it, -1: none */
} Mark;

/* Threads 0 and 1 belong to one process, 2 and 3 to another, and so on. */
static gint32
get_tid (guint thread)
{
  return 100 + (gint32) thread;
}

static gint32
get_pid (guint thread)
{
  return get_tid (thread / 2 * 2);
}

static void
add (RecorderFixture *fixture, const Mark *mark, gint64 time)
{
  static const guint8 kinds[]
      = { TB_EVENT_MARK, TB_EVENT_SPIN_BEGIN, TB_EVENT_SPIN_END, TB_EVENT_FALSE_WAKEUP };
  g_autofree char *lock = g_strdup_printf ("0x%x", mark->lock * 64);
  TbEvent event = { .time = time,
                    .kind = kinds[mark->kind],
                    .tid = get_tid (mark->thread),
                    .pid = get_pid (mark->thread) };

  if (mark->lock > 0)
    event.text2 = recorder_fixture_intern (fixture, lock);
  if (mark->kind == TB_MARK_NOTE)
    event.text = recorder_fixture_intern (fixture, mark->releases ? "release" : "released");
  if (mark->kind == TB_MARK_SPIN_END)
    event.a = mark->waker >= 0 ? (guint64) get_tid ((guint) mark->waker) : G_MAXUINT64;
  recorder_fixture_add (fixture, event);
}

/* Searches backwards from the end, through everything since the first begin after the previous
 * end. */
static gint
find_waker (const Mark *marks, guint end)
{
  const Mark *spin = &marks[end];
  gint begin = -1;

  if (spin->waker >= 0)
    return spin->waker;
  for (guint i = 0; i < end; i++)
    {
      if (marks[i].thread != spin->thread)
        continue;
      if (marks[i].kind == TB_MARK_SPIN_BEGIN && begin < 0)
        begin = (gint) i;
      if (marks[i].kind == TB_MARK_SPIN_END)
        begin = -1;
    }
  if (begin < 0 || spin->lock == 0)
    return -1;
  for (gint i = (gint) end; i > begin; i--)
    if (marks[i].kind == TB_MARK_NOTE && marks[i].releases && marks[i].lock == spin->lock
        && marks[i].thread / 2 == spin->thread / 2)
      return marks[i].thread != spin->thread ? (gint) marks[i].thread : -1;
  return -1;
}

static void
test_random (void)
{
  guint n_found = 0;

  for (guint round = 0; round < 50; round++)
    {
      g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
      Mark marks[N_EVENTS];

      tb_recorder_add_host (fixture->recorder, "host", "", "", 1, 0);
      for (guint i = 0; i < N_EVENTS; i++)
        {
          marks[i]
              = (Mark) { g_test_rand_int_range (0, 4), g_test_rand_int_range (0, N_THREADS),
                         g_test_rand_int_range (0, N_LOCKS + 1), g_test_rand_int_range (0, 3) > 0,
                         g_test_rand_int_range (0, 5) == 0 ? g_test_rand_int_range (0, N_THREADS)
                                                           : -1 };
          add (fixture, &marks[i], 10 + i);
        }
      recorder_fixture_finish (fixture);
      g_assert_cmpuint (N_ROWS (MARK), ==, N_EVENTS);
      for (guint i = 0; i < N_EVENTS; i++)
        {
          guint32 other = U32 (MARK, RELEASER, i);
          gint waker = marks[i].kind == TB_MARK_SPIN_END ? find_waker (marks, i) : -1;

          g_assert_cmpint (I64 (MARK, TIME, i), ==, 10 + i);
          if (waker < 0)
            g_assert_cmpuint (other, ==, TB_ID_NONE);
          else
            g_assert_cmpint (recorder_fixture_get_thread (fixture, other)->tid, ==,
                             get_tid ((guint) waker));
          g_assert_cmpint (U32 (MARK, VALUE, i) != TB_STRING_NONE, ==, marks[i].lock > 0);
          n_found += waker >= 0 && marks[i].waker < 0;
        }
    }
  g_assert_cmpuint (n_found, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/marks/random", test_random);
  return g_test_run ();
}
