/* grade.c: an extension of SQLite with the function grade(X)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */

#include <sqlite3ext.h>
#include <stdint.h>

#include "turns.h"

SQLITE_EXTENSION_INIT1

__attribute__ ((noinline)) static int64_t
weigh (int64_t value)
{
  uint64_t sum = (uint64_t) value;

  for (int i = 0; i < 2000; i++)
    sum = sum * 31 + 7;
  TAKE_TURNS (turns);
  return (int64_t) (sum >> 8);
}

static void
grade (sqlite3_context *context, int n, sqlite3_value **values)
{
  sqlite3_result_int64 (context, weigh (sqlite3_value_int64 (values[0])) + n);
}

int sqlite3_grade_init (sqlite3 *db, char **message, const sqlite3_api_routines *api);

__attribute__ ((visibility ("default"))) int
sqlite3_grade_init (sqlite3 *db, char **message, const sqlite3_api_routines *api)
{
  SQLITE_EXTENSION_INIT2 (api)
  (void) message;
  return sqlite3_create_function (db, "grade", 1, SQLITE_UTF8, NULL, grade, NULL, NULL);
}
