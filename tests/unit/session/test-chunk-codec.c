/* test-chunk-codec.c: test of encoding and decoding chunks, against a plain decoder written from
 * the format description
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include <string.h>
#include <zstd.h>

#include "session-fixture.h"
#include "session/file/tb-chunk-codec-private.h"

static guint64
number (const guint8 *at, guint n)
{
  guint64 value = 0;

  for (guint i = n; i-- > 0;)
    value = value << 8 | at[i];
  return value;
}

/* One value after the other. */
static void
decode_plainly (gconstpointer data, gsize size, TbColumnType type, guint8 *values, guint n_rows)
{
  g_autofree guint8 *payload = g_malloc (1 << 20);
  gsize payload_size = ZSTD_decompress (payload, 1 << 20, data, size);
  gsize value_size = tb_column_type_get_size (type);
  guint method = payload[0], width = payload[1], n = n_rows - (method == 1);
  guint64 base = number (payload + 8, 8), value = number (payload + 16, 8);

  g_assert_false (ZSTD_isError (payload_size));
  g_assert_cmpuint (payload_size, ==, 24 + (gsize) width * n);
  g_assert_cmpuint (number (payload + 4, 4), ==, n_rows);
  if (method == 1)
    {
      memcpy (values, &value, value_size);
      values += value_size;
    }
  for (guint i = 0; i < n; i++)
    {
      guint64 difference = 0;

      for (guint p = 0; p < width; p++)
        difference |= (guint64) payload[24 + p * n + i] << (8 * p);
      value = (method == 1 ? value : 0) + base + difference;
      memcpy (values + i * value_size, &value, value_size);
    }
}

static void
test_round_trips (void)
{
  g_autoptr (TbChunkCodec) codec = tb_chunk_codec_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());
  static const guint sizes[] = { 1, 2, 3, 1023, 1024, 1025, 2049, 65535, 65536 };

  for (guint round = 0; round < 600; round++)
    {
      TbColumnType type = (TbColumnType) (round % 6);
      guint n = round % 4 ? (guint) g_rand_int_range (random, 1, 3000)
                          : sizes[round / 4 % G_N_ELEMENTS (sizes)];
      gsize length = n * tb_column_type_get_size (type), size;
      g_autofree guint8 *values = fixture_random_values (random, type, n);
      g_autofree guint8 *decoded = g_malloc (length + 1), *plain = g_malloc (length + 1);
      g_autofree guint8 *encoded = NULL;
      gconstpointer bytes;

      decoded[length] = plain[length] = 0xa5;
      bytes = tb_chunk_codec_encode (codec, type, values, n, &size);
      encoded = g_memdup2 (bytes, size);
      g_assert_cmpuint (size, <=, TB_CHUNK_MAX_ENCODED);
      g_assert_null (tb_chunk_codec_decode (codec, type, encoded, size, decoded, n));
      g_assert_cmpmem (decoded, length, values, length);
      decode_plainly (encoded, size, type, plain, n);
      g_assert_cmpmem (plain, length, values, length);
      g_assert_cmpuint (decoded[length], ==, 0xa5);
      g_assert_cmpuint (plain[length], ==, 0xa5);
    }
}

/* Compression is effective: times a few bytes apart must take much less than eight bytes each. */
static void
test_sizes (void)
{
  g_autoptr (TbChunkCodec) codec = tb_chunk_codec_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (1);
  g_autofree gint64 *times = g_new (gint64, TB_CHUNK_ROWS);
  g_autofree guint32 *same = g_new0 (guint32, TB_CHUNK_ROWS);
  gsize size;

  times[0] = G_GINT64_CONSTANT (1) << 50;
  for (guint i = 1; i < TB_CHUNK_ROWS; i++)
    times[i] = times[i - 1] + g_rand_int_range (random, 0, 60000);
  tb_chunk_codec_encode (codec, TB_COLUMN_I64, times, TB_CHUNK_ROWS, &size);
  g_assert_cmpuint (size, <, 2 * TB_CHUNK_ROWS + 1000);
  tb_chunk_codec_encode (codec, TB_COLUMN_U32, same, TB_CHUNK_ROWS, &size);
  g_assert_cmpuint (size, <, 64);
}

/* Any changed byte is detected, or changes nothing; any missing part is detected. */
static void
test_damage (void)
{
  g_autoptr (TbChunkCodec) codec = tb_chunk_codec_new ();
  g_autoptr (GRand) random = g_rand_new_with_seed (g_test_rand_int ());

  for (guint round = 0; round < 60; round++)
    {
      TbColumnType type = (TbColumnType) (round % 6);
      guint n = (guint) g_rand_int_range (random, 2, 200);
      gsize length = n * tb_column_type_get_size (type), size;
      g_autofree guint8 *values = fixture_random_values (random, type, n);
      g_autofree guint8 *decoded = g_malloc (length);
      gconstpointer encoded = tb_chunk_codec_encode (codec, type, values, n, &size);
      g_autofree guint8 *bytes = g_memdup2 (encoded, size);

      for (gsize i = 0; i < size; i++)
        {
          guint8 bit = (guint8) (1 << g_rand_int_range (random, 0, 8));

          bytes[i] ^= bit;
          if (tb_chunk_codec_decode (codec, type, bytes, size, decoded, n) == NULL)
            g_assert_cmpmem (decoded, length, values, length);
          bytes[i] ^= bit;
          g_assert_nonnull (tb_chunk_codec_decode (codec, type, bytes, i, decoded, n));
        }
      g_assert_nonnull (tb_chunk_codec_decode (codec, type, bytes, size, decoded, n - 1));
    }
}

/* A frame that decompresses to much more than a chunk can hold. */
static void
test_bomb (void)
{
  g_autoptr (TbChunkCodec) codec = tb_chunk_codec_new ();
  gsize zeros_size = 64 << 20;
  g_autofree guint8 *zeros = g_malloc0 (zeros_size);
  g_autofree guint8 *bomb = g_malloc (1 << 20);
  guint8 values[64];
  gsize size = ZSTD_compress (bomb, 1 << 20, zeros, zeros_size, 1);

  g_assert_false (ZSTD_isError (size));
  g_assert_nonnull (tb_chunk_codec_decode (codec, TB_COLUMN_U8, bomb, size, values, sizeof values));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/chunk-codec/round-trips", test_round_trips);
  g_test_add_func ("/session/chunk-codec/sizes", test_sizes);
  g_test_add_func ("/session/chunk-codec/damage", test_damage);
  g_test_add_func ("/session/chunk-codec/bomb", test_bomb);
  return g_test_run ();
}
