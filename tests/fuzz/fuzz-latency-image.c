/* fuzz-latency-image.c: a program whose functions are looked into, and their code
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <glib/gstdio.h>

#include "fuzz-target.h"
#include "tb-latency-code.h"

#define MAX_FUNCTIONS 64

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *path = g_strdup_printf ("%s/fuzz-latency-image-%d", g_get_tmp_dir (), getpid ());
  g_autoptr (TbLatencyImage) image = NULL;

  if (!g_file_set_contents (path, (const char *) data, (gssize) size, NULL))
    return 0;
  image = tb_latency_image_open (path, NULL);
  g_unlink (path);
  for (guint i = 0; image != NULL && i < image->symbols->len && i < MAX_FUNCTIONS; i++)
    {
      const TbLatencySymbol *symbol = &g_array_index (image->symbols, TbLatencySymbol, i);
      g_autoptr (TbLatencyCode) code = tb_latency_code_new (image, symbol);

      for (guint j = 0; j < code->points->len; j++)
        {
          const TbLatencyPoint *point = &g_array_index (code->points, TbLatencyPoint, j);

          g_assert_true (point->address - symbol->address < symbol->size);
          g_assert_true (point->site == G_MAXUINT || point->site < code->sites->len);
        }
    }
  return 0;
}
