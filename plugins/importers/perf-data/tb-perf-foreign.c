/* tb-perf-foreign.c: explanations of files that are mistaken for perf.data files and cannot be
 * opened: compressed ones, text of perf script, Hotspot's exports, archives of programs or
 * recordings
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include "tb-perf-foreign.h"

#include <gio/gio.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <zstd.h>

#include "tb-perf-file.h"

#define HEAD_SIZE 4096 /* of decompressed bytes; eight blocks of a tar archive */
#define MAX_PACKED 65536
#define MAX_LINE 400
#define TAR_MAGIC_AT 257
#define TAR_SIZE 512
#define TAR_NAME_SIZE 100

typedef enum
{
  PACKING_NONE,
  PACKING_GZIP,
  PACKING_ZSTD,
  PACKING_BZIP2,
} Packing;

static gboolean
starts_with (const guint8 *head, gsize length, const char *magic, gsize n)
{
  return length >= n && memcmp (head, magic, n) == 0;
}

static Packing
find_packing (const guint8 *head, gsize length)
{
  if (starts_with (head, length, "\x1f\x8b\x08", 3))
    return PACKING_GZIP;
  if (starts_with (head, length, "\x28\xb5\x2f\xfd", 4))
    return PACKING_ZSTD;
  if (starts_with (head, length, "BZh", 3) && length >= 10
      && memcmp (head + 4, "\x31\x41\x59\x26\x53\x59", 6) == 0)
    return PACKING_BZIP2;
  return PACKING_NONE;
}

static gsize
unpack_gzip (const guint8 *head, gsize length, guint8 *unpacked)
{
  g_autoptr (GZlibDecompressor) gzip = g_zlib_decompressor_new (G_ZLIB_COMPRESSOR_FORMAT_GZIP);
  gsize n_read, n_written = 0;

  if (g_converter_convert (G_CONVERTER (gzip), head, length, unpacked, HEAD_SIZE,
                           G_CONVERTER_NO_FLAGS, &n_read, &n_written, NULL)
      == G_CONVERTER_ERROR)
    return 0;
  return n_written;
}

static gsize
unpack_zstd (const guint8 *head, gsize length, guint8 *unpacked)
{
  ZSTD_DCtx *context = ZSTD_createDCtx ();
  ZSTD_inBuffer input = { head, length, 0 };
  ZSTD_outBuffer output = { unpacked, HEAD_SIZE, 0 };
  gsize result = 1;

  while (output.pos < output.size && input.pos < input.size && result != 0
         && !ZSTD_isError (result))
    result = ZSTD_decompressStream (context, &output, &input);
  ZSTD_freeDCtx (context);
  return output.pos;
}

/* perf archive packs the files below ~/.debug that have a build ID. */
static gboolean
is_archive (const guint8 *head, gsize length)
{
  return length >= TAR_SIZE && memcmp (head + TAR_MAGIC_AT, "ustar", 5) == 0
         && (g_str_has_prefix ((const char *) head, ".build-id/")
             || g_str_has_prefix ((const char *) head, "[kernel.kallsyms]"));
}

/* A folder of perf record --threads or --kcore, or a perf.data file, at the start of an archive. */
static gboolean
is_packed_recording (const guint8 *head, gsize length)
{
  if (length < TAR_SIZE || memcmp (head + TAR_MAGIC_AT, "ustar", 5) != 0)
    return FALSE;
  for (gsize at = 0; length - at >= TAR_SIZE; at += TAR_SIZE)
    {
      const guint8 *block = head + at;
      g_autofree char *name = NULL;

      if (tb_perf_file_sniff (block, TAR_SIZE) > 0)
        return TRUE;
      if (memcmp (block + TAR_MAGIC_AT, "ustar", 5) != 0)
        continue;
      name = g_strndup ((const char *) block, TAR_NAME_SIZE);
      if (g_regex_match_simple ("/(data(\\.[0-9]+)?|kcore_dir/)$", name, G_REGEX_RAW, 0))
        return TRUE;
    }
  return FALSE;
}

/* As in "worker 20/21 [001] 3937.679697:  250000 cpu-clock:", most of which are optional. */
static gboolean
is_script_line (const char *line)
{
  static const char pattern[] = "^\\s*((\\S[^:]*\\s)?-?\\d+(/-?\\d+)?\\s+)?(\\[\\d+\\]\\s+)?"
                                "(\\S{4,5}\\s+)?\\d+\\.\\d{6,9}:\\s+(\\d+\\s+)?[^\\s:]\\S*:";

  return g_regex_match_simple (pattern, line, G_REGEX_RAW, 0);
}

