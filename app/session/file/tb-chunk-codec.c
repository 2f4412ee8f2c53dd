/* tb-chunk-codec.c: encoder and decoder of the chunks of a column: differences to the neighbour or
 * to the smallest value, in byte planes, compressed by zstd
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

/* An encoded chunk is one zstd frame with content checksum (XXH64). Its content, little-endian:
 *
 *   u8  method   0: differences to the smallest value
 *                1: differences between neighbours, minus the smallest of these
 *   u8  width    bytes per difference, 0 … size of the type
 *   u16 zero
 *   u32 rows
 *   u64 base     the smallest value, or the smallest difference between neighbours
 *   u64 first    method 1: the first value; else 0
 *
 * Then come `width` planes: the lowest byte of each difference, then the next higher byte of each,
 * and so on. Method 0 has `rows` differences, method 1 has `rows` - 1. All sums are modulo the size
 * of the type.
 *
 * Planes are used instead of packed bits: unused upper bytes cost next to nothing after
 * compression, and packed bits would hide repetitions from the compression. */

#include "config.h"

#include "session/file/tb-chunk-codec-private.h"

#include <string.h>
#include <zstd.h>

#define HEADER_SIZE 24u
#define PAYLOAD_MAX (HEADER_SIZE + TB_CHUNK_ROWS * 8u)
#define BLOCK 1024u /* rows; the differences of a block stay in the L1 cache */

#define FAST_LEVEL (-50) /* hardly more than a copy */

#define METHOD_OFFSET 0
#define METHOD_STEP 1

/* These loops take most of the time; at -O2 GCC does not vectorize them. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__OPTIMIZE__)
#  define HOT __attribute__ ((optimize ("O3")))
#else
#  define HOT
#endif

struct _TbChunkCodec
{
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  guint8 *payload;
  guint8 *encoded;
  gsize encoded_capacity;
  gboolean is_fast;
};

TbChunkCodec *
tb_chunk_codec_new (void)
{
  return g_new0 (TbChunkCodec, 1);
}

void
tb_chunk_codec_free (TbChunkCodec *self)
{
  if (self == NULL)
    return;
  ZSTD_freeCCtx (self->compressor);
  ZSTD_freeDCtx (self->decompressor);
  g_free (self->payload);
  g_free (self->encoded);
  g_free (self);
}

void
tb_chunk_codec_set_fast (TbChunkCodec *self)
{
  self->is_fast = TRUE;
  g_clear_pointer (&self->compressor, ZSTD_freeCCtx);
  g_clear_pointer (&self->encoded, g_free);
}

static guint
count_bytes (guint64 range)
{
  return range == 0 ? 0 : (guint) (g_bit_storage (range) + 7) / 8;
}

typedef struct
{
  guint method;
  guint width;
  guint64 base;
} Plan;

/* U: the unsigned type of the column's size; O: the type that defines the order of values; S: the
 * signed type of steps */
#define DEFINE_PLAN(name, U, O, S)                                                                 \
  HOT static Plan plan_##name (const U *values, guint n)                                           \
  {                                                                                                \
    O least = (O) values[0], most = (O) values[0];                                                 \
    S least_step = 0, most_step = 0;                                                               \
                                                                                                   \
    for (guint i = 0; i < n; i++)                                                                  \
      {                                                                                            \
        least = MIN (least, (O) values[i]);                                                        \
        most = MAX (most, (O) values[i]);                                                          \
      }                                                                                            \
    if (n > 1)                                                                                     \
      least_step = most_step = (S) (U) (values[1] - values[0]);                                    \
    for (guint i = 1; i < n; i++)                                                                  \
      {                                                                                            \
        S step = (S) (U) (values[i] - values[i - 1]);                                              \
        least_step = MIN (least_step, step);                                                       \
        most_step = MAX (most_step, step);                                                         \
      }                                                                                            \
                                                                                                   \
    guint offset_width = count_bytes ((U) ((U) most - (U) least));                                 \
    guint step_width = count_bytes ((U) ((U) most_step - (U) least_step));                         \
    if (step_width < offset_width)                                                                 \
      return (Plan) { METHOD_STEP, step_width, (U) least_step };                                   \
    return (Plan) { METHOD_OFFSET, offset_width, (U) least };                                      \
  }

