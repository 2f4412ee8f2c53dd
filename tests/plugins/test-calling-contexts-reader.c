/* test-calling-contexts-reader.c: test of calls inferred from recordings against a plain
 * implementation of the paper's algorithms
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "calling-contexts-random.h"
#include "call-inference/tb-contexts-input.h"

static void
keep (const TbContextsInstance *instance, gpointer data)
{
  g_array_append_vals (data, instance, 1);
}

static GArray *
infer (const RandomRecording *recording, TbContextsInput *input, guint index)
{
  GArray *out = g_array_new (FALSE, FALSE, sizeof (TbContextsInstance));
  g_auto (TbContextsInference) inference = { 0 };
  TbContextsCounts counts = { 0 };
  gint64 from, to;

  tb_trace_get_range (recording->trace, &from, &to);
  tb_contexts_inference_init (&inference, &recording->flat, keep, out);
  tb_contexts_input_feed (input, random_recording_find_thread (recording, index), from, to,
                          &inference, NULL, &counts);
  for (guint i = 0; i < out->len; i++)
    {
      TbContextsInstance *instance = &g_array_index (out, TbContextsInstance, i);

      instance->node = recording->in_reference[instance->node];
    }
  return out;
}

/* Stacks of all kinds of events, system calls, switches, forks, execs, exits and lost events,
 * written by a recorder and read through a trace. */
static void
test_random (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed ((guint32) g_test_rand_int ());

  for (guint round = 0; round < 30; round++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (RandomRecording) recording = random_recording_new (rand, RANDOM_ALL, 100, 30, 50);
      g_autoptr (TbContextsInput) input
          = tb_contexts_input_new (recording->trace, recording->context_tree,
                                   TB_CONTEXTS_ALL_EVENTS, NULL, &error);

      g_assert_no_error (error);
      for (guint i = 0; i < recording->threads->len; i++)
        {
          g_autoptr (GArray) found = infer (recording, input, i);
          g_autoptr (GArray) expected = random_recording_infer (recording, i);

          assert_same_instances (found, expected);
        }
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calling-contexts/reader/random", test_random);
  return recording_run_tests ();
}