/* What perf report, perf data convert --to-json, perf report -D and perf trace print. */
static gboolean
is_printed (const guint8 *head, gsize length)
{
  static const char report[] = "# To display the perf.data header info,";
  static const char *const patterns[] = {
    "^\\s*\\{\\s*\"linux-perf-json-version\"",
    "^(#.*)?\\s*0x[0-9a-f]+( \\[0x[0-9a-f]+\\]|@\\S+ \\[0x[0-9a-f]+\\]): event: \\d+\\n",
    "^ *(\\?|\\d+\\.\\d{3}) \\( *(\\d+\\.\\d{3} ms)? *\\): \\S[^\\n]*/\\d+ ",
  };
  g_autofree char *text = g_strndup ((const char *) head, MIN (length, MAX_LINE));

  for (guint i = 0; i < G_N_ELEMENTS (patterns); i++)
    if (g_regex_match_simple (patterns[i], text, G_REGEX_RAW, 0))
      return TRUE;
  return starts_with (head, length, report, sizeof report - 1);
}

static gboolean
is_script (const guint8 *head, gsize length)
{
  const char *at = (const char *) head, *end = at + length;

  if (starts_with (head, length, "# ========\n# captured on", 24))
    return TRUE;
  while (at < end && (*at == '#' || *at == '\n'))
    {
      const char *line_end = memchr (at, '\n', end - at);

      at = line_end != NULL ? line_end + 1 : end;
    }
  if (at < end)
    {
      gsize line_length = MIN (strcspn (at, "\n"), MIN ((gsize) (end - at), MAX_LINE));
      g_autofree char *line = g_strndup (at, line_length);

      return is_script_line (line);
    }
  return FALSE;
}

static const char *
explain_perf_data (Packing packing)
{
  switch (packing)
    {
    case PACKING_GZIP:
      return _ ("“%s” is a perf.data file compressed by gzip: decompress it with gunzip, and open "
                "the result");
    case PACKING_ZSTD:
      return _ ("“%s” is a perf.data file compressed by zstd: decompress it with unzstd, and open "
                "the result");
    default:
      return NULL;
    }
}

static const char *
explain_unpacked (const guint8 *head, gsize length, Packing packing)
{
  if (tb_perf_file_sniff (head, length) > 0)
    return explain_perf_data (packing);
  if (starts_with (head, length, "QPERFSTREAM", 11))
    return _ ("“%s” is an export of Hotspot, which Tailback does not read: open the perf.data file "
              "that it was made from");
  if (starts_with (head, length, "SIMPLEPERF", 10))
    return _ ("“%s” is a report of simpleperf, which Tailback does not read: open the perf.data "
              "file that it was made from");
  if (is_archive (head, length))
    return _ ("“%s” was made by perf archive and has programs and libraries, no events: unpack it "
              "with “tar xf” in ~/.debug to name functions, and open the perf.data file");
  if (is_packed_recording (head, length))
    return _ ("“%s” is an archive of a recording by perf: unpack it with “tar xf”, and open the "
              "perf.data file or folder in it");
  if (is_script (head, length))
    return _ ("“%s” is text that perf script printed, which Tailback does not read: open the "
              "perf.data file that it was made from");
  if (is_printed (head, length))
    return _ ("“%s” is text that perf printed, which Tailback does not read: open the perf.data "
              "file that it was made from");
  return NULL;
}

const char *
tb_perf_foreign_explain (const guint8 *head, gsize length)
{
  guint8 unpacked[HEAD_SIZE + 1] = { 0 };
  gsize n = 0;
  Packing packing = find_packing (head, length);

  length = MIN (length, MAX_PACKED);
  switch (packing)
    {
    case PACKING_GZIP:
      n = unpack_gzip (head, length, unpacked);
      break;
    case PACKING_ZSTD:
      n = unpack_zstd (head, length, unpacked);
      break;
    case PACKING_BZIP2:
      return _ ("“%s” is compressed by bzip2: decompress it with bunzip2, and open the result. An "
                "archive made by perf archive has no events: open the perf.data file");
    default:
      n = MIN (length, HEAD_SIZE);
      if (n > 0) /* head of an empty file may be NULL */
        memcpy (unpacked, head, n);
      break;
    }
  return explain_unpacked (unpacked, n, packing);
}