#define DEFINE_PLANES(name, U)                                                                     \
  HOT static void write_planes_##name (guint8 *planes, const U *values, guint n, Plan plan)        \
  {                                                                                                \
    U differences[BLOCK];                                                                          \
    U base = (U) plan.base;                                                                        \
    guint first = plan.method == METHOD_STEP ? 1 : 0;                                              \
    guint total = n - first;                                                                       \
                                                                                                   \
    for (guint start = 0; start < total; start += BLOCK)                                           \
      {                                                                                            \
        guint m = MIN (BLOCK, total - start);                                                      \
        const U *in = values + first + start;                                                      \
                                                                                                   \
        if (plan.method == METHOD_STEP)                                                            \
          for (guint i = 0; i < m; i++)                                                            \
            differences[i] = (U) (in[i] - in[(gssize) i - 1] - base);                              \
        else                                                                                       \
          for (guint i = 0; i < m; i++)                                                            \
            differences[i] = (U) (in[i] - base);                                                   \
        for (guint p = 0; p < plan.width; p++)                                                     \
          {                                                                                        \
            guint8 *out = planes + (gsize) p * total + start;                                      \
            for (guint i = 0; i < m; i++)                                                          \
              out[i] = (guint8) (differences[i] >> (8 * p));                                       \
          }                                                                                        \
      }                                                                                            \
  }                                                                                                \
                                                                                                   \
  HOT static void read_planes_##name (U *values, const guint8 *planes, guint n, Plan plan,         \
                                      guint64 first_value)                                         \
  {                                                                                                \
    U base = (U) plan.base, value = (U) first_value;                                               \
    guint first = plan.method == METHOD_STEP ? 1 : 0;                                              \
    guint total = n - first;                                                                       \
                                                                                                   \
    if (first)                                                                                     \
      values[0] = value;                                                                           \
    for (guint start = 0; start < total; start += BLOCK)                                           \
      {                                                                                            \
        guint m = MIN (BLOCK, total - start);                                                      \
        U *out = values + first + start;                                                           \
                                                                                                   \
        for (guint i = 0; i < m; i++)                                                              \
          out[i] = base;                                                                           \
        for (guint p = 0; p < plan.width; p++)                                                     \
          {                                                                                        \
            const guint8 *in = planes + (gsize) p * total + start;                                 \
            for (guint i = 0; i < m; i++)                                                          \
              out[i] = (U) (out[i] + (U) ((U) in[i] << (8 * p)));                                  \
          }                                                                                        \
        if (plan.method == METHOD_STEP)                                                            \
          for (guint i = 0; i < m; i++)                                                            \
            out[i] = value = (U) (value + out[i]);                                                 \
      }                                                                                            \
  }

DEFINE_PLAN (u8, guint8, guint8, gint8)
DEFINE_PLAN (u16, guint16, guint16, gint16)
DEFINE_PLAN (u32, guint32, guint32, gint32)
DEFINE_PLAN (u64, guint64, guint64, gint64)
DEFINE_PLAN (i64, guint64, gint64, gint64)

DEFINE_PLANES (u8, guint8)
DEFINE_PLANES (u16, guint16)
DEFINE_PLANES (u32, guint32)
DEFINE_PLANES (u64, guint64)

static Plan
make_plan (TbColumnType type, gconstpointer values, guint n_rows)
{
  switch (type)
    {
    case TB_COLUMN_U8:
      return plan_u8 (values, n_rows);
    case TB_COLUMN_U16:
      return plan_u16 (values, n_rows);
    case TB_COLUMN_U32:
      return plan_u32 (values, n_rows);
    case TB_COLUMN_U64:
      return plan_u64 (values, n_rows);
    case TB_COLUMN_I64:
      return plan_i64 (values, n_rows);
    case TB_COLUMN_F64:
      /* the bit patterns of floating-point numbers have no useful order */
      return (Plan) { METHOD_OFFSET, 8, 0 };
    default:
      g_assert_not_reached ();
    }
}

static void
write_planes (TbColumnType type, guint8 *planes, gconstpointer values, guint n_rows, Plan plan)
{
  switch (tb_column_type_get_size (type))
    {
    case 1:
      write_planes_u8 (planes, values, n_rows, plan);
      break;
    case 2:
      write_planes_u16 (planes, values, n_rows, plan);
      break;
    case 4:
      write_planes_u32 (planes, values, n_rows, plan);
      break;
    default:
      write_planes_u64 (planes, values, n_rows, plan);
    }
}

static void
read_planes (TbColumnType type,
             gpointer values,
             const guint8 *planes,
             guint n_rows,
             Plan plan,
             guint64 first)
{
  switch (tb_column_type_get_size (type))
    {
    case 1:
      read_planes_u8 (values, planes, n_rows, plan, first);
      break;
    case 2:
      read_planes_u16 (values, planes, n_rows, plan, first);
      break;
    case 4:
      read_planes_u32 (values, planes, n_rows, plan, first);
      break;
    default:
      read_planes_u64 (values, planes, n_rows, plan, first);
    }
}

