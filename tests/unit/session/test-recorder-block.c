/* test-recorder-block.c: test of requests to disks, each of which the recorder makes of several
 * events
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "recorder-fixture.h"

static void
io (RecorderFixture *fixture, gint64 time, TbEventKind kind, gint32 tid, guint64 sector)
{
  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = time, .kind = kind, .tid = tid, .pid = -1, .a = sector, .b = 512, .device = 0 });
}

static void
assert_request (RecorderFixture *fixture,
                guint row,
                gint64 insert,
                gint64 issue,
                gint64 complete,
                gint32 tid)
{
  guint32 thread = U32 (BLOCK, THREAD, row);

  g_assert_cmpint (I64 (BLOCK, INSERT, row), ==, insert);
  g_assert_cmpint (I64 (BLOCK, ISSUE, row), ==, issue);
  g_assert_cmpint (I64 (BLOCK, COMPLETE, row), ==, complete);
  if (tid < 0)
    g_assert_cmpuint (thread, ==, TB_ID_NONE);
  else
    g_assert_cmpint (recorder_fixture_get_thread (fixture, thread)->tid, ==, tid);
}

static void
test_block (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  const guint64 unknown = G_MAXUINT64;

  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  /* by sector, out of order, completed in the context of another thread */
  io (fixture, 1, TB_EVENT_IO_INSERT, 5, 100);
  io (fixture, 2, TB_EVENT_IO_INSERT, 6, 200);
  io (fixture, 3, TB_EVENT_IO_ISSUE, 7, 200);
  io (fixture, 4, TB_EVENT_IO_ISSUE, 7, 100);
  io (fixture, 5, TB_EVENT_IO_COMPLETE, 0, 200);
  io (fixture, 6, TB_EVENT_IO_COMPLETE, 0, 100);
  /* never queued separately; completed without an issue; unknown */
  io (fixture, 10, TB_EVENT_IO_ISSUE, 5, 300);
  io (fixture, 11, TB_EVENT_IO_COMPLETE, 0, 300);
  io (fixture, 12, TB_EVENT_IO_INSERT, 5, 400);
  io (fixture, 13, TB_EVENT_IO_COMPLETE, 0, 400);
  io (fixture, 14, TB_EVENT_IO_COMPLETE, 0, 500);
  /* the oldest of the thread */
  io (fixture, 20, TB_EVENT_IO_INSERT, 5, unknown);
  io (fixture, 21, TB_EVENT_IO_INSERT, 5, 600);
  io (fixture, 22, TB_EVENT_IO_INSERT, 6, unknown);
  io (fixture, 23, TB_EVENT_IO_ISSUE, 5, unknown);
  io (fixture, 24, TB_EVENT_IO_ISSUE, 5, unknown);
  io (fixture, 25, TB_EVENT_IO_COMPLETE, 5, unknown);
  io (fixture, 26, TB_EVENT_IO_COMPLETE, 5, unknown);
  /* open */
  io (fixture, 30, TB_EVENT_IO_ISSUE, 5, 700);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (BLOCK), ==, 9);
  assert_request (fixture, 0, 2, 3, 5, 6);
  assert_request (fixture, 1, 1, 4, 6, 5);
  assert_request (fixture, 2, 10, 10, 11, 5);
  assert_request (fixture, 3, 12, 12, 13, 5);
  assert_request (fixture, 4, -1, -1, 14, -1);
  assert_request (fixture, 5, 20, 23, 25, 5);
  assert_request (fixture, 6, 21, 24, 26, 5);
  g_assert_cmpint (I64 (BLOCK, COMPLETE, 7), ==, TB_TIME_NONE);
  g_assert_cmpint (I64 (BLOCK, COMPLETE, 8), ==, TB_TIME_NONE);
  g_assert_cmpint (I64 (BLOCK, INSERT, 7) + I64 (BLOCK, INSERT, 8), ==, 22 + 30);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 1);
}

static void
io_of_size (RecorderFixture *fixture, gint64 time, TbEventKind kind, guint64 sector, guint64 bytes)
{
  recorder_fixture_add (
      fixture,
      (TbEvent) {
          .time = time, .kind = kind, .tid = 5, .pid = -1, .a = sector, .b = bytes, .device = 0 });
}

