/* test-agent-interfaces.c: test of the agent's list of network interfaces, of this machine and of
 * synthetic ones
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib.h>
#include <glib/gstdio.h>
#include <net/if.h>
#include <string.h>
#include <unistd.h>

#include "agent/core/tb-agent-interfaces.h"
#include "capture/tb-capture-decoder.h"

static void
write_number (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_build_filename (folder, "eth0", name, NULL);

  g_unlink (path);
  if (text != NULL)
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

/* Contents of a speed file, and the resulting speed. */
static void
test_speed (void)
{
  static const struct
  {
    const char *index;
    const char *speed;
    guint64 expected;
  } cases[] = {
    { "2\n", "1000\n", 1000000000 },
    { "2\n", "10", 10000000 },
    { "2\n", "800000\n", G_GUINT64_CONSTANT (800000000000) },
    { "2\n", "2147483647\n", G_GUINT64_CONSTANT (2147483647000000) },
    { "2\n", "-1\n", 0 },
    { "2\n", "0\n", 0 },
    { "2\n", "4294967295\n", 0 },
    { "2\n", "2147483648\n", 0 },
    { "2\n", "99999999999999999999999\n", 0 },
    { "2\n", "fast\n", 0 },
    { "2\n", "10 or so\n", 0 },
    { "2\n", "", 0 },
    { "2\n", NULL, 0 },
    /* of another network namespace */
    { "3\n", "1000\n", 0 },
    { NULL, "1000\n", 0 },
  };
  g_autofree char *folder = g_dir_make_tmp ("tailback-interfaces-XXXXXX", NULL);
  g_autofree char *interface = g_build_filename (folder, "eth0", NULL);

  g_assert_cmpint (g_mkdir (interface, 0700), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      write_number (folder, "ifindex", cases[i].index);
      write_number (folder, "speed", cases[i].speed);
      g_test_message ("case %u", i);
      g_assert_cmpuint (tb_agent_interfaces_read_speed (folder, "eth0", 2), ==, cases[i].expected);
      g_assert_cmpuint (tb_agent_interfaces_read_speed (folder, "eth1", 2), ==, 0);
    }
  write_number (folder, "ifindex", NULL);
  write_number (folder, "speed", NULL);
  g_assert_cmpint (g_rmdir (interface), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

typedef struct
{
  GPtrArray *names; /* by string ID */
  guint n;
  guint last;
  gboolean has_loopback;
} FoundInterfaces;

static void
note_interface (FoundInterfaces *found, const TbCaptureRecord *record)
{
  static const guint8 localhost[TB_CAPTURE_ADDRESS_SIZE]
      = { [10] = 0xff, [11] = 0xff, [12] = 127, [15] = 1 };
  const char *name = g_ptr_array_index (found->names, record->interface.name);

  found->n++;
  g_assert_cmpuint (record->interface.index, >, found->last);
  found->last = record->interface.index;
  if (strcmp (name, "lo") != 0)
    return;
  found->has_loopback = TRUE;
  g_assert_cmpuint (record->interface.index, ==, if_nametoindex ("lo"));
  g_assert_cmpuint (record->interface.speed, ==, 0);
  g_assert_cmpuint (record->interface.n_omitted, ==, 0);
  /* An interface that is down has no address. */
  if (record->tail_length > 0)
    g_assert_nonnull (memmem (record->tail, record->tail_length, localhost, sizeof localhost));
}

static void
read_stream (int file, FoundInterfaces *found)
{
  TbCaptureDecoder *decoder = tb_capture_decoder_new (TB_CAPTURE_FROM_AGENT);
  TbCaptureResult result;

  g_assert_cmpint (lseek (file, 0, SEEK_SET), ==, 0);
  do
    {
      TbCaptureRecord record;
      size_t space;

      result = tb_capture_decoder_next (decoder, &record);
      g_assert_cmpint (result, !=, TB_CAPTURE_DAMAGED);
      if (result == TB_CAPTURE_RECORD && record.type == TB_CAPTURE_STRING)
        g_ptr_array_add (found->names, g_strndup ((const char *) record.tail, record.tail_length));
      else if (result == TB_CAPTURE_RECORD && record.type == TB_CAPTURE_INTERFACE)
        note_interface (found, &record);
      else if (result == TB_CAPTURE_MORE)
        {
          void *to = tb_capture_decoder_get_space (decoder, &space);
          gssize got = read (file, to, space);

          if (got <= 0)
            break;
          tb_capture_decoder_commit (decoder, (size_t) got);
        }
    }
  while (TRUE);
  tb_capture_decoder_free (decoder);
}

/* The interfaces of this machine. Every network namespace has a loopback interface. */
static void
test_machine (void)
{
  TbCaptureHeader header = { .host = "here", .machine = "x86_64", .n_cpus = 1 };
  g_autofree char *path = NULL;
  int file = g_file_open_tmp ("tailback-interfaces-XXXXXX", &path, NULL);
  TbAgentOutput *output = tb_agent_output_new (file, 1u << 20, 0);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  FoundInterfaces found = { .names = names };

  g_ptr_array_add (names, g_strdup (""));
  tb_agent_output_put_header (output, &header);
  tb_agent_interfaces_put (output);
  tb_agent_output_close (output);
  read_stream (file, &found);
  g_assert_cmpuint (found.n, >=, 1);
  g_assert_true (found.has_loopback);
  close (file);
  g_unlink (path);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/agent/interfaces/speed", test_speed);
  g_test_add_func ("/agent/interfaces/machine", test_machine);
  return g_test_run ();
}
