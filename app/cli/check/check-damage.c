/* check-damage.c: damage of a synthetic recording: no event and no stack in it can be read, only
 * what was derived from them
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include "config.h"

#include <sqlite3.h>

#include <glib/gi18n.h>

#include "check/check.h"

/* Derived tables stay, so that the recording can be opened. */
#define DAMAGE                                                                                     \
  "UPDATE chunk_data SET data = zeroblob (length (data)) WHERE id >> 40 NOT IN (SELECT id FROM "   \
  "event_table WHERE name IN ('interval', 'trace_count', 'overview'))"

gboolean
check_damage (const char *path, GError **error)
{
  sqlite3 *database = NULL;
  gboolean damaged = sqlite3_open (path, &database) == SQLITE_OK
                     && sqlite3_exec (database, DAMAGE, NULL, NULL, NULL) == SQLITE_OK
                     && sqlite3_changes (database) > 0;

  if (!damaged)
    check_fail (error, _ ("cannot write “%s”: %s"), path, sqlite3_errmsg (database));
  sqlite3_close (database);
  return damaged;
}
