/* test-agent-sleep-ids.c: test that each sleep record is sent once and can be found by its ID
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "agent/core/tb-agent-sleeps.h"
#include "capture/tb-capture-decoder.h"

#define N_REFERENCES 60000

static TbCaptureSleep
make_sleep (guint which)
{
  return (TbCaptureSleep) { .address = which / 7,
                            .timeout = which % 7,
                            .offset = which % 3,
                            .number = which % 2,
                            .kind = which % 5,
                            .operation = which % 11 };
}

/* First a few of many sleeps, then all of many, so that forgotten ones are used again. */
static guint
pick (GRand *random, guint i)
{
  return g_rand_int_range (random, 0, i % 20000 < 10000 ? 50 : 30000);
}

static void
write_stream (int fd, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  TbAgentOutput *output = tb_agent_output_new (fd, 64u << 20, 0);
  TbCaptureHeader header = { .n_cpus = 1 };
  TbAgentSleeps sleeps = { 0 };

  tb_agent_output_put_header (output, &header);
  for (guint i = 0; i < N_REFERENCES; i++)
    {
      TbCaptureSleep sleep = make_sleep (pick (random, i));
      TbCaptureRecord record = { .type = TB_CAPTURE_SWITCH, .time = i };

      record.sched_switch.sleep = tb_agent_sleeps_intern (&sleeps, output, &sleep);
      g_assert_cmpuint (record.sched_switch.sleep, >, 0);
      tb_agent_output_put (output, &record);
    }
  tb_agent_sleeps_clear (&sleeps);
  tb_agent_output_close (output);
}

static void
check_stream (const char *path, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  g_autofree TbCaptureSleep *known = g_new0 (TbCaptureSleep, TB_CAPTURE_SLEEP_WINDOW);
  g_autofree char *contents = NULL;
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  gsize length, at = 0;
  guint n = 0, n_sent = 0;

  g_assert_true (g_file_get_contents (path, &contents, &length, NULL));
  for (;;)
    {
      TbCaptureRecord record;
      TbCaptureResult result = tb_capture_decoder_next (decoder, &record);

      g_assert_cmpint (result, !=, TB_CAPTURE_DAMAGED);
      if (result == TB_CAPTURE_MORE)
        {
          gsize space, piece;
          void *to = tb_capture_decoder_get_space (decoder, &space);

          piece = MIN (space, length - at);
          if (piece == 0)
            break;
          memcpy (to, contents + at, piece);
          tb_capture_decoder_commit (decoder, piece);
          at += piece;
        }
      else if (result == TB_CAPTURE_RECORD && record.type == TB_CAPTURE_SLEEP)
        {
          known[record.sleep.id % TB_CAPTURE_SLEEP_WINDOW] = record.sleep;
          n_sent++;
        }
      else if (result == TB_CAPTURE_RECORD)
        {
          TbCaptureSleep expected = make_sleep (pick (random, n++));
          const TbCaptureSleep *found = &known[record.sched_switch.sleep % TB_CAPTURE_SLEEP_WINDOW];

          g_assert_cmpuint (found->id, ==, record.sched_switch.sleep);
          g_assert_cmpuint (found->address, ==, expected.address);
          g_assert_cmpuint (found->timeout, ==, expected.timeout);
          g_assert_cmpuint (found->offset, ==, expected.offset);
          g_assert_cmpuint (found->number, ==, expected.number);
          g_assert_cmpuint (found->kind, ==, expected.kind);
        }
    }
  g_assert_cmpuint (n, ==, N_REFERENCES);
  /* The few were sent once each for many references. The others are enough for all to be
   * forgotten. */
  g_assert_cmpuint (n_sent, <, N_REFERENCES - 25000);
  g_assert_cmpuint (n_sent, >, TB_CAPTURE_SLEEP_WINDOW);
  tb_capture_decoder_free (decoder);
}

static void
test_ids (void)
{
  guint32 seed = g_test_rand_int ();
  g_autofree char *path = NULL;
  int fd = g_file_open_tmp ("tailback-sleeps-XXXXXX", &path, NULL);

  g_assert_cmpint (fd, >=, 0);
  write_stream (fd, seed);
  close (fd);
  check_stream (path, seed);
  g_unlink (path);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/sleep-ids", test_ids);
  return g_test_run ();
}
