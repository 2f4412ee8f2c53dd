/* session-fixture.c: sessions with random but valid rows
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "session-fixture.h"

static guint64
random_u64 (GRand *random)
{
  return (guint64) g_rand_int (random) << 32 | g_rand_int (random);
}

/* Values of every distribution: constant, small steps, narrow, any, extreme. */
gpointer
fixture_random_values (GRand *random, TbColumnType type, guint n)
{
  gsize size = tb_column_type_get_size (type);
  guint8 *values = g_malloc (MAX (n, 1) * size);
  guint shape = (guint) g_rand_int_range (random, 0, 6);
  guint64 value = random_u64 (random), narrow = G_GUINT64_CONSTANT (1)
                                                << g_rand_int_range (random, 0, 63);

  for (guint i = 0; i < n; i++)
    {
      switch (shape)
        {
        case 0:
          break;
        case 1:
          value += (guint64) g_rand_int_range (random, 0, 1000);
          break;
        case 2:
          value = random_u64 (random) % narrow;
          break;
        case 3:
          value = random_u64 (random);
          break;
        case 4:
          value = (guint64[]) { 0, G_MAXUINT64, G_MAXINT64, (guint64) G_MININT64,
                                1 }[g_rand_int_range (random, 0, 5)];
          break;
        default:
          value -= (guint64) g_rand_int_range (random, 0, 100000);
        }
      memcpy (values + i * size, &value, size);
    }
  return values;
}

static guint32
random_id (GRand *random, guint32 limit, gboolean or_none)
{
  if (or_none && g_rand_int_range (random, 0, 8) == 0)
    return TB_ID_NONE;
  return (guint32) g_rand_int_range (random, 0, (gint32) limit);
}

static void
fill_ids (GRand *random, guint32 *ids, guint n, guint32 limit, gboolean or_none)
{
  for (guint i = 0; i < n; i++)
    ids[i] = random_id (random, limit, or_none);
}

static void
fill_kinds (GRand *random, guint8 *kinds, guint n, int limit)
{
  for (guint i = 0; i < n; i++)
    kinds[i] = (guint8) g_rand_int_range (random, 0, limit);
}

static void
fill_times (GRand *random, gint64 *times, guint n, TbColumnRole role)
{
  guint n_ended = role == TB_ROLE_SORTED_END
                      ? n - (guint) g_rand_int_range (random, 0, (gint32) (n / 3 + 1))
                      : n;
  gint64 time = 1000000;

  for (guint i = 0; i < n; i++)
    {
      time += g_rand_int_range (random, 0, 3) > 0 ? g_rand_int_range (random, 0, 20000) : 0;
      times[i] = time;
      if (i >= n_ended || (role == TB_ROLE_TIME && g_rand_int_range (random, 0, 10) == 0))
        times[i] = TB_TIME_NONE;
    }
}

static gpointer
make_column (GRand *random,
             TbTableKind kind,
             guint column,
             guint n,
             guint n_stacks,
             guint n_wakeups,
             guint n_sleeps)
{
  TbColumnType type = tb_table_kind_get_info (kind)->columns[column].type;
  TbColumnRole role = tb_table_kind_get_role (kind, column);
  gpointer values;

  if (role == TB_ROLE_VALUE)
    return fixture_random_values (random, type, n);

  values = g_malloc (MAX (n, 1) * tb_column_type_get_size (type));
  switch (role)
    {
    case TB_ROLE_TIME:
    case TB_ROLE_SORTED_TIME:
    case TB_ROLE_SORTED_END:
      fill_times (random, values, n, role);
      break;
    case TB_ROLE_THREAD:
      fill_ids (random, values, n, FIXTURE_THREADS, FALSE);
      break;
    case TB_ROLE_SORTED_THREAD:
      for (guint i = 0; i < n; i++)
        ((guint32 *) values)[i] = (guint32) ((guint64) i * FIXTURE_THREADS / n);
      break;
    case TB_ROLE_THREAD_OR_NONE:
      fill_ids (random, values, n, FIXTURE_THREADS, TRUE);
      break;
    case TB_ROLE_DEVICE_OR_NONE:
      fill_ids (random, values, n, FIXTURE_DEVICES, TRUE);
      break;
    case TB_ROLE_MODULE_OR_NONE:
      fill_ids (random, values, n, FIXTURE_MODULES, TRUE);
      break;
    case TB_ROLE_WAKEUP_OR_NONE:
      fill_ids (random, values, n, MAX (n_wakeups, 1), n_wakeups > 0);
      break;
    case TB_ROLE_SLEEP_OR_NONE:
      fill_ids (random, values, n, MAX (n_sleeps, 1), n_sleeps > 0);
      break;
    case TB_ROLE_FRAME_OR_NONE:
      fill_ids (random, values, n, FIXTURE_FRAMES, TRUE);
      break;
    case TB_ROLE_STACK:
      fill_ids (random, values, n, MAX (n_stacks, 1), FALSE);
      break;
    case TB_ROLE_STRING:
      fill_ids (random, values, n, FIXTURE_STRINGS, FALSE);
      break;
    case TB_ROLE_STACK_PARENT:
      for (guint i = 0; i < n; i++)
        ((guint32 *) values)[i] = i == 0 ? 0 : random_id (random, i, FALSE);
      break;
    case TB_ROLE_STACK_FRAME:
      fill_ids (random, values, n, FIXTURE_FRAMES, FALSE);
      break;
    case TB_ROLE_KIND_2:
      fill_kinds (random, values, n, 2);
      break;
    case TB_ROLE_KIND_4:
      fill_kinds (random, values, n, 4);
      break;
    case TB_ROLE_KIND_5:
      fill_kinds (random, values, n, 5);
      break;
    case TB_ROLE_KIND_6:
      fill_kinds (random, values, n, 6);
      break;
    case TB_ROLE_KIND_8:
      fill_kinds (random, values, n, 8);
      break;
    case TB_ROLE_KIND_13:
      fill_kinds (random, values, n, 13);
      break;
    case TB_ROLE_KIND_17:
      fill_kinds (random, values, n, 17);
      break;
    case TB_ROLE_KIND_21:
      fill_kinds (random, values, n, 21);
      break;
    default:
      g_assert_not_reached ();
    }
  return values;
}

