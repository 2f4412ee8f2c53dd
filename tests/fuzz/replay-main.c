/* replay-main.c: replay of a corpus through a fuzz target without a fuzzer
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: fuzz-NAME CORPUS-FOLDER
 *
 * Each file is run as it is, truncated at every power of two and near its end, and with flipped
 * bits at the same positions in every run. A crash or a hang is the failure. The output is TAP, one
 * test point a file.
 *
 * With TAILBACK_TEST_MODE=thorough all variants are run; otherwise one in fifteen of the
 * truncations near the end and of the bit flips, other ones in each run.
 */

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz-target.h"

#define FLIPPED_VARIANTS 200
#define MAX_FILES 1000
/* Odd, so that both kinds of flips are among the chosen ones. */
#define ONE_OF 15

static int one_of = ONE_OF; /* one of so many variants of a file is run; 1: all */

static uint64_t
next_random (uint64_t *state)
{
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

static uint8_t *
read_file (const char *path, size_t *size)
{
  FILE *file = fopen (path, "rb");
  uint8_t *bytes = NULL;
  long length;

  if (file == NULL)
    return NULL;
  if (fseek (file, 0, SEEK_END) == 0 && (length = ftell (file)) >= 0
      && fseek (file, 0, SEEK_SET) == 0)
    {
      /* Exactly as long as the input, so that a sanitizer detects a read beyond its end. */
      bytes = malloc (length > 0 ? (size_t) length : 1);
      *size = bytes != NULL ? fread (bytes, 1, (size_t) length, file) : 0;
    }
  fclose (file);
  return bytes;
}

static void
run_copy (const uint8_t *bytes, size_t size)
{
  uint8_t *copy = malloc (size > 0 ? size : 1);

  if (copy == NULL)
    abort ();
  memcpy (copy, bytes, size);
  LLVMFuzzerTestOneInput (copy, size);
  free (copy);
}

/* Returns the index of the first variant to run. */
static int
draw (void)
{
  return rand () % one_of;
}

static void
replay (const uint8_t *bytes, size_t size)
{
  uint64_t state = 0x9e3779b97f4a7c15u;
  int first = draw ();
  uint8_t *changed = malloc (size > 0 ? size : 1);

  if (changed == NULL)
    abort ();
  run_copy (bytes, size);
  for (size_t cut = 1; cut < size; cut *= 2)
    run_copy (bytes, cut);
  for (size_t back = 1 + (size_t) draw (); back < size && back <= 64; back += (size_t) one_of)
    run_copy (bytes, size - back);
  for (int i = 0; size > 0 && i < FLIPPED_VARIANTS; i++)
    {
      int flips = 1 + (int) (next_random (&state) % 4);

      memcpy (changed, bytes, size);
      /* Half of the variants change the first kilobyte, where headers are. */
      for (int j = 0; j < flips; j++)
        changed[next_random (&state) % (i % 2 == 0 && size > 1024 ? 1024 : size)]
            ^= (uint8_t) (1u << next_random (&state) % 8);
      if (i % one_of == first)
        run_copy (changed, size);
    }
  free (changed);
}

static int
compare_names (const void *a, const void *b)
{
  return strcmp (*(char *const *) a, *(char *const *) b);
}

static void
choose_mode (void)
{
  const char *mode = getenv ("TAILBACK_TEST_MODE");
  struct timespec now;

  if (mode != NULL && strcmp (mode, "thorough") == 0)
    one_of = 1;
  clock_gettime (CLOCK_REALTIME, &now);
  srand ((unsigned int) (now.tv_sec ^ now.tv_nsec));
}

int
main (int argc, char **argv)
{
  char *names[MAX_FILES];
  int n = 0;
  struct dirent *entry;
  DIR *folder;

  if (argc != 2 || (folder = opendir (argv[1])) == NULL)
    {
      fprintf (stderr, "usage: %s CORPUS-FOLDER\n", argv[0]);
      return 2;
    }
  while (n < MAX_FILES && (entry = readdir (folder)) != NULL)
    if (entry->d_name[0] != '.')
      names[n++] = strdup (entry->d_name);
  closedir (folder);
  qsort (names, (size_t) n, sizeof names[0], compare_names);

  choose_mode ();
  printf ("TAP version 14\n1..%d\n", n + 1);
  replay ((const uint8_t *) "", 0);
  printf ("ok 1 nothing\n");
  for (int i = 0; i < n; i++)
    {
      char path[4096];
      size_t size = 0;
      uint8_t *bytes;

      snprintf (path, sizeof path, "%s/%s", argv[1], names[i]);
      bytes = read_file (path, &size);
      if (bytes != NULL)
        replay (bytes, size);
      printf ("%s %d %s\n", bytes != NULL ? "ok" : "not ok", i + 2, names[i]);
      fflush (stdout);
      free (bytes);
      free (names[i]);
    }
  return 0;
}
