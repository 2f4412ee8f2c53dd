/* journals.c: threads with a journal each, synced after every record or every fourth
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: journals RECORDS STEPS PATH [fixed]
 *
 * Each of three keepers computes RECORDS records (STEPS) and appends each to PATH-NUMBER. Reports
 * "work" (records of all keepers) and "wall".
 */

#include <pthread.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>

#include "measure.h"

#define N_KEEPERS 3
#define RECORD_SIZE 2048
#define BATCH 4

static const char *path;
static long n_records;
static uint64_t steps;
static bool is_fixed;

__attribute__ ((noinline)) static void
append_record (int file)
{
  char record[RECORD_SIZE];

  memset (record, 'r', sizeof record);
  if (write (file, record, sizeof record) != sizeof record)
    exit (1);
}

__attribute__ ((noinline)) static void
sync_journal (int file)
{
  if (fdatasync (file) < 0)
    exit (1);
}

static void *
keep_journal (void *data)
{
  char name[4096];
  int file;

  prctl (PR_SET_NAME, "keeper");
  snprintf (name, sizeof name, "%s-%u", path, (unsigned) (uintptr_t) data);
  file = open (name, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0)
    exit (1);
  for (long i = 1; i <= n_records; i++)
    {
      compute (steps);
      append_record (file);
      if (!is_fixed || i % BATCH == 0 || i == n_records)
        sync_journal (file);
    }
  close (file);
  return NULL;
}

int
main (int argc, char **argv)
{
  int64_t begin = wall_ns ();
  pthread_t keepers[N_KEEPERS];

  if (argc < 4)
    return 2;
  n_records = atol (argv[1]);
  steps = strtoull (argv[2], NULL, 10);
  path = argv[3];
  is_fixed = argc > 4 && strcmp (argv[4], "fixed") == 0;
  for (uintptr_t i = 0; i < N_KEEPERS; i++)
    if (pthread_create (&keepers[i], NULL, keep_journal, (void *) i) != 0)
      return 1;
  for (unsigned i = 0; i < N_KEEPERS; i++)
    pthread_join (keepers[i], NULL);
  report ("work", N_KEEPERS * n_records);
  report ("wall", wall_ns () - begin);
  return 0;
}