/* The device had no room: the request is one, in service since its last issue. */
static void
test_block_again (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  io_of_size (fixture, 1, TB_EVENT_IO_INSERT, 100, 512);
  io_of_size (fixture, 2, TB_EVENT_IO_ISSUE, 100, 1024);
  io_of_size (fixture, 3, TB_EVENT_IO_ISSUE, 100, 2048);
  io_of_size (fixture, 4, TB_EVENT_IO_ISSUE, 100, 2048);
  io_of_size (fixture, 5, TB_EVENT_IO_COMPLETE, 100, 2048);
  /* the next request of the sector, which is inserted again, too */
  io_of_size (fixture, 6, TB_EVENT_IO_INSERT, 100, 512);
  io_of_size (fixture, 7, TB_EVENT_IO_ISSUE, 100, 512);
  io_of_size (fixture, 8, TB_EVENT_IO_INSERT, 100, 512);
  io_of_size (fixture, 9, TB_EVENT_IO_ISSUE, 100, 512);
  io_of_size (fixture, 10, TB_EVENT_IO_COMPLETE, 100, 512);
  /* two requests at a time */
  io_of_size (fixture, 11, TB_EVENT_IO_INSERT, 100, 512);
  io_of_size (fixture, 12, TB_EVENT_IO_INSERT, 100, 512);
  io_of_size (fixture, 13, TB_EVENT_IO_ISSUE, 100, 512);
  io_of_size (fixture, 14, TB_EVENT_IO_ISSUE, 100, 512);
  io_of_size (fixture, 15, TB_EVENT_IO_COMPLETE, 100, 512);
  io_of_size (fixture, 16, TB_EVENT_IO_COMPLETE, 100, 512);
  /* queued behind one in service: not again */
  io_of_size (fixture, 20, TB_EVENT_IO_ISSUE, 200, 512);
  io_of_size (fixture, 21, TB_EVENT_IO_INSERT, 200, 512);
  io_of_size (fixture, 22, TB_EVENT_IO_COMPLETE, 200, 512);
  io_of_size (fixture, 23, TB_EVENT_IO_ISSUE, 200, 512);
  io_of_size (fixture, 24, TB_EVENT_IO_COMPLETE, 200, 512);
  /* open */
  io_of_size (fixture, 30, TB_EVENT_IO_ISSUE, 100, 512);
  io_of_size (fixture, 31, TB_EVENT_IO_ISSUE, 100, 512);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (BLOCK), ==, 7);
  assert_request (fixture, 0, 1, 4, 5, 5);
  g_assert_cmpint (I64 (BLOCK, BYTES, 0), ==, 2048);
  assert_request (fixture, 1, 6, 9, 10, 5);
  assert_request (fixture, 2, 11, 13, 15, 5);
  assert_request (fixture, 3, 12, 14, 16, 5);
  assert_request (fixture, 4, 20, 20, 22, 5);
  assert_request (fixture, 5, 21, 23, 24, 5);
  assert_request (fixture, 6, 30, 31, TB_TIME_NONE, 5);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
}

/* Flushes have no data, and all have the same sector. */
static void
test_block_flushes (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();

  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  /* one queue: issued again */
  io_of_size (fixture, 1, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 2, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 3, TB_EVENT_IO_COMPLETE, 0, 0);
  io_of_size (fixture, 4, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 5, TB_EVENT_IO_COMPLETE, 0, 0);
  /* several queues: two in service, and from now on in the order of their issues */
  io_of_size (fixture, 11, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 12, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 13, TB_EVENT_IO_COMPLETE, 0, 0);
  io_of_size (fixture, 14, TB_EVENT_IO_COMPLETE, 0, 0);
  io_of_size (fixture, 21, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 22, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 23, TB_EVENT_IO_COMPLETE, 0, 0);
  io_of_size (fixture, 24, TB_EVENT_IO_ISSUE, 0, 0);
  io_of_size (fixture, 25, TB_EVENT_IO_COMPLETE, 0, 0);
  io_of_size (fixture, 26, TB_EVENT_IO_COMPLETE, 0, 0);
  recorder_fixture_finish (fixture);

  g_assert_cmpuint (N_ROWS (BLOCK), ==, 7);
  assert_request (fixture, 0, 1, 2, 3, 5);
  assert_request (fixture, 1, 4, 4, 5, 5);
  assert_request (fixture, 3, 12, 12, 14, 5);
  assert_request (fixture, 4, 21, 21, 23, 5);
  assert_request (fixture, 5, 22, 22, 25, 5);
  assert_request (fixture, 6, 24, 24, 26, 5);
  g_assert_cmpuint (fixture->statistics.mismatched, ==, 0);
}

typedef struct
{
  gint64 insert, issue;
  guint64 sector;
  gint32 tid;
  gboolean open, again, doubtful;
} ListedRequest;

#define N_LISTED 4000

/* The rules of the recorder on a list that is searched from its start: the request in service that
 * was issued first, or else the one queued that was inserted first. */
static ListedRequest *
find_listed (ListedRequest *requests, guint n, TbEventKind kind, guint64 sector, gint32 tid)
{
  ListedRequest *found = NULL;

  for (guint r = 0; r < n && kind != TB_EVENT_IO_INSERT; r++)
    {
      ListedRequest *request = &requests[r];
      gboolean in_service = request->issue >= 0;

      if (!request->open
          || (sector != G_MAXUINT64 ? request->sector != sector : request->tid != tid)
          || (kind == TB_EVENT_IO_ISSUE && in_service))
        continue;
      if (found == NULL || (in_service && found->issue < 0)
          || (in_service && request->issue < found->issue))
        found = request;
    }
  return found;
}

