/* test-perf-data-foreign.c: test of files that are mistaken for perf.data files
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <string.h>
#include <zstd.h>

#include "extend/options/tb-option.h"
#include "perf-data-checks.h"
#include "tb-perf-file.h"
#include "tb-perf-foreign.h"

static void
assert_explained (const guint8 *bytes, gsize size, const char *in_message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbPerfFile) file = tb_perf_file_open_bytes (bytes, size, "test.data", &error);

  g_assert_null (file);
  g_assert_error (error, TB_EXTEND_ERROR, TB_EXTEND_ERROR_INPUT);
  assert_contains (error->message, "“test.data” ");
  assert_contains (error->message, in_message);
  assert_lacks (error->message, "\n");
  assert_lacks (error->message, "offset");
}

static GByteArray *
pack_gzip (const guint8 *bytes, gsize size)
{
  g_autoptr (GZlibCompressor) gzip = g_zlib_compressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP, 6);
  g_autoptr (GBytes) input = g_bytes_new (bytes, size);
  g_autoptr (GBytes) packed = g_converter_convert_bytes (G_CONVERTER (gzip), input, NULL);

  return g_bytes_unref_to_array (g_steal_pointer (&packed));
}

static GByteArray *
pack_zstd (const guint8 *bytes, gsize size)
{
  GByteArray *packed = g_byte_array_new ();

  g_byte_array_set_size (packed, ZSTD_compressBound (size));
  g_byte_array_set_size (packed, ZSTD_compress (packed->data, packed->len, bytes, size, 3));
  return packed;
}

static void
test_compressed (void)
{
  g_autoptr (GByteArray) bytes = make_scenario (FALSE, WRITER_FILE, WRITER_PLAIN);
  g_autoptr (GByteArray) gzip = pack_gzip (bytes->data, bytes->len);
  g_autoptr (GByteArray) zstd = pack_zstd (bytes->data, bytes->len);
  g_autoptr (GByteArray) other = pack_gzip ((const guint8 *) "something else entirely", 23);

  assert_explained (gzip->data, gzip->len, "is a perf.data file compressed by gzip: decompress");
  assert_explained (zstd->data, zstd->len, "is a perf.data file compressed by zstd: decompress");
  g_assert_null (tb_perf_foreign_explain (other->data, other->len));
  /* Cut and damaged ones */
  for (gsize size = 0; size < 200; size++)
    {
      g_autofree guint8 *cut = g_memdup2 (gzip->data, size);
      g_autofree guint8 *damaged = g_memdup2 (zstd->data, 200);

      tb_perf_foreign_explain (cut, size);
      damaged[size] ^= 0xff;
      tb_perf_foreign_explain (damaged, 200);
    }
}

static void
test_text (void)
{
  static const char *const texts[] = {
    "w  1911  3921.338090:     250000 cpu-clock:  ffffffff81 main+0x3 (/tmp/w)\n",
    "worker 0  1911/1915  [001]  3921.338090: sched:sched_switch: prev_comm=w\n",
    "# ========\n# captured on    : Sat Nov 28 03:12:12 2026\n",
    "\n# comment\nswapper     0 [000] d..3. 3921.338090123:  1 sched:sched_waking: comm=w\n",
    "  31402 60440.093708: sched:sched_stat_runtime: comm=perf pid=31402 runtime=146449 [ns]\n",
    "60440.093713:       sched:sched_waking: \n",
  };
  static const char *const printed[] = {
    "# To display the perf.data header info, please use --header options.\n#\n",
    "{\n\t\"linux-perf-json-version\": 1,\n\t\"headers\": {\n",
    "\n0x118@perf.data [0x50]: event: 69\n.\n. ... raw event: size 80 bytes\n",
    "0x118 [0x50]: event: 69\n.\n",
    "         ? (         ): w/30035  ... [continued]: execve())    = 0\n",
    "     0.026 ( 0.001 ms): w/30035 brk()    = 0x561788f39000\n",
  };
  static const char *const others[] = {
    "time,cpu,kind\n1,2,switch\n",
    "hello: this is prose, written at 12.5 o'clock: nothing more.\n",
    "",
    "#\n#\n",
    "{ \"version\": 1 }",
    "0x118: a number\n",
    "1.000 (2.0 ms): prose / 3 \n",
  };

  for (guint i = 0; i < G_N_ELEMENTS (printed); i++)
    assert_explained ((const guint8 *) printed[i], strlen (printed[i]),
                      "is text that perf printed");
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    assert_explained ((const guint8 *) texts[i], strlen (texts[i]),
                      "is text that perf script printed");
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_null (tb_perf_foreign_explain ((const guint8 *) others[i], strlen (others[i])));
}

static void
test_archives (void)
{
  guint8 tar[1024] = { 0 };
  g_autoptr (GByteArray) packed = NULL;

  strcpy ((char *) tar, ".build-id/ab/cdef");
  memcpy (tar + 257, "ustar", 5);
  packed = pack_gzip (tar, sizeof tar);
  assert_explained (tar, sizeof tar, "was made by perf archive");
  assert_explained (packed->data, packed->len, "was made by perf archive");
  strcpy ((char *) tar, "folder/file");
  g_assert_null (tb_perf_foreign_explain (tar, sizeof tar));
  assert_explained ((const guint8 *) "BZh91AY&SY and so on", 20, "compressed by bzip2");
  assert_explained ((const guint8 *) "QPERFSTREAM\0\0\0\1", 16, "an export of Hotspot");
  assert_explained ((const guint8 *) "SIMPLEPERF\1\0\0\0\0\0", 16, "a report of simpleperf");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/perf-data-foreign/compressed", test_compressed);
  g_test_add_func ("/perf-data-foreign/text", test_text);
  g_test_add_func ("/perf-data-foreign/archives", test_archives);
  return g_test_run ();
}