static guint64
get_first_value (TbColumnType type, gconstpointer values)
{
  switch (tb_column_type_get_size (type))
    {
    case 1:
      return *(const guint8 *) values;
    case 2:
      return *(const guint16 *) values;
    case 4:
      return *(const guint32 *) values;
    default:
      return *(const guint64 *) values;
    }
}

static void
put_number (guint8 *at, guint64 value, guint n_bytes)
{
  for (guint i = 0; i < n_bytes; i++)
    at[i] = (guint8) (value >> (8 * i));
}

static guint64
get_number (const guint8 *at, guint n_bytes)
{
  guint64 value = 0;

  for (guint i = 0; i < n_bytes; i++)
    value |= (guint64) at[i] << (8 * i);
  return value;
}

static void
prepare_compressor (TbChunkCodec *self)
{
  self->compressor = ZSTD_createCCtx ();
  g_assert (self->compressor != NULL);
  ZSTD_CCtx_setParameter (self->compressor, ZSTD_c_compressionLevel,
                          self->is_fast ? FAST_LEVEL : 1);
  ZSTD_CCtx_setParameter (self->compressor, ZSTD_c_checksumFlag, 1);
  self->encoded_capacity = ZSTD_compressBound (PAYLOAD_MAX);
  g_assert (self->encoded_capacity <= TB_CHUNK_MAX_ENCODED);
  self->encoded = g_malloc (self->encoded_capacity);
}

gconstpointer
tb_chunk_codec_encode (TbChunkCodec *self,
                       TbColumnType type,
                       gconstpointer values,
                       guint n_rows,
                       gsize *size)
{
  Plan plan;
  gsize payload_size;

  g_assert (n_rows > 0 && n_rows <= TB_CHUNK_ROWS);

  if (self->payload == NULL)
    self->payload = g_malloc (PAYLOAD_MAX);
  if (self->compressor == NULL)
    prepare_compressor (self);

  plan = make_plan (type, values, n_rows);
  self->payload[0] = (guint8) plan.method;
  self->payload[1] = (guint8) plan.width;
  put_number (self->payload + 2, 0, 2);
  put_number (self->payload + 4, n_rows, 4);
  put_number (self->payload + 8, plan.base, 8);
  put_number (self->payload + 16, plan.method == METHOD_STEP ? get_first_value (type, values) : 0,
              8);
  write_planes (type, self->payload + HEADER_SIZE, values, n_rows, plan);
  payload_size = HEADER_SIZE + (gsize) plan.width * (n_rows - (plan.method == METHOD_STEP));

  *size = ZSTD_compress2 (self->compressor, self->encoded, self->encoded_capacity, self->payload,
                          payload_size);
  g_assert (!ZSTD_isError (*size));
  return self->encoded;
}

const char *
tb_chunk_codec_decode (TbChunkCodec *self,
                       TbColumnType type,
                       gconstpointer data,
                       gsize size,
                       gpointer values,
                       guint n_rows)
{
  Plan plan;
  gsize payload_size;

  g_assert (n_rows > 0 && n_rows <= TB_CHUNK_ROWS);

  if (self->payload == NULL)
    self->payload = g_malloc (PAYLOAD_MAX);
  if (self->decompressor == NULL)
    self->decompressor = ZSTD_createDCtx ();
  g_assert (self->decompressor != NULL);

  /* limited by the size of the payload buffer, whatever size the frame states */
  payload_size = ZSTD_decompressDCtx (self->decompressor, self->payload, PAYLOAD_MAX, data, size);
  if (ZSTD_isError (payload_size))
    return ZSTD_getErrorName (payload_size);
  if (payload_size < HEADER_SIZE)
    return "too short";

  plan.method = self->payload[0];
  plan.width = self->payload[1];
  plan.base = get_number (self->payload + 8, 8);
  if (plan.method > METHOD_STEP || plan.width > tb_column_type_get_size (type))
    return "unknown encoding";
  if (get_number (self->payload + 4, 4) != n_rows
      || payload_size != HEADER_SIZE + (gsize) plan.width * (n_rows - (plan.method == METHOD_STEP)))
    return "number of rows differs";

  read_planes (type, values, self->payload + HEADER_SIZE, n_rows, plan,
               get_number (self->payload + 16, 8));
  return NULL;
}