static gboolean
is_listed_in_service (const ListedRequest *requests, guint n, guint64 sector)
{
  gboolean found = FALSE;

  for (guint r = 0; r < n && sector != G_MAXUINT64; r++)
    found |= requests[r].open && requests[r].sector == sector && requests[r].issue >= 0;
  return found;
}

static void
drop_listed (ListedRequest *requests, guint n, guint64 sector)
{
  for (guint r = 0; r < n && sector != G_MAXUINT64; r++)
    if (requests[r].sector == sector && requests[r].doubtful)
      requests[r].open = FALSE;
}

static gboolean
is_first_listed (const ListedRequest *requests, guint n, const ListedRequest *one)
{
  gboolean is_first = TRUE;

  for (guint r = 0; r < n; r++)
    is_first &= !requests[r].open || requests[r].sector != one->sector || requests[r].issue < 0
                || requests[r].issue >= one->issue;
  return is_first;
}

/* The issues that follow that of the request, up to the first that is of another one. Returns the
 * time of the last one of the request. */
static gint64
merge_listed (ListedRequest *requests, guint n, const ListedRequest *one)
{
  gint64 end = G_MAXINT64, last = one->issue;

  if (one->doubtful || one->sector == G_MAXUINT64)
    return last;
  for (guint r = 0; r < n; r++)
    if (requests[r].open && requests[r].sector == one->sector && requests[r].issue > one->issue
        && !requests[r].again)
      end = MIN (end, requests[r].issue);
  for (guint r = 0; r < n; r++)
    if (requests[r].open && requests[r].sector == one->sector && requests[r].issue > one->issue
        && requests[r].issue < end)
      {
        requests[r].doubtful = TRUE;
        last = MAX (last, requests[r].issue);
      }
  return last;
}

static void
test_block_random (void)
{
  g_autoptr (RecorderFixture) fixture = recorder_fixture_new ();
  g_autofree ListedRequest *requests = g_new0 (ListedRequest, N_LISTED);
  g_autofree gint64 *expected = g_new0 (gint64, 3 * N_LISTED);
  guint n = 0, n_rows = 0, n_open = 0;

  tb_recorder_intern_device (fixture->recorder, 0, "vda", "block", NULL);
  for (guint i = 0; i < N_LISTED; i++)
    {
      TbEventKind kind = TB_EVENT_IO_INSERT + g_test_rand_int_range (0, 3);
      guint64 sector = g_test_rand_bit () ? (guint64) g_test_rand_int_range (0, 6) : G_MAXUINT64;
      gint32 tid = g_test_rand_int_range (1, 4);
      ListedRequest *found;

      io (fixture, i, kind, tid, sector);
      if (kind != TB_EVENT_IO_COMPLETE)
        drop_listed (requests, n, sector);
      found = find_listed (requests, n, kind, sector, tid);
      if (kind == TB_EVENT_IO_COMPLETE)
        {
          expected[3 * n_rows] = found != NULL ? found->insert : -1;
          if (found == NULL)
            expected[3 * n_rows + 1] = -1;
          else if (found->issue < 0)
            expected[3 * n_rows + 1] = found->insert;
          else if (is_first_listed (requests, n, found))
            expected[3 * n_rows + 1] = merge_listed (requests, n, found);
          else
            expected[3 * n_rows + 1] = found->issue;
          expected[3 * n_rows + 2] = i;
          n_rows++;
          if (found != NULL)
            found->open = FALSE;
        }
      else if (found != NULL)
        {
          found->again &= is_listed_in_service (requests, n, found->sector);
          found->issue = i;
        }
      else
        {
          gboolean again = is_listed_in_service (requests, n, sector);

          requests[n++] = (ListedRequest) {
            i, kind == TB_EVENT_IO_ISSUE ? (gint64) i : -1, sector, tid, TRUE, again, FALSE
          };
        }
    }
  for (guint r = 0; r < n; r++)
    if (requests[r].open && !requests[r].again && requests[r].issue >= 0)
      merge_listed (requests, n, &requests[r]);
  for (guint r = 0; r < n; r++)
    n_open += requests[r].open && !requests[r].doubtful;
  recorder_fixture_finish (fixture);
  g_assert_cmpuint (N_ROWS (BLOCK), ==, n_rows + n_open);
  for (guint i = 0; i < n_rows; i++)
    {
      g_assert_cmpint (I64 (BLOCK, INSERT, i), ==, expected[3 * i]);
      g_assert_cmpint (I64 (BLOCK, ISSUE, i), ==, expected[3 * i + 1]);
      g_assert_cmpint (I64 (BLOCK, COMPLETE, i), ==, expected[3 * i + 2]);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/recorder/block", test_block);
  g_test_add_func ("/recorder/block-again", test_block_again);
  g_test_add_func ("/recorder/block-flushes", test_block_flushes);
  g_test_add_func ("/recorder/block-random", test_block_random);
  return g_test_run ();
}