FixtureRows *
fixture_rows_new (GRand *random, guint n_rows)
{
  FixtureRows *rows = g_new0 (FixtureRows, 1);

  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    {
      guint n = n_rows / 2 + (guint) g_rand_int_range (random, 0, (gint32) (n_rows / 2 + 1));

      if (kind == TB_TABLE_FRAME)
        n = FIXTURE_FRAMES;
      rows->n_rows[kind] = n;
    }
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    for (guint i = 0; i < tb_table_kind_get_info (kind)->n_columns; i++)
      rows->columns[kind][i] = make_column (random, kind, i, (guint) rows->n_rows[kind],
                                            (guint) rows->n_rows[TB_TABLE_STACK],
                                            (guint) rows->n_rows[TB_TABLE_WAKEUP],
                                            (guint) rows->n_rows[TB_TABLE_SLEEP]);
  return rows;
}

void
fixture_rows_free (FixtureRows *rows)
{
  if (rows == NULL)
    return;
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    for (guint i = 0; i < TB_MAX_COLUMNS; i++)
      g_free (rows->columns[kind][i]);
  g_free (rows);
}

void
fixture_append (TbSessionWriter *writer,
                FixtureRows *rows,
                TbTableKind kind,
                guint64 first,
                guint64 n)
{
  const TbTableInfo *info = tb_table_kind_get_info (kind);
  gconstpointer columns[TB_MAX_COLUMNS];
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < info->n_columns; i++)
    columns[i] = rows->columns[kind][i] + first * tb_column_type_get_size (info->columns[i].type);
  tb_session_writer_append (writer, kind, columns, n, &error);
  g_assert_no_error (error);
}

void
fixture_put_facts (TbSessionWriter *writer)
{
  TbHost host = { 0, "spica", "6.12.1", "x86_64", 4, 0, 0 };
  char name[32];

  tb_session_writer_put_host (writer, &host);
  for (guint i = 0; i < 10; i++)
    {
      TbProcess process = { i,    0,    100 + (gint32) i, i > 0 ? i - 1 : TB_ID_NONE, TB_TIME_NONE,
                            5000, name, "ls -l" };

      g_snprintf (name, sizeof name, "process %u", i);
      tb_session_writer_put_process (writer, &process);
      tb_session_writer_put_mapping (writer, i, TB_TIME_NONE, 0xffffffff80000000u + i, 4096, 0, 1);
    }
  for (guint i = 0; i < FIXTURE_THREADS; i++)
    {
      TbThread thread = { i, i == 0 ? TB_ID_NONE : i % 10, (gint32) i, TB_TIME_NONE, 7000, name };
      TbThreadName thread_name = { i, TB_TIME_NONE, name };

      g_snprintf (name, sizeof name, "thread %u", i);
      tb_session_writer_put_thread (writer, &thread);
      tb_session_writer_put_thread_name (writer, &thread_name);
      thread_name.time = 10;
      tb_session_writer_put_thread_name (writer, &thread_name);
    }
  for (guint i = 0; i < FIXTURE_MODULES; i++)
    {
      TbModule module
          = { i, (TbModuleKind) (i % 4), name, i % 2 ? "12ab" : "", i % 4 == 2 ? 3 : TB_ID_NONE };

      g_snprintf (name, sizeof name, "/usr/lib/lib%u.so", i);
      tb_session_writer_put_module (writer, &module);
    }
  for (guint i = 0; i < FIXTURE_DEVICES; i++)
    {
      TbDevice device = { i, 0, name, "block", "254:0" };

      g_snprintf (name, sizeof name, "vd%c", 'a' + (int) i);
      tb_session_writer_put_device (writer, &device);
    }
  for (guint i = 0; i < FIXTURE_STRINGS; i++)
    {
      g_snprintf (name, sizeof name, i == 0 ? "" : "string %u", i);
      tb_session_writer_put_string (writer, i, name);
    }
  tb_session_writer_put_fact (writer, "clock", "monotonic");
  tb_session_writer_put_warning (writer, "A warning");
}

void
fixture_write (GFile *file, FixtureRows *rows)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (TbSessionWriter) writer = tb_session_writer_new (file, FALSE, &error);

  g_assert_no_error (error);
  fixture_put_facts (writer);
  for (guint kind = 0; kind < TB_N_TABLES; kind++)
    fixture_append (writer, rows, kind, 0, rows->n_rows[kind]);
  tb_session_writer_close (writer, &error);
  g_assert_no_error (error);
}
