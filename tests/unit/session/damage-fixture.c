/* damage-fixture.c: folder with a session file for tests of damage
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#include "config.h"

#include "damage-fixture.h"

#include <glib/gstdio.h>

#include "session/schema/tb-schema-private.h"

void
damage_fixture_set_up (DamageFixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("tailback-damage-XXXXXX", NULL);
  fixture->path = g_build_filename (fixture->folder, "a.tailback", NULL);
  fixture->file = g_file_new_for_path (fixture->path);
  fixture->random = g_rand_new_with_seed (g_test_rand_int ());
}

void
damage_fixture_clear_folder (DamageFixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->folder, name, NULL);

      g_unlink (path);
    }
}

void
damage_fixture_tear_down (DamageFixture *fixture, gconstpointer data)
{
  damage_fixture_clear_folder (fixture);
  g_assert_cmpint (g_rmdir (fixture->folder), ==, 0);
  g_rand_free (fixture->random);
  g_object_unref (fixture->file);
  g_free (fixture->path);
  g_free (fixture->folder);
}

TbSession *
damage_fixture_open_and_read (GFile *file, GError **error)
{
  TbSession *session = tb_session_open (file, NULL, error);

  for (guint kind = 0; session != NULL && kind < TB_N_TABLES; kind++)
    for (guint i = 0; session != NULL && i < tb_table_kind_get_info (kind)->n_columns; i++)
      {
        GBytes *bytes = tb_table_get_column (tb_session_get_table (session, kind), i, error);

        if (bytes == NULL)
          g_clear_object (&session);
        g_clear_pointer (&bytes, g_bytes_unref);
      }
  g_assert_true (session != NULL || error == NULL || *error != NULL);
  if (error != NULL && *error != NULL)
    {
      g_assert_true ((*error)->domain == TB_SESSION_ERROR);
      g_assert_null (strchr ((*error)->message, '\n'));
      g_assert_true (g_utf8_validate ((*error)->message, -1, NULL));
    }
  return session;
}

void
damage_fixture_assert_refused (DamageFixture *fixture, TbSessionError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (damage_fixture_open_and_read (fixture->file, &error));
  g_assert_error (error, TB_SESSION_ERROR, (int) code);
}
