/* host.c: a program that has items processed by the plug-ins it loads, one after another
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 *
 * usage: host PIECES PART…
 */

#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MAX_PARTS 8

typedef uint64_t (*Handle) (uint64_t piece);

static Handle handles[MAX_PARTS];
static int n_parts;

__attribute__ ((noinline)) static uint64_t
take_piece (uint64_t number)
{
  uint64_t piece = number;

  for (int i = 0; i < 20000; i++)
    piece = piece * 6364136223846793005u + 1;
  return piece + (uint64_t) getppid ();
}

__attribute__ ((noinline)) static uint64_t
pass_on (uint64_t piece)
{
  for (int i = 0; i < n_parts; i++)
    piece = handles[i](piece);
  return piece;
}

static int
load (const char *path)
{
  void *part = dlopen (path, RTLD_NOW);

  handles[n_parts] = part != NULL ? (Handle) dlsym (part, "handle") : NULL;
  if (handles[n_parts] == NULL)
    fprintf (stderr, "host: %s\n", dlerror ());
  return handles[n_parts++] != NULL;
}

int
main (int argc, char **argv)
{
  uint64_t sum = 0;

  for (int i = 2; i < argc && n_parts < MAX_PARTS; i++)
    if (!load (argv[i]))
      return 1;
  for (long i = argc > 1 ? atol (argv[1]) : 0; i > 0; i--)
    sum += pass_on (take_piece ((uint64_t) i));
  return sum == 1;
}
