/* damage-fixture.h: folder with a session file for tests of damage
 *
 * SPDX-License-Identifier: LGPL-2.1-or-later
 */

#pragma once

#include "session/file/tb-session.h"

typedef struct
{
  char *folder;
  char *path;
  GFile *file;
  GRand *random;
} DamageFixture;

/* For g_test_add(). */
void damage_fixture_set_up (DamageFixture *fixture, gconstpointer data);
void damage_fixture_tear_down (DamageFixture *fixture, gconstpointer data);
void damage_fixture_clear_folder (DamageFixture *fixture);

/* Opens the session and reads everything. Returns NULL with an error of one line if that fails. */
TbSession *damage_fixture_open_and_read (GFile *file, GError **error);
void damage_fixture_assert_refused (DamageFixture *fixture, TbSessionError code);
