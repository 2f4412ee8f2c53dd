/* fuzz-latency-image.c: fuzz target for a program's functions and their code
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <sys/mman.h>
#include <unistd.h>

#include "fuzz-target.h"
#include "tb-latency-code.h"

#define MAX_FUNCTIONS 64

static void
check (const TbLatencyImage *image, const TbLatencySymbol *symbol)
{
  g_autoptr (TbLatencyCode) code = tb_latency_code_new (image, symbol);

  for (guint i = 0; i < code->points->len; i++)
    {
      const TbLatencyPoint *point = &g_array_index (code->points, TbLatencyPoint, i);

      g_assert_true (point->address - symbol->address < symbol->size);
      g_assert_true (point->site == G_MAXUINT || point->site < code->sites->len);
    }
}

/* Uses the same bytes as kernel code, in two functions. */
static void
check_kernel (const uint8_t *data, size_t size)
{
  g_autoptr (TbLatencyImage) image = tb_latency_image_new_kernel ();
  guint64 base = G_GUINT64_CONSTANT (0xffffffff81000000);

  tb_latency_image_add_function (image, "__x86_return_thunk", base + size / 2, size, data,
                                 size / 2);
  tb_latency_image_add_function (image, "f0", base, MAX (size / 2, 1), data, size / 2);
  check (image, tb_latency_image_find_at (image, base));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  int fd = memfd_create ("fuzz", MFD_CLOEXEC);
  g_autofree char *path = g_strdup_printf ("/proc/self/fd/%d", fd);
  g_autoptr (TbLatencyImage) image = NULL;

  if (write (fd, data, size) != (ssize_t) size)
    g_error ("memfd");
  image = tb_latency_image_open (path, NULL);
  close (fd);
  for (guint i = 0; image != NULL && i < image->symbols->len && i < MAX_FUNCTIONS; i++)
    check (image, &g_array_index (image->symbols, TbLatencySymbol, i));
  if (size > 0)
    check_kernel (data, size);
  return 0;
}
